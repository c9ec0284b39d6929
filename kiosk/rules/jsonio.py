"""JSON with exact numbers: decimals in and out, never binary floats."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any


class JsonError(ValueError):
    """Text that is no JSON. The message is one line for people."""


def _real(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal("NaN")


def _whole(text: str) -> int | Decimal:
    return int(text) if len(text) <= 40 else _real(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonError(f"the key {twice[:40]!r} stands twice in one object")
    return found


def loads(data: str | bytes) -> Any:
    """Reads JSON text (UTF-8). NaN and numbers out of reach become Decimal NaN, for the checks of
    amounts to refuse. Raises JsonError."""
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError as problem:
        raise JsonError(f"not UTF-8 text (byte {problem.start})") from None
    try:
        return json.loads(
            text,
            parse_float=_real,
            parse_int=_whole,
            parse_constant=lambda _: Decimal("NaN"),
            object_pairs_hook=_object,
        )
    except JsonError:
        raise
    except RecursionError:
        raise JsonError("nested too deeply") from None
    except ValueError as problem:
        raise JsonError(f"not JSON: {problem}") from None


def dumps(value: object, indent: int | None = None) -> str:
    """ASCII JSON text of dicts, lists, texts, booleans, None, int, Decimal; else TypeError."""
    return "".join(_parts(value, indent, 0))


def _parts(value: object, indent: int | None, depth: int) -> Iterable[str]:
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise TypeError("a number that is not finite has no JSON form")
        yield format(value, "f")
    elif value is None or isinstance(value, str | bool | int):
        yield json.dumps(value)
    elif isinstance(value, Mapping):
        members = [(json.dumps(str(key)) + ": ", v) for key, v in value.items()]
        yield from _block("{", "}", members, indent, depth)
    elif isinstance(value, list | tuple):
        yield from _block("[", "]", [("", item) for item in value], indent, depth)
    else:
        raise TypeError(f"no JSON form for {type(value).__name__}")


def _block(
    start: str, end: str, members: list[tuple[str, Any]], indent: int | None, depth: int
) -> Iterable[str]:
    line = "" if indent is None else "\n" + " " * indent * (depth + 1)
    yield start
    for position, (lead, item) in enumerate(members):
        yield ("" if position == 0 else "," if indent is not None else ", ") + line + lead
        yield from _parts(item, indent, depth + 1)
    yield ("" if indent is None or not members else "\n" + " " * indent * depth) + end
