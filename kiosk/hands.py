"""Recorded hands as the supervisor's pages show them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Any

from kiosk.errors import ActionError
from kiosk.explained import Explainer
from kiosk.exporting import Found, by_people, found_in
from kiosk.pit import Pit
from kiosk.record.chain import Entry
from kiosk.record.errors import RecordError
from kiosk.record.export import told_hand
from kiosk.record.hands import Hand, is_undecided
from kiosk.record.heads import HeadFiles
from kiosk.record.lists import TableNow
from kiosk.record.reading import HandDetail, RecordReader
from kiosk.record.record import Record
from kiosk.record.search import Cursor, HandFilter
from kiosk.record.tally import Tally
from kiosk.record.writer import RecordWriter
from kiosk.recordcheck import RecordCheck
from kiosk.replay import steps
from kiosk.rules.houses import HouseFile

_EXPORT_PAGE = 500
_DISPUTE_WAIT = 10.0
"""Seconds. Whoever waits holds one of the few threads that serve the pages."""

Json = dict[str, Any]


class RecordedHands:
    """Reads hands out of the record that is being written, or out of a pit's server.

    ``hidden`` names the hand that lies on the table and is not revealed yet (None: there is none):
    what it is worth is in the record already, and must not be told (P3). Once a hand has ended,
    revealed or not, a supervisor may see it. ``house``: in force, so that hands of a house of one's
    own can be put in words. ``pit``: the server of all tables, None without one. ``note``: what
    this table says of itself on the page of tables.
    """

    def __init__(
        self,
        writer: RecordWriter,
        hidden: Callable[[], str | None],
        house: HouseFile,
        pit: Pit | None = None,
        note: Callable[[], Json] = dict,
    ) -> None:
        self._writer = writer
        self._hidden = hidden
        self._explainer = Explainer([house])
        self._reader: Record | None = None
        self._note = note
        self.pit = pit
        self.checking = RecordCheck(lambda: self._record().verify())

    @property
    def kiosk(self) -> str:
        """The name of this table's kiosk: hands of another are foreign here."""
        return self._writer.kiosk

    def use_house(self, house: HouseFile) -> None:
        """Another house is in force; hands of earlier ones are still put in words."""
        self._explainer = self._explainer.with_house(house)

    def close(self) -> None:
        """Lets go of the pit's server and of a file opened for reading."""
        if self.pit is not None:
            self.pit.close()
        if self._reader is not None:
            self._reader.let_go()

    def search(
        self, wanted: HandFilter, *, limit: int, after: Cursor | None = None, pit: bool = False
    ) -> tuple[list[Json], str | None]:
        """The wanted hands, newest first, and the place where the next page begins (None: this is
        the last). ``pit``: of all tables."""
        with self._reading(pit) as record:
            found = list(record.hands(wanted, limit=limit + 1, after=after))
            settled = record.settled_of(found[:limit])
            told = [self._told(*pair) for pair in zip(found[:limit], settled, strict=True)]
        if wanted.asks_for_worth:
            told = [hand for hand in told if hand["assumed"] is not None]
        return told, str(Cursor.of(found[limit - 1])) if len(found) > limit else None

    def every(
        self, wanted: HandFilter, *, pit: bool = False, kinds: Sequence[str] | None = None
    ) -> Iterator[Found]:
        """All wanted hands for an export, oldest first, but for those whose worth is hidden; read
        in portions, so that a slow reader holds nothing up. ``pit``: of all tables; ``kinds`` of
        entries, None: all. ActionError at once when they cannot be read."""

        def portion(after: Cursor | None) -> list[Found]:
            with self._reading(pit) as record:
                hands = record.hands(wanted, newest_first=False, limit=_EXPORT_PAGE, after=after)
                return found_in(record, list(hands), kinds)

        return self._follow(portion(None), portion)

    def _follow(
        self, found: list[Found], portion: Callable[[Cursor], list[Found]]
    ) -> Iterator[Found]:
        while True:
            yield from (each for each in found if not self._is_hidden(each.hand))
            if len(found) < _EXPORT_PAGE:
                return
            found = portion(Cursor.of(found[-1].hand))

    def one(self, hand_id: str, kiosk: str | None = None) -> Json | None:
        """One hand in full with its entries; None when there is none. ``kiosk``: of another table
        of the pit."""
        with self._reading(self._is_foreign(kiosk)) as record:
            detail = record.hand(hand_id, kiosk=kiosk)
            if detail is None:
                return None
            faults = record.faults_during(detail.hand)
        # Asked after reading: a hand settled meanwhile is hidden as well.
        revealed = any(entry.kind == "revealed" for entry in detail.entries)
        hidden = self._is_hidden(detail.hand, revealed=revealed)
        told = in_full(detail, faults, hidden=hidden)
        if detail.settled and detail.settled.get("case") and not hidden:
            told["text"] = self._explainer.text(detail.settled)
        return told

    def picture(self, hand_id: str, sha256: str) -> bytes | None:
        """A picture kept with a hand of this table; None when there is none any more."""
        with self._reading() as record:
            detail = record.hand(hand_id)
        for picture in detail.pictures if detail else ():
            if picture.sha256 == sha256 and not picture.deleted and picture.path.is_file():
                return picture.path.read_bytes()
        return None

    def rule_card(self, card_hash: str, kiosk: str | None = None) -> Mapping[str, Any] | None:
        """The rule card kept under this hash: option → value."""
        with self._reading(self._is_foreign(kiosk)) as record:
            return record.rule_card(card_hash, kiosk=kiosk)

    def tables(self) -> list[Json]:
        """Every table of the pit as it stands; without a pit's server this one alone."""
        if self.pit is not None:
            with self.pit.reader() as record:
                return [_table(now) for now in record.tables_now()]
        with self._reading() as record:
            newest = next(record.hands(limit=1), None)
        waiting = self._writer.state.waiting
        return [_table(TableNow(self._writer.kiosk, 0, waiting, self._note(), newest))]

    def heads(self) -> Json:
        """The newest head of the chain and those of finished days, newest first; all signed."""
        with self._reading() as record:
            files = HeadFiles(record.data, record.kiosk)
            try:
                newest = files.newest()
            except ValueError:
                newest = None
            days = record.day_heads()
        return {
            "newest": None if newest is None else asdict(newest),
            "days": [asdict(head) for head in reversed(days)],
        }

    def check(self) -> None:
        """Begins to check the whole record; ``checking.state`` says how it stands."""
        with self._reading():
            self.checking.begin()

    def names(self, *, pit: bool = False) -> dict[str, list[str]]:
        """Tables, persons, houses and games to search by."""
        with self._reading(pit) as record:
            return record.names()

    def tallies(self, persons: Iterable[str], since: datetime) -> dict[str, Tally]:
        """What the answers of these people came to at this table, over all time and since then:
        of hands that are over. ActionError (503) while the record cannot be read."""
        with self._reading() as record:
            return record.tallies(persons, since)

    def faults(self, *, before: int | None = None, limit: int = 100) -> list[Json]:
        """The log of faults, newest first."""
        with self._reading() as record:
            return [_entry(entry) for entry in record.faults(before=before, limit=limit)]

    def standing_faults(self) -> list[Json]:
        """Faults that are not over, oldest first."""
        with self._reading() as record:
            found = record.standing_faults().values()
        return [_entry(entry) for entry in sorted(found, key=lambda entry: entry.seq)]

    def settle_dispute(self, hand_id: str, who: str, reason: str, *, disputed: bool) -> None:
        """Marks a past hand as disputed, so that its pictures stay, or releases it. The hand on
        the table is held and released there. ActionError when that changes nothing."""
        with self._reading() as record:
            detail = record.hand(hand_id)
        if detail is None:
            raise ActionError("not-found", f"no hand {hand_id[:60]!r} is recorded", 404)
        if detail.hand.disputed == disputed:
            word = "disputed already" if disputed else "not disputed"
            raise ActionError("no-change", f"hand {hand_id} is {word}", 409)
        kind = "held" if disputed else "released"
        try:
            said = {"reason": reason, "who": who}
            self._writer.append(kind, hand_id, said, timeout=_DISPUTE_WAIT)
        except (RecordError, TimeoutError):
            state = self._writer.state
            raise ActionError(
                "storage", f"not stored yet: {state.sentence or 'the record is busy'}", 503
            ) from None

    @contextmanager
    def _reading(self, pit: bool = False) -> Iterator[RecordReader]:
        if pit:
            if self.pit is None:
                raise ActionError("no-pit", "this kiosk sends to no pit's server (--record)", 404)
            with self.pit.reader() as reader:
                yield reader
            return
        try:
            yield self._record()
        except RecordError as problem:
            raise ActionError("storage", f"{problem.sentence}; {problem.advice}", 503) from None

    def _record(self) -> Record:
        """The record that is written; while it cannot be, the file as it can still be read."""
        if self._writer.record is not None:
            return self._writer.record
        if self._reader is None:
            self._reader = self._writer.open_for_reading()
        return self._reader

    def _is_foreign(self, kiosk: str | None) -> bool:
        return kiosk is not None and kiosk != self._writer.kiosk

    def _told(self, hand: Hand, settled: Mapping[str, Any] | None) -> Json:
        return told_hand(hand, settled, hidden=self._is_hidden(hand))

    def _is_hidden(self, hand: Hand, *, revealed: bool = False) -> bool:
        """Of another table only its entries are known: hidden until shown or over."""
        if hand.kiosk == self._writer.kiosk:
            return hand.id == self._hidden()
        return is_undecided(hand) and not revealed


def in_full(detail: HandDetail, faults: Sequence[Entry], *, hidden: bool = False) -> Json:
    """A hand with all that is recorded of it, for pages, exports and print. ``faults``: noted in
    its course. ``hidden``: without what it is worth."""
    settled = None if hidden else detail.settled
    started = next((e.payload for e in detail.entries if e.kind == "round-started"), {})
    placed = detail.settled or started
    known: Mapping[str, Any] = settled or {}
    return told_hand(detail.hand, settled, hidden=hidden) | {
        "rule_card": placed.get("house_hash"),
        "limits": placed.get("limits"),
        "versions": placed.get("versions") or started.get("versions"),
        "confirmed": known.get("confirmed"),
        **by_people(Found(detail.hand, settled, detail.entries), hidden=hidden),
        "faults": [_entry(entry) for entry in faults],
        "entries": [detail.hand.first_seq, detail.hand.last_seq],
        "hash": detail.entries[-1].hash,
        "steps": steps(detail.entries, hidden=hidden),
        "events": [_entry(e) for e in detail.entries if not (hidden and e.kind == "settled")],
        "pictures_lost": sum(_whole(e.payload.get("pictures_lost")) for e in detail.entries),
        "pictures": _pictures(detail),
    }


def _pictures(detail: HandDetail) -> list[Json]:
    """Each picture once, however many moments of the hand it shows: ``roles``."""
    roles: dict[str, dict[str, None]] = {}
    for entry in detail.entries:
        for named in _listed(entry.payload.get("pictures")):
            if isinstance(named, dict) and isinstance(named.get("role"), str):
                roles.setdefault(str(named.get("sha256")), {})[named["role"]] = None
    found: dict[str, Json] = {}
    for one in detail.pictures:
        all_of = list(roles.get(one.sha256, {})) or [one.role]
        new = {"role": all_of[0], "roles": all_of, "sha256": one.sha256, "deleted": True}
        told = found.setdefault(one.sha256, new)
        told["deleted"] = told["deleted"] and one.deleted
    return list(found.values())


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _table(now: TableNow) -> Json:
    """A table for the page: of its hand only what does not tell its worth."""
    hand = now.hand
    told = None
    if hand is not None:
        names = ("id", "time", "table", "person", "house", "state", "disputed", "finished")
        told = {name: getattr(hand, name) for name in names}
    return {
        "kiosk": now.kiosk,
        "age_ms": now.age_ms,
        "waiting": now.waiting,
        "note": now.note,
        "hand": told,
    }


def _entry(entry: Entry) -> Json:
    return {
        "seq": entry.seq,
        "time": entry.time,
        "kind": entry.kind,
        "round": entry.round_id,
        "payload": entry.payload,
    }
