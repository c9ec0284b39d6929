"""Whole rounds, step after step, and when each hand lies open."""

from __future__ import annotations

from dataclasses import dataclass, field

from kiosk.cards import Card
from models.training.recording import felt
from models.training.recording.direction import Director
from models.training.recording.stories import STORIES, Story

READ = 3.6
"""Seconds that an opened hand lies still."""
CLEAR = 3.2
"""Seconds of bare felt between two rounds."""


@dataclass
class Shown:
    """One hand of cards that lies open from ``since`` to ``until`` (seconds)."""

    zone: str
    cards: tuple[Card, ...]
    since: float
    until: float = 0.0


@dataclass
class Act:
    """One round as it was directed: times in seconds of the recording."""

    story: Story
    start: float
    shown: list[Shown] = field(default_factory=list)
    cleared: float = 0.0


def play_round(director: Director, story: Story, results: dict[int, tuple[int, bool]]) -> Act:
    """One whole round. ``results``: box → (amount paid, whether it loses)."""
    act = Act(story, director.t)
    boxes = [box for box, _ in story.boxes]
    hands = {f"box{box}": list(cards) for box, cards in story.boxes} | {
        "dealer": list(story.dealer)
    }
    for hand_cards in hands.values():
        director.rng.shuffle(hand_cards)
    laid = director.bets(boxes, "ante", 1, "chip100")
    dealt = director.deal(boxes, hands)
    director.t -= 0.3
    for box, chips in director.bets(boxes, "bet", 2, "chip100").items():
        laid[box] += chips
    director.open("dealer", dealt["dealer"], story.dealer)
    dealer = Shown("dealer", story.dealer, director.t)
    act.shown.append(dealer)
    director.wait(2.6)
    for number, (box, cards) in enumerate(story.boxes):
        zone = f"box{box}"
        director.open(zone, dealt[zone], cards)
        shown = Shown(zone, cards, director.t)
        director.wait(READ)
        shown.until = director.t
        act.shown.append(shown)
        if story.hover and number == 0:
            director.hover("dealer")
            director.wait(0.6)
            shown.until = director.t
        paid, lost = results[box]
        laid[box] = director.settle(box, laid[box], paid, lost)
        hand = director.hand_for(zone)
        director.sweep(hand, dealt[zone])
        director.retreat(hand)
    director.wait(0.2)
    dealer.until = director.t
    hand = director.hands["right"]
    begin = director.t
    director.take_chips(laid)
    taken, director.t = director.t, begin
    director.sweep(hand, dealt["dealer"])
    director.retreat(hand)
    director.t = max(director.t, taken)
    act.cleared = director.t
    director.wait(CLEAR)
    return act


def direct(seed: int, results: list[dict[int, tuple[int, bool]]]) -> tuple[Director, list[Act]]:
    """The whole recording: its director, and its rounds.

    ``results``: per story, per box, amount paid and whether it loses.
    """
    director = Director(seed, felt.places())
    director.wait(0.8)
    acts = []
    for story, result in zip(STORIES, results, strict=True):
        acts.append(play_round(director, story, result))
    return director, acts
