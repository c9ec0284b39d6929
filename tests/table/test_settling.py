"""Boxes settled one by one, against the real rules."""

from __future__ import annotations

from table_desk import NO_GAME, settled_table

from kiosk.table.outputs import BoxSettled, RoundSettled


def test_rp_set_1_a_box_with_default_bets_is_settled_and_assumed() -> None:
    table = settled_table()
    assert table.stage == "done"
    assert table.paid(1) == (400, 0)
    assert table.box(1)["assumed"]
    table.do("confirm", box=1)
    assert not table.box(1)["assumed"]
    assert [o.assumed for o in table.heard(BoxSettled)] == [True, False]
    assert [o.corrected for o in table.heard(RoundSettled)] == [False, True]


def test_rp_ng_1_no_game_pays_the_ante() -> None:
    table = settled_table(dealer=NO_GAME)
    assert table.paid(1) == (100, 0)
