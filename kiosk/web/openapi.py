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


def describe() -> dict[str, Any]:
    """The whole description (OpenAPI 3.1)."""
    paths: dict[str, Any] = {path: {"get": _get(path, text)} for path, text in GETS.items()}
    for name, action in ACTIONS.items():
        paths[f"/api/v1/round/{name}"] = {
            "post": _post(action.text, {"application/json": {"schema": action.schema}})
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
