"""What can be drilled, in the order in which it is taught, and how a round for it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from kiosk.rules.aims import AIMS
from kiosk.rules.options import House
from kiosk.rules.slip_texts import CATEGORY_OF, possible

Form = Literal["hand", "game", "settle", "amount", "order"]
"""What the trainee is asked: name the hand, say whether the dealer has a game, settle a box, work
out one payment, put steps or seats in order."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to ask. ``aim``: what the round must show (``kiosk.rules.aims``). ``damaged``: a
    hand has a card too many or too few."""

    form: Form
    aim: str | None = None
    damaged: bool = False

    def fits(self, house: House) -> bool:
        return self.aim is None or AIMS[self.aim].fits(house)


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic. ``decoy``: every so often a round without what the topic is about, so that the
    topic itself does not give the answer away."""

    name: str
    variants: tuple[Variant, ...]
    needs: Callable[[House], bool] = lambda house: True
    decoy: Variant | None = None

    def fits(self, house: House) -> bool:
        return self.needs(house) and any(variant.fits(house) for variant in self.variants)

    def for_house(self, house: House) -> tuple[Variant, ...]:
        """The variants that the house can show."""
        return tuple(variant for variant in self.variants if variant.fits(house))


_PLAIN = Variant("settle")


def _settle(*aims: str) -> tuple[Variant, ...]:
    return tuple(Variant("settle", aim) for aim in aims)


TOPICS: Mapping[str, Topic] = {
    topic.name: topic
    for topic in (
        Topic("hands", (Variant("hand", "high-hand"), Variant("hand"))),
        Topic("qualification", (Variant("game"), Variant("game", "no-game"))),
        Topic("paying", (Variant("amount", "high-hand"), Variant("amount"))),
        Topic("comparing", _settle("near-tie", "stand-off"), decoy=_PLAIN),
        Topic("no-game", _settle("no-game"), decoy=_PLAIN),
        Topic(
            "doubles",
            (Variant("hand", "second-combination"), *_settle("second-combination")),
            decoy=Variant("hand"),
        ),
        Topic("buying", _settle("bought", "bought-failed"), decoy=_PLAIN),
        Topic("insurance", _settle("insurance", "insurance-returned")),
        Topic("side-bets", _settle("bonus-doubled", "bonus-paid", "pair-plus", "ante-bonus")),
        Topic("half-payout", _settle("half-payout")),
        Topic("small-hands", _settle("small-hand-lower"), decoy=_PLAIN),
        Topic("cap", _settle("cap-reached")),
        Topic("order", (Variant("order"),)),
        Topic("card-count", (Variant("settle", damaged=True),), decoy=_PLAIN),
        Topic("whole-box", (_PLAIN,)),
    )
}
"""Topics by name, in teaching order."""

REST = "whole-box"
"""The topic that any round belongs to."""

_TOPIC_OF_CATEGORY = {
    "misread-hand": "comparing",
    "second-combination": "doubles",
    "wrong-row": "paying",
    "side-bet": "side-bets",
    "qualification": "no-game",
    "arithmetic": "paying",
    "cap": "cap",
    "house-rule": REST,
}
_TOPIC_OF_SLIP = {
    "insurance-taken": "insurance",
    "insurance-not-paid": "insurance",
    "half-not-taken": "half-payout",
    "half-of-first": "half-payout",
    "half-forgotten": "half-payout",
    "small-hand-reversed": "small-hands",
    "failed-purchase-lost": "buying",
    "failed-purchase-paid": "buying",
}

_AIMS_OF_SLIP = {
    "side-cards-overlooked": ("near-tie",),
    "second-missed": ("second-combination",),
    "second-not-paid-below": ("second-combination",),
    "duplicate-as-pair": ("second-combination",),
    "cap-forgotten": ("cap-reached",),
    "cap-without-ante": ("cap-reached",),
    "half-forgotten": ("half-payout",),
    "half-of-first": ("half-payout",),
    "half-not-taken": ("half-payout",),
    "insurance-taken": ("insurance-returned",),
    "insurance-not-paid": ("bought", "insurance"),
    "bonus-not-doubled": ("bonus-doubled",),
    "bonus-stake-left": ("bonus-doubled", "bonus-paid"),
    "bonus-stake-taken": ("bonus-paid",),
    "bonus-doubles-both": ("bonus-doubled",),
    "bet-paid-without-game": ("no-game",),
    "no-game-overlooked": ("no-game",),
    "failed-purchase-lost": ("bought-failed",),
    "failed-purchase-paid": ("bought-failed",),
    "small-hand-reversed": ("small-hand-lower",),
    "pair-plus-missed": ("pair-plus",),
    "ante-bonus-missed": ("ante-bonus",),
    "ante-even": ("high-hand",),
}
"""Where a slip is likely to be possible; the others are in any round."""


def aims_for_slip(slip: str, house: House) -> tuple[str | None, ...]:
    """Aims under which a round lets the slip happen, and no aim at all."""
    aims = _AIMS_OF_SLIP.get(slip, ())
    return (*(aim for aim in aims if AIMS[aim].fits(house)), None)


def topics_of(house: House) -> tuple[str, ...]:
    """Names of the topics that the house has, in teaching order."""
    return tuple(name for name, topic in TOPICS.items() if topic.fits(house))


def topic_of_slip(slip: str, house: House) -> str:
    """The topic that a slip belongs to in this house."""
    wanted = _TOPIC_OF_SLIP.get(slip) or _TOPIC_OF_CATEGORY[CATEGORY_OF[slip]]
    return wanted if TOPICS[wanted].fits(house) else REST


def topic_of_kind(kind: str, house: House) -> str:
    """The topic that a mistake of this kind belongs to where no usual slip explains it."""
    wanted = _TOPIC_OF_CATEGORY.get(kind, kind)
    return wanted if wanted in TOPICS and TOPICS[wanted].fits(house) else REST


@dataclass(frozen=True, slots=True, order=True)
class Item:
    """What is repeated until it stays: a topic, or a slip that the trainee has made."""

    kind: Literal["topic", "slip"]
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> Item:
        """The item of such a text. ValueError for anything else."""
        kind, _, name = text.partition(":")
        if kind == "topic" and name in TOPICS:
            return cls("topic", name)
        if kind == "slip" and name in CATEGORY_OF:
            return cls("slip", name)
        raise ValueError(f"{text[:60]!r} is nothing that can be drilled")

    def topic(self, house: House) -> str:
        return self.name if self.kind == "topic" else topic_of_slip(self.name, house)

    def fits(self, house: House) -> bool:
        if self.kind == "topic":
            return TOPICS[self.name].fits(house)
        return possible(self.name, house)


def item_of_mistake(kind: str, slip: str | None, house: House) -> Item:
    """What repeats a mistake: its slip where that can be drilled in the house, else a topic."""
    if slip in CATEGORY_OF and possible(slip, house):
        return Item("slip", slip)
    return Item("topic", topic_of_kind(kind, house))
