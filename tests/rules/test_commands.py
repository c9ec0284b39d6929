"""``kiosk settle`` and ``kiosk houses``: exit statuses, data out, and texts for people."""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from kiosk.errors import UserError
from kiosk.rules.commands import add_commands
from kiosk.rules.generate import generate
from kiosk.rules.houses import load_house_file, with_options
from kiosk.rules.jsonio import dumps, loads

OWN = Path(__file__).with_name("cases_own.json")
GOOD = generate("russian-a", 7)
BAD = {**GOOD, "house": "russian-z"}


def run(*words: str) -> int:
    parser = argparse.ArgumentParser(prog="kiosk")
    add_commands(parser.add_subparsers(required=True))
    args = parser.parse_args(words)
    status: int = args.run(args)
    return status


def write(folder: Path, value: Any, name: str = "case.json") -> str:
    file = folder / name
    file.write_text(value if isinstance(value, str) else dumps(value), encoding="utf-8")
    return str(file)


def test_settle_json_one_result_a_case_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = write(tmp_path, {**GOOD, "id": "a", "expected": {"paid": "ignored"}}, "a.json")
    second = write(tmp_path, {"cases": [{**GOOD, "id": "b"}, {**GOOD, "id": "c"}]}, "b.json")
    third = write(tmp_path, [GOOD], "c.json")
    assert run("settle", "--json", first, second, third) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["id"] for result in results] == ["a", "b", "c", None]
    assert all(set(result) == {"id", "dealer", "paid", "taken", "boxes"} for result in results)
    assert all(box["why"] for box in results[0]["boxes"])


def test_settle_refused_case_stands_among_the_results_and_gives_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, [GOOD, BAD, 5, None, GOOD])
    assert run("settle", "--json", file) == 1
    results = json.loads(capsys.readouterr().out)["results"]
    kinds = [result.get("error") for result in results]
    assert kinds == [None, "unknown-house", "unknown-game", "unknown-game", None]
    assert "boxes" not in results[1]


def test_settle_amounts_are_exact_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = next(case for case in loads(OWN.read_bytes())["cases"] if case["id"] == "OWN-OA-01")
    assert run("settle", "--json", write(tmp_path, case)) == 0
    out = capsys.readouterr().out
    assert loads(out)["results"][0]["paid"] == Decimal("6284.567")
    assert '"amount": 1234.567' in out
    assert '"amount": 50}' in out


def test_settle_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(dumps(GOOD).encode())))
    assert run("settle", "-") == 0
    assert "Dealer:" in capsys.readouterr().out


def test_settle_check_says_whether_all_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("settle", "--check", str(OWN)) == 0
    assert "94 of 94 cases agree" in capsys.readouterr().out
    cases = loads(OWN.read_bytes())["cases"][:3]
    cases[1]["expected"]["paid"] += 1
    cases[2]["expected"]["boxes"][0]["why"] = "not compared"
    assert run("settle", "--check", write(tmp_path, cases)) == 1
    out = capsys.readouterr().out
    assert f"{cases[1]['id']}: paid: expected 1001, found 1000" in out
    assert "2 of 3 cases agree" in out


def test_settle_check_json_keeps_standard_output_for_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = loads(OWN.read_bytes())["cases"][:2]
    del cases[0]["expected"]
    assert run("settle", "--json", "--check", write(tmp_path, cases)) == 1
    captured = capsys.readouterr()
    data = json.loads(captured.out)
    assert len(data["results"]) == 2
    assert [item["id"] for item in data["differing"]] == ["OWN-RA-01"]
    assert "no expected" in captured.err


def test_settle_check_counts_refusals_that_were_expected(tmp_path: Path) -> None:
    refused = {**BAD, "expected": {"error": "unknown-house", "where": "elsewhere"}}
    assert run("settle", "--check", write(tmp_path, [refused])) == 0
    assert run("settle", "--json", write(tmp_path, [refused])) == 1


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"3", "expected a case"),
        (b'"text"', "expected a case"),
        (b'{"cases": 3}', "cases: expected a list"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"id": 1, "id": 2}', "stands twice"),
    ],
)
def test_settle_files_that_cannot_be_read_are_named(
    tmp_path: Path, content: bytes, part: str
) -> None:
    file = tmp_path / "case.json"
    file.write_bytes(content)
    with pytest.raises(UserError) as refused:
        run("settle", "--json", str(file))
    assert str(file) in str(refused.value)
    assert part in str(refused.value)
    assert "\n" not in str(refused.value)


def test_settle_absent_files_and_folders_are_named(tmp_path: Path) -> None:
    for file in (tmp_path / "absent.json", tmp_path):
        with pytest.raises(UserError, match="cannot be read"):
            run("settle", str(file))


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "[NaN, Infinity, 1e999999, 1e-99999999999999999999, 9" + "9" * 5000 + "]",
        '[{"id": NaN}, {"id": [1]}, {"game": {"a": 1}}, {"id": "\\ud800"}]',
        '{"game": "russian", "house": "russian-a", "table": {"ante_min": 1e400}}',
        '{"game": "russian", "house": "russian-a", "options": {"max_boxes": 1e400}}',
        '{"game": "russian", "house": "russian-a", "options": {"pay.bet": {"pair": NaN}}}',
    ],
)
def test_settle_never_ends_in_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    file = write(tmp_path, text)
    try:
        assert run("settle", "--json", file) == 1
        assert all(result["error"] for result in json.loads(capsys.readouterr().out)["results"])
        assert run("settle", file) == 1
    except UserError as refused:
        assert "expected a case" in str(refused)


def test_settle_prints_in_a_narrow_encoding(tmp_path: Path) -> None:
    file = write(tmp_path, {**GOOD, "id": "мой"})
    program = (
        "import argparse, sys; from kiosk.rules.commands import add_commands;"
        "p = argparse.ArgumentParser(); add_commands(p.add_subparsers());"
        "a = p.parse_args(sys.argv[1:]); sys.exit(a.run(a))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "settle", "--language", "ru", file],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii"},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"russian-a" in done.stdout


def test_houses_list_and_one_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("houses") == 0
    assert len(capsys.readouterr().out.splitlines()) == 9
    assert run("houses", "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["houses"]) == 9
    assert run("houses", "oasis-a") == 0
    out = capsys.readouterr().out
    assert "default, AMB-80" in out
    assert "progressive.token" in out
    assert run("houses", "oasis-a", "--json") == 0
    data = loads(capsys.readouterr().out)
    assert data["options"]["insurance.max_fraction"] == Decimal("0.5")
    assert data["options"]["pay.progressive"]["royal-flush"] == "100%"
    assert data["defaults"]["exchange.fees"]


def test_houses_shown_as_data_can_be_read_back_as_options(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("russian-b", "oasis-a", "texas-a", "split-a", "three-a"):
        assert run("houses", name, "--json") == 0
        options = loads(capsys.readouterr().out)["options"]
        file = load_house_file(name)
        again = with_options(file, options)
        assert again.pay == file.house.pay
        assert again.qualify == file.house.qualify
        assert again.bonus == file.house.bonus


def test_houses_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write(
        tmp_path,
        'extends = "russian-a"\ngame = "russian"\ntitle = "School"\nsource = "own"\n',
        "good.toml",
    )
    assert run("houses", "check", good) == 0
    assert "holds" in capsys.readouterr().out
    bad = write(tmp_path, 'extends = "russian-a"\ngame = "russian"\n', "bad.toml")
    assert run("houses", "check", bad) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "bad.toml: title: expected a text" in captured.err
    assert run("houses", "check", "--json", bad) == 1
    assert run("houses", "--json", "check", bad) == 1
    capsys.readouterr()
    assert run("houses", "check", bad, "--json") == 1
    assert json.loads(capsys.readouterr().out)["holds"] is False


def test_settle_by_a_house_file_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        'extends = "russian-a"\ngame = "russian"\ntitle = "Our school"\nsource = "own"\n'
        '[ante]\non_win = "even"\n'
    )
    house = write(tmp_path, text, "school.toml")
    case = next(c for c in loads(OWN.read_bytes())["cases"] if c["id"] == "OWN-RA-01")
    own = write(tmp_path, {**case, "house": "school"})
    assert run("settle", "--json", own) == 1
    assert "unknown-house" in capsys.readouterr().out
    assert run("settle", "--json", "--house", house, own) == 0
    result = json.loads(capsys.readouterr().out)["results"][0]
    assert result["paid"] == case["expected"]["paid"] + case["boxes"][0]["bets"]["ante"]
    assert "RPC-ANTE-1" in result["boxes"][0]["why"]
    assert run("settle", "--language", "ru", "--house", house, own) == 0
    assert "правила school: Our school" in capsys.readouterr().out
    shipped = write(tmp_path, text, "russian-b.toml")
    with pytest.raises(UserError, match="rename the file"):
        run("settle", "--house", shipped, own)


def test_p8_houses_slips_by_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("houses", "slips", "russian-a") == 0
    out = capsys.readouterr().out
    assert "RP-DBL-1\n  second-missed          The second combination was missed.\n" in out
    assert "SP-" not in out
    assert run("houses", "slips", "split-a", "--language", "ru") == 0
    assert "Три пары оплачены как две." in capsys.readouterr().out
    assert run("houses", "slips", "texas-a", "--json") == 0
    assert "TX-SET-1" in json.loads(capsys.readouterr().out)["slips"]


def test_houses_bad_usage() -> None:
    for words in (
        ["nowhere"],
        ["check"],
        ["slips"],
        ["edge"],
        ["slips", "nowhere"],
        ["check", "absent.toml"],
        ["russian-a", "x"],
    ):
        with pytest.raises(UserError):
            run("houses", *words)
