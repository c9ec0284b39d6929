"""Houses as data: the nine profiles, inheritance, and refusals that name file, key, expectation."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from cases import LOW, russian_case

from kiosk.errors import UserError
from kiosk.rules import HouseError, list_houses, load_house, load_house_file, settle_case
from kiosk.rules.options import Share
from kiosk.rules.schema import SCHEMA


def write(folder: Path, text: str, name: str = "my.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


CHILD = 'extends = "russian-a"\ngame = "russian"\ntitle = "School"\nsource = "own"\n'


def test_section_9_nine_profiles_are_shipped() -> None:
    assert list_houses() == (
        "five-a",
        "oasis-a",
        "russian-a",
        "russian-b",
        "russian-c",
        "six-a",
        "split-a",
        "texas-a",
        "three-a",
    )
    for name in list_houses():
        assert load_house(name).name == name


def test_section_9_values_of_the_profiles() -> None:
    a, b, c = (load_house(f"russian-{letter}") for letter in "abc")
    assert (a.sf_half.enabled, b.sf_half.enabled, c.sf_half.enabled) == (True, False, False)
    assert (a.ante.on_win, c.ante.on_win) == ("none", "even")
    assert (a.max_boxes_per_player, b.max_boxes_per_player, c.max_boxes_per_player) == (None, 2, 1)
    assert a.bonus.overrides == {Decimal(150): Decimal(20)}
    assert b.pay.bonus["royal-flush"] == 1000
    assert b.pay.bet == a.pay.bet
    oasis, six = load_house("oasis-a"), load_house("six-a")
    assert oasis.exchange.fees == {1: 1, 2: 2, 3: 3, 4: 2, 5: 1}
    assert oasis.pay.progressive["royal-flush"] == Share(Decimal(1))
    assert six.exchange.fees == {1: Decimal("1.5")}
    assert not six.insurance.enabled
    assert load_house("split-a").qualify.text == "pair-of-twos"


def test_defaults_are_marked_and_inherited_marks_go_when_a_child_sets_the_value() -> None:
    a, b = load_house("russian-a"), load_house("russian-b")
    assert a.defaults["max_boxes"].startswith("AMB-05")
    assert "max_boxes" not in b.defaults
    assert "insurance.when_tied" in b.defaults
    assert "insurance.when_tied" not in a.defaults
    for name in list_houses():
        house = load_house_file(name)
        assert set(house.house.defaults) <= set(house.values) <= set(SCHEMA)


def test_a_school_adds_its_own_house_without_code(tmp_path: Path) -> None:
    file = write(tmp_path, CHILD + '[buy]\nfree_repeat = "none"\n[pay.bet]\n' + RUSSIAN_PAY)
    own = load_house_file(file)
    assert own.house.name == "my"
    assert own.house.buy.free_repeat == "none"
    assert own.house.pay.bet["flush"] == Decimal("5.5")
    assert own.house.sf_half.enabled
    case = russian_case("3c 3h Tc Qs 2h", "2d 4d 7d 9d Jd", house="my", ante=5, limits=LOW)
    assert settle_case(case, {"my": own})["paid"] == 55
    assert settle_case(case)["error"] == "unknown-house"


RUSSIAN_PAY = """ace-king = 1
pair = "1:1"
two-pair = 2
three-of-a-kind = 3
straight = 4
flush = "5.5:1"
full-house = 7
four-of-a-kind = 20
straight-flush = 50
royal-flush = 100
"""


def test_houses_extend_a_file_beside_them(tmp_path: Path) -> None:
    write(tmp_path, CHILD + "max_boxes = 3\n", "base.toml")
    top = write(tmp_path, CHILD.replace("russian-a", "base.toml") + "[sixth]\nfee = 2\n")
    house = load_house(top)
    assert house.max_boxes == 3
    assert house.sixth.fee == 2


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (CHILD + "max_boxs = 4\n", ["max_boxs", "no such option"]),
        (CHILD + "[insurance]\ncolour = 1\n", ["insurance.colour", "no such option"]),
        (CHILD + "[colours]\nred = 1\n", ["colours.red", "no such option"]),
        (CHILD + "max_boxes = 0\n", ["max_boxes", "whole number from 1"]),
        (CHILD + "max_boxes = 2.5\n", ["max_boxes", "whole number from 1"]),
        (CHILD + 'max_boxes = "4"\n', ["max_boxes", "whole number", "'4'"]),
        (CHILD + "qualify = 5\n", ["qualify", "pair-of-fours"]),
        (CHILD + 'qualify = "pair-of-knights"\n', ["qualify", "pair-of-fours"]),
        (CHILD + '[buy]\nfree_repeat = "twice"\n', ["buy.free_repeat", "loop or once or none"]),
        (CHILD + "[buy]\nfees = 1\n", ["buy.fees", "no such option", "buy.fee,"]),
        (CHILD + "rake = 1\n", ["rake", "no such option", "insurance"]),
        (CHILD + "[buy]\nenabled = 1\n", ["buy.enabled", "true or false"]),
        (CHILD + "[pair_plus]\non_fold = 'lose'\n", ["pair_plus.on_fold", "no meaning"]),
        (CHILD + "[exchange.fees]\n6 = 1\n", ["exchange.fees", "1 to 5"]),
        (CHILD + "[exchange]\nfees = 1\n", ["exchange.fees", "table"]),
        (CHILD + "[pay.bet]\npair = '10:11'\n", ["pay.bet", "pair", "10:11", '"n:1"']),
        (CHILD + "[pay.bet]\npair = -1\n", ["pay.bet", "pair", "above 0"]),
        (CHILD + "[insurance]\nmax_fraction = 7\n", ["insurance.max_fraction", "at most 1, not 7"]),
        (CHILD + "[insurance]\nmax_fraction = 0\n", ["insurance.max_fraction", "above 0"]),
        (CHILD + "[bonus]\nratio = 1.01\n", ["bonus.ratio", "share above 0 and at most 1"]),
        (CHILD + "[bonus]\nmax_of_ante = 50\n", ["bonus.max_of_ante", "at most 1, not 50"]),
        (CHILD + "[bet]\nmultiple = 200\n", ["bet.multiple", "at most 100, not 200"]),
        (CHILD + "[exchange.fees]\n1 = 101\n", ["exchange.fees", "at most 100"]),
        (CHILD + "[bonus.overrides]\n150 = 0.001\n", ["bonus.overrides", "two decimals"]),
        (CHILD + "[fee]\nround_unit = 0.001\n", ["fee.round_unit", "two decimals"]),
        (CHILD + "[pay.bet]\npair = nan\n", ["pay.bet", "pair", "above 0"]),
        (CHILD + "[pay.bet]\nquads = 20\n", ["pay.bet", "quads", "four-of-a-kind"]),
        (CHILD + "[pay.bet]\npair = 1\n", ["pay.bet.ace-king", "missing"]),
        (
            CHILD + "[pay.bet]\n" + RUSSIAN_PAY.replace("straight = 4", "straight = 6"),
            ["pay.bet.flush", "less than a lower combination", "6"],
        ),
        (
            CHILD + "[pay.bet]\n" + RUSSIAN_PAY + "three-pair = 3\n",
            ["pay.bet.three-pair", "cannot be paid"],
        ),
        (CHILD + '[bonus]\nkind = "table"\n', ["pay.bonus", "missing"]),
        (CHILD + "[doubles]\nenabled = false\n", ["bonus.kind", "doubles.enabled"]),
        (CHILD + "[defaults]\n'buy.fees' = 'x'\n", ["defaults.buy.fees", "no such option"]),
        (CHILD + "[defaults]\n'buy.fee' = 3\n", ["defaults.buy.fee", "reason"]),
        (CHILD.replace('"russian-a"', '"russian-q"'), ["extends", "russian-a"]),
        (CHILD.replace('game = "russian"', 'game = "baccarat"'), ["game", "three_card"]),
        (CHILD.replace('title = "School"\n', ""), ["title", "text"]),
        ('game = "russian"\ntitle = "x"\nsource = "x"\n', ["max_boxes", "missing"]),
        ('extends = "my.toml"\ngame = "russian"\ntitle = "x"\nsource = "x"\n', ["circle"]),
        ("this is no toml", ["not TOML"]),
        ("a = " + "[" * 3000, ["not TOML"]),
    ],
)
def test_bad_house_files_are_refused_with_file_and_key(
    tmp_path: Path, text: str, parts: list[str]
) -> None:
    with pytest.raises(HouseError) as refused:
        load_house(write(tmp_path, text))
    message = str(refused.value)
    assert "my.toml" in message
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        load_house(tmp_path / "absent.toml")
    with pytest.raises(UserError, match="cannot be read"):
        folder = tmp_path / "folder.toml"
        folder.mkdir()
        load_house(folder)
    (tmp_path / "latin.toml").write_bytes(b"title = '\xff\xfe'")
    with pytest.raises(UserError, match="not UTF-8"):
        load_house(tmp_path / "latin.toml")
    with pytest.raises(UserError, match="unknown house 'russian-z'"):
        load_house("russian-z")
