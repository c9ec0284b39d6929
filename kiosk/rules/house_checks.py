"""What must hold between the options of a house: complete pay tables, coefficients that never
fall, options that need one another. Raises OptionError."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from kiosk.rules.evaluate import Combo
from kiosk.rules.options import House, Share
from kiosk.rules.schema import PAIR_OF_ACES, THREE_PAIR, OptionError


def check_house(house: House) -> None:
    """Checks a house as a file gives it. Raises OptionError at the first thing that fails."""
    _check_needs(house)
    if house.bonus.kind == "double-on-ace-king" and not house.doubles.enabled:
        raise OptionError("bonus.kind", "double-on-ace-king needs doubles.enabled = true")
    for name, slugs in _main_tables(house).items():
        _check_complete(name, _table(house, name), slugs)
    for name in _ALL_TABLES:
        _check_known(house, name)
        _check_rising(house, name)


def check_replaced(house: House, names: Collection[str]) -> None:
    """Checks a house with some options replaced for one case: as check_house, but coefficients
    must rise only in the tables that the case itself gives."""
    _check_needs(house)
    for name, slugs in _main_tables(house).items():
        _check_complete(name, _table(house, name), slugs)
    for name in _ALL_TABLES:
        if name in names:
            _check_known(house, name)
            _check_rising(house, name)


_ALL_TABLES = (
    "pay.bet",
    "pay.ante",
    "pay.ante_no_game",
    "pay.bonus",
    "pay.ante_bonus",
    "pay.pair_plus",
    "pay.progressive",
)


def _table(house: House, name: str) -> Mapping[str, Decimal | Share]:
    table: Mapping[str, Decimal | Share] = getattr(house.pay, name.removeprefix("pay."))
    return table


def _check_needs(house: House) -> None:
    if house.qualify.kind not in house.ranking:
        raise OptionError("qualify", f"{house.qualify.text} is no combination of this game")
    if house.insurance.min_combination not in house.ranking and house.insurance.enabled:
        raise OptionError("insurance.min_combination", "is no combination of this game")
    if house.bonus.kind == "table" and not house.pay.bonus:
        raise OptionError("pay.bonus", 'is missing: bonus.kind = "table" needs it')
    if house.game == "texas" and house.bonus.kind == "double-on-ace-king":
        raise OptionError("bonus.kind", "double-on-ace-king has no meaning in the game texas")
    if house.progressive.enabled and not house.pay.progressive:
        raise OptionError("pay.progressive", "is missing: progressive.enabled = true needs it")
    low, high = house.bonus.min, house.bonus.max
    if low is not None and high is not None and low > high:
        raise OptionError("bonus.min", "is above bonus.max")


def _main_tables(house: House) -> dict[str, Sequence[str]]:
    """Tables that must name every combination that can be paid, with these combinations."""
    ranking = house.ranking
    everything = [combo.slug for combo in ranking]
    paid = everything[ranking.index(house.qualify.kind) :]
    tables: dict[str, Sequence[str]] = {"pay.bet": paid}
    if house.game == "split" and house.split.three_pair != "off":
        tables["pay.bet"] = [*paid, THREE_PAIR]
    if house.ante.on_win == "table":
        tables["pay.ante"] = everything if house.game == "texas" else paid
    if house.game == "texas":
        tables["pay.ante_no_game"] = everything
    return tables


def _check_complete(name: str, table: Mapping[str, Decimal | Share], slugs: Sequence[str]) -> None:
    for slug in slugs:
        if slug not in table:
            raise OptionError(f"{name}.{slug}", "is missing: expected its coefficient")


def _order(house: House) -> list[str]:
    """Keys of pay tables from low to high, special rows in their place."""
    order = [combo.slug for combo in house.ranking]
    if house.game == "split":
        order.insert(order.index(Combo.THREE_OF_A_KIND.slug), THREE_PAIR)
    if Combo.TWO_PAIR.slug in order:
        order.insert(order.index(Combo.TWO_PAIR.slug), PAIR_OF_ACES)
    return order


def _check_known(house: House, name: str) -> None:
    known = set(_order(house))
    if name != "pay.bonus":
        known.discard(PAIR_OF_ACES)
    for slug in _table(house, name):
        if slug not in known:
            raise OptionError(f"{name}.{slug}", "cannot be paid in this game and table")


def _check_rising(house: House, name: str) -> None:
    """Coefficients never fall as hands get better; a share of the meter is above any multiple."""
    table = _table(house, name)
    before: tuple[bool, Decimal] = (False, Decimal(0))
    for slug in _order(house):
        cell = table.get(slug)
        if cell is None:
            continue
        now = (True, cell.of_meter) if isinstance(cell, Share) else (False, cell)
        if now < before:
            raise OptionError(
                f"{name}.{slug}",
                f"pays less than a lower combination: expected at least {before[1].normalize():f}",
            )
        before = now
