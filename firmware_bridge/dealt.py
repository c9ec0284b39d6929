"""Cards that were dealt first, entered on the panel: the flop among the board, or the hand of a box
before it took more. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from firmware_bridge.asks import question_of
from firmware_bridge.protocol import COLUMNS
from firmware_bridge.view import (
    DECK_RANKS,
    DECK_SUITS,
    Action,
    Ask,
    Dealt,
    Snapshot,
    Translate,
    View,
    ascii_text,
    cards_at,
    place_of,
    zone_name,
)

Step = tuple[View, list[Action]]
_BOARD: Final = "board"


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


def settle(view: View, snapshot: Snapshot) -> View:
    """The view after the table has changed: a question answered, or gone by itself, is left."""
    dealt = view.dealt
    if dealt is None or question_of(snapshot, dealt.question) is not None:
        return view
    return replace(view, dealt=None, ask=None if dealt.sent else Ask(dealt.question, gone=True))


def press(view: View, button: str, snapshot: Snapshot, translate: Translate) -> Step:
    """A press while the cards are entered: plus and minus change the rank (on the board: the card),
    exchange the suit, confirm takes the card, and with the last one enters them all; fold takes
    the last one back."""
    dealt = view.dealt
    assert dealt is not None
    if button in ("plus", "minus", "exchange"):
        card = _turned(dealt, button, snapshot)
        return replace(view, dealt=replace(dealt, card=card)), []
    if button == "fold":
        return replace(view, dealt=replace(dealt, cards=dealt.cards[:-1], sent=False)), []
    if button == "confirm":
        return _take(view, dealt, snapshot, translate)
    return view, []


def _turned(dealt: Dealt, button: str, snapshot: Snapshot) -> str:
    turn = -1 if button == "minus" else 1
    if dealt.zone == _BOARD:
        lying = cards_at(place_of(snapshot, _BOARD) or {}) or (dealt.card,)
        at = lying.index(dealt.card) if dealt.card in lying else -turn
        return lying[(at + turn) % len(lying)]
    rank, suit = dealt.card[0], dealt.card[1]
    if button == "exchange":
        return rank + DECK_SUITS[(DECK_SUITS.index(suit) + 1) % len(DECK_SUITS)]
    return DECK_RANKS[(DECK_RANKS.index(rank) + turn) % len(DECK_RANKS)] + suit


def _take(view: View, dealt: Dealt, snapshot: Snapshot, translate: Translate) -> Step:
    cards = dealt.cards
    if len(cards) < dealt.needed:
        if dealt.card in cards:
            return replace(view, notice=translate(_("Already taken"))), []
        cards = (*cards, dealt.card)
    if len(cards) < dealt.needed:
        lying = cards_at(place_of(snapshot, dealt.zone) or {})
        following = next((card for card in lying if card not in cards), dealt.card)
        return replace(view, dealt=replace(dealt, cards=cards, card=following)), []
    body = {"zone": dealt.zone, "dealt": list(cards)}
    return replace(view, dealt=replace(dealt, cards=cards, sent=True)), [("cards", body)]


def lines(dealt: Dealt, translate: Translate) -> list[str]:
    """The place and the count, the cards taken, the card in question, the keys."""
    count = f"{len(dealt.cards)}/{dealt.needed}"
    name = f"{translate(_('Dealt'))} {zone_name(dealt.zone, translate)}"
    keys = _("+- card") if dealt.zone == _BOARD else _("+- rank  EXCH: suit")
    return [
        ascii_text(name)[: COLUMNS - len(count) - 1].ljust(COLUMNS - len(count)) + count,
        " ".join(dealt.cards),
        f"= {dealt.card}",
        translate(keys),
    ]
