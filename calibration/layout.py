"""Layouts of a felt as data: size, zones in centimetres, where its corners lie in the picture.

A layout file is TOML; ``calibration/layouts/*.toml`` ship with the program, a person's own ones lie
in a folder of theirs. Unknown keys, a later format, zones that overlap or leave the felt are
refused with the file and the field named.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from calibration import polygon as shapes
from calibration.homography import (
    BadCornersError,
    Matrix,
    Point,
    check_corners,
    from_corners,
    scaled,
)
from calibration.lens import Lens
from calibration.view import View, make_view
from kiosk.errors import UserError, user_path

FORMAT = 2
"""The newest layout format this program reads. 2 added the lens; 1 is written without one."""

DEFAULT_LAYOUT = "russian-4"

GAMES = ("russian", "oasis", "five_card", "six_card", "three_card", "texas", "split")
"""Games that a felt can be printed for."""

_NAME = re.compile(r"^[a-z0-9][a-z0-9-]{0,39}$")
_ZONE_ID = re.compile(r"^(dealer|dealer-small|board|muck|box[1-6](-small|-bonus)?)$")
_ZONE_IDS = "dealer, dealer-small, board, muck, box1 … box6, box1-small … or box1-bonus …"
_EDGE_SLACK = 0.01

Length = Annotated[float, Field(gt=0, le=1000)]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class FeltData(_Data):
    """The part of the felt that the camera sees, in centimetres."""

    width: Length
    height: Length


class CameraData(_Data):
    """The picture the corners were set in, and the felt's corners there, in pixels.

    Corners from the top left clockwise as seen in the picture (the dealer's side is on top).
    """

    width: int = Field(gt=0, le=16384)
    height: int = Field(gt=0, le=16384)
    corners: tuple[Point, Point, Point, Point]

    @model_validator(mode="after")
    def _convex(self) -> CameraData:
        try:
            check_corners(self.corners)
        except BadCornersError as error:
            raise ValueError(f"corners: {error}") from None
        return self


class LensData(_Data):
    """The camera's lens, measured on the picture size of the camera table.

    ``matrix``: focal lengths and middle in pixels (fx, fy, cx, cy). ``coefficients``: k1, k2, p1,
    p2, k3. ``error``: how far the measured points stay from the model, pixels.
    """

    matrix: tuple[float, float, float, float]
    coefficients: tuple[float, float, float, float, float]
    error: float = Field(0.0, ge=0)

    @property
    def lens(self) -> Lens:
        """The lens as the geometry uses it."""
        return Lens(*self.matrix, *self.coefficients)

    @model_validator(mode="after")
    def _positive(self) -> LensData:
        if min(self.matrix[:2]) <= 0:
            raise ValueError("matrix: focal lengths must be positive")
        return self


class CardData(_Data):
    """The deck in use: card size and height of the corner index (rank over suit), centimetres."""

    width: Length = 6.3
    height: Length = 8.8
    index_height: Length = 2.0

    @property
    def diagonal(self) -> float:
        """Longest distance within one card, centimetres."""
        return float((self.width**2 + self.height**2) ** 0.5)


class ZoneData(_Data):
    """One place for cards: an upright rectangle or a polygon, in felt centimetres."""

    id: str
    rect: tuple[float, float, float, float] | None = None
    polygon: tuple[Point, ...] | None = None

    @model_validator(mode="after")
    def _one_figure(self) -> ZoneData:
        if not _ZONE_ID.match(self.id):
            raise ValueError(f"id {self.id!r}: expected {_ZONE_IDS}")
        if (self.rect is None) == (self.polygon is None):
            raise ValueError(f"zone {self.id}: give either rect or polygon")
        if self.rect is not None:
            x1, y1, x2, y2 = self.rect
            if x1 >= x2 or y1 >= y2:
                raise ValueError(f"zone {self.id}: rect must be x1, y1, x2, y2 with x1<x2, y1<y2")
        elif self.polygon is not None and len(self.polygon) < 3:
            raise ValueError(f"zone {self.id}: a polygon has at least three corners")
        if shapes.area(self.corners) < 1.0:
            raise ValueError(f"zone {self.id}: smaller than a square centimetre")
        return self

    @property
    def corners(self) -> shapes.Polygon:
        """The figure's corners in order."""
        if self.rect is not None:
            return shapes.rectangle(*self.rect)
        return self.polygon or ()


class Layout(_Data):
    """A whole layout, checked. ``games``: what the felt is printed for; none: a plain felt, on
    which any game can be played."""

    format: Literal[1, 2]
    name: str
    title: str = ""
    games: tuple[str, ...] = ()
    felt: FeltData
    camera: CameraData
    lens: LensData | None = None
    card: CardData = CardData()
    zones: tuple[ZoneData, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _fits(self) -> Layout:
        if not _NAME.match(self.name):
            raise ValueError(f"name {self.name!r}: expected small letters, digits and dashes")
        for game in self.games:
            if game not in GAMES:
                raise ValueError(f"games: {game!r} is none of {', '.join(GAMES)}")
        if self.lens is not None:
            self._check_lens(self.lens)
        ids = [zone.id for zone in self.zones]
        for zone in self.zones:
            if ids.count(zone.id) > 1:
                raise ValueError(f"zone {zone.id} is there twice")
            for x, y in zone.corners:
                if not (
                    -_EDGE_SLACK <= x <= self.felt.width + _EDGE_SLACK
                    and -_EDGE_SLACK <= y <= self.felt.height + _EDGE_SLACK
                ):
                    raise ValueError(f"zone {zone.id} leaves the felt at ({x:g}, {y:g})")
        for i, zone in enumerate(self.zones):
            for other in self.zones[:i]:
                if shapes.overlap(zone.corners, other.corners):
                    raise ValueError(f"zones {other.id} and {zone.id} overlap")
        return self

    def _check_lens(self, lens: LensData) -> None:
        if self.format < 2:
            raise ValueError("lens: needs format = 2")
        if not lens.lens.fits(self.camera.width, self.camera.height):
            raise ValueError("lens: its coefficients do not hold up to the picture's edge")
        try:
            check_corners([lens.lens.undistort(corner) for corner in self.camera.corners])
        except BadCornersError as error:
            raise ValueError(f"lens: {error}") from None

    @property
    def zone_ids(self) -> tuple[str, ...]:
        """Zone ids in the order of the file."""
        return tuple(zone.id for zone in self.zones)

    def homography(self, width: int | None = None, height: int | None = None) -> Matrix:
        """Felt centimetres → pixels of the straight picture of that size (default: the layout's).

        Without a lens the straight picture is the camera's; with one, ``view`` leads to it.
        """
        w, h = self.felt.width, self.felt.height
        corners = self.camera.corners
        if self.lens is not None:
            corners = tuple(map(self.lens.lens.undistort, corners))  # type: ignore[assignment]
        matrix = from_corners(shapes.rectangle(0.0, 0.0, w, h), corners)
        if width is None or height is None:
            return matrix
        return scaled(matrix, width / self.camera.width, height / self.camera.height)

    def view(self, width: int | None = None, height: int | None = None) -> View:
        """Felt centimetres ↔ pixels of the camera's picture of that size (default: its own)."""
        lens = self.lens.lens if self.lens is not None else None
        if lens is not None and width is not None and height is not None:
            lens = lens.scaled(width / self.camera.width, height / self.camera.height)
        return make_view(self.homography(width, height), lens)

    def with_camera(
        self, corners: Sequence[Point], width: int, height: int, lens: LensData | None = None
    ) -> Layout:
        """The same felt seen otherwise. Raises UserError for corners that do not fit."""
        data = self.model_dump(mode="json", exclude_none=True)
        data["camera"] = {"width": width, "height": height, "corners": [list(c) for c in corners]}
        data.pop("lens", None)
        data["format"] = 1
        if lens is not None:
            data |= {"lens": lens.model_dump(mode="json"), "format": 2}
        return parse_layout(data, "the new corners")

    def to_toml(self) -> str:
        """The layout as a file's text; reads back as the same layout."""
        lines = [
            f"format = {self.format}",
            f"name = {_quoted(self.name)}",
            f"title = {_quoted(self.title)}",
            f"games = [{', '.join(_quoted(game) for game in self.games)}]",
        ]
        tables: list[tuple[str, _Data]] = [
            ("[felt]", self.felt),
            ("[camera]", self.camera),
            *((("[lens]", self.lens),) if self.lens is not None else ()),
            ("[card]", self.card),
            *(("[[zones]]", zone) for zone in self.zones),
        ]
        for head, data in tables:
            lines += ["", head]
            lines += [
                f"{key} = {_quoted(value) if isinstance(value, str) else value}"
                for key, value in data.model_dump(mode="json", exclude_none=True).items()
            ]
        return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = "".join(
        f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else "\\" + c if c in '"\\' else c
        for c in text
    )
    return f'"{escaped}"'


def parse_layout(data: object, where: str) -> Layout:
    """A checked layout from parsed TOML. Raises UserError that names ``where`` and the field."""
    if not isinstance(data, dict):
        raise UserError(f"{where}: expected a table of keys")
    version = data.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise UserError(
            f"{where}: layout format {version} is newer than this program reads ({FORMAT}): "
            "update the program"
        )
    try:
        return Layout.model_validate(data)
    except ValidationError as error:
        raise UserError(f"{where}: {_first_problem(error)}") from None


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        return f"unknown key {place}"
    text = problem["msg"].removeprefix("Value error, ")
    return f"{place}: {text}" if place else text


def load_layout(name_or_path: str, folders: Iterable[Path] = ()) -> Layout:
    """A layout by file path or by name: first in ``folders``, then among those that ship.

    Raises UserError when there is none or when it is wrong.
    """
    if name_or_path.endswith(".toml") or "/" in name_or_path:
        return _read(user_path(name_or_path))
    for folder in folders:
        path = folder / f"{name_or_path}.toml"
        if path.is_file():
            return _read(path)
    shipped = resources.files("calibration") / "layouts" / f"{name_or_path}.toml"
    if not _NAME.match(name_or_path) or not shipped.is_file():
        known = ", ".join(list_layouts(folders))
        raise UserError(f"layout {name_or_path!r}: not known; there are: {known}")
    return _parse_text(shipped.read_text(encoding="utf-8"), f"layout {name_or_path}")


def list_layouts(folders: Iterable[Path] = ()) -> list[str]:
    """Names of the layouts that ship and of those in ``folders``, sorted."""
    shipped = resources.files("calibration") / "layouts"
    names = {item.name.removesuffix(".toml") for item in shipped.iterdir()}
    for folder in folders:
        names |= {path.stem for path in folder.glob("*.toml")}
    return sorted(name for name in names if _NAME.match(name))


def _read(path: Path) -> Layout:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"layout {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UserError(f"layout {path}: not a text file") from None
    return _parse_text(text, f"layout {path}")


def _parse_text(text: str, where: str) -> Layout:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{where}: not TOML: {error}") from None
    return parse_layout(data, where)
