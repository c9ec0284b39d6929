"""Every house finds a felt it can be played on, and is refused on any other (P16)."""

from __future__ import annotations

import pytest

from calibration.layout import Layout, list_layouts, load_layout, parse_layout
from kiosk.errors import UserError
from kiosk.felts import LAYOUT_OF, boxes_of, check_felt, layout_for
from kiosk.rules import list_houses, load_house_file
from kiosk.table.plan import SHAPES, plan_for


def without(layout: Layout, zone: str) -> Layout:
    data = layout.model_dump(mode="json", exclude_none=True)
    data["zones"] = [known for known in data["zones"] if known["id"] != zone]
    return parse_layout(data, "own")


@pytest.mark.parametrize("house", list_houses())
def test_each_house_has_a_felt_with_all_its_places(house: str) -> None:
    file = load_house_file(house)
    layout = layout_for(None, file, "camera:0")
    boxes = boxes_of(layout)
    assert len(boxes) == file.house.max_boxes
    assert set(plan_for(house).zones(boxes)) <= set(layout.zone_ids)
    assert "muck" in layout.zone_ids or layout.name == "russian-4"


def test_every_game_and_every_layout_that_ships_is_somebodys() -> None:
    assert set(LAYOUT_OF) == set(SHAPES)
    assert {game for name in list_layouts() for game in load_layout(name).games} == set(SHAPES)


@pytest.mark.parametrize("house", list_houses())
@pytest.mark.parametrize("layout", list_layouts())
def test_p16_a_felt_printed_for_another_game_is_refused(house: str, layout: str) -> None:
    file = load_house_file(house)
    if file.house.game in load_layout(layout).games:
        assert layout_for(layout, file, "camera:0").name == layout
        return
    with pytest.raises(UserError) as refused:
        layout_for(layout, file, "camera:0")
    line = str(refused.value)
    assert "\n" not in line
    assert layout in line
    assert house in line
    assert LAYOUT_OF[file.house.game] in line


def test_p16_the_recording_shows_one_felt_only() -> None:
    assert layout_for(None, load_house_file("oasis-a"), "sample").name == "russian-4"
    with pytest.raises(UserError, match=r"bundled recording shows another game.*--source"):
        layout_for(None, load_house_file("texas-a"), "sample")


def test_a_plain_felt_takes_every_game_that_finds_its_places() -> None:
    data = load_layout("russian-6").model_dump(mode="json", exclude_none=True)
    plain = parse_layout({**data, "games": []}, "own")
    check_felt(plain, load_house_file("three-a"))
    with pytest.raises(UserError, match="no zone board, which texas needs"):
        check_felt(plain, load_house_file("texas-a"))


@pytest.mark.parametrize(
    ("house", "zone"),
    [("split-a", "box3-small"), ("split-a", "dealer-small"), ("texas-a", "board")],
)
def test_a_layout_that_lacks_a_place_of_the_game_is_refused(house: str, zone: str) -> None:
    file = load_house_file(house)
    with pytest.raises(UserError, match=f"no zone {zone}"):
        check_felt(without(load_layout(LAYOUT_OF[file.house.game]), zone), file)
