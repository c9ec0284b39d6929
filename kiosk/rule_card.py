"""The rule card in force, kept in the record as soon as that can be written."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from kiosk.record.errors import RecordError
from kiosk.record.writer import RecordWriter

log = logging.getLogger(__name__)


class RuleCardKeeper:
    """``card``: the rule card in force as the record keeps it."""

    def __init__(self, writer: RecordWriter, card: Callable[[], Mapping[str, Any]]) -> None:
        self._writer, self._card = writer, card
        self._kept = False

    def changed(self) -> None:
        """Another card is in force."""
        self._kept = False

    def keep(self) -> None:
        """Keeps the card unless that was done; a record that cannot be written is tried again at
        the next call."""
        record = self._writer.record
        if self._kept or record is None or self._writer.state.status != "ok":
            return
        try:
            record.keep_rule_card(self._card())
        except RecordError as problem:
            log.warning("the rule card could not be recorded yet: %s", problem)
        else:
            self._kept = True
