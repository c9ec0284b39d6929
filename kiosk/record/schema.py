"""Payloads of the entries that other parts read again: a round's start and its settlement.

Frozen values become plain data for the record and back. ``case`` and ``settlement`` have the
shape of a CASE and of its ``expected`` part in the rules' data format; amounts in them are int or
Decimal, never float.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

Source = Literal["machine", "person"]


class PayloadError(ValueError):
    """A payload without the fields or types that its kind calls for. The text names the field."""


@dataclass(frozen=True, slots=True)
class CardRead:
    """One card as settled on: who named it, and what the machine had read there.

    ``confidence`` is the machine's (0 to 1, None when a person entered the card unread);
    ``machine`` the machine's own value, None when it had none.
    """

    card: str
    confidence: Decimal | float | None
    source: Source
    machine: str | None

    def as_json(self) -> dict[str, Any]:
        """As in the payload."""
        return {
            "card": self.card,
            "confidence": self.confidence,
            "source": self.source,
            "machine": self.machine,
        }


@dataclass(frozen=True, slots=True)
class Place:
    """Where and under which rules a round is played.

    ``table`` is the table's name, ``person`` the handle of the one who deals (a pseudonym will do:
    entries are never changed, so a name that must be erasable is kept elsewhere), ``house_hash``
    the hash under which the rule card in force stands in the record, ``limits`` the table limits.
    """

    table: str
    person: str | None
    house: str
    house_hash: str | None
    game: str
    mode: str
    limits: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """As in the payload of ``round-started`` and ``settled``."""
        return {
            "table": self.table,
            "person": self.person,
            "house": self.house,
            "house_hash": self.house_hash,
            "game": self.game,
            "mode": self.mode,
            "limits": dict(self.limits),
        }


@dataclass(frozen=True, slots=True)
class Versions:
    """What computed it: the program's version and the hash of the model's weights."""

    software: str
    model: str | None

    def as_json(self) -> dict[str, Any]:
        """As in the payload of ``round-started`` and ``settled``."""
        return {"software": self.software, "model": self.model}


@dataclass(frozen=True, slots=True)
class SettledRound:
    """All that must be known later about a settlement.

    ``cards`` by zone; ``confirmed`` holds the boxes whose bets a person confirmed (the others are
    assumed); ``complete`` is False while boxes are still to be settled, and a later entry replaces
    this one.
    """

    place: Place
    case: Mapping[str, Any]
    settlement: Mapping[str, Any]
    cards: Mapping[str, tuple[CardRead, ...]]
    confirmed: frozenset[int]
    versions: Versions
    complete: bool = True

    def to_payload(self) -> dict[str, Any]:
        """Plain data for `Record.append`. Raises PayloadError when an amount is a float."""
        _refuse_floats(self.case, "case")
        _refuse_floats(self.settlement, "settlement")
        return self.place.as_json() | {
            "case": dict(self.case),
            "settlement": dict(self.settlement),
            "cards": {zone: [card.as_json() for card in cards] for zone, cards in _items(self)},
            "confirmed": sorted(self.confirmed),
            "versions": self.versions.as_json(),
            "complete": self.complete,
        }

    @classmethod
    def from_payload(cls, payload: Mapping[str, Any]) -> SettledRound:
        """The value of a stored payload. Raises PayloadError when it is not one."""
        try:
            return cls(
                place=place_of(payload),
                case=payload["case"],
                settlement=payload["settlement"],
                cards={
                    zone: tuple(
                        CardRead(card["card"], card["confidence"], card["source"], card["machine"])
                        for card in cards
                    )
                    for zone, cards in payload["cards"].items()
                },
                confirmed=frozenset(payload["confirmed"]),
                versions=Versions(**payload["versions"]),
                complete=payload["complete"],
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise PayloadError(f"not a settled round: {error!r}") from error


def place_of(payload: Mapping[str, Any]) -> Place:
    """Where the round was played. Raises KeyError for a missing field."""
    return Place(
        **{
            name: payload[name]
            for name in ("table", "person", "house", "house_hash", "game", "mode", "limits")
        }
    )


def _items(settled: SettledRound) -> list[tuple[str, tuple[CardRead, ...]]]:
    return list(settled.cards.items())


def _refuse_floats(value: Any, where: str) -> None:
    if isinstance(value, float):
        raise PayloadError(f"{where}: {value!r} is a float; amounts are int or Decimal")
    if isinstance(value, Mapping):
        for key, item in value.items():
            _refuse_floats(item, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _refuse_floats(item, f"{where}[{index}]")
