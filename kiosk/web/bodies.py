"""Reading the JSON that a request carries: exact numbers, a limit in size, whole characters."""

from __future__ import annotations

from typing import Any

from flask import request

from kiosk.errors import ActionError
from kiosk.rules import jsonio
from kiosk.web.guard import MAX_JSON

__all__ = ["MAX_JSON", "json_body", "json_object"]


def json_body(limit: int = MAX_JSON) -> Any:
    """The JSON of the request. ActionError: other type, too large, or no JSON."""
    if request.mimetype != "application/json":
        raise ActionError("wrong-media-type", "expected Content-Type: application/json", 415)
    if (request.content_length or 0) > limit:
        raise ActionError("too-large", f"the body has more than {limit} bytes", 413)
    data = request.get_data(cache=False)
    if len(data) > limit:
        raise ActionError("too-large", f"the body has more than {limit} bytes", 413)
    try:
        body = jsonio.loads(data)
    except jsonio.JsonError as problem:
        raise ActionError("bad-json", str(problem), 400) from None
    if not _is_unicode(body):
        raise ActionError("bad-json", "a text holds half a character (a lone surrogate)", 400)
    return body


def _is_unicode(value: Any) -> bool:
    """Whether every text in it can be written: JSON can name halves of characters, and neither
    an answer nor the record can hold one."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str) and not item.isascii():
            try:
                item.encode()
            except UnicodeEncodeError:
                return False
        elif isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, list):
            waiting += item
    return True


def json_object(limit: int = MAX_JSON) -> dict[str, Any]:
    """The JSON of the request, which must be an object."""
    body = json_body(limit)
    if not isinstance(body, dict):
        raise ActionError("bad-input", "the body: expected a JSON object", 400)
    return body
