"""``/healthz`` for a watchdog and ``/metrics`` for Prometheus."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from flask import Blueprint, Response

from kiosk.web import exact
from kiosk.web.context import kiosk, slots

health = Blueprint("health", __name__)

NEEDED = ("camera", "model", "storage")
"""Parts without which the kiosk does not work."""

_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")


@health.get("/healthz")
def healthz() -> Response:
    """200 while camera, model and storage work; otherwise 503, and the body says which does not."""
    found = kiosk().health()
    parts: Mapping[str, Any] = found.get("parts", {})
    failing = [name for name in NEEDED if not parts.get(name, {}).get("ok", False)]
    body = {"ok": not failing, "failing": failing, "parts": parts}
    return exact.answer(body, 503 if failing else 200)


@health.get("/metrics")
def metrics() -> Response:
    """All figures as Prometheus text."""
    figures = dict(kiosk().metrics())
    figures["kiosk_web_long_connections"] = (
        "Streams and event feeds open now",
        "gauge",
        slots().used,
    )
    lines = [line for name, figure in figures.items() for line in _lines(name, *figure)]
    return Response(
        "\n".join(lines) + "\n", content_type="text/plain; version=0.0.4; charset=utf-8"
    )


def _lines(name: str, about: str, kind: str, value: Any) -> list[str]:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no metric name")
    about = about.replace("\\", r"\\").replace("\n", " ")
    found = [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]
    if isinstance(value, Mapping):
        found += [f"{name}{{{labels}}} {_figure(inner)}" for labels, inner in value.items()]
    else:
        found.append(f"{name} {_figure(value)}")
    return found


def _figure(value: Any) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, (int, float, Decimal)):
        return str(value)
    return "NaN"
