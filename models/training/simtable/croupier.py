"""The dealer's and the players' movements: hands, cards and chips along one clock. Pure."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kiosk.cards import Card
from models.training.recording.things import Pose, Thing
from models.training.simtable.places import Places, Spot


class Croupier:
    """Moves everything of one round along its clock ``t`` (seconds of the simulation)."""

    def __init__(self, seed: int, places: Places, t: float) -> None:
        self.rng = random.Random(seed)
        self.places = places
        self.t = t
        self.things: list[Thing] = []
        self._order = 0
        self.hands = {side: self._new(side, Pose(*places.rest(side))) for side in ("left", "right")}

    def _new(self, sprite: str, pose: Pose, card: Card | None = None) -> Thing:
        thing = Thing(sprite, card)
        thing.put(self.t, pose)
        self._top(thing)
        self.things.append(thing)
        return thing

    def _top(self, thing: Thing) -> None:
        self._order += 1
        thing.raise_to(self.t, self._order)

    def jitter(self, size: float) -> float:
        """A small irregularity."""
        return self.rng.uniform(-size, size)

    def wait(self, seconds: float) -> None:
        """Nothing moves."""
        self.t += seconds

    def hand_for(self, x: float) -> Thing:
        """The dealer's hand that serves a place (his left is at the picture's right)."""
        return self.hands["left" if x > self.places.layout.felt.width / 2 else "right"]

    def reach(self, hand: Thing, to: Spot, seconds: float, carried: Sequence[Thing] = ()) -> None:
        """The hand goes there, taking along what it carries."""
        dx, dy = to[0] - hand.last.x, to[1] - hand.last.y
        for thing in carried:
            thing.glide(self.t, self.t + seconds, thing.last.moved(dx, dy))
            self._top(thing)
        hand.glide(self.t, self.t + seconds, Pose(*to, lift=0.6 if carried else 0.9))
        self.t += seconds

    def retreat(self, hand: Thing, seconds: float = 0.4) -> None:
        """The hand leaves the picture."""
        self.reach(hand, self.places.rest(hand.sprite), seconds)

    def bets(self, zones: Sequence[str]) -> list[Thing]:
        """Chips lie on the boxes that play."""
        chips = []
        for zone in zones:
            spot = self.places.chips(zone)
            if spot is not None:
                x, y = spot[0] + self.jitter(0.3), spot[1] + self.jitter(0.3)
                chips.append(self._new("chip", Pose(x, y)))
        return chips

    def pack(self, zone: str, cards: Sequence[Card], up: int = 0) -> list[Thing]:
        """Cards dealt to a zone, all in one movement; the last ``up`` of them lie open beside."""
        hand = self.hands["left"]
        x, y = self.places.pile(zone)
        self.reach(hand, self.places.shoe, 0.3)
        new = [self._new("card", Pose(*self.places.shoe), card) for card in cards]
        begin = self.t
        for place, thing in enumerate(new):
            shown = place >= len(new) - up
            across = 8.0 if shown else -1.0 + 0.5 * place - (2.5 if up else 0.0)
            pose = Pose(
                x + across + self.jitter(0.1), y + self.jitter(0.15), self.jitter(3), float(shown)
            )
            thing.glide(begin, begin + 0.45, pose)
        hand.glide(begin, begin + 0.45, Pose(x, y - 1.0, lift=0.4))
        self.t = begin + 0.45
        return new

    def open(self, things: Sequence[Thing], cards: Sequence[Card], spots: Sequence[Spot]) -> None:
        """The cards turn up and lie at the spots in the order of ``cards``."""
        hand = self.hand_for(spots[0][0])
        self.reach(hand, (spots[0][0] - 1.0, spots[0][1] - 1.5), 0.35)
        row = sorted(things, key=lambda thing: cards.index(thing.card))  # type: ignore[arg-type]
        begin = self.t
        for place, (thing, spot) in enumerate(zip(row, spots, strict=True)):
            self.t = begin + 0.1 * place
            self._top(thing)
            pose = Pose(
                spot[0] + self.jitter(0.1), spot[1] + self.jitter(0.15), self.jitter(1.6), 1.0
            )
            thing.glide(self.t, self.t + 0.35, pose)
        last = begin + 0.1 * len(row) + 0.3
        hand.glide(begin, last, Pose(spots[-1][0] + 2.0, spots[-1][1] - 0.5, lift=0.4))
        self.t = last
        self.retreat(hand, 0.35)

    def add(self, card: Card, spot: Spot) -> Thing:
        """One card comes from the shoe, face up."""
        hand = self.hands["left"]
        self.reach(hand, self.places.shoe, 0.3)
        thing = self._new("card", Pose(*self.places.shoe), card)
        begin = self.t
        thing.glide(begin, begin + 0.4, Pose(*spot, self.jitter(1.6), 1.0))
        hand.glide(begin, begin + 0.4, Pose(spot[0] + 1, spot[1] - 1, lift=0.4))
        self.t = begin + 0.4
        self.retreat(hand, 0.35)
        return thing

    def sweep(self, things: Sequence[Thing]) -> None:
        """Gather cards and take them to the discard box."""
        if not things:
            return
        row = sorted(things, key=lambda thing: -thing.last.x)
        hand = self.hand_for(row[0].last.x)
        self.reach(hand, (row[0].last.x + 1.0, row[0].last.y), 0.3)
        begin, first = self.t, row[-1].last
        for place, thing in enumerate(row):
            near = Pose(
                first.x + 0.1 * place, first.y + self.jitter(0.3), self.jitter(5), thing.last.face
            )
            thing.glide(self.t, begin + 0.35, near)
        self.reach(hand, (first.x + 0.5, first.y), 0.35)
        self.reach(hand, self.places.rack, 0.45, row)
        for thing in row:
            thing.until = self.t
        self.retreat(hand, 0.35)

    def pay(self, zone: str, chips: Sequence[Thing]) -> None:
        """The dealer settles the box: a hand goes to its bets, and they are taken off."""
        spot = self.places.chips(zone) or self.places.middle(zone)
        hand = self.hand_for(spot[0])
        self.reach(hand, (spot[0] - 2.0, spot[1] - 0.5), 0.35)
        self.wait(0.2)
        for chip in chips:
            chip.until = self.t
        self.retreat(hand, 0.35)

    def lie_over(self, zone: str, seconds: float) -> None:
        """An arm with its sleeve over the cards of a zone, moving and lying still in turn."""
        x, y = self.places.middle(zone)
        hand = self.hand_for(x)
        self.reach(hand, (x - 5, y + 3), 0.5)
        self.reach(hand, (x + 5, y + 5), seconds * 0.3)
        self.wait(seconds * 0.3)
        self.reach(hand, (x - 2, y + 4), max(0.1, seconds * 0.4 - 0.5))
        self.retreat(hand, 0.5)
