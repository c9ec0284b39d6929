"""The bundled recording: a playable video, and a truth that the rules engine agrees with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.layout import load_layout
from kiosk.cards import Card
from kiosk.config import TableSettings
from kiosk.rules import settle_case
from kiosk.sample import recording_path

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    text = recording_path().with_name("truth.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


@pytest.fixture
def video() -> Iterator[cv2.VideoCapture]:
    capture = cv2.VideoCapture(str(recording_path()))
    assert capture.isOpened()
    yield capture
    capture.release()


def frame_at(video: cv2.VideoCapture, seconds: float) -> np.ndarray:
    video.set(cv2.CAP_PROP_POS_MSEC, seconds * 1000)
    ok, frame = video.read()
    assert ok, f"no frame at {seconds} s"
    return frame


def zone_picture(frame: np.ndarray, zone: str) -> np.ndarray:
    layout = load_layout("russian-4")
    corners = next(z.corners for z in layout.zones if z.id == zone)
    scale = frame.shape[1] / layout.felt.width
    x1, y1 = (int(min(c[axis] for c in corners) * scale) for axis in (0, 1))
    x2, y2 = (int(max(c[axis] for c in corners) * scale) for axis in (0, 1))
    return frame[y1:y2, x1:x2]


def paper_share(frame: np.ndarray, zone: str) -> float:
    """Share of the zone that is as bright and colourless as card paper."""
    picture = cv2.cvtColor(zone_picture(frame, zone), cv2.COLOR_BGR2HSV)
    return float(np.mean((picture[..., 1] < 60) & (picture[..., 2] > 110)))


def test_video_is_small_enough_to_ship() -> None:
    assert recording_path().stat().st_size <= 6 * MEGABYTE


def test_video_opens_with_its_size_rate_and_length(
    video: cv2.VideoCapture, truth: dict[str, Any]
) -> None:
    assert video.get(cv2.CAP_PROP_FRAME_WIDTH) == 1280
    assert video.get(cv2.CAP_PROP_FRAME_HEIGHT) == 720
    fps = video.get(cv2.CAP_PROP_FPS)
    assert 10 <= fps <= 15
    assert fps == pytest.approx(truth["fps"], abs=0.01)
    seconds = video.get(cv2.CAP_PROP_FRAME_COUNT) / fps
    assert 75 <= seconds <= 120
    assert seconds == pytest.approx(truth["seconds"], abs=0.2)


def test_every_frame_can_be_decoded(video: cv2.VideoCapture) -> None:
    count = 0
    while video.grab():
        count += 1
    assert count == video.get(cv2.CAP_PROP_FRAME_COUNT)


def test_at_least_three_different_rounds(truth: dict[str, Any]) -> None:
    rounds = truth["rounds"]
    assert len(rounds) >= 3
    dealers = [r["expected"]["dealer"]["combination"] for r in rounds]
    assert len(set(dealers)) >= 3
    assert any(not r["expected"]["dealer"]["game"] for r in rounds)
    paid = [box["paid"] for r in rounds for box in r["expected"]["boxes"]]
    assert 0 in paid and max(paid) >= 800


def test_expected_settlements_are_those_of_the_engine(truth: dict[str, Any]) -> None:
    for number, played in enumerate(truth["rounds"]):
        result = json.loads(json.dumps(settle_case(played["case"])))
        assert result == played["expected"], f"round {number}"


def test_cases_use_the_default_table_limits_and_bets(truth: dict[str, Any]) -> None:
    table = TableSettings()
    assert truth["house"] == "russian-a"
    for played in truth["rounds"]:
        case = played["case"]
        assert case["house"] == truth["house"]
        assert case["table"]["ante_min"] == table.ante_min
        assert case["table"]["ante_max"] == table.ante_max
        assert case["table"]["max_payout"] == table.max_payout
        for box in case["boxes"]:
            assert box["bets"] == {"ante": table.ante_min, "bet": 2 * table.ante_min}
            assert box["action"] == "play"


def test_com_deck_1_no_card_twice_in_a_round(truth: dict[str, Any]) -> None:
    for played in truth["rounds"]:
        cards = [Card.parse(name) for shown in played["shown"] for name in shown["cards"]]
        assert len(cards) == 5 * len(played["shown"])
        assert len(set(cards)) == len(cards)


def test_shown_hands_are_those_of_the_case(truth: dict[str, Any]) -> None:
    for played in truth["rounds"]:
        shown = {item["zone"]: item["cards"] for item in played["shown"]}
        case = {f"box{box['box']}": box["cards"] for box in played["case"]["boxes"]}
        case["dealer"] = played["case"]["dealer"]["cards"]
        assert shown == case


def test_every_hand_lies_still_for_three_seconds_and_the_felt_is_clear_between(
    truth: dict[str, Any],
) -> None:
    rounds = truth["rounds"]
    for played, after in zip(rounds, [*rounds[1:], None], strict=True):
        for shown in played["shown"]:
            assert shown["until"] - shown["since"] >= 3.0
            assert played["starts"] < shown["since"] and shown["until"] <= played["clear_from"]
        next_start = after["starts"] if after else truth["seconds"]
        assert next_start - played["clear_from"] >= 3.0


def test_pictures_show_cards_when_the_truth_says_so_and_bare_felt_between(
    video: cv2.VideoCapture, truth: dict[str, Any]
) -> None:
    for played in truth["rounds"]:
        for shown in played["shown"]:
            frame = frame_at(video, shown["since"] + 1.0)
            # Five dealer's cards fill a third of his zone; five fanned ones a quarter of a box.
            assert paper_share(frame, shown["zone"]) > 0.12, shown
        frame = frame_at(video, played["clear_from"] + 1.0)
        for zone in load_layout("russian-4").zone_ids:
            assert paper_share(frame, zone) < 0.02, (played["title"], zone)


def test_nothing_moves_over_an_opened_hand(video: cv2.VideoCapture, truth: dict[str, Any]) -> None:
    for played in truth["rounds"]:
        for shown in played["shown"]:
            if shown["zone"] == "dealer":
                continue
            one, other = (
                cv2.resize(
                    zone_picture(frame_at(video, shown["since"] + wait), shown["zone"]),
                    None,
                    fx=0.25,
                    fy=0.25,
                    interpolation=cv2.INTER_AREA,
                ).astype(np.int16)
                for wait in (0.3, 2.8)
            )
            moved = (np.abs(one - other).max(axis=2) > 14).sum()
            assert moved < 8, (played["title"], shown["zone"])
