"""Random tables, random hands and random people: what must hold whatever happens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from table_desk import NO_GAME, PAIR_OF_TWOS, Table, Zone, cards, doubt
from test_training import secrets

from kiosk.cards import DECK
from kiosk.errors import ActionError
from kiosk.rules import settle_case
from kiosk.table import events as e
from kiosk.table.dealer import box_complete
from kiosk.table.outputs import RoundSettled
from kiosk.table.round import apply, replay
from kiosk.table.snapshot import snapshot
from kiosk.table.state import DEALER, RoundSettings, zone_of

ZONES = st.sampled_from(["dealer", "box1", "box2"])
SECONDS = st.sampled_from([0.1, 0.5, 1.2, 3.5])
CARDS = st.sampled_from([str(card) for card in DECK[:20]])
BOXES = st.sampled_from([1, 2])
RESULT = {"bet": {"result": "win", "amount": 200}, "ante": {"result": "not-paid", "amount": 0}}

ACTIONS = st.one_of(
    st.tuples(
        st.just("bets"),
        st.fixed_dictionaries(
            {"box": BOXES},
            optional={
                "bets": st.sampled_from(
                    [{"ante": 200}, {"insurance": 300}, {"bonus": 10}, {"bet": 500}, {"bet": None}]
                ),
                "action": st.sampled_from(["play", "play", "fold"]),
                "exchanged": st.integers(0, 2),
                "sixth": st.booleans(),
                "buy": st.booleans(),
                "in_play": st.sampled_from([True, True, False]),
            },
        ),
    ),
    st.tuples(
        st.just("cards"),
        st.fixed_dictionaries(
            {"zone": ZONES},
            optional={
                "was": CARDS,
                "card": CARDS,
                "doubt": st.sampled_from(["d1", "d2"]),
            },
        ),
    ),
    st.tuples(st.just("confirm"), st.fixed_dictionaries({"box": BOXES})),
    st.tuples(st.just("answer"), st.fixed_dictionaries({"box": BOXES, "bets": st.just(RESULT)})),
    st.tuples(
        st.just("dismiss"),
        st.fixed_dictionaries(
            {
                "question": st.sampled_from(
                    [
                        f"q-{zone}-{name}"
                        for zone in ("dealer", "box1", "box2")
                        for name in ("bodies", "left", "unsteady", "leftover", "stale", "changed")
                    ]
                )
            }
        ),
    ),
    st.tuples(st.just("hold"), st.fixed_dictionaries({"held": st.booleans()})),
    st.tuples(st.just("overrule"), st.fixed_dictionaries({"box": BOXES, "reason": st.just("so")})),
    st.tuples(st.just("void"), st.fixed_dictionaries({"reason": st.sampled_from(["", "", "no"])})),
    st.tuples(st.just("reveal"), st.just({})),
    st.tuples(st.just("next"), st.just({})),
    st.tuples(st.just("undo"), st.just({})),
)


def without_version(table: Table) -> dict[str, Any]:
    return {**table.shown(), "version": 0}


class RoundMachine(RuleBasedStateMachine):
    """Two boxes on a table where everything can go wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table(RoundSettings(boxes=(1, 2)), step=0.35)
        self.table.look()

    @initialize(dealer=st.sampled_from([NO_GAME, PAIR_OF_TWOS]), boxes=st.integers(0, 2))
    def deal(self, dealer: str, boxes: int) -> None:
        """Most hands begin well."""
        self.table.backs(*[zone_of(box + 1) for box in range(boxes)])
        self.table.lay("dealer", dealer)
        for box in range(boxes):
            self.table.lay(zone_of(box + 1), ("7h 7d Ts Kc Ad", "As Qc 7c 6d 4c")[box])

    @rule(zone=st.sampled_from(["box1", "box2"]), extra=st.booleans())
    def open_well(self, zone: str, extra: bool) -> None:
        """A box laid open properly, with or without a sixth card."""
        hand = "7h 7d Ts Qh Ad Kh" if zone == "box1" else "As Qc 7c 6d 4c 2s"
        self.table.zones["dealer"].doubts = self.table.zones[zone].doubts = ()
        self.table.lay(zone, hand if extra else hand[:-3])

    @rule(card=st.sampled_from(["9c", "Kh", "Qs"]))
    def buy_and_draw(self, card: str) -> None:
        """The purchase of box 1, and the dealer's highest card replaced."""
        state = self.table.state.derived.drawing
        self.act(("bets", {"box": 1, "buy": True, "action": "play"}))
        if state is not None:
            rest = [c for c in state.current if c != state.discard]
            self.table.lay("dealer", [*rest, *cards(card)])

    @rule(zone=ZONES, first=st.integers(0, 15), count=st.sampled_from([5, 5, 5, 4, 6]))
    def lay(self, zone: str, first: int, count: int) -> None:
        """Cards in the order of a short deck: often the same one in two places."""
        offset = {"dealer": 0, "box1": 13, "box2": 26}[zone]
        named = [DECK[(offset + first + 7 * i) % 52] for i in range(count)]
        self.table.zones[zone] = Zone(tuple(named), count)
        self.table.look(0.4)

    @rule(zone=ZONES)
    def backs(self, zone: str) -> None:
        self.table.zones[zone] = Zone((), 5)
        self.table.look(0.4)

    @rule(zone=ZONES, card=CARDS)
    def misread_one(self, zone: str, card: str) -> None:
        lying = self.table.zones[zone]
        named = tuple(c for c in DECK if str(c) == card)
        if named[0] not in lying.cards:
            lying.cards = named + lying.cards[1:]
        self.table.look(0.1)

    @rule(zone=ZONES, drop=st.integers(1, 5))
    def cover_or_collect_some(self, zone: str, drop: int) -> None:
        lying = self.table.zones[zone]
        lying.cards = lying.cards[drop:]
        self.table.look(0.1)

    @rule(zone=ZONES, bodies=st.integers(0, 7))
    def count_bodies(self, zone: str, bodies: int) -> None:
        self.table.zones[zone].bodies = bodies
        self.table.look(0.1)

    @rule(zone=ZONES, key=st.sampled_from(["d1", "d2", ""]), card=CARDS)
    def doubts(self, zone: str, key: str, card: str) -> None:
        self.table.zones[zone].doubts = (doubt(key, card),) if key else ()
        self.table.look(0.1)

    @rule(zone=ZONES)
    def pass_a_hand(self, zone: str) -> None:
        self.table.zones[zone].occluded = not self.table.zones[zone].occluded
        self.table.look(0.1)

    @rule(zone=ZONES)
    def collect(self, zone: str) -> None:
        self.table.take(zone)

    @rule()
    def clear(self) -> None:
        self.table.take().look(2.2)

    @rule(why=st.sampled_from(["border", "low-confidence", ""]), card=CARDS)
    def stray(self, why: str, card: str) -> None:
        self.table.strays = (doubt("s1", card, why=why),) if why else ()
        self.table.look(0.1)

    @rule(trouble=st.sampled_from([None, None, "camera-lost"]))
    def trouble(self, trouble: str | None) -> None:
        self.table.trouble = trouble
        self.table.look(0.1)

    @rule(seconds=SECONDS)
    def wait(self, seconds: float) -> None:
        self.table.look(seconds)

    @rule(seconds=SECONDS)
    def tick(self, seconds: float) -> None:
        self.table.t += seconds
        self.table.state, said = apply(self.table.state, e.Tick(self.table.t))
        self.table.said += said

    @rule()
    def late_view(self) -> None:
        """A view taken before the last event arrives after it."""
        view = replace(self.table.view(), t=self.table.t - 0.3)
        self.table.state, said = apply(self.table.state, e.ViewSeen(view))
        self.table.said += said

    @rule(action=ACTIONS)
    def act(self, action: tuple[str, dict[str, Any]]) -> None:
        before = self.table.state
        try:
            self.table.do(action[0], **action[1])
        except ActionError:
            assert self.table.state == before

    @precondition(lambda self: self.table.state.core.voided is None)
    @rule(action=ACTIONS.filter(lambda a: a[0] not in ("undo", "next", "reveal")))
    def undo_gives_back_what_was(self, action: tuple[str, dict[str, Any]]) -> None:
        revealed = any(box.revealed for box in self.table.state.core.boxes)
        if action[0] == "answer" and revealed:
            return
        self.table.state, _ = apply(self.table.state, e.Tick(self.table.t))
        before, id = without_version(self.table), self.table.state.id
        try:
            self.table.do(action[0], **action[1])
        except ActionError:
            return
        if self.table.state.id == id:
            self.table.do("undo")
            assert without_version(self.table) == before

    def teardown(self) -> None:
        """Replaying the log gives the same state."""
        state = self.table.state
        assert replay(state.base, state.log, state.settings) == state.core

    @invariant()
    def nothing_is_settled_against_a_question(self) -> None:
        state = self.table.state
        core, derived = state.core, state.derived
        for number in derived.settlements.results:
            box = core.box(number)
            assert core.in_play(box)
            assert core.voided is None
            assert core.dealer.fixed
            assert len(core.dealer.hand) == 5
            assert box_complete(core, box, state.plan)
            if box.action == "play":
                assert len(core.zone(zone_of(number)).hand) == (6 if box.sixth else 5)
            for question in derived.questions(core):
                assert not question.touches & {DEALER, zone_of(number)}, question

    @invariant()
    def what_is_settled_is_what_the_rules_say(self) -> None:
        settlements = self.table.state.derived.settlements
        if settlements.case is not None:
            assert settle_case(settlements.case) == settlements.whole

    @invariant()
    def no_card_counts_twice(self) -> None:
        core, results = self.table.state.core, self.table.state.derived.settlements.results
        held = [*core.dealer.cards, *(h.card for h in core.draws)] if results else []
        for number in results:
            if core.box(number).action == "play":
                held += core.zone(zone_of(number)).cards
        assert len(set(held)) == len(held)
        for zone in core.zones:
            assert len(set(zone.cards)) == len(zone.cards)

    @invariant()
    def nothing_secret_leaves_before_the_reveal(self) -> None:
        shown = self.table.shown()
        if not any(box["revealed"] for box in shown["boxes"]) and not self.table.state.core.shown:
            assert not secrets(shown)
        assert not secrets(snapshot(self.table.state, False))
        for box in shown["boxes"]:
            assert box["revealed"] or box["result"] is None

    @invariant()
    def the_stage_fits(self) -> None:
        state = self.table.state
        if state.derived.stage == "done":
            assert not [b for b in self.table.shown()["boxes"] if b["in_play"] and not _done(b)]
        for settled in self.table.heard(RoundSettled):
            assert settled.round <= state.id
        self.table.said.clear()


def _done(box: dict[str, Any]) -> bool:
    return bool(box["settled"] or box["overruled"])


QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much]

TestRound = RoundMachine.TestCase
TestRound.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=QUIET
)


@pytest.mark.long
@pytest.mark.timeout(1800)
class TestRoundLong(RoundMachine.TestCase):  # type: ignore[misc, name-defined]
    """The same with many more steps."""

    settings = settings(
        max_examples=400, stateful_step_count=50, deadline=None, suppress_health_check=QUIET
    )
