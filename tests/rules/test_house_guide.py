"""docs/houses.md says what the program does: its example holds, its answers are the real ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kiosk.rules import HouseError, load_house
from kiosk.rules.jsonio import loads
from kiosk.rules.schema import SCHEMA
from kiosk.rules.settle import settle_case

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "houses.md").read_text("utf-8")
EXAMPLE = re.search(r"```toml\n(.*?)```", GUIDE, re.DOTALL)


def school(folder: Path, old: str = "", new: str = "") -> Path:
    assert EXAMPLE is not None
    text = EXAMPLE[1]
    assert old in text
    file = folder / "school.toml"
    file.write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return file


def test_the_example_holds(tmp_path: Path) -> None:
    house = load_house(school(tmp_path))
    assert house.title == "Our school"
    assert house.defaults["buy.free_repeat"].startswith("not in the sheet")
    assert not house.cap.includes_ante


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('flush = "5:1" ', 'flush = "10:11" '),
        ('flush = "5:1" ', "flush = 3 "),
        ('flush = "5:1" ', "# "),
        ('free_repeat = "none"', 'free_repeats = "none"'),
        ("[cap]", "[pair_plus]\non_fold = 'lose'\n[cap]"),
    ],
)
def test_the_answers_to_slips_are_those_of_the_guide(tmp_path: Path, old: str, new: str) -> None:
    with pytest.raises(HouseError) as refused:
        load_house(school(tmp_path, old, new))
    said = str(refused.value).removeprefix(f"{tmp_path}/")
    answers = re.findall(r"`(school\.toml: [^`]+)`", GUIDE)
    assert any(said.startswith(answer.removesuffix("…")) for answer in answers), said


def test_the_round_as_data_is_settled() -> None:
    round_ = re.search(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    assert round_ is not None
    assert settle_case(loads(round_[1].encode()), {})["paid"] == 1000


def test_every_option_is_in_the_guide() -> None:
    rows = set(re.findall(r"`([a-z_.]+)`", GUIDE))
    assert set(SCHEMA) <= rows
