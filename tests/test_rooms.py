"""Holds the picture of the rooms: who may import whom (docs/developer.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HARDWARE = {"cv2", "serial", "flask"}
CLOCKS = {"time", "datetime"}

MAY_IMPORT: dict[str, set[str]] = {
    "kiosk/cards.py": set(),
    "kiosk/sightings.py": {"kiosk.cards"},
    "kiosk/rules": {"kiosk.rules", "kiosk.cards", "kiosk.errors"},
    "kiosk/table": {
        "kiosk.table",
        "kiosk.cards",
        "kiosk.sightings",
        "kiosk.rules",
        "kiosk.errors",
    },
    "kiosk/vision": {
        "kiosk.vision",
        "kiosk.cards",
        "kiosk.sightings",
        "kiosk.errors",
        "calibration",
        "models",
        "kiosk.sample",
    },
    "kiosk/record": {"kiosk.record", "kiosk.rules", "kiosk.errors", "kiosk.private"},
    "kiosk/teach": {"kiosk.teach", "kiosk.cards", "kiosk.rules", "kiosk.errors"},
    "kiosk/people": {"kiosk.people", "kiosk.errors"},
    "firmware_bridge": {"firmware_bridge", "kiosk.errors"},
    "calibration": {"calibration", "kiosk.errors", "kiosk.printing"},
}
"""Room → prefixes of our own modules that it may import."""

NEVER: dict[str, set[str]] = {
    "kiosk/cards.py": HARDWARE | CLOCKS | {"numpy"},
    "kiosk/sightings.py": HARDWARE | CLOCKS | {"numpy"},
    "kiosk/rules": HARDWARE | CLOCKS | {"sqlalchemy"},
    "kiosk/table": HARDWARE | CLOCKS | {"numpy", "sqlalchemy"},
    "kiosk/vision": {"flask", "serial", "sqlalchemy"},
    "kiosk/record": HARDWARE,
    "kiosk/teach": HARDWARE | {"time", "numpy"},
    "kiosk/people": HARDWARE,
    "kiosk/web": {"serial"},
    "firmware_bridge": {"cv2", "flask", "sqlalchemy"},
    "calibration": {"flask", "serial", "sqlalchemy"},
}
"""Room → outside packages that it never imports."""

PURE = (
    "kiosk/vision/tracks.py",
    "kiosk/vision/voting.py",
    "kiosk/vision/zones.py",
    "kiosk/vision/merge.py",
    *(
        f"firmware_bridge/{name}.py"
        for name in (
            "answers",
            "asks",
            "board",
            "dealt",
            "decoder",
            "entries",
            "exchange",
            "host",
            "host_events",
            "keyboard",
            "keys",
            "model",
            "picks",
            "protocol",
            "screen",
            "view",
        )
    ),
)
"""Modules of hardware rooms that are free of hardware and clocks."""


def _files(room: str) -> list[Path]:
    path = ROOT / room
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def _imports(path: Path) -> Iterator[str]:
    """Every module that the file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _ours(module: str) -> bool:
    return module.split(".")[0] in ("kiosk", "models", "calibration", "firmware_bridge")


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_room_imports_only_its_neighbours(room: str) -> None:
    allowed = MAY_IMPORT[room]
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in _files(room)
        if path.name != "commands.py"
        for module in _imports(path)
        if _ours(module)
        and module != "kiosk"
        and not any(module == name or module.startswith(name + ".") for name in allowed)
    ]
    assert not wrong


@pytest.mark.parametrize("room", NEVER)
def test_room_never_imports(room: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in _files(room)
        for module in _imports(path)
        if module.split(".")[0] in NEVER[room]
    ]
    assert not wrong


@pytest.mark.parametrize("name", PURE)
def test_pure_modules_of_hardware_rooms(name: str) -> None:
    found = {module.split(".")[0] for module in _imports(ROOT / name)}
    assert not found & (HARDWARE | CLOCKS)


def test_torch_and_ultralytics_only_in_training() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for room in ("kiosk", "models", "calibration", "firmware_bridge")
        for path in _files(room)
        if "training" not in path.parts
        and path.name != "finder.py"
        and {"torch", "ultralytics"} & {module.split(".")[0] for module in _imports(path)}
    ]
    assert not wrong
