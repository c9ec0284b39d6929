"""One round from the first chip to the bare felt, with what goes wrong in it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from kiosk.cards import DECK, Card
from models.training.recording.things import Thing
from models.training.simtable.croupier import Croupier
from models.training.simtable.deals import Deal, Hand
from models.training.simtable.places import CARD_W, Places

READ = 2.6
"""Seconds that an opened hand lies still."""
CLEAR = 4.2
"""Seconds of bare felt between two rounds."""
DECIDE = 2.6
"""Seconds that a flop lies alone while the boxes decide."""
SLEEVE = 5.0
"""Seconds an arm lies over cards (V7)."""


@dataclass
class Shown:
    """A hand that lies open from ``since`` to ``until``."""

    zone: str
    cards: tuple[Card, ...]
    since: float
    until: float = float("inf")


@dataclass
class SimRound:
    """One round. ``fault``: what was switched on for it, ``fault_from``: since when.

    ``bets_from``: when the bets are known. ``impossible``: zones that no settlement may rest on.
    """

    number: int
    deal: Deal
    starts: float
    things: list[Thing] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    fault: str | None = None
    fault_from: float = 0.0
    bets_from: float = 0.0
    cleared: float = 0.0
    ends: float = 0.0
    impossible: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The truth for tests."""
        return {
            "number": self.number,
            "starts": round(self.starts, 2),
            "bets_from": round(self.bets_from, 2),
            "clear_from": round(self.cleared, 2),
            "ends": round(self.ends, 2),
            "fault": self.fault,
            "fault_from": round(self.fault_from, 2) if self.fault else None,
            "impossible": list(self.impossible),
            "shown": [
                {
                    "zone": shown.zone,
                    "cards": [str(card) for card in shown.cards],
                    "since": round(shown.since, 2),
                    "until": round(shown.until, 2),
                }
                for shown in self.shown
            ],
            "case": self.deal.case,
            "expected": self.deal.expected,
        }


class _Play:
    """Plays one round."""

    def __init__(self, places: Places, deal: Deal, fault: str | None, now: SimRound, seed: int):
        self.places, self.deal, self.fault, self.round = places, deal, fault, now
        self.rng = random.Random(seed)
        self.hands = Croupier(seed, places, now.starts)
        self.cards: dict[str, list[Thing]] = {}
        self.target = self.rng.choice(["dealer", *(f"box{n}" for n in deal.boxes)])
        self.light_at = self.rng.choice(["deal", "dealer", self.target])

    def play(self) -> None:
        deal, hands = self.deal, self.hands
        numbers = sorted({*deal.boxes, *deal.folded})
        hands.wait(0.4)
        chips = {n: hands.bets([f"box{n}"]) for n in numbers}
        hands.wait(0.5)
        self._light("deal")
        self._deal(numbers)
        self.round.bets_from = hands.t
        hands.wait(DECIDE if deal.board is not None else 0.8)
        for number in deal.folded:
            hands.sweep(self.cards.pop(f"box{number}"))
        self._decided()
        self._light("dealer")
        self._open_dealer()
        for number, own in deal.boxes.items():
            self._open_box(number, own)
            hands.pay(f"box{number}", chips[number])
            hands.sweep([thing for hand in own for thing in self.cards.pop(hand.zone)])
            self._taken(*(hand.zone for hand in own))
        for number in deal.folded:
            for chip in chips[number]:
                chip.until = hands.t
        self._collect()

    def _deal(self, numbers: list[int]) -> None:
        deal, hands = self.deal, self.hands
        for number in numbers:
            own = deal.boxes.get(number)
            if own is None:
                size = len(next(iter(deal.boxes.values()))[0].cards)
                cards = [DECK[0]] * min(size, 5)  # never turned up
                self.cards[f"box{number}"] = hands.pack(f"box{number}", cards)
                continue
            whole = own[0].cards[: self._dealt_size()]
            self.cards[own[0].zone] = hands.pack(own[0].zone, whole)
        if deal.board is not None:
            self.cards["board"] = []
            for card, spot in zip(deal.board.cards[:3], self._board_spots(), strict=False):
                self.cards["board"].append(hands.add(card, spot))
        main = deal.dealer[0]
        self.cards["dealer"] = hands.pack("dealer", main.cards, deal.up)
        hands.retreat(hands.hands["left"])

    def _dealt_size(self) -> int:
        return len(self.deal.dealer[0].cards)

    def _board_spots(self) -> list[tuple[float, float]]:
        assert self.deal.board is not None
        return self.places.row("board", len(self.deal.board.cards))

    def _decided(self) -> None:
        """Cards bought come face down; small hands are laid apart; the board is completed."""
        hands = self.hands
        for own in self.deal.boxes.values():
            main = own[0]
            extra = main.cards[self._dealt_size() :]
            if extra:
                self.cards[main.zone] += hands.pack(main.zone, extra)
            for small in own[1:]:
                self.cards[small.zone] = hands.pack(small.zone, small.cards)
        if self.deal.board is not None:
            spots = self._board_spots()
            done = len(self.cards["board"])
            for card, spot in list(zip(self.deal.board.cards, spots, strict=True))[done:]:
                self.cards["board"].append(hands.add(card, spot))
            self._show(self.deal.board)
        hands.retreat(hands.hands["left"], 0.3)
        hands.wait(0.6)

    def _open_dealer(self) -> None:
        main, hands = self.deal.dealer[0], self.hands
        spots = self.places.row("dealer", len(main.cards))
        hands.open(self.cards["dealer"], main.cards, spots)
        self._show(main)
        hands.wait(READ)
        for drawn, gone in self.deal.draws:
            old = next(thing for thing in self.cards["dealer"] if thing.card == gone)
            spot = (old.last.x, old.last.y)
            self.cards["dealer"].remove(old)
            hands.sweep([old])
            hands.wait(0.8)
            self.cards["dealer"].append(hands.add(drawn, spot))
            hands.wait(READ)
        for small in self.deal.dealer[1:]:
            things = hands.pack(small.zone, small.cards)
            hands.retreat(hands.hands["left"], 0.3)
            self.cards[small.zone] = things
            hands.open(things, small.cards, self.places.row(small.zone, len(small.cards)))
            self._show(small)
            hands.wait(1.5)
        self._arm("dealer")

    def _open_box(self, number: int, own: tuple[Hand, ...]) -> None:
        self._light(f"box{number}")
        for hand in own:
            spots = self.places.row(hand.zone, len(hand.cards))
            if hand.owner == self.target and self.fault == "half" and hand is own[0]:
                spots = self._half_off(hand.zone, spots)
            if hand.owner == self.target and self.fault == "duplicate" and hand is own[0]:
                self._double(hand)
            self.hands.open(self.cards[hand.zone], self._named(hand), spots)
            self._show(hand)
        self.hands.wait(READ)
        self._arm(f"box{number}")

    def _named(self, hand: Hand) -> list[Card]:
        """The cards that really lie there, one of them possibly from another deck."""
        return [thing.card for thing in self.cards[hand.zone] if thing.card is not None]

    def _half_off(self, zone: str, spots: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """The last card of the row hangs over the zone's edge by half."""
        x1, _, x2, _ = self.places.bounds(zone)
        edge = x2 if self.rng.random() < 0.5 else x1
        if edge == x2:
            return [*spots[:-1], (edge - CARD_W * 0.02, spots[-1][1])]
        return [(edge + CARD_W * 0.02, spots[0][1]), *spots[1:]]

    def _double(self, hand: Hand) -> None:
        """One card of the hand is a card that lies on the table already."""
        other = self.deal.dealer[0].cards[0]
        thing = self.rng.choice(self.cards[hand.zone])
        thing.card = other
        self.round.impossible = (hand.owner,)

    def _arm(self, zone: str) -> None:
        if self.fault == "hands" and self.target == zone:
            self.round.fault_from = self.hands.t
            self.hands.lie_over("dealer" if self.rng.random() < 0.4 else zone, SLEEVE)
            self.hands.wait(1.0)

    def _light(self, moment: str) -> None:
        if self.light_at == moment and not self.round.fault_from:
            self.round.fault_from = self.hands.t

    def _show(self, hand: Hand) -> None:
        cards = tuple(self._named(hand))
        self.round.shown.append(Shown(hand.zone, cards, self.hands.t))

    def _taken(self, *zones: str) -> None:
        for shown in self.round.shown:
            if shown.zone in zones and shown.until == float("inf"):
                shown.until = self.hands.t

    def _collect(self) -> None:
        hands = self.hands
        hands.wait(0.4)
        for zone in [*self.cards]:
            self._taken(zone)
            hands.sweep(self.cards.pop(zone))
        self.round.cleared = hands.t
        hands.wait(CLEAR)
        self.round.ends = hands.t
        self.round.things = hands.things


def play_round(
    places: Places, deal: Deal, number: int, t: float, fault: str | None, seed: int
) -> SimRound:
    """The round that begins at ``t``; ``fault``: one of ``spec.FAULTS`` for this round."""
    made = SimRound(number, deal, t, fault=fault)
    _Play(places, deal, fault, made, seed).play()
    if fault is None:
        made.fault_from = 0.0
    return made
