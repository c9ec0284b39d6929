"""Accounts: roles, secrets, erasing. Sessions: how they end. Locks: how they grow."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.people import People, PeopleError, Person, Role, Session, hashing, may, open_people
from kiosk.people.hashing import hash_password, hash_pin
from kiosk.people.locks import (
    AT_KIOSK,
    KIOSK_FREE_TRIES,
    KIOSK_KEY,
    KIOSK_LONGEST_LOCK_S,
    LONGEST_LOCK_S,
    PIN_DEAD_AFTER,
    lock_of,
)
from kiosk.people.roles import NEEDS, may_manage
from kiosk.people.sessions import KINDS

PASSWORD = "correct horse battery"
REAL_METHOD = hashing.METHOD


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cheap hashes: what is tested here are the rules around them."""
    monkeypatch.setattr(hashing, "METHOD", "scrypt:1024:8:1")
    monkeypatch.setattr(hashing, "NOBODY", hashing.generate_password_hash("-", "scrypt:1024:8:1"))


class Clock:
    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def people(tmp_path: Path, clock: Clock) -> Iterator[People]:
    found = open_people(tmp_path, clock)
    yield found
    found.close()


def session_of(people: People, person: Person, via: str = "password") -> Session:
    found = people.session(people.sign_in(person, via))  # type: ignore[arg-type]
    assert found is not None
    return found


def refused(kind: str) -> pytest.RaisesExc[PeopleError]:
    return pytest.raises(PeopleError, check=lambda problem: problem.kind == kind)


def test_each_role_may_all_that_those_below_may() -> None:
    for right, least in NEEDS.items():
        assert [role for role in Role if may(role, right)] == [r for r in Role if r >= least]
        assert not may(None, right)
    with pytest.raises(KeyError):
        may(Role.ADMIN, "no such right")


def test_nobody_manages_their_equals_but_the_admin() -> None:
    table = {(role, of): may_manage(role, of) for role in (None, *Role) for of in Role}
    assert {pair for pair, allowed in table.items() if allowed} == {
        (Role.INSTRUCTOR, Role.TRAINEE),
        (Role.SUPERVISOR, Role.TRAINEE),
        (Role.SUPERVISOR, Role.INSTRUCTOR),
        *((Role.ADMIN, of) for of in Role),
    }


def test_names_are_one_person_s_however_they_are_typed(people: People) -> None:
    people.add("  Véra   Ⅳ ", Role.TRAINEE, pin="2580")
    found = people.named("véra iv")
    assert found is not None and found.name == "Véra IV"
    with refused("name-taken"):
        people.add("VÉRA IV", Role.TRAINEE, pin="2580")
    for bad in ("", "   ", "x" * 61, "a\x00b", "a\u202eb"):
        with refused("bad-name"):
            people.add(bad, Role.TRAINEE, pin="2580")
    assert len(people.everybody()) == 1


@pytest.mark.parametrize(
    "pin", ["", "123", "1234", "4321", "0000", "9012", "12a4", "１２８４", "1" * 13, "25 80"]
)
def test_easy_and_broken_pins_are_refused(pin: str) -> None:
    with refused("bad-pin"):
        hash_pin(pin, Role.TRAINEE)


def test_who_may_overrule_needs_a_longer_pin() -> None:
    hash_pin("2580", Role.TRAINEE)
    with refused("bad-pin"):
        hash_pin("2580", Role.INSTRUCTOR)


@pytest.mark.parametrize(
    "password", ["", "short", "aaaaaaaaaaaa", "abababababab", "x" * 201, "Vera Dealer"]
)
def test_easy_passwords_are_refused(password: str) -> None:
    with refused("bad-password"):
        hash_password(password, "vera dealer")


def test_a_higher_role_ends_sessions_and_a_short_pin(people: People) -> None:
    people.add("Ann", Role.ADMIN, password=PASSWORD)
    tim = people.add("Tim", Role.TRAINEE, pin="2580")
    token = people.sign_in(tim, "deal")
    after = people.set_role(tim.id, Role.INSTRUCTOR)
    assert after.role == Role.INSTRUCTOR and not after.has_pin
    assert people.session(token) is None


def test_the_last_admin_stays(people: People) -> None:
    ann = people.add("Ann", Role.ADMIN, password=PASSWORD)
    with refused("last-admin"):
        people.erase(ann.id)
    with refused("last-admin"):
        people.set_role(ann.id, Role.TRAINEE)
    people.add("Bea", Role.ADMIN, password=PASSWORD)
    people.erase(ann.id)
    assert [person.name for person in people.everybody()] == ["Bea"]
    tim = people.add("Tim", Role.SUPERVISOR, pin="258036")
    with refused("no-secret"):
        people.set_role(tim.id, Role.ADMIN)


def test_nobody_climbs_by_way_of_another(people: People) -> None:
    ann = people.add("Ann", Role.ADMIN, password=PASSWORD)
    igor = people.add("Igor", Role.INSTRUCTOR, pin="258036")
    olga = people.add("Olga", Role.SUPERVISOR, pin="147036")
    tim = people.add("Tim", Role.TRAINEE, pin="2580")
    mine = session_of(people, igor)
    for wrong in (
        lambda: people.add("Eve", Role.INSTRUCTOR, pin="369014", actor=mine),
        lambda: people.add("Eve", Role.ADMIN, password=PASSWORD, actor=mine),
        lambda: people.set_role(tim.id, Role.SUPERVISOR, actor=mine),
        lambda: people.set_role(igor.id, Role.ADMIN, actor=mine),
        lambda: people.set_pin(olga.id, "369014", actor=mine),
        lambda: people.set_password(ann.id, "other horse battery", actor=mine),
        lambda: people.erase(olga.id, actor=mine),
        lambda: people.unlock(ann.id, actor=mine),
        lambda: people.sign_out_everywhere(ann.id, actor=mine),
        lambda: people.set_name(ann.id, "Igor's Ann", actor=mine),
    ):
        with refused("not-allowed"):
            wrong()
    # An admin who only gave a PIN has no more than a supervisor, and changes no account at all.
    people.set_pin(ann.id, "369014")
    weak = session_of(people, ann, "pin")
    assert weak.role == Role.SUPERVISOR
    for role in (Role.TRAINEE, Role.SUPERVISOR):
        with refused("sign-in"):
            people.add("Eve", role, pin="369014", actor=weak)
    assert session_of(people, ann, "deal").role == Role.TRAINEE


def test_erasing_leaves_the_id_and_nothing_of_the_name(people: People, tmp_path: Path) -> None:
    people.add("Ann", Role.ADMIN, password=PASSWORD)
    tim = people.add("Timofej Ostrovskij", Role.TRAINEE, pin="2580")
    token = people.sign_in(tim, "deal")
    people.erase(tim.id)
    assert people.name_of(tim.id) is None and people.session(token) is None
    left = people.person(tim.id)
    assert left is not None and left.erased is not None and not left.has_pin
    for what in (lambda: people.erase(tim.id), lambda: people.set_pin(tim.id, "2580")):
        with refused("not-found"):
            what()
    with refused("wrong"):
        people.check_pin(tim.id, "2580", "192.0.2.1")
    people.close()
    for file in tmp_path.iterdir():
        assert b"ostrovskij" not in file.read_bytes().lower(), file
    # The name may be used again; the id is another one.
    assert people.add("Timofej Ostrovskij", Role.TRAINEE, pin="2580").id != tim.id


@pytest.mark.parametrize("via", KINDS)
def test_sessions_end_when_idle_and_in_any_case(people: People, clock: Clock, via: str) -> None:
    ann = people.add("Ann", Role.ADMIN, password=PASSWORD)
    kind = KINDS[via]
    token = people.sign_in(ann, via)  # type: ignore[arg-type]
    begun = clock.now
    while clock.now + kind.idle - 5 < begun + kind.whole:
        clock.now += kind.idle - 5
        assert people.session(token) is not None, "it is in use"
    clock.now = begun + kind.whole + 1
    assert people.session(token) is None
    idle = people.sign_in(ann, via)  # type: ignore[arg-type]
    clock.now += kind.idle + 1
    assert people.session(idle, used=False) is None
    watched = people.sign_in(ann, via)  # type: ignore[arg-type]
    for _ in range(3):
        clock.now += kind.idle / 2
        people.session(watched, used=False)
    assert people.session(watched) is None, "a page that is only open keeps nothing alive"


def test_a_clock_set_back_makes_no_session_younger(people: People, clock: Clock) -> None:
    ann = people.add("Ann", Role.ADMIN, password=PASSWORD)
    token = people.sign_in(ann, "password")
    clock.now -= 24 * 3600
    assert people.session(token) is None


def test_a_new_password_ends_all_sessions(people: People) -> None:
    ann = people.add("Ann", Role.ADMIN, password=PASSWORD)
    token = people.sign_in(ann, "password")
    people.set_password(ann.id, "another horse battery")
    assert people.session(token) is None
    with refused("wrong"):
        people.check_password("Ann", PASSWORD, "192.0.2.1")
    assert people.check_password("ann", "another horse battery", "192.0.2.1").id == ann.id


def test_locks_grow_to_a_limit_and_a_right_secret_ends_them(people: People, clock: Clock) -> None:
    assert [lock_of(n) for n in range(4, 12)] == [0, 30, 60, 120, 240, 480, 900, 900]
    tim = people.add("Tim", Role.TRAINEE, pin="2580")
    for failed in range(8):
        with refused("wrong"):
            people.check_pin(tim.id, "0852", f"192.0.2.{failed}")
        clock.now += lock_of(failed + 1)
    assert people.check_pin(tim.id, "2580", "192.0.2.99").id == tim.id
    with refused("wrong"):
        people.check_pin(tim.id, "0852", "192.0.2.98")
    assert people.check_pin(tim.id, "2580", "192.0.2.97").id == tim.id


def test_a_pin_that_is_guessed_at_for_long_is_dead(people: People, clock: Clock) -> None:
    tim = people.add("Tim", Role.TRAINEE, pin="2580")
    for number in range(PIN_DEAD_AFTER):
        with refused("wrong"):
            people.check_pin(tim.id, "0852", f"192.0.2.{number}")
        clock.now += LONGEST_LOCK_S
    with refused("locked"):
        people.check_pin(tim.id, "2580", "192.0.2.200")
    people.set_pin(tim.id, "1470")
    assert people.check_pin(tim.id, "1470", "192.0.2.201").id == tim.id


def test_one_person_s_wrong_pins_at_the_kiosk_lock_nobody_else(people: People) -> None:
    tim = people.add("Tim", Role.TRAINEE, pin="2580")
    sue = people.add("Sue", Role.SUPERVISOR, pin="147036", password=PASSWORD)
    for kind in ["wrong"] * 5 + ["locked"] * 3:
        with refused(kind):
            people.check_pin(tim.id, "0852", AT_KIOSK)
    assert people.check_pin(sue.id, "147036", AT_KIOSK).id == sue.id
    assert people.check_password("Sue", PASSWORD, AT_KIOSK).id == sue.id
    with refused("locked"):
        people.check_pin(tim.id, "2580", AT_KIOSK)


def test_guessing_at_the_kiosk_is_limited_in_all_and_for_a_minute(
    people: People, clock: Clock
) -> None:
    crowd = [people.add(f"Trainee {n}", Role.TRAINEE, pin="2580") for n in range(8)]
    sue = people.add("Sue", Role.SUPERVISOR, pin="147036")

    def guesses(number: int) -> list[str]:
        kinds = []
        for n in range(number):
            with pytest.raises(PeopleError) as caught:
                people.check_pin(crowd[n % len(crowd)].id, "0852", AT_KIOSK)
            kinds.append(caught.value.kind)
        return kinds

    assert guesses(KIOSK_FREE_TRIES + 3) == ["wrong"] * KIOSK_FREE_TRIES + ["locked"] * 3
    with refused("locked"):
        people.check_pin(sue.id, "147036", AT_KIOSK)
    clock.now += lock_of(KIOSK_FREE_TRIES, KIOSK_KEY)
    for _ in range(4):
        assert guesses(2) == ["wrong", "locked"], "one more guess, then the lock again"
        clock.now += KIOSK_LONGEST_LOCK_S
        crowd = [*crowd[1:], crowd[0]]
    assert people.check_pin(sue.id, "147036", AT_KIOSK).id == sue.id


def test_ending_a_lock_ends_that_of_the_kiosk_too(people: People) -> None:
    crowd = [people.add(f"Trainee {n}", Role.TRAINEE, pin="2580") for n in range(5)]
    for tim in crowd:
        for _ in range(4):
            with refused("wrong"):
                people.check_pin(tim.id, "0852", AT_KIOSK)
    with refused("locked"):
        people.check_pin(crowd[0].id, "2580", AT_KIOSK)
    people.unlock(crowd[1].id)
    assert people.check_pin(crowd[1].id, "2580", AT_KIOSK).id == crowd[1].id


def test_a_clock_set_back_keeps_the_kiosk_locked_for_a_minute_at_most(
    people: People, clock: Clock
) -> None:
    tim, sue = (people.add(name, Role.TRAINEE, pin="2580") for name in ("Tim", "Sue"))
    for _ in range(KIOSK_FREE_TRIES):
        with pytest.raises(PeopleError):
            people.check_pin(tim.id, "0852", AT_KIOSK)
        clock.now += LONGEST_LOCK_S
    clock.now -= 24 * 3600
    with pytest.raises(PeopleError) as caught:
        people.check_pin(sue.id, "2580", AT_KIOSK)
    assert caught.value.values["n"] <= KIOSK_LONGEST_LOCK_S


def test_guesses_at_the_same_time_gain_nothing(people: People) -> None:
    tim = people.add("Tim", Role.TRAINEE, pin="2580")
    kinds: list[str] = []

    def guess(number: int) -> None:
        try:
            people.check_pin(tim.id, "0852", f"192.0.2.{number}")
        except PeopleError as problem:
            kinds.append(problem.kind)

    threads = [threading.Thread(target=guess, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(kinds) == ["locked"] * 7 + ["wrong"] * 5


def test_two_first_admins_at_the_same_time_are_one(people: People) -> None:
    made: list[str] = []

    def begin(name: str) -> None:
        try:
            people.first_admin(people.setup.text, name, PASSWORD, "127.0.0.1")
            made.append(name)
        except PeopleError:
            pass

    threads = [threading.Thread(target=begin, args=(name,)) for name in ("Ann", "Bea", "Cleo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and [p.name for p in people.everybody()] == made


def test_leave_is_for_one_deed_once_and_soon(people: People, clock: Clock) -> None:
    igor = people.add("Igor", Role.INSTRUCTOR, pin="258036")
    tim = people.add("Tim", Role.TRAINEE, pin="2580")
    give, take = people.approvals.give, people.approvals.take
    assert give(tim, "round.void") is None
    token = give(igor, "round.void")
    assert token is not None
    assert take(token, "round.overrule") is None and take(token, "round.void") is None
    token = give(igor, "round.void") or ""
    found = take(token, "round.void")
    assert found is not None and found.id == igor.id and take(token, "round.void") is None
    token = give(igor, "round.void") or ""
    clock.now += 61
    assert take(token, "round.void") is None


def test_secrets_are_hashed_and_the_file_is_the_owner_s_alone(
    people: People, tmp_path: Path
) -> None:
    people.add("Ann", Role.ADMIN, password=PASSWORD, pin="258036")
    file = tmp_path / "people.db"
    assert file.stat().st_mode & 0o077 == 0
    with sqlite3.connect(file) as connection:
        (row,) = connection.execute("SELECT password_hash, pin_hash FROM people").fetchall()
    connection.close()
    assert all(value.startswith("scrypt:") and value.count("$") == 2 for value in row)


def test_a_hash_costs_a_guesser_much() -> None:
    assert REAL_METHOD == "scrypt:32768:8:1"


def test_a_newer_file_is_refused_and_a_lost_one_fails_closed(
    tmp_path: Path, people: People
) -> None:
    people.add("Ann", Role.ADMIN, password=PASSWORD)
    people.close()
    with sqlite3.connect(tmp_path / "people.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    later = open_people(tmp_path)
    with refused("storage"):
        later.everybody()
    with refused("storage"):
        later.has_admin()
