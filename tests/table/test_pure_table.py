"""The table room imports nothing but cards, sightings, errors, rules and the standard library."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import kiosk.table

ROOM = Path(kiosk.table.__file__).parent
ALLOWED = ("kiosk.cards", "kiosk.sightings", "kiosk.errors", "kiosk.rules", "kiosk.table")
CLOCKS = {"time", "datetime", "random", "threading", "asyncio"}


@pytest.mark.parametrize("file", sorted(ROOM.glob("*.py")), ids=lambda file: file.stem)
def test_a_file_of_the_room_is_pure(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            top = name.partition(".")[0]
            assert top not in CLOCKS, f"{file.name} imports {name}"
            assert top in sys.stdlib_module_names or name.startswith(ALLOWED), name
