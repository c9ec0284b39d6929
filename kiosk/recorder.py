"""What happens at the table, written into the record: every event, and every settled round."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from decimal import Decimal
from pathlib import Path
from typing import Any

from kiosk import __version__
from kiosk.cards import Card
from kiosk.config import Settings
from kiosk.errors import UserError
from kiosk.hand_pictures import HandPictures
from kiosk.record.chain import Entry
from kiosk.record.errors import RecordError
from kiosk.record.pictures import Picture
from kiosk.record.schema import CardRead, Place, SettledRound, Versions
from kiosk.record.writer import RecordWriter, start_writer
from kiosk.table import events as e
from kiosk.table import outputs as out
from kiosk.table.places import zone_of
from kiosk.table.round_state import RoundState
from kiosk.table.state import Core

log = logging.getLogger(__name__)

_START_WAIT = 10.0
"""Seconds. A record that needs longer opens beside the running kiosk."""

PERSON_KINDS: Mapping[type, str] = {
    e.BetsEntered: "bets-entered",
    e.MeterEntered: "bets-entered",
    e.Confirmed: "confirmed",
    e.CardEntered: "card-corrected",
    e.DealtEntered: "card-corrected",
    e.DoubtAnswered: "card-corrected",
    e.AnswerGiven: "answer",
    e.Overruled: "overruled",
    e.QuestionDismissed: "dismissed",
}
"""Events of people that are entries of their own; the others show as outputs."""


Answers = tuple[tuple[int, Mapping[str, Any]], ...]
"""Box and its answer (``kiosk.table.verdicts.answered``), without boxes settled by hand."""


def start_record(settings: Settings, data: Path) -> RecordWriter:
    """The record's writer, mostly ready to write. UserError for an address that is none."""
    try:
        writer = start_writer(
            settings.record, data, kiosk_id=settings.kiosk_id, software=__version__
        )
    except RecordError as problem:
        raise UserError(f"--record: {problem.sentence}; {problem.advice}") from None
    writer.wait_until_settled(_START_WAIT)
    return writer


def plain(value: Any) -> Any:
    """A frozen value as data for the record: cards as names, pairs as lists."""
    if isinstance(value, Card):
        return str(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | frozenset | set):
        return [plain(item) for item in value]
    if isinstance(value, str | int | float | Decimal | bool) or value is None:
        return value
    raise TypeError(f"{type(value).__name__} cannot be recorded")


def _said(event: e.Event) -> dict[str, Any]:
    """A person's event as payload; the entry has a time of its own."""
    said: dict[str, Any] = plain(event)
    said.pop("t")
    return said


def _kind_of(event: e.PersonEvent) -> str:
    """The kind of entry that the event, or what came of it, was recorded as."""
    if isinstance(event, e.VoidCalled):
        return "voided"
    if isinstance(event, e.HoldSet):
        return "held" if event.held else "released"
    return PERSON_KINDS[type(event)]


class Recorder:
    """Turns steps of the round into entries. Called from the table's thread; never waits.

    Pictures that are kept: ``before`` (the first cards lie), ``dealer`` and ``boxN`` (read and
    settled), ``after`` (the settlement is shown), ``end`` (the hand is over): each while cards of
    the hand lie, or the felt is clear after it (`HandPictures`).

    ``place``: where and under what the next hand is played; it is asked once a hand, so that who
    deals and the rules never change half-way. ``picture``: the newest picture of the table as JPEG,
    None when there is none. ``on_stored`` is told the round whose settlement has become durable,
    from the record's thread. ``on_over`` is told where a hand was played and its answers once it is
    settled and over, from the table's thread; it must not wait.
    """

    def __init__(
        self,
        writer: RecordWriter,
        place: Callable[[], Place],
        versions: Versions,
        picture: Callable[[], bytes | None],
        on_stored: Callable[[str], None],
        on_over: Callable[[Place, Answers], None] = lambda _place, _answers: None,
    ) -> None:
        self._writer = writer
        self._place_now = place
        self._place = place()
        self._versions = versions
        self._pictures = HandPictures(picture)
        self._on_stored = on_stored
        self._on_over = on_over
        self._answers: Answers = ()
        self._begun: str | None = None
        self._given: str | None = None
        self._withdrawn = ""
        self._seen_cards: str | None = None
        self._cores: dict[str, Core] = {}
        self._waiting: dict[str, int] = {}
        self._stored = ""
        self._lock = threading.Lock()

    def use_versions(self, versions: Versions) -> None:
        """What hands are read and settled with from now on."""
        self._versions = versions

    def is_stored(self, round_id: str) -> bool:
        """Whether the newest settlement of the round is durable."""
        with self._lock:
            return round_id == self._stored

    def happened(
        self, before: RoundState, after: RoundState, event: e.Event, outputs: tuple[out.Output, ...]
    ) -> None:
        """One step. ``before``: the round that the event met; it may have ended it."""
        kind = PERSON_KINDS.get(type(event))
        if kind is not None:
            self._begin(before.id)
            self._writer.submit(kind, before.id, _said(event))
        if before.id == after.id:
            self._pictures.watch(before.core, after.core)
        self._cores = {before.id: before.core, after.id: after.core}
        for output in outputs:
            self._one(output, event)

    def _begin(self, round_id: str) -> None:
        if self._begun != round_id:
            self._begun = round_id
            self._pictures.begin()
            self._answers = ()
            self._place = self._place_now()
            begun = self._place.as_json() | {"versions": self._versions.as_json()}
            self._writer.submit("round-started", round_id, begun)

    def _one(self, output: out.Output, event: e.Event) -> None:
        if isinstance(output, out.CardsAccepted):
            self._begin(output.round)
            first = self._seen_cards != output.round
            self._seen_cards = output.round
            self._submit("cards-accepted", output, self._now("before", output) if first else ())
            self._pictures.look(output.zone, self._cores[output.round])
        elif isinstance(output, out.BoxSettled):
            self._pictures.look(zone_of(output.box), self._cores[output.round])
        elif isinstance(output, out.BoxUnsettled):
            if not isinstance(event, e.VoidCalled):
                self._withdraw(output)
        elif isinstance(output, out.Revealed):
            self._submit("revealed", output, self._now("after", output))
        elif isinstance(output, out.HandHeld):
            self._begin(output.round)
            who = getattr(event, "who", None)
            kind = "held" if output.held else "released"
            self._writer.submit(kind, output.round, {"reason": output.reason, "who": who})
        elif isinstance(output, out.RoundVoided):
            self._begin(output.round)
            self._submit("voided", output, self._end(output))
        elif isinstance(output, out.Undone):
            undone = {"who": output.who, "what": _kind_of(output.event), "reason": output.reason}
            self._writer.submit("undone", output.round, undone | {"event": _said(output.event)})
        elif isinstance(output, out.RoundSettled):
            self._settled(output)
        elif isinstance(output, out.RoundFinished) and self._begun == output.round:
            self._submit("round-finished", output, self._end(output))
            if output.complete:
                self._on_over(self._place, self._answers)

    def _withdraw(self, output: out.BoxUnsettled) -> None:
        """The recorded settlement counts no more; another one, or the end of the hand, follows."""
        if self._given != output.round:
            return
        self._given, self._answers = None, ()
        with self._lock:
            self._withdrawn = output.round
            if self._stored == output.round:
                self._stored = ""
        withdrawn = {"who": None, "what": "settled", "reason": out.NO_LONGER_CERTAIN}
        self._writer.submit("undone", output.round, withdrawn | {"box": output.box})

    def _submit(self, kind: str, output: out.Output, pictures: Sequence[Picture] = ()) -> None:
        payload = plain(output)
        round_id = payload.pop("round")
        self._writer.submit(kind, round_id, payload, pictures)

    def _now(self, role: str, output: out.Output) -> Sequence[Picture]:
        return self._pictures.now(role, self._cores[output.round])

    def _end(self, output: out.Output) -> Sequence[Picture]:
        return self._pictures.end(self._cores[output.round])

    def _settled(self, output: out.RoundSettled) -> None:
        by_hand = {box for box, _, _ in output.overruled}
        self._answers = tuple(pair for pair in output.answers if pair[0] not in by_hand)
        if output.case is None or output.settlement is None:
            return
        numbers = {box["box"] for box in output.case["boxes"]}
        cards = {
            zone: tuple(
                CardRead(
                    c.card, c.confidence, "person" if c.source == "person" else "machine", c.seen
                )
                for c in hand
            )
            for zone, hand in output.hands
        }
        settled = SettledRound(
            self._place,
            output.case,
            output.settlement,
            cards,
            frozenset(numbers - set(output.assumed)),
            self._versions,
        )
        payload = settled.to_payload() | {
            "corrected": output.corrected,
            "overruled": plain(output.overruled),
            "answers": plain(output.answers),
        }
        with self._lock:
            self._withdrawn = ""
            if self._stored == output.round:
                self._stored = ""
            self._waiting[output.round] = self._waiting.get(output.round, 0) + 1
        self._given = output.round
        future = self._writer.submit("settled", output.round, payload, self._pictures.fresh())
        future.add_done_callback(lambda done: self._done(output.round, done))

    def _done(self, round_id: str, future: Future[Entry]) -> None:
        with self._lock:
            left = self._waiting.pop(round_id) - 1
            if left:
                self._waiting[round_id] = left
            good = not future.cancelled() and future.exception() is None
            if good and not left and round_id != self._withdrawn:
                self._stored = round_id
        if good:
            self._on_stored(round_id)
