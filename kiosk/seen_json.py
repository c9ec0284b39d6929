"""The table as read now, as data for the page and the API (``GET /api/v1/table``)."""

from __future__ import annotations

from typing import Any

from kiosk.sightings import Doubt, TableView, ZoneView
from kiosk.vision.zones import Plane


def doubt_json(doubt: Doubt) -> dict[str, Any]:
    """A doubt with its candidates."""
    return {
        "key": doubt.key,
        "box": [round(value, 1) for value in doubt.box],
        "candidates": [[str(card), round(chance, 3)] for card, chance in doubt.candidates],
        "why": doubt.why,
    }


def _zone(view: ZoneView, plane: Plane | None) -> dict[str, Any]:
    outline = plane.outline(view.zone) if plane is not None else ()
    return {
        "zone": view.zone,
        "polygon": [[round(x, 1), round(y, 1)] for x, y in outline],
        "cards": [
            {
                "card": str(card.card),
                "confidence": round(card.confidence, 4),
                "boxes": [[round(value, 1) for value in box] for box in card.boxes],
            }
            for card in view.cards
        ],
        "doubts": [doubt_json(doubt) for doubt in view.doubts],
        "bodies": view.bodies,
        "occluded": view.occluded,
        "empty": view.empty,
    }


def table_json(
    view: TableView | None,
    plane: Plane | None,
    age_ms: float | None,
    trouble: str | None,
    stage: str,
) -> dict[str, Any]:
    """The whole table; ``age_ms``: of the newest frame, None when there was none."""
    return {
        "t_ms_age": None if age_ms is None else round(age_ms),
        "trouble": trouble,
        "width": None if plane is None else plane.width,
        "height": None if plane is None else plane.height,
        "conflicts": [str(card) for card in view.conflicts] if view else [],
        "zones": [_zone(zone, plane) for zone in view.zones] if view else [],
        "stray": [doubt_json(doubt) for doubt in view.stray] if view else [],
        "stage": stage,
    }
