"""JSON with exact amounts: a Decimal goes out as a number and comes in as one, never as float."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from flask import Response


class BadJsonError(ValueError):
    """A text that is not the JSON we accept. The text of the error is one clear line."""


def dumps(value: Any) -> str:
    """The value as JSON text; whole decimals as integers.

    >>> dumps({"paid": Decimal("400.00"), "fee": Decimal("37.50"), "box": 1})
    '{"paid": 400, "fee": 37.5, "box": 1}'

    Raises TypeError for what JSON has no word for.
    """
    return "".join(_pieces(value))


def loads(text: str | bytes) -> Any:
    """The JSON value of a text; numbers with a point become Decimal.

    Raises BadJsonError for broken text, NaN, infinities, a name twice in an object, too deep
    nesting and too long numbers.
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        return json.loads(
            text,
            parse_float=Decimal,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except BadJsonError:
        raise
    except RecursionError:
        raise BadJsonError("the JSON is nested too deep") from None
    except (ValueError, ArithmeticError) as problem:
        line = str(problem).splitlines()[0] if str(problem) else "unreadable"
        raise BadJsonError(f"not JSON: {line}") from None


def answer(value: Any, status: int = 200) -> Response:
    """A JSON response that no cache keeps."""
    response = Response(dumps(value) + "\n", status=status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def _refuse_constant(name: str) -> Any:
    raise BadJsonError(f"not JSON: {name} is no number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadJsonError(f"the name {twice[:40]!r} stands twice in one object")
    return found


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
