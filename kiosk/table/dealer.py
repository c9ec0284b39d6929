"""What counts for every box: the dealer's hand and the board, when they are complete, and the cards
drawn after the dealer's game was bought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kiosk.cards import Card
from kiosk.table.plan import Plan
from kiosk.table.state import (
    BoxState,
    Core,
    RoundSettings,
    ZoneState,
    expected_in,
    hands_of,
)
from kiosk.table.zones import hand_card, names_now


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where a purchase stands. ``current``: the hand after the draws so far; ``discard``: the card
    to go next; ``due``: a further card must be drawn; ``game``: ``current`` is a game."""

    current: tuple[Card, ...]
    game: bool
    due: bool
    discard: Card


def drawing(
    cards: Sequence[Card], draws: Sequence[Card], plan: Plan, board: Sequence[Card] = ()
) -> Drawing:
    """Follows the draws through a complete hand (RP-BUY-2, RP-BUY-3).

    ``due`` is what would be drawn if somebody bought; it is False when the first hand is a game.
    ``board``: community cards.
    """
    return _drawing(tuple(cards), tuple(draws), plan, tuple(board))


@lru_cache(maxsize=256)
def _drawing(
    cards: tuple[Card, ...], draws: tuple[Card, ...], plan: Plan, board: tuple[Card, ...]
) -> Drawing:
    hand = list(cards)
    due = not plan.has_game(hand, board)
    for count, draw in enumerate(draws):
        discard = max(hand, key=lambda card: card.value)
        hand.remove(discard)
        hand.append(draw)
        again = plan.house.buy.free_repeat == "loop" or (
            plan.house.buy.free_repeat == "once" and count == 0
        )
        due = again and draw.rank == discard.rank and not plan.has_game(hand, board)
    highest = max(hand, key=lambda card: card.value)
    return Drawing(tuple(hand), plan.has_game(hand, board), due, highest)


def is_complete(core: Core) -> bool:
    """The dealer's dealt hand, and the board where there is one, are whole and accepted."""
    board = core.board
    return core.dealer.fixed and (board is None or board.fixed)


def drawing_of(core: Core, plan: Plan) -> Drawing | None:
    """The purchase of this round; None before the dealer's hand is complete."""
    if not is_complete(core):
        return None
    board = core.board.cards if core.board is not None else ()
    return drawing(core.dealer.cards, [h.card for h in core.draws], plan, board)


def buyers(core: Core) -> tuple[BoxState, ...]:
    """Boxes for which a person entered a purchase."""
    return tuple(b for b in core.boxes if b.buy and b.action == "play" and core.in_play(b))


def fix_shared(core: Core, zone: ZoneState, plan: Plan, blocked: bool) -> Core:
    """Accepts a hand that counts for every box once it is whole, still and unquestioned."""
    whole = len(zone.hand) == expected_in(core, zone.zone, plan)
    if zone.fixed or blocked or not zone.known or not whole:
        return core
    return core.with_zone(replace(zone, fixed=True))


def flop_of(core: Core) -> tuple[Card, ...]:
    """The cards of the board that were dealt first; none when they were not seen alone."""
    board = core.board
    if board is None or not set(board.dealt) <= set(board.cards):
        return ()
    return board.dealt


def board_cards(core: Core) -> tuple[Card, ...]:
    """The board in the order of dealing as far as that is known: the flop first."""
    flop = flop_of(core)
    board = core.board.cards if core.board is not None else ()
    return (*flop, *(card for card in board if card not in flop))


def dealer_small(core: Core) -> tuple[Card, ...]:
    """The dealer's small hand once it is whole and accepted (SP-DEAL-2)."""
    zone = core.dealer_small
    return zone.cards if zone is not None and zone.fixed else ()


def small_due(core: Core, plan: Plan) -> bool:
    """Whether the dealer has a game, dealt or bought, to deal the small hand for (SP-DEAL-2)."""
    state = drawing_of(core, plan)
    return state is not None and (state.game or plan.house.split.half_no_game_base == "deal")


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
    """The box needs no more cards: it folded, or its hands are known and of the right size."""
    if box.action == "fold":
        return True
    return all(
        core.zone(name).known and len(core.zone(name).hand) == size
        for name, size in hands_of(box, plan.shape)
    )
