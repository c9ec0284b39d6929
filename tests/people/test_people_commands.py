"""``kiosk people``: secrets come from standard input or a terminal, never as arguments."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from kiosk.cli import main
from kiosk.people import Role, open_people

PASSWORD = "correct horse battery"


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def kiosk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """Runs ``kiosk people`` on a data folder; ``lines`` come from standard input."""

    def run(*arguments: str, lines: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        capsys.readouterr()
        status = main(["people", *arguments, "--data", str(tmp_path)])
        return Done(status, *capsys.readouterr())

    return run


def test_the_life_of_an_account(kiosk: Callable[..., Done]) -> None:
    made = kiosk("add", "Ann", "--role", "admin", lines=PASSWORD + "\n")
    assert made.returncode == 0, made.stderr
    assert kiosk("add", "Lucky 7", lines="2580\n").returncode == 0
    short = kiosk("pin", "ann", lines="2580\n")
    assert short.returncode == 2
    assert short.stderr == "kiosk: The PIN of this role must have 6 to 12 digits.\n"
    assert kiosk("role", "lucky 7", "supervisor").returncode == 0
    listed = kiosk("list", "--json").stdout.splitlines()
    people = {one["name"]: one for one in map(json.loads, listed)}
    assert people["Lucky 7"]["role"] == "supervisor" and not people["Lucky 7"]["pin"]
    assert PASSWORD not in json.dumps(people)
    assert kiosk("remove", people["Lucky 7"]["id"]).returncode == 0
    for name in ("Lucky 7", people["Lucky 7"]["id"]):
        gone = kiosk("pin", name, lines="2580\n")
        assert (gone.returncode, "nobody is named" in gone.stderr) == (2, True)
    last = kiosk("remove", "Ann")
    assert last.returncode == 2 and "last admin" in last.stderr
    assert kiosk("password", "Ann").returncode == 2, "no line, no password"


def test_without_accounts_the_folder_is_named_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mistyped"
    assert main(["people", "list", "--data", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert out == "" and str(folder) in err and "kiosk people add" in err
    assert main(["people", "remove", "Ann", "--data", str(folder)]) == 2
    assert str(folder) in capsys.readouterr().err
    assert not folder.exists()


def test_who_cannot_sign_in_is_told(kiosk: Callable[..., Done]) -> None:
    assert kiosk("add", "Ann", lines="2580\n").returncode == 0
    raised = kiosk("role", "Ann", "instructor")
    assert "kiosk people pin p-" in raised.stderr
    assert "cannot sign in" in kiosk("list").stdout


def test_on_a_terminal_it_is_asked_twice_and_not_shown(tmp_path: Path) -> None:
    parent, child = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "kiosk.cli", "people", "add", "Ann", "--role", "admin"]
        + ["--data", str(tmp_path)],
        stdin=child,
        stdout=child,
        stderr=child,
        start_new_session=True,
        preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
    )
    os.close(child)
    shown = b""
    for asked in (b"Password: ", b"once more: "):
        while asked not in shown:
            shown += os.read(parent, 1000)
        os.write(parent, PASSWORD.encode() + b"\n")
    try:
        while piece := os.read(parent, 1000):
            shown += piece
    except OSError:  # the terminal is gone with the program
        pass
    assert program.wait(300) == 0, shown
    os.close(parent)
    assert PASSWORD.encode() not in shown
    people = open_people(tmp_path)
    found = people.named("ann")
    people.close()
    assert found is not None and found.role == Role.ADMIN
