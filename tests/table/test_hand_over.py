"""Where one hand ends and the next begins on felt hardly ever clear; arms over questions."""

from __future__ import annotations

from table_desk import PAIR_OF_TWOS, SECOND_DEALER, SECOND_HAND, Table, settled_table

from kiosk.table.state import RoundSettings


def test_v15_a_deal_that_begins_before_the_dealers_cards_are_seen_gone_is_the_next_hand() -> None:
    """The last cards may be held as lying for seconds while the next backs already come."""
    table = settled_table(boxes=(1, 2, 3)).do("reveal").take("box1").look(1)
    table.backs("box1", "box2").look(1)
    assert [b["box"] for b in table.shown()["boxes"] if b["in_play"]] == [1]
    table.take("dealer").look(1)
    assert "felt was clear only for a moment" in table.asked()["q-open-hand"]["text"]
    table.lay("dealer", SECOND_DEALER).lay("box2", SECOND_HAND).look(1)
    assert table.paid(1) == (400, 0)
    assert table.paid(2) is None
    table.do("next").look(1)
    assert (table.state.id, table.paid(2)) == ("r-000002", (200, 0))


def test_a_demo_may_lay_the_dealers_hand_first() -> None:
    table = Table(RoundSettings(mode="demo", boxes=(1, 2)))
    table.look().lay("dealer", PAIR_OF_TWOS).look(1).backs("box1").look(1)
    assert table.box(1)["in_play"]
    table.lay("box1", "7h 7d Ts Kc Ad").look(1)
    assert table.paid(1) == (400, 0)
    table.lay("box2", SECOND_HAND).look(1)
    assert table.paid(2) is not None


def test_backs_missed_for_a_moment_still_belong_to_the_hand() -> None:
    table = Table()
    table.look().backs("dealer", "box1", "box2").lay("dealer", PAIR_OF_TWOS)
    table.take("box2").backs("box2").take("dealer").look(1)
    assert table.box(2)["in_play"]
    assert "q-open-hand" not in table.asked()


def test_v7_an_arm_over_the_cards_answers_no_question() -> None:
    table = settled_table(boxes=(1, 2)).do("confirm", box=1)
    table.lay("dealer", "2c 3d 6h 9s Tc").look(1.5)
    asked = set(table.asked())
    assert "q-dealer-changed" in asked
    for zone in table.zones.values():
        zone.occluded = True
    table.look(5)
    assert set(table.asked()) == asked
    assert table.paid(1) is None
    for zone in table.zones.values():
        zone.occluded = False
    table.lay("dealer", PAIR_OF_TWOS).look(1)
    assert not table.asked()
    assert table.paid(1) == (400, 0)
