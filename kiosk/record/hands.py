"""What the entries of one round add up to: the row by which a hand is found. Pure.

`fold` takes the row so far and one entry and gives the new row; applied to all entries of a round
in order it always gives the row that is stored, so the rows can be made again from the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from kiosk.record.chain import Entry
from kiosk.record.terms import (
    BOX,
    BY,
    OF,
    OVERRULE,
    PERSON,
    Term,
    amount_of,
    at,
    boxes_of,
    boxes_settled,
    listed,
    mapping,
    person_terms,
    settled_terms,
    tally_term,
    text,
    touched,
    without_box,
)

OPEN, SETTLED, BY_HAND, VOID, UNFINISHED = "open", "settled", "by-hand", "void", "unfinished"
STATES = (OPEN, SETTLED, BY_HAND, VOID, UNFINISHED)
"""States of a hand; ``by-hand``: over and never settled, every box overruled. Beside them a
hand may be disputed (held) in any state."""

SEARCH_STATES = (*STATES, "disputed", "overruled", "assumed")
"""What a search for a state may name."""

_LASTING = ("answer", "mistake", OVERRULE, PERSON)
"""Terms that another settlement leaves standing."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand, as it is listed and searched.

    ``state`` is one of STATES; ``disputed`` is set from *held* to *released*; ``finished`` says
    that nothing more is expected (a hand left open by a crash is not); ``paid`` and ``taken`` are
    of the newest settlement; ``terms`` are (term, value) pairs to search by: ``combination`` (any
    box or the dealer), ``box`` (every one in play, settled or not), ``amount`` (paid to or taken
    from the hand or a box), ``answer`` (its verdict), ``mistake`` (its kind or the likeliest slip),
    ``person`` (who dealt, and who gave an answer, also one that was taken back or put right) and
    ``overrule`` (one for each that was not taken back); what belongs to a box stands there again as
    ``combination@1`` and so on. An answer put right later still counts as wrong: what was learnt
    from stays to be found. What a person's answers came to is a tally, which counts once the hand
    is over (`tally_term`).
    """

    kiosk: str
    id: str
    time: str
    table: str
    person: str | None
    house: str
    game: str
    mode: str
    state: str
    finished: bool
    disputed: bool
    was_disputed: bool
    overruled: bool
    assumed: bool
    paid: Decimal | None
    taken: Decimal | None
    first_seq: int
    last_seq: int
    settled_seq: int | None
    terms: frozenset[Term]


def is_undecided(hand: Hand) -> bool:
    """Whether it is a hand in training that goes on: what it is worth must not be told (P3), but
    where an entry says that it was shown."""
    return hand.mode == "training" and not hand.finished


def fold(hand: Hand | None, entry: Entry) -> Hand | None:
    """The hand after the entry. An entry that belongs to no round changes nothing.

    A payload without the expected fields never raises: what it does not say stays empty, because
    the entry itself is what counts.
    """
    if entry.round_id is None:
        return hand
    if hand is None:
        hand = _new(entry)
    step = _STEPS.get(entry.kind)
    hand = hand if step is None else _tallied(step(hand, entry))
    return replace(hand, last_seq=entry.seq)


def _new(entry: Entry) -> Hand:
    return Hand(
        kiosk=entry.kiosk,
        id=str(entry.round_id),
        time=entry.time,
        table="",
        person=None,
        house="",
        game="",
        mode="",
        state=OPEN,
        finished=False,
        disputed=False,
        was_disputed=False,
        overruled=False,
        assumed=False,
        paid=None,
        taken=None,
        first_seq=entry.seq,
        last_seq=entry.seq,
        settled_seq=None,
        terms=frozenset(),
    )


def _placed(hand: Hand, payload: Mapping[str, Any]) -> Hand:
    person = text(payload.get("person", hand.person), "") or None
    return replace(
        hand,
        table=text(payload.get("table"), hand.table),
        person=person,
        terms=hand.terms | person_terms(person),
        house=text(payload.get("house"), hand.house),
        game=text(payload.get("game"), hand.game),
        mode=text(payload.get("mode"), hand.mode),
    )


def _started(hand: Hand, entry: Entry) -> Hand:
    return _placed(hand, entry.payload)


def _settled(hand: Hand, entry: Entry) -> Hand:
    payload = entry.payload
    settlement = mapping(payload.get("settlement"))
    confirmed = {str(box) for box in listed(payload.get("confirmed"))}
    hand = _placed(hand, payload)
    lasting = {term for term in hand.terms if without_box(term[0]) in _LASTING}
    return replace(
        hand,
        state=OPEN if payload.get("complete") is False else SETTLED,
        assumed=bool(boxes_settled(payload) - confirmed),
        paid=amount_of(settlement.get("paid")),
        taken=amount_of(settlement.get("taken")),
        settled_seq=entry.seq,
        terms=frozenset(settled_terms(payload, hand.terms, hand.person or "") | lasting),
    )


def _touched(hand: Hand, entry: Entry) -> Hand:
    terms = hand.terms | touched(entry.kind, entry.payload)
    if entry.payload.get("in_play") is False:
        terms -= {(BOX, str(entry.payload.get("box")))}
    return replace(hand, terms=terms)


def _answered(hand: Hand, entry: Entry) -> Hand:
    payload = entry.payload
    hand = _touched(hand, entry)
    return replace(
        hand, terms=hand.terms | person_terms(payload.get("who"), box=payload.get("box"))
    )


def _tallied(hand: Hand) -> Hand:
    """The tallies count once the hand is over, not before: they would tell what the answers are
    worth. A misdeal, and a hand that nobody was to answer, count for nobody."""
    tallies = {term for term in hand.terms if term[0].startswith((OF, BY))}
    over = hand.finished and hand.state == SETTLED and hand.mode == "training"
    named = {(_tally_name(term, counts=over), value) for term, value in tallies}
    return hand if named == tallies else replace(hand, terms=hand.terms - tallies | named)


def _tally_name(term: str, *, counts: bool) -> str:
    person = term.removeprefix(OF).removeprefix(BY)
    return tally_term(person) if counts and person else OF + person


def _held(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, disputed=True, was_disputed=True)


def _released(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, disputed=False)


def _overruled(hand: Hand, entry: Entry) -> Hand:
    """One box, or all in play."""
    number = str(sum(term == OVERRULE for term, _value in hand.terms) + 1)
    hand = _touched(hand, entry)
    box, playing = entry.payload.get("box"), boxes_of(hand.terms)
    named = playing if box is None else playing & {str(box)}
    new = {(OVERRULE, number)} | {(at(OVERRULE, each), number) for each in named}
    return replace(hand, overruled=True, terms=hand.terms | new)


def _voided(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, state=VOID, finished=True)


def _undone(hand: Hand, entry: Entry) -> Hand:
    """``payload.what`` is the kind that was taken back."""
    what = entry.payload.get("what")
    if what == "voided":
        back = OPEN if hand.settled_seq is None else SETTLED
        return replace(hand, state=back, finished=False)
    if what == "overruled":
        # As many are left as stood before: it was the last one, with its number at its boxes.
        count = sum(term == OVERRULE for term, _value in hand.terms)
        last = {t for t in hand.terms if without_box(t[0]) == OVERRULE and t[1] == str(count)}
        return replace(hand, overruled=count > 1, terms=hand.terms - last)
    event = mapping(entry.payload.get("event"))
    if what == "bets-entered" and event.get("in_play") is False:
        return replace(hand, terms=hand.terms | touched(what, {"box": event.get("box")}))
    if what == "settled" and hand.settled_seq is not None:
        lasting = {t for t in hand.terms if without_box(t[0]) in (*_LASTING, BOX)}
        return replace(
            hand,
            state=OPEN if hand.state == SETTLED else hand.state,
            finished=False,
            assumed=False,
            paid=None,
            taken=None,
            settled_seq=None,
            terms=frozenset(lasting),
        )
    return hand


def _finished(hand: Hand, entry: Entry) -> Hand:
    if hand.state != OPEN:
        return replace(hand, finished=True)
    by_hand = hand.overruled and entry.payload.get("complete") is not False
    return replace(hand, state=BY_HAND if by_hand else UNFINISHED, finished=True)


def _unfinished(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, state=UNFINISHED if hand.state == OPEN else hand.state, finished=True)


_STEPS: dict[str, Callable[[Hand, Entry], Hand]] = {
    "round-started": _started,
    "cards-accepted": _touched,
    "bets-entered": _touched,
    "confirmed": _touched,
    "answer": _answered,
    "settled": _settled,
    "held": _held,
    "released": _released,
    "overruled": _overruled,
    "voided": _voided,
    "undone": _undone,
    "round-finished": _finished,
    "unfinished": _unfinished,
}
