"""The form of a house and a table: its fields as people see them, and reading it back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from werkzeug.datastructures import MultiDict

from kiosk.config import TableSettings
from kiosk.errors import UserError
from kiosk.rules import list_houses, load_house_file
from kiosk.rules.house_file import cell_from_text, option_from_text, options_of, rows_of
from kiosk.rules.house_text import plain
from kiosk.rules.houses import HouseFile
from kiosk.rules.money import figures
from kiosk.rules.schema import TABLES, choices_of
from kiosk.saved import Wish
from kiosk.web.texts import msgid


@dataclass(frozen=True, slots=True)
class Field:
    """One option as a field. ``rows``: name and text of each cell of a table; ``choices``: the
    words it may be (empty: typed). ``doubtful``: why no source gives the value."""

    name: str
    group: str
    text: str
    choices: tuple[str, ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    doubtful: str = ""

    @property
    def is_table(self) -> bool:
        return self.name in TABLES


def fields_of(file: HouseFile) -> list[Field]:
    """Every option of the house's game with its value as text, the pay tables first."""
    names = sorted(options_of(file.house.game), key=lambda name: not name.startswith("pay."))
    return [_field(file, name) for name in names]


def _field(file: HouseFile, name: str) -> Field:
    group = name.partition(".")[0] if "." in name else ""
    value = plain(file.values.get(name))
    doubtful = file.house.defaults.get(name, "")
    if name not in TABLES:
        return Field(name, group, _text(value, name in file.values), choices_of(name), (), doubtful)
    cells: Mapping[str, Any] = value or {}
    rows = rows_of(name, file.house)
    if rows:
        shown = tuple((row, _text(cells.get(row, ""))) for row in rows)
        return Field(name, group, "", (), shown, doubtful)
    pairs = ", ".join(f"{key} = {_text(cell)}" for key, cell in cells.items())
    return Field(name, group, pairs, (), (), doubtful)


def _text(value: Any, given: bool = True) -> str:
    if value is True or value is False:
        return "true" if value else "false"
    if value is None:
        return "none" if given else ""
    return figures(value) if isinstance(value, Decimal) else str(value)


def read_wish(form: MultiDict[str, str], now: Mapping[str, Any]) -> Wish:
    """What the form asks for. ``now``: the table's settings in force, for fields that are not in
    the form. UserError names the field that cannot be read."""
    house = form.get("house", "")
    file = load_house_file(allowed_house(house, str(now.get("house", ""))))
    changed: dict[str, object] = {}
    # Another house was chosen without filling the form anew: it is meant as it is.
    filled = form.get("filled", house) == house
    for field in fields_of(file) if filled else ():
        new = _given(field, form)
        if new is not None:
            changed[field.name] = new
    title = " ".join(form.get("title", "").split())
    own_title = title if filled and title and title != file.house.title else None
    table = {name: _table_value(name, form.get(f"table.{name}")) for name in TABLE_FIELDS}
    return Wish(
        house=house,
        options=changed,
        title=own_title,
        mode=form.get("mode", ""),
        table={name: value for name, value in table.items() if value is not None},
        note=reason_of(form),
    )


def reason_of(form: MultiDict[str, str]) -> str:
    """Why rules are changed, as it was typed; UserError where it was not said."""
    reason = " ".join(form.get("note", "").split())[:LONGEST_REASON]
    if not reason:
        raise UserError(NO_REASON)
    return reason


NO_REASON = msgid("Say why the rules are changed: the reason stands beside the version.")
LONGEST_REASON = 200

TABLE_FIELDS = tuple(TableSettings.model_fields)


def allowed_house(house: str, now: str) -> str:
    """The house if the page may name it: one that ships, or the one in force. A path from a form
    would open any file of the machine. UserError for another."""
    if house in list_houses() or (house and house == now):
        return house
    raise UserError(f"house: expected one of {', '.join(list_houses())}")


def _given(field: Field, form: MultiDict[str, str]) -> object:
    """The field's new value, None where it stays as it was or stands not in the form."""
    if field.rows:
        keys = [f"cell:{field.name}:{row}" for row, _ in field.rows]
        if not any(key in form for key in keys):
            return None
        texts = [form.get(key, "").strip() for key in keys]
        if texts == [text for _, text in field.rows]:
            return None
        named = zip((row for row, _ in field.rows), texts, strict=True)
        return {row: cell_from_text(text) for row, text in named if text}
    typed = form.get(f"option:{field.name}")
    if typed is None or typed.strip() == field.text:
        return None
    if field.is_table:
        return _pairs(field.name, typed)
    if not typed.strip():
        raise UserError(f"{field.name}: expected a value")
    return option_from_text(field.name, typed)


def _pairs(name: str, text: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for part in text.replace(";", ",").split(","):
        if part.strip():
            key, sign, value = part.partition("=")
            if not sign:
                raise UserError(f"{name}: expected ANTE = STAKE, not {part.strip()[:40]!r}")
            found[key.strip()] = cell_from_text(value)
    return found


def _table_value(name: str, text: str | None) -> object:
    """A field of the table as a configuration file would have it; None: not in the form."""
    if text is None:
        return None
    typed = text.strip()
    if name == "chips":
        parts = typed.replace(";", " ").split()
        return [_amount(f"chips.{place}", part) for place, part in enumerate(parts)]
    if name in ("name", "currency", "order"):
        return typed
    return _amount(name, typed) if typed else "none"


_FIGURES = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")


def _amount(field: str, text: str) -> object:
    """An amount in plain figures, else the text for the check of the table to refuse. UserError
    for a number in another writing (``1e3``): the file keeps what people read."""
    typed = text.replace(",", ".")
    if _FIGURES.fullmatch(typed):
        return Decimal(typed)
    with suppress(InvalidOperation):
        if Decimal(typed).is_finite():
            problem = f"expected an amount in figures such as 1000 or 2.50, not {text[:40]!r}"
            raise UserError(f"settings: table.{field}: {problem}")
    return text
