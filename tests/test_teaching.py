"""The drills of a running kiosk: its houses, its limits, and what is forgotten with a person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kiosk.config import Settings
from kiosk.people import Role, open_people
from kiosk.rules import load_house_file
from kiosk.teach.drills import Trainee
from kiosk.teach.grading import Given
from kiosk.teaching import drill_rules, forget_erased, open_drills


def settings(**more: Any) -> Settings:
    return Settings.model_validate(more)


def test_limits_chips_and_order_are_those_of_the_table(tmp_path: Path) -> None:
    table = {"ante_min": 25, "ante_max": 50, "max_payout": 900, "order": "first-last"}
    own = settings(table=table, teach={"questions": 7, "pass_mark": 0.5})
    drills = open_drills(own, tmp_path, load_house_file("texas-a"))
    shown = drills.next(Trainee("guest:1"), "texas-a", ("whole-box",), "en")
    assert shown["table"]["max_payout"] == 900
    assert shown["table"]["chips"][0] == 1000
    assert 25 <= shown["boxes"][0]["bets"]["ante"] <= 50
    assert drills.rules.order == "first-last"
    assert (drills.rules.aims.questions, drills.rules.aims.pass_mark) == (7, 0.5)
    assert not (tmp_path / "drills.db").exists(), "a guest writes nothing"
    drills.close()


def test_a_house_of_one_s_own_is_drilled_beside_the_shipped_ones(tmp_path: Path) -> None:
    place = tmp_path / "ours.toml"
    place.write_text(
        'extends = "russian-a"\ngame = "russian"\ntitle = "Ours"\nsource = "S000"\n', "utf-8"
    )
    file = load_house_file(place)
    rules = drill_rules(settings(), file)
    assert rules.houses[file.house.name] is file
    assert len(rules.houses) == 10


def test_progress_goes_with_the_person(tmp_path: Path) -> None:
    people = open_people(tmp_path)
    anna = people.add("Anna", Role.TRAINEE, pin="4471")
    boris = people.add("Boris", Role.TRAINEE, pin="4472")
    drills = open_drills(settings(), tmp_path, load_house_file("russian-a"))
    for person in (anna, boris):
        trainee = Trainee(person.id, guest=False)
        shown = drills.next(trainee, "russian-a", ("qualification",), "en")
        assert drills.answer(trainee, shown["id"], Given(game=True), "en")["kept"]
    people.erase(anna.id)
    forget_erased(drills, people)
    assert drills.store.people() == [boris.id]
    content = b"".join(file.read_bytes() for file in tmp_path.glob("drills.db*"))
    assert boris.id.encode() in content
    drills.close()
    content = b"".join(file.read_bytes() for file in tmp_path.glob("drills.db*"))
    assert anna.id.encode() not in content, "nothing of it is left in the file"
    people.close()
