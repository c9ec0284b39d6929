"""Reading what people send (bodies of the API's POST routes) into events.

Everything is checked before an event exists: a body that does not fit raises
ActionError(kind="bad-input", status=400) with one line that names the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, NoReturn

from kiosk.cards import BadCardError, Card
from kiosk.errors import ActionError
from kiosk.rules.money import LARGEST, decimal_of, has_cents_at_most, shown
from kiosk.table import events as e

RESULT_WORDS = ("win", "lose", "push", "not-paid", "returned")
LONGEST_TEXT = 500
MOST_PRIZES = 8


def event_from(name: str, body: object, t: float, who: str) -> e.PersonEvent:
    """The event of a POST route ``name`` (bets, cards, confirm, …) with its JSON body.

    ``t``: monotonic seconds now; ``who``: the person. Raises ActionError.
    """
    reader = READERS.get(name)
    if reader is None:
        raise ActionError("unknown-action", f"There is no action {shown(name)}.", 404)
    if not isinstance(body, Mapping):
        refuse(f"expected an object, not {shown(body)}")
    allowed, read = reader
    for key in body:
        if key not in allowed:
            names = ", ".join(allowed) or "none"
            refuse(f"unknown key {shown(str(key))}: expected {names}")
    return read(body, t, who)


def for_hand(body: Mapping[str, Any], now: str) -> dict[str, Any]:
    """The body without ``round``, the hand that it was entered for.

    ``now``: the hand on the table. ActionError when that is another one: what was on its way while
    the hand changed must not count for the next.
    """
    wanted = body.get("round")
    if wanted is not None and not isinstance(wanted, str):
        refuse(f"round: expected the id of a hand, not {shown(wanted)}")
    if wanted is not None and wanted != now:
        raise ActionError("other-hand", "Another hand is on the table now: look again.", 409)
    return {key: value for key, value in body.items() if key != "round"}


def refuse(problem: str) -> NoReturn:
    raise ActionError("bad-input", f"Bad input: {problem}.", 400)


def amount(value: object, where: str, *, zero: bool) -> Decimal:
    """An amount of money: finite, at most two decimals. Raises ActionError."""
    found = decimal_of(value)
    if found is None:
        refuse(f"{where}: expected an amount, not {shown(value)}")
    if found < 0 or (found == 0 and not zero):
        refuse(f"{where}: expected an amount above 0, not {shown(value)}")
    if found > LARGEST or not has_cents_at_most(found):
        refuse(f"{where}: expected an amount with at most two decimals, not {shown(value)}")
    return found


def _whole(body: Mapping[str, Any], key: str, most: int) -> int:
    value = body[key]
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        refuse(f"{key}: expected a whole number from 0 to {most}, not {shown(value)}")
    return value


def _box(body: Mapping[str, Any]) -> int:
    if "box" not in body:
        refuse("box: missing")
    return _whole(body, "box", 99)


def _flag(body: Mapping[str, Any], key: str) -> bool | None:
    value = body.get(key)
    if value is not None and not isinstance(value, bool):
        refuse(f"{key}: expected true or false, not {shown(value)}")
    return value


def _text(body: Mapping[str, Any], key: str, *, needed: bool) -> str:
    value = body.get(key, "")
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        refuse(f"{key}: expected a text of at most {LONGEST_TEXT} characters")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        # JSON can name half of a character; no page and no record can hold one.
        refuse(f"{key}: expected whole characters, not a lone surrogate")
    if needed and not value.strip():
        refuse(f"{key}: must be given")
    return value.strip()


def _card(body: Mapping[str, Any], key: str) -> Card | None:
    value = body.get(key)
    if value is None:
        return None
    try:
        return Card.parse(value)
    except BadCardError:
        refuse(f"{key}: {shown(value)} is no card, expected rank and suit such as As or Td")


def _object(body: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = body.get(key, {})
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        refuse(f"{key}: expected an object, not {shown(value)}")
    return value


def _prizes(body: Mapping[str, Any]) -> tuple[e.Prize, ...] | None:
    value = body.get("prizes")
    if value is None:
        return None
    if not isinstance(value, list | tuple) or len(value) > MOST_PRIZES:
        refuse(f"prizes: expected a list of at most {MOST_PRIZES} prizes, not {shown(value)}")
    found: list[e.Prize] = []
    for prize in value:
        if not isinstance(prize, Mapping) or set(prize) != {"name", "amount"}:
            refuse(f"prizes: expected name and amount, not {shown(prize)}")
        name = _text(prize, "name", needed=True)
        if name in dict(found):
            refuse(f"prizes: {shown(name)} is there twice")
        found.append((name, amount(prize["amount"], "prizes.amount", zero=False)))
    return tuple(found)


def _meter(body: Mapping[str, Any], t: float, who: str) -> e.PersonEvent:
    if set(body) - {"reason"} != {"meter"}:
        refuse("meter: it belongs to the table, enter it without a box")
    value = body["meter"]
    meter = None if value is None else amount(value, "meter", zero=False)
    return e.MeterEntered(t, who, meter, _text(body, "reason", needed=False))


def _bets(body: Mapping[str, Any], t: float, who: str) -> e.PersonEvent:
    if "meter" in body:
        return _meter(body, t, who)
    action = body.get("action")
    if action not in (None, "play", "fold"):
        refuse(f"action: expected play or fold, not {shown(action)}")
    bets = []
    for name, value in _object(body, "bets").items():
        where = f"bets.{name[:40]}"
        bets.append((name, None if value is None else amount(value, where, zero=True)))
    return e.BetsEntered(
        t,
        who,
        _box(body),
        tuple(bets),
        action,
        None if body.get("exchanged") is None else _whole(body, "exchanged", 52),
        _flag(body, "sixth"),
        _flag(body, "buy"),
        _flag(body, "in_play"),
        _flag(body, "extra_two"),
        _prizes(body),
        _text(body, "reason", needed=False),
    )


def _cards(body: Mapping[str, Any], t: float, who: str) -> e.PersonEvent:
    zone = body.get("zone")
    if zone is not None and not isinstance(zone, str):
        refuse(f"zone: expected a zone id such as box1, not {shown(zone)}")
    if body.get("dealt") is not None:
        return _dealt(body, zone, t, who)
    was, card, key = _card(body, "was"), _card(body, "card"), body.get("doubt")
    reason = _text(body, "reason", needed=False)
    if key is not None:
        if not isinstance(key, str) or was is not None:
            refuse("doubt: expected the key of a doubt, without was")
        return e.DoubtAnswered(t, who, zone, key, card, reason)
    if zone is None:
        refuse("zone: missing")
    if was is None and card is None:
        refuse("was, card: at least one must be a card")
    return e.CardEntered(t, who, zone, was, card, reason)


def _dealt(body: Mapping[str, Any], zone: str | None, t: float, who: str) -> e.PersonEvent:
    names = body["dealt"]
    given = set(body) - {"reason"}
    if not isinstance(names, list | tuple) or given != {"zone", "dealt"} or zone is None:
        refuse("dealt: expected a list of cards with their zone, and nothing else")
    cards = [card for card in (_card({"dealt": name}, "dealt") for name in names) if card]
    if len(cards) != len(names) or len(set(cards)) != len(cards):
        refuse("dealt: expected cards that differ")
    return e.DealtEntered(t, who, zone, tuple(cards), _text(body, "reason", needed=False))


def _answer(body: Mapping[str, Any], t: float, who: str) -> e.PersonEvent:
    lines: list[e.Given] = []
    for bet, line in _object(body, "bets").items():
        where = f"bets.{bet[:40]}"
        if not isinstance(line, Mapping) or set(line) - {"result", "amount", "stake_taken"}:
            refuse(f"{where}: expected result and amount, not {shown(line)}")
        word = line.get("result")
        if word not in RESULT_WORDS:
            refuse(f"{where}.result: expected one of {', '.join(RESULT_WORDS)}, not {shown(word)}")
        stake = line.get("stake_taken")
        lines.append(
            (
                bet,
                word,
                amount(line.get("amount", 0), f"{where}.amount", zero=True),
                None if stake is None else amount(stake, f"{where}.stake_taken", zero=True),
            )
        )
    if not lines:
        refuse("bets: at least one bet must be answered")
    return e.AnswerGiven(t, who, _box(body), tuple(lines))


def _hold(body: Mapping[str, Any], t: float, who: str) -> e.PersonEvent:
    held = _flag(body, "held")
    if held is None:
        refuse("held: expected true or false")
    return e.HoldSet(t, who, held, _text(body, "reason", needed=False))


def _confirm(body: Mapping[str, Any], t: float, who: str) -> e.PersonEvent:
    seen = None if body.get("entries") is None else _text(body, "entries", needed=True)
    return e.Confirmed(t, who, _box(body), seen)


def _overrule(body: Mapping[str, Any], t: float, who: str) -> e.PersonEvent:
    box = None if body.get("box") is None else _box(body)
    return e.Overruled(t, who, box, _text(body, "reason", needed=True))


def _dismiss(body: Mapping[str, Any], t: float, who: str) -> e.PersonEvent:
    return e.QuestionDismissed(t, who, _text(body, "question", needed=True))


BETS_KEYS = (
    "box",
    "bets",
    "action",
    "exchanged",
    "sixth",
    "buy",
    "in_play",
    "extra_two",
    "prizes",
    "meter",
    "reason",
)

Reader = Callable[[Mapping[str, Any], float, str], e.PersonEvent]

READERS: Mapping[str, tuple[tuple[str, ...], Reader]] = {
    "bets": (BETS_KEYS, _bets),
    "cards": (("zone", "was", "card", "doubt", "dealt", "reason"), _cards),
    "confirm": (("box", "entries"), _confirm),
    "dismiss": (("question",), _dismiss),
    "answer": (("box", "bets"), _answer),
    "reveal": ((), lambda body, t, who: e.RevealPressed(t, who)),
    "next": ((), lambda body, t, who: e.NextPressed(t, who)),
    "hold": (("held", "reason"), _hold),
    "overrule": (("box", "reason"), _overrule),
    "void": (
        ("reason",),
        lambda body, t, who: e.VoidCalled(t, who, _text(body, "reason", needed=True)),
    ),
    "undo": (
        ("reason",),
        lambda body, t, who: e.UndoPressed(t, who, _text(body, "reason", needed=False)),
    ),
}
"""Route name → keys of its body and its reader."""
