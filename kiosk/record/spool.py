"""Entries that the record could not take yet, as files, so that a restart does not lose them."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kiosk.record.canonical import canonical, parse
from kiosk.record.clock import Moment, parse_time
from kiosk.record.draft import Draft
from kiosk.record.paths import make_folder, write_durably
from kiosk.record.pictures import Picture

FORMAT = "dealer-kiosk spool/1"
_NAME = re.compile(r"(\d{12})\.json")


class Spool:
    """A folder with one file for each waiting entry, in the order of their numbers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._next = max((number for number, _path in self._files()), default=0) + 1

    def put(self, draft: Draft) -> Path:
        """Keeps the draft durably. Raises RecordError or OSError when it cannot."""
        path = self.folder / f"{self._next:012d}.json"
        make_folder(self.folder)
        write_durably(path, _to_text(draft).encode())
        self._next += 1
        return path

    def left(self) -> list[Path]:
        """What waits, oldest first."""
        return [path for _number, path in sorted(self._files())]

    def set_aside(self, path: Path) -> None:
        """Moves a file out of the way that can never be stored. Raises OSError."""
        aside = self.folder / "refused"
        aside.mkdir(exist_ok=True)
        path.replace(aside / path.name)

    def _files(self) -> Iterator[tuple[int, Path]]:
        try:
            found = list(self.folder.iterdir())
        except OSError:
            return
        for path in found:
            match = _NAME.fullmatch(path.name)
            if match:
                yield int(match[1]), path


def load(path: Path, *, this_run: bool) -> Draft:
    """The draft in a file. Raises OSError, or ValueError when the file is damaged."""
    outer: Any = parse(path.read_text("utf-8"))
    try:
        body = outer["draft"]
        if outer["format"] != FORMAT or outer["sha256"] != _digest(body):
            raise ValueError(f"{path} is damaged")
        return _from_data(parse(body), this_run)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{path} is damaged") from error


def _to_text(draft: Draft) -> str:
    moment = draft.moment
    body = canonical(
        {
            "kind": draft.kind,
            "round_id": draft.round_id,
            "payload": draft.payload,
            "token": draft.token,
            "time": moment.text,
            "offset_minutes": moment.offset_minutes,
            "synchronised": moment.synchronised,
            "monotonic_us": moment.monotonic_us,
            "pictures": [
                {"role": picture.role, "jpeg": base64.b64encode(picture.jpeg).decode()}
                for picture in draft.pictures
            ],
        }
    )
    return canonical({"format": FORMAT, "sha256": _digest(body), "draft": body})


def _from_data(data: dict[str, Any], this_run: bool) -> Draft:
    moment = Moment(
        parse_time(data["time"]),
        data["offset_minutes"],
        data["synchronised"],
        data["monotonic_us"],
    )
    pictures = tuple(
        Picture(picture["role"], base64.b64decode(picture["jpeg"])) for picture in data["pictures"]
    )
    return Draft(
        data["kind"],
        data["round_id"],
        data["payload"],
        moment,
        pictures,
        token=data["token"],
        this_run=this_run,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
