"""Evaluates very many hands at once with numpy: for enumerations, odds and benchmarks.

Cards are indices into ``kiosk.cards.DECK``. A score is an integer: higher is better, equal is a
stand-off, ``score >> KIND_SHIFT`` is the Combo. The order is that of ``evaluate.best_hand``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from kiosk.cards import DECK, Card
from kiosk.rules.evaluate import Combo

KIND_SHIFT = 26
FIRST_SHIFT = 13
_ALL = 1 << 13
_CHUNK = 4000
"""Hands at a time: small enough that the memory in use is kept and not mapped anew each time."""

Scores = NDArray[np.int32]
Ids = NDArray[np.uint8]
Masks = NDArray[np.int64]

INDEX = {card: index for index, card in enumerate(DECK)}


def ids_of(cards: Iterable[Card]) -> list[int]:
    """Cards as the indices that this module takes."""
    return [INDEX[card] for card in cards]


def _top(mask: int, count: int) -> int:
    """The ``count`` highest bits of a mask of ranks."""
    kept = 0
    while mask and count:
        bit = 1 << (mask.bit_length() - 1)
        kept, mask, count = kept | bit, mask ^ bit, count - 1
    return kept


def _run(mask: int) -> int:
    """The highest card (as a bit) of the best five-card sequence in a mask of ranks; 0 if none."""
    wide = (mask << 1) | (mask >> 12 & 1)
    for high in range(13, 3, -1):
        if wide >> (high - 4) & 31 == 31:
            return 1 << (high - 1)
    return 0


def _kind(combo: Combo) -> int:
    return int(combo) << KIND_SHIFT


def _straight_score(mask: int) -> int:
    high = _run(mask)
    return _kind(Combo.STRAIGHT) | high if high else 0


def _suit_score(mask: int) -> int:
    """What five or more cards of one suit are worth."""
    if mask.bit_count() < 5:
        return 0
    high = _run(mask)
    if high:
        return _kind(Combo.ROYAL_FLUSH if high == _ALL >> 1 else Combo.STRAIGHT_FLUSH) | high
    return _kind(Combo.FLUSH) | _top(mask, 5)


def _pairs_score(mask: int) -> int:
    """Combination part of a hand whose ranks held twice are ``mask`` and none three times."""
    combos = (Combo.HIGH_CARD, Combo.PAIR, Combo.TWO_PAIR)
    combo = combos[min(mask.bit_count(), 2)]
    return _kind(combo) | _top(mask, 2) << FIRST_SHIFT


def _table(value: Callable[[int], int]) -> Scores:
    return np.array([value(mask) for mask in range(_ALL)], np.int32)


_SUIT = _table(_suit_score)
_STRAIGHT = _table(_straight_score)
_PAIRS = _table(_pairs_score)
_TOPS = {count: _table(partial(_top, count=count)) for count in (1, 2, 3, 5)}
_ROWS = 3 << FIRST_SHIFT
_LOOSE = _table(
    lambda mask: (~_top(mask, 2) & (_ALL - 1)) | min(mask.bit_count(), 2) << FIRST_SHIFT
).astype(np.int64)
"""By the ranks held twice: a mask of the ranks that are side cards, and the row of ``_SIDE``."""
_SIDE = np.concatenate([_TOPS[5], _TOPS[3], _TOPS[1]])
"""Side cards by number of pairs (row) and mask of the other ranks."""
_ACE_KING_SIDE = _SIDE.copy()
_ACE_KING_SIDE[3 << 11 : _ALL] += _kind(Combo.ACE_KING) - _kind(Combo.HIGH_CARD)
_COUNTS = 52
_CARDS = np.array(
    [(1 << (13 * (i // 13) + i % 13)) + (1 << (_COUNTS + 3 * (i // 13))) for i in range(52)],
    np.uint64,
)
"""A card as a bit of 52, and above them one more in the count of its suit."""
_FLUSH_SUIT = np.array(
    [
        next((suit + 1 for suit in range(4) if counts >> 3 * suit & 7 >= 5), 0)
        for counts in range(1 << 12)
    ],
    np.int8,
)
"""By the counts of the four suits: the suit held five times or more, from 1; 0 for none."""


def evaluate_many(ids: Ids, ace_king: bool = True) -> Scores:
    """Scores of hands of five, six or seven cards.

    ``ids``: shape (number of hands, number of cards), indices into DECK, no card twice in a hand
    (not checked). ``ace_king``: as in ``best_hand``. Returns int32 of shape (number of hands,).
    """
    if ids.ndim != 2 or not 5 <= ids.shape[1] <= 7:
        raise ValueError(f"expected hands of 5 to 7 cards in rows, not an array of {ids.shape}")
    scores = np.empty(len(ids), np.int32)
    side = _ACE_KING_SIDE if ace_king else _SIDE
    for start in range(0, len(ids), _CHUNK):
        columns = np.ascontiguousarray(ids[start : start + _CHUNK].T)
        boards = _CARDS.take(columns[0])
        for column in columns[1:]:
            boards += _CARDS.take(column)
        scores[start : start + _CHUNK] = _scores(boards.view(np.int64), side)
    return scores


def _scores(boards: Masks, side: Scores) -> Scores:
    """Scores of hands given as 52 bits, suit by suit, under the counts of suits.

    Masks are 64 bits wide although 13 would do: indices of that width are taken without copying.
    """
    a, b, c, d = (boards >> shift & (_ALL - 1) for shift in (0, 13, 26, 39))
    ab, cd, either, other = a & b, c & d, a | b, c | d
    ranks = either | other
    two = ab | cd | (either & other)
    three = (ab & other) | (cd & either)
    score = side.take((ranks | _ROWS) & _LOOSE.take(two))
    score += _PAIRS.take(two)
    many = np.flatnonzero(three)
    if len(many):
        score[many] = _with_three(ranks[many], two[many], three[many], (ab & cd)[many])
    np.maximum(score, _STRAIGHT.take(ranks), out=score)
    suits = _FLUSH_SUIT.take(boards >> _COUNTS & 4095)
    flushes = np.flatnonzero(suits)
    if len(flushes):
        shifts = 13 * (suits[flushes].astype(np.int64) - 1)
        held = _SUIT.take(boards[flushes] >> shifts & (_ALL - 1))
        score[flushes] = np.maximum(score[flushes], held)
    return score


def _with_three(ranks: Masks, two: Masks, three: Masks, four: Masks) -> Scores:
    """Three of a kind, full house and four of a kind."""
    top = _TOPS[1].take(three)
    pair = _TOPS[1].take(two & ~top)
    loose = _TOPS[2].take(ranks & ~top)
    score = np.where(
        pair > 0,
        _kind(Combo.FULL_HOUSE) | top << FIRST_SHIFT | pair,
        _kind(Combo.THREE_OF_A_KIND) | top << FIRST_SHIFT | loose,
    )
    held = _TOPS[1].take(four)
    alone = _TOPS[1].take(ranks & ~held)
    fours = _kind(Combo.FOUR_OF_A_KIND) | held << FIRST_SHIFT | alone
    chosen: Scores = np.where(held > 0, fours, score).astype(np.int32)
    return chosen
