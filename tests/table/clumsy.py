"""A dealer with shaky hands: any step of a deal may be disturbed, and none of it may pay wrong.

What happens is what a camera can see of it: cards laid one by one in any order, covered, doubtful,
laid into a neighbour's place first, a sleeve over a zone, a picture that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from played import enter
from table_desk import Table, Zone, cards

from kiosk.cards import Card
from kiosk.sightings import Doubt
from kiosk.table.dealer import drawing, is_complete, small_due
from kiosk.table.plan import SHAPES
from kiosk.table.settlement import is_assumed

PAUSES = (0.0, 0.1, 0.4)
"""Seconds between two movements; a hand is known after 0.3."""


@dataclass
class Clumsy:
    """Deals a case on a table. ``check`` is called after every movement."""

    table: Table
    case: Mapping[str, Any]
    random: Random
    check: Callable[[Table], None]
    trouble: float = 0.35
    keys: int = field(default=0)

    def deal(self) -> None:
        """The whole case, as ``played.play`` does it undisturbed."""
        table, case = self.table, self.case
        shape = SHAPES[case["game"]]
        boxes = [f"box{box['box']}" for box in case["boxes"]]
        table.look(0).backs("dealer", count=shape.dealer_cards)
        for zone in boxes:
            table.backs(zone, count=shape.box_cards)
        if "meter" in case:
            table.do("bets", meter=case["meter"])
        for box in case["boxes"]:
            self._before(box)
        if case.get("board"):
            self.lay("board", case["board"][:3])
            self.look(2)
            self.lay("board", case["board"])
        self.lay("dealer", case["dealer"]["cards"])
        self.look(0.5)
        self._purchase()
        if case["dealer"].get("small") and small_due(table.state.core, table.state.plan):
            self.lay("dealer-small", case["dealer"]["small"])
        for box in self.random.sample(case["boxes"], len(case["boxes"])):
            self._open(box)
        self.look(5)

    def _before(self, box: Mapping[str, Any]) -> None:
        first = box.get("dealt") or (box.get("cards") if box["action"] == "fold" else None)
        if first:
            self.lay(f"box{box['box']}", first)
            self.look(2)
            if box["action"] == "fold":
                self.take(f"box{box['box']}")
        enter(self.table, box)
        self.table.do("confirm", box=box["box"])
        self.check(self.table)

    def _purchase(self) -> None:
        """Every box says whether it buys; the highest card goes, the next comes."""
        dealer = self.case["dealer"]
        if self.table.state.plan.buy:
            for box in self.case["boxes"]:
                if box["action"] == "play":
                    self.table.do("bets", box=box["box"], buy="buy" in box["bets"])
                    self.check(self.table)
        first, draws = cards(" ".join(dealer["cards"])), cards(" ".join(dealer.get("draws", [])))
        for count in range(len(draws)):
            state = drawing(first, draws[:count], self.table.settings.plan)
            rest = [card for card in state.current if card != state.discard]
            self.lay("dealer", [*rest, draws[count]])
            self.look(0.5)

    def _open(self, box: Mapping[str, Any]) -> None:
        if box["action"] == "fold":
            return
        zones = [f"box{box['box']}"]
        self.lay(zones[0], box["cards"])
        if "small" in box:
            zones.append(f"{zones[0]}-small")
            self.lay(zones[1], box["small"])
        if self.random.random() < 0.5:
            self.look(0.5)
            for zone in zones:
                self.take(zone)

    def lay(self, zone: str, named: Iterable[Any]) -> None:
        """Cards go that do not belong to the hand any more, then the new ones come one by one."""
        wanted = [card if isinstance(card, Card) else Card.parse(card) for card in named]
        place = self.table.zones[zone]
        kept = [card for card in place.cards if card in wanted]
        coming = [card for card in wanted if card not in kept]
        self.random.shuffle(coming)
        self._show(zone, kept, bodies=len(kept))
        for card in coming:
            self._disturb(zone, card)
            kept = [*self.table.zones[zone].cards, card]
            self._show(zone, kept, bodies=len(kept))
        self.look(self.random.choice((0.3, 0.6)))

    def take(self, zone: str) -> None:
        """The cards are collected."""
        self._show(zone, [], bodies=0)

    def look(self, seconds: float) -> None:
        self.table.look(seconds)
        self.check(self.table)

    def _show(self, zone: str, named: Iterable[Card], bodies: int) -> None:
        self.table.zones[zone] = Zone(tuple(named), bodies)
        self.look(self.random.choice(PAUSES))

    def _disturb(self, zone: str, coming: Card) -> None:
        if self.random.random() > self.trouble:
            return
        kinds = [self._cover, self._doubt, self._sleeve, self._blind]
        if not is_complete(self.table.state.core) and zone != "dealer":
            kinds.append(self._astray)
        self.random.choice(kinds)(zone, coming)

    def _cover(self, zone: str, _coming: Card) -> None:
        """A card is covered for a while; its body may still be seen."""
        place = self.table.zones[zone]
        if not place.cards:
            return
        card = self.random.choice(place.cards)
        rest = [other for other in place.cards if other != card]
        self._show(zone, rest, len(rest) + self.random.randint(0, 1))
        self.look(self.random.choice((0.2, 1.5)))
        self._show(zone, [*rest, card], len(rest) + 1)

    def _doubt(self, zone: str, coming: Card) -> None:
        """The card is in doubt before it is read."""
        place = self.table.zones[zone]
        self.keys += 1
        wrong = self.random.choice([c for c in cards("As Kd 7h 2c") if c != coming])
        doubt = Doubt(
            f"{zone}-{self.keys}", (1.0, 1.0, 9.0, 9.0), ((wrong, 0.6), (coming, 0.3)), "low"
        )
        kept = place.cards
        self.table.zones[zone] = Zone(kept, len(kept) + 1, (doubt,))
        self.look(self.random.choice((0.2, 1.5)))
        self.table.zones[zone] = Zone(kept, len(kept))

    def _sleeve(self, zone: str, _coming: Card) -> None:
        """Something moves over the zone: what was accepted stays."""
        self.table.zones[zone].occluded = True
        self.look(self.random.choice((0.2, 5.0)))
        self.table.zones[zone].occluded = False

    def _blind(self, _zone: str, _coming: Card) -> None:
        """The picture fails."""
        self.table.trouble = "camera-lost"
        self.look(self.random.choice((0.2, 1.0)))
        self.table.trouble = None

    def _astray(self, zone: str, coming: Card) -> None:
        """The card is laid in another place first."""
        others = [name for name in self.table.zones if name not in (zone, "dealer", "board")]
        if not others:
            return
        other = self.random.choice(others)
        before = self.table.zones[other]
        self._show(other, [*before.cards, coming], before.bodies + 1)
        self.table.zones[other] = before
        self.look(self.random.choice(PAUSES))


def certain(table: Table) -> dict[int, Mapping[str, Any]]:
    """Box → RESULT of what is settled and not assumed."""
    state = table.state
    return {
        box: result
        for box, result in state.derived.settlements.results.items()
        if not is_assumed(state.core, state.core.box(box), state.plan)
    }
