"""Recorded hands as the pages show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kiosk.errors import ActionError
from kiosk.record.errors import RecordError
from kiosk.record.export import hand_json
from kiosk.record.hands import Hand
from kiosk.record.reading import HandDetail
from kiosk.record.record import Record
from kiosk.record.writer import RecordWriter
from kiosk.rules.houses import HouseFile
from kiosk.rules.paste import round_text

LANGUAGES = ("en", "ru")


class RecordedHands:
    """Reads hands out of the record that is being written.

    ``hidden`` names the hand that lies on the table and is not revealed yet (None: there is none):
    what it is worth is in the record already, and must not be told (P3). ``house``: in force, so
    that hands of a house of one's own can be put in words.
    """

    def __init__(
        self, writer: RecordWriter, hidden: Callable[[], str | None], house: HouseFile
    ) -> None:
        self._writer = writer
        self._hidden = hidden
        self._houses = {house.house.name: house}

    def use_house(self, house: HouseFile) -> None:
        """A house whose hands can be put in words from now on."""
        self._houses = {**self._houses, house.house.name: house}

    def newest(self, limit: int, before: str | None) -> list[dict[str, Any]]:
        """At most ``limit`` hands, newest first, older than the hand ``before``."""
        record = self._record()
        found: list[dict[str, Any]] = []
        skipping = before is not None
        try:
            for hand in record.hands(newest_first=True):
                if skipping:
                    skipping = hand.id != before
                    continue
                # Asked after reading: a hand settled meanwhile is hidden as well.
                settled = record.settled(hand)
                found.append(_told(hand, settled, hidden=hand.id == self._hidden()))
                if len(found) >= limit:
                    break
        except RecordError as problem:
            raise ActionError("storage", f"{problem.sentence}; {problem.advice}", 503) from None
        return found

    def one(self, hand_id: str) -> dict[str, Any] | None:
        """One hand in full with its entries; None when there is none."""
        detail = self._detail(hand_id)
        if detail is None:
            return None
        hidden = hand_id == self._hidden()
        events = [
            {"seq": e.seq, "time": e.time, "kind": e.kind, "payload": e.payload}
            for e in detail.entries
            if not (hidden and e.kind == "settled")
        ]
        pictures = [{"role": p.role, "sha256": p.sha256} for p in detail.pictures]
        told = _told(detail.hand, detail.settled, hidden=hidden)
        if not hidden and detail.settled:
            case = detail.settled["case"]
            told["text"] = {
                language: round_text(case, language, self._houses) for language in LANGUAGES
            }
        return told | {"events": events, "pictures": pictures}

    def picture(self, hand_id: str) -> bytes | None:
        """The last picture kept with a hand; None when there is none any more."""
        detail = self._detail(hand_id)
        for picture in reversed(detail.pictures if detail else ()):
            if not picture.deleted and picture.path.is_file():
                return picture.path.read_bytes()
        return None

    def _detail(self, hand_id: str) -> HandDetail | None:
        try:
            return self._record().hand(hand_id)
        except RecordError as problem:
            raise ActionError("storage", f"{problem.sentence}; {problem.advice}", 503) from None

    def _record(self) -> Record:
        record = self._writer.record
        if record is None:
            state = self._writer.state
            raise ActionError("storage", f"{state.sentence}; {state.advice}", 503)
        return record


def _told(hand: Hand, settled: Mapping[str, Any] | None, *, hidden: bool) -> dict[str, Any]:
    """The hand as JSON. Whether bets were assumed can hang on the dealer's game: hidden as well."""
    if not hidden:
        return hand_json(hand, settled)
    return hand_json(hand, None) | {"assumed": None}
