"""The terms by which a hand is found: taken from what its entries say. Pure.

A term is a pair of name and value. What belongs to one box is a term twice: once for the hand
(``combination``), once bound to its box (``combination@3``). A payload without the expected fields
never raises: what it does not say gives no terms.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

Term = tuple[str, str]

AMOUNT_SCALE = 10_000
MAX_INTEGER = 2**63 - 1
BOX = "box"
PERSON = "person"
"""Term of everybody who dealt or answered; bound to a box it is who answered that one."""
OVERRULE = "overrule"
"""Term of an overrule that stands; its value counts them, also where it is bound to a box."""
OF = "of "
"""How the terms of a tally begin that does not count yet: the hand is not over."""
BY = "by "
"""How the terms of a tally that counts begin."""

NOBODY = ("page", "panel")
"""Where something was entered while nobody was known to: no person."""

LONGEST_BY = 32 - len(BY)
_MAX_TERM = 64
_LONGEST_KIND = 40
_MOST_BOXES = 99
_BOX_ZONE = re.compile(r"box([1-9][0-9]?)(?![0-9])")


def at(term: str, box: object) -> str:
    """The name of the term where it is bound to a box: ``combination@3``."""
    return f"{term}@{box}"


def without_box(term: str) -> str:
    """The name of the term without its box."""
    return term.partition("@")[0]


def scaled(amount: Decimal | int) -> int:
    """An amount as it is searched: whole 1/10000 of the currency, rounded half even, and no more
    than the databases' integers hold."""
    number = int((Decimal(amount) * AMOUNT_SCALE).to_integral_value())
    return max(-MAX_INTEGER, min(number, MAX_INTEGER))


def amount_term(amount_e4: int) -> str:
    """A scaled amount as a term: of fixed width, so that text order is the order of amounts."""
    return f"{max(0, amount_e4):019d}"


def tally_term(person: str) -> str:
    """The term of the hands that count for a person, who dealt or answered them: ``answers RIGHT
    WRONG NOT-GIVEN`` (boxes), once a hand, and ``mistake KIND COUNT``. A name too long for a term
    is counted under none."""
    return BY + person


def person_terms(person: object, *, box: object = None) -> set[Term]:
    """The terms of who dealt, or who answered the box; none where nobody is known."""
    if not isinstance(person, str) or person in ("", *NOBODY):
        return set()
    seat = _seat(box)
    return {(name, term_text(person)) for name in (PERSON, *((at(PERSON, seat),) if seat else ()))}


def answerers(terms: frozenset[Term]) -> list[str]:
    """Everybody who answered a box, each once, in a fixed order."""
    bound = f"{PERSON}@"
    return sorted({value for term, value in terms if term.startswith(bound)})


def boxes_of(terms: frozenset[Term]) -> set[str]:
    """The boxes that are named in the terms."""
    return {value for term, value in terms if term == BOX}


def sole_answerer(terms: frozenset[Term], box: object) -> str | None:
    """Who answered the box; None where nobody, or more than one, is known to."""
    found = [value for term, value in terms if term == at(PERSON, box)]
    return found[0] if len(found) == 1 else None


def touched(kind: str, payload: Mapping[str, Any]) -> set[Term]:
    """The box that an entry of this kind is about: where cards lie, where something was entered or
    said. A box said to be out of play is none."""
    if kind == "cards-accepted":
        zone = _BOX_ZONE.match(text(payload.get("zone"), ""))
        return {(BOX, zone[1])} if zone and payload.get("cards") else set()
    box = _seat(payload.get("box"))
    return set() if box is None or payload.get("in_play") is False else {(BOX, box)}


def settled_terms(payload: Mapping[str, Any], before: frozenset[Term], dealt: str) -> set[Term]:
    """All terms of a settlement: its boxes, what it is worth, how it was answered. ``before``: the
    terms of the hand so far; ``dealt``: who did, "" where nobody is known to have."""
    settlement = mapping(payload.get("settlement"))
    boxes = [mapping(box) for box in listed(settlement.get("boxes"))]
    dealer = mapping(settlement.get("dealer"))
    bought = mapping(dealer.get("after_buy"))
    found = {(BOX, number) for number in boxes_settled(payload) | _others(payload)}
    found |= _slugs("combination", None, dealer.get("combination"), bought.get("combination"))
    found |= _money(None, settlement)
    for box in boxes:
        seat = _seat(box.get("box"))
        found |= _slugs("combination", seat, *listed(box.get("combinations")), box.get("paid_as"))
        found |= _money(seat, box)
    return found | _answer_terms(payload) | _tallies(payload, before, dealt)


def boxes_settled(payload: Mapping[str, Any]) -> set[str]:
    """The boxes that a settlement has a result for."""
    boxes = listed(mapping(payload.get("settlement")).get("boxes"))
    return {term_text(mapping(box).get("box")) for box in boxes}


def _others(payload: Mapping[str, Any]) -> set[str]:
    """The boxes in play without a result: overruled ones, and those that were answered."""
    pairs = [*listed(payload.get("overruled")), *listed(payload.get("answers"))]
    firsts = (_seat(pair[0]) for pair in pairs if isinstance(pair, list | tuple) and pair)
    return {box for box in firsts if box is not None}


def _slugs(term: str, seat: str | None, *slugs: object) -> set[Term]:
    """Under the term, and bound to the box where there is one."""
    values = {term_text(slug) for slug in slugs if isinstance(slug, str)}
    return {(name, value) for name in _names(term, seat) for value in values}


def _names(term: str, seat: str | None) -> tuple[str, ...]:
    return (term,) if seat is None else (term, at(term, seat))


def _money(seat: str | None, part: Mapping[str, Any]) -> set[Term]:
    amounts = (amount_of(part.get(name)) for name in ("paid", "taken"))
    values = {amount_term(scaled(amount)) for amount in amounts if amount}
    return {(name, value) for name in _names("amount", seat) for value in values}


def _answers(payload: Mapping[str, Any]) -> list[tuple[object, Mapping[str, Any]]]:
    """What ``answers`` holds: pairs of box and answer."""
    pairs = [pair for pair in listed(payload.get("answers")) if isinstance(pair, list | tuple)]
    return [(pair[0], mapping(pair[1])) for pair in pairs if len(pair) == 2]


def _answer_terms(payload: Mapping[str, Any]) -> set[Term]:
    """The verdicts and named mistakes of the answers."""
    found: set[Term] = set()
    for box, answer in _answers(payload):
        seat = _seat(box)
        found |= _slugs("answer", seat, answer.get("verdict"))
        for mistake in map(mapping, listed(answer.get("mistakes"))):
            found |= _slugs("mistake", seat, mistake.get("kind"), mistake.get("mistake"))
    return found


def _tallies(payload: Mapping[str, Any], before: frozenset[Term], dealt: str) -> set[Term]:
    """What the answers came to, for who gave them. The hand is one of who dealt in any case; theirs
    is too what nobody, or nobody known, answered."""
    theirs: dict[str, list[Mapping[str, Any]]] = {}
    for box, answer in _answers(payload):
        who = answer["who"] if "who" in answer else sole_answerer(before, box)
        known = isinstance(who, str) and who not in NOBODY
        theirs.setdefault(text(who, "") if known else dealt, []).append(answer)
    if theirs:
        theirs.setdefault(dealt, [])
    return {
        (OF + (who if len(who) <= LONGEST_BY else ""), value)
        for who, given in theirs.items()
        for value in _tally(given)
    }


def _tally(answers: list[Mapping[str, Any]]) -> Iterator[str]:
    """What these answers came to (`tally_term`). One that came after the reveal was not given, so
    its mistakes are none."""
    verdicts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for answer in answers:
        verdict = answer.get("verdict")
        if verdict not in ("right", "wrong"):
            verdicts["not-answered"] += 1
            continue
        verdicts[verdict] += 1
        named = (mistake.get("kind") for mistake in map(mapping, listed(answer.get("mistakes"))))
        kinds.update(term_text(kind)[:_LONGEST_KIND] for kind in named if isinstance(kind, str))
    counts = (verdicts[name] for name in ("right", "wrong", "not-answered"))
    yield " ".join(["answers", *map(str, counts)])
    for kind, count in kinds.items():
        yield f"mistake {kind} {count}"


def _seat(value: object) -> str | None:
    """The number of a box as a term, None for what is none."""
    good = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST_BOXES
    return str(value) if good else None


def text(value: object, otherwise: str) -> str:
    """As the databases can hold it: PostgreSQL knows no zero character."""
    return value.replace("\0", "") if isinstance(value, str) else otherwise


def term_text(value: object) -> str:
    """A value of a payload as that of a term."""
    return text(value, str(value))[:_MAX_TERM]


def mapping(value: object) -> Mapping[str, Any]:
    """The mapping, an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def listed(value: object) -> list[Any]:
    """The list, an empty one for anything else."""
    return list(value) if isinstance(value, list | tuple) else []


def amount_of(value: object) -> Decimal | None:
    """The amount, None for what is no number."""
    good = isinstance(value, int | Decimal) and not isinstance(value, bool)
    return Decimal(value) if good else None  # type: ignore[arg-type]
