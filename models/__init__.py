"""The models that ship with the kiosk, and where their files lie.

``finder.onnx`` finds corner indices and card bodies, ``namer.onnx`` names a cut-out index,
``namer_head.npz`` is the last layer of that namer, ``models.json`` holds temperatures and
thresholds that belong to exactly these files.
"""

from __future__ import annotations

import functools
import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any


def _file(name: str) -> Path:
    path = Path(str(resources.files("models").joinpath(name)))
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing: the installation is incomplete, install the program again"
        )
    return path


def finder_path() -> Path:
    """The exported finder. FileNotFoundError (one clear line) when it is not there."""
    return _file("finder.onnx")


def namer_path() -> Path:
    """The exported namer. FileNotFoundError (one clear line) when it is not there."""
    return _file("namer.onnx")


def namer_head_path() -> Path:
    """The namer's last layer, as it is in ``namer.onnx``, for fitting it to a deck."""
    return _file("namer_head.npz")


@functools.cache
def settings() -> dict[str, Any]:
    """Temperatures and thresholds of the shipped models (``models.json``)."""
    loaded: dict[str, Any] = json.loads(_file("models.json").read_text("utf-8"))
    return loaded


def file_hash(path: Path) -> str:
    """Short content hash of a model file, as written into every record."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def namer_hash() -> str:
    """Short hash of the namer; empty when it is not there."""
    try:
        return file_hash(namer_path())
    except FileNotFoundError:
        return ""


@functools.cache
def model_hash() -> str:
    """Short hash over both shipped models."""
    return f"{file_hash(finder_path())}+{file_hash(namer_path())}"
