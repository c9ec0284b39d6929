"""A CASE (rules data README) as typed, frozen values; the first two rows of the input errors.

``parse_case`` takes plain data (from JSON, with Decimal or float numbers) and refuses what cannot
be read with a CaseError; whether the deal is possible is the business of ``checks``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal, NoReturn, cast

from kiosk.cards import BadCardError, Card
from kiosk.rules.houses import HouseFile, list_houses, load_house_file, with_options
from kiosk.rules.money import LARGEST, decimal_of, has_cents_at_most, named, shown
from kiosk.rules.options import GAMES, House
from kiosk.rules.schema import OptionError

Cards = tuple[Card, ...]
Action = Literal["play", "fold"]


class CaseError(Exception):
    """A refused input: ``kind`` of SPEC.md section 10, ``where`` in the case, a clear message."""

    def __init__(self, kind: str, where: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.where = where
        self.message = message


@dataclass(frozen=True, slots=True)
class Table:
    """Limits of the table. ``chips``: denominations, ``currency``: sign; both for people only."""

    ante_min: Decimal
    ante_max: Decimal
    max_payout: Decimal | None
    chips: tuple[Decimal, ...] = ()
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Prize:
    name: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class BoxInput:
    """One betting place of the deal, as entered. Cards are None when they were not entered."""

    box: int
    action: Action
    bets: Mapping[str, Decimal]
    cards: Cards | None = None
    dealt: Cards | None = None
    small: Cards | None = None
    exchanged: int = 0
    player: str | None = None
    open: bool = False
    blind: bool = False
    prizes: tuple[Prize, ...] = ()

    @property
    def plays(self) -> bool:
        return self.action == "play"

    def stake(self, bet: str) -> Decimal | None:
        return self.bets.get(bet)


@dataclass(frozen=True, slots=True)
class Case:
    """One deal, readable but not yet checked."""

    house: House
    table: Table
    dealer_cards: Cards
    boxes: tuple[BoxInput, ...]
    dealer_draws: Cards = ()
    dealer_small: Cards | None = None
    board: Cards | None = None
    meter: Decimal | None = None
    id: str | None = None


_NOTES = frozenset({"id", "title", "rule_ids", "expected", "note", "why", "comment"})
_CASE = frozenset({"game", "house", "table", "options", "meter", "dealer", "board", "boxes"})
_TABLE = frozenset({"ante_min", "ante_max", "max_payout", "chips", "currency"})
_DEALER = frozenset({"cards", "draws", "small"})
_PRIZE = frozenset({"name", "amount"})
_BOX = frozenset("box player open blind dealt cards small action exchanged bets prizes".split())


def parse_case(raw: object, houses: Mapping[str, HouseFile] | None = None) -> Case:
    """Reads a CASE. ``houses``: further house profiles by name, beside the shipped ones.

    Raises CaseError of kinds 1 and 2 of SPEC.md section 10. Structure that has no kind of its own
    takes the nearest: a name that is not known is ``unknown-option``, what should be a number
    ``bad-amount``, what should be cards ``bad-card``.
    """
    if not isinstance(raw, Mapping):
        _refuse("unknown-game", "", f"a case must be an object, not {shown(raw)}")
    house = _house(raw, houses or {})
    _known_keys(raw, _CASE | _NOTES, "")
    table = _table(raw.get("table"))
    dealer = raw.get("dealer")
    if not isinstance(dealer, Mapping):
        _refuse(
            "bad-card", "dealer", f"expected an object with the dealer's cards, not {shown(dealer)}"
        )
    _known_keys(dealer, _DEALER, "dealer")
    meter = raw.get("meter")
    identity = raw.get("id")
    boxes = raw.get("boxes")
    if not isinstance(boxes, list | tuple) or not boxes:
        _refuse("no-bet", "boxes", "expected a list of at least one box")
    return Case(
        house=house,
        table=table,
        boxes=tuple(_box(box, f"boxes[{index}]") for index, box in enumerate(boxes)),
        dealer_cards=_cards(dealer.get("cards", []), "dealer.cards"),
        dealer_draws=_cards(dealer.get("draws", []), "dealer.draws"),
        dealer_small=_cards_or_none(dealer, "small", "dealer.small"),
        board=_cards_or_none(raw, "board", "board"),
        meter=None if meter is None else _amount(meter, "meter"),
        id=identity if isinstance(identity, str) else None,
    )


def _refuse(kind: str, where: str, message: str) -> NoReturn:
    raise CaseError(kind, where, f"{where}: {message}" if where else message)


def _known_keys(data: Mapping[Any, Any], known: Iterable[str], where: str) -> None:
    for key in data:
        if key not in known:
            place = f"{where}.{named(key)}" if where else named(key)
            _refuse("unknown-option", place, "no such key in a case")


@lru_cache(maxsize=1)
def _shipped() -> frozenset[str]:
    return frozenset(list_houses())


def _house(raw: Mapping[str, Any], houses: Mapping[str, HouseFile]) -> House:
    game, name, options = raw.get("game"), raw.get("house"), raw.get("options")
    if not isinstance(game, str) or game not in GAMES:
        _refuse(
            "unknown-game", "game", f"expected one of {', '.join(sorted(GAMES))}, not {shown(game)}"
        )
    if isinstance(name, str) and name in houses:
        file = houses[name]
    elif isinstance(name, str) and name in _shipped():
        file = load_house_file(name)
    else:
        _refuse(
            "unknown-house",
            "house",
            f"expected one of {', '.join(sorted(_shipped()))}, not {shown(name)}",
        )
    if file.house.game != game:
        _refuse(
            "unknown-house", "house", f"{file.house.name} is a house of the game {file.house.game}"
        )
    if options is None:
        return file.house
    if not isinstance(options, Mapping) or not all(isinstance(key, str) for key in options):
        _refuse("unknown-option", "options", f"expected an object of options, not {shown(options)}")
    try:
        return with_options(file, options)
    except OptionError as problem:
        _refuse("unknown-option", "options", str(problem))


def _amount(value: object, where: str, *, zero: bool = False) -> Decimal:
    amount = decimal_of(value)
    if amount is None:
        _refuse("bad-amount", where, f"expected a number, not {shown(value)}")
    if amount < 0 or (amount == 0 and not zero):
        _refuse("bad-amount", where, f"expected an amount above 0, not {shown(value)}")
    if amount > LARGEST:
        _refuse("bad-amount", where, "the amount is too large")
    if not has_cents_at_most(amount):
        _refuse("bad-amount", where, f"at most two decimals, not {shown(value)}")
    return amount


def _whole(value: object, where: str, least: int) -> int:
    number = decimal_of(value)
    if number is None or number != number.to_integral_value() or not least <= number <= 1000:
        _refuse("bad-amount", where, f"expected a whole number from {least}, not {shown(value)}")
    return int(number)


def _table(raw: object) -> Table:
    if not isinstance(raw, Mapping):
        _refuse("bad-amount", "table", f"expected the limits of the table, not {shown(raw)}")
    _known_keys(raw, _TABLE, "table")
    if "max_payout" not in raw:
        _refuse("bad-amount", "table.max_payout", "is missing: a number, or null for no maximum")
    maximum, chips, currency = raw["max_payout"], raw.get("chips", []), raw.get("currency", "")
    if not isinstance(chips, list | tuple):
        _refuse("bad-amount", "table.chips", "expected a list of denominations")
    if not isinstance(currency, str):
        _refuse("unknown-option", "table.currency", "expected a text")
    return Table(
        ante_min=_amount(raw.get("ante_min"), "table.ante_min", zero=True),
        ante_max=_amount(raw.get("ante_max"), "table.ante_max"),
        max_payout=None if maximum is None else _amount(maximum, "table.max_payout"),
        chips=tuple(_amount(chip, "table.chips") for chip in chips),
        currency=currency,
    )


def _cards(raw: object, where: str) -> Cards:
    if not isinstance(raw, list | tuple):
        _refuse("bad-card", where, f"expected a list of cards, not {shown(raw)}")
    cards = []
    for text in raw:
        try:
            cards.append(_card(text))
        except (BadCardError, TypeError):
            _refuse(
                "bad-card",
                where,
                f"{shown(text)} is no card: expected rank and suit, such as As or Td",
            )
    return tuple(cards)


@lru_cache(maxsize=256)
def _card(text: str) -> Card:
    return Card.parse(text)


def _cards_or_none(data: Mapping[str, Any], key: str, where: str) -> Cards | None:
    value = data.get(key)
    return None if value is None else _cards(value, where)


def _typed(data: Mapping[str, Any], key: str, where: str, kind: type, what: str) -> Any:
    value = data.get(key)
    if value is not None and not isinstance(value, kind):
        _refuse("unknown-option", f"{where}.{key}", f"expected {what}, not {shown(value)}")
    return value


def _box(raw: object, where: str) -> BoxInput:
    if not isinstance(raw, Mapping):
        _refuse("no-bet", where, f"expected a box, not {shown(raw)}")
    _known_keys(raw, _BOX, where)
    action = raw.get("action")
    if action not in ("play", "fold"):
        _refuse("action-conflict", f"{where}.action", f"expected play or fold, not {shown(action)}")
    bets = raw.get("bets", {})
    if not isinstance(bets, Mapping) or not all(isinstance(name, str) for name in bets):
        _refuse("bad-amount", f"{where}.bets", f"expected an object of bets, not {shown(bets)}")
    return BoxInput(
        box=_whole(raw.get("box"), f"{where}.box", 1),
        action=cast(Action, action),
        bets={name: _amount(value, f"{where}.bets.{named(name)}") for name, value in bets.items()},
        cards=_cards_or_none(raw, "cards", f"{where}.cards"),
        dealt=_cards_or_none(raw, "dealt", f"{where}.dealt"),
        small=_cards_or_none(raw, "small", f"{where}.small"),
        exchanged=_whole(raw.get("exchanged", 0), f"{where}.exchanged", 0),
        player=_typed(raw, "player", where, str, "a text"),
        open=bool(_typed(raw, "open", where, bool, "true")),
        blind=bool(_typed(raw, "blind", where, bool, "true")),
        prizes=_prizes(raw.get("prizes", []), f"{where}.prizes"),
    )


def _prizes(raw: object, where: str) -> tuple[Prize, ...]:
    if not isinstance(raw, list | tuple):
        _refuse("bad-amount", where, f"expected a list of prizes, not {shown(raw)}")
    prizes: list[Prize] = []
    for item in raw:
        if not isinstance(item, Mapping) or set(item) != _PRIZE:
            _refuse("bad-amount", where, "expected a name and an amount for each prize")
        name = item["name"]
        if not isinstance(name, str) or not name.strip() or name in {p.name for p in prizes}:
            _refuse(
                "bad-amount", where, f"expected a name of its own for each prize, not {shown(name)}"
            )
        prizes.append(Prize(name, _amount(item["amount"], where)))
    return tuple(prizes)
