"""``--source``."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.errors import UserError
from kiosk.vision.sources.grammar import Kind, Source, parse_source
from kiosk.vision.sources.identity import device_of, lasting_name
from kiosk.vision.sources.streams import Asked, Delivered, mismatches, open_stream


@pytest.mark.parametrize(
    ("text", "kind", "target"),
    [
        ("camera:0", Kind.CAMERA, "0"),
        ("camera:12", Kind.CAMERA, "12"),
        ("camera:/dev/v4l/by-id/usb-x", Kind.CAMERA, "/dev/v4l/by-id/usb-x"),
        ("rtsp://10.0.0.7/live", Kind.STREAM, "rtsp://10.0.0.7/live"),
    ],
)
def test_cameras(text: str, kind: Kind, target: str) -> None:
    assert parse_source(text) == Source(kind, target)


def test_files(tmp_path: Path) -> None:
    photo, video = tmp_path / "a.jpg", tmp_path / "b.mp4"
    cv2.imwrite(str(photo), np.zeros((8, 8, 3), np.uint8))
    video.write_bytes(b"\0\0\0\x18ftypmp42")
    assert parse_source(str(photo)).kind == Kind.PHOTO
    assert parse_source(str(video)).kind == Kind.VIDEO
    assert parse_source(str(tmp_path)).kind == Kind.FOLDER


@pytest.mark.parametrize(
    "text",
    [
        "",
        "camera:",
        "camera:left",
        "camera:-1",
        "http://x/y",
        "/nowhere/at.all",
        "rtsp://",
        "~nobody-here/x",
        "a" * 5000,
    ],
)
def test_anything_else_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_source(text)
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no photographs"):
        parse_source(str(tmp_path))


def test_a_password_in_an_address_is_never_shown() -> None:
    source = parse_source("rtsp://admin:secret@10.0.0.7/live")
    assert "secret" not in source.shown
    assert "10.0.0.7" in source.shown


def test_c3_a_camera_is_known_by_its_lasting_name(tmp_path: Path) -> None:
    by_id, first, second = tmp_path / "by-id", tmp_path / "video0", tmp_path / "video1"
    by_id.mkdir()
    first.touch()
    (by_id / "usb-good").symlink_to(first)
    known = lasting_name(str(first), by_id)
    assert known == str(by_id / "usb-good")
    (by_id / "usb-good").unlink()
    assert device_of(str(first), known) is None, "another camera on its number is not it"
    second.touch()
    (by_id / "usb-good").symlink_to(second)
    assert device_of(str(first), known) == str(second)


def test_c5_differences_are_named() -> None:
    asked = Asked(1920, 1080, 30, "MJPG", exposure=-6)
    assert mismatches(asked, Delivered(1920, 1080, 30, "MJPG", exposure=-6)) == []
    lines = mismatches(asked, Delivered(1280, 720, 10, "YUYV", exposure=-3))
    assert [line.split(":")[0] for line in lines] == ["size", "rate", "format", "exposure"]
    assert "asked 1920×1080, got 1280×720" in lines[0]


def test_a_camera_that_does_not_exist_is_one_clear_line() -> None:
    with pytest.raises(UserError, match="camera:199: no such camera"):
        open_stream(parse_source("camera:199"))
