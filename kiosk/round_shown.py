"""The round as programs and pages see it, made once a change and language."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from kiosk.table.round_state import RoundState
from kiosk.table.snapshot import snapshot


class RoundShown:
    """``GET /api/v1/round``. From any thread. ``is_stored``: whether the newest settlement of the
    round of that id is durable."""

    def __init__(self, is_stored: Callable[[str], bool]) -> None:
        self._is_stored = is_stored
        self._kept: dict[str, tuple[tuple[int, bool], dict[str, Any]]] = {}
        self._lock = threading.Lock()

    def of(self, state: RoundState, language: str) -> dict[str, Any]:
        """The round in a language; not to be changed. ``recorded``: its settlement is durable."""
        key = (state.version, self._is_stored(state.id))
        with self._lock:
            kept = self._kept.get(language)
        if kept is not None and kept[0] == key:
            return kept[1]
        data = snapshot(state, None, language)
        data["recorded"] = key[1]
        with self._lock:
            self._kept[language] = (key, data)
        return data
