"""``--source``: one grammar, parsed to one typed value. Pure but for looking whether a path is
there and what its first bytes say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kiosk.errors import UserError, user_path
from kiosk.vision.images import PHOTO_SUFFIXES, kind_of


class Kind(StrEnum):
    """What sort of source it is."""

    SAMPLE = "sample"
    CAMERA = "camera"
    STREAM = "stream"
    VIDEO = "video"
    PHOTO = "photo"
    FOLDER = "folder"
    TWIN = "twin"
    SIM = "sim"


@dataclass(frozen=True, slots=True)
class Source:
    """A parsed source.

    ``target``: camera number or device path, stream address, file path, or what to simulate.
    """

    kind: Kind
    target: str

    @property
    def live(self) -> bool:
        """Whether it is a camera, whose pictures never repeat exactly."""
        return self.kind in (Kind.CAMERA, Kind.STREAM, Kind.TWIN, Kind.SIM)

    @property
    def shown(self) -> str:
        """For messages: without the password that a stream's address may hold."""
        if self.kind == Kind.CAMERA:
            return f"camera:{self.target}"
        if self.kind == Kind.SIM:
            return f"sim:{self.target}"
        if self.kind == Kind.SAMPLE:
            return "sample"
        return re.sub(r"//[^/@]*@", "//", self.target)


GRAMMAR = (
    "sample, camera:0, camera:/dev/v4l/by-id/…, rtsp://…, a video file, a photograph or a folder "
    "of photographs, or sim:SEED for a simulated table"
)
"""What people are told they may write."""


def sample_path() -> Path:
    """The bundled recording. Raises UserError when the installation lacks it."""
    from kiosk.sample import recording_path

    path = recording_path()
    if not path.is_file():
        raise UserError(f"{path}: the bundled recording is missing: install the program again")
    return path


def parse_source(text: str) -> Source:
    """The source that ``text`` names. Raises UserError with what was expected."""
    text = text.strip()
    if text == "sample":
        return Source(Kind.SAMPLE, str(sample_path()))
    if text.startswith("camera:"):
        return _camera(text.removeprefix("camera:"))
    if text.startswith("twin:"):
        return Source(Kind.TWIN, text.removeprefix("twin:"))
    if text.startswith("sim:"):
        from kiosk.vision.sources.simulated import check_description

        check_description(text.removeprefix("sim:"))
        return Source(Kind.SIM, text.removeprefix("sim:"))
    if re.match(r"^rtsps?://[^/]", text):
        return Source(Kind.STREAM, text)
    if re.match(r"^[a-z]+://", text):
        raise UserError(f"source {text!r}: only rtsp:// addresses are read; expected {GRAMMAR}")
    path = user_path(text)
    if not text or not _is_there(path):
        raise UserError(f"source {text!r}: no such file or folder; expected {GRAMMAR}")
    if path.is_dir():
        if not photos_in(path):
            raise UserError(f"source {text}: the folder holds no photographs")
        return Source(Kind.FOLDER, str(path))
    return Source(Kind.PHOTO if is_photo(path) else Kind.VIDEO, str(path))


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # A name that no file system takes, say one too long.
        return False


def _camera(target: str) -> Source:
    if re.fullmatch(r"\d{1,3}", target) or target.startswith("/dev/"):
        return Source(Kind.CAMERA, target)
    raise UserError(
        f"source 'camera:{target}': expected a number such as camera:0 or a path such as "
        "camera:/dev/v4l/by-id/…"
    )


def is_photo(path: Path) -> bool:
    """Whether the file is a photograph by its first bytes, or by its name when it is empty.

    Raises UserError when it cannot be opened.
    """
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    return kind_of(head) is not None or path.suffix.lower() in PHOTO_SUFFIXES


def photos_in(folder: Path) -> list[Path]:
    """The photographs directly in a folder, by name."""
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in PHOTO_SUFFIXES and path.is_file()
    )
