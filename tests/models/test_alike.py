"""V4: cards that look alike, by name, on drawn decks that no weights were trained on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from drawn_decks import shipped_namer, style_with

from kiosk.cards import DECK
from models.training.alike import BLACK, PAIRS, members, mixed_up, pair_of, pair_table
from models.training.sheets import Named, drawn_sheet, name_sheet, worn

MUCH = (0.0, 0.5, 1.0)
"""How much light and camera take from the sheets, one after another."""


def named_in_all_turns(fonts: list[Path], decks: int, seed: int) -> Named:
    """All 52 cards of drawn decks in these typefaces, in four turns, by the namer that ships."""
    namer, least = shipped_namer()
    rng, found = np.random.default_rng(seed), Named()
    for number in range(decks):
        style = style_with(fonts[number % len(fonts)], rng)
        sheet = drawn_sheet(style, DECK, float(rng.uniform(22, 44)))
        for turn in range(4):
            seen = worn(rng, sheet, MUCH[(turn + number) % len(MUCH)])
            name_sheet(namer, seen.turned(turn), least, found)
    return found


@pytest.fixture(scope="module")
def drawn() -> Named:
    import reportlab

    folder = Path(reportlab.__file__).parent / "fonts"
    return named_in_all_turns([folder / "Vera.ttf", folder / "VeraBd.ttf"], 6, 41)


@pytest.mark.parametrize("pair", PAIRS)
def test_v4_a_pair_is_told_apart_in_all_suits_and_turns(drawn: Named, pair: str) -> None:
    """Six decks; none of these was mixed up when this was measured."""
    _check(drawn, pair, least=6 * 4)


def _check(found: Named, pair: str, least: int) -> None:
    """``least``: how often each card of the pair was shown."""
    cards = members(pair)
    assert len(cards) == (26 if pair == BLACK else 8)
    assert min(found.shown[card] for card in cards) >= least
    shown = sum(found.shown[card] for card in cards)
    assert sum(found.right[card] for card in cards) >= 0.9 * shown, "no pair passes unread"
    assert mixed_up(found.taken_for)[pair] <= 1, pair_table(found.shown, found.taken_for)


def test_v4_few_drawn_cards_get_any_wrong_name_for_certain(drawn: Named) -> None:
    assert sum(drawn.shown.values()) == 6 * 4 * 52
    assert sum(drawn.taken_for.values()) <= 2, drawn.taken_for


@pytest.fixture(scope="module")
def held_out() -> Named:
    from models.training.fonts import font_files

    return named_in_all_turns(list(font_files(held_out=True)), 14, 43)


@pytest.mark.train
@pytest.mark.parametrize("pair", PAIRS)
def test_v4_a_pair_is_told_apart_in_typefaces_never_trained_on(held_out: Named, pair: str) -> None:
    _check(held_out, pair, least=14 * 4)


@pytest.mark.parametrize(
    ("card", "name", "pair"),
    [
        ("Qh", "9h", "Q9"),
        ("6s", "9s", "96"),
        ("9s", "6s", "96"),
        ("As", "Ac", BLACK),
        ("Qh", "9d", None),
        ("Ah", "Ad", None),
        ("6s", "6s", None),
        ("6", "9", None),
        ("no card", "9h", None),
    ],
)
def test_v4_which_pair_a_wrong_name_belongs_to(card: str, name: str, pair: str | None) -> None:
    assert pair_of(card, name) == pair


def test_v4_the_table_tells_each_pair_by_name() -> None:
    lines = pair_table({"Qh": 3, "9h": 2, "2s": 1}, Counter({("Qh", "9h"): 1, ("2s", "Kd"): 1}))
    assert len(lines) == len(PAIRS)
    assert lines[0] == "Q9: 1 of 5 (Qh as 9h: 1)"
    assert lines[-1] == f"{BLACK}: 0 of 1"
