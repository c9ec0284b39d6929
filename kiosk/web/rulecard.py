"""A rule card on the pages: what the live table must know of it, and the card as people read it."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Any

from kiosk.record.record import rule_card_hash
from kiosk.rulebook import Rules
from kiosk.rules.money import figures
from kiosk.rules.options import House
from kiosk.table.plan import SHAPES
from kiosk.web.settings_form import Field, fields_of
from kiosk.web.settings_texts import (
    MODES,
    ORDERS,
    TABLE,
    choice_name,
    group_name,
    option_name,
)
from kiosk.web.texts import amount_text, gettext

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


def rule_card(card: House) -> dict[str, Any]:
    """Title and offered entries of a house.

    ``exchanges``: numbers of cards that may be exchanged. ``bonus``: None, or the kind, and for a
    bonus of a fixed size its share of the ante with the exceptions (COM-RND-2). ``cards``: of a
    box's deal. ``tokens``: what a jackpot token costs and how many a box may drop, None where
    there is no jackpot. ``ante_bonus``: there is a payment without a stake of its own.
    """
    bonus: dict[str, Any] | None = None
    if card.bonus.kind != "none":
        bonus = {"kind": card.bonus.kind, "ratio": None, "overrides": {}}
    if card.bonus.kind == "double-on-ace-king":
        bonus = {
            "kind": card.bonus.kind,
            "ratio": card.bonus.ratio,
            "overrides": {figures(ante): stake for ante, stake in card.bonus.overrides.items()},
        }
    return {
        "title": card.title,
        "insurance": card.insurance.enabled,
        "sixth": card.sixth.fee is not None,
        "buy": card.buy.enabled,
        "exchanges": [0, *sorted(card.exchange.fees)],
        "bonus": bonus,
        "game": card.game,
        "cards": SHAPES[card.game].box_cards,
        "extra_two": card.extra_two.fee is not None,
        "pair_plus": card.game == "three_card",
        "ante_bonus": bool(card.pay.ante_bonus),
        "tokens": _tokens(card),
    }


def _tokens(card: House) -> dict[str, Any] | None:
    if not card.progressive.enabled:
        return None
    return {"price": card.progressive.token, "most": card.progressive.max_tokens}


def whole_card(rules: Rules) -> dict[str, Any]:
    """What a rule card shows: options by group, pay tables, limits; with the names they go by."""
    fields = fields_of(rules.house)
    table = rules.settings.table
    limits = {name: _limit(name, getattr(table, name)) for name in TABLE if hasattr(table, name)}
    return {
        "house": rules.house.house,
        "hash": rule_card_hash(rules.card),
        "fields": [
            replace(f, text=_grouped(f.text))
            for f in fields
            if not f.is_table and f.text not in ("", "none")
        ],
        "tables": [
            _rows(f) for f in fields if f.is_table and (f.text or any(t for _, t in f.rows))
        ],
        "limits": {gettext(TABLE[name]): text for name, text in limits.items() if text},
        "mode": gettext(MODES[rules.settings.play_mode]),
        "number": rules.version,
        **card_words(),
    }


def card_words() -> dict[str, Any]:
    """How a template names options, their groups and their words."""
    return {"option_name": option_name, "group_name": group_name, "choice_name": choice_name}


def _rows(field: Field) -> dict[str, Any]:
    rows = [(row, _grouped(text)) for row, text in field.rows if text] or [("", field.text)]
    return {"name": field.name, "rows": rows, "doubtful": field.doubtful}


def _limit(name: str, value: Any) -> str:
    if name == "order":
        return gettext(ORDERS[value])
    if name == "chips":
        return " · ".join(amount_text(chip) for chip in sorted(value, reverse=True))
    if isinstance(value, Decimal):
        return amount_text(value)
    return gettext("none") if value is None else str(value)


def _grouped(text: str) -> str:
    """A value of an option as a card shows it: numbers as everywhere on the pages."""
    return amount_text(Decimal(text)) if _NUMBER.fullmatch(text) else text
