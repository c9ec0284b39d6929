"""Playing cards of one 52-card deck: values, parsing and names (SPEC.md COM-DECK-1, COM-RANK-1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

RANKS = "23456789TJQKA"
"""Rank letters from low to high (COM-RANK-1)."""

SUITS = "cdhs"
"""Suit letters: clubs, diamonds, hearts, spades. Suits have no order (COM-RANK-3)."""

SUIT_SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}

_RANK_NAMES = {
    "en": dict(
        zip(
            RANKS,
            "two three four five six seven eight nine ten jack queen king ace".split(),
            strict=True,
        )
    ),
    "ru": dict(
        zip(
            RANKS,
            "двойка тройка четвёрка пятёрка шестёрка семёрка восьмёрка девятка десятка "
            "валет дама король туз".split(),
            strict=True,
        )
    ),
}
_SUIT_NAMES = {
    "en": {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"},
    "ru": {"c": "треф", "d": "бубен", "h": "червей", "s": "пик"},
}


class BadCardError(ValueError):
    """A text that names no card of the deck."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card.

    >>> Card.parse("Td")
    Card(rank='T', suit='d')
    >>> str(Card.parse("As")), Card.parse("As").value
    ('As', 14)
    """

    rank: str
    suit: str

    def __post_init__(self) -> None:
        if len(self.rank) != 1 or self.rank not in RANKS:
            raise BadCardError(f"unknown rank {self.rank!r}: expected one of {' '.join(RANKS)}")
        if len(self.suit) != 1 or self.suit not in SUITS:
            raise BadCardError(f"unknown suit {self.suit!r}: expected one of {' '.join(SUITS)}")

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card written as rank and suit, such as ``As`` or ``Td``.

        Raises BadCardError for anything else.
        """
        if not isinstance(text, str) or len(text) != 2:
            raise BadCardError(f"{text!r} is no card: expected rank and suit, such as As or Td")
        return cls(text[0], text[1])

    @property
    def value(self) -> int:
        """Rank as a number: 2 … 14, the ace high."""
        return RANKS.index(self.rank) + 2

    @property
    def symbol(self) -> str:
        """Short form for people: ``10♦``."""
        return ("10" if self.rank == "T" else self.rank) + SUIT_SYMBOLS[self.suit]

    def name(self, language: str = "en") -> str:
        """Name in words: ``ten of diamonds``, ``десятка бубен``. Others read as English."""
        language = language if language in _RANK_NAMES else "en"
        rank, suit = _RANK_NAMES[language][self.rank], _SUIT_NAMES[language][self.suit]
        return f"{rank} of {suit}" if language == "en" else f"{rank} {suit}"

    def __str__(self) -> str:
        return self.rank + self.suit


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
"""All 52 cards, by suit and then by rank."""


def parse_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """Several cards in the order given. Raises BadCardError at the first bad one."""
    return tuple(Card.parse(text) for text in texts)
