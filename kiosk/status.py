"""How the running kiosk is: health of its parts, figures, rules and versions in force."""

from __future__ import annotations

import time
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import psutil

from calibration.report import MIN_INDEX_PX, advice, zone_sizes
from kiosk import __version__, panel_desk
from kiosk.faults import WATCHED
from kiosk.rules.money import figures
from kiosk.vision.sources.watch import Health

if TYPE_CHECKING:
    from kiosk.app import Kiosk

Metric = tuple[str, str, Any]


def _plain(value: Any) -> Any:
    """A rule's value as data that a page can show."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | str | Decimal):
        return value
    text = getattr(value, "text", None)
    return text if isinstance(text, str) else str(value)


class Status:
    """Reads the state of a kiosk's parts; changes nothing."""

    def __init__(self, kiosk: Kiosk) -> None:
        self._kiosk = kiosk
        self._began = time.monotonic()
        self._process = psutil.Process()
        self.panel_failure: str | None = None

    def health(self) -> dict[str, Any]:
        """``{"ok", "parts": {name: {"ok", "text"}}}``; camera, model and storage decide."""
        parts = {
            "camera": self._camera(),
            "model": self._model(),
            "deck": self._deck(),
            "storage": self._storage(),
            "panel": self._panel(),
            "table": self._table(),
        }
        server = self._server()
        if server is not None:
            parts["server"] = server
        needed = ("camera", "model", "storage")
        return {"ok": all(parts[name]["ok"] for name in needed), "parts": parts}

    def _camera(self) -> dict[str, Any]:
        state = self._kiosk.sight.camera
        good = state.trouble is None and state.health == Health.LIVE
        source = self._kiosk.sight.source.shown
        if not good:
            return {"ok": False, "text": state.message or f"waiting for {source}"}
        return {"ok": True, "text": "; ".join((source, *state.mismatches))}

    def _deck(self) -> dict[str, Any]:
        good, text = self._kiosk.decks.checked()
        return {"ok": good, "text": text}

    def _model(self) -> dict[str, Any]:
        failure = self._kiosk.sight.model_failure
        if failure is not None:
            return {"ok": False, "text": failure}
        return {"ok": True, "text": str(self._kiosk.sight.model_hash)}

    def _storage(self) -> dict[str, Any]:
        state = self._kiosk.writer.state
        if state.status == "ok":
            return {"ok": True, "text": str(self._kiosk.data)}
        text = f"{state.sentence}; {state.advice}" if state.sentence else "the record is opening"
        waiting = f" ({state.waiting} entries wait, {state.lost} lost)" if state.waiting else ""
        return {"ok": False, "text": text + waiting}

    def _server(self) -> dict[str, Any] | None:
        """The pit's record server; a kiosk that cannot reach it works and catches up later."""
        state = self._kiosk.writer.outbox_state
        if state is None:
            return None
        sentence = f"{state.sentence}; {state.advice}" if state.sentence else state.status
        waiting = f" ({state.waiting} entries wait)" if state.waiting else ""
        return {"ok": state.status != "failing", "text": sentence + waiting}

    def _panel(self) -> dict[str, Any]:
        if self.panel_failure is not None:
            return {"ok": False, "text": self.panel_failure}
        state = self._kiosk.panel.state
        text = f"{state.text} {state.todo}".strip() if not state.connected else state.text
        return {"ok": state.connected or self._kiosk.settings.panel == "none", "text": text}

    def _table(self) -> dict[str, Any]:
        failure = self._kiosk.owner.failure
        return {"ok": failure is None, "text": failure or self._kiosk.owner.state.id}

    def panel(self) -> dict[str, Any]:
        """The panel as the page shows it: what its display and lights really show."""
        panel = self._kiosk.panel
        state, told = panel.state, panel.status()
        spec = self._kiosk.settings.panel
        kind = spec if spec in ("sim", "none") else "serial"
        display, lights = list(told["display"]), str(told["lights"])
        if panel.simulated is not None:
            seen = panel.simulated.last_seen()
            display = list(seen.get("display") or display)
            lights = str(seen.get("lights") or lights)
        return {
            "kind": kind,
            "state": state.kind,
            "text": self._panel()["text"],
            "texts": panel_desk.told(panel),
            "display": display,
            "lights": [int(light) for light in lights],
            "selected": told["selected"],
        }

    def calibration(self) -> dict[str, Any]:
        """How large an index appears in each zone, and whether that is enough (V10)."""
        plane = self._kiosk.sight.plane
        size = (plane.width, plane.height) if plane is not None else (None, None)
        zones = [
            {
                "zone": zone.zone,
                "index_px": round(zone.index_px, 1),
                "ok": zone.index_px >= MIN_INDEX_PX,
                "text": advice(zone) or zone.verdict,
            }
            for zone in zone_sizes(self._kiosk.felt.layout, *size)
        ]
        good = all(zone["ok"] for zone in zones)
        small = next((zone["text"] for zone in zones if not zone["ok"]), "")
        return {
            "ok": good,
            "text": str(small) if not good else "good",
            "layout": self._kiosk.felt.layout.name,
            "index_min_px": MIN_INDEX_PX,
            "zones": zones,
        }

    def about(self) -> dict[str, Any]:
        """Rules, limits and versions for people."""
        settings = self._kiosk.settings
        table = settings.table
        card = {name: _plain(value) for name, value in sorted(self._kiosk.house.values.items())}
        return {
            "rules": {"house": self._kiosk.house.house.name, **card},
            "limits": {
                "table": table.name,
                "ante_min": figures(table.ante_min),
                "ante_max": figures(table.ante_max),
                "max_payout": "none" if table.max_payout is None else figures(table.max_payout),
                "currency": table.currency,
                "chips": ", ".join(figures(chip) for chip in table.chips),
            },
            "kiosk": {
                "mode": settings.play_mode,
                "layout": self._kiosk.felt.layout.name,
                "source": self._kiosk.sight.source.shown,
                "panel": settings.panel,
                "data": str(self._kiosk.data),
            },
            "versions": {
                "kiosk": __version__,
                "model": self._kiosk.versions.model,
                "weights": "shipped" if settings.vision.model is None else "own",
            },
        }

    def note(self) -> dict[str, Any]:
        """What the supervisor's page of tables says of this one; nothing of what is hidden."""
        kiosk, now, parts = self._kiosk, self._kiosk.snapshot(), self.health()["parts"]
        return {
            "table": kiosk.settings.table.name,
            "house": kiosk.house.house.name,
            "mode": now["mode"],
            "round": now["id"],
            "stage": now["stage"],
            "held": bool(now["held"]),
            "frozen": bool(now["frozen"]),
            "questions": len(now["questions"]),
            "person": kiosk.dealing.person,
            "failing": [name for name in WATCHED if not parts.get(name, {"ok": True})["ok"]],
            "version": __version__,
        }

    def metrics(self) -> dict[str, Metric]:
        """Name → (help, kind, value)."""
        sight, writer = self._kiosk.sight, self._kiosk.writer.state
        camera, timing = sight.camera, sight.timing
        parts = self.health()["parts"]
        metrics: dict[str, Metric] = {
            "kiosk_up_seconds": ("Time since the start", "gauge", time.monotonic() - self._began),
            "kiosk_part_ok": (
                "1 where a part works",
                "gauge",
                {f'part="{name}"': int(part["ok"]) for name, part in parts.items()},
            ),
            "kiosk_frame_age_seconds": ("Age of the newest frame", "gauge", camera.age),
            "kiosk_camera_restarts_total": ("Camera restarts", "counter", camera.restarts),
            "kiosk_views_total": ("Views of the table", "counter", sight.steps),
            "kiosk_record_waiting": ("Entries not stored yet", "gauge", writer.waiting),
            "kiosk_record_lost_total": ("Entries that could not be kept", "counter", writer.lost),
            "kiosk_listeners": ("Listeners to events", "gauge", self._kiosk.bus.count),
            "kiosk_resident_bytes": (
                "Resident memory",
                "gauge",
                self._process.memory_info().rss,
            ),
        }
        if timing is not None and timing.count:
            metrics["kiosk_read_milliseconds"] = (
                "From frame to view",
                "gauge",
                {'quantile="0.5"': timing.median_ms, 'quantile="0.95"': timing.p95_ms},
            )
        counters = self._kiosk.panel.status().get("counters")
        if isinstance(counters, dict):
            metrics["kiosk_panel_faults_total"] = (
                "What went wrong on the panel's line",
                "counter",
                {f'kind="{name}"': value for name, value in counters.items()},
            )
        return metrics
