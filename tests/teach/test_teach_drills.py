"""A trainee at the drills: own mistakes come back, speed is unlocked, what is kept and what not."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from teach_school import HOUSES, School, make_school, right_answer, wrong_answer

from kiosk.errors import ActionError
from kiosk.rules.mistakes import usual_mistakes
from kiosk.teach.drills import Trainee
from kiosk.teach.grading import Given
from kiosk.teach.progress import Aims, by_day, mistakes_by_kind
from kiosk.teach.store import ProgressStore
from kiosk.teach.topics import Item, topics_of


def test_topics_are_asked_in_teaching_order_until_all_were_seen(
    school: School, anna: Trainee
) -> None:
    seen = []
    for _ in topics_of(HOUSES["three-a"].house):
        seen.append(school.round(anna, "three-a", seconds=1)["topic"])
    assert seen == list(topics_of(HOUSES["three-a"].house))


def miss(school: School, trainee: Trainee, slip: str, topics: tuple[str, ...]) -> None:
    """Drills until the slip can be made, and makes it."""
    for _ in range(60):
        shown = school.drills.next(trainee, "russian-a", topics, "en")
        exercise = school.exercise(trainee)
        found = [
            m
            for m in usual_mistakes(exercise.case)
            if m["mistake"] == slip and exercise.form == "settle" and not exercise.damaged
        ]
        school.wait(seconds=2)
        given = right_answer(exercise, HOUSES["russian-a"])
        if found:
            bets = dict(given.bets)
            line = {key: found[0][key] for key in ("result", "amount")}
            bets[found[0]["bet"]] = line
            told = school.drills.answer(trainee, shown["id"], Given(bets=bets), "en")
            assert told["bets"][found[0]["bet"]]["mistakes"]
            return
        school.drills.answer(trainee, shown["id"], given, "en")
    raise AssertionError(f"{slip} could not be made")


def test_the_trainee_s_own_mistakes_come_back_and_leave_when_they_are_mastered(
    school: School, anna: Trainee
) -> None:
    miss(school, anna, "insurance-taken", ("insurance",))
    slip = Item("slip", "insurance-taken")
    assert slip in school.drills._items(anna, "russian-a")
    school.wait(minutes=2)
    items = []
    for _ in range(4):
        items.append(school.round(anna, topics=("insurance",))["item"])
        school.wait(minutes=2)
    assert "slip:insurance-taken" in items
    kept = school.drills._items(anna, "russian-a")[slip]
    assert kept.due > school.at
    assert kept.missed == 1


def test_p10_speed_counts_only_after_accuracy(school: School, anna: Trainee) -> None:
    for n in range(10):
        told = school.round(anna, topics=("hands",), seconds=40)
        assert told["seconds"] is None, "no time is told while accuracy is learned"
        assert told["newly_unlocked"] is (n == 9)
    slow = school.drills.next(anna, "russian-a", ("hands",), "en")
    assert slow["seconds"] == 8
    standing = school.drills.standing(anna, "russian-a")["hands"]
    assert standing.unlocked
    assert standing.fast == 0
    told = school.round(anna, topics=("hands",), seconds=3)
    assert told["seconds"] == 3
    for _ in range(2):
        told = school.round(anna, topics=("hands",), right=False)
    assert not told["unlocked"], "speed locks again when accuracy falls"
    assert school.drills.standing(anna, "russian-a")["hands"].seconds is None


def test_progress_is_per_trainee_house_and_topic(school: School, anna: Trainee) -> None:
    boris = Trainee("p-boris", guest=False)
    for _ in range(3):
        school.round(anna, topics=("cap",), right=False)
    school.wait(days=1)
    school.round(anna, topics=("hands",))
    school.round(boris, "texas-a")
    standing = school.drills.standing(anna, "russian-a")
    assert (standing["cap"].asked, standing["cap"].right) == (3, 0)
    assert (standing["hands"].asked, standing["hands"].right) == (1, 1)
    answers = school.drills.answers(anna)
    assert [(asked, right) for _, asked, right in by_day(answers)] == [(3, 0), (1, 1)]
    assert mistakes_by_kind(answers) == [("card-count", 3)]
    assert len(school.drills.answers(boris)) == 1
    assert school.drills.store.people() == ["p-anna", "p-boris"]


def test_progress_outlives_a_restart_and_can_be_erased(tmp_path: Path, anna: Trainee) -> None:
    first = make_school(ProgressStore(tmp_path / "drills.db"))
    told = first.round(anna)
    assert told["kept"] is True
    first.drills.close()
    again = make_school(ProgressStore(tmp_path / "drills.db"))
    assert len(again.drills.answers(anna)) == 1
    assert again.drills._items(anna, "russian-a")
    again.drills.begin_exam(anna, "russian-a")
    again.drills.store.erase(anna.key)
    assert again.drills.answers(anna) == []
    assert again.drills.exams(anna) == []
    assert again.drills.store.people() == []
    again.drills.close()


def test_a_guest_leaves_nothing_on_disk(school: School, guest: Trainee) -> None:
    told = school.round(guest)
    assert told["kept"] is False
    assert len(school.drills.answers(guest)) == 1
    assert school.drills.store.people() == []


def test_only_so_many_guests_are_remembered(
    school: School, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kiosk.teach.drills._MOST_GUESTS", 5)
    for n in range(8):
        school.round(Trainee(f"guest:{n}"), topics=("qualification",))
    assert school.drills.answers(Trainee("guest:0")) == []
    assert len(school.drills.answers(Trainee("guest:7"))) == 1


def test_drilling_goes_on_when_the_file_cannot_be_written(tmp_path: Path, anna: Trainee) -> None:
    place = tmp_path / "drills.db"
    place.write_bytes(b"this is no database" * 100)
    school = make_school(ProgressStore(place))
    told = school.round(anna)
    assert told["right"]
    assert told["kept"] is False
    assert len(school.drills.answers(anna)) == 1
    assert place.read_bytes().startswith(b"this is no database")
    place.unlink()
    assert school.round(anna)["kept"] is True
    school.drills.close()


def test_a_file_of_a_newer_program_is_left_alone(tmp_path: Path, anna: Trainee) -> None:
    place = tmp_path / "drills.db"
    ProgressStore(place).people()
    with sqlite3.connect(place) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(ActionError, match="newer version"):
        ProgressStore(place).people()


def test_a_round_is_answered_once(school: School, anna: Trainee) -> None:
    shown = school.drills.next(anna, "russian-a", ("qualification",), "en")
    school.drills.answer(anna, shown["id"], Given(game=True), "en")
    with pytest.raises(ActionError) as refused:
        school.drills.answer(anna, shown["id"], Given(game=True), "en")
    assert refused.value.kind == "drill-over"


@pytest.mark.parametrize(
    ("house", "topics"), [("moon", ()), ("texas-a", ("insurance",)), ("texas-a", ("tips",))]
)
def test_what_a_house_has_not_is_refused(
    school: School, anna: Trainee, house: str, topics: tuple[str, ...]
) -> None:
    with pytest.raises(ActionError) as refused:
        school.drills.next(anna, house, topics, "en")
    assert refused.value.status == 400


def sit(school: School, trainee: Trainee, wrong: int) -> Any:
    """A whole test with so many wrong answers."""
    exam = school.drills.begin_exam(trainee, "three-a")
    for n in range(len(exam.questions)):
        shown = school.drills.exam_question(trainee, exam.id, "en")
        assert shown["test"] == {"done": n, "count": 6}
        assert shown["seconds"] is None
        exercise = school.exercise(trainee)
        answer = (wrong_answer if n < wrong else right_answer)(exercise, HOUSES["three-a"])
        told = school.drills.answer(trainee, shown["id"], answer, "en")
        assert set(told) == {"test", "kept"}, "a test tells nothing on the way"
    assert told["test"]["finished"]
    return school.drills.exam_of(trainee, exam.id)


@pytest.mark.parametrize(("wrong", "passed"), [(0, True), (1, False)])
def test_a_test_is_passed_with_its_mark(
    school: School, anna: Trainee, wrong: int, passed: bool
) -> None:
    exam = sit(school, anna, wrong)
    assert exam.needed == 6  # 90 % of 6 questions
    assert (exam.right, exam.passed) == (6 - wrong, passed)
    assert exam.finished == school.at
    with pytest.raises(ActionError, match="over"):
        school.drills.exam_question(anna, exam.id, "en")
    assert school.drills.exam_of(Trainee("p-boris", guest=False), exam.id) is None


def test_a_pass_mark_is_rounded_up_exactly() -> None:
    school = make_school(ProgressStore(None), Aims(questions=20, pass_mark=0.9))
    exam = school.drills.begin_exam(Trainee("x", guest=False), "russian-a")
    assert exam.needed == 18
    assert len({q.item for q in exam.questions}) == len(topics_of(HOUSES["russian-a"].house))


def test_a_test_goes_on_after_a_restart_and_a_new_one_ends_it(
    tmp_path: Path, anna: Trainee
) -> None:
    first = make_school(ProgressStore(tmp_path / "drills.db"))
    exam = first.drills.begin_exam(anna, "three-a")
    shown = first.drills.exam_question(anna, exam.id, "en")
    first.drills.answer(
        anna, shown["id"], right_answer(first.exercise(anna), HOUSES["three-a"]), "en"
    )
    first.drills.close()
    again = make_school(ProgressStore(tmp_path / "drills.db"))
    again.drills._sources.token()  # not the same id again
    shown = again.drills.exam_question(anna, exam.id, "en")
    assert shown["test"]["done"] == 1
    again.wait(minutes=1)
    newer = again.drills.begin_exam(anna, "three-a")
    old = again.drills.exam_of(anna, exam.id)
    assert old is not None and old.finished is not None and not old.passed
    assert [e.id for e in again.drills.exams(anna)] == [newer.id, exam.id]
    again.drills.close()
