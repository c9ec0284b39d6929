"""The panel at work: link, model and the running kiosk joined together."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, Protocol

from firmware_bridge.host import STALE_MS
from firmware_bridge.host_events import Pressed
from firmware_bridge.link import LinkSettings, PanelLink
from firmware_bridge.model import DEFERRED, Offers, PanelModel
from firmware_bridge.ports import PortSpec
from firmware_bridge.protocol import ROWS, Kind
from firmware_bridge.simulated import SimulatedPanel
from firmware_bridge.states import LinkState
from firmware_bridge.view import Offer, Translate
from kiosk.errors import ActionError

__all__ = ["KioskLike", "Panel", "PanelModel", "Subscription"]

WHO: Final = "panel"
_QUEUE: Final = 256
_LOOK_S: Final = 1.0
_LOG = logging.getLogger(__name__)


class Subscription(Protocol):
    """The running kiosk's events: ``(name, data)`` pairs, newest wins."""

    def __iter__(self) -> Iterator[tuple[str, Any]]: ...

    def close(self) -> None: ...


class KioskLike(Protocol):
    """What the panel needs of the running kiosk."""

    def snapshot(self) -> Mapping[str, Any]: ...

    def act(self, name: str, body: dict[str, Any], who: str) -> Mapping[str, Any]: ...

    def subscribe(self) -> Subscription: ...


class Panel:
    """The panel of a running kiosk. ``port_spec`` is the ``--panel`` setting (``PortSpec.parse``).

    With ``sim`` it starts the simulated panel and ``simulated`` is that panel. ``start`` and
    ``close`` come back at once; a fault of the panel never stops the kiosk. ``offers``: what the
    house sells; ``on_change`` is called when display, lights or the box chosen have changed.
    """

    def __init__(
        self,
        kiosk: KioskLike,
        port_spec: str = "sim",
        translate: Translate = str,
        settings: LinkSettings | None = None,
        offers: Offers = lambda snapshot: Offer(),
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        self._kiosk = kiosk
        self._spec = PortSpec.parse(port_spec)
        self._settings = settings
        self._on_change = on_change
        self.model = PanelModel(translate, offers)
        self.simulated: SimulatedPanel | None = None
        self._link: PanelLink | None = None
        self._lock = threading.Lock()
        self._presses: queue.Queue[tuple[float, Pressed | LinkState] | None] = queue.Queue(_QUEUE)
        self._subscription: Subscription | None = None
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._lines: tuple[str, ...] = ("",) * ROWS
        self._lights = "000000"
        self.late_presses = 0
        self._late_told = 0
        self._chosen: int | None = None

    def start(self) -> None:
        """Connect, and follow the round from now on."""
        self._link = self._connect()
        self._subscription = self._kiosk.subscribe()
        for name, work in (("panel-keys", self._work), ("panel-display", self._follow)):
            thread = threading.Thread(target=work, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)
        self._show()
        self._link.start()

    def _connect(self) -> PanelLink:
        """A link as the setting asks; for ``sim`` with a fresh simulated panel."""
        spec, settings = self._spec, self._settings
        if spec.kind == "sim":
            self.simulated = SimulatedPanel()
            spec = replace(spec, kind="path", value=self.simulated.port)
            settings = settings or LinkSettings(quiet=0.2)
        return PanelLink(spec, self._pressed, self._pressed, settings)

    def _look_after_simulated(self) -> None:
        """If the simulated panel's process has ended, begin anew with another."""
        old, dead = self._link, self.simulated
        if dead is None or dead.alive or self._closed:
            return
        if old is not None:
            old.close()
        dead.close()
        self._link = self._connect()
        self._show()
        self._link.start()
        if self._closed and self.simulated is not None:
            self._link.close()
            self.simulated.close()

    def close(self) -> None:
        """Stop; the port is closed within a second (S8)."""
        if self._closed:
            return
        self._closed = True
        if self._subscription is not None:
            self._subscription.close()
        with contextlib.suppress(queue.Full):
            self._presses.put_nowait(None)
        if self._link is not None:
            self._link.close()
        if self.simulated is not None:
            self.simulated.close()
        for thread in self._threads:
            thread.join(1.0)

    @property
    def state(self) -> LinkState:
        """The link's state in plain words."""
        return self._link.state if self._link else LinkState("off")

    def press(self, button: str, held: bool = False) -> None:
        """A press from the page or a keyboard: the same actions without the board. ``held``: as if
        the button were kept down until it means something else."""
        short, long = [self.model.press], [self.model.long]
        steps = short if not held else long if button in DEFERRED else short + long
        for step in steps:
            with self._lock:
                self.model.seen()
                actions = step(button, self._kiosk.snapshot())
            self._act_on(actions)

    def choose(self, box: int | None) -> None:
        """Choose a box, or none, from the page."""
        with self._lock:
            self.model.choose(box, self._kiosk.snapshot())
        self._show()

    def status(self) -> dict[str, Any]:
        """State, counters, and what display and lights are told to show."""
        base = self._link.status() if self._link else {"state": self.state.as_dict()}
        counters = base.get("counters")
        if isinstance(counters, dict):
            counters |= {
                "late_presses": self.late_presses,
                "panel_faults": base["panel_faults"],
            }
        return {
            **base,
            "display": list(self._lines),
            "lights": self._lights,
            "selected": self.model.selected,
            "simulated": self.simulated is not None,
        }

    def _pressed(self, event: Pressed | LinkState) -> None:
        try:
            self._presses.put_nowait((time.monotonic(), event))
        except queue.Full:
            self.late_presses += 1

    def _work(self) -> None:
        """Carry out the presses, one after another, outside the link's thread."""
        while not self._closed:
            try:
                waiting = self._presses.get(timeout=_LOOK_S)
                if waiting is None:
                    return
                self._one(*waiting)
                self._tell_late()
            except queue.Empty:
                self._tell_late()
                self._look_after_simulated()
            except Exception:
                _LOG.exception("the panel's press could not be carried out")

    def _tell_late(self) -> None:
        """A press that came too late to act is said on the display: it must be given again."""
        late = self.late_presses + (self._link.counters.stale if self._link else 0)
        if late != self._late_told:
            told, self._late_told = self._late_told, late
            if late > told:
                with self._lock:
                    self.model.late()
                self._show()

    def _one(self, since: float, event: Pressed | LinkState) -> None:
        if isinstance(event, LinkState):
            if not event.connected:
                self.model.forget()
            return
        if (time.monotonic() - since) * 1000 > STALE_MS:
            # The kiosk was held up: as on the line, a press so late may have been pressed again.
            self.late_presses += 1
            return
        key = event.event
        with self._lock:
            if self._link is not None and self._link.settled():
                self.model.seen()
            actions = self.model.event(Kind(key.kind), key.button, self._kiosk.snapshot())
        self._act_on(actions)

    def _act_on(self, actions: list[tuple[str, dict[str, Any]]]) -> None:
        for name, body in actions:
            try:
                with self._lock:
                    saw = name == "bets" and self.model.saw(body["box"])
                after = self._kiosk.act(name, body, WHO)
                if saw:
                    with self._lock:
                        self.model.entered(body["box"], after)
            except ActionError as refusal:
                self.model.notice(str(refusal))
                break
        self._show()

    def _follow(self) -> None:
        assert self._subscription is not None
        for name, _data in self._subscription:
            if self._closed:
                return
            if name == "round":
                self._show()

    def _show(self) -> None:
        with self._lock:
            # Asked for within the lock: of two threads, the later one shows the later round.
            snapshot = self._kiosk.snapshot()
            before = (self._lines, self._lights, self._chosen)
            self._lines = self.model.display(snapshot)
            self._lights = "".join(str(light) for light in self.model.lights(snapshot))
            if self._link is not None:
                lines = [line.encode("ascii", "replace") for line in self._lines]
                self._link.show(lines, self._lights)
            self._chosen = self.model.selected
            changed = before != (self._lines, self._lights, self._chosen)
        if changed:
            self._on_change()
