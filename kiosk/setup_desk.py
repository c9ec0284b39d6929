"""Setting a table up while the kiosk runs: look, measure, draw zones, save, use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.fit import Fit, fit_felt, measure_felt
from calibration.homography import BadCornersError, Point
from calibration.layout import Layout, LensData, parse_layout
from calibration.lens import Lens
from calibration.lens_fit import FEWEST, LensFit, fit_lens, useful
from calibration.markers import Found, find_markers
from calibration.picture import Check, check_picture
from calibration.report import zone_sizes
from calibration.view import View
from kiosk.errors import UserError
from kiosk.own_layouts import Choice, OwnLayouts
from kiosk.setup_camera import SetupCamera
from kiosk.vision.annotate import encode_jpeg
from kiosk.vision.drift import DriftSettings, Reference, take_reference
from kiosk.vision.images import Image
from kiosk.vision.zones import plane_of

FELT_PX = 1400
"""Longest side of the straightened picture of the felt, pixels."""

_MOST_LENS_PICTURES = 40


@dataclass(frozen=True, slots=True)
class Series:
    """The pictures of the board taken so far. ``why``: why the newest one does not count."""

    pictures: int
    needed: int
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """A layout that was kept. ``watched``: whether its felt has enough marks to notice a bumped
    camera by; None: the markers still lay on it, so that is not known yet."""

    name: str
    version: int
    sizes: list[dict[str, Any]]
    watched: bool | None


class SetupDesk:
    """Thread-safe. ``use`` puts a layout in force: it says ``now``, ``clear`` or raises."""

    def __init__(
        self, camera: SetupCamera, layouts: OwnLayouts, use: Callable[[Layout, bytes | None], str]
    ) -> None:
        self.camera, self.layouts = camera, layouts
        self._use = use
        self._series: list[Found] = []
        self._lock = threading.Lock()

    def checks(self) -> tuple[Image, tuple[Check, ...]]:
        """The newest picture and whether it is good enough."""
        image = self.camera.picture()
        return image, check_picture(image)

    def markers(self) -> Found:
        """The markers in the newest picture."""
        return find_markers(self.camera.picture())

    def fit(
        self, found: Found, width: float, height: float, lens: Lens | None, ruler: float
    ) -> tuple[Fit, Fit | None]:
        """The felt's place; where the pieces do not agree, also the size they seem to have."""
        fit = fit_felt(found, width, height, lens, ruler)
        return fit, None if fit.good else measure_felt(found, lens, ruler)

    def take_lens_picture(self) -> Series:
        """Adds the newest picture to the series of the board, if it says something new."""
        found = find_markers(self.camera.picture())
        with self._lock:
            if self._series and (found.width, found.height) != (
                self._series[0].width,
                self._series[0].height,
            ):
                self._series = []
            why = useful(found, self._series)
            if why is None and len(self._series) < _MOST_LENS_PICTURES:
                self._series.append(found)
            return Series(len(self._series), FEWEST, why)

    def fit_lens(self) -> LensFit:
        """The lens that the series shows. UserError when it does not do."""
        with self._lock:
            return fit_lens(list(self._series))

    def clear_series(self) -> Series:
        """Starts the series anew."""
        with self._lock:
            self._series = []
        return Series(0, FEWEST)

    def felt(self, corners: Sequence[Point], size: tuple[float, float], lens: Lens | None) -> bytes:
        """JPEG of the felt seen straight from above. UserError for corners that cannot be."""
        image = self.camera.picture()
        layout = _bare_layout(image, corners, size, lens)
        try:
            return encode_jpeg(straightened(image, layout.view(), size), 85)
        except (BadCornersError, ArithmeticError):
            raise UserError("the felt: these corners make no plane") from None

    def sizes(self, data: dict[str, Any]) -> tuple[Layout, list[dict[str, Any]]]:
        """The layout, checked, and how large an index appears in each zone (V10)."""
        layout = parse_layout(data, "the layout")
        try:
            found = zone_sizes(layout)
        except (BadCornersError, ArithmeticError):
            raise UserError("the layout: camera.corners make no plane") from None
        sizes = [
            {"zone": s.zone, "index_px": round(s.index_px, 1), "verdict": s.verdict} for s in found
        ]
        return layout, sizes

    def save(self, data: dict[str, Any]) -> Saved:
        """Keeps a layout with a picture of its felt. UserError: nothing is changed."""
        layout, sizes = self.sizes(data)
        if layout.name in self.layouts.names() and not self.layouts.is_own(layout.name):
            raise UserError(f"name {layout.name!r}: a layout of that name ships; choose another")
        felt = self._reference(layout)
        watched = None if felt is None else len(felt.marks) >= DriftSettings().fewest
        version = self.layouts.save(layout, None if felt is None else felt.to_bytes())
        return Saved(layout.name, version, sizes, watched)

    def _reference(self, layout: Layout) -> Reference | None:
        """The bare felt; None while markers still lie on it (then it is taken later, by itself)."""
        image = self.camera.picture()
        found = find_markers(image)
        if found.tags or found.board is not None:
            return None
        plane = plane_of(layout, image.shape[1], image.shape[0])
        return take_reference(image, plane)

    def use(self, name: str) -> str:
        """Puts a layout in force. ``now``, ``clear`` (at the next clear felt) or ``restart`` (the
        camera is another one than the running kiosk's). UserError when it does not fit the game.
        """
        layout = self.layouts.load(name)
        other = self.camera.chosen != self.camera.running
        when = "restart" if other else self._use(layout, self.layouts.reference(name))
        self.layouts.choose(Choice(name, self.camera.chosen))
        return when

    def close(self) -> None:
        """Lets go of a camera opened for set-up."""
        self.camera.close()


def _bare_layout(
    image: Image, corners: Sequence[Point], size: tuple[float, float], lens: Lens | None
) -> Layout:
    height, width = image.shape[:2]
    data: dict[str, Any] = {
        "format": 1 if lens is None else 2,
        "name": "felt",
        "felt": {"width": size[0], "height": size[1]},
        "camera": {"width": width, "height": height, "corners": [list(c) for c in corners]},
        "zones": [{"id": "dealer", "rect": [0, 0, size[0], size[1]]}],
    }
    if lens is not None:
        data["lens"] = {
            "matrix": [lens.fx, lens.fy, lens.cx, lens.cy],
            "coefficients": [lens.k1, lens.k2, lens.p1, lens.p2, lens.k3],
        }
    return parse_layout(data, "the felt")


def lens_data(lens: Lens, error: float = 0.0) -> LensData:
    """The lens as a layout keeps it."""
    matrix = (lens.fx, lens.fy, lens.cx, lens.cy)
    return LensData(
        matrix=matrix, coefficients=(lens.k1, lens.k2, lens.p1, lens.p2, lens.k3), error=error
    )


def straightened(image: Image, view: View, size: tuple[float, float]) -> Image:
    """The felt seen straight from above, FELT_PX at its longest side."""
    per_cm = FELT_PX / max(size)
    width, height = max(1, round(size[0] * per_cm)), max(1, round(size[1] * per_cm))
    # The way to the picture is smooth: every 16th point is worked out, the rest lies between.
    step = 16
    xs, ys = (np.arange(0, side + step, step) for side in (width, height))
    nodes = np.array(
        [[view.to_picture((x / per_cm, y / per_cm)) for x in xs.tolist()] for y in ys.tolist()],
        np.float32,
    )
    spread = np.array([[1 / step, 0, 0], [0, 1 / step, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    maps = cv2.warpAffine(nodes, spread, (width, height), flags=flags)
    out = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
    return out.astype(np.uint8, copy=False)
