"""A data folder is its user's alone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.cli import main
from kiosk.private import kept_private

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_is_made_within_is_private_and_nothing_after_it(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with kept_private(data):
        (data / "pictures").mkdir(parents=True)
        (data / "record.db").touch()
    assert {mode(data), mode(data / "pictures")} == {0o700}
    assert mode(data / "record.db") == 0o600
    (tmp_path / "export.csv").touch()
    assert mode(tmp_path / "export.csv") == 0o644


@pytest.mark.parametrize("mark", ["record.db", "drills.db", None])
def test_an_older_folder_is_closed_and_it_is_said(
    tmp_path: Path, capsys: Captured, mark: str | None
) -> None:
    data = tmp_path / "data"
    data.mkdir(0o755)
    if mark is not None:
        (data / mark).touch()
    for _ in range(2):
        with kept_private(data):
            pass
    assert mode(data) == 0o700
    assert capsys.readouterr().err.count("is closed to them now") == 1


@pytest.mark.parametrize("other", ["letters.txt", "sticky"])
def test_a_folder_of_other_things_is_left_and_named(
    tmp_path: Path, capsys: Captured, other: str
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / other).touch()
    wide = 0o1777 if other == "sticky" else 0o755
    data.chmod(wide)
    with kept_private(data):
        pass
    assert data.stat().st_mode & 0o7777 == wide
    assert f"{data} is open to other users" in capsys.readouterr().err


def test_rights_are_only_taken(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "record.db").touch()
    data.chmod(0o555)
    with kept_private(data):
        pass
    assert mode(data) == 0o500
    data.chmod(0o700)


def test_accounts_made_in_the_terminal_are_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    monkeypatch.setattr("kiosk.people.commands._ask", lambda _what: "4471")
    assert main(["people", "add", "Anna", "--role", "trainee", "--data", str(data)]) == 0
    assert mode(data) == 0o700
    assert {mode(path) for path in data.iterdir()} == {0o600}
