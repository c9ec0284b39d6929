"""What may be entered on the panel, at which nobody says who they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from kiosk.errors import ActionError
from kiosk.owner import TableOwner
from kiosk.panel_desk import enter, rights
from kiosk.people import Role, open_people
from kiosk.people.database import FILE
from kiosk.table.outputs import HandHeld
from kiosk.table.state import RoundSettings

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


def test_p5_the_panel_s_reason_is_where_it_was_entered(tmp_path: Path) -> None:
    """The panel has no letters; only where a reason is due it gives one."""
    people, said = open_people(tmp_path), []
    owner = TableOwner(RoundSettings(), "r-000001", lambda *step: said.extend(step[3]))
    owner.start()
    try:
        enter(owner, people, "hold", {"held": True})
        enter(owner, people, "hold", {"held": False})
        with pytest.raises(ActionError, match="not held"):
            enter(owner, people, "hold", {"held": False, "reason": "x"})
        enter(owner, people, "hold", {"held": True})
        people.add("Bob", Role.ADMIN, password=PASSWORD)
        with pytest.raises(ActionError) as refused:
            enter(owner, people, "hold", {"held": False})
        assert refused.value.kind == "needs-leave"
    finally:
        owner.stop()
        people.close()
    held = [(one.held, one.reason) for one in said if isinstance(one, HandHeld)]
    assert held == [(True, ""), (False, "panel"), (True, "")]


def test_the_panel_may_little_while_the_people_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    people = open_people(tmp_path)
    try:
        allowed = rights(people)
        assert allowed is not None and not allowed("bets")
    finally:
        people.close()
