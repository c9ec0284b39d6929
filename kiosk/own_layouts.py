"""Layouts that people made: kept in the data folder with all their versions, and which is in use.

``DATA/layouts/NAME.toml`` is the layout, ``NAME.npz`` the bare felt it was set up on (to notice a
bumped camera), ``old/NAME-0003.toml`` an earlier version. ``DATA/set-up.toml`` names the layout
and the camera that were chosen on the set-up page; the configuration and the command line go
before it.
"""

from __future__ import annotations

import re
import threading
import tomllib
from dataclasses import dataclass
from pathlib import Path

import tomli_w

from calibration.layout import Layout, list_layouts, load_layout, parse_layout
from kiosk.config import Settings
from kiosk.errors import UserError
from kiosk.record.errors import RecordError
from kiosk.record.paths import make_folder, write_durably

FOLDER = "layouts"
CHOICE = "set-up.toml"
_OLD = re.compile(r"-(\d{4,9})\.toml$")
_KEYS = ("layout", "source")


@dataclass(frozen=True, slots=True)
class Choice:
    """What was chosen at set-up; None: nothing."""

    layout: str | None = None
    source: str | None = None


class OwnLayouts:
    """The layouts of one data folder. Methods may be called from any thread."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.folder = data / FOLDER
        self._lock = threading.Lock()

    def names(self) -> list[str]:
        """All layouts there are, shipped ones included."""
        return list_layouts([self.folder])

    def is_own(self, name: str) -> bool:
        """Whether it lies in the data folder."""
        return (self.folder / f"{name}.toml").is_file()

    def load(self, name: str) -> Layout:
        """A layout by name, own ones first. UserError: there is none, or it does not hold."""
        if "/" in name or name.endswith(".toml"):
            raise UserError(f"layout {name[:40]!r}: expected a name such as my-table")
        return load_layout(name, [self.folder])

    def save(self, layout: Layout, reference: bytes | None) -> int:
        """Keeps a layout and the picture of its felt; the one before stays as an old version.

        How many versions there are now. UserError when it cannot be written.
        """
        checked = parse_layout(layout.model_dump(mode="json", exclude_none=True), layout.name)
        path = self.folder / f"{layout.name}.toml"
        with self._lock:
            try:
                make_folder(self.folder / "old")
                number = self._versions(layout.name)
                if path.is_file():
                    old = self.folder / "old" / f"{layout.name}-{number + 1:04d}.toml"
                    write_durably(old, path.read_bytes())
                    number += 1
                picture = path.with_suffix(".npz")
                if reference is not None:
                    write_durably(picture, reference)
                else:
                    picture.unlink(missing_ok=True)
                write_durably(path, checked.to_toml().encode())
            except (OSError, RecordError) as problem:
                raise UserError(f"{path}: cannot be written: {problem}") from None
        return number + 1

    def reference(self, name: str) -> bytes | None:
        """The picture of the bare felt kept with an own layout."""
        try:
            return (self.folder / f"{name}.npz").read_bytes()
        except OSError:
            return None

    def _versions(self, name: str) -> int:
        numbers = [0]
        for path in (self.folder / "old").glob(f"{name}-*.toml"):
            found = _OLD.search(path.name)
            if found and path.name == f"{name}-{found[1]}.toml":
                numbers.append(int(found[1]))
        return max(numbers)

    def choice(self) -> Choice:
        """What was chosen at set-up. UserError names a file that does not hold."""
        path = self.data / CHOICE
        try:
            values = tomllib.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return Choice()
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
            raise UserError(f"{path}: cannot be read: {problem}") from None
        for key, value in values.items():
            if key not in _KEYS or not isinstance(value, str):
                raise UserError(f"{path}: {key}: expected layout and source, both texts")
        return Choice(values.get("layout"), values.get("source"))

    def chosen_for(self, settings: Settings) -> Settings:
        """The settings with what was chosen at set-up, where they leave it open.

        A layout goes only with the camera it was set up for.
        """
        choice = self.choice()
        given = "source" in settings.model_fields_set
        source = settings.source if given else choice.source or settings.source
        layout = settings.layout
        if layout is None and choice.source == source:
            layout = choice.layout
        return settings.model_copy(update={"source": source, "layout": layout})

    def choose(self, choice: Choice) -> None:
        """Keeps what was chosen for the next start. UserError when it cannot be written."""
        path = self.data / CHOICE
        kept = {"layout": choice.layout, "source": choice.source}
        text = tomli_w.dumps({key: value for key, value in kept.items() if value is not None})
        try:
            make_folder(self.data)
            write_durably(path, text.encode())
        except (OSError, RecordError) as problem:
            raise UserError(f"{path}: cannot be written: {problem}") from None
