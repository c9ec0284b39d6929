"""The shipped models read the bundled recording: the cards it shows, and never another card."""

from __future__ import annotations

import json
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.layout import load_layout
from kiosk.sample import recording_path
from kiosk.sightings import TableView
from kiosk.vision.pipeline import Pipeline
from kiosk.vision.reader import Reader, open_reader

SETTLED, SPAN = 0.2, 3.0
"""Seconds into a still hand at which the pipeline begins, and that it gets."""


def hands() -> list[dict[str, Any]]:
    text = recording_path().with_name("truth.json").read_text(encoding="utf-8")
    return [shown for played in json.loads(text)["rounds"] for shown in played["shown"]]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return open_reader(threads=1)


def views(reader: Reader, shown: dict[str, Any]) -> list[TableView]:
    """What a pipeline that was switched on at this hand makes of it."""
    pipeline = Pipeline(reader, load_layout("russian-4"))
    video = cv2.VideoCapture(str(recording_path()))
    rate = video.get(cv2.CAP_PROP_FPS)
    first = round((shown["since"] + SETTLED) * rate)
    video.set(cv2.CAP_PROP_POS_FRAMES, first)
    seen = []
    for number in range(first, first + round(SPAN * rate)):
        good, raw = video.read()
        assert good
        seen.append(pipeline.step(np.asarray(raw, np.uint8), number / rate))
    video.release()
    return seen


@pytest.mark.parametrize(
    "shown", hands(), ids=lambda shown: f"{shown['zone']}-at-{shown['since']:.0f}s"
)
def test_v8_hand_is_read_whole_and_nothing_else(reader: Reader, shown: dict[str, Any]) -> None:
    seen = [{str(c.card) for c in view.zone(shown["zone"]).cards} for view in views(reader, shown)]
    assert all(cards <= set(shown["cards"]) for cards in seen), "a wrong card was named for certain"
    assert set().union(*seen) == set(shown["cards"])
    if shown["zone"] != "dealer":
        assert seen[-1] == set(shown["cards"]), "the hand is not known after three seconds"
