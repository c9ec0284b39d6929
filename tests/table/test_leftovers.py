"""Places that are not read yet, and cards of the last hand that lie on after it (V15)."""

from __future__ import annotations

import pytest
from table_desk import SECOND_DEALER, SECOND_HAND, Table, Zone, cards, settled_table

from kiosk.sightings import ZoneView
from kiosk.table.state import RoundSettings, ZoneState
from kiosk.vision import voting
from kiosk.vision.tracks import Look, SeenCard
from kiosk.vision.views import view

DEALER, BOX = "2c 2d 5h 8s 9c", "7h 7d Ts Kc Ad"


def unseen(table: Table, seconds: float, unread: bool) -> None:
    """For a while the views show no card; then the same cards are seen again."""
    lying = dict(table.zones)
    table.zones.update({zone: Zone(unread=unread) for zone in lying})
    table.look(seconds)
    table.t = round(table.t + table.step, 6)
    table.zones.update(lying)
    table.look(3)


def dealt() -> Table:
    table = Table(RoundSettings(boxes=(1, 2), unanswered="counted")).look()
    return table.backs("dealer", "box1", "box2").lay("dealer", DEALER).look(1)


def test_a_zone_in_its_first_looks_is_not_bare() -> None:
    state = voting.new_state(("box1",))
    found = []
    for look in range(6):
        seen = tuple(
            SeenCard(card, 0.99, ((at * 40.0, 0.0, at * 40.0 + 30, 40.0),), ((at * 5.0, 1.0),))
            for at, card in enumerate(cards(BOX))
        )
        state = voting.add_look(state, Look("box1", look * 0.15, seen, (), 5))
        found.append(ZoneState("box1", view(state, look * 0.15).zone("box1")).bare)
    assert found == [False] * 6
    assert ZoneState("box1", ZoneView("box1", empty=True)).bare


@pytest.mark.parametrize("opened", [False, True], ids=["boxes closed", "a box open"])
@pytest.mark.parametrize(("seconds", "unread"), [(0.0, False), (0.0, True), (5.0, True)])
def test_places_not_read_for_a_while_do_not_end_the_hand(
    opened: bool, seconds: float, unread: bool
) -> None:
    table = dealt()
    if opened:
        table.lay("box1", BOX).look(1)
    unseen(table, seconds, unread)
    assert not table.state.core.cleared and not table.asked()
    table.lay("box1", BOX).look(1)
    table.lay("box2", SECOND_HAND).look(1)
    assert (table.paid(1), table.paid(2)) == ((400, 0), (200, 0))
    assert table.state.id == "r-000001" and not table.asked()


@pytest.mark.parametrize(("seconds", "unread"), [(0.0, False), (0.0, True), (5.0, True)])
def test_old_cards_unseen_for_a_moment_after_next_are_no_new_hand(
    seconds: float, unread: bool
) -> None:
    table = settled_table().do("reveal").do("next").look(2)
    unseen(table, seconds, unread)
    assert table.state.id == "r-000002" and table.stage == "clear"
    assert table.box(1)["cards"] == [] and table.paid(1) is None
    assert {"q-dealer-leftover", "q-box1-leftover"} <= set(table.asked())
    table.take().look(1)
    assert not table.asked()
    table.backs("dealer", "box1").lay("dealer", SECOND_DEALER)
    assert table.lay("box1", SECOND_HAND).paid(1) == (200, 0)


def test_old_cards_not_read_when_next_is_pressed_are_no_new_hand() -> None:
    table = settled_table().do("reveal")
    lying = dict(table.zones)
    table.zones.update({zone: Zone(unread=True) for zone in lying})
    table.look(0.5).do("next").look(1)
    table.zones.update(lying)
    table.look(3)
    assert table.stage == "clear" and table.paid(1) is None
    assert "q-box1-leftover" in table.asked()


def test_old_cards_come_to_light_a_few_at_a_time_and_stay_old() -> None:
    table = settled_table().do("reveal").do("next").look(1)
    for shown in ("7h 7d", "Ts Kc Ad", "7h", BOX):
        table.lay("box1", shown, bodies=5).look(1)
        assert table.box(1)["cards"] == [] and not table.box(1)["in_play"]


def test_other_cards_in_place_of_the_old_ones_are_the_new_hand() -> None:
    table = settled_table().do("reveal").do("next").look(1)
    table.lay("dealer", SECOND_DEALER).lay("box1", SECOND_HAND).look(1)
    assert table.paid(1) == (200, 0) and not table.asked()


def test_cards_of_a_misdeal_turned_over_before_next_are_no_new_hand() -> None:
    table = Table(RoundSettings(boxes=(1, 2))).look().backs("dealer", "box1", "box2")
    table.do("void", reason="misdeal").lay("dealer", DEALER).lay("box1", BOX).look(1)
    table.do("next").look(2)
    assert table.state.id == "r-000002" and table.stage == "clear"
    assert table.paid(1) is None and table.box(1)["cards"] == []
    assert {"q-dealer-leftover", "q-box1-leftover", "q-box2-stale"} <= set(table.asked())
    table.take().look(1)
    assert table.stage == "clear" and not table.asked()


@pytest.mark.parametrize("up", ["", "9c"], ids=["all face down", "one card face up"])
def test_cards_of_a_misdeal_turned_over_after_next_are_no_new_hand(up: str) -> None:
    table = Table(RoundSettings(boxes=(1, 2))).look().backs("box1")
    table.lay("dealer", up, bodies=5).do("void", reason="misdeal").do("next").look(2)
    table.lay("dealer", DEALER.removesuffix(up).strip(), bodies=5).lay("box1", BOX).look(2)
    assert table.stage == "clear" and table.box(1)["cards"] == []
    table.take().look(1)
    assert table.stage == "clear" and table.paid(1) is None, "not by being taken away either"
    table.backs("dealer", "box1").lay("dealer", SECOND_DEALER)
    assert table.lay("box1", SECOND_HAND).paid(1) == (200, 0)


def test_leftovers_of_two_hands_ago_are_no_new_hand() -> None:
    table = settled_table().do("reveal").do("next").look(1)
    table.backs("box2").look(1).do("void", reason="cards lay there").do("next").look(2)
    assert table.state.id == "r-000003" and table.stage == "clear"
    assert table.box(1)["cards"] == [] and "q-box1-leftover" in table.asked()


def test_a_person_may_say_that_cards_after_a_misdeal_are_the_new_hand() -> None:
    table = Table(RoundSettings(boxes=(1,))).look().backs("dealer", "box1")
    table.do("void", reason="misdeal").lay("dealer", DEALER).lay("box1", BOX).do("next").look(2)
    table.do("dismiss", question="q-dealer-leftover").do("dismiss", question="q-box1-leftover")
    assert table.look(1).paid(1) == (400, 0)


def test_a_hand_is_open_from_its_first_card_until_its_cards_have_left() -> None:
    table = Table(RoundSettings(boxes=(1,), unanswered="counted")).look()
    assert not table.state.hand_open
    table.backs("dealer", "box1")
    assert table.state.hand_open
    table.lay("dealer", DEALER).lay("box1", BOX).do("reveal")
    assert table.state.hand_open
    assert not table.take().look(2.5).state.hand_open, "what was shown may stay"
    assert not table.do("next").state.hand_open
