"""A scripted table: lays cards, presses keys and lets time pass, as tests read best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kiosk.cards import Card
from kiosk.errors import ActionError
from kiosk.sightings import Doubt, ReadCard, TableView, ZoneView
from kiosk.table import events as e
from kiosk.table.bodies import event_from
from kiosk.table.outputs import Output
from kiosk.table.round import RoundState, apply, new_round
from kiosk.table.snapshot import snapshot
from kiosk.table.state import RoundSettings

PAIR_OF_TWOS = "2c 2d 5h 8s 9c"
SECOND_DEALER = "3c 3d 6h 9s Tc"
SECOND_HAND = "8h 8d 2s Qc 4d"
NO_GAME = "Kd Jc 9h 5s 3c"


def cards(text: str | Iterable[Card]) -> tuple[Card, ...]:
    """Cards written as ``As Kd``."""
    return tuple(Card.parse(t) for t in text.split()) if isinstance(text, str) else tuple(text)


def doubt(key: str, *candidates: str, why: str = "low-confidence") -> Doubt:
    """A doubt between the cards named."""
    named = tuple((Card.parse(name), 0.5) for name in candidates)
    return Doubt(key, (10.0, 10.0, 30.0, 40.0), named, why)


@dataclass
class Zone:
    """What lies in one zone of the scripted table; ``shift``: places further along it lies;
    ``unread``: the first looks at it say nothing yet."""

    cards: tuple[Card, ...] = ()
    bodies: int = 0
    doubts: tuple[Doubt, ...] = ()
    occluded: bool = False
    shift: int = 0
    unread: bool = False


@dataclass
class Table:
    """The scripted table. Lengths of time in seconds; a view every ``step``. Boxes that are shown
    without an answer do not hold the hand unless the settings say so."""

    settings: RoundSettings = field(default_factory=partial(RoundSettings, unanswered="counted"))
    t: float = 0.0
    strays: tuple[Doubt, ...] = ()
    conflicts: tuple[Card, ...] = ()
    trouble: str | None = None
    step: float = 0.1
    who: str = "Vera"

    def __post_init__(self) -> None:
        self.zones = {name: Zone() for name in self.settings.zones}
        self.state: RoundState = new_round(self.settings, "r-000001")
        self.said: list[Output] = []

    def view(self) -> TableView:
        """The table as it lies, as the camera side would report it."""
        zones = []
        for name, zone in self.zones.items():
            reads = tuple(
                ReadCard(card, 0.97, ((i * 40.0, 0.0, i * 40.0 + 30.0, 40.0),))
                for i, card in enumerate(zone.cards, zone.shift)
            )
            empty = not (zone.cards or zone.doubts or zone.bodies or zone.unread)
            zones.append(ZoneView(name, reads, zone.doubts, zone.bodies, zone.occluded, empty))
        return TableView(self.t, tuple(zones), self.conflicts, self.strays, self.trouble)

    def look(self, seconds: float = 0.5) -> Table:
        """Views for a while."""
        end = self.t + seconds
        while True:
            self._apply(e.ViewSeen(self.view()))
            if self.t + 1e-9 >= end:
                return self
            self.t = round(self.t + self.step, 6)

    def lay(self, zone: str, text: str | Iterable[Card], bodies: int | None = None) -> Table:
        """Exactly these cards lie open in the zone now, and are looked at."""
        named = cards(text)
        self.zones[zone] = Zone(named, len(named) if bodies is None else bodies)
        return self.look()

    def backs(self, *zones: str, count: int = 5) -> Table:
        """Cards face down in these zones."""
        for zone in zones:
            self.zones[zone] = Zone((), count)
        return self.look()

    def take(self, *zones: str) -> Table:
        """The cards of these zones are collected (of all zones when none is named)."""
        for zone in zones or tuple(self.zones):
            self.zones[zone] = Zone()
        return self.look()

    def do(self, name: str, /, **body: Any) -> Table:
        """A person's action as the API takes it. ActionError when it cannot be done."""
        self._apply(event_from(name, body, self.t, self.who))
        return self

    def refused(self, name: str, /, **body: Any) -> ActionError:
        """The refusal of an action; nothing must have changed."""
        before = (self.state, self.shown())
        try:
            self.do(name, **body)
        except ActionError as refusal:
            assert (self.state, self.shown()) == before
            return refusal
        raise AssertionError(f"{name} {body} was not refused")

    def _apply(self, event: e.Event) -> None:
        self.state, said = apply(self.state, event)
        self.said += said

    def shown(self, revealed_view: bool | None = None) -> dict[str, Any]:
        """The snapshot."""
        return snapshot(self.state, revealed_view)

    @property
    def stage(self) -> str:
        return self.state.derived.stage

    def box(self, number: int, revealed_view: bool | None = None) -> dict[str, Any]:
        """The box's part of the snapshot."""
        boxes = self.shown(revealed_view)["boxes"]
        return next(box for box in boxes if box["box"] == number)

    def result(self, number: int) -> dict[str, Any] | None:
        """The box's RESULT as the record would see it."""
        found: dict[str, Any] | None = self.box(number, True)["result"]
        return found

    def paid(self, number: int) -> tuple[Any, Any] | None:
        """Paid and taken on the box; None while it is not settled."""
        result = self.result(number)
        return None if result is None else (result["paid"], result["taken"])

    def asked(self) -> dict[str, dict[str, Any]]:
        """Open questions by id."""
        return {question["id"]: question for question in self.shown()["questions"]}

    def heard(self, kind: type) -> list[Any]:
        """Outputs of one kind so far."""
        return [output for output in self.said if isinstance(output, kind)]


def settled_table(dealer: str = PAIR_OF_TWOS, hand: str = "7h 7d Ts Kc Ad", **more: Any) -> Table:
    """Box 1 with a known hand against a complete dealer's hand, nothing confirmed."""
    table = Table(RoundSettings(**{"unanswered": "counted", **more}))
    table.look()
    table.backs("dealer", "box1")
    table.lay("dealer", dealer)
    return table.lay("box1", hand)
