"""One suite for both far ends of the line: the simulated panel and the compiled program in simavr.

Then the simulated panel alone with each of its faults switched on (S12).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from pace import Pace

from firmware_bridge.exchange import SILENCE_MS
from firmware_bridge.faults import Faults
from firmware_bridge.protocol import BUTTONS
from firmware_bridge.simulated import SimulatedPanel


@pytest.fixture
def kiosk(kiosks: Callable[..., Any], far_end: Any) -> Any:
    """A kiosk that has found the panel."""
    made = kiosks(far_end.port)
    made.until("connected")
    return made


def _seen(kiosk: Any) -> list[tuple[str, str]]:
    return [(press.event.button, press.event.kind.value) for press in kiosk.presses]


def _all_or_starved(kiosk: Any, wanted: list[Any], seen: Callable[[], list[Any]]) -> None:
    """All of it, once and in order; on a machine too busy for the line, in order and none twice."""
    kiosk.wait(lambda: len(seen()) >= len(wanted) or kiosk.starved)
    time.sleep(0.3)
    if not kiosk.starved:
        assert seen() == wanted
    rest = iter(wanted)
    assert all(one in rest for one in seen()), seen()


def test_every_button_is_a_press_and_a_release(kiosk: Any, far_end: Any) -> None:
    for button in BUTTONS:
        far_end.press(button, 40)
        time.sleep(0.06)
    _all_or_starved(kiosk, list(BUTTONS), kiosk.buttons)
    for button in kiosk.buttons():
        # One waits for its release: a press may come while another button is still down.
        kiosk.wait(lambda button=button: (button, "R") in _seen(kiosk) or kiosk.starved)
        if not kiosk.starved:
            assert [kind for name, kind in _seen(kiosk) if name == button] == ["P", "R"]


def test_display_and_lights_show_what_they_are_told(kiosk: Any, far_end: Any) -> None:
    lines = [b"1 PAY 400 TAKE 0", b"2 PAY 0 TAKE 300", b"100% *:", b"01234567890123456789"]
    kiosk.link.show(lines, "101001")
    wanted = tuple(line.decode().ljust(20) for line in lines)
    kiosk.wait(lambda: tuple(far_end.display()) == wanted and far_end.lights() == "101001")


def test_s2_a_reset_of_the_board_alone_needs_no_click(kiosk: Any, far_end: Any) -> None:
    kiosk.link.show([b"kept", b"", b"", b""], "100000")
    kiosk.wait(lambda: far_end.display()[0].rstrip() == "kept")
    far_end.reset()
    kiosk.wait(lambda: kiosk.kinds[-2:] == ["reset", "connected"])
    kiosk.wait(lambda: far_end.display()[0].rstrip() == "kept" and far_end.lights() == "100000")
    far_end.press("fold")
    kiosk.wait(lambda: kiosk.buttons() == ["fold"])


def test_s2_a_key_held_through_a_reset_is_not_pressed_twice(kiosk: Any, far_end: Any) -> None:
    far_end.down("box1")
    kiosk.wait(lambda: kiosk.buttons() == ["box1"])
    far_end.reset()
    kiosk.wait(lambda: kiosk.kinds[-2:] == ["reset", "connected"])
    far_end.press("box2")
    kiosk.wait(lambda: ("box2", "R") in _seen(kiosk))
    far_end.up("box1")
    time.sleep(0.1)
    far_end.press("box1")
    kiosk.wait(lambda: kiosk.buttons() == ["box1", "box2", "box1"])


def test_s9_presses_arrive_once_and_in_order_over_a_noisy_line(kiosk: Any, far_end: Any) -> None:
    if isinstance(far_end, SimulatedPanel):
        far_end.use(Faults(noise=0.01, loss=0.002, duplicate=0.05, delay_ms=5, bounce_ms=6))
    else:
        far_end.noise(0.01)
    wanted = ["box1", "plus", "plus", "bet", "fold", "confirm", "reveal", "next"] * 2
    for button in wanted:
        far_end.press(button, 40)
        time.sleep(0.1)
    _all_or_starved(kiosk, wanted, kiosk.buttons)
    counters = kiosk.link.counters
    assert counters.bad_crc + counters.noise > 0


def test_s11_a_long_press_is_one_press_one_long_one_release(kiosk: Any, far_end: Any) -> None:
    pace = Pace()
    far_end.press("next", 900)
    _all_or_starved(kiosk, [("next", kind) for kind in "PLR"], lambda: _seen(kiosk))
    if kiosk.starved:
        return
    held = kiosk.presses[2].event.ms - kiosk.presses[0].event.ms
    assert held >= 850 and (held <= 1000 or pace.disturbed)


def test_s11_two_at_once_are_two_presses_and_two_releases(kiosk: Any, far_end: Any) -> None:
    far_end.down("box2")
    far_end.down("box1")
    kiosk.wait(lambda: len(kiosk.presses) == 2)
    far_end.up("box1")
    far_end.up("box2")
    kiosk.wait(lambda: len(kiosk.presses) == 4)
    both = {(box, kind) for box in ("box1", "box2") for kind in "PR"}
    assert set(_seen(kiosk)) == both and {kind for _, kind in _seen(kiosk)[:2]} == {"P"}


def test_s11_a_stuck_key_leaves_the_others_working(kiosk: Any, far_end: Any) -> None:
    far_end.down("plus")
    kiosk.wait(lambda: ("plus", "L") in _seen(kiosk))
    far_end.press("bet", 60)
    kiosk.wait(lambda: ("bet", "R") in _seen(kiosk))
    far_end.up("plus")
    kiosk.wait(lambda: _seen(kiosk)[-1:] == [("plus", "R")])
    assert _seen(kiosk) == [("plus", "P"), ("plus", "L"), ("bet", "P"), ("bet", "R"), ("plus", "R")]


def test_the_serial_number_outlives_a_reset(kiosk: Any, far_end: Any) -> None:
    kiosk.link.write_serial("K-000123")
    kiosk.wait(kiosk.link.settled)
    time.sleep(0.3)
    far_end.reset()
    kiosk.wait(lambda: kiosk.kinds[-2:] == ["reset", "connected"])
    assert kiosk.link.state.hello.serial == "K-000123"


def test_silence_of_the_kiosk_makes_display_and_lights_neutral(kiosk: Any, far_end: Any) -> None:
    kiosk.link.show([b"1 PAY 400"] * 4, "111111")
    kiosk.wait(lambda: far_end.lights() == "111111" and "PAY" in far_end.display()[3])
    assert kiosk.link.close(60.0)
    pace = Pace()
    time.sleep(1.5)
    lights = far_end.lights()
    assert lights == "111111" or pace.seconds > SILENCE_MS / 1000 or pace.disturbed
    kiosk.wait(lambda: far_end.lights() == "000000")
    neutral = ("Waiting for kiosk".ljust(20), *[" " * 20] * 3)
    kiosk.wait(lambda: tuple(far_end.display()) == neutral)


FAULTS = {
    "noise": Faults(noise=0.01),
    "loss": Faults(loss=0.005),
    "duplicate": Faults(duplicate=0.3),
    "swap": Faults(swap=0.3),
    "delay_ms": Faults(delay_ms=40),
    "reset_every_ms": Faults(reset_every_ms=900),
    "reset_on_open": Faults(reset_on_open=True, boot_ms=300),
    "boot_ms": Faults(boot_ms=600),
    "deaf_hellos": Faults(deaf_hellos=2),
    "babble": Faults(babble=True),
    "half_open": Faults(half_open=True),
    "bounce_ms": Faults(bounce_ms=8),
}
PASSING = {"babble": "stranger", "half_open": "no-answer"}
"""Faults under which nothing can be pressed, and the state they are told by."""


def test_s12_every_fault_is_tried() -> None:
    assert set(FAULTS) == set(Faults.__slots__)


@pytest.mark.parametrize("fault", FAULTS)
def test_s12_presses_act_once_and_in_order_whatever_fault_is_switched_on(
    desks: Any, kiosks: Callable[..., Any], fault: str
) -> None:
    with SimulatedPanel(faults=FAULTS[fault], seed=7) as panel:
        kiosk = kiosks(panel.port, desks.QUICK if fault in PASSING else desks.PATIENT)
        if fault in PASSING:
            kiosk.until(PASSING[fault])
            panel.use(Faults())
        kiosk.until("connected")
        wanted = ["box1", "plus", "bet", "fold", "confirm", "reveal", "next", "hold"]
        for button in wanted:
            panel.press(button, 40)
            time.sleep(0.1)
        if fault != "reset_every_ms":
            _all_or_starved(kiosk, wanted, kiosk.buttons)
            return
        # A press that nobody had taken when the board started anew is gone; none acts twice.
        panel.use(Faults())
        kiosk.wait(lambda: panel.see()["session"] and kiosk.link.state.connected)
        panel.press("box6", 40)
        kiosk.wait(lambda: kiosk.buttons()[-1:] == ["box6"])
        assert kiosk.link.counters.resets > 0
        rest = iter([*wanted, "box6"])
        assert all(button in rest for button in kiosk.buttons()), kiosk.buttons()
