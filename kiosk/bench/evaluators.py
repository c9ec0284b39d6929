"""Hand evaluators beside the kiosk's own: what each takes and how it is called from Python.

The others are optional (``pip install 'dealer-kiosk[bench]'``) and imported only here. Each gets
its hands ready made in its own form; only the evaluation is timed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kiosk.cards import DECK, Card
from kiosk.rules.batch import evaluate_many
from kiosk.rules.evaluate import best_hand

Ids = NDArray[np.uint8]
Hands = Sequence[Sequence[Card]]


class MissingError(Exception):
    """A library that is not installed."""


@dataclass(frozen=True, slots=True)
class Evaluator:
    """``one``: runs over prepared hands one call a hand. ``many``: evaluates them together, the
    quickest way that the library's Python interface offers."""

    name: str
    prepare_one: Callable[[Ids], Any]
    one: Callable[[Any], object]
    prepare_many: Callable[[Ids], Any]
    many: Callable[[Any], object]


def dealt(ids: Ids) -> Hands:
    """Rows of indices into DECK as cards."""
    return [[DECK[card] for card in row] for row in ids.tolist()]


def _each(call: Callable[[Any], object]) -> Callable[[Any], object]:
    def run(hands: Iterable[Any]) -> None:
        for hand in hands:
            call(hand)

    return run


def _together(call: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda hands: [call(hand) for hand in hands]


def _loaded(distribution: str, module: str) -> tuple[str, Any]:
    try:
        return f"{distribution} {metadata.version(distribution)}", import_module(module)
    except (metadata.PackageNotFoundError, ImportError):
        raise MissingError(distribution) from None


def _plain(name: str, prepare: Callable[[Ids], Any], call: Callable[[Any], object]) -> Evaluator:
    return Evaluator(name, prepare, _each(call), prepare, _together(call))


def kiosk() -> Evaluator:
    """Ours: ``best_hand`` one by one, ``evaluate_many`` together."""
    return Evaluator("kiosk", dealt, _each(best_hand), lambda ids: ids, evaluate_many)


def phevaluator() -> Evaluator:
    """Integer ids, its quickest form: rank × 4 + suit."""
    name, module = _loaded("phevaluator", "phevaluator")
    evaluate = module.evaluate_cards

    def prepare(ids: Ids) -> list[list[int]]:
        return [[card % 13 * 4 + card // 13 for card in row] for row in ids.tolist()]

    def one(hands: list[list[int]]) -> None:
        for hand in hands:
            evaluate(*hand)

    return Evaluator(name, prepare, one, prepare, lambda hands: [evaluate(*h) for h in hands])


def eval7() -> Evaluator:
    """Its own card objects."""
    name, module = _loaded("eval7", "eval7")

    def prepare(ids: Ids) -> list[list[Any]]:
        return [[module.Card(str(card)) for card in hand] for hand in dealt(ids)]

    return _plain(name, prepare, module.evaluate)


def treys() -> Evaluator:
    """Its integers; two cards as the hand, the others as the board."""
    name, module = _loaded("treys", "treys")
    evaluate = module.Evaluator().evaluate

    def prepare(ids: Ids) -> list[tuple[list[int], list[int]]]:
        hands = [[module.Card.new(str(card)) for card in hand] for hand in dealt(ids)]
        return [(hand[:2], hand[2:]) for hand in hands]

    return _plain(name, prepare, lambda hand: evaluate(*hand))


def pokerkit() -> Evaluator:
    """``StandardHighHand.from_game`` with its own card objects."""
    name, module = _loaded("pokerkit", "pokerkit")
    from_game = module.StandardHighHand.from_game

    def prepare(ids: Ids) -> list[list[Any]]:
        texts = ("".join(map(str, hand)) for hand in dealt(ids))
        return [list(module.Card.parse(text)) for text in texts]

    return _plain(name, prepare, from_game)


OTHERS: dict[str, Callable[[], Evaluator]] = {
    "phevaluator": phevaluator,
    "eval7": eval7,
    "treys": treys,
    "pokerkit": pokerkit,
}
"""Name of the distribution → its evaluator. Raises MissingError where it is not installed."""
