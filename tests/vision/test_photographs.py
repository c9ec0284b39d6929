"""``kiosk read`` on photographs, folders, videos and broken files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cv2
import numpy as np

from kiosk.vision.photographs import Answer, read_files

sys.path.insert(0, str(Path(__file__).parent))
from painted import Felt, painted_reader


def photo(path: Path, *cards: tuple[str, float, float]) -> str:
    felt = Felt()
    for name, x, y in cards:
        felt.card(name, x, y)
    cv2.imwrite(str(path), felt.image, [cv2.IMWRITE_JPEG_QUALITY, 100])
    return str(path)


def read(*files: str) -> list[Answer]:
    return list(read_files(painted_reader()[0], list(files)))


def test_the_json_of_a_photograph(tmp_path: Path) -> None:
    name = photo(tmp_path / "a.png", ("As", 10, 10), ("Kd", 40, 10))
    (answer,) = read(name)
    found = json.loads(json.dumps(answer.to_json()))
    assert list(found) == ["image", "width", "height", "ms", "cards", "doubtful"]
    assert (found["image"], found["width"], found["height"]) == (name, 1280, 720)
    assert {c["card"] for c in found["cards"]} == {"As", "Kd"}
    for card in found["cards"]:
        assert 0.9 <= card["confidence"] <= 1
        assert len(card["boxes"]) == 2
        assert all(len(box) == 4 for box in card["boxes"])
    assert found["doubtful"] == []


def test_v1_a_name_twice_is_doubtful_with_its_reason(tmp_path: Path) -> None:
    (answer,) = read(photo(tmp_path / "a.png", ("As", 10, 10), ("As", 60, 10)))
    found = answer.to_json()
    assert found["cards"] == []
    assert {d["why"] for d in found["doubtful"]} == {"conflict"}
    assert found["doubtful"][0]["candidates"][0][0] == "As"


def test_folders_are_read_by_name_and_not_into_their_depth(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    (folder / "deeper").mkdir(parents=True)
    for name in ("b.png", "a.png", "deeper/c.png"):
        photo(folder / name, ("As", 10, 10))
    (folder / "notes.txt").write_text("none", "utf-8")
    answers = read(str(folder))
    assert [Path(a.image).name for a in answers] == ["a.png", "b.png"]


def test_what_is_broken_gives_an_error_and_the_rest_is_read(tmp_path: Path) -> None:
    good = photo(tmp_path / "good.jpg", ("As", 10, 10))
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(Path(good).read_bytes()[:4000])
    other = tmp_path / "other.mp4"
    other.write_bytes(b"no video" * 50)
    (tmp_path / "empty").mkdir()
    answers = read(
        str(cut), good, str(tmp_path / "not-there.jpg"), str(other), str(tmp_path / "empty"), good
    )
    assert [a.error is None for a in answers] == [False, True, False, False, False, True]
    for answer in answers:
        if answer.error is not None:
            assert set(answer.to_json()) == {"image", "error"}
            assert "\n" not in answer.error
    assert "stops before its end" in str(answers[0].error)
    assert "no such file" in str(answers[2].error)
    assert "not a video" in str(answers[3].error)


def test_a_video_is_judged_where_it_comes_to_rest(tmp_path: Path) -> None:
    path = tmp_path / "a.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (1280, 720))
    felt = Felt()
    for second, card in enumerate(["As", "Kd", "2c"]):
        felt.card(card, 10 + 20 * second, 10)
        for _ in range(10):
            writer.write(felt.frame())
    writer.release()
    answers = read(str(path))
    times = [a.t for a in answers]
    assert all(t is not None for t in times)
    assert times == sorted(times, key=lambda t: t or 0)
    assert [len(a.merged.cards) for a in answers][-1] == 3
    assert {len(a.merged.cards) for a in answers} >= {1, 2, 3}
    assert len(answers) <= 8
    assert "t" in answers[0].to_json()


def test_a_truncated_video_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10.0, (320, 240))
    for number in range(20):
        writer.write(np.full((240, 320, 3), number * 10, np.uint8))
    writer.release()
    path.write_bytes(path.read_bytes()[:2000])
    (answer,) = read(str(path))
    assert "not a video" in str(answer.error)
