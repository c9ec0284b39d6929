"""What lies where, over time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.cards import DECK, Card
from kiosk.sightings import TableView, ZoneView
from kiosk.vision.tracks import Look, SeenCard, SeenDoubt, TableState, VotingSettings, median
from kiosk.vision.views import view
from kiosk.vision.voting import add_look, new_state, set_moving, track_ids
from kiosk.vision.zones import OUTSIDE

STEP = 0.07


class Table:
    """Drives the votes with looks a frame apart."""

    def __init__(self, *zones: str) -> None:
        self.state: TableState = new_state(zones or ("dealer", "box1"))
        self.t = 100.0

    def look(
        self,
        zone: str,
        *names: str,
        times: int = 1,
        bare: bool = False,
        p: float = 0.98,
        at: tuple[float, float] | None = None,
        doubts: tuple[SeenDoubt, ...] = (),
        bodies: int | None = None,
        step: float = STEP,
    ) -> TableView:
        for _ in range(times):
            self.t += step
            ids = frozenset(track_ids(self.state.zone(zone))) if bare else frozenset()
            cards = tuple(seen(name, p, at or (10.0 + 7 * i, 5.0)) for i, name in enumerate(names))
            count = len(names) if bodies is None else bodies
            self.state = add_look(self.state, Look(zone, self.t, cards, doubts, count, ids))
        return self.view()

    def view(self) -> TableView:
        return view(self.state, self.t)

    def names(self, zone: str) -> set[str]:
        return {str(c.card) for c in self.view().zone(zone).cards}


def seen(name: str, p: float, at: tuple[float, float]) -> SeenCard:
    x, y = at
    return SeenCard(Card.parse(name), p, ((x * 13, y * 13, x * 13 + 16, y * 13 + 26),), (at,))


def doubt(at: tuple[float, float], *pairs: tuple[str, float], why: str = "low-confidence"):  # type: ignore[no-untyped-def]
    x, y = at
    chances = tuple((Card.parse(n), p) for n, p in pairs)
    return SeenDoubt(chances, (x * 13, y * 13, x * 13 + 16, y * 13 + 26), at, why)


def test_v8_one_high_scoring_frame_is_not_enough() -> None:
    table = Table()
    table.look("dealer", "As", p=1.0)
    table.look("dealer", times=4)
    assert table.names("dealer") == set()
    table = Table()
    table.look("dealer", "As", times=2, p=1.0)
    assert table.names("dealer") == set()
    table.look("dealer", "As", p=1.0)
    assert table.names("dealer") == {"As"}


def test_v8_missing_frames_count_as_zero() -> None:
    table = Table()
    for _ in range(6):
        table.look("dealer", "As")
        table.look("dealer")
        table.look("dealer")
    assert table.names("dealer") == set(), "seen in a third of the looks"


def test_v8_doubtful_looks_make_no_card_certain_however_likely_the_name() -> None:
    """A place that may be no index is doubtful, though its name would be plain if it were one."""
    table, place = Table(), (10.0, 5.0)
    likely = doubt(place, ("Kh", 0.99), ("Kd", 0.01))
    table.look("dealer", "Kh", at=place)
    table.look("dealer", times=6, doubts=(likely,))
    assert table.names("dealer") == set()
    table.look("dealer", "Kh", times=3, at=place)
    assert table.names("dealer") == {"Kh"}
    table.look("dealer", times=6, doubts=(likely,))
    assert table.names("dealer") == {"Kh"}, "but they keep one that lies there"
    table.state = set_moving(set_moving(table.state, "dealer", True), "dealer", False)
    table.look("dealer", times=6, doubts=(likely,))
    assert table.names("dealer") == set(), "nor is it recognised by them after an arm"


@pytest.mark.parametrize("seconds", [5.0, 7.5])
def test_v7_a_hand_lying_still_over_cards_leaves_them(seconds: float) -> None:
    table = Table()
    before = table.look("dealer", "As", "Kd", times=5)
    for _ in range(int(seconds / 0.5)):
        table.look("dealer", step=0.5, bodies=0)
    assert table.names("dealer") == {"As", "Kd"}
    assert table.look("dealer", "As", "Kd", times=3).zone("dealer").cards == (
        before.zone("dealer").cards
    )


def test_v7_a_moving_hand_leaves_them_for_any_time() -> None:
    table = Table()
    table.look("dealer", "As", times=5)
    table.state = set_moving(table.state, "dealer", True)
    table.t += 60
    zone = table.view().zone("dealer")
    assert zone.occluded
    assert [str(c.card) for c in zone.cards] == ["As"]
    assert not zone.empty
    table.state = set_moving(table.state, "dealer", False)
    table.look("dealer", "As", step=60)
    assert table.names("dealer") == {"As"}


def test_v15_cards_leave_when_their_place_is_seen_bare() -> None:
    table = Table()
    table.look("dealer", "As", "Kd", times=5)
    table.look("dealer", times=2, bare=True)
    assert table.names("dealer") == {"As", "Kd"}, "two looks are no majority"
    after = table.look("dealer", times=4, bare=True)
    assert table.names("dealer") == set()
    assert after.zone("dealer").empty


def test_v15_cards_never_seen_again_leave_after_the_hold() -> None:
    table = Table()
    table.look("dealer", "As", times=5)
    table.look("dealer", times=30, step=0.5)
    assert table.names("dealer") == set()


def test_a_card_put_in_anothers_place_takes_it() -> None:
    table = Table()
    table.look("dealer", "6h", times=5)
    table.look("dealer", "9h", times=3)
    assert table.names("dealer") == {"9h"}


def test_a_doubtful_card_in_anothers_place_is_asked_about() -> None:
    table = Table()
    table.look("dealer", "6h", times=5)
    replaced = doubt((10.0, 5.0), ("9h", 0.6), ("6h", 0.3))
    table.look("dealer", times=5, doubts=(replaced,), bodies=1)
    zone = table.view().zone("dealer")
    assert zone.cards == ()
    assert [str(d.candidates[0][0]) for d in zone.doubts] == ["9h"]


def test_a_card_that_grows_doubtful_in_full_sight_is_no_longer_certain() -> None:
    table = Table()
    table.look("dealer", "6h", times=5)
    weak = doubt((10.0, 5.0), ("6h", 0.6), ("9h", 0.3))
    table.look("dealer", times=6, doubts=(weak,), bodies=1)
    assert table.names("dealer") == {"6h"}, "still likelier than not, no flicker"
    weak = doubt((10.0, 5.0), ("6h", 0.45), ("9h", 0.45))
    table.look("dealer", times=6, doubts=(weak,), bodies=1)
    zone = table.view().zone("dealer")
    assert zone.cards == ()
    assert len(zone.doubts) == 1


def test_a_card_flickering_round_the_threshold_is_card_or_doubt_never_both_never_none() -> None:
    table = Table()
    weak = doubt((10.0, 5.0), ("6h", 0.88), ("9h", 0.1))
    for i in range(20):
        if i % 2:
            table.look("dealer", "6h", p=0.93)
        else:
            table.look("dealer", doubts=(weak,), bodies=1)
        zone = table.view().zone("dealer")
        if i >= 6:
            assert len(zone.cards) + len(zone.doubts) == 1


def test_a_doubts_key_stays_while_it_lies_there() -> None:
    table = Table()
    keys = set()
    for i in range(10):
        it = doubt((10.0 + i * 0.05, 5.0), ("9h", 0.5), ("6h", 0.4))
        table.look("dealer", doubts=(it,), bodies=1)
        keys |= {d.key for d in table.view().zone("dealer").doubts}
    assert len(keys) == 1
    table.look("dealer", times=6, bare=True)
    again = table.look("dealer", times=3, doubts=(doubt((10, 5), ("9h", 0.5)),), bodies=1)
    assert again.zone("dealer").doubts[0].key not in keys


def test_v5_one_name_in_two_zones_is_a_conflict_in_both() -> None:
    table = Table("dealer", "box1")
    table.look("dealer", "As", times=3)
    shown = table.look("box1", "As", "Kd", times=3, at=(60.0, 40.0))
    assert [str(c) for c in shown.conflicts] == ["As"]
    for zone in ("dealer", "box1"):
        assert [d.why for d in shown.zone(zone).doubts] == ["conflict"]
        assert "As" not in {str(c.card) for c in shown.zone(zone).cards}
    table.look("dealer", times=3, bare=True)
    assert table.view().conflicts == ()
    assert "As" in table.names("box1")


def test_v5_one_name_twice_in_a_zone_is_a_conflict() -> None:
    table = Table()
    table.look("dealer", "As", times=5)
    both = (
        doubt((10.0, 5.0), ("As", 0.98), why="conflict"),
        doubt((40.0, 5.0), ("As", 0.97), why="conflict"),
    )
    shown = table.look("dealer", times=4, doubts=both, bodies=2)
    assert [str(c) for c in shown.conflicts] == ["As"]
    assert shown.zone("dealer").cards == ()
    assert "conflict" in {d.why for d in shown.zone("dealer").doubts}


def test_v5_a_card_across_two_zones_is_a_border_doubt() -> None:
    table = Table("box1", "box2")
    table.look("box1", "As", times=3, at=(72.5, 30.0))
    shown = table.look("box2", "As", times=3, at=(68.0, 36.0))
    assert shown.conflicts == ()
    for zone in ("box1", "box2"):
        assert [d.why for d in shown.zone(zone).doubts] == ["border"]
        assert shown.zone(zone).cards == ()


def test_a_corner_that_hangs_out_of_the_zone_belongs_to_its_card() -> None:
    table = Table("box1")
    table.look("box1", "As", times=3, at=(72.5, 30.0))
    shown = table.look(OUTSIDE, "As", times=3, at=(70.0, 36.0))
    assert table.names("box1") == {"As"}
    assert shown.stray == ()
    assert shown.conflicts == ()


def test_a_card_outside_every_zone_is_stray_and_a_double_there_a_conflict() -> None:
    table = Table("box1")
    shown = table.look(OUTSIDE, "As", times=3, at=(2.0, 2.0))
    assert [(d.why, str(d.candidates[0][0])) for d in shown.stray] == [("border", "As")]
    shown = table.look("box1", "As", times=3, at=(72.5, 30.0))
    assert [str(c) for c in shown.conflicts] == ["As"]
    assert shown.zone("box1").cards == ()


def test_v9_bodies_are_a_lower_bound_and_not_below_the_cards() -> None:
    table = Table()
    assert table.look("dealer", "As", times=5, bodies=4).zone("dealer").bodies == 4
    assert table.look("dealer", "As", "Kd", times=5, bodies=1).zone("dealer").bodies == 2
    table = Table()
    zone = table.look("dealer", times=5, bodies=1).zone("dealer")
    assert (zone.bodies, zone.cards, zone.empty) == (1, (), False)


def test_empty_needs_looks() -> None:
    table = Table()
    assert not table.view().zone("dealer").empty, "nothing looked at yet"
    assert table.look("dealer", times=3).zone("dealer").empty


looks = st.lists(
    st.tuples(
        st.sampled_from(["dealer", "box1", OUTSIDE]),
        st.lists(
            st.tuples(
                st.sampled_from(DECK[:6]), st.floats(0.9, 1), st.floats(0, 90), st.floats(0, 50)
            ),
            max_size=4,
            unique_by=lambda c: c[0],
        ),
        st.integers(0, 6),
        st.booleans(),
        st.floats(0.01, 3),
    ),
    max_size=40,
)


@given(looks)
def test_v5_whatever_is_seen_no_card_is_certain_in_two_places(script: list[tuple]) -> None:  # type: ignore[type-arg]
    state, t = new_state(("dealer", "box1")), 0.0
    for zone, cards, bodies, bare, gap in script:
        t += gap
        ids = frozenset(track_ids(state.zone(zone))) if bare else frozenset()
        shown = tuple(seen(str(c), p, (x, y)) for c, p, x, y in cards)
        state = add_look(state, Look(zone, t, shown, (), bodies, ids))
        now = view(state, t)
        certain = [c.card for z in now.zones for c in z.cards]
        assert len(certain) == len(set(certain))
        assert not set(certain) & set(now.conflicts)
        for z in now.zones:
            keys = [d.key for d in z.doubts]
            assert len(keys) == len(set(keys))
            assert z.bodies >= len(z.cards)
            assert not (z.empty and (z.cards or z.doubts))


@given(st.lists(st.floats(0, 1), max_size=8), st.integers(1, 7))
def test_median_is_reached_by_at_least_half(scores: list[float], count: int) -> None:
    value = median(tuple(scores), count)
    padded = (0.0,) * max(0, count - len(scores)) + tuple(scores)[-count:]
    assert sum(s >= value for s in padded) * 2 >= len(padded)
    assert value in padded


@given(looks)
def test_v7_without_looks_nothing_changes(script: list[tuple]) -> None:  # type: ignore[type-arg]
    state, t = new_state(("dealer", "box1")), 0.0
    for zone, cards, bodies, _, gap in script:
        t += gap
        shown = tuple(seen(str(c), p, (x, y)) for c, p, x, y in cards)
        state = add_look(state, Look(zone, t, shown, (), bodies))
    before = view(state, t)
    for zone in ("dealer", "box1"):
        state = set_moving(state, zone, True)
    after = view(state, t + 1000)
    for one, other in zip(before.zones, after.zones, strict=True):
        assert replace(other, occluded=False, empty=one.empty) == one
        assert isinstance(other, ZoneView)
        assert other.occluded


def test_settings_are_frozen_and_typed() -> None:
    assert VotingSettings().hold >= 5.0


def hand_over(table: Table, zone: str) -> None:
    table.state = set_moving(table.state, zone, True)
    table.t += 1.0
    table.state = set_moving(table.state, zone, False)


def test_v5_a_like_card_laid_there_under_an_arm_is_not_taken_for_the_old_one() -> None:
    table = Table()
    table.look("dealer", "Kh", times=5)
    hand_over(table, "dealer")
    half = doubt((10.0, 5.0), ("Kh", 0.51), ("Kd", 0.48))
    for _ in range(8):
        zone = table.look("dealer", doubts=(half,), bodies=1).zone("dealer")
        assert len(zone.cards) + len(zone.doubts) == 1, "never both, never none"
    assert zone.cards == ()
    table.look("dealer", "Kh", times=5)
    assert table.names("dealer") == {"Kh"}


def test_v7_a_card_is_recognised_after_an_arm_and_does_not_flicker_from_then_on() -> None:
    table = Table()
    table.look("dealer", "6h", times=5)
    weak = doubt((10.0, 5.0), ("6h", 0.75), ("9h", 0.2))
    for _ in range(3):
        hand_over(table, "dealer")
        for seen_well in (False, True, True, False, True):
            table.look(
                "dealer", *(["6h"] if seen_well else []), doubts=() if seen_well else (weak,)
            )
            assert table.names("dealer") == {"6h"}
        table.look("dealer", times=12, doubts=(weak,), bodies=1)
        assert table.names("dealer") == {"6h"}, "nothing moved: weaker looks change nothing"


def test_v7_a_card_in_the_shadow_of_a_resting_arm_stays_certain() -> None:
    table = Table()
    table.look("dealer", "6h", "As", times=5)
    hand_over(table, "dealer")
    weak = doubt((10.0, 5.0), ("6h", 0.6), ("9h", 0.3))
    table.look("dealer", times=8, doubts=(weak,), bodies=1)
    assert table.names("dealer") == {"6h", "As"}, "the ace is covered: the arm still lies there"


def test_v7_a_card_that_stays_covered_after_an_arm_stays_as_it_was() -> None:
    table = Table()
    table.look("dealer", "6h", "As", times=5)
    hand_over(table, "dealer")
    table.look("dealer", "As", times=5, at=(17.0, 5.0))
    assert table.names("dealer") == {"6h", "As"}


def test_v5_another_doubtful_card_in_the_place_of_one_is_another_doubt() -> None:
    table = Table()
    first = doubt((10.0, 5.0), ("Qc", 0.6), ("Qs", 0.3))
    (before,) = table.look("dealer", times=5, doubts=(first,), bodies=1).zone("dealer").doubts
    hand_over(table, "dealer")
    table.look("dealer", doubts=(first,), bodies=1)
    (after,) = table.view().zone("dealer").doubts
    assert after.key == before.key, "the same picture: what a person said of it holds"
    hand_over(table, "dealer")
    assert table.state.zone("dealer").doubts[0].moved
    look = Look("dealer", table.t, (), (first,), 1, other=frozenset({before.key}))
    for _ in range(3):
        table.state = add_look(table.state, look)
        look = replace(look, t=look.t + 0.2, other=frozenset())
    (after,) = table.view().zone("dealer").doubts
    assert after.key != before.key
