"""Frames in, table out: real pixels through watching, looking, zoning and voting."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from calibration.layout import load_layout
from kiosk.sightings import TableView
from kiosk.vision.pipeline import Pipeline

sys.path.insert(0, str(Path(__file__).parent))
from painted import Felt, painted_reader

FPS = 15.0
LAYOUT = load_layout("russian-4")


class Rig:
    """A pipeline that is fed frames of a felt at camera rate."""

    def __init__(self, light: float = 1.0) -> None:
        self.reader, self.finder = painted_reader()
        self.pipeline = Pipeline(self.reader, LAYOUT)
        self.felt = Felt(light=light)
        self.t = 1000.0
        self.shown: list[TableView] = []

    def run(self, seconds: float) -> TableView:
        for _ in range(max(1, round(seconds * FPS))):
            self.t += 1 / FPS
            self.shown.append(self.pipeline.step(self.felt.frame(), self.t))
        return self.shown[-1]

    def names(self, zone: str) -> list[str]:
        return sorted(str(c.card) for c in self.shown[-1].zone(zone).cards)

    @property
    def looks(self) -> int:
        return len(self.finder.sizes)


@pytest.fixture
def rig() -> Rig:
    it = Rig()
    it.run(1.5)
    return it


def test_an_empty_felt_is_empty(rig: Rig) -> None:
    assert all(zone.empty for zone in rig.shown[-1].zones)
    assert rig.shown[-1].stray == ()


def test_p9_cards_are_there_within_a_second(rig: Rig) -> None:
    for i, name in enumerate(["As", "Kd", "2c", "3h", "9s"]):
        rig.felt.card(name, 25 + 7 * i, 4)
    rig.felt.card("9h", 75, 30)
    rig.run(1.0)
    assert rig.names("dealer") == sorted(["As", "Kd", "2c", "3h", "9s"])
    assert rig.names("box1") == ["9h"]
    view = rig.shown[-1]
    assert view.zone("dealer").bodies == 5
    assert len(view.zone("dealer").cards[0].boxes) == 2
    assert view.zone("box2").empty
    assert view.conflicts == ()


def test_only_zones_that_changed_are_read(rig: Rig) -> None:
    rig.felt.card("9h", 75, 30)
    before = rig.looks
    rig.run(1.2)
    sizes = rig.finder.sizes[before:]
    small = [w * h for w, h in sizes if w * h < 0.3 * 1280 * 720]
    assert len(small) >= 5
    assert len(sizes) - len(small) <= 5, "the rest of the felt is looked at after"


def test_at_rest_one_zone_in_turn_and_each_within_ten_seconds(rig: Rig) -> None:
    rig.run(3.0)
    before, start = rig.looks, rig.t
    rig.run(30.0)
    per_second = (rig.looks - before) / 30
    assert 0.2 <= per_second <= 1.2
    for name, visit in rig.pipeline._visits.items():
        assert visit.t > start, name
        assert rig.t - visit.t <= 10.0, name


def test_with_many_zones_each_still_has_its_turn_within_ten_seconds() -> None:
    reader, _ = painted_reader()
    pipeline = Pipeline(reader, load_layout("split-6"))
    felt, t = Felt(), 0.0
    seen: dict[str, list[float]] = {}
    while t < 26.0:
        t += 0.2
        pipeline.step(felt.frame(), t)
        for name, visit in pipeline._visits.items():
            times = seen.setdefault(name, [visit.t])
            if visit.t != times[-1]:
                times.append(visit.t)
    assert len(seen) >= 14
    for name, times in seen.items():
        late = [*(at for at in times if at > 5.0), t]
        assert late[0] <= 15.0, name
        assert all(b - a <= 10.0 for a, b in pairwise(late)), (name, late)


@pytest.mark.parametrize("still", [False, True], ids=["passing", "lying still"])
def test_v7_a_hand_over_the_cards_for_five_seconds(rig: Rig, still: bool) -> None:
    for i, name in enumerate(["As", "Kd", "2c"]):
        rig.felt.card(name, 25 + 7 * i, 4)
    before = rig.run(1.5).zone("dealer")
    bare = rig.felt.image.copy()
    since = len(rig.shown)
    for i in range(50):
        rig.felt.image = bare.copy()
        shift = 0 if still else (i % 10) * 1.5
        rig.felt.hand(24 + shift, 0, 44 + shift, 16)
        rig.run(0.1)
    rig.felt.image = bare
    rig.run(1.0)
    for view in rig.shown[since:]:
        assert {c.card for c in view.zone("dealer").cards} == {c.card for c in before.cards}
        assert not view.zone("dealer").empty
        assert view.conflicts == ()


def test_v15_collected_cards_are_gone_within_a_second(rig: Rig) -> None:
    rig.felt.card("As", 25, 4)
    rig.felt.card("9h", 75, 30)
    rig.run(1.5)
    rig.felt.clear(24, 0, 70, 17)
    rig.run(1.0)
    assert rig.names("dealer") == []
    assert rig.shown[-1].zone("dealer").empty
    assert rig.names("box1") == ["9h"]


@pytest.mark.parametrize(("before", "after"), [(0.7, 1.2), (1.2, 0.7)], ids=["lighter", "darker"])
def test_v15_cards_collected_while_the_light_changes_are_gone_too(
    before: float, after: float
) -> None:
    rig = Rig(light=before)
    rig.run(1.5)
    rig.felt.card("As", 25, 4)
    rig.felt.card("9h", 75, 30)
    rig.run(1.5)
    assert rig.names("dealer") == ["As"]
    rig.felt.clear(24, 0, 70, 17)
    rig.felt.light = after
    rig.run(1.5)
    assert rig.names("dealer") == []
    assert rig.shown[-1].zone("dealer").empty
    assert rig.names("box1") == ["9h"]


def test_an_exchanged_card_is_replaced(rig: Rig) -> None:
    rig.felt.card("6h", 25, 4)
    rig.run(1.5)
    rig.felt.hand(24, 0, 34, 16)
    rig.run(0.3)
    rig.felt.clear(24, 0, 34, 16)
    rig.felt.card("9h", 25, 4)
    rig.run(1.0)
    assert rig.names("dealer") == ["9h"]


def test_v1_v5_the_same_name_in_two_zones(rig: Rig) -> None:
    rig.felt.card("9h", 25, 4)
    rig.felt.card("9h", 75, 30)
    view = rig.run(1.5)
    assert [str(c) for c in view.conflicts] == ["9h"]
    assert rig.names("dealer") == rig.names("box1") == []


def test_v1_the_same_name_twice_in_one_zone(rig: Rig) -> None:
    rig.felt.card("9h", 25, 4)
    rig.felt.card("9h", 45, 4)
    view = rig.run(1.5)
    assert [str(c) for c in view.conflicts] == ["9h"]
    assert rig.names("dealer") == []


def test_v9_a_back_is_a_body_without_a_name(rig: Rig) -> None:
    rig.felt.card("As", 25, 4)
    rig.felt.card("back", 35, 4)
    zone = rig.run(1.5).zone("dealer")
    assert rig.names("dealer") == ["As"]
    assert zone.bodies == 2


def test_v6_a_card_with_one_index_covered_is_read_and_with_both_is_only_a_body(rig: Rig) -> None:
    rig.felt.card("As", 25, 4, hide=1)
    rig.felt.card("Kd", 35, 4, hide=2)
    zone = rig.run(1.5).zone("dealer")
    assert rig.names("dealer") == ["As"]
    assert zone.bodies == 2


def test_v14_light_that_changes_leaves_the_cards(rig: Rig) -> None:
    rig.felt.card("As", 25, 4)
    rig.run(1.5)
    since = len(rig.shown)
    rig.felt.light = 0.9
    rig.run(2.0)
    rig.felt.light = 1.0
    rig.run(2.0)
    for view in rig.shown[since:]:
        assert [str(c.card) for c in view.zone("dealer").cards] == ["As"]


def test_a_stray_card_is_told(rig: Rig) -> None:
    rig.felt.card("9h", 1, 2)
    view = rig.run(1.5)
    assert [str(d.candidates[0][0]) for d in view.stray] == ["9h"]


def test_c1_trouble_is_told_with_the_last_table(rig: Rig) -> None:
    rig.felt.card("As", 25, 4)
    rig.run(1.5)
    view = rig.pipeline.trouble(rig.t + 3, "camera-lost")
    assert view.trouble == "camera-lost"
    assert [str(c.card) for c in view.zone("dealer").cards] == ["As"]


def test_another_picture_size_is_another_plane(rig: Rig) -> None:
    rig.felt.card("As", 25, 4)
    rig.run(1.5)
    image = rig.felt.frame()[::2, ::2].copy()
    rig.pipeline.step(image, rig.t + 1)
    assert rig.pipeline.plane is not None
    assert (rig.pipeline.plane.width, rig.pipeline.plane.height) == (640, 360)


def test_a_card_pushed_across_its_zone_keeps_its_name(rig: Rig) -> None:
    for x in (25, 30, 36, 44):
        rig.felt.clear(23, 1, 73, 17)
        rig.felt.card("As", x, 4)
        rig.run(1.2)
        assert rig.names("dealer") == ["As"]
        assert rig.shown[-1].conflicts == ()


class Guarding:
    """A guard that says what it is told to and notes what it saw."""

    every = 1.0

    def __init__(self) -> None:
        self.word: str | None = None
        self.looks: list[tuple[float, frozenset[str]]] = []

    def look(self, image: object, t: float, still: frozenset[str]) -> str | None:
        self.looks.append((t, still))
        return self.word


def test_a_guard_looks_at_its_pace_and_its_word_is_the_trouble(rig: Rig) -> None:
    guard = Guarding()
    rig.pipeline.add_guard(guard)
    assert rig.run(5.0).trouble is None
    assert len(guard.looks) == 5
    assert guard.looks[-1][1] == {"dealer", "box1", "box2", "box3", "box4", ""}
    rig.felt.card("9h", 75, 30)
    rig.run(1 / FPS)
    guard.word = "moved"
    assert rig.run(1.1).trouble == "moved"
    guard.word = None
    assert rig.run(1.1).trouble is None


def test_v14_too_little_light_is_told_and_the_cards_are_kept(rig: Rig) -> None:
    rig.felt.card("As", 25, 4)
    assert rig.run(2.0).trouble is None
    rig.felt.light = 0.25
    assert rig.run(2.5).trouble is None, "two stops are borne"
    rig.felt.light = 0.06
    since = len(rig.shown)
    assert rig.run(4.0).trouble == "light-poor"
    troubled = [view for view in rig.shown[since:] if view.trouble]
    assert all([str(c.card) for c in view.zone("dealer").cards] == ["As"] for view in troubled)
    rig.felt.light = 1.0
    assert rig.run(4.0).trouble is None
    assert rig.names("dealer") == ["As"]


def test_the_last_layout_counts_however_often_it_changes_before_a_frame(rig: Rig) -> None:
    other = LAYOUT.model_copy(update={"name": "other"})
    rig.pipeline.use(other)
    rig.pipeline.start_over()
    rig.run(0.1)
    assert rig.pipeline.layout is other
    rig.pipeline.start_over()
    rig.pipeline.use(LAYOUT)
    rig.run(0.1)
    assert rig.pipeline.layout is LAYOUT
    rig.pipeline.use(other)
    rig.pipeline.use(LAYOUT)
    rig.run(0.1)
    assert rig.pipeline.layout is LAYOUT
