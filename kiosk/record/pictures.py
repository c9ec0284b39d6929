"""Pictures of hands: files beside the chain, named by their content, with the hash inside it.

A picture is written and synced, file and folder, before the entry that names it is committed, so
an entry never names a picture that a power cut could take away.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kiosk.record.errors import from_os_error
from kiosk.record.paths import make_folder, write_durably

FOLDER = "pictures"
_JPEG = b"\xff\xd8"
_ROLE = re.compile(r"[\w.-]{1,32}")
_FILE = re.compile(r"\d{4}-\d\d-\d\d/[0-9a-f]{64}\.jpg")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture to keep: what it shows (``before``, ``after``, ``doubt`` …) and the JPEG bytes.

    Raises ValueError when the bytes are no JPEG or the role is no short word.
    """

    role: str
    jpeg: bytes

    def __post_init__(self) -> None:
        if not self.jpeg.startswith(_JPEG):
            raise ValueError(f"the picture {self.role!r} is no JPEG")
        if not _ROLE.fullmatch(self.role):
            raise ValueError(f"role {self.role!r} of a picture: expected 1 to 32 letters or digits")


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A picture that is stored. ``file`` is relative to the folder of pictures."""

    role: str
    file: str
    sha256: str
    size: int

    def as_json(self) -> dict[str, Any]:
        """As it stands in the payload of its entry."""
        return {"role": self.role, "file": self.file, "sha256": self.sha256, "bytes": self.size}


def keep(folder: Path, day: str, picture: Picture) -> KeptPicture:
    """Stores one picture durably under ``folder/day``. Raises RecordError when it cannot."""
    name = hashlib.sha256(picture.jpeg).hexdigest()
    kept = KeptPicture(picture.role, f"{day}/{name}.jpg", name, len(picture.jpeg))
    path = folder / kept.file
    if fault_of_file(folder, kept.file, name) is None:
        return kept
    make_folder(path.parent)
    try:
        write_durably(path, picture.jpeg)
    except OSError as error:
        raise from_os_error(error, path) from error
    return kept


def fault_of_file(folder: Path, file: str, sha256: str) -> str | None:
    """What is wrong with a stored picture, in words, or None."""
    if not _FILE.fullmatch(file):
        return "has no proper name"
    try:
        content = (folder / file).read_bytes()
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    return None if hashlib.sha256(content).hexdigest() == sha256 else "was changed"


def remove(folder: Path, files: Iterable[str]) -> None:
    """Deletes files whose deletion is in the chain already; what is gone is fine.

    Names that are not those of pictures are left alone, whoever wrote them into the record.
    """
    remove_paths(folder / file for file in files if _FILE.fullmatch(file))


def remove_paths(paths: Iterable[Path]) -> None:
    """Deletes files, and the folders of their days once these are empty."""
    for path in paths:
        # What fails is tried again at the next start; until then the file is only unneeded.
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
            if not any(path.parent.iterdir()):
                path.parent.rmdir()
