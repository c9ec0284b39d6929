"""What the set-up's routes take and give."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from calibration.lens import Lens
from kiosk.errors import ActionError
from kiosk.web.shapes import Answer, Body, Query


def _number(value: Any) -> Any:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return float(value)
    return value


Number = Annotated[float, BeforeValidator(_number)]
Centimetres = Annotated[
    float,
    BeforeValidator(_number),
    Field(ge=10, le=500),
    WithJsonSchema({"type": "number", "minimum": 10, "maximum": 500}),
]
LensNumbers = Annotated[list[Number], Field(min_length=9, max_length=9)]
"""fx, fy, cx, cy, k1, k2, p1, p2, k3 for the size of the picture."""


def _plain(value: Any) -> Any:
    """Layout data with plain numbers, as a TOML file gives them."""
    if isinstance(value, dict):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return float(value) if isinstance(value, Decimal) else value


LayoutData = Annotated[dict[str, Any], AfterValidator(_plain)]


class CameraWish(Body):
    """Which camera to look through."""

    source: Annotated[str, Field(min_length=1, max_length=300)]


class MarkersWish(Body):
    """Size of the felt's rectangle, length of the printed 10 cm ruler, a lens measured before."""

    width: Centimetres
    height: Centimetres
    ruler: Annotated[
        float,
        BeforeValidator(_number),
        Field(ge=8, le=12),
        WithJsonSchema({"type": "number", "minimum": 8, "maximum": 12}),
    ] = 10.0
    lens: LensNumbers | None = None


class LensWish(Body):
    """``take`` one picture of the board, ``fit`` the lens, or ``clear`` the series."""

    do: Literal["take", "fit", "clear"]


class LayoutWish(Body):
    """A layout as its file holds it."""

    layout: LayoutData


class NameWish(Body):
    """The name of a layout."""

    name: Annotated[str, Field(pattern="^[a-z0-9][a-z0-9-]{0,39}$")]


class Nothing(Body):
    """An empty object."""


class SheetQuery(Query):
    """Paper and language of the printed sheets."""

    paper: Literal["a4", "a3", "letter"] = "a4"
    lang: Literal["en", "ru"] | None = None


class FeltQuery(Query):
    """Where the felt lies: eight numbers x,y,… of its corners in pixels, width and height in
    centimetres, and nine numbers of the lens, all parted by commas."""

    corners: Annotated[str, Field(max_length=400)]
    size: Annotated[str, Field(max_length=60)]
    lens: Annotated[str, Field(max_length=400)] = ""


def numbers(text: str, count: int, where: str) -> list[float]:
    """So many numbers parted by commas. ActionError otherwise."""
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) != count or not all(abs(value) < 1e6 for value in found):
        raise ActionError("bad-input", f"{where}: expected {count} numbers parted by commas", 400)
    return found


def lens_of(values: list[float] | None) -> Lens | None:
    """The lens of nine numbers. ActionError for one that cannot be."""
    if values is None:
        return None
    if min(values[:2]) < 1 or max(abs(value) for value in values) > 1e6:
        raise ActionError("bad-input", "lens: its focal lengths must be some pixels", 400)
    return Lens(*values)


class CamerasShown(Answer):
    """Cameras that can be chosen, and the chosen one."""

    cameras: list[dict[str, Any]]
    chosen: str


class ChecksShown(Answer):
    """Size of the picture, its checks, and what the camera does otherwise than asked."""

    width: int
    height: int
    checks: list[dict[str, Any]]
    mismatches: list[str]


class MarkersShown(Answer):
    """Pieces seen (1 … 4); where all are seen, the felt's corners in pixels and the lens."""

    seen: list[int]
    board: bool
    corners: list[list[float]] | None
    lens: list[float] | None
    good: bool
    error_mm: float | None
    measured: list[float] | None


class LensShown(Answer):
    """The series so far; after ``fit`` the lens."""

    pictures: int
    needed: int
    why: str | None
    lens: list[float] | None
    error_px: float | None
    covered: float | None


class LayoutsShown(Answer):
    """All layouts, and the one in use."""

    layouts: list[dict[str, Any]]
    current: str


class LayoutShown(Answer):
    """A layout as its file holds it."""

    layout: dict[str, Any]


class SizesShown(Answer):
    """How high an index appears in each zone, in pixels, and whether that is enough."""

    zones: list[dict[str, Any]]
    min_px: float
    good_px: float


class SavedShown(SizesShown):
    """The name kept and how many versions there are of it. ``watched``: whether the felt has
    enough marks to notice a bumped camera by; null: markers still lie on it."""

    name: str
    version: int
    watched: bool | None


class UseShown(Answer):
    """``now``, ``clear`` (at the next clear felt) or ``restart``."""

    when: str


class NothingShown(Answer):
    """Done."""
