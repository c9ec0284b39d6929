"""House profiles: one TOML file a house, shipped ones reached by name, others by path.

A file gives ``game``, ``title``, ``source``, options as in SPEC.md section 9 and ``[defaults]``
(option = reason, for values no source gives). ``extends`` names a house whose values it takes
over; tables (``pay.*``, ``exchange.fees``, ``bonus.overrides``) are replaced as a whole.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from kiosk.errors import UserError
from kiosk.rules.house_checks import check_house, check_replaced
from kiosk.rules.money import named, shown
from kiosk.rules.options import GAMES, House
from kiosk.rules.schema import SCHEMA, TABLES, OptionError, build_house, options_near, read_option

_TEXTS = ("game", "title", "source")
_LONGEST_CHAIN = 8


class HouseError(UserError):
    """A house that is not known or whose file does not hold. One line: file, key, expected."""


@dataclass(frozen=True, slots=True)
class HouseFile:
    """A house and the typed values by dotted name from which it was made."""

    house: House
    values: Mapping[str, Any]
    extends: str | None


def _shipped() -> Traversable:
    return resources.files("kiosk.rules").joinpath("houses")


@lru_cache(maxsize=1)
def list_houses() -> tuple[str, ...]:
    """Names of the shipped houses, sorted."""
    names = (item.name for item in _shipped().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def load_house(name_or_path: str | Path) -> House:
    """The shipped house of that name, or the house of a ``.toml`` file.

    Raises HouseError (a UserError) naming file, key and what was expected.
    """
    return load_house_file(name_or_path).house


def load_house_file(name_or_path: str | Path) -> HouseFile:
    """As load_house, with the values behind it."""
    if isinstance(name_or_path, str) and name_or_path in list_houses():
        return _load_shipped(name_or_path)
    path = Path(name_or_path)
    if path.suffix != ".toml":
        raise HouseError(
            f"unknown house {shown(str(name_or_path))}: expected one of "
            f"{', '.join(list_houses())}, or a .toml file"
        )
    return _load(path, str(path), ())


@lru_cache(maxsize=32)
def _load_shipped(name: str) -> HouseFile:
    return _load(_shipped().joinpath(f"{name}.toml"), f"{name}.toml", ())


def _load(file: Traversable | Path, label: str, chain: tuple[str, ...]) -> HouseFile:
    if label in chain or len(chain) >= _LONGEST_CHAIN:
        raise HouseError(f"{chain[0]}: extends: the houses extend one another in a circle")
    data = _read(file, label)
    try:
        return _interpret(data, file, label, chain)
    except OptionError as problem:
        raise HouseError(f"{label}: {problem}") from None


def _read(file: Traversable | Path, label: str) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8"), parse_float=Decimal)
    except FileNotFoundError:
        raise HouseError(f"{label}: no such file") from None
    except OSError as problem:
        raise HouseError(f"{label}: cannot be read ({problem.strerror})") from None
    except UnicodeDecodeError:
        raise HouseError(f"{label}: not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, ArithmeticError, RecursionError, ValueError) as problem:
        raise HouseError(f"{label}: not TOML: {str(problem)[:120]}") from None


def _interpret(
    data: dict[str, Any], file: Traversable | Path, label: str, chain: tuple[str, ...]
) -> HouseFile:
    texts = {key: _text(data, key) for key in _TEXTS}
    game = texts["game"]
    if game not in GAMES:
        raise OptionError("game", f"expected one of {', '.join(sorted(GAMES))}, not {shown(game)}")
    extends = _text(data, "extends") if "extends" in data else None
    parent = _parent(extends, file, (*chain, label)) if extends is not None else None
    raw = {key: data[key] for key in data if key not in (*_TEXTS, "extends", "defaults")}
    given = _flat(raw)
    for name in [key for key in given if key not in SCHEMA]:
        raise OptionError(named(name), f"no such option: expected {options_near(name, game)}")
    own = {name: read_option(name, value, game) for name, value in given.items()}
    values = {**(parent.values if parent else {}), **own}
    values = {name: value for name, value in values.items() if game in SCHEMA[name].games}
    marks = _marks(data.get("defaults", {}), values)
    inherited = parent.house.defaults if parent else {}
    kept = {name: why for name, why in inherited.items() if name in values and name not in own}
    name = label.removesuffix(".toml").rpartition("/")[2]
    house = build_house(name, game, texts["title"], texts["source"], values, {**kept, **marks})
    check_house(house)
    return HouseFile(house, values, extends)


def _parent(extends: str, file: Traversable | Path, chain: tuple[str, ...]) -> HouseFile:
    if extends in list_houses():
        return _load(_shipped().joinpath(f"{extends}.toml"), f"{extends}.toml", chain)
    if isinstance(file, Path) and extends.endswith(".toml"):
        beside = file.parent / extends
        return _load(beside, str(beside), chain)
    raise OptionError(
        "extends",
        f"expected one of {', '.join(list_houses())}, or a .toml file beside, not {shown(extends)}",
    )


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise OptionError(key, f"expected a text, not {shown(value)}")
    return value


def _flat(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as dotted names; tables that are values of an option stay whole."""
    found: dict[str, Any] = {}
    for key, value in data.items():
        name = prefix + key
        if name not in TABLES and name not in SCHEMA and isinstance(value, dict) and not prefix:
            found.update(_flat(value, f"{name}."))
        else:
            found[name] = value
    return found


def _marks(defaults: object, values: Mapping[str, Any]) -> dict[str, str]:
    if not isinstance(defaults, dict):
        raise OptionError("defaults", "expected a table of option = reason")
    for name, why in defaults.items():
        if name not in values:
            raise OptionError(f"defaults.{named(name)}", "this house sets no such option")
        if not isinstance(why, str) or not why.strip():
            raise OptionError(f"defaults.{named(name)}", "expected the reason as a text")
    return dict(defaults)


def with_options(base: HouseFile, options: Mapping[str, object]) -> House:
    """The house with some options replaced, as a case does. Raises OptionError."""
    own = {name: read_option(name, value, base.house.game) for name, value in options.items()}
    house = base.house
    kept = {name: why for name, why in house.defaults.items() if name not in own}
    changed = build_house(
        house.name, house.game, house.title, house.source, {**base.values, **own}, kept
    )
    check_replaced(changed, own)
    return changed
