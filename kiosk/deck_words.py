"""What is said of a deck in one line; ``kiosk.web.part_texts`` has it in other languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.cards import Card

if TYPE_CHECKING:
    from kiosk.vision.decks import KnownDeck


def said_of(deck: KnownDeck, limit: float) -> str:
    """How well a deck is read, and all that keeps it from being settled with."""
    why = deck.why_not(limit)
    if "stale" in why:
        return f"deck {deck.name}: checked with other weights, check it again"
    read = f"deck {deck.name}: {deck.recall:.1%} read"
    if "recall" in why:
        read += f", below the limit of {limit:.0%}: not used"
    elif why:
        read += ", not used"
    parts = [read]
    if "found" in why:
        parts.append(f"its cards are found at {deck.found:.1%} of the looks only")
    if "misnamed" in why:
        names = ", ".join(Card.parse(name).symbol for name in deck.misnamed)
        parts.append(f"too often named as another card: {names}")
    return "; ".join(parts)
