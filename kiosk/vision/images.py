"""Photographs from files: upright, whole, or a clear error."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from kiosk.errors import UserError

Image = NDArray[np.uint8]
"""Rows × columns × 3, blue green red."""

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})

_MAGIC = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"BM", "bmp"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
)
_HEIC = frozenset({b"heic", b"heix", b"heif", b"mif1", b"avif"})
_JPEG_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def kind_of(head: bytes) -> str | None:
    """What sort of picture a file's first 16 bytes announce; None when they announce none."""
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[4:8] == b"ftyp" and head[8:12] in _HEIC:
        return "heic"
    return None


def load_photo(path: Path) -> Image:
    """The photograph in the upright position its EXIF turn asks for.

    Raises UserError when it cannot be read, is no picture, or stops before its end.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    return decode_photo(data, str(path))


def decode_photo(data: bytes, name: str) -> Image:
    """Like load_photo, from bytes; ``name`` is what errors call it."""
    kind = kind_of(data[:16])
    if kind is None:
        raise UserError(f"{name}: not a picture; expected JPEG, PNG, WebP, BMP or TIFF")
    if kind == "heic":
        raise UserError(f"{name}: HEIC and AVIF are not read; save it as JPEG")
    if not _complete(data, kind):
        raise UserError(f"{name}: the picture stops before its end; copy it again")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        image = None
    if image is None or image.size == 0:
        raise UserError(f"{name}: the picture is damaged and cannot be decoded")
    return image.astype(np.uint8, copy=False)


def _complete(data: bytes, kind: str) -> bool:
    """Whether the file runs to its format's own end. OpenCV fills the rest with grey otherwise."""
    if kind == "jpeg":
        return _jpeg_ends(data)
    if kind == "png":
        return b"IEND" in data[-64:] or b"IEND\xaeB`\x82" in data
    if kind == "webp":
        return len(data) >= int.from_bytes(data[4:8], "little") + 8
    if kind == "bmp":
        return len(data) >= int.from_bytes(data[2:6], "little")
    return True


def _jpeg_ends(data: bytes) -> bool:
    """Walk the segments to the end marker, over thumbnails and any number of scans."""
    at = 2
    while True:
        marker = _JPEG_MARKER.search(data, at)
        if marker is None:
            return False
        code = data[marker.start() + 1]
        if code == 0xD9:
            return True
        length = int.from_bytes(data[marker.end() : marker.end() + 2], "big")
        if length < 2:
            return False
        at = marker.end() + length
        if at > len(data):
            return False
