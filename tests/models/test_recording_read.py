"""The shipped models read the bundled recording: the cards it shows, and never another card."""

from __future__ import annotations

import json
from statistics import median
from typing import Any

import cv2
import pytest

from calibration.layout import load_layout
from kiosk.sample import recording_path
from kiosk.vision.looks import looks_of
from kiosk.vision.reader import Reader, open_reader
from kiosk.vision.voting import Look, VotingSettings
from kiosk.vision.zones import Plane, plane_of

WAITS = (0.9, 1.6, 2.3)
"""Seconds into a still hand at which it is read."""


def hands() -> list[dict[str, Any]]:
    text = recording_path().with_name("truth.json").read_text(encoding="utf-8")
    return [shown for played in json.loads(text)["rounds"] for shown in played["shown"]]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader(threads=1)


@pytest.fixture(scope="module")
def plane() -> Plane:
    return plane_of(load_layout("russian-4"), 1280, 720)


def looks_at(reader: Reader, plane: Plane, shown: dict[str, Any]) -> list[Look]:
    video = cv2.VideoCapture(str(recording_path()))
    looks = []
    for wait in WAITS:
        video.set(cv2.CAP_PROP_POS_MSEC, (shown["since"] + wait) * 1000)
        ok, frame = video.read()
        assert ok
        reading = reader.read_part(frame, plane.region(shown["zone"], 4.0), shown["since"] + wait)
        looks += looks_of(reading, plane, [shown["zone"]], reader.thresholds)
    video.release()
    return looks


@pytest.mark.parametrize(
    "shown", hands(), ids=lambda shown: f"{shown['zone']}-at-{shown['since']:.0f}s"
)
def test_v8_hand_is_read_whole_and_nothing_else(
    reader: Reader, plane: Plane, shown: dict[str, Any]
) -> None:
    looks = looks_at(reader, plane, shown)
    certain = {str(card.card) for look in looks for card in look.cards}
    assert certain <= set(shown["cards"]), "a wrong card was named for certain"
    scores = {
        name: [
            next((c.confidence for c in look.cards if str(c.card) == name), 0.0) for look in looks
        ]
        for name in shown["cards"]
    }
    unsure = {n: s for n, s in scores.items() if median(s) < VotingSettings().accept}
    assert not unsure, "cards that the vote would not accept"
