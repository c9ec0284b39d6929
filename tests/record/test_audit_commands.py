"""``kiosk audit`` as people and programs call it."""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import sqlite3
import time
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pypdfium2 import PdfDocument

from kiosk.errors import UserError
from kiosk.people import Role, open_people
from kiosk.record.commands import add_commands
from kiosk.record.export import WITHHELD
from kiosk.record.paths import data_dir
from kiosk.record.pictures import Picture
from kiosk.record.record import Record

Audit = Callable[..., tuple[int, str]]


@pytest.fixture
def audit(capsys: pytest.CaptureFixture[str]) -> Audit:
    """Calls ``kiosk audit`` and gives exit status and standard output."""

    def call(*arguments: object) -> tuple[int, str]:
        parser = argparse.ArgumentParser()
        add_commands(parser.add_subparsers())
        args = parser.parse_args(["audit", *map(str, arguments)])
        status = args.run(args)
        return status, capsys.readouterr().out

    return call


@pytest.fixture
def data(
    tmp_path: Path,
    open_record: Callable[..., Record],
    play: Callable[..., str],
    picture: Callable[..., Picture],
    clock: Any,
) -> Path:
    """Three hands on three days, the second disputed."""
    record = open_record(tmp_path / "data")
    play(record, (picture(),))
    clock.move(24 * 3600)
    second = play(record, paid=Decimal("412.5"), slug="full-house", confirmed=frozenset())
    record.append("held", second, {"reason": "amount"})
    clock.move(24 * 3600)
    play(record)
    record.close()
    return tmp_path / "data"


def listed(out: str) -> list[str]:
    return [json.loads(line)["id"] for line in out.splitlines()]


def test_list_json_has_what_other_programs_rely_on(audit: Audit, data: Path) -> None:
    status, out = audit("list", "--data", data, "--json")
    assert status == 0
    hands = [json.loads(line, parse_float=Decimal) for line in out.splitlines()]
    assert [hand["id"] for hand in hands] == ["r-000001", "r-000002", "r-000003"]
    for hand in hands:
        assert {"id", "time", "table", "person", "house", "boxes", "settlement"} <= hand.keys()
    second = hands[1]
    assert second["settlement"]["paid"] == Decimal("412.5")
    assert second["boxes"][0]["cards"] == ["7h", "7d", "Ts", "Td", "Qc"]
    assert (second["table"], second["person"], second["house"]) == (
        "Table 4",
        "trainee-7",
        "russian-a",
    )
    assert second["disputed"] is True and second["assumed"] is True
    assert second["time"].startswith("2031-05-18T18:00")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--from", "2031-05-18T18:00:00Z"], ["r-000002", "r-000003"]),
        (["--to", "2031-05-18T18:00:00Z"], ["r-000001"]),
        (["--from", "2031-05-16", "--to", "2031-05-21"], ["r-000001", "r-000002", "r-000003"]),
        (["--table", "Table 4", "--person", "trainee-7"], ["r-000001", "r-000002", "r-000003"]),
        (["--table", "Table 5"], []),
        (["--house", "russian-b"], []),
        (["--combination", "full-house"], ["r-000002"]),
        (["--state", "disputed"], ["r-000002"]),
        (["--state", "void"], []),
        (["--limit", "2"], ["r-000002", "r-000003"]),
    ],
)
def test_list_filters(audit: Audit, data: Path, options: list[str], expected: list[str]) -> None:
    status, out = audit("list", "--data", data, "--json", *options)
    assert (status, listed(out)) == (0, expected)


def test_a_bare_date_as_end_includes_the_day(audit: Audit, data: Path) -> None:
    local = json.loads(audit("list", "--data", data, "--json")[1].splitlines()[0])["time"]
    from datetime import datetime

    day = datetime.fromisoformat(local).astimezone().date().isoformat()
    assert listed(audit("list", "--data", data, "--json", "--to", day)[1]) == ["r-000001"]


def test_list_and_show_for_people(audit: Audit, data: Path) -> None:
    status, out = audit("list", "--data", data)
    assert status == 0 and len(out.splitlines()) == 3
    assert "paid 412.5, taken 0" in out and "disputed" in out
    status, out = audit("show", "r-000001", "--data", data)
    assert status == 0
    for told in (
        "dealt by trainee-7, training mode", "Box 1: 7♥ 99%", "Dealer: pair", "Box 1: two pair",
        "paid 400, taken 0", "Hand begun", "Settled", "Hand over", "Settlement shown: /",
    ):  # fmt: skip
        assert told in out, f"{told}: {out}"
    assert not re.search(r'[{}"]', out), "nothing raw"


def test_times_for_people_are_by_this_machines_clock_as_the_filters_take_them(
    audit: Audit, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Tashkent")
    time.tzset()
    try:
        _, out = audit("list", "--data", data)
        (_, day, clock), *_ = (line.split()[:3] for line in out.splitlines())
        assert re.fullmatch(r"\d\d:\d\d:\d\d\+05:00", clock), out
        _, again = audit("list", "--data", data, "--from", f"{day}T{clock}", "--to", "2999-01-01")
        assert len(again.splitlines()) >= 2, "what is shown finds the hand again"
    finally:
        monkeypatch.undo()
        time.tzset()


def test_show_json_has_every_entry(audit: Audit, data: Path) -> None:
    shown = json.loads(audit("show", "r-000001", "--data", data, "--json")[1])
    assert [e["kind"] for e in shown["entries"]] == ["round-started", "settled", "round-finished"]
    assert shown["settled"]["versions"]["software"] == "0.1.0"
    assert Path(shown["pictures"][0]["file"]).exists()
    assert shown["cards"]["box1"][0] == {
        "card": "7h",
        "confidence": 0.991,
        "machine": "7h",
        "source": "machine",
    }


def test_export_csv_reads_back(audit: Audit, data: Path, tmp_path: Path) -> None:
    target = tmp_path / "hands.csv"
    assert audit("export", "--data", data, "--out", target) == (0, "")
    rows = list(csv.DictReader(io.StringIO(target.read_text("utf-8"))))
    assert [row["id"] for row in rows] == ["r-000001", "r-000002", "r-000003"]
    assert rows[1]["paid"] == "412.5" and rows[1]["combinations"] == "full-house pair"
    assert (rows[1]["disputed"], rows[0]["disputed"]) == ("1", "0")


@pytest.fixture
def people_data(tmp_path: Path, open_record: Callable[..., Record]) -> tuple[Path, str]:
    """A data folder with a hand dealt and overruled by Vera, and one of somebody erased; her id."""
    data = tmp_path / "data"
    people = open_people(data)
    vera, gone = (people.add(name, Role.TRAINEE, pin="2580").id for name in ("Vera", "Oleg"))
    people.erase(gone)
    people.close()
    record = open_record(data, kiosk_id="table-7")
    for round_id, person in (("r-000001", vera), ("r-000002", gone)):
        record.append("round-started", round_id, {"table": "T", "person": person})
        said = {"who": person, "box": 2, "bets": [["bet", "win", 777, None]]}
        record.append("answer", round_id, said)
        record.append("overruled", round_id, {"who": person, "box": 2, "reason": "torn"})
        record.append("round-finished", round_id, {"complete": True})
    record.close()
    return data, vera


def test_people_are_told_by_name_from_the_same_folder(
    audit: Audit, people_data: tuple[Path, str], tmp_path: Path
) -> None:
    data, vera = people_data
    first, second = audit("list", "--data", data)[1].splitlines()
    assert "Vera" in first and vera not in first and "p-" in second
    assert "Vera" in audit("show", "r-000001", "--data", data)[1]
    for asked in ("Vera", vera):
        assert listed(audit("list", "--data", data, "--json", "--person", asked)[1]) == ["r-000001"]
    rows = list(csv.DictReader(io.StringIO(audit("export", "--data", data)[1])))
    assert [(row["person_name"], row["overruled_by"]) for row in rows] == [
        ("Vera", "2:Vera"), ("", f"2:{rows[1]['person']}"),
    ]  # fmt: skip
    assert [row["reason"] for row in rows] == ["2:torn"] * 2
    told = json.loads(audit("export", "--data", data, "--format", "json")[1])["hands"][0]
    assert told["in_play"][0]["lines"][0]["said"] == {"result": "win", "amount": 777}
    assert told["overrules"] == [[2, vera, "torn"]] and told["person_name"] == "Vera"
    out = tmp_path / "hand.pdf"
    page = ("export", "--format", "pdf", "--data", data, "--out", out)
    for round_id, said in (("r-000001", "Vera"), ("r-000002", "erased person")):
        assert audit(*page, "--id", round_id)[0] == 0
        printed = PdfDocument(out)[0].get_textpage().get_text_range()
        assert said in printed and "777" in printed


def test_names_are_left_out_where_there_are_no_accounts(audit: Audit, data: Path) -> None:
    assert not (data / "people.db").exists()
    assert "trainee-7" in audit("list", "--data", data)[1]
    rows = csv.DictReader(io.StringIO(audit("export", "--data", data)[1]))
    assert [row["person_name"] for row in rows] == [""] * 3
    assert not (data / "people.db").exists(), "a command that reads must not begin accounts"
    (data / "people.db").write_bytes(b"x" * 5000)
    assert "trainee-7" in audit("list", "--data", data)[1]


def test_export_json_reads_back(audit: Audit, data: Path) -> None:
    status, out = audit("export", "--data", data, "--format", "json", "--state", "disputed")
    assert status == 0
    assert [hand["id"] for hand in json.loads(out)["hands"]] == ["r-000002"]
    assert json.loads(audit("export", "--data", data, "--format", "json", "--table", "x")[1]) == {
        "hands": []
    }


def test_text_that_a_spreadsheet_would_run_is_made_harmless(
    audit: Audit, open_record: Callable[..., Record], tmp_path: Path
) -> None:
    record = open_record(tmp_path / "data")
    record.append("round-started", "r-1", {"table": "=cmd()", "house": "@x", "person": "-1"})
    record.close()
    _status, out = audit("export", "--data", tmp_path / "data")
    row = next(csv.DictReader(io.StringIO(out)))
    assert (row["table"], row["house"], row["person"]) == ("'=cmd()", "'@x", "'-1")


def test_verify_says_that_it_holds_and_names_the_head(audit: Audit, data: Path) -> None:
    status, out = audit("verify", "--data", data)
    assert status == 0 and "The record holds" in out
    report = json.loads(audit("verify", "--data", data, "--json")[1])
    assert report["ok"] and report["pictures"] == 1
    head = report["heads"][-1]["hash"]
    assert head in out
    assert audit("verify", "--data", data, "--head", head)[0] == 0
    assert audit("verify", "--data", data, "--head", "0" * 64)[0] == 1


def test_verify_names_the_first_bad_entry(audit: Audit, data: Path) -> None:
    connection = sqlite3.connect(data / "record.db")
    connection.execute("DROP TRIGGER events_no_update")
    connection.execute("UPDATE events SET payload = replace(payload, '412.5', '912.5')")
    connection.commit()
    connection.close()
    status, out = audit("verify", "--data", data)
    assert status == 1 and "entry 6 of kiosk: its content does not fit its hash" in out
    report = json.loads(audit("verify", "--data", data, "--json")[1])
    assert report["findings"][0]["entry"] == 6


def refusal(audit: Audit, *arguments: object) -> str:
    with pytest.raises(UserError) as problem:
        audit(*arguments)
    text = str(problem.value)
    assert "\n" not in text
    return text


def test_bad_input_is_one_clear_line(audit: Audit, data: Path, tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    assert str(missing) in refusal(audit, "list", "--data", missing)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no record" in refusal(audit, "list", "--data", empty)
    assert list(empty.iterdir()) == [], "a command that reads must not begin a record"
    file = tmp_path / "file"
    file.write_text("x" * 100)
    assert "is a file" in refusal(audit, "verify", "--data", file)
    assert "not a record" in refusal(audit, "list", "--data", data, "--record", file)
    foreign = tmp_path / "songs.db"
    connection = sqlite3.connect(foreign)
    connection.execute("CREATE TABLE songs (name)")
    connection.commit()
    connection.close()
    assert "another program" in refusal(audit, "list", "--data", data, "--record", foreign)
    assert "r-777" in refusal(audit, "show", "r-777", "--data", data)
    assert "--from" in refusal(audit, "list", "--data", data, "--from", "yesterday")
    assert "--to" in refusal(audit, "list", "--data", data, "--to", "9999-12-31")
    target = tmp_path / "no" / "folder.csv"
    assert str(target) in refusal(audit, "export", "--data", data, "--out", target)


def test_the_data_folder_has_a_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_dir() == tmp_path / "dealer-kiosk"
    monkeypatch.chdir(tmp_path)
    assert data_dir("here") == tmp_path / "here"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--seat", "1"], 3),
        (["--seat", "2"], 0),
        (["--game", "russian", "--amount", "412.5"], 1),
        (["--amount", "400..413"], 3),
        (["--mistake", "any"], 0),
        (["--kiosk", "elsewhere"], 0),
    ],
)
def test_p13_list_by_seat_game_amount_mistake(
    audit: Audit, data: Path, options: list[str], expected: int
) -> None:
    status, out = audit("list", "--data", data, "--json", *options)
    assert (status, len(listed(out))) == (0, expected)


@pytest.fixture
def going_on(data: Path, open_record: Any, settled: Any, place: Any) -> Path:
    """The same with a fourth hand: settled in training, neither shown nor over."""
    record = open_record(data)
    record.append("round-started", "r-000004", place.as_json())
    record.append("settled", "r-000004", settled(paid=Decimal(777)).to_payload())
    record.close()
    return data


def told_of(audit: Audit, data: Path, folder: Path) -> str:
    """All that the commands tell of the fourth hand."""
    sheet = folder / "sheet.pdf"
    audit("export", "--data", data, "--format", "pdf", "--id", "r-000004", "--out", sheet)
    with PdfDocument(sheet.read_bytes()) as printed:
        page = printed[0].get_textpage().get_text_range()
    told = [
        audit(*words, "--data", data)[1]
        for words in (
            ("list",), ("list", "--json"), ("show", "r-000004"), ("show", "r-000004", "--json"),
            ("export",), ("export", "--format", "json"),
        )
    ]  # fmt: skip
    return "\n".join([*told, page])


def test_p3_what_a_hand_is_worth_is_told_only_once_it_is_shown_or_over(
    audit: Audit, going_on: Path, tmp_path: Path, open_record: Any
) -> None:
    told = told_of(audit, going_on, tmp_path)
    assert "777" not in told and WITHHELD in told
    for asked in (("--amount", "777"), ("--combination", "pair"), ("--state", "assumed")):
        assert "r-000004" not in audit("list", "--data", going_on, *asked)[1]
    assert listed(audit("list", "--data", going_on, "--json")[1])[-1] == "r-000004"
    record = open_record(going_on)
    record.append("revealed", "r-000004", {"boxes": [1]})
    record.close()
    told = told_of(audit, going_on, tmp_path)
    assert told.count("777") > 6 and WITHHELD not in told


def test_p3_an_export_says_what_it_leaves_out(
    audit: Audit, going_on: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "hands.csv"
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    args = parser.parse_args(["audit", "export", "--data", str(going_on), "--out", str(out)])
    assert args.run(args) == 0
    assert "left out: 1 in training" in capsys.readouterr().err
    assert "r-000004" not in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--amount", "9..1"),
        ("--to", "2019-01-01"),
        ("--seat", "99"),
        ("--mistake", "nonsense"),
        ("--combination", "nonsense"),
        ("--game", "nonsense"),
    ],
)
def test_what_no_hand_can_meet_is_named(audit: Audit, data: Path, option: str, value: str) -> None:
    text = refusal(audit, "list", "--data", data, "--from", "2020-01-01", option, value)
    assert text.startswith(f"{option} {value}: ") and "expected" in text


def test_an_amount_that_is_none_is_named(audit: Audit, data: Path) -> None:
    with pytest.raises(UserError, match=r"--amount x.*400\.\.900"):
        audit("list", "--data", data, "--amount", "x")


def test_one_hand_as_pdf(audit: Audit, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "hand.pdf"
    options = ("export", "--format", "pdf", "--data", data, "--out", out, "--language", "ru")
    assert audit(*options, "--id", "r-000001")[0] == 0
    assert out.read_bytes().startswith(b"%PDF-")
    with pytest.raises(UserError, match="no hand of this id"):
        audit(*options, "--id", "r-000009")
    with pytest.raises(UserError, match="--id"):
        audit(*options)


def test_the_lists_are_made_again(audit: Audit, data: Path) -> None:
    with sqlite3.connect(data / "record.db") as database:
        database.execute("DELETE FROM hand_terms")
    database.close()
    assert audit("verify", "--data", data)[0] == 1
    assert audit("list", "--data", data, "--json", "--seat", "1")[1] == ""
    status, out = audit("rebuild", "--data", data)
    assert status == 0 and "made again" in out
    assert audit("verify", "--data", data)[0] == 0
    assert len(listed(audit("list", "--data", data, "--json", "--seat", "1")[1])) == 3
    with pytest.raises(UserError, match="no record"):
        audit("rebuild", "--data", data / "none")
