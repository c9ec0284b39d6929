"""The one way a payload is written down, so that its hash can be computed again anywhere.

Canonical form: JSON in one line, UTF-8, no white space between tokens, the keys of every object
sorted by code point, characters outside ASCII written as themselves. Numbers are exact and never
in exponent form: whole amounts as integers, others as decimals without trailing zeros (``12.5``),
``-0`` as ``0``. A binary float is only ever a measurement (a confidence, a coordinate): it is
rounded to six places and written as the decimal that results; money must not be given as float.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

MEASURE_PLACES = 6
"""Places kept of a binary float."""

MAX_DIGITS = 40
"""More digits than this, before or after the point, are refused."""


class CanonicalError(ValueError):
    """A value that has no canonical form. The text names the place and the value."""


def canonical(value: Any) -> str:
    """The canonical text of plain data (dict, list, tuple, str, int, Decimal, float, bool, None).

    Raises CanonicalError for anything else, for numbers that are not finite and for keys that are
    not texts.
    """
    return "".join(_pieces(value, "$"))


def parse(text: str) -> Any:
    """Plain data of a JSON text; numbers with a point become Decimal, never float.

    Raises ValueError for a text that is not JSON.
    """
    return json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)


def is_canonical(text: str) -> bool:
    """Whether the text is JSON in canonical form."""
    try:
        return canonical(parse(text)) == text
    except (ValueError, RecursionError):
        return False


def _pieces(value: Any, where: str) -> Iterator[str]:
    if value is None or isinstance(value, bool):
        yield {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, str):
        yield _text(value, where)
    elif isinstance(value, int | Decimal | float):
        yield _number(value, where)
    elif isinstance(value, Mapping):
        yield from _object_pieces(value, where)
    elif isinstance(value, list | tuple):
        yield "["
        for index, item in enumerate(value):
            yield "," if index else ""
            yield from _pieces(item, f"{where}[{index}]")
        yield "]"
    else:
        raise CanonicalError(f"{where}: a {type(value).__name__} is not plain data")


def _object_pieces(value: Mapping[Any, Any], where: str) -> Iterator[str]:
    for key in value:
        if not isinstance(key, str):
            raise CanonicalError(f"{where}: the key {key!r} is not a text")
    yield "{"
    for index, key in enumerate(sorted(value)):
        yield "," if index else ""
        yield _text(key, where)
        yield ":"
        yield from _pieces(value[key], f"{where}.{key}")
    yield "}"


def _text(value: str, where: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise CanonicalError(f"{where}: {value!r} is not valid Unicode") from None
    return json.dumps(str(value), ensure_ascii=False)


def _number(value: int | Decimal | float, where: str) -> str:
    if isinstance(value, int):
        number = Decimal(int(value)) if abs(value) < 10**MAX_DIGITS else Decimal("NaN")
    elif isinstance(value, float):
        number = Decimal(f"{value:.{MEASURE_PLACES}f}")
    else:
        number = value
    if not number.is_finite() or _too_long(number):
        raise CanonicalError(f"{where}: {value!r} is not a number that can be kept exactly")
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _too_long(number: Decimal) -> bool:
    exponent = number.as_tuple().exponent
    return (
        not isinstance(exponent, int) or exponent < -MAX_DIGITS or number.adjusted() >= MAX_DIGITS
    )


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
