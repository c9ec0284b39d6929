"""What a module says, found in its source."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType


def spoken(module: ModuleType, call: str, place: int) -> set[str]:
    """The texts that a module hands to a call, its gaps named ``x``."""
    found = set()
    for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == call:
            text = node.args[place]
            parts = text.values if isinstance(text, ast.JoinedStr) else [text]
            if all(isinstance(part, ast.Constant | ast.FormattedValue) for part in parts):
                words = [p.value if isinstance(p, ast.Constant) else "{x}" for p in parts]
                found.add("".join(map(str, words)))
    return found
