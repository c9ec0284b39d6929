"""Settings saved on the page: kept as files with all their versions, laid over the configuration.

``DATA/settings/v0003.toml`` holds what one save set, in the form of a configuration file, and
``DATA/settings/houses/NAME-v3.toml`` the house that went with it. Files are written once and never
changed; the highest number counts. Values come from the built-in defaults, then the configuration
file, then the newest saved version, then the command line.
"""

from __future__ import annotations

import re
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import tomli_w

from kiosk.errors import UserError
from kiosk.record.errors import RecordError
from kiosk.record.paths import make_folder, write_durably
from kiosk.rules import load_house_file
from kiosk.rules.house_file import changed_house
from kiosk.rules.houses import HouseFile

FOLDER = "settings"
HOUSES = "houses"
FIELDS = ("house", "mode", "table")
"""Settings that the page may set; all others belong to the configuration file."""

Fits = Callable[[Mapping[str, Any]], None]
"""Raises UserError when values do not hold together with all the rest."""

_FILE = re.compile(r"v(\d{4,9})\.toml")
_BASE = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")


@dataclass(frozen=True, slots=True)
class Version:
    """One save. ``values``: what it set, empty when it went back to the configuration.

    ``time``: UTC as text, ``by``: id of the person, ``note``: why.
    """

    number: int
    time: str
    by: str
    note: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wish:
    """What an admin wants saved. ``options``: of the house, changed ones by dotted name (tables
    whole); empty with ``title`` None: the house as it is."""

    house: str
    options: Mapping[str, object]
    title: str | None
    mode: str
    table: Mapping[str, Any]
    note: str = ""


class SavedSettings:
    """The saved versions of one data folder. Methods may be called from any thread."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER
        self._lock = threading.Lock()

    def versions(self) -> list[Version]:
        """All versions, newest first. UserError names a file that does not hold."""
        return [self.version(number) for number in sorted(self._numbers(), reverse=True)]

    def houses(self) -> Iterator[HouseFile]:
        """All houses that were saved; files that do not hold are left out."""
        for path in sorted((self.folder / HOUSES).glob("*.toml")):
            with suppress(UserError):
                yield load_house_file(path)

    def newest(self) -> Version | None:
        """The version in force, None when nothing was saved yet."""
        numbers = self._numbers()
        return self.version(max(numbers)) if numbers else None

    def version(self, number: int) -> Version:
        """One version. UserError when there is none or its file does not hold."""
        path = self._path(number)
        try:
            data = tomllib.loads(path.read_text("utf-8"), parse_float=Decimal)
        except FileNotFoundError:
            raise UserError(f"no version {number} of the settings was saved") from None
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
            raise UserError(f"{path}: cannot be read: {problem}") from None
        about = data.pop("saved", {})
        if set(data) - set(FIELDS) or not isinstance(about, dict):
            raise UserError(f"{path}: expected only saved, {', '.join(FIELDS)}")
        house = data.get("house")
        if isinstance(house, str) and house.endswith(".toml") and "/" in house:
            data["house"] = str(self.folder / house)
        texts = [str(about.get(key, "")) for key in ("time", "by", "note")]
        return Version(number, texts[0], texts[1], texts[2], data)

    def save(self, wish: Wish, fits: Fits, *, time: str, by: str) -> Version:
        """Checks a wish exactly like a configuration file and a house file, and keeps it as the
        next version. UserError names what does not hold; nothing is kept then."""
        with self._lock:
            number = self._next()
            values: dict[str, Any] = {"house": wish.house, "mode": wish.mode}
            values["table"] = dict(wish.table)
            own = self._own_house(wish, number) if wish.options or wish.title is not None else None
            if own is not None:
                values["house"] = str(own)
            try:
                fits(values)
                return self._write(number, values, time, by, wish.note)
            except UserError:
                if own is not None:
                    own.unlink(missing_ok=True)
                raise

    def go_back(self, fits: Fits, *, time: str, by: str, note: str = "") -> Version:
        """A version that sets nothing: the configuration file counts again."""
        with self._lock:
            fits({})
            return self._write(self._next(), {}, time, by, note)

    def repeat(self, old: int, fits: Fits, *, time: str, by: str, note: str = "") -> Version:
        """An old version once more, as the newest one. UserError when it no longer holds."""
        with self._lock:
            values = dict(self.version(old).values)
            fits(values)
            note = f"= v{old}: {note}" if note else f"= v{old}"
            return self._write(self._next(), values, time, by, note)

    def _next(self) -> int:
        return max(self._numbers(), default=0) + 1

    def _own_house(self, wish: Wish, number: int) -> Path:
        """Writes the house file of a version."""
        base = load_house_file(wish.house)
        stem = re.sub(r"-v\d+$", "", base.house.name.lower())
        name = f"{stem if _BASE.fullmatch(stem) else 'house'}-v{number}"
        title = wish.title if wish.title is not None else base.house.title
        text = changed_house(base, wish.options, title, name)
        path = self.folder / HOUSES / f"{name}.toml"
        self._keep(path, text)
        return path

    def _write(
        self, number: int, values: Mapping[str, Any], time: str, by: str, note: str
    ) -> Version:
        kept = dict(values)
        house = Path(str(kept.get("house", "")))
        if house.parent == self.folder / HOUSES:
            # The data folder may be moved as a whole.
            kept["house"] = f"{HOUSES}/{house.name}"
        about = {"version": number, "time": time, "by": by, "note": note}
        self._keep(self._path(number), tomli_w.dumps({"saved": about, **_plain(kept)}))
        return self.version(number)

    def _keep(self, path: Path, text: str) -> None:
        try:
            make_folder(path.parent)
            write_durably(path, text.encode())
        except RecordError as problem:
            raise UserError(f"the settings cannot be saved: {problem.sentence}") from None
        except OSError as problem:
            why = problem.strerror or problem
            raise UserError(f"the settings cannot be saved: {path}: {why}") from None

    def _numbers(self) -> set[int]:
        try:
            names = [path.name for path in self.folder.iterdir()]
        except FileNotFoundError:
            return set()
        except OSError as problem:
            raise UserError(f"{self.folder}: cannot be read: {problem}") from None
        return {int(found[1]) for name in names if (found := _FILE.fullmatch(name))}

    def _path(self, number: int) -> Path:
        return self.folder / f"v{number:04d}.toml"


def _plain(values: Any) -> Any:
    """Without what TOML has no word for."""
    if isinstance(values, Mapping):
        return {key: _plain(item) for key, item in values.items()}
    if isinstance(values, list | tuple):
        return [_plain(item) for item in values]
    return "none" if values is None else values
