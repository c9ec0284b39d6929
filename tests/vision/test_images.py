"""Photographs from files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.errors import UserError
from kiosk.vision.images import load_photo


def _picture() -> np.ndarray:
    rng = np.random.default_rng(3)
    image = cv2.resize(rng.integers(0, 255, (12, 16, 3), np.uint8), (320, 240))
    image[:60, :80] = (0, 0, 255)
    return image


def _jpeg(tmp_path: Path, orientation: int = 0, progressive: bool = False) -> Path:
    """A JPEG whose EXIF holds a thumbnail (a whole JPEG of its own) and a turn."""
    way = [cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)]
    data = cv2.imencode(".jpg", _picture(), way)[1].tobytes()
    thumbnail = cv2.imencode(".jpg", _picture()[::4, ::4])[1].tobytes()
    tiff = b"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01"
    tiff += orientation.to_bytes(2, "big") + b"\x00\x00" + b"\x00\x00\x00\x00"
    body = b"Exif\x00\x00" + tiff + thumbnail
    app1 = b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body
    path = tmp_path / f"photo{orientation}{progressive}.jpg"
    path.write_bytes(data[:2] + app1 + data[2:])
    return path


def _red_corner(image: np.ndarray) -> str:
    h, w = image.shape[:2]
    spots = {
        "top left": image[10, 10],
        "top right": image[10, w - 10],
        "bottom left": image[h - 10, 10],
        "bottom right": image[h - 10, w - 10],
    }
    return max(spots, key=lambda k: int(spots[k][2]) - int(spots[k][1]) - int(spots[k][0]))


@pytest.mark.parametrize(
    ("orientation", "size", "corner"),
    [
        (1, (320, 240), "top left"),
        (3, (320, 240), "bottom right"),
        (6, (240, 320), "top right"),
        (8, (240, 320), "bottom left"),
    ],
)
def test_the_exif_turn_is_applied(
    tmp_path: Path, orientation: int, size: tuple[int, int], corner: str
) -> None:
    image = load_photo(_jpeg(tmp_path, orientation))
    assert image.shape[1::-1] == size
    assert _red_corner(image) == corner


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95, 0.999])
def test_a_truncated_jpeg_is_refused_though_its_thumbnail_is_whole(
    tmp_path: Path, progressive: bool, share: float
) -> None:
    path = _jpeg(tmp_path, 1, progressive)
    assert load_photo(path).shape == (240, 320, 3)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(UserError, match="stops before its end"):
        load_photo(path)


def test_bytes_after_the_end_do_no_harm(tmp_path: Path) -> None:
    path = _jpeg(tmp_path, 1)
    path.write_bytes(path.read_bytes() + b"maker's note" * 50)
    assert load_photo(path).shape == (240, 320, 3)


@pytest.mark.parametrize("suffix", [".png", ".webp", ".bmp", ".tif"])
def test_other_formats_whole_and_truncated(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    cv2.imwrite(str(path), _picture())
    assert load_photo(path).shape == (240, 320, 3)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    if suffix != ".tif":
        with pytest.raises(UserError):
            load_photo(path)


@pytest.mark.parametrize("content", [b"", b"hello", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"a\.jpg"):
        load_photo(path)


def test_heic_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.heic"
    path.write_bytes(b"\0\0\0\x18ftypheic" + b"\0" * 100)
    with pytest.raises(UserError, match="save it as JPEG"):
        load_photo(path)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(UserError, match=r"/nowhere/a\.jpg: No such file"):
        load_photo(Path("/nowhere/a.jpg"))
