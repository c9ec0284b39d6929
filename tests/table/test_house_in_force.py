"""The rule card read when the rules took force counts for the whole hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from table_desk import Table, cards

from kiosk.errors import UserError
from kiosk.panel_desk import offer_of
from kiosk.rules import load_house_file
from kiosk.table.dealer import drawing
from kiosk.table.plan import plan_for
from kiosk.table.settlement import is_assumed
from kiosk.table.state import RoundSettings
from kiosk.table.verdicts import mistakes

OURS = 'extends = "russian-a"\ngame = "russian"\ntitle = "Ours"\nsource = "own"\n'


def write(place: Path, pair: int) -> None:
    prices = dict(load_house_file("russian-a").values["pay.bet"]) | {"pair": pair}
    lines = "".join(f'"{name}" = {price}\n' for name, price in prices.items())
    place.write_text(f"{OURS}[pay.bet]\n{lines}", "utf-8")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A house file by which a pair pays one to one."""
    place = tmp_path / "ours.toml"
    write(place, 1)
    return place


@pytest.fixture
def table(card: Path) -> Table:
    """A hand in which box 1 is settled for certain and box 2 is not opened yet."""
    found = Table(RoundSettings(house=str(card), boxes=(1, 2), unanswered="counted"))
    found.look().backs("dealer", "box1", "box2")
    for box in (1, 2):
        found.do("bets", box=box, buy=False)
    found.lay("dealer", "2c 2d 5h 8s 9c").look(1)
    found.lay("box1", "7h 7d Ts Qc 4d").look(1).do("confirm", box=1)
    assert won(found, 1) == 200 and certain(found, 1)
    return found


def won(table: Table, box: int) -> int:
    result = table.result(box)
    assert result is not None
    return int(result["bets"]["bet"]["amount"])


def certain(table: Table, box: int) -> bool:
    core = table.state.core
    return not is_assumed(core, core.box(box), table.state.plan)


def test_a_hand_is_settled_by_the_card_in_force_though_its_file_is_edited(
    table: Table, card: Path
) -> None:
    write(card, 2)
    table.lay("box2", "8h 8d 2s Qd 4c").look(1).do("confirm", box=2)
    assert (won(table, 1), won(table, 2)) == (200, 200)
    table.do("bets", box=2, bets={"ante": 200})
    table.do("undo")
    assert (won(table, 1), won(table, 2)) == (200, 200), "replayed by the same card"


def test_answers_and_explanations_go_by_the_card_in_force(table: Table, card: Path) -> None:
    write(card, 2)
    said = {"ante": {"result": "not-paid", "amount": 0}, "bet": {"result": "win", "amount": 400}}
    table.do("answer", box=1, bets=said).do("reveal")
    given = table.state.core.box(1).answers[-1]
    assert set(mistakes(table.state, table.state.core.box(1), given)) == {"bet"}
    lines = " ".join(table.box(1)["result"]["explanation"]["lines"])
    assert "200" in lines and "400" not in lines


def test_a_house_file_that_is_half_saved_does_not_touch_the_hand(table: Table, card: Path) -> None:
    card.write_text("half a", "utf-8")
    table.do("bets", box=1, bets={"ante": 200}).do("confirm", box=1)
    table.lay("box2", "8h 8d 2s Qd 4c").look(1)
    assert (won(table, 1), won(table, 2)) == (400, 200)
    assert table.take("box1").box(1)["settled"]
    with pytest.raises(UserError, match="not TOML"):
        RoundSettings(house=str(card))


def test_settings_made_anew_hold_the_new_card_and_changed_ones_the_old(card: Path) -> None:
    old = RoundSettings(house=str(card))
    write(card, 2)
    new = RoundSettings(house=str(card))
    assert old != new and new.plan.house.pay.bet["pair"] == 2
    assert replace(old, mode="demo").plan is old.plan
    assert replace(old, house="russian-b").plan.house.name == "russian-b"
    assert RoundSettings() == RoundSettings() and hash(RoundSettings()) == hash(RoundSettings())


def test_what_is_remembered_of_a_house_is_remembered_of_its_card(card: Path) -> None:
    hand = cards("Ks Qd 9h 6c 2d")
    text = card.read_text("utf-8")
    first = plan_for(str(card))
    assert "insurance" in offer_of(first).bets and drawing(hand, (), first).due
    card.write_text(f"{text}[insurance]\nenabled = false\n", "utf-8")
    second = plan_for(str(card))
    assert "insurance" not in offer_of(second).bets and "insurance" in offer_of(first).bets
