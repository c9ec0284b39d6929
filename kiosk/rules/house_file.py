"""Houses of one's own: options put over a house, written as a file that is read like any other."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import tomli_w

from kiosk.rules.house_checks import check_house
from kiosk.rules.house_text import house_as_data
from kiosk.rules.houses import HouseError, HouseFile
from kiosk.rules.options import House
from kiosk.rules.schema import (
    PAIR_OF_ACES,
    SCHEMA,
    THREE_PAIR,
    OptionError,
    build_house,
    choices_of,
    read_option,
)

LONGEST_TITLE = 60


def changed_house(base: HouseFile, options: Mapping[str, object], title: str, name: str) -> str:
    """The text of a house file: ``base`` with these options, by dotted name, in place of its own.

    Tables are replaced as a whole. Checked like a file; HouseError names the option and what was
    expected. The result stands by itself: it takes over nothing from a house that may change.
    """
    game = base.house.game
    text = " ".join(title.split())
    if not text or len(text) > LONGEST_TITLE or not text.isprintable():
        raise HouseError(f"title: expected a text of 1 to {LONGEST_TITLE} characters")
    try:
        own = {name: read_option(name, value, game) for name, value in options.items()}
        values = {**base.values, **own}
        kept = {
            option: why
            for option, why in base.house.defaults.items()
            if option in values and values[option] == base.values.get(option)
        }
        house = build_house(name, game, text, base.house.source, values, kept)
        check_house(house)
    except OptionError as problem:
        raise HouseError(str(problem)) from None
    return house_toml(HouseFile(house, values, None))


def house_toml(file: HouseFile) -> str:
    """A house in full as the text of a house file."""
    data = house_as_data(file)
    written: dict[str, Any] = {key: data[key] for key in ("game", "title", "source")}
    for name, value in data["options"].items():
        group, _, leaf = name.rpartition(".")
        place = written.setdefault(group, {}) if group else written
        place[leaf] = _toml(value)
    if data["defaults"]:
        written["defaults"] = data["defaults"]
    return tomli_w.dumps(written)


def _toml(value: Any) -> Any:
    """TOML has no null: houses say ``"none"``."""
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return {str(key): _toml(item) for key, item in value.items()}
    return value


def rows_of(table: str, house: House) -> tuple[str, ...]:
    """What the rows of a table option may be named, from low to high, for a form."""
    if table == "exchange.fees":
        return ("1", "2", "3", "4", "5")
    if table == "bonus.overrides":
        return ()
    rows = [combo.slug for combo in house.ranking]
    if house.game == "split" and table == "pay.bet":
        rows.insert(rows.index("three-of-a-kind"), THREE_PAIR)
    if table == "pay.bonus" and "two-pair" in rows:
        rows.insert(rows.index("two-pair"), PAIR_OF_ACES)
    return tuple(rows)


def options_of(game: str) -> tuple[str, ...]:
    """Dotted names of the options that mean something in the game, in the order of the schema."""
    return tuple(name for name, option in SCHEMA.items() if game in option.games)


def option_from_text(name: str, text: str) -> object:
    """What a person typed into a form, as a file would give it; ``read_option`` judges it.

    >>> option_from_text("bonus.ratio", "0,1"), option_from_text("buy.enabled", "true")
    (Decimal('0.1'), True)
    """
    typed = text.strip()
    if choices_of(name) == ("true", "false"):
        return {"true": True, "false": False}.get(typed, typed)
    return cell_from_text(typed)


def cell_from_text(text: str) -> object:
    """A number where it is one (a decimal comma too), else the text."""
    typed = text.strip().replace(",", ".")
    digits = typed.replace(".", "", 1)
    if digits.isascii() and digits.isdigit() and len(digits) <= 12:
        number = Decimal(typed)
        return int(number) if number == number.to_integral_value() else number
    return text.strip()
