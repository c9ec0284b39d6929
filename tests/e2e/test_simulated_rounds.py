"""Simulated rounds of every game through pictures, reading, round and rules.

The promise: what is settled is what was dealt; where the table cannot be read a person is asked.
Time is the simulation's own, so the outcome is the same on any machine.
"""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from real_cards import photos_or_skip, real_cards

from kiosk.bench.simulated import DISTURBED, Game, Played
from kiosk.cards import Card
from models.training.cut_cards import CARD_H, CARD_W, CutCard
from models.training.recording.deck import draw_back
from models.training.simtable.deck import Deck
from models.training.simtable.spec import HOUSES


def report(played: list[Played]) -> str:
    """What went otherwise than hoped, for the failing test's message."""
    lines = [
        f"round {one.number} ({one.fault}): settled {one.settled}, wrong {one.wrong}, "
        f"asked {one.questions}, refused {one.refused}"
        for one in played
        if one.wrong or not one.settled
    ]
    return "\n".join(lines)


def hold(played: list[Played]) -> None:
    """Nothing wrong, everything settled or asked about, nothing that could not be entered."""
    told = report(played)
    assert not any(one.wrong for one in played), told
    assert all(one.named for one in played), told
    assert not any(one.refused for one in played if one.settled), told


def test_v7_a_russian_round_with_an_arm_over_the_cards_settles_as_dealt() -> None:
    played = Game("sim:21,boxes=1,faults=hands").play(1)
    hold(played)
    assert played[0].settled, report(played)


def test_v14_a_texas_round_in_failing_light_settles_as_dealt() -> None:
    played = Game("sim:22,game=texas,boxes=1,faults=dark").play(1)
    hold(played)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_v14_hardly_any_light_is_never_settled_wrongly() -> None:
    hold(Game("sim:24,boxes=1,faults=gloom").play(3))


@pytest.mark.long
def test_v5_a_card_that_lies_there_twice_is_never_settled() -> None:
    (one,) = Game("sim:23,boxes=1,faults=duplicate").play(1)
    assert not one.wrong
    assert not one.settled
    assert any(kind in ("conflict", "doubt") for kind, _ in one.questions), one


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", HOUSES)
def test_v5_v7_v14_twenty_disturbed_rounds_of_each_game(game: str) -> None:
    played = Game(f"sim:31,game={game},faults={DISTURBED}").play(20)
    hold(played)
    assert sum(one.settled for one in played) >= 18, report(played)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_v5_half_off_and_doubled_cards_of_ten_rounds() -> None:
    played = Game("sim:32,boxes=2,faults=half+duplicate").play(10)
    hold(played)
    assert not any(one.settled for one in played if one.fault == "duplicate"), report(played)


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("game", ["russian", "three_card"])
def test_v5_twenty_disturbed_rounds_with_cards_of_real_photographs(game: str) -> None:
    photos_or_skip()
    played = Game(f"sim:33,game={game},faults={DISTURBED}", deck=_real_deck()).play(20)
    hold(played)
    assert sum(one.settled for one in played) >= 18, report(played)


def _real_deck() -> Deck:
    """Cards cut out of real photographs, of one maker as far as its deck is whole."""
    cut = real_cards()

    def face(card: Card) -> np.ndarray:
        found: list[CutCard] = cut[str(card)]
        best = next((one for one in found if one.source == "rf100-poker-cards"), found[0])
        return cv2.resize(best.picture, (CARD_W, CARD_H))

    return Deck(face, draw_back())
