"""The bundled recording through the real models, voting and round: what it settles is the truth.

Frames are taken at their own times, not in real time, so the test says the same on any machine.
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.layout import load_layout
from kiosk.config import Settings
from kiosk.rulebook import round_settings
from kiosk.rules import load_house_file, settle_case
from kiosk.sample import recording_path
from kiosk.table.events import ViewSeen
from kiosk.table.outputs import BoxSettled, QuestionRaised, RoundSettled
from kiosk.table.round import apply, new_round
from kiosk.vision.pipeline import Pipeline
from kiosk.vision.reader import open_reader

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def told() -> list[Any]:
    """Everything that the round said while the recording ran once, with its times."""
    settings = Settings()
    layout = load_layout("russian-4")
    pipeline = Pipeline(open_reader(), layout)
    state = new_round(round_settings(settings, load_house_file(settings.house), layout), "r-000001")
    film = cv2.VideoCapture(str(recording_path()))
    rate = film.get(cv2.CAP_PROP_FPS)
    said: list[Any] = []
    number = 0
    while True:
        good, raw = film.read()
        if not good:
            break
        picture = np.asarray(raw, np.uint8)
        view = pipeline.step(picture, number / rate)
        state, outputs = apply(state, ViewSeen(view))
        said += [(number / rate, output) for output in outputs]
        number += 1
    film.release()
    return said


def rounds_of_recording() -> list[dict[str, Any]]:
    """What was played, as the renderer wrote it down."""
    text = recording_path().with_name("truth.json").read_text("utf-8")
    rounds: list[dict[str, Any]] = json.loads(text)["rounds"]
    return rounds


def _plain(value: Any) -> Any:
    """Comparable data: without the words, whole amounts as int."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items() if k not in ("why", "message")}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return int(value) if isinstance(value, Decimal) and value == int(value) else value


def _hands(case: Any) -> dict[str, frozenset[str]]:
    """Zone → cards of a CASE."""
    boxes = {f"box{box['box']}": frozenset(box["cards"]) for box in case["boxes"]}
    return {"dealer": frozenset(case["dealer"]["cards"])} | boxes


def test_every_round_settles_as_it_was_played(told: list[Any]) -> None:
    last = {output.round: output for _, output in told if isinstance(output, RoundSettled)}
    rounds = rounds_of_recording()
    assert len(rounds) >= 3
    assert len(last) == len(rounds)
    for output, truth in zip(last.values(), rounds, strict=True):
        assert _hands(output.case) == _hands(truth["case"])
        assert _plain(output.settlement) == _plain(truth["expected"])
        assert _plain(settle_case(truth["case"])) == _plain(truth["expected"])


def test_nothing_wrong_is_ever_settled(told: list[Any]) -> None:
    """The promise: each settlement of a box on the way is one that was played."""
    played = {
        (box["box"], json.dumps(_plain(box["bets"]), sort_keys=True), tuple(box["combinations"]))
        for truth in rounds_of_recording()
        for box in truth["expected"]["boxes"]
    }
    for _, output in told:
        if isinstance(output, BoxSettled):
            result = output.result
            bets = json.dumps(_plain(result["bets"]), sort_keys=True)
            assert (output.box, bets, tuple(result["combinations"])) in played
    totals = {
        (truth["expected"]["paid"], truth["expected"]["taken"]) for truth in rounds_of_recording()
    }
    for _, output in told:
        if isinstance(output, RoundSettled):
            assert (output.settlement["paid"], output.settlement["taken"]) in totals


def test_questions_are_rare(told: list[Any]) -> None:
    asked = [(t, output.text) for t, output in told if isinstance(output, QuestionRaised)]
    assert len(asked) <= 3, asked
