"""JSON answers: amounts exact, measured values (confidence, age) as they are.

Bodies are read by ``kiosk.rules.jsonio``; it writes none of the floats that a reading has.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from flask import Response


def dumps(value: Any) -> str:
    """The value as JSON text; whole decimals as integers.

    >>> dumps({"paid": Decimal("400.00"), "fee": Decimal("37.50"), "box": 1})
    '{"paid": 400, "fee": 37.5, "box": 1}'

    Raises TypeError for what JSON has no word for.
    """
    return "".join(_pieces(value))


def answer(value: Any, status: int = 200) -> Response:
    """A JSON response that no cache keeps."""
    response = Response(dumps(value) + "\n", status=status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def _pieces(value: Any) -> Iterable[str]:
    if value is None or isinstance(value, (bool, int, str)):
        yield json.dumps(value, ensure_ascii=False)
    elif isinstance(value, Decimal):
        yield _number(value)
    elif isinstance(value, float):
        yield repr(value) if math.isfinite(value) else "null"
    elif isinstance(value, Mapping):
        yield "{"
        for place, (key, inner) in enumerate(value.items()):
            yield (", " if place else "") + json.dumps(str(key), ensure_ascii=False) + ": "
            yield from _pieces(inner)
        yield "}"
    elif isinstance(value, (list, tuple)):
        yield "["
        for place, inner in enumerate(value):
            if place:
                yield ", "
            yield from _pieces(inner)
        yield "]"
    else:
        raise TypeError(f"{type(value).__name__} has no JSON form")


def _number(value: Decimal) -> str:
    if not value.is_finite():
        raise TypeError(f"{value} has no JSON form")
    if value == value.to_integral_value():
        return str(int(value))
    return format(value.normalize(), "f")
