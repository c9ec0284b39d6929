"""The steps of a round as movement: the dealer's hands, the players' hands, cards and chips."""

from __future__ import annotations

import random

from kiosk.cards import Card
from models.training.recording import felt
from models.training.recording.things import Pose, Thing

FPS = 12
CHIPS = (500, 100)
"""Values of the chips drawn, in units of money; the ante is one of the smaller."""
SHOULDERS = {"left": (67.0, -40.0), "right": (29.0, -40.0)}
"""Where the dealer's arms come from; his left hand is at the right of the picture."""
_REST = {"left": Pose(66, -12), "right": Pose(30, -12)}
_SHOE = (85.5, 13.6)
_RACK = (10.0, 8.2)
_STEP = 3.5
"""Centimetres from card to card in an opened row: wider than an index with its margin."""
_DEALER_STEP = 7.4
_PLAYERS = ("player1", "player2", "player3", "player4")


class Director:
    """Moves everything along one clock ``t`` (seconds)."""

    def __init__(self, seed: int, places: felt.Places) -> None:
        self.rng = random.Random(seed)
        self.places = places
        self.t = 0.0
        self.things: list[Thing] = []
        self._order = 0
        self.hands: dict[str, Thing] = {}
        for name, pose in _REST.items():
            self.hands[name] = self._new(name, pose)
        for number, name in enumerate(_PLAYERS, start=1):
            x, _ = places.cards(f"box{number}")
            self.hands[name] = self._new(name, Pose(x, 72))

    def _new(self, sprite: str, pose: Pose, card: Card | None = None) -> Thing:
        thing = Thing(sprite, card)
        thing.put(self.t, pose)
        self._top(thing)
        self.things.append(thing)
        return thing

    def _top(self, thing: Thing) -> None:
        self._order += 1
        thing.raise_to(self.t, self._order)

    def wait(self, seconds: float) -> None:
        """Nothing moves."""
        self.t += seconds

    def reach(
        self, hand: Thing, x: float, y: float, seconds: float, carried: list[Thing] | None = None
    ) -> None:
        """The hand goes to (x, y), taking along what it carries."""
        for thing in carried or []:
            dx, dy = x - hand.last.x, y - hand.last.y
            thing.glide(self.t, self.t + seconds, thing.last.moved(dx, dy))
            self._top(thing)
        hand.glide(self.t, self.t + seconds, Pose(x, y, lift=0.6 if carried else 0.9))
        self.t += seconds

    def retreat(self, hand: Thing, seconds: float = 0.4) -> None:
        """The hand leaves the picture."""
        away = _REST.get(hand.sprite, hand.keys[0][1])
        self.reach(hand, away.x, away.y, seconds)

    def jitter(self, size: float) -> float:
        """A small irregularity."""
        return self.rng.uniform(-size, size)

    # The steps of a round.

    def bets(self, boxes: list[int], spot: str, count: int, sprite: str) -> dict[int, list[Thing]]:
        """Every player of ``boxes`` lays chips on a spot at once."""
        begin = self.t
        laid: dict[int, list[Thing]] = {}
        for box in boxes:
            self.t = begin + self.rng.uniform(0, 0.2)
            hand = self.hands[f"player{box}"]
            x, y = self.places.spot(f"box{box}", spot)
            home = hand.last
            chips = [
                self._new(sprite, Pose(home.x + self.jitter(0.1), home.y + 0.3 - 0.16 * k))
                for k in range(count)
            ]
            self.reach(hand, x + self.jitter(0.3), y - 0.2, 0.5, chips)
            self.wait(0.1)
            self.retreat(hand, 0.5)
            laid[box] = chips
        self.t = begin + 1.25
        return laid

    def deal(self, boxes: list[int], hands: dict[str, list[Card]]) -> dict[str, list[Thing]]:
        """Five cards each, one by one, clockwise from the dealer's left; his last one face up."""
        left = self.hands["left"]
        self.reach(left, *_SHOE, 0.5)
        dealt: dict[str, list[Thing]] = {zone: [] for zone in hands}
        for turn in range(5):
            for zone in [f"box{n}" for n in boxes] + ["dealer"]:
                card = self._new("card", Pose(_SHOE[0], _SHOE[1] - 4.6), hands[zone][turn])
                x, y = self._dealt_at(zone, turn)
                far = ((x - _SHOE[0]) ** 2 + (y - _SHOE[1]) ** 2) ** 0.5
                there = 0.14 + far / 700
                if zone == "dealer" and turn == 4:
                    there += 0.2
                pose = Pose(x, y, self.jitter(3.5), float(zone == "dealer" and turn == 4))
                self._top(card)
                card.glide(self.t, self.t + there, pose)
                left.glide(self.t, self.t + there, Pose(x + 0.6, y - 0.5, lift=0.4))
                self.t += there
                left.glide(self.t, self.t + there * 0.8, Pose(*_SHOE, lift=0.8))
                self.t += there * 0.8
                dealt[zone].append(card)
        self.retreat(left)
        return dealt

    def _dealt_at(self, zone: str, turn: int) -> tuple[float, float]:
        x, y = self.places.cards(zone)
        if zone == "dealer":
            across = 8.6 if turn == 4 else -7.0 + turn * 2.2
            return x + across + self.jitter(0.15), y + self.jitter(0.2)
        return x - 2.8 + turn * 1.4 + self.jitter(0.15), y + self.jitter(0.25)

    def open(self, zone: str, things: list[Thing], shown: tuple[Card, ...]) -> None:
        """The hand sweeps along, the cards turn up and lie in a row as in ``shown``."""
        step = _DEALER_STEP if zone == "dealer" else _STEP
        x, y = self.places.cards(zone)
        hand = self.hand_for(zone)
        self.reach(hand, x - 2 * step, y - 1.5, 0.45)
        row = sorted(things, key=lambda thing: shown.index(thing.card))  # type: ignore[arg-type]
        begin = self.t
        for place, thing in enumerate(row):
            self.t = begin + 0.16 * place
            self._top(thing)
            pose = Pose(
                x + (place - 2) * step + self.jitter(0.12),
                y + self.jitter(0.2),
                self.jitter(1.6),
                1,
            )
            thing.glide(self.t, self.t + 0.42, pose)
        self.t = begin
        hand.glide(begin, begin + 1.06, Pose(x + 2 * step + 2.5, y - 0.5, lift=0.4))
        self.t = begin + 1.06
        self.retreat(hand)

    def hand_for(self, zone: str) -> Thing:
        """The dealer's hand that serves the zone."""
        return self.hands["right" if zone in ("box3", "box4", "dealer") else "left"]

    def sweep(self, hand: Thing, things: list[Thing]) -> None:
        """Gather a row of cards from right to left and take it to the discard box."""
        row = sorted(things, key=lambda thing: -thing.last.x)
        self.reach(hand, row[0].last.x + 1.0, row[0].last.y, 0.35)
        begin, first = self.t, row[-1].last
        for place, thing in enumerate(row):
            share = 0.35 * place / len(row)
            self.t = begin + share
            near = Pose(first.x + 0.12 * place, first.y + self.jitter(0.3), self.jitter(5), 1)
            thing.glide(self.t, begin + 0.42, near)
        self.t = begin
        self.reach(hand, first.x + 0.5, first.y, 0.42)
        self.reach(hand, _RACK[0], _RACK[1] + 1.5, 0.5, things)
        for thing in things:
            thing.glide(self.t, self.t + 0.15, Pose(_RACK[0], 4.4, 0, 1))
            thing.until = self.t + 0.15
        self.wait(0.15)

    def settle(self, box: int, chips: list[Thing], paid: int, lost: bool) -> list[Thing]:
        """Pay ``paid`` beside the bet or take the chips. Returns what lies there then."""
        hand = self.hand_for(f"box{box}")
        x, y = self.places.spot(f"box{box}", "bet")
        if lost:
            self.reach(hand, x - 3.0, y - 0.5, 0.45)
            begin = self.t
            for chip in chips:
                chip.glide(begin, begin + 0.25, Pose(x - 3 + self.jitter(0.4), y - 0.8))
            self.wait(0.3)
            self.reach(hand, _REST["left"].x - 18, -14, 0.5, chips)
            for chip in chips:
                chip.until = self.t
            return []
        start = hand.last
        new = [
            self._new(sprite, Pose(start.x + self.jitter(0.1), start.y - 0.2 - 0.16 * k))
            for k, sprite in enumerate(_chips(paid))
        ]
        self.reach(hand, x - 3.1, y + 3.2, 0.5, new)
        self.wait(0.1)
        return chips + new

    def take_chips(self, laid: dict[int, list[Thing]]) -> None:
        """The players take what is theirs, all at once."""
        begin = self.t
        for box, chips in laid.items():
            if not chips:
                continue
            self.t = begin + self.rng.uniform(0, 0.2)
            hand = self.hands[f"player{box}"]
            x, y = self.places.spot(f"box{box}", "bet")
            self.reach(hand, x - 3.2, y + 2.5, 0.5)
            gather = self.t
            for chip in chips:
                chip.glide(gather, gather + 0.25, Pose(x - 3 + self.jitter(0.8), y + 2.2))
            self.wait(0.3)
            self.reach(hand, hand.keys[0][1].x, 72, 0.55, chips)
            for chip in chips:
                chip.until = self.t
        self.t = begin + 1.65

    def hover(self, zone: str) -> None:
        """A hand passes slowly over cards that lie open, there and back."""
        hand = self.hand_for(zone)
        x, y = self.places.cards(zone)
        self.reach(hand, x - 12, y + 4, 0.6)
        self.reach(hand, x + 13, y + 5.5, 1.5)
        self.reach(hand, x - 4, y + 3.5, 1.3)
        self.retreat(hand, 0.6)


def _chips(amount: int) -> list[str]:
    """Sprites of the fewest chips that make the amount, the largest first."""
    chips = []
    for value in CHIPS:
        count, amount = divmod(amount, value)
        chips += [f"chip{value}"] * count
    if amount:
        raise ValueError(f"no chips for the last {amount}")
    return chips
