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


def _file(name: str, folder: Path | None = None) -> Path:
    path = (folder or Path(str(resources.files("models")))) / name
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing: the installation is incomplete, install the program again"
        )
    return path


def finder_path(folder: Path | None = None) -> Path:
    """The exported finder, the one that ships or that in ``folder``.

    FileNotFoundError (one clear line) when it is not there.
    """
    return _file("finder.onnx", folder)


def namer_path(folder: Path | None = None) -> Path:
    """The exported namer, likewise."""
    return _file("namer.onnx", folder)


def namer_head_path() -> Path:
    """The namer's last layer, as it is in ``namer.onnx``, for fitting it to a deck."""
    return _file("namer_head.npz")


@functools.cache
def settings(folder: Path | None = None) -> dict[str, Any]:
    """Temperatures and thresholds of the models (``models.json``), shipped or in ``folder``."""
    loaded: dict[str, Any] = json.loads(_file("models.json", folder).read_text("utf-8"))
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
