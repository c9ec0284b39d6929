"""The state of a round: what was seen and entered so far, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

from kiosk.cards import Card
from kiosk.sightings import Box as PixelBox
from kiosk.sightings import Doubt, TableView, ZoneView
from kiosk.table.events import Action, Given, Prize
from kiosk.table.places import BOARD, DEALER, DEALER_SMALL, box_of, is_small, small_of, zone_of
from kiosk.table.plan import Plan, Shape, plan_for
from kiosk.table.reason import Kept

__all__ = [
    "BOARD",
    "DEALER",
    "DEALER_SMALL",
    "Asked",
    "BoxState",
    "Core",
    "HandCard",
    "RoundSettings",
    "ZoneState",
    "bare_core",
    "expected_in",
    "hands_of",
    "small_of",
    "zone_of",
]


@dataclass(frozen=True, slots=True)
class RoundSettings:
    """What a round is played under. Amounts in money, times in seconds. UserError: no such house.

    ``card``: the house as it was read when these settings were made; it is not read again.
    ``settle_after``: a hand must lie still this long before it is known. ``doubt_after``: a doubt
    or conflict is asked about when it lasts this long. ``question_after``: missing cards are asked
    about when the zone was still this long. ``shown_after``: cards dealt first (a flop, the hand
    of a box with a bonus) are taken as such when they lie alone this long. ``order``: boxes are
    worked off from the last seat to the first or the other way. ``clear_after``: the felt must be
    bare this long before the next hand. ``linger``: the demo shows a settlement at least this
    long. ``unanswered``: a box of a training hand that was shown without an answer holds the hand
    until it is answered or overruled, or is only counted.
    """

    house: str = "russian-a"
    mode: Literal["training", "demo"] = "training"
    order: Literal["last-first", "first-last"] = "last-first"
    boxes: tuple[int, ...] = (1, 2, 3, 4)
    ante_min: Decimal = Decimal(100)
    ante_max: Decimal = Decimal(1000)
    max_payout: Decimal | None = Decimal(50000)
    currency: str = "₽"
    chips: tuple[Decimal, ...] = tuple(Decimal(n) for n in (1000, 500, 100, 25, 5))
    settle_after: float = 0.3
    doubt_after: float = 1.0
    question_after: float = 3.0
    shown_after: float = 1.5
    clear_after: float = 2.0
    linger: float = 4.0
    unanswered: Literal["held", "counted"] = "held"
    card: Plan | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.card is None or self.card.name != self.house:
            object.__setattr__(self, "card", plan_for(self.house))

    @property
    def plan(self) -> Plan:
        """The game of the house."""
        assert self.card is not None
        return self.card

    @property
    def zones(self) -> tuple[str, ...]:
        """Zone ids of the game: the shared places, the dealer's first, then the boxes."""
        return self.plan.zones(self.boxes)


@dataclass(frozen=True, slots=True)
class HandCard:
    """One card of a hand. ``seen``: the machine's name for it, None when only a person has named
    it. ``place``: index box where the machine saw it, in pixels."""

    card: Card
    confidence: float | None = None
    source: Literal["machine", "person"] = "machine"
    seen: Card | None = None
    place: PixelBox | None = None


@dataclass(frozen=True, slots=True)
class ZoneState:
    """One zone: the last evidence (``view``) and what is held to lie or have lain there (``hand``).

    ``lying``: cards of the hand seen now. ``left``: cards that were read and vanished before the
    hand was whole. ``known``: the hand was seen whole and still. ``fixed``: it has been settled
    (shared places: it is complete), so the camera alone can no longer change it. ``touched``:
    cards of this round were seen here. ``dealt``: the cards that were dealt first, where that
    counts: the flop, the hand of a box before it took more. ``early``: the first whole hand of a
    box that was seen before the dealer's opened. ``renames``: the machine's name → what
    a person says it is (None: no card). ``answered``: doubts a person has named. ``leftover``,
    ``stale``: cards of the last round still lie here and do not count; ``unnamed``: some of these
    nobody has named, so that any card that shows may be one. ``passed``: something has been over
    the zone since its names were last taken in.
    """

    zone: str
    view: ZoneView
    hand: tuple[HandCard, ...] = ()
    lying: frozenset[Card] = frozenset()
    left: tuple[HandCard, ...] = ()
    known: bool = False
    fixed: bool = False
    touched: bool = False
    renames: tuple[tuple[Card, Card | None], ...] = ()
    answered: tuple[tuple[str, Card | None], ...] = ()
    leftover: frozenset[Card] = frozenset()
    stale: bool = False
    unnamed: bool = False
    dealt: tuple[Card, ...] = ()
    early: tuple[Card, ...] = ()
    passed: bool = False
    names_at: float = 0.0
    changed_at: float = 0.0

    @property
    def cards(self) -> tuple[Card, ...]:
        return tuple(held.card for held in self.hand)

    @property
    def bare(self) -> bool:
        """Bare felt is seen: nothing lies here and nothing covers the place. A place that is not
        read yet is not bare."""
        view = self.view
        return view.empty and not (view.cards or view.doubts or view.bodies or view.occluded)


@dataclass(frozen=True, slots=True)
class BoxState:
    """What people entered about one box. ``bets``: amounts entered, the rest are defaults; an
    amount of 0 is a bet that is not placed. ``prizes``: jackpot prizes of the box.

    ``in_play`` and ``buy``: None when nobody said. ``answers``: the trainee's settlements in order,
    ``answerers`` who gave each.
    ``at_reveal``: how many of them were given before the reveal. ``overruled``: who and why.
    """

    box: int
    in_play: bool | None = None
    action: Action = "play"
    exchanged: int = 0
    sixth: bool = False
    extra_two: bool = False
    buy: bool | None = None
    bets: tuple[tuple[str, Decimal], ...] = ()
    prizes: tuple[Prize, ...] = ()
    confirmed: bool = False
    answers: tuple[tuple[Given, ...], ...] = ()
    answerers: tuple[str, ...] = ()
    revealed: bool = False
    at_reveal: int = 0
    overruled: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """Since when something stands in the way, and whether it has been asked about."""

    id: str
    since: float
    asked: bool


@dataclass(frozen=True, slots=True)
class Core:
    """All that follows from the events of a round, and nothing else.

    ``draws``: cards the dealer drew after a purchase. ``meter``: the jackpot's, as entered.
    ``conflicts``, ``strays``, ``outside``,
    ``trouble``: the last evidence about the whole table. ``waiting``: what was seen last while the
    hand is held; it counts when the hold ends. ``settled``: boxes that have a settlement.
    ``gone``: zones seen bare since the dealer's hand was complete, this round's cards off them.
    ``kept``: reasons that stand until they are answered (``kept``).
    ``cleared``: the felt has been bare since the cards of this round lay on it; what lies there
    later belongs to the next round (``new_deal``: something does). ``short``: it was bare for less
    than the set time, so a person must say that the next round begins.
    """

    zones: tuple[ZoneState, ...]
    boxes: tuple[BoxState, ...]
    draws: tuple[HandCard, ...] = ()
    meter: Decimal | None = None
    conflicts: tuple[Card, ...] = ()
    strays: tuple[Doubt, ...] = ()
    answered_strays: frozenset[str] = frozenset()
    outside: tuple[tuple[str, tuple[Card, ...], int], ...] = ()
    trouble: str | None = None
    waiting: TableView | None = None
    held: bool = False
    hold_reason: str = ""
    shown: bool = False
    voided: tuple[str, str] | None = None
    dismissed: frozenset[tuple[str, str]] = frozenset()
    asked: tuple[Asked, ...] = ()
    kept: tuple[Kept, ...] = ()
    settled: frozenset[int] = field(default=frozenset())
    clear_since: float | None = None
    cleared: bool = False
    short: bool = False
    gone: frozenset[str] = frozenset()
    new_deal: bool = False
    done_at: float | None = None

    def zone(self, name: str) -> ZoneState:
        """The zone of that id; KeyError when the game has none."""
        for zone in self.zones:
            if zone.zone == name:
                return zone
        raise KeyError(name)

    def box(self, number: int) -> BoxState:
        """The box of that number; KeyError when the table has none."""
        for box in self.boxes:
            if box.box == number:
                return box
        raise KeyError(number)

    @property
    def dealer(self) -> ZoneState:
        return self.zones[0]

    @property
    def dealer_small(self) -> ZoneState | None:
        """The dealer's small hand, in games that have one."""
        return self._there(DEALER_SMALL)

    @property
    def board(self) -> ZoneState | None:
        """The community cards, in games that have them."""
        return self._there(BOARD)

    def _there(self, name: str) -> ZoneState | None:
        return next((zone for zone in self.zones if zone.zone == name), None)

    def small(self, box: int) -> ZoneState | None:
        """The box's small hand, in games that have one."""
        return self._there(small_of(box))

    def places(self, box: int) -> tuple[ZoneState, ...]:
        """The zones of a box: its hand, and its small hand where there is one."""
        small = self.small(box)
        hand = self.zone(zone_of(box))
        return (hand,) if small is None else (hand, small)

    def with_zone(self, new: ZoneState) -> Core:
        return replace(self, zones=tuple(new if z.zone == new.zone else z for z in self.zones))

    def with_box(self, new: BoxState) -> Core:
        return replace(self, boxes=tuple(new if b.box == new.box else b for b in self.boxes))

    def in_play(self, box: BoxState) -> bool:
        """Whether the box takes part: a person's word, else whether cards were seen there."""
        if box.in_play is not None:
            return box.in_play
        return any(zone.touched for zone in self.places(box.box))

    def is_asked(self, id: str) -> bool:
        return any(entry.id == id and entry.asked for entry in self.asked)


def bare_core(settings: RoundSettings, t: float) -> Core:
    """A round in which nothing has been seen or entered."""
    return Core(
        zones=tuple(
            ZoneState(name, ZoneView(name), names_at=t, changed_at=t) for name in settings.zones
        ),
        boxes=tuple(BoxState(box) for box in settings.boxes),
    )


def hands_of(box: BoxState, shape: Shape) -> tuple[tuple[str, int], ...]:
    """The zones of a box with the number of cards each should show (RP-DEC-3, SP-DEC-1)."""
    hand = (zone_of(box.box), shape.box_cards + (1 if box.sixth else 0))
    return (hand, (small_of(box.box), shape.small_cards)) if shape.small_cards else (hand,)


def expected_in(core: Core, zone: str, plan: Plan) -> int:
    """How many cards the zone should show once all are dealt."""
    number = box_of(zone)
    if number is not None:
        return dict(hands_of(core.box(number), plan.shape))[zone]
    if is_small(zone):
        return plan.shape.small_cards
    return plan.board_cards if zone == BOARD else plan.shape.dealer_cards
