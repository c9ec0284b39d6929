"""What cannot be certain becomes a question, and while it stands there is no settlement."""

from __future__ import annotations

from table_desk import PAIR_OF_TWOS, Table, Zone, cards, doubt, settled_table

from kiosk.table.outputs import BoxUnsettled, QuestionCleared, QuestionRaised

HAND = "7h 7d Ts Kc Ad"


def dealt(*boxes: str) -> Table:
    """The dealer's hand complete, boxes face down."""
    table = Table()
    return table.look().backs("dealer", *(boxes or ("box1",))).lay("dealer", PAIR_OF_TWOS)


def test_v6_a_covered_card_is_a_question_and_no_settlement() -> None:
    table = dealt().lay("box1", "7h 7d Ts Kc", bodies=4)
    assert table.paid(1) is None
    assert not table.asked()  # the dealer is still spreading the cards
    table.look(3)
    question = table.asked()["q-box1-count"]
    assert question["text"] == "Box 1: 4 of 5 cards read. Is one covered?"
    assert (question["kind"], question["zone"]) == ("count", "box1")
    table.do("cards", zone="box1", card="Ad").look()
    assert not table.asked()
    assert table.paid(1) == (400, 0)
    assert table.box(1)["by_person"] == ["Ad"]
    assert [o.id for o in table.heard(QuestionRaised)] == ["q-box1-count"]
    assert [o.id for o in table.heard(QuestionCleared)] == ["q-box1-count"]


def test_a_hand_collected_with_a_card_unread_keeps_its_question() -> None:
    table = dealt().lay("box1", "7h 7d Ts Kc").take().look(5)
    assert "q-box1-count" in table.asked()
    assert table.paid(1) is None
    table.do("cards", zone="box1", card="Ad")
    assert table.paid(1) == (400, 0)


def test_a_dealers_hand_with_a_card_unread_is_a_question_and_blocks_all() -> None:
    table = Table()
    table.look().backs("dealer", "box1").lay("dealer", "2c 2d 5h 8s").lay("box1", HAND)
    table.look(4)
    assert "q-dealer-count" in table.asked()
    assert table.paid(1) is None
    table.do("cards", zone="dealer", card="9c").look()
    assert table.paid(1) == (400, 0)


def test_a_doubt_blocks_at_once_and_is_asked_when_it_lasts() -> None:
    table = dealt()
    table.zones["box1"] = Zone(cards("7h 7d Ts Kc"), 5, (doubt("d1", "Ad", "4d"),))
    table.look(0.5)
    assert table.paid(1) is None
    table.look(1)
    question = table.asked()["q-box1-doubt-d1"]
    assert question["doubt"]["candidates"] == [["Ad", 0.5], ["4d", 0.5]]
    table.do("cards", zone="box1", doubt="d1", card="Ad").look()
    assert table.paid(1) == (400, 0)
    assert not table.asked()


def test_five_cards_and_a_doubt_are_no_certain_five_cards() -> None:
    table = dealt()
    table.zones["box1"] = Zone(cards(HAND), 5, (doubt("d1", "9h"),))
    table.look(1.5)
    assert table.paid(1) is None
    table.do("cards", zone="box1", doubt="d1", card=None)
    assert table.paid(1) == (400, 0)


def test_a_doubt_in_the_dealers_zone_blocks_every_box() -> None:
    table = dealt()
    table.zones["dealer"].doubts = (doubt("d9", "Ah"),)
    table.lay("box1", HAND).look(1)
    assert table.paid(1) is None
    assert "q-dealer-doubt-d9" in table.asked()


def test_a_passing_doubt_on_a_settled_hand_takes_nothing_back() -> None:
    table = dealt().lay("box1", HAND)
    table.zones["box1"].doubts = (doubt("d1", "Ad"),)
    table.look(0.5)
    assert table.paid(1) == (400, 0)
    table.look(1)
    assert table.paid(1) is None
    assert table.heard(BoxUnsettled)[-1].why == ("q-box1-doubt-d1",)


def test_v5_the_same_name_in_two_places_stops_both() -> None:
    table = dealt("box1", "box2").lay("box1", HAND).lay("box2", "7h 8c Tc 4d 2h").look(1)
    question = table.asked()["q-conflict-7h"]
    assert (question["kind"], question["card"]) == ("conflict", "7h")
    assert question["text"].startswith("7♥ lies in two places (box 1, box 2)")
    assert table.paid(1) is None
    assert table.paid(2) is None
    table.do("cards", zone="box2", was="7h", card="7s").look()
    assert not table.asked()
    assert table.paid(1) == (400, 0)
    assert table.paid(2) == (0, 300)


def test_v5_a_conflict_reported_by_the_camera_stops_what_it_touches() -> None:
    table = dealt("box1", "box2").lay("box1", HAND)
    table.conflicts = cards("4h")
    table.zones["box2"] = Zone(cards("9h Jc Qd 3s"), 5, (doubt("d4", "4h", why="conflict"),))
    table.look(1.5)
    assert "q-conflict-4h" in table.asked()
    assert table.paid(2) is None
    assert table.paid(1) == (400, 0)
    table.do("cards", zone="box2", doubt="d4", card="4h").look()
    assert not table.asked()
    assert table.paid(2) is not None


def test_a_conflict_nobody_can_place_stops_everything() -> None:
    table = dealt()
    table.conflicts = cards("4h")
    table.lay("box1", HAND).look(1)
    assert "q-conflict-4h" in table.asked()
    assert table.paid(1) is None


def test_v5_a_card_of_the_dealer_seen_again_in_a_box() -> None:
    table = dealt().take("dealer").lay("box1", "2c 7d Ts Kc Ad").look(1)
    assert "q-conflict-2c" in table.asked()
    assert table.paid(1) is None


def test_v5_six_cards_without_a_sixth_card_entered() -> None:
    table = dealt().lay("box1", HAND + " Qs").look(1)
    question = table.asked()["q-box1-six"]
    assert question["kind"] == "sixth-card"
    assert table.paid(1) is None
    table.do("bets", box=1, sixth=True)
    assert table.paid(1) == (400, 100)
    assert not table.asked()


def test_a_sixth_card_added_to_a_settled_hand_is_a_question() -> None:
    table = dealt().lay("box1", HAND)
    assert table.paid(1) == (400, 0)
    table.lay("box1", HAND + " Qs").look(1)
    assert table.asked()["q-box1-six"]["kind"] == "sixth-card"
    assert table.paid(1) is None
    table.do("bets", box=1, sixth=True).look()
    assert table.box(1)["read"] == 6
    assert table.paid(1) == (400, 100)


def test_a_sixth_card_entered_and_five_seen() -> None:
    table = dealt().do("bets", box=1, sixth=True).lay("box1", HAND)
    assert table.paid(1) is None
    table.look(3)
    assert table.asked()["q-box1-no-sixth"]["kind"] == "sixth-card"
    table.do("bets", box=1, sixth=False)
    assert table.paid(1) == (400, 0)


def test_v5_seven_cards_never_settle() -> None:
    table = dealt().do("bets", box=1, sixth=True).lay("box1", HAND + " Qs 3d").look(1)
    assert table.asked()["q-box1-many"]["kind"] == "count"
    assert table.paid(1) is None


def test_too_many_dealer_cards() -> None:
    table = Table()
    table.look().backs("box1").lay("dealer", PAIR_OF_TWOS + " Kh").lay("box1", HAND).look(4)
    assert table.asked()["q-dealer-many"]["kind"] == "count"
    assert table.paid(1) is None
    table.do("cards", zone="dealer", was="Kh", card=None).look()
    assert table.paid(1) == (400, 0)


def test_more_bodies_than_names() -> None:
    table = dealt().lay("box1", HAND, bodies=6)
    assert table.paid(1) is None
    table.look(3)
    question = table.asked()["q-box1-bodies"]
    assert question["text"] == "Box 1: 6 cards lie there, 5 are read. Is one covered?"
    assert "dismiss" in question["actions"]
    table.do("dismiss", question="q-box1-bodies")
    assert table.paid(1) == (400, 0)
    table.lay("box1", HAND, bodies=7).look(3.5)
    assert table.paid(1) is None  # a dismissal is about what was seen then


def test_a_card_that_vanished_while_others_came_must_be_explained() -> None:
    table = dealt()
    table.zones["box1"] = Zone(cards("9h"), 5, shift=7)
    table.look().lay("box1", HAND)
    assert table.paid(1) is None
    table.look(1.5)
    question = table.asked()["q-box1-left"]
    assert question["text"].startswith("Box 1: 9♥ was read and is gone.")
    table.do("dismiss", question="q-box1-left")
    assert table.paid(1) == (400, 0)


def test_a_vanished_card_that_turns_up_elsewhere_was_only_moved() -> None:
    table = dealt("box1", "box2")
    table.zones["box1"] = Zone(cards("9h"), 5, shift=7)
    table.look().lay("box1", HAND).lay("box2", "9h 8c Tc 4d 3s").look(1)
    assert not table.asked()
    assert table.paid(1) == (400, 0)


def test_exchanged_cards_may_vanish() -> None:
    table = dealt().do("bets", box=1, exchanged=1)
    table.zones["box1"] = Zone(cards("9h"), 5, shift=7)
    table.look().lay("box1", HAND).look(1)
    assert table.paid(1) == (400, 100)


def test_cards_in_a_box_out_of_play() -> None:
    table = dealt("box1", "box3").do("bets", box=3, in_play=False)
    table.lay("box1", HAND).look(4)
    assert table.paid(1) == (400, 0)
    assert table.asked()["q-box3-not-in-play"]["kind"] == "stray"


def test_cards_in_a_zone_outside_the_game() -> None:
    table = settled_table(boxes=(1, 2))
    table.zones["box5"] = Zone(cards("3d"), 1)
    table.look(1.5)
    question = table.asked()["q-outside-box5"]
    assert (question["kind"], question["zone"]) == ("stray", "box5")
    table.do("dismiss", question="q-outside-box5")
    assert not table.asked()


def test_a_card_between_zones_stops_the_boxes_until_it_is_named() -> None:
    table = dealt()
    table.strays = (doubt("s1", "Ad", why="border"),)
    table.lay("box1", "7h 7d Ts Kc").look(1)
    assert table.asked()["q-stray-s1"]["kind"] == "stray"
    assert table.paid(1) is None
    table.do("cards", zone="box1", doubt="s1", card="Ad").look()
    assert table.paid(1) == (400, 0)


def test_a_stray_card_is_asked_about_but_known_discards_are_not() -> None:
    table = settled_table()
    table.strays = (doubt("s2", "4h"),)
    table.look(1.5)
    assert "q-stray-s2" in table.asked()
    assert table.paid(1) == (400, 0)
    table.take("box1")
    table.strays = (doubt("s3", "7h"),)
    table.look(1.5)
    assert not table.asked()


def test_a_settled_card_that_changes_its_name_is_asked_about_not_taken_over() -> None:
    table = settled_table()
    table.lay("box1", "7h 7d Ts Kc 4d").look(1)
    question = table.asked()["q-box1-changed"]
    assert question["kind"] == "conflict"
    assert table.box(1)["cards"] == HAND.split()
    assert table.paid(1) is None
    table.do("cards", zone="box1", was="4d", card="Ad").look()
    assert table.paid(1) == (400, 0)
    assert not table.asked()


def test_a_settled_card_that_changes_its_name_can_be_taken_over() -> None:
    table = settled_table()
    table.lay("box1", "7h 7d Ts Kc 4d").look(1)
    table.do("cards", zone="box1", was="Ad", card="4d").look()
    assert table.paid(1) == (200, 0)
    assert not table.asked()


def test_other_cards_after_collection_are_asked_about() -> None:
    table = settled_table().take("box1").lay("box1", "3c 4h").look(1)
    assert table.asked()["q-box1-returned"]["kind"] == "conflict"
    assert table.paid(1) is None
    table.take("box1").look(0.5)
    assert table.paid(1) == (400, 0)


def test_a_dealers_card_that_changes_after_settlement() -> None:
    table = settled_table().lay("dealer", "2c 2d 5h 8s 9d").look(1)
    assert "q-dealer-no-purchase" in table.asked() or "q-dealer-changed" in table.asked()
    assert table.paid(1) is None


def test_p11_cards_taken_away_unread_ask_whether_the_box_folded() -> None:
    table = dealt("box1", "box2").take("box2").lay("box1", HAND).look(4)
    assert table.asked()["q-box2-unread"]["kind"] == "count"
    assert table.stage == "settling"
    table.do("bets", box=2, action="fold")
    assert table.stage == "done"
    assert table.paid(2) == (0, 100)


def test_an_entry_the_rules_refuse_holds_up_that_box_only() -> None:
    table = dealt("box1", "box2").lay("box1", HAND).lay("box2", "As Qc 7c 6d 4c")
    table.do("bets", box=1, bets={"bet": 300})
    question = table.asked()["q-box1-input"]
    assert question["kind"] == "input-error"
    assert question["text"].startswith("Box 1: ")
    assert "boxes[" not in question["text"]
    assert table.paid(1) is None
    assert table.paid(2) == (0, 300)
    table.do("bets", box=1, bets={"bet": None})
    assert table.paid(1) == (400, 0)


def test_questions_read_in_the_language_asked_for() -> None:
    from kiosk.table.round import snapshot

    table = dealt().lay("box1", "7h 7d Ts Kc", bodies=4).look(3)
    text = snapshot(table.state, language="ru")["questions"][0]["text"]
    assert text == "Бокс 1: прочитано карт: 4 из 5. Одна закрыта?"


def test_v9_a_place_called_no_card_is_asked_about_again_after_a_hand_was_there() -> None:
    table = Table().lay("dealer", PAIR_OF_TWOS)
    table.zones["box1"].doubts = (doubt("d1", "9h", "6h"),)
    table.zones["box1"].cards = cards("As Kd")
    table.zones["box1"].bodies = 2
    table.look(2)
    assert any(q["kind"] == "doubt" for q in table.asked().values())
    table.do("cards", zone="box1", doubt="d1", card=None).look(0.5)
    assert not any(q["kind"] == "doubt" for q in table.asked().values())
    table.zones["box1"].occluded = True
    table.look(1)
    table.zones["box1"].occluded = False
    table.look(2)
    assert any(q["kind"] == "doubt" for q in table.asked().values())
