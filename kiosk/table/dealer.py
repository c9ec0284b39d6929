"""The dealer's hand: when it is complete, and the cards drawn after its game was bought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kiosk.cards import Card
from kiosk.table.plan import Plan, plan_for
from kiosk.table.state import BoxState, Core, RoundSettings, expected_cards, zone_of
from kiosk.table.zones import hand_card, names_now


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where a purchase stands. ``current``: the hand after the draws so far; ``discard``: the card
    to go next; ``due``: a further card must be drawn; ``game``: ``current`` is a game."""

    current: tuple[Card, ...]
    game: bool
    due: bool
    discard: Card


def drawing(cards: Sequence[Card], draws: Sequence[Card], house: str) -> Drawing:
    """Follows the draws through a complete hand (RP-BUY-2, RP-BUY-3).

    ``house``: name or file. ``due`` is what would be drawn if somebody bought; it is False when
    the first hand is a game.
    """
    return _drawing(tuple(cards), tuple(draws), house)


@lru_cache(maxsize=256)
def _drawing(cards: tuple[Card, ...], draws: tuple[Card, ...], house: str) -> Drawing:
    plan = plan_for(house)
    hand = list(cards)
    due = not plan.has_game(hand)
    for count, draw in enumerate(draws):
        discard = max(hand, key=lambda card: card.value)
        hand.remove(discard)
        hand.append(draw)
        again = plan.house.buy.free_repeat == "loop" or (
            plan.house.buy.free_repeat == "once" and count == 0
        )
        due = again and draw.rank == discard.rank and not plan.has_game(hand)
    highest = max(hand, key=lambda card: card.value)
    return Drawing(tuple(hand), plan.has_game(hand), due, highest)


def is_complete(core: Core) -> bool:
    """The dealer's dealt hand is whole and has been accepted."""
    return core.dealer.fixed


def drawing_of(core: Core, plan: Plan) -> Drawing | None:
    """The purchase of this round; None before the dealer's hand is complete."""
    if not is_complete(core):
        return None
    return drawing(core.dealer.cards, [h.card for h in core.draws], plan.name)


def buyers(core: Core) -> tuple[BoxState, ...]:
    """Boxes for which a person entered a purchase."""
    return tuple(b for b in core.boxes if b.buy and b.action == "play" and core.in_play(b))


def fix_dealer(core: Core, plan: Plan, blocked: bool) -> Core:
    """Accepts the dealer's hand once it is whole, still and unquestioned."""
    zone = core.dealer
    if zone.fixed or blocked or not zone.known or len(zone.hand) != plan.shape.dealer_cards:
        return core
    return core.with_zone(replace(zone, fixed=True))


@dataclass(frozen=True, slots=True)
class DealerChange:
    """The dealer's zone shows other names than its hand.

    ``extra``: new names; ``gone``: cards of the current hand not seen; ``draw``: it is the draw
    that is due.
    """

    extra: tuple[Card, ...]
    gone: tuple[Card, ...]
    draw: bool


def dealer_change(core: Core, plan: Plan) -> DealerChange | None:
    """Compares the evidence with the accepted hand; None when it holds no new name."""
    state = drawing_of(core, plan)
    if state is None or core.dealer.view.occluded:
        return None
    names = names_now(core.dealer)
    known = {*core.dealer.cards, *(h.card for h in core.draws)}
    extra = tuple(card for card in names if card not in known)
    if not extra:
        return None
    gone = tuple(card for card in state.current if card not in names)
    draw = bool(buyers(core)) and state.due and len(extra) == 1 and gone == (state.discard,)
    return DealerChange(extra, gone, draw)


def take_draw(core: Core, plan: Plan, t: float, settings: RoundSettings, blocked: bool) -> Core:
    """Accepts the card drawn for the highest one, once it lies still."""
    change = dealer_change(core, plan)
    if change is None or not change.draw or blocked:
        return core
    if t - core.dealer.names_at < settings.settle_after:
        return core
    card = change.extra[0]
    read = names_now(core.dealer)[card]
    return replace(core, draws=(*core.draws, hand_card(card, read)))


def box_complete(core: Core, box: BoxState, plan: Plan) -> bool:
    """The box needs no more cards: it folded, or its hand is known and of the right size."""
    if box.action == "fold":
        return True
    zone = core.zone(zone_of(box.box))
    return zone.known and len(zone.hand) == expected_cards(box, plan.shape.box_cards)
