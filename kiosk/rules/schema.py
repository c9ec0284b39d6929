"""What each option of a house may be: readers from plain data (TOML, JSON) to typed values.

A reader raises OptionError with what was expected. ``build_house`` makes a House of dotted names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from kiosk.rules import options as o
from kiosk.rules.evaluate import COMBO_OF, SLUGS, VALUE, Combo
from kiosk.rules.money import LARGEST, decimal_of, has_cents_at_most, named, shown

Reader = Callable[[object], Any]

THREE_PAIR = "three-pair"
PAIR_OF_ACES = "pair-of-aces"


class OptionError(Exception):
    """A value or name that an option does not take. ``option`` is its dotted name."""

    def __init__(self, option: str, problem: str) -> None:
        super().__init__(f"{option}: {problem}")
        self.option = option
        self.problem = problem


class _Unfit(Exception):
    """Raised by readers: says what was expected."""


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Unfit(f"expected true or false, not {shown(value)}")
    return value


def _count(value: object) -> int:
    number = decimal_of(value)
    if number is None or number != int(number) or not 1 <= number <= 52:
        raise _Unfit(f"expected a whole number from 1 to 52, not {shown(value)}")
    return int(number)


@dataclass(frozen=True, slots=True)
class _Number:
    """Reader of a number above 0 and at most ``most``."""

    most: int

    def __call__(self, value: object) -> Decimal:
        number = decimal_of(value)
        if number is None or not 0 < number <= self.most:
            raise _Unfit(f"expected a number above 0 and at most {self.most}, not {shown(value)}")
        return number


_antes = _Number(100)
"""A price or a bet in antes."""

_times = _Number(10**9)
"""A coefficient; houses' tables go up to 1000, jackpots further."""


def _share(value: object) -> Decimal:
    number = decimal_of(value)
    if number is None or not 0 < number <= 1:
        raise _Unfit(f"expected a share above 0 and at most 1, not {shown(value)}")
    return number


def _amount(value: object) -> Decimal:
    number = decimal_of(value)
    if number is None or not 0 < number <= LARGEST or not has_cents_at_most(number):
        raise _Unfit(f"expected an amount above 0 with at most two decimals, not {shown(value)}")
    return number


@dataclass(frozen=True, slots=True)
class _Words:
    """Reader of one of some words."""

    words: tuple[str, ...]

    def __call__(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise _Unfit(f"expected {' or '.join(self.words)}, not {shown(value)}")
        return value


def _words(*words: str) -> Reader:
    return _Words(words)


def _or_none(reader: Reader) -> Reader:
    def read(value: object) -> Any:
        return None if value is None or value == "none" else reader(value)

    return read


def _combo(value: object) -> Combo:
    if not isinstance(value, str) or value not in COMBO_OF:
        raise _Unfit(f"expected one of {', '.join(SLUGS.values())}, not {shown(value)}")
    return COMBO_OF[value]


_RANK_WORDS = dict(
    zip(
        "two three four five six seven eight nine ten jack queen king ace".split(),
        VALUE.values(),
        strict=True,
    )
)
_RANK_PLURALS = {word + ("es" if word == "six" else "s"): v for word, v in _RANK_WORDS.items()}


def _qualify(value: object) -> o.Qualify:
    if isinstance(value, str):
        if value in COMBO_OF:
            return o.Qualify(value, COMBO_OF[value])
        high, pair = value.removesuffix("-high"), value.removeprefix("pair-of-")
        if high != value and high in _RANK_WORDS:
            return o.Qualify(value, Combo.HIGH_CARD, (_RANK_WORDS[high],))
        if pair != value and pair in _RANK_PLURALS:
            return o.Qualify(value, Combo.PAIR, (_RANK_PLURALS[pair],))
    raise _Unfit(
        f"expected a combination, RANK-high or pair-of-RANKs (queen-high, pair-of-fours), "
        f"not {shown(value)}"
    )


def _pairs(value: object, what: str) -> Iterable[tuple[str, object]]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise _Unfit(f"expected a table of {what}, not {shown(value)}")
    return value.items()


def _fees(value: object) -> dict[int, Decimal]:
    if isinstance(value, list | tuple):
        value = {str(number): fee for number, fee in enumerate(value, start=1)}
    fees = {}
    for key, fee in _pairs(value, "number of cards = price in antes"):
        if key not in {"1", "2", "3", "4", "5"}:
            raise _Unfit(f"key {shown(key)}: expected a number of cards from 1 to 5")
        fees[int(key)] = _antes(fee)
    return fees


def _overrides(value: object) -> dict[Decimal, Decimal]:
    return {
        _amount(_as_number(key)): _amount(amount) for key, amount in _pairs(value, "ante = stake")
    }


def _as_number(text: str) -> object:
    return Decimal(text) if re.fullmatch(r"\d{1,9}(\.\d{1,2})?", text) else text


def _coefficient(value: object) -> Decimal:
    """``5``, ``1.5`` or ``"5:1"``; anything else, such as ``10:11``, is a slip."""
    if isinstance(value, str):
        found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,4})?):1", value)
        if not found:
            raise _Unfit(f'expected n or "n:1", not {shown(value)}')
        value = Decimal(found[1])
    return _times(value)


def _multiple_or_share(value: object) -> Decimal | o.Share:
    found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,2})?)%", value) if isinstance(value, str) else None
    if found and 0 < Decimal(found[1]) <= 100:
        return o.Share(Decimal(found[1]) / 100)
    try:
        return _coefficient(value)
    except _Unfit:
        raise _Unfit(f'expected n, "n:1" or "n%" of the meter, not {shown(value)}') from None


def _table(cell: Reader, extra: tuple[str, ...] = ()) -> Reader:
    def read(value: object) -> dict[str, Any]:
        table = {}
        for slug, content in _pairs(value, "combination = coefficient"):
            if slug not in COMBO_OF and slug not in extra:
                names = [*SLUGS.values(), *extra]
                raise _Unfit(f"{shown(slug)}: expected one of {', '.join(names)}")
            try:
                table[slug] = cell(content)
            except _Unfit as problem:
                raise _Unfit(f"{slug}: {problem}") from None
        return table

    return read


@dataclass(frozen=True, slots=True)
class Option:
    read: Reader
    games: frozenset[str]


_STUD, _ALL = o.STUD_GAMES, o.GAMES
_BUYING = _STUD | {"split"}
_THREE, _SPLIT = frozenset({"three_card"}), frozenset({"split"})
_BONUS = _STUD | {"texas"}
_RETURN = _words("return", "lose")
_SETTLE = _words("settle", "lose")
_MODE = _words("up", "down", "nearest")
_PAY = _table(_coefficient)

SCHEMA: Mapping[str, Option] = {
    "max_boxes": Option(_count, _ALL),
    "max_boxes_per_player": Option(_or_none(_count), _ALL),
    "bet.multiple": Option(_antes, _ALL),
    "qualify": Option(_qualify, _ALL),
    "ante.on_win": Option(_words("none", "even", "table"), _ALL - _SPLIT),
    "doubles.enabled": Option(_flag, _STUD),
    "doubles.duplicate_straight": Option(_words("straight", "pair"), _STUD),
    "exchange.fees": Option(_fees, _STUD),
    "sixth.fee": Option(_or_none(_antes), _STUD),
    "extra_two.fee": Option(_or_none(_antes), _SPLIT),
    "draw.exchange_and_sixth": Option(_words("either", "both"), _STUD),
    "draw.reshuffle_discards": Option(_flag, _STUD),
    "insurance.enabled": Option(_flag, _STUD),
    "insurance.min_combination": Option(_combo, _STUD),
    "insurance.max_fraction": Option(_share, _STUD),
    "insurance.max_base": Option(_words("both", "first"), _STUD),
    "insurance.when_beaten": Option(_RETURN, _STUD),
    "insurance.when_tied": Option(_RETURN, _STUD),
    "insurance.ineligible": Option(_words("error", "return"), _STUD),
    "buy.enabled": Option(_flag, _BUYING),
    "buy.fee": Option(_antes, _BUYING),
    "buy.free_repeat": Option(_words("loop", "once", "none"), _BUYING),
    "buy.failed_ante": Option(_words("push", "even"), _BUYING),
    "sf_half.enabled": Option(_flag, _BUYING),
    "sf_half.base": Option(_words("both", "first"), _STUD),
    "sf_half.pay_ante_on_no_game": Option(_flag, _BUYING),
    "sf_half.doubles_bonus": Option(_flag, _STUD),
    "bonus.kind": Option(_words("none", "double-on-ace-king", "table"), _BONUS),
    "bonus.ratio": Option(_share, _STUD),
    "bonus.overrides": Option(_overrides, _STUD),
    "bonus.round_unit": Option(_or_none(_amount), _STUD),
    "bonus.round_mode": Option(_MODE, _STUD),
    "bonus.min": Option(_or_none(_amount), _BONUS),
    "bonus.max": Option(_or_none(_amount), _BONUS),
    "bonus.max_of_ante": Option(_or_none(_share), _BONUS),
    "bonus.stake_on_win": Option(_words("taken", "kept"), _BONUS),
    "bonus.on_fold": Option(_SETTLE, _BONUS),
    "pair_plus.on_fold": Option(_SETTLE, _THREE),
    "ante_bonus.when_beaten": Option(_words("pay", "lose"), _THREE),
    "three.ranking": Option(_words("three_card", "five_card"), _THREE),
    "split.three_pair": Option(_words("two-plus-one", "seven-cards", "off"), _SPLIT),
    "split.three_pair_ranks": Option(_flag, _SPLIT),
    "split.half_no_game_base": Option(_words("ante", "bet", "deal"), _SPLIT),
    "progressive.enabled": Option(_flag, _STUD),
    "progressive.token": Option(_amount, _STUD),
    "progressive.max_tokens": Option(_count, _STUD),
    "cap.includes_ante": Option(_flag, _ALL),
    "cap.includes_pair_plus": Option(_flag, _THREE),
    "two_open.enabled": Option(_flag, _ALL),
    "two_open.min_table_ante": Option(_amount, _ALL),
    "fee.round_unit": Option(_or_none(_amount), _BUYING),
    "fee.round_mode": Option(_MODE, _BUYING),
    "pay.bet": Option(_table(_coefficient, (THREE_PAIR,)), _ALL),
    "pay.ante": Option(_PAY, _STUD | {"texas"}),
    "pay.ante_no_game": Option(_PAY, frozenset({"texas"})),
    "pay.bonus": Option(_table(_coefficient, (PAIR_OF_ACES,)), _BONUS),
    "pay.ante_bonus": Option(_PAY, _THREE),
    "pay.pair_plus": Option(_PAY, _THREE),
    "pay.progressive": Option(_table(_multiple_or_share), _STUD),
}
"""Every option of section 9 by dotted name, with the games in which it means something."""

TABLES = frozenset(
    {"exchange.fees", "bonus.overrides"} | {name for name in SCHEMA if name.startswith("pay.")}
)
"""Options whose value is itself a table."""

_GROUPS: Mapping[str, type[Any]] = {
    "bet": o.Bet,
    "ante": o.Ante,
    "doubles": o.Doubles,
    "exchange": o.Exchange,
    "sixth": o.Fee,
    "extra_two": o.Fee,
    "draw": o.Draw,
    "insurance": o.Insurance,
    "buy": o.Buy,
    "sf_half": o.SfHalf,
    "bonus": o.Bonus,
    "pair_plus": o.PairPlus,
    "ante_bonus": o.AnteBonus,
    "three": o.Three,
    "split": o.Split,
    "progressive": o.Progressive,
    "cap": o.Cap,
    "two_open": o.TwoOpen,
    "fee": o.FeeRounding,
    "pay": o.Pay,
}


def read_option(name: str, value: object, game: str) -> Any:
    """The typed value of one option. Raises OptionError."""
    option = SCHEMA.get(name)
    if option is None:
        raise OptionError(named(name), "no such option")
    if game not in option.games:
        raise OptionError(name, f"has no meaning in the game {game}")
    try:
        return option.read(value)
    except _Unfit as problem:
        raise OptionError(name, str(problem)) from None


def choices_of(name: str) -> tuple[str, ...]:
    """The words that an option may be; empty where it is a number, a combination or a table."""
    reader = SCHEMA[name].read
    if reader is _flag:
        return ("true", "false")
    return reader.words if isinstance(reader, _Words) else ()


def options_near(name: str, game: str) -> str:
    """The options of this game beside an unknown name: those of its group, else the groups."""
    names = [known for known, option in SCHEMA.items() if game in option.games]
    group = name.partition(".")[0] + "."
    beside = [known for known in names if known.startswith(group)]
    return "one of " + ", ".join(beside or dict.fromkeys(n.partition(".")[0] for n in names))


def build_house(
    name: str,
    game: str,
    title: str,
    source: str,
    values: Mapping[str, Any],
    defaults: Mapping[str, str],
) -> o.House:
    """A House from typed values by dotted name. Raises OptionError for what is missing."""
    for required in ("max_boxes", "qualify", "pay.bet"):
        if required not in values:
            raise OptionError(required, "is missing: every house needs it")
    top: dict[str, Any] = {}
    groups: dict[str, dict[str, Any]] = {}
    for dotted, value in values.items():
        group, _, leaf = dotted.rpartition(".")
        if group:
            groups.setdefault(group, {})[leaf] = value
        else:
            top[leaf] = value
    made = {group: _GROUPS[group](**leaves) for group, leaves in groups.items()}
    return o.House(
        name=name, game=game, title=title, source=source, defaults=dict(defaults), **top, **made
    )
