"""What the panel's tests work with: a real round behind the panel's interface, presses on a model,
and a link to a port with all that it reports."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any

from firmware_bridge.host_events import Pressed
from firmware_bridge.link import LinkSettings, PanelLink
from firmware_bridge.model import DEFERRED, PanelModel
from firmware_bridge.ports import PortSpec
from firmware_bridge.protocol import Kind
from firmware_bridge.states import LinkState
from kiosk.bus import Bus, Subscription
from kiosk.cards import Card
from kiosk.errors import ActionError
from kiosk.owner import TableOwner
from kiosk.sightings import Doubt, ReadCard, TableView, ZoneView
from kiosk.table.snapshot import snapshot
from kiosk.table.state import RoundSettings

WINNING = {"dealer": "9h 9c Kd 7s 3d", "box1": "Jh Jd 4c 4s 8h"}
LOSING = {"dealer": "Qh Qd 6c 6s 2h", "box1": "Tc Td 9s 5h 3c"}
QUICK = LinkSettings(quiet=0.2, patience=1.0, reopen=3.0, pause=(0.05, 0.3))
"""Soon says that nothing answers, and tries again."""
PATIENT = LinkSettings(quiet=0.2, patience=90.0, reopen=180.0, pause=(0.05, 0.3))
"""Takes a busy machine's panel for slow, and not for one that does not answer."""


class Table:
    """The real owner of the round behind the interface that the panel uses."""

    def __init__(self, **settings: Any) -> None:
        self.bus = Bus()
        self.done: list[tuple[str, dict[str, Any], str]] = []
        made = RoundSettings(**{"mode": "training", **settings})
        self.owner = TableOwner(made, "r-000001", self._stepped)
        self.owner.start()

    def _stepped(self, *_step: object) -> None:
        self.bus.publish("round", self.snapshot())

    def snapshot(self) -> dict[str, Any]:
        return snapshot(self.owner.state)

    def act(self, name: str, body: dict[str, Any], who: str) -> Mapping[str, Any]:
        self.done.append((name, body, who))
        return snapshot(self.owner.act(name, body, who))

    def subscribe(self) -> Subscription:
        return self.bus.subscribe()

    def deal(self, hands: Mapping[str, str]) -> None:
        """The cards as a person would enter them."""
        for zone, cards in hands.items():
            for card in cards.split():
                self.owner.act("cards", {"zone": zone, "was": None, "card": card}, "test")

    def see(
        self,
        hands: Mapping[str, str],
        doubts: Mapping[str, tuple[Doubt, ...]] | None = None,
        stray: tuple[Doubt, ...] = (),
    ) -> None:
        """What the camera sees now; comes back when the table has taken it."""
        zones = tuple(
            ZoneView(
                zone,
                tuple(ReadCard(Card.parse(card), 0.99) for card in hands.get(zone, "").split()),
                (doubts or {}).get(zone, ()),
                bodies=len(hands.get(zone, "").split()),
                empty=zone not in hands,
            )
            for zone in ("dealer", *(f"box{n}" for n in range(1, 6)))
        )
        self.owner.see(TableView(time.monotonic(), zones, stray=stray))
        # The owner takes views and actions one after another: after an action the view is in.
        end = time.monotonic() + 200
        while self.owner._view is not None:
            assert time.monotonic() < end, self.owner.failure
            time.sleep(0.005)
        with contextlib.suppress(ActionError):
            self.owner.act("dismiss", {"question": "none"}, "test")
        assert self.owner.failure is None, self.owner.failure

    def questions(self) -> list[str]:
        return [question["id"] for question in self.snapshot()["questions"]]

    def box(self, number: int = 1) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.snapshot()["boxes"][number - 1]
        return found


class Hand:
    """Presses on a model, carried out on the table."""

    def __init__(self, table: Table) -> None:
        self.table, self.model = table, PanelModel()

    def __call__(self, *buttons: str) -> list[tuple[str, dict[str, Any]]]:
        done = []
        for button in buttons:
            for name, body in self.model.press(button, self.table.snapshot()):
                self.table.act(name, body, "panel")
                done.append((name, body))
        return done

    def hold(self, button: str) -> list[tuple[str, dict[str, Any]]]:
        """The button kept down until it means something else."""
        done = self(*([] if button in DEFERRED else [button]))
        for name, body in self.model.long(button, self.table.snapshot()):
            self.table.act(name, body, "panel")
            done.append((name, body))
        return done

    def display(self) -> tuple[str, ...]:
        return tuple(line.rstrip() for line in self.model.display(self.table.snapshot()))

    def lights(self) -> tuple[int, ...]:
        return self.model.lights(self.table.snapshot())


class Kiosk:
    """A link and what it has reported."""

    def __init__(
        self,
        spec: str,
        settings: LinkSettings = PATIENT,
        ports: Callable[[], list[str]] = list,
    ) -> None:
        self.presses: list[Pressed] = []
        self.states: list[LinkState] = []
        self._looked_at = 0
        self.link = PanelLink(
            PortSpec.parse(spec), self.presses.append, self.states.append, settings, ports
        )
        self.link.start()

    @property
    def kinds(self) -> list[str]:
        return [state.kind for state in self.states]

    def buttons(self) -> list[str]:
        return [press.event.button for press in self.presses if press.event.kind is Kind.PRESS]

    @property
    def starved(self) -> bool:
        """This machine was so busy elsewhere that one end took the other for dead: what waited in
        the panel then is gone, as it must be."""
        return "silent" in self.kinds or self.link.counters.stale > 0

    def wait(self, condition: Callable[[], object], seconds: float = 200.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, (self.kinds, self.link.status())
            time.sleep(0.01)

    def until(self, kind: str, seconds: float = 200.0) -> LinkState:
        """Waits for the next report of this kind, however short it stood; the reports before it
        are not looked at again."""
        begin = self._looked_at
        self.wait(lambda: kind in self.kinds[begin:], seconds)
        place = self.kinds.index(kind, begin)
        self._looked_at = place + 1
        return self.states[place]
