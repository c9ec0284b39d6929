"""Exact amounts: reading, rounding, the table maximum, chips (SPEC.md 1.5, 1.6)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

LARGEST = Decimal(10) ** 12
"""No amount on a table is larger; it keeps every computation exact."""

LARGEST_INT = int(LARGEST)

ZERO = Decimal(0)

_FIGURES = 30
"""Numbers with more figures than this before or behind the point are no amounts."""


def shown(value: object) -> str:
    """A short, safe text of any input value, for messages."""
    if value is None or isinstance(value, bool | int | Decimal | float | str):
        text = repr(value) if isinstance(value, str) else _plain(value)
        return text if len(text) <= 40 else text[:37] + "…"
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list | tuple) else f"a {type(value).__name__}"


def named(text: object) -> str:
    """A key of the input as it may stand in a message: short, on one line."""
    return "".join(c if c.isprintable() else "?" for c in str(text)[:40])


def _plain(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very large number"
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) <= _FIGURES:
        return format(value, "f")
    return str(value)


def decimal_of(value: object) -> Decimal | None:
    """A finite number of moderate length as Decimal; None for anything else.

    A binary float is read through its shortest text, so 37.5 and 0.1 mean what was written.
    ``1e3`` is 1000: what is read never prints with an exponent for being large.
    """
    if type(value) is int and -LARGEST_INT < value < LARGEST_INT:
        return Decimal(value)
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if isinstance(value, int) and value.bit_length() > 200:
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite():
        return None
    size = number.as_tuple()
    if abs(number.adjusted()) > _FIGURES or len(size.digits) > 40:
        return None
    return Decimal(int(number)) if int(size.exponent) > 0 else number


def has_cents_at_most(number: Decimal) -> bool:
    """At most two decimals, trailing zeros not counted."""
    return number == number.quantize(Decimal("0.01"))


_MODES = {"up": ROUND_CEILING, "down": ROUND_FLOOR, "nearest": ROUND_HALF_UP}


def rounded(amount: Decimal, unit: Decimal | None, mode: str) -> Decimal:
    """The amount as a whole number of units; unchanged when there is no unit (COM-RND-1)."""
    if unit is None:
        return amount
    return (amount / unit).to_integral_value(_MODES[mode]) * unit


def allot(limit: Decimal | None, amounts: Sequence[Decimal]) -> list[Decimal]:
    """What remains of the amounts, in order, until the limit is used up (COM-CAP-4)."""
    if limit is None:
        return list(amounts)
    paid = []
    for amount in amounts:
        part = min(amount, limit)
        limit -= part
        paid.append(part)
    return paid


def number(amount: Decimal) -> int | Decimal:
    """The amount for JSON: int when whole, else Decimal without trailing zeros."""
    if amount == amount.to_integral_value():
        return int(amount)
    return amount.normalize()


def figures(amount: Decimal) -> str:
    """The amount in plain figures, without exponent and trailing zeros.

    >>> figures(Decimal("1E+3")), figures(Decimal("37.50")), figures(Decimal("1E-7"))
    ('1000', '37.5', '0.0000001')
    """
    return format(Decimal(number(amount)), "f")


def chips(
    amount: Decimal, denominations: Sequence[Decimal]
) -> tuple[list[tuple[int, Decimal]], Decimal]:
    """The amount in chips, largest first, and what no chip can pay.

    >>> chips(Decimal(1225), [Decimal(1000), Decimal(100), Decimal(25)])
    ([(1, Decimal('1000')), (2, Decimal('100')), (1, Decimal('25'))], Decimal('0'))
    """
    stacks = []
    for chip in sorted(denominations, reverse=True):
        count = int(amount // chip)
        if count:
            stacks.append((count, chip))
            amount -= count * chip
    return stacks, amount
