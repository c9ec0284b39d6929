"""What the entries of one round add up to: the row by which a hand is found. Pure.

`fold` takes the row so far and one entry and gives the new row; applied to all entries of a round
in order it always gives the row that is stored, so the rows can be made again from the entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from kiosk.record.chain import Entry

OPEN, SETTLED, VOID, UNFINISHED = "open", "settled", "void", "unfinished"
STATES = (OPEN, SETTLED, VOID, UNFINISHED)
"""States of a hand. Beside them a hand may be disputed (held) in any state."""

SEARCH_STATES = (*STATES, "disputed", "overruled", "assumed")
"""What a search for a state may name."""

AMOUNT_SCALE = 10_000
OVERRULE = "overrule"
"""Term of an overrule that stands; its value counts them."""
TALLY = "tally"
"""The term of a tally that does not count yet: the hand is not over."""

_KEPT_TERMS = ("answer", "mistake", OVERRULE)
_BY = "by "
_LONGEST_BY = 32 - len(_BY)
_MAX_TERM = 64
_LONGEST_KIND = 40
MAX_INTEGER = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand, as it is listed and searched.

    ``state`` is one of STATES; ``disputed`` is set from *held* to *released*; ``finished`` says
    that nothing more is expected (a hand left open by a crash is not); ``paid`` and ``taken`` are
    of the newest settlement; ``terms`` are (term, value) pairs to search by: ``combination`` (any
    box or the dealer), ``box``, ``amount`` (paid to or taken from the hand or a box), ``answer``
    (its verdict), ``mistake`` (its kind or the likeliest slip) and ``overrule`` (one for each that
    was not taken back). An answer put right later still counts as wrong: what was learnt from stays
    to be found. What a person's answers came to is a ``tally``, named after the person once the
    hand is over (`tally_term`).
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
    terms: frozenset[tuple[str, str]]


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


def scaled(amount: Decimal | int) -> int:
    """An amount as it is searched: whole 1/10000 of the currency, rounded half even, and no more
    than the databases' integers hold."""
    number = int((Decimal(amount) * AMOUNT_SCALE).to_integral_value())
    return max(-MAX_INTEGER, min(number, MAX_INTEGER))


def amount_term(amount_e4: int) -> str:
    """A scaled amount as a term: of fixed width, so that text order is the order of amounts."""
    return f"{max(0, amount_e4):019d}"


def tally_term(person: str) -> str:
    """The term of the hands that count for a person: ``answers RIGHT WRONG NOT-GIVEN`` (boxes),
    once a hand, and ``mistake KIND COUNT``. A name too long for a term is counted under none."""
    return _BY + person


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
    person = payload.get("person", hand.person)
    return replace(
        hand,
        table=_text(payload.get("table"), hand.table),
        person=_text(person, "") or None,
        house=_text(payload.get("house"), hand.house),
        game=_text(payload.get("game"), hand.game),
        mode=_text(payload.get("mode"), hand.mode),
    )


def _started(hand: Hand, entry: Entry) -> Hand:
    return _placed(hand, entry.payload)


def _settled(hand: Hand, entry: Entry) -> Hand:
    payload = entry.payload
    settlement = _mapping(payload.get("settlement"))
    boxes = [_mapping(box) for box in _list(settlement.get("boxes"))]
    confirmed = {str(box) for box in _list(payload.get("confirmed"))}
    numbers = {str(box.get("box")) for box in boxes}
    return replace(
        _placed(hand, payload),
        state=OPEN if payload.get("complete") is False else SETTLED,
        assumed=bool(numbers - confirmed),
        paid=_amount(settlement.get("paid")),
        taken=_amount(settlement.get("taken")),
        settled_seq=entry.seq,
        terms=frozenset(
            {("box", _term(number)) for number in numbers}
            | {("combination", _term(slug)) for slug in _combinations(settlement, boxes)}
            | {("amount", amount_term(scaled(amount))) for amount in _amounts(settlement, boxes)}
            | {term for term in hand.terms if term[0] in _KEPT_TERMS}
            | _answer_terms(payload)
            | {(TALLY, value) for value in _tally(payload)}
        ),
    )


def _amounts(settlement: Mapping[str, Any], boxes: list[Mapping[str, Any]]) -> Iterator[Decimal]:
    for part in (settlement, *boxes):
        for name in ("paid", "taken"):
            amount = _amount(part.get(name))
            if amount:
                yield amount


def _answers(payload: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What ``answers`` holds: pairs of box and answer."""
    pairs = [pair for pair in _list(payload.get("answers")) if isinstance(pair, list | tuple)]
    return [_mapping(pair[1]) for pair in pairs if len(pair) == 2]


def _answer_terms(payload: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The verdicts and named mistakes of the answers."""
    found = set()
    for answer in _answers(payload):
        if isinstance(answer.get("verdict"), str):
            found.add(("answer", _term(answer["verdict"])))
        for mistake in map(_mapping, _list(answer.get("mistakes"))):
            found |= {
                ("mistake", _term(mistake[name]))
                for name in ("kind", "mistake")
                if isinstance(mistake.get(name), str)
            }
    return found


def _tally(payload: Mapping[str, Any]) -> Iterator[str]:
    """What the answers that count came to (`tally_term`). One that came after the reveal was not
    given, so its mistakes are none."""
    verdicts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for answer in _answers(payload):
        verdict = answer.get("verdict")
        if verdict not in ("right", "wrong"):
            verdicts["not-answered"] += 1
            continue
        verdicts[verdict] += 1
        named = (mistake.get("kind") for mistake in map(_mapping, _list(answer.get("mistakes"))))
        kinds.update(_term(kind)[:_LONGEST_KIND] for kind in named if isinstance(kind, str))
    if verdicts:
        counts = (verdicts[name] for name in ("right", "wrong", "not-answered"))
        yield " ".join(["answers", *map(str, counts)])
    for kind, count in kinds.items():
        yield f"mistake {kind} {count}"


def _tallied(hand: Hand) -> Hand:
    """The tally under the person's name once the hand is over, not before: it would tell what the
    answers are worth. A misdeal, and a hand that nobody was to answer, count for nobody."""
    mine = [term for term in hand.terms if term[0] == TALLY or term[0].startswith(_BY)]
    person = hand.person or ""
    over = hand.finished and hand.state == SETTLED and hand.mode == "training"
    counts = over and 0 < len(person) <= _LONGEST_BY
    name = tally_term(person) if counts else TALLY
    if all(term[0] == name for term in mine):
        return hand
    return replace(hand, terms=hand.terms.difference(mine) | {(name, value) for _, value in mine})


def _combinations(settlement: Mapping[str, Any], boxes: list[Mapping[str, Any]]) -> set[str]:
    dealer = _mapping(settlement.get("dealer"))
    found = [dealer.get("combination"), _mapping(dealer.get("after_buy")).get("combination")]
    for box in boxes:
        found += [*_list(box.get("combinations")), box.get("paid_as")]
    return {slug for slug in found if isinstance(slug, str)}


def _held(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, disputed=True, was_disputed=True)


def _released(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, disputed=False)


def _overruled(hand: Hand, _entry: Entry) -> Hand:
    count = sum(term == OVERRULE for term, _value in hand.terms)
    return replace(hand, overruled=True, terms=hand.terms | {(OVERRULE, str(count + 1))})


def _voided(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, state=VOID, finished=True)


def _undone(hand: Hand, entry: Entry) -> Hand:
    """``payload.what`` is the kind that was taken back."""
    what = entry.payload.get("what")
    if what == "voided":
        back = OPEN if hand.settled_seq is None else SETTLED
        return replace(hand, state=back, finished=False)
    if what == "overruled":
        # As many are left as stood before; which ones their boxes tell.
        count = sum(term == OVERRULE for term, _value in hand.terms)
        return replace(hand, overruled=count > 1, terms=hand.terms - {(OVERRULE, str(count))})
    if what == "settled" and hand.state == SETTLED:
        return replace(hand, state=OPEN, finished=False)
    return hand


def _finished(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, finished=True)


def _unfinished(hand: Hand, _entry: Entry) -> Hand:
    return replace(hand, state=UNFINISHED if hand.state == OPEN else hand.state, finished=True)


_STEPS: dict[str, Callable[[Hand, Entry], Hand]] = {
    "round-started": _started,
    "settled": _settled,
    "held": _held,
    "released": _released,
    "overruled": _overruled,
    "voided": _voided,
    "undone": _undone,
    "round-finished": _finished,
    "unfinished": _unfinished,
}


def _text(value: object, otherwise: str) -> str:
    """As the databases can hold it: PostgreSQL knows no zero character."""
    return value.replace("\0", "") if isinstance(value, str) else otherwise


def _term(value: object) -> str:
    return _text(value, str(value))[:_MAX_TERM]


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


def _amount(value: object) -> Decimal | None:
    good = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Decimal(value) if good else None  # type: ignore[arg-type]
