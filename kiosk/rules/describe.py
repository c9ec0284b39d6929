"""What a hand on the table is, for display before it is settled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kiosk.cards import Card
from kiosk.rules.card_checks import hand_size
from kiosk.rules.catalogue import catalogue
from kiosk.rules.houses import load_house
from kiosk.rules.options import House
from kiosk.rules.prices import worth
from kiosk.rules.words import combination


def describe(
    cards: Sequence[Card | str],
    house: House | str,
    board: Sequence[Card | str] = (),
    language: str = "en",
) -> dict[str, Any]:
    """The combination(s) of a hand in the game of the house, the dealer's hand unknown.

    Returns ``{"combinations": [slug, …], "names": [text, …], "significant": [[card, …], …],
    "best": [card, …], "pays": coefficient on BET when the box wins}`` with cards as texts; empty
    lists and None while the hand has not the number of cards of the game, or a card stands there
    twice. ``board``: Texas community cards. Raises BadCardError, HouseError.
    """
    rules = load_house(house) if isinstance(house, str) else house
    held = tuple(map(_card, cards))
    shared = tuple(map(_card, board))
    if not _complete(rules, held, shared):
        return {"combinations": [], "names": [], "significant": [], "best": [], "pays": None}
    value = worth(rules, held, shared)
    words = catalogue(language)
    return {
        "combinations": [item.kind.slug for item in value.combinations],
        "names": [combination(item, words) for item in value.combinations],
        "significant": [[str(card) for card in item.cards] for item in value.combinations],
        "best": [str(card) for card in value.hand.cards],
        "pays": value.pays,
    }


def _card(card: Card | str) -> Card:
    return card if isinstance(card, Card) else Card.parse(card)


def _complete(house: House, held: tuple[Card, ...], board: tuple[Card, ...]) -> bool:
    if len({*held, *board}) != len(held) + len(board):
        return False
    size = hand_size(house.game)
    if house.game == "texas":
        return len(held) == size and 3 <= len(board) <= 5
    return not board and (len(held) == size or (len(held) == 6 and house.sixth.fee is not None))
