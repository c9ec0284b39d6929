"""``kiosk read`` with the models that ship, on real photographs."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

import models
from kiosk.errors import UserError
from kiosk.vision.checks import check_camera, check_models
from kiosk.vision.finder import OnnxFinder, open_finder
from kiosk.vision.images import load_photo
from kiosk.vision.namer import Namer
from kiosk.vision.photographs import read_image
from kiosk.vision.reader import open_reader

SHARED = Path(__file__).parents[3] / "shared" / "photos"


@pytest.fixture(scope="module")
def photos() -> Path:
    if not SHARED.is_dir():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{SHARED} is missing")
        pytest.skip(f"{SHARED} is missing: real photographs are not part of the project")
    return SHARED


def kiosk(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kiosk.cli", *words], capture_output=True, text=True, check=False
    )


def test_json_lines_in_order_with_an_error_among_them(photos: Path, tmp_path: Path) -> None:
    names = sorted((photos / "faces-kalkaran").glob("*.jpg"))[:2]
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(names[0].read_bytes()[:9000])
    files = [str(names[0]), str(broken), str(names[1])]
    done = kiosk("read", "--json", *files)
    assert done.returncode == 1
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [a["image"] for a in answers] == files
    assert set(answers[1]) == {"image", "error"}
    for answer, path in ((answers[0], names[0]), (answers[2], names[1])):
        height, width = load_photo(path).shape[:2]
        assert (answer["width"], answer["height"]) == (width, height)
        assert answer["ms"] > 0
        seen = [c["card"] for c in answer["cards"]]
        assert len(seen) == len(set(seen))
        assert answer["cards"] or answer["doubtful"]
        confidences = [c["confidence"] for c in answer["cards"]]
        assert confidences == sorted(confidences, reverse=True)
        for doubt in answer["doubtful"]:
            assert set(doubt) == {"candidates", "box", "why"}
            for x, y in (doubt["box"][:2], doubt["box"][2:]):
                assert 0 <= x <= width
                assert 0 <= y <= height


def test_for_people_and_exit_zero(photos: Path) -> None:
    name = str(sorted((photos / "faces-kalkaran").glob("*.jpg"))[0])
    done = kiosk("read", name)
    assert done.returncode == 0
    assert name in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("content", "suffix", "says"),
    [
        (None, ".onnx", "is not there"),
        (b"not a model", ".onnx", "not a usable finder model"),
        (b"", ".onnx", "not a usable finder model"),
        (b"x", ".bin", ".onnx or .pt"),
        (b"x", ".pt", ""),
    ],
)
def test_a_wrong_model_is_bad_input_in_one_line(
    tmp_path: Path, content: bytes | None, suffix: str, says: str
) -> None:
    model, photo = tmp_path / f"own{suffix}", tmp_path / "a.png"
    cv2.imwrite(str(photo), np.zeros((40, 40, 3), np.uint8))
    if content is not None:
        model.write_bytes(content)
    done = kiosk("read", "--model", str(model), str(photo))
    assert done.returncode == 2
    assert says in done.stderr
    assert str(model) in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_each_model_in_the_others_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a finder model"):
        OnnxFinder(models.namer_path())
    with pytest.raises(UserError, match="not a namer model"):
        Namer(models.finder_path())
    copy = tmp_path / "own.onnx"
    shutil.copy(models.finder_path(), copy)
    assert open_finder(copy, 0.25).name == "own.onnx"


def test_the_doctors_checks(tmp_path: Path) -> None:
    assert check_models().good
    assert not check_models(str(tmp_path / "none.onnx")).good
    good = check_camera("sample", patience=90.0)
    assert good.good
    assert "1280×720" in good.text
    bad = check_camera("camera:199", patience=3.0)
    assert not bad.good
    assert bad.advice
    assert not check_camera("nothing").good


def labels(folder: Path) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads((folder / "labels.json").read_text("utf-8"))
    return found


def test_photographs_of_a_deck_and_camera_never_trained_on(photos: Path) -> None:
    """Overhead webcam, one card a picture: at least four of five read, at most 5 % wrong."""
    folder = photos / "evaluation-only-webcam-avgustine13"
    reader = open_reader()
    read, named, wrong = 0, 0, 0
    truth = labels(folder)
    for name, marks in truth.items():
        card = next(m["card"] for m in marks if m["kind"] == "card")
        answer = read_image(reader, load_photo(folder / name), name)
        seen = {str(c.card) for c in answer.merged.cards}
        named += len(seen)
        wrong += len(seen - {card})
        read += card in seen
    assert read >= 0.8 * len(truth), f"{read} of {len(truth)} read"
    assert wrong <= 0.05 * named, f"{wrong} of {named} wrong"


def test_v3_the_same_photograph_in_four_turns(photos: Path) -> None:
    folder = photos / "rf100-poker-cards"
    truth = labels(folder)
    chosen = random.Random(5).sample(sorted(truth), 5)
    reader = open_reader()
    reads = []
    for turn in range(4):
        count = 0
        for name in chosen:
            image = np.ascontiguousarray(np.rot90(load_photo(folder / name), turn))
            seen = {str(c.card) for c in read_image(reader, image, name).merged.cards}
            count += len(seen & {m["card"] for m in truth[name]})
        reads.append(count)
    cards = sum(len({m["card"] for m in truth[name]}) for name in chosen)
    assert max(reads) - min(reads) <= 0.1 * cards, reads
