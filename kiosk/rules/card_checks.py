"""Input errors that cards can have (SPEC.md section 10, rows 9 to 11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from kiosk.cards import DECK, Card
from kiosk.rules.case import BoxInput, Cards, Case, CaseError
from kiosk.rules.prices import judged_cards, judges_deal

_DEALT = {"three_card": 3, "texas": 2}
"""Cards of a hand by game; five where not named."""


def hand_size(game: str) -> int:
    """How many cards a box and the dealer are dealt in this game."""
    return _DEALT.get(game, 5)


def _refuse(kind: str, where: str, message: str) -> NoReturn:
    raise CaseError(kind, where, f"{where}: {message}")


def check_counts(case: Case) -> None:
    """Row 9: how many cards lie where; cards that a bet needs are there."""
    game, size = case.house.game, hand_size(case.house.game)
    _count("dealer.cards", case.dealer_cards, {size})
    _count("dealer.small", case.dealer_small, {2} if game == "split" else set())
    if game == "texas":
        _count("board", case.board or (), {5})
    else:
        _count("board", case.board, set())
    for index, box in enumerate(case.boxes):
        where = f"boxes[{index}]"
        _count(f"{where}.cards", *_expected_cards(box, size))
        _count(f"{where}.dealt", box.dealt, {size})
        if game == "split" and box.plays:
            _count(f"{where}.small", box.small or (), {2})
        else:
            _count(f"{where}.small", box.small, {2} if game == "split" else set())
    for index, box in enumerate(case.boxes):
        _check_side_cards(case, f"boxes[{index}]", box)


def _expected_cards(box: BoxInput, size: int) -> tuple[Cards | None, set[int]]:
    bought = "sixth" in box.bets
    if box.plays:
        return box.cards or (), {size + 1 if bought else size}
    return box.cards, {size, size + 1} if bought else {size}


def _count(where: str, cards: Cards | None, expected: set[int]) -> None:
    if cards is None or len(cards) in expected:
        return
    if not expected:
        _refuse("wrong-card-count", where, "this game has no such cards")
    wanted = " or ".join(map(str, sorted(expected)))
    _refuse("wrong-card-count", where, f"{len(cards)} cards, expected {wanted}")


def _check_side_cards(case: Case, where: str, box: BoxInput) -> None:
    """A folded box whose side bet stands must show the cards it is settled by."""
    if box.plays or box.cards is not None:
        return
    house = case.house
    if "pair_plus" in box.bets and house.pair_plus.on_fold == "settle" and box.dealt is None:
        _refuse("cards-missing", f"{where}.cards", "Pair Plus must be settled by these cards")
    if house.game == "texas" and judges_deal(house, box) and box.dealt is None:
        _refuse("cards-missing", f"{where}.cards", "the bonus must be settled by these cards")


def _places(case: Case) -> Iterator[tuple[str, Cards]]:
    """Where cards are named, those of one box joined: a card may stand in only one place."""
    yield "dealer.cards", case.dealer_cards
    yield "dealer.draws", case.dealer_draws
    yield "dealer.small", case.dealer_small or ()
    yield "board", case.board or ()
    for index, box in enumerate(case.boxes):
        where = f"boxes[{index}]"
        dealt = box.dealt or ()
        held = (box.cards or ()) + (box.small or ())
        if not held and box.cards is None:
            held, dealt = dealt, ()
        yield f"{where}.cards", held
        discarded = tuple(card for card in dict.fromkeys(dealt) if card not in held)
        if not case.house.draw.reshuffle_discards:
            yield f"{where}.dealt", discarded


def check_deck(case: Case) -> None:
    """Row 10: no card twice, and no more cards than the deck has."""
    for index, box in enumerate(case.boxes):
        if box.dealt is not None and len(set(box.dealt)) < len(box.dealt):
            _refuse("duplicate-card", f"boxes[{index}].dealt", "a card stands there twice")
    seen: dict[Card, str] = {}
    for where, cards in _places(case):
        for card in cards:
            if card in seen:
                _refuse("duplicate-card", where, f"{card} lies also in {seen[card]}")
            seen[card] = where
    used = len(case.dealer_cards) + len(case.dealer_draws) + len(case.dealer_small or ())
    used += len(case.board or ()) + sum(_used(case, box) for box in case.boxes)
    if used > len(DECK) and not case.house.draw.reshuffle_discards:
        _refuse("deck-exhausted", "boxes", f"the deal uses {used} cards, the deck has {len(DECK)}")


def _used(case: Case, box: BoxInput) -> int:
    """Cards that the deck gave to a box: dealt, exchanged, bought."""
    given = hand_size(case.house.game) + box.exchanged + ("sixth" in box.bets)
    small = case.house.game == "split" and (box.plays or "extra_two" in box.bets)
    return given + 2 * small


def check_dealt(case: Case) -> None:
    """Row 11: the dealt cards are there where a bonus is judged by them, and fit the exchange."""
    for index, box in enumerate(case.boxes):
        where = f"boxes[{index}].dealt"
        if judges_deal(case.house, box) and judged_cards(case, box) is None:
            _refuse("dealt-missing", where, "a bonus is judged by the dealt cards: enter them")
    for index, box in enumerate(case.boxes):
        where = f"boxes[{index}].dealt"
        if box.dealt is not None and box.cards is not None:
            _check_difference(case, where, box, box.dealt, box.cards)


def _check_difference(case: Case, where: str, box: BoxInput, dealt: Cards, cards: Cards) -> None:
    held = set(cards) | set(box.small or ())
    gone = len(set(dealt) - held)
    if case.house.game == "split":
        outside = 0 if "extra_two" in box.bets else len(set(dealt) - set(cards))
        if gone or outside:
            _refuse("dealt-mismatch", where, "the dealt cards are not those of the box")
        return
    may_return = case.house.draw.reshuffle_discards
    fits = gone <= box.exchanged if may_return else gone == box.exchanged
    if not fits:
        message = f"{gone} cards differ from the dealt ones, exchanged are {box.exchanged}"
        _refuse("dealt-mismatch", where, message)
