"""What may be entered on the panel, at which nobody says who they are."""

from __future__ import annotations

from pathlib import Path

from kiosk.panel_desk import rights
from kiosk.people import Role, open_people
from kiosk.people.database import FILE

PASSWORD = "correct horse battery"


def test_the_panel_may_do_all_until_there_is_an_admin(tmp_path: Path) -> None:
    people = open_people(tmp_path)
    try:
        assert rights(people) is None
        people.add("Ada", Role.SUPERVISOR, password=PASSWORD)
        assert rights(people) is None
        people.add("Bob", Role.ADMIN, password=PASSWORD)
        allowed = rights(people)
        assert allowed is not None and not allowed("bets")
    finally:
        people.close()


def test_the_panel_may_little_while_the_people_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    people = open_people(tmp_path)
    try:
        allowed = rights(people)
        assert allowed is not None and not allowed("bets")
    finally:
        people.close()
