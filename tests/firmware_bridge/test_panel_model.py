"""What the buttons do and the display shows, on snapshots of real rounds; then the whole panel."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.host import STALE_MS
from firmware_bridge.keyboard import KEYS
from firmware_bridge.model import DEFERRED, PanelModel
from firmware_bridge.panel import Panel
from firmware_bridge.protocol import BUTTONS, Kind
from firmware_bridge.screen import ascii_text, money
from firmware_bridge.simulated import SimulatedPanel
from kiosk.bus import Bus, Subscription
from kiosk.errors import ActionError, UserError
from kiosk.owner import TableOwner
from kiosk.table.snapshot import snapshot
from kiosk.table.state import RoundSettings

WINNING = {"dealer": "9h 9c Kd 7s 3d", "box1": "Jh Jd 4c 4s 8h"}
LOSING = {"dealer": "Qh Qd 6c 6s 2h", "box1": "Tc Td 9s 5h 3c"}


class Table:
    """The real owner of the round behind the interface that the panel uses."""

    def __init__(self) -> None:
        self.bus = Bus()
        self.done: list[tuple[str, dict[str, Any], str]] = []
        self.owner = TableOwner(RoundSettings(mode="training"), "r-000001", self._stepped)
        self.owner.start()

    def _stepped(self, *_step: object) -> None:
        self.bus.publish("round", self.snapshot())

    def snapshot(self) -> dict[str, Any]:
        return snapshot(self.owner.state)

    def act(self, name: str, body: dict[str, Any], who: str) -> Mapping[str, Any]:
        self.done.append((name, body, who))
        return snapshot(self.owner.act(name, body, who))

    def subscribe(self) -> Subscription:
        return self.bus.subscribe()

    def deal(self, hands: Mapping[str, str]) -> None:
        """The cards as a person would enter them."""
        for zone, cards in hands.items():
            for card in cards.split():
                self.owner.act("cards", {"zone": zone, "was": None, "card": card}, "test")

    def box(self, number: int = 1) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.snapshot()["boxes"][number - 1]
        return found


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    made.owner.stop()


class Hand:
    """Presses on a model, carried out on the table."""

    def __init__(self, table: Table) -> None:
        self.table, self.model = table, PanelModel()

    def __call__(self, *buttons: str) -> list[tuple[str, dict[str, Any]]]:
        done = []
        for button in buttons:
            for name, body in self.model.press(button, self.table.snapshot()):
                self.table.act(name, body, "panel")
                done.append((name, body))
        return done

    def display(self) -> tuple[str, ...]:
        return tuple(line.rstrip() for line in self.model.display(self.table.snapshot()))

    def lights(self) -> tuple[int, ...]:
        return self.model.lights(self.table.snapshot())


@pytest.fixture
def hand(table: Table) -> Hand:
    return Hand(table)


def test_ante_insurance_and_bonus_are_entered_and_bet_follows(table: Table, hand: Hand) -> None:
    assert hand("box1", "plus", "plus", "plus") == [
        ("bets", {"box": 1, "in_play": True}),
        ("bets", {"box": 1, "bets": {"ante": 200}}),
        ("bets", {"box": 1, "bets": {"ante": 300}}),
    ]
    assert table.box()["bets"] == {"ante": 300, "bet": 600}
    assert hand.display()[1] == ">Ante            300"
    hand("bet", "bet", "plus")
    assert table.box()["bets"]["insurance"] == 300
    hand("bet", "plus")
    assert table.box()["bets"]["bonus"] == 30
    assert hand.display()[0] == "Box 1 play assumed"


def test_ante_stays_within_the_limits_and_long_press_makes_ten_steps(
    table: Table, hand: Hand
) -> None:
    hand("box2", "plus")
    for name, body in hand.model.long("plus", table.snapshot()):
        table.act(name, body, "panel")
    assert table.box(2)["bets"]["ante"] == 1000
    assert hand("plus") == []
    for name, body in hand.model.long("minus", table.snapshot()):
        table.act(name, body, "panel")
    assert table.box(2)["bets"]["ante"] == 100


def test_minus_at_the_least_ante_takes_the_box_out_and_plus_back(table: Table, hand: Hand) -> None:
    hand("box3", "plus", "minus", "minus")
    assert not table.box(3)["in_play"] and hand.display()[1] == "not in play"
    hand("plus")
    assert table.box(3)["in_play"]


def test_fold_sixth_exchange_and_buy(table: Table, hand: Hand) -> None:
    hand("box1", "plus", "fold")
    assert table.box()["action"] == "fold"
    hand("fold", "exchange", "exchange")
    assert table.box()["action"] == "play" and table.box()["exchanged"] == 2
    hand("exchange", "exchange", "exchange", "exchange", "sixth")
    assert table.box()["exchanged"] == 0 and table.box()["sixth"]
    hand("bet", "bet", "bet", "bet")
    assert hand("plus") == [("bets", {"box": 1, "buy": True})]
    assert table.box()["buy"] is True


def test_confirm_one_box_or_all(table: Table, hand: Hand) -> None:
    hand("box1", "plus", "box2", "plus", "box3", "plus")
    assert hand.lights() == (2, 2, 2, 0, 0, 0)
    hand("box1", "confirm")
    assert hand.lights() == (1, 2, 2, 0, 0, 0)
    assert hand("box1", "confirm") == [("confirm", {"box": 2}), ("confirm", {"box": 3})]
    assert hand.lights() == (1, 1, 1, 0, 0, 0)


def test_p3_own_settlement_is_given_before_the_reveal(table: Table, hand: Hand) -> None:
    table.deal(WINNING)
    assert table.box()["settled"]
    hand("box1", "confirm")
    assert hand.display()[0] == "Box 1 your answer"
    assert hand("confirm") == [] and " ".join(hand.display()[2:]) == "Some bets have no answer"
    hand("exchange", "exchange", "exchange", "exchange")
    hand("bet", "plus", "plus")
    assert hand.display()[1:3] == (" Ante       NOT PAID", ">Bet         PAY 400")
    (name, body), *_ = hand("confirm")
    assert name == "answer"
    assert body["bets"] == {
        "ante": {"result": "not-paid", "amount": 0},
        "bet": {"result": "win", "amount": 400},
    }
    hand("reveal")
    answer = table.box()["answer"]
    assert answer is not None and answer["correct"] is True


def test_p4_a_wrong_settlement_can_be_entered_again_after_the_reveal(
    table: Table, hand: Hand
) -> None:
    table.deal(LOSING)
    hand("box1", "confirm", "plus", "bet", "plus", "confirm", "reveal")
    assert table.box()["answer"]["correct"] is False
    assert hand.display()[3] == "WRONG: press CONFIRM"
    hand("confirm", "minus", "bet", "minus", "confirm")
    assert table.box()["answer"]["correct"] is True


@pytest.mark.parametrize(
    ("hands", "line"), [(WINNING, "1 PAY 400 TAKE 0"), (LOSING, "1 PAY 0 TAKE 300")]
)
def test_what_to_pay_or_take_is_shown_after_the_reveal_only(
    table: Table, hand: Hand, hands: Mapping[str, str], line: str
) -> None:
    table.deal(hands)
    for buttons in ((), ("box1",), ("confirm",)):
        hand(*buttons)
        shown = " ".join(hand.display())
        assert "PAY" not in shown and "TAKE" not in shown
    hand("reveal")
    assert hand.display()[1] == line
    hand("box1")
    assert line in hand.display()


def test_nothing_is_told_before_the_reveal_even_if_a_snapshot_held_it(
    table: Table, hand: Hand
) -> None:
    table.deal(WINNING)
    hand("box1", "confirm", "box1")
    leaky = dict(snapshot(table.owner.state, True))
    leaky["revealed"] = False
    leaky["boxes"] = [{**box, "revealed": False} for box in leaky["boxes"]]
    for button in ("", "box1"):
        if button:
            hand.model.press(button, leaky)
        assert "400" not in " ".join(hand.model.display(leaky))


def test_hold_and_question_take_the_last_line_and_the_light(table: Table, hand: Hand) -> None:
    hand("hold")
    assert table.snapshot()["held"] and hand.display()[3] == "HELD: call the floor"
    hand("hold")
    assert not table.snapshot()["held"]
    asked = {**table.snapshot(), "questions": [{"zone": "box2"}]}
    assert hand.model.lights(asked)[1] == 3
    assert hand.model.display(asked)[3].rstrip() == "QUESTION box2"


def test_plus_without_a_box_asks_for_one_until_the_next_press(table: Table, hand: Hand) -> None:
    hand("plus")
    assert hand.display()[3] == "Choose a box first"
    hand("box6")
    assert hand.display()[3] == "No such box here"
    hand("box1")
    assert "Choose" not in hand.display()[3]


def test_a_new_round_starts_with_nothing_chosen(table: Table, hand: Hand) -> None:
    table.deal(WINNING)
    hand("box1")
    table.owner.act("void", {"reason": "misdeal"}, "test")
    table.owner.act("next", {}, "test")
    hand.display()
    assert hand.model.selected is None


@pytest.mark.parametrize("button", sorted(DEFERRED))
def test_s11_a_long_press_and_its_press_never_act_both(table: Table, button: str) -> None:
    model, now = PanelModel(), table.snapshot()
    assert model.event(Kind.PRESS, button, now) == []
    long = model.event(Kind.LONG, button, now)
    assert len(long) == 1 and model.event(Kind.RELEASE, button, now) == []
    assert model.event(Kind.PRESS, button, now) == []
    model.forget()
    assert model.event(Kind.RELEASE, button, now) == []


def test_s11_a_stuck_key_does_nothing(table: Table) -> None:
    model = PanelModel()
    assert all(model.event(Kind.STUCK, button, table.snapshot()) == [] for button in BUTTONS)


@given(st.lists(st.sampled_from(BUTTONS), max_size=40), st.booleans())
@settings(max_examples=30, deadline=None)
def test_any_presses_give_actions_that_the_table_knows(buttons: list[str], dealt: bool) -> None:
    table = Table()
    try:
        if dealt:
            table.deal(WINNING)
        model = PanelModel()
        for button in buttons:
            for name, body in model.press(button, table.snapshot()):
                try:
                    table.act(name, body, "panel")
                except Exception as refusal:
                    assert getattr(refusal, "kind", "internal") not in ("internal", "bad-input")
            lines = model.display(table.snapshot())
            assert all(len(line) == 20 and line.isascii() for line in lines)
            assert len(model.lights(table.snapshot())) == 6
    finally:
        table.owner.stop()


@given(st.text(max_size=40))
def test_every_text_becomes_characters_the_display_has(text: str) -> None:
    assert all(" " <= char <= "}" and char != "\\" for char in ascii_text(text))


def test_russian_is_transliterated_and_money_exact() -> None:
    assert ascii_text("ПЛАТИТЬ 400 ₽") == "PLATIT 400 R"
    assert money(Decimal("37.50")) == "37.5" and money(Decimal("1000")) == "1000"


def test_the_number_pad_reaches_every_button() -> None:
    assert set(KEYS.values()) == set(BUTTONS)


def _wait(condition: Callable[[], object], panel: Panel, seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, panel.status()
        time.sleep(0.01)


def test_the_whole_panel_with_the_simulated_one(table: Table) -> None:
    panel = Panel(table, "sim")
    panel.start()
    try:
        simulated = panel.simulated
        assert isinstance(simulated, SimulatedPanel)
        _wait(lambda: panel.state.connected, panel)
        table.deal(WINNING)
        simulated.press("box1")
        _wait(lambda: panel.model.selected == 1, panel)
        simulated.press("confirm")
        _wait(lambda: table.box()["confirmed"] and table.box()["settled"], panel)
        simulated.press("reveal")
        _wait(lambda: "1 PAY 400 TAKE 0" in simulated.display()[1], panel)
        assert simulated.lights()[0] == "1"
        assert [(name, who) for name, _, who in table.done] == [
            ("confirm", "panel"),
            ("reveal", "panel"),
        ]
        told = panel.status()
        assert told["counters"]["bad_crc"] == 0 and told["selected"] == 1
    finally:
        begin = time.monotonic()
        panel.close()
        assert time.monotonic() - begin < 2.0
    assert not any(thread.name.startswith("panel") for thread in threading.enumerate())


def test_a_killed_simulated_panel_is_replaced(table: Table) -> None:
    panel = Panel(table, "sim")
    panel.start()
    try:
        _wait(lambda: panel.state.connected, panel)
        first = panel.simulated
        assert first is not None
        os.kill(first.pid, signal.SIGKILL)
        _wait(lambda: panel.simulated is not first and panel.state.connected, panel)
        second = panel.simulated
        assert second is not None
        second.press("hold")
        _wait(lambda: table.snapshot()["held"], panel)
    finally:
        panel.close()


def test_a_refused_action_is_said_on_the_display(table: Table) -> None:
    panel = Panel(table, "sim")
    panel.start()
    try:
        simulated = panel.simulated
        assert simulated is not None
        _wait(lambda: panel.state.connected, panel)
        with pytest.raises(ActionError) as refusal:
            table.owner.act("void", {"reason": "test"}, "test")
        simulated.press("next", hold_ms=900)
        words = str(refusal.value).split()
        _wait(lambda: " ".join(simulated.display()[2:]).split() == words, panel)
        assert table.done == [("void", {"reason": "panel"}, "panel")]
    finally:
        panel.close()


def test_a_press_that_waited_too_long_for_the_kiosk_is_counted_and_does_not_act(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An acknowledged press acts once or is counted: the dealer may have pressed again since."""
    panel = Panel(table, "sim")
    panel.start()
    act, gate = table.act, threading.Event()

    def slow(name: str, body: dict[str, Any], who: str) -> Any:
        gate.wait(30)
        return act(name, body, who)

    monkeypatch.setattr(table, "act", slow)
    try:
        simulated = panel.simulated
        assert simulated is not None
        _wait(lambda: panel.state.connected, panel)
        simulated.press("hold")
        time.sleep(0.5)
        simulated.press("next")
        time.sleep(STALE_MS / 1000 + 0.5)
        gate.set()
        _wait(lambda: panel.status()["counters"]["late_presses"] == 3, panel)
        simulated.press("hold")
        _wait(lambda: len(table.done) == 2, panel)
        assert [name for name, _, _ in table.done] == ["hold", "hold"]
    finally:
        gate.set()
        panel.close()


@pytest.mark.parametrize(
    ("spec", "kind"),
    [("none", "off"), ("/dev/ttyNOTHING", "missing"), ("/etc/hostname", "not-a-port")],
)
def test_without_a_panel_the_rest_works(table: Table, spec: str, kind: str) -> None:
    panel = Panel(table, spec)
    panel.start()
    try:
        _wait(lambda: panel.state.kind == kind, panel)
        panel.press("box1")
        panel.press("plus")
        assert table.done[-1][0] == "bets"
    finally:
        panel.close()


@pytest.mark.parametrize(
    "spec", ["", "ttyUSB0", "auto:", "simulated", "auto,quiet=", "auto,quiet=-1", "sim,quiet=x"]
)
def test_a_bad_panel_setting_is_one_clear_line(table: Table, spec: str) -> None:
    with pytest.raises(UserError, match="expected none, sim, auto"):
        Panel(table, spec)


def _revealed_box(*, assumed: bool) -> dict[str, Any]:
    """A round with one box that was settled and revealed, its bets assumed or confirmed."""
    result = {
        "combinations": ["straight"],
        "bets": {"bet": {"result": "win", "amount": 800}},
        "paid": 800,
        "taken": 0,
    }
    box = {
        "box": 1, "zone": "box1", "in_play": True, "confirmed": True, "assumed": assumed,
        "settled": True, "revealed": True, "action": "play", "bets": {"ante": 100, "bet": 200},
        "result": result, "combinations": ["straight"],
    }  # fmt: skip
    return {
        "stage": "done", "mode": "training", "revealed": True, "questions": [], "boxes": [box],
        "dealer": {"read": 5, "expected": 5},
    }  # fmt: skip


def test_an_assumed_payout_is_marked_on_display_and_light() -> None:
    model = PanelModel(str)
    for assumed, mark, light in ((True, "1?PAY 800", 2), (False, "1 PAY 800", 1)):
        snapshot = _revealed_box(assumed=assumed)
        assert any(line.startswith(mark) for line in model.display(snapshot)), assumed
        assert model.lights(snapshot)[0] == light


def test_confirm_reaches_a_box_that_is_confirmed_but_still_assumed() -> None:
    snapshot = _revealed_box(assumed=True)
    snapshot["boxes"][0] |= {"revealed": False, "result": None, "combinations": None}
    snapshot |= {"revealed": False, "stage": "settling"}
    assert ("confirm", {"box": 1}) in PanelModel(str).press("confirm", snapshot)
