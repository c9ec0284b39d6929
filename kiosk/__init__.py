"""Dealer-training kiosk with card scanner."""

import os
from importlib.metadata import PackageNotFoundError, version

# OpenCV reads this once, when it is loaded: a small file may claim a picture that fills the memory.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(120_000_000))

try:
    __version__ = version("dealer-kiosk")
except PackageNotFoundError:
    __version__ = "0+unknown"
