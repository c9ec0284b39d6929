"""``kiosk bench rules``: what it measures and says, not how fast this machine is."""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np
import pytest

from kiosk.bench import evaluators, rules
from kiosk.bench.commands import BENCHES, STANDARD, add_commands
from kiosk.bench.evaluators import OTHERS, Evaluator, MissingError, dealt, kiosk
from kiosk.cards import DECK
from kiosk.rules.batch import KIND_SHIFT
from kiosk.rules.evaluate import Combo


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_ONE", 40), ("_MANY", 40), ("_ROUNDS", 1), ("_RUN_S", 1e-6)):
        monkeypatch.setattr(rules, name, value)
    monkeypatch.setattr(rules, "_TABLES", 2)


def absent() -> Evaluator:
    raise MissingError("absent")


def other() -> Evaluator:
    """A stand-in as slow as can be: every hand sorted."""
    return evaluators._plain("other 1.0", dealt, lambda hand: sorted(map(str, hand)))


def test_rules_can_be_asked_for_and_need_nothing_optional_in_the_standard_run() -> None:
    assert BENCHES["rules"] is rules.rules
    assert "rules" not in STANDARD


@pytest.mark.usefixtures("quick")
def test_figures_of_every_size_way_and_house(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules, "OTHERS", {"other": other, "treys": absent})
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    args = parser.parse_args(["bench", "rules", "--json"])
    assert args.run(args) == 0
    figures: dict[str, Any] = {
        figure["name"]: figure["value"] for figure in json.loads(capsys.readouterr().out)["rules"]
    }
    assert "not installed" in figures.pop("treys")
    for size in (5, 6, 7):
        for way in ("one by one", "together"):
            for name in ("kiosk", "other 1.0"):
                assert figures[f"{size} cards {way}, {name}"] > 0
        assert figures[f"{size} cards together, kiosk to the best other (other 1.0)"] > 0
    for house in ("russian-a", "oasis-a", "split-a"):
        assert figures[f"{house}, six boxes: tables settled"] > 0
        assert figures[f"{house}, six boxes: settled and explained"] > 0
    assert figures["a table of six boxes settled and explained, median of all houses"] > 0


@pytest.mark.usefixtures("quick")
def test_alone_the_kiosk_is_compared_with_nothing() -> None:
    names = [figure.name for figure in rules.evaluation([kiosk()], 5)]
    assert names == ["5 cards one by one, kiosk", "5 cards together, kiosk"]


def test_hands_are_dealt_without_a_card_twice_and_the_same_each_time() -> None:
    hands = rules.random_hands(300, 7)
    assert hands.shape == (300, 7)
    assert all(len(set(row)) == 7 for row in hands.tolist())
    assert (hands == rules.random_hands(300, 7)).all()


def test_six_boxes_also_where_the_house_allows_fewer() -> None:
    assert rules.six_boxes("russian-a").house.max_boxes == 6


def test_a_library_that_is_not_installed_is_missing() -> None:
    with pytest.raises(MissingError):
        evaluators._loaded("no-such-evaluator", "no_such_evaluator")


ORDER = ["2c 3d 5h 7s 9c", "2c 2d 5h 7s 9c", "2c 2d 5h 5s 9c", "2c 3c 5c 7c 9c", "Ac Kc Qc Jc Tc"]


# eval7 calls old names of pyparsing.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", sorted(OTHERS))
def test_the_others_are_asked_about_the_same_hands(name: str) -> None:
    """Where installed: each ranks five hands in the right order, so the cards arrive as meant."""
    try:
        asked = OTHERS[name]()
    except MissingError:
        pytest.skip(f"{name} is not installed (extra bench)")
    places = {str(card): index for index, card in enumerate(DECK)}
    ids = np.array([[places[text] for text in hand.split()] for hand in ORDER], np.uint8)
    found: Any = asked.many(asked.prepare_many(ids))
    rising = sorted(found)
    assert list(found) in (rising, rising[::-1])
    assert len(set(found)) == len(ORDER)
    ours: Any = kiosk().many(ids)
    assert ours.tolist() == sorted(ours.tolist())
    assert ours[-1] >> KIND_SHIFT == Combo.ROYAL_FLUSH
