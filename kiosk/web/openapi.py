"""The description at ``/api/v1/openapi.json``, made from the table of routes and of bodies."""

from __future__ import annotations

from typing import Any

from kiosk.web.schemas import ACTIONS

_OBJECT = {"type": "object"}
_ERROR = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "message": {"type": "string"}},
    "required": ["error", "message"],
}

GETS = {
    "/api/v1/table": "The table as read now",
    "/api/v1/round": "The round; what is hidden until reveal is null until then",
    "/api/v1/panel": "The button panel: its display and lights",
    "/api/v1/audit": "Recorded hands, newest first",
    "/api/v1/audit/{id}": "One recorded hand in full",
    "/api/v1/openapi.json": "This description",
}
"""Path → what a GET of it gives."""

ACTION_TEXTS = {
    "bets": "Enters the bets and actions of a box",
    "cards": "Corrects, adds or removes a card, or answers a doubt",
    "dismiss": "Says that a person has looked at a question and it is void",
    "confirm": "Says that the bets and actions of a box stand",
    "answer": "Enters the trainee's own settlement of a box",
    "reveal": "Shows combinations and settlement",
    "next": "Goes on to the next round",
    "hold": "Freezes the round, or lets it go on",
    "overrule": "Lets a hand pass with a reason",
    "void": "Voids the round (misdeal) with a reason",
    "undo": "Takes back the last entry",
}


def describe() -> dict[str, Any]:
    """The whole description (OpenAPI 3.1)."""
    paths: dict[str, Any] = {path: {"get": _get(path, text)} for path, text in GETS.items()}
    for action, fields in ACTIONS.items():
        body = {
            "type": "object",
            "properties": {name: dict(known.schema) for name, known in fields.items()},
            "required": [name for name, known in fields.items() if known.required],
            "additionalProperties": False,
        }
        paths[f"/api/v1/round/{action}"] = {
            "post": _post(ACTION_TEXTS[action], {"application/json": {"schema": body}})
        }
    paths["/api/v1/settle"] = {
        "post": _post("Settles a CASE, nothing stored", {"application/json": {"schema": _OBJECT}})
    }
    paths["/api/v1/read"] = {
        "post": _post(
            "Reads the cards of a photograph",
            {
                "image/*": {"schema": {"type": "string", "format": "binary"}},
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "properties": {"file": {"type": "string", "format": "binary"}},
                    }
                },
            },
        )
    }
    button = {
        "type": "object",
        "properties": {"button": {"type": "string"}},
        "required": ["button"],
        "additionalProperties": False,
    }
    paths["/api/v1/panel/press"] = {
        "post": _post(
            "Presses a button of the simulated panel", {"application/json": {"schema": button}}
        )
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Dealer kiosk", "version": "1"},
        "paths": paths,
    }


def _get(path: str, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {"summary": text, "responses": _responses()}
    if "{id}" in path:
        found["parameters"] = [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
        ]
    return found


def _post(text: str, content: dict[str, Any]) -> dict[str, Any]:
    return {
        "summary": text,
        "requestBody": {"required": True, "content": content},
        "responses": _responses(),
    }


def _responses() -> dict[str, Any]:
    return {
        "200": {"description": "Done", "content": {"application/json": {"schema": _OBJECT}}},
        "4XX": {
            "description": "Refused, with one clear line",
            "content": {"application/json": {"schema": _ERROR}},
        },
    }
