"""Signed heads of the chain, kept outside the database, so that a cut tail shows.

A chain of hashes alone cannot tell that its newest entries were taken away. After each entry the
number and hash of the newest one are therefore written to ``heads/KIOSK.head``, and the last one
of each finished day is added to ``heads/KIOSK.days`` and to the database. All are signed with
HMAC-SHA-256 under a key of this kiosk (``keys/record.key``, readable by its user only).
Whoever can read the key can sign: against the kiosk's own administrator only a head noted
elsewhere helps (printed, shown to others), which ``verify`` takes as well.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from kiosk.record.canonical import canonical, parse
from kiosk.record.chain import Entry
from kiosk.record.clock import local_day
from kiosk.record.errors import from_os_error, record_error
from kiosk.record.paths import make_folder, sync_folder, write_durably

FOLDER = "heads"
FORMAT = "dealer-kiosk head/1"
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Head:
    """A signed point of the chain. ``key_id`` names the key without giving it away."""

    kiosk: str
    seq: int
    day: str
    hash: str
    key_id: str
    signature: str


@dataclass(frozen=True, slots=True)
class Key:
    """The secret that signs heads."""

    secret: bytes

    @property
    def id(self) -> str:
        """A short public name of the key."""
        return hashlib.sha256(b"key " + self.secret).hexdigest()[:16]

    def sign(self, entry: Entry) -> Head:
        """The signed head of the chain that ends with this entry."""
        day = local_day(entry.time, entry.offset_minutes)
        return self.sign_point(entry.kiosk, entry.seq, day, entry.hash)

    def sign_point(self, kiosk: str, seq: int, day: str, entry_hash: str) -> Head:
        """A signed head for any point; number 0 is the chain before its first entry."""
        signature = self._mac(kiosk, seq, day, entry_hash)
        return Head(kiosk, seq, day, entry_hash, self.id, signature)

    def made(self, head: Head) -> bool:
        """Whether this key signed this head."""
        right = self._mac(head.kiosk, head.seq, head.day, head.hash)
        return head.key_id == self.id and hmac.compare_digest(right, str(head.signature))

    def _mac(self, kiosk: str, seq: int, day: str, entry_hash: str) -> str:
        text = canonical([FORMAT, kiosk, seq, day, entry_hash])
        return hmac.new(self.secret, text.encode(), hashlib.sha256).hexdigest()


def key_path(data: Path) -> Path:
    """Where the key lies."""
    return data / "keys" / "record.key"


def load_key(data: Path) -> Key | None:
    """The kiosk's key, None when there is none. Raises RecordError when it cannot be read."""
    path = key_path(data)
    try:
        secret = bytes.fromhex(path.read_text("ascii").strip())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise from_os_error(error, path) from error
    except ValueError:
        secret = b""
    if len(secret) != _KEY_BYTES:
        raise record_error("failed", path, "the signing key is damaged")
    return Key(secret)


def make_key(data: Path) -> Key:
    """A new key, stored durably, mode 0600. Raises RecordError."""
    path, key = key_path(data), Key(secrets.token_bytes(_KEY_BYTES))
    make_folder(path.parent)
    try:
        os.chmod(path.parent, 0o700)
        write_durably(path, key.secret.hex().encode() + b"\n", mode=0o600)
    except OSError as error:
        raise from_os_error(error, path) from error
    return key


class HeadFiles:
    """The head files of one kiosk under ``DATA/heads``."""

    def __init__(self, data: Path, kiosk: str) -> None:
        self._folder = data / FOLDER
        self._newest = self._folder / f"{kiosk}.head"
        self._days = self._folder / f"{kiosk}.days"

    def write_newest(self, head: Head) -> None:
        """Replaces the newest head. Raises RecordError."""
        make_folder(self._folder)
        try:
            write_durably(self._newest, _line(head))
        except OSError as error:
            raise from_os_error(error, self._newest) from error

    def add_days(self, heads: Iterable[Head]) -> None:
        """Adds heads of finished days. Raises RecordError."""
        lines = b"".join(map(_line, heads))
        if not lines:
            return
        make_folder(self._folder)
        try:
            with self._days.open("a+b") as file:
                _drop_torn_line(file)
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self._folder)
        except OSError as error:
            raise from_os_error(error, self._days) from error

    def newest(self) -> Head | None:
        """The newest head. Raises ValueError when the file is damaged, RecordError unreadable."""
        lines = _lines(self._newest)
        return parse_head(lines[0]) if lines else None

    def days(self) -> list[Head]:
        """Heads of finished days, oldest first. Raises as `newest`; a torn last line is left out
        (a power cut while it was written)."""
        lines = _lines(self._days)
        return [parse_head(line) for line in lines]


def kiosks_with_heads(data: Path) -> list[str]:
    """Names of all kiosks that left a head file."""
    return sorted(path.name[: -len(".head")] for path in (data / FOLDER).glob("*.head"))


def parse_head(line: str) -> Head:
    """Raises ValueError when the line is no head."""
    data: Any = parse(line)
    if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
        raise ValueError("not a head of a record")
    try:
        head = Head(**data)
    except TypeError:
        raise ValueError("not a head of a record") from None
    texts = (head.kiosk, head.day, head.hash, head.key_id, head.signature)
    if not isinstance(head.seq, int) or not all(isinstance(text, str) for text in texts):
        raise ValueError("not a head of a record")
    return head


def _line(head: Head) -> bytes:
    return canonical({"format": FORMAT, **asdict(head)}).encode() + b"\n"


def _drop_torn_line(file: IO[bytes]) -> None:
    """Takes away what a power cut left behind the last whole line."""
    file.seek(0)
    file.truncate(file.read().rfind(b"\n") + 1)


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise from_os_error(error, path) from error
    return [line for line in text.split("\n")[:-1] if line]
