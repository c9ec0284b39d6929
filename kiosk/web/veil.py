"""An old picture never looks live: it is greyed and carries its age (C6)."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np


@lru_cache(maxsize=4)
def veiled(jpeg: bytes, number: int, age_s: int) -> bytes:
    """The picture in grey and darker, with its age in seconds on it.

    ``number`` only tells pictures apart. A picture that cannot be decoded becomes a grey one.
    """
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE) if jpeg else None
    if picture is None:
        picture = np.full((360, 640), 90, np.uint8)
    grey = (picture * 0.45 + 40).astype(np.uint8)
    height, width = grey.shape[:2]
    scale = max(0.6, width / 900)
    line = f"NOT LIVE  {age_s} s"
    thickness = max(2, round(2 * scale))
    (text_width, text_height), _ = cv2.getTextSize(line, cv2.FONT_HERSHEY_SIMPLEX, scale, thickness)
    place = ((width - text_width) // 2, height - text_height)
    for colour, weight in ((0, thickness * 3), (255, thickness)):
        cv2.putText(grey, line, place, cv2.FONT_HERSHEY_SIMPLEX, scale, colour, weight, cv2.LINE_AA)
    done, data = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, 80])
    return bytes(data) if done else jpeg
