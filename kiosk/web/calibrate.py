"""Setting a table up: the page and the routes behind it."""

from __future__ import annotations

import logging
from typing import Any

from flask import Blueprint, Response, g, render_template
from werkzeug.wrappers import Response as BaseResponse

from calibration.lens import Lens
from calibration.picture import Check
from calibration.report import GOOD_INDEX_PX, MIN_INDEX_PX
from calibration.sheet import sheet_pdf
from kiosk.errors import UserError
from kiosk.setup_desk import SetupDesk
from kiosk.vision.annotate import encode_jpeg
from kiosk.web import calibrate_shapes as shapes
from kiosk.web.context import kiosk, settings
from kiosk.web.described import described
from kiosk.web.seen import Json
from kiosk.web.texts import dictionary

log = logging.getLogger(__name__)

calibrate = Blueprint("calibrate", __name__)

API = "/api/v1/calibrate"


def desk() -> SetupDesk:
    """The set-up of the running kiosk."""
    found: SetupDesk = kiosk().calibrating
    return found


@calibrate.get("/calibrate")
def page() -> str:
    """Guides through the set-up; the indices of the layout in use come first (V10)."""
    start = {
        "version": settings().version,
        "language": g.language,
        "texts": dictionary(g.language),
        "now": kiosk().calibration(),
        "cameras": _cameras(),
        "layouts": _layouts(),
    }
    return render_template("calibrate.html", start=start)


@calibrate.get(f"{API}/cameras")
@described(answer=shapes.CamerasShown)
def cameras() -> Json:
    """The cameras that can be set up."""
    return _cameras()


@calibrate.post(f"{API}/camera")
@described(answer=shapes.CamerasShown)
def camera(body: shapes.CameraWish) -> Json:
    """Looks through another camera; the running kiosk keeps its own."""
    desk().camera.choose(body.source)
    return _cameras()


@calibrate.get(f"{API}/picture.jpg")
@described(media=("image/jpeg",))
def picture() -> BaseResponse:
    """The newest picture of the camera being set up, as it gives it."""
    return _jpeg(encode_jpeg(desk().camera.picture(), 85))


@calibrate.get(f"{API}/checks")
@described(answer=shapes.ChecksShown)
def checks() -> Json:
    """Whether the picture is good enough: exposure, light, focus, sharpness."""
    image, found = desk().checks()
    height, width = image.shape[:2]
    return {
        "width": width,
        "height": height,
        "checks": [_check(check) for check in found],
        "mismatches": list(desk().camera.state().mismatches),
    }


@calibrate.get(f"{API}/sheet.pdf")
@described(media=("application/pdf",))
def sheet(query: shapes.SheetQuery) -> BaseResponse:
    """The marker sheets to print, in true size."""
    response = Response(
        sheet_pdf(query.paper, query.lang or g.language), mimetype="application/pdf"
    )
    response.headers["Content-Disposition"] = f'inline; filename="markers-{query.paper}.pdf"'
    return response


@calibrate.post(f"{API}/markers")
@described(answer=shapes.MarkersShown)
def markers(body: shapes.MarkersWish) -> Json:
    """Finds the felt from the four corner pieces in the newest picture."""
    found = desk().markers()
    answer: Json = {
        "seen": [tag.corner + 1 for tag in found.tags],
        "board": found.board is not None,
        "corners": None,
        "lens": body.lens,
        "good": False,
        "error_mm": None,
        "measured": None,
    }
    if found.missing:
        return answer
    known = shapes.lens_of(body.lens)
    fit, measured = desk().fit(found, body.width, body.height, known, body.ruler / 10)
    return answer | {
        "corners": [[round(x, 3), round(y, 3)] for x, y in fit.corners],
        "lens": _numbers(fit.lens),
        "good": fit.good,
        "error_mm": round(fit.error_mm, 2),
        "measured": None
        if measured is None
        else [round(measured.width, 1), round(measured.height, 1)],
    }


@calibrate.post(f"{API}/lens")
@described(answer=shapes.LensShown)
def lens(body: shapes.LensWish) -> Json:
    """Takes pictures of the board and works out the lens."""
    answer: Json = {"lens": None, "error_px": None, "covered": None, "why": None}
    if body.do == "fit":
        fit = desk().fit_lens()
        return answer | {
            "pictures": fit.pictures,
            "needed": fit.pictures,
            "lens": _numbers(fit.data.lens),
            "error_px": round(fit.data.error, 2),
            "covered": round(fit.covered, 2),
        }
    series = desk().take_lens_picture() if body.do == "take" else desk().clear_series()
    return answer | {"pictures": series.pictures, "needed": series.needed, "why": series.why}


@calibrate.get(f"{API}/felt.jpg")
@described(media=("image/jpeg",))
def felt(query: shapes.FeltQuery) -> BaseResponse:
    """The felt seen straight from above."""
    flat = shapes.numbers(query.corners, 8, "corners")
    size = shapes.numbers(query.size, 2, "size")
    bent = shapes.lens_of(shapes.numbers(query.lens, 9, "lens") if query.lens else None)
    corners = [(flat[i], flat[i + 1]) for i in range(0, 8, 2)]
    return _jpeg(desk().felt(corners, (size[0], size[1]), bent))


@calibrate.get(f"{API}/layouts")
@described(answer=shapes.LayoutsShown)
def layouts() -> Json:
    """All layouts, shipped and own."""
    return _layouts()


@calibrate.get(f"{API}/layouts/<name>")
@described(answer=shapes.LayoutShown)
def layout(name: str) -> Json:
    """One layout."""
    return {"layout": desk().layouts.load(name).model_dump(mode="json", exclude_none=True)}


@calibrate.post(f"{API}/sizes")
@described(answer=shapes.SizesShown)
def sizes(body: shapes.LayoutWish) -> Json:
    """Checks a layout and tells how high an index appears in each zone; nothing is stored."""
    return _sizes(desk().sizes(body.layout)[1])


@calibrate.post(f"{API}/layouts")
@described(answer=shapes.SavedShown)
def save(body: shapes.LayoutWish) -> Json:
    """Keeps a layout under its name; an earlier version of it is kept too."""
    kept = desk().save(body.layout)
    found = {"name": kept.name, "version": kept.version, "watched": kept.watched}
    return found | _sizes(kept.sizes)


@calibrate.post(f"{API}/use")
@described(answer=shapes.UseShown)
def use(body: shapes.NameWish) -> Json:
    """Puts a layout in force: now, at the next clear felt, or (other camera) at the next start."""
    return {"when": desk().use(body.name)}


@calibrate.post(f"{API}/still-right")
@described(answer=shapes.NothingShown)
def still_right(body: shapes.Nothing) -> Json:
    """Says that the zones fit though camera or table were moved."""
    kiosk().still_right()
    return {}


def _cameras() -> Json:
    camera = desk().camera
    return {
        "cameras": [
            {"source": offer.source, "name": offer.name, "running": offer.running}
            for offer in camera.offers()
        ],
        "chosen": camera.chosen,
    }


def _layouts() -> Json:
    own = desk().layouts
    found = []
    for name in own.names():
        try:
            data = own.load(name)
        except UserError as problem:
            # One damaged file must not keep people from all others.
            log.warning("%s", problem)
            continue
        found.append(
            {"name": name, "title": data.title, "games": list(data.games), "own": own.is_own(name)}
        )
    return {"layouts": found, "current": str(kiosk().calibration()["layout"])}


def _sizes(zones: list[Json]) -> Json:
    return {"zones": zones, "min_px": MIN_INDEX_PX, "good_px": GOOD_INDEX_PX}


def _check(check: Check) -> Json:
    return {"name": check.name, "ok": check.ok, "value": check.value, "advice": check.advice}


def _numbers(bent: Lens | None) -> list[float] | None:
    if bent is None:
        return None
    values: list[Any] = [bent.fx, bent.fy, bent.cx, bent.cy]
    return values + [bent.k1, bent.k2, bent.p1, bent.p2, bent.k3]


def _jpeg(data: bytes) -> BaseResponse:
    response = Response(data, mimetype="image/jpeg")
    response.headers["Cache-Control"] = "no-store"
    return response
