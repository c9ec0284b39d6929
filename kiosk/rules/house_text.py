"""A rule card as data and for people, with the values that no source gives marked."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from kiosk.rules.evaluate import Combo
from kiosk.rules.houses import HouseFile
from kiosk.rules.money import figures, number
from kiosk.rules.options import Qualify, Share
from kiosk.rules.schema import SCHEMA


def plain(value: Any) -> Any:
    """The typed value of an option as a file would write it, for JSON."""
    if isinstance(value, Combo):
        return value.slug
    if isinstance(value, Qualify):
        return value.text
    if isinstance(value, Share):
        return f"{figures(value.of_meter * 100)}%"
    if isinstance(value, Decimal):
        return number(value)
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    return value


def house_as_data(file: HouseFile) -> dict[str, Any]:
    """The rule card in full: options by dotted name, and the reasons of the defaults."""
    house = file.house
    return {
        "name": house.name,
        "game": house.game,
        "title": house.title,
        "source": house.source,
        "extends": file.extends,
        "options": {name: plain(file.values[name]) for name in SCHEMA if name in file.values},
        "defaults": dict(house.defaults),
    }


def house_as_text(file: HouseFile) -> str:
    """The rule card for people. Values that no source gives stand in brackets with the reason."""
    house, data = file.house, house_as_data(file)
    lines = [f"{house.name}: {house.title} (game {house.game}, source {house.source})"]
    for name, value in data["options"].items():
        if _idle(name, data["options"]):
            continue
        text = _text(value)
        if name in house.defaults:
            text = f"[{text}]  default, {house.defaults[name]}"
        lines.append(f"  {name:<27} {text}")
    if house.defaults:
        lines.append("Values in [brackets] are not given by the source: check them.")
    return "\n".join(lines)


def _idle(name: str, options: Mapping[str, Any]) -> bool:
    """Whether the option steers something that this house has switched off."""
    group, _, leaf = name.partition(".")
    if group == "pay":
        return leaf == "bonus" and options.get("bonus.kind") == "none"
    if group == "bonus" and leaf != "kind":
        return options.get("bonus.kind") == "none"
    return leaf != "enabled" and options.get(f"{group}.enabled") is False


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(item)}" for key, item in value.items()) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return format(value, "f")
    return "none" if value is None else str(value)
