"""What the models of the API are made of: exact amounts, cards, boxes, and their base classes."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from kiosk.rules.money import LARGEST, decimal_of, has_cents_at_most


class Body(BaseModel):
    """Base of what people send: no unknown fields, no texts where numbers belong."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Query(BaseModel):
    """Base of what stands in a query string. Names it does not know are left alone."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Answer(BaseModel):
    """Base of what comes back. It names what may be relied on; more may come with it."""

    model_config = ConfigDict(extra="allow", frozen=True)


class Whole(Answer):
    """Base of what comes back and is named in full: nothing else comes with it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Message(Answer):
    """A refusal: a stable word for programs and one clear line for people."""

    error: str
    message: str


def _amount(value: Any) -> Any:
    found = decimal_of(value)
    if found is None:
        raise ValueError("an amount")
    if not 0 <= found <= LARGEST or not has_cents_at_most(found):
        raise ValueError("an amount from 0 with at most two decimals")
    return found


def _measure(value: Any) -> Any:
    found = decimal_of(value)
    if found is None:
        raise ValueError("a number")
    return float(found)


Money = Annotated[
    Decimal,
    BeforeValidator(_amount),
    WithJsonSchema(
        {"type": "number", "minimum": 0, "maximum": int(LARGEST), "multipleOf": 0.01},
        mode="validation",
    ),
    WithJsonSchema({"type": "number"}, mode="serialization"),
]
"""An exact amount of money, in and out."""

Measure = Annotated[float, BeforeValidator(_measure), WithJsonSchema({"type": "number"})]
"""A measured number, such as a length: money never is one."""

CardName = Annotated[str, Field(pattern="^[2-9TJQKA][cdhs]$")]
BoxNumber = Annotated[int, Field(ge=1, le=6)]
Text = Annotated[str, Field(max_length=500)]
Reason = Annotated[str, Field(min_length=1, max_length=500, pattern=r"\S")]
