"""One exercise: a round of a house and what is asked about it. The same arguments give the same
exercise, so a house, an item and a seed are all that has to be kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from kiosk.cards import DECK
from kiosk.rules.case import parse_case
from kiosk.rules.describe import describe
from kiosk.rules.generate import GenerateError, generate, most_boxes
from kiosk.rules.houses import HouseFile
from kiosk.rules.mistakes import usual_mistakes
from kiosk.rules.order import in_dealing_order
from kiosk.rules.results import Line, Result, Settlement
from kiosk.rules.settle import settle, settle_case
from kiosk.teach.topics import REST, TOPICS, Form, Item, Variant, aims_for_slip

Case = Mapping[str, Any]

_SEARCH = 240
"""Rounds looked through for one that fits."""

_SLIP_SEARCH = 120
"""Rounds looked through for one in which a slip can be made; then any round will do."""

_DECOY = 0.3
"""Share of rounds of a topic that do not show what it is about."""

_MOST_SEATS = 5


@dataclass(frozen=True, slots=True)
class Exercise:
    """``box``: the box that is asked about. ``bet``: the one bet of form ``amount``. ``steps``:
    what is to be put in order, shuffled: bets of the box, or ``seats``. ``damaged``: a hand has a
    wrong number of cards, so the round must not be settled."""

    house: str
    item: Item
    topic: str
    form: Form
    seed: int
    case: Case
    box: int = 1
    bet: str | None = None
    steps: tuple[str, ...] = ()
    seats: bool = False
    damaged: bool = False


def make_exercise(
    file: HouseFile, item: Item, seed: int, table: Mapping[str, Any] | None = None
) -> Exercise:
    """The exercise of a seed. ``table``: limits of the rounds; the rules' own when None.

    Raises GenerateError when the house has nothing of the kind.
    """
    if not item.fits(file.house):
        raise GenerateError(f"{file.house.name} has no rounds for {item}")
    topic = item.topic(file.house)
    if item.kind == "slip":
        found = _for_slip(file, item, topic, seed, table)
        return found or _of(file, item, REST, TOPICS[REST].variants[0], seed, table)
    random = Random(f"{item}/{seed}")
    known = TOPICS[topic]
    variant = random.choice(known.for_house(file.house))
    if known.decoy is not None and random.random() < _DECOY:
        variant = known.decoy
    return _of(file, item, topic, variant, seed, table)


def _for_slip(
    file: HouseFile, item: Item, topic: str, seed: int, table: Mapping[str, Any] | None
) -> Exercise | None:
    """A round in which the slip can be made again."""
    aims = aims_for_slip(item.name, file.house)
    for at in range(_SLIP_SEARCH):
        case = _deal(file, seed * _SEARCH + at, aims[at % len(aims)], 1, table)
        if case and any(m["mistake"] == item.name for m in usual_mistakes(case, "en", _own(file))):
            return Exercise(file.house.name, item, topic, "settle", seed, case)
    return None


def _of(
    file: HouseFile,
    item: Item,
    topic: str,
    variant: Variant,
    seed: int,
    table: Mapping[str, Any] | None,
) -> Exercise:
    base = Exercise(file.house.name, item, topic, variant.form, seed, {})
    if variant.form == "order":
        return _order(file, base, table)
    for at in range(_SEARCH):
        case = _deal(file, seed * _SEARCH + at, variant.aim, 1, table)
        found = case and _asked(file, replace(base, case=case), variant)
        if found:
            return found
    raise GenerateError(f"{file.house.name} gave no round for {item} in {_SEARCH} tries")


def _asked(file: HouseFile, made: Exercise, variant: Variant) -> Exercise | None:
    """The exercise about a round, None when the round does not suit the form."""
    box = made.case["boxes"][0]
    plays = box["action"] == "play" and box.get("cards")
    if variant.damaged:
        return _damaged(file, made) if plays else None
    if made.form == "hand":
        return made if plays and "ante" in box["bets"] else None
    if made.form == "amount":
        line = _largest_payment(settled_of(file, made.case))
        return None if line is None else replace(made, bet=line.bet)
    return made


def settled_of(file: HouseFile, case: Case) -> Settlement:
    """The settlement of a sound round. CaseError for a damaged one."""
    return settle(parse_case(case, _own(file)))


def _own(file: HouseFile) -> Mapping[str, HouseFile]:
    return {file.house.name: file}


def _deal(
    file: HouseFile, seed: int, aim: str | None, boxes: int, table: Mapping[str, Any] | None
) -> dict[str, Any] | None:
    """A round; the limits of an aim (the table maximum) go before those of the table."""
    try:
        return generate(
            file, seed, aim=aim, boxes=boxes, table=None if aim == "cap-reached" else table
        )
    except GenerateError:
        return None


def _largest_payment(settled: Settlement) -> Line | None:
    """The payment of a box by a coefficient on a bet, the largest where there are several."""
    lines = [
        line
        for line in settled.boxes[0].lines
        if line.result is Result.WIN and line.times and line.on and line.stake_taken is None
    ]
    return max(lines, key=lambda line: line.amount, default=None)


def _damaged(file: HouseFile, made: Exercise) -> Exercise | None:
    """The round with a card too many or too few in the box or in the dealer's hand."""
    random = Random(f"damage/{made.seed}")
    case = dict(made.case)
    box = dict(case["boxes"][0])
    dealer = dict(case["dealer"])
    hand: list[str] = box["cards"] if random.random() < 0.6 else dealer["cards"]
    changed = list(hand)
    if random.random() < 0.5 and len(hand) > 1:
        changed.pop(random.randrange(len(changed)))
    else:
        changed.append(random.choice(_unused(case)))
    if hand is box["cards"]:
        box["cards"] = changed
    else:
        dealer["cards"] = changed
    damaged = {**case, "dealer": dealer, "boxes": [box]}
    refused = settle_case(damaged, _own(file)).get("error") == "wrong-card-count"
    return replace(made, case=damaged, damaged=True) if refused else None


def _unused(case: Case) -> list[str]:
    used = set(_all_cards(case))
    return [str(card) for card in DECK if str(card) not in used]


def _all_cards(case: Case) -> Iterator[str]:
    dealer = case["dealer"]
    for cards in (dealer["cards"], dealer.get("draws"), dealer.get("small"), case.get("board")):
        yield from cards or ()
    for box in case["boxes"]:
        for name in ("cards", "dealt", "small"):
            yield from box.get(name) or ()


def _order(file: HouseFile, base: Exercise, table: Mapping[str, Any] | None) -> Exercise:
    """Steps of one box, or the seats of a table; steps where the box has enough of them."""
    random = Random(f"order/{base.seed}")
    if random.random() < 0.6:
        for at in range(_SEARCH // 4):
            case = _deal(file, base.seed * _SEARCH + at, None, 1, table)
            steps = case and _steps(file, case)
            if case and steps:
                return replace(base, case=case, steps=tuple(random.sample(steps, len(steps))))
    seats = random.randint(2, max(2, min(_MOST_SEATS, most_boxes(file.house))))
    for at in range(_SEARCH):
        case = _deal(file, base.seed * _SEARCH + at, None, seats, table)
        playing = [str(b["box"]) for b in (case or {}).get("boxes", ()) if b["action"] == "play"]
        if case and len(playing) > 1:
            shuffled = tuple(random.sample(playing, len(playing)))
            return replace(base, case=case, steps=shuffled, seats=True)
    raise GenerateError(f"{file.house.name} gave no round with several boxes")


def _steps(file: HouseFile, case: Case) -> list[str]:
    """The bets of the box where their order matters; none where there is too little to order."""
    lines = settled_of(file, case).boxes[0].lines
    stages = in_dealing_order(lines, file.house.game)
    if len(stages) < 3 or len({stage for stage, _ in stages}) < 2:
        return []
    return [line.bet for _, line in stages]


def asked_bets(exercise: Exercise) -> tuple[str, ...]:
    """The bets that a trainee answers for: those placed, and the ante bonus where there may be
    one, so that the list does not tell what is due."""
    box = exercise.case["boxes"][0]
    names = list(box["bets"])
    if exercise.case["game"] == "three_card" and "ante" in names and box["action"] == "play":
        names.append("ante_bonus")
    return tuple(names)


def hand_of_box(file: HouseFile, exercise: Exercise) -> Mapping[str, Any]:
    """What the box holds (``describe``)."""
    box = exercise.case["boxes"][0]
    found: Mapping[str, Any] = describe(box["cards"], file.house, exercise.case.get("board") or ())
    return found


def shown(exercise: Exercise, file: HouseFile, language: str = "en") -> dict[str, Any]:
    """What the trainee sees: the round and the question, nothing of the answer.

    ``asks``: bets to answer; ``options``: combinations to choose from, low to high; ``second``:
    whether a second combination may be named; ``told``: what form ``amount`` tells of the hand.
    """
    case, house = exercise.case, file.house
    data: dict[str, Any] = {
        "form": exercise.form,
        "house": house.name,
        "game": house.game,
        "title": house.title,
        "table": dict(case["table"]),
        "meter": case.get("meter"),
        "dealer": dict(case["dealer"]),
        "board": list(case.get("board") or ()),
        "boxes": [dict(box) for box in case["boxes"]],
        "box": exercise.box,
        "asks": list(asked_bets(exercise)) if exercise.form == "settle" else [],
        "options": [],
        "second": house.doubles.enabled,
        "bet": exercise.bet,
        "steps": list(exercise.steps),
        "seats": exercise.seats,
        "told": [],
        "results": {},
    }
    if exercise.form == "hand":
        data["options"] = [combo.slug for combo in house.ranking]
        data["dealer"] = {"cards": []}
    elif exercise.form == "game":
        data["boxes"] = []
        data["dealer"] = {"cards": list(case["dealer"]["cards"])}
    elif exercise.form == "amount":
        data["told"] = _told(file, exercise, language)
    elif exercise.form == "order" and not exercise.seats:
        lines = settle_case(case, _own(file))["boxes"][0]["bets"]
        data["results"] = {bet: dict(line) for bet, line in lines.items()}
    return data


def _told(file: HouseFile, exercise: Exercise, language: str) -> list[str]:
    box = exercise.case["boxes"][0]
    judged = box.get("dealt") if exercise.bet in ("bonus", "progressive") else None
    cards: Sequence[str] = judged or box["cards"]
    board = exercise.case.get("board") or ()
    return list(describe(cards, file.house, board, language)["names"])
