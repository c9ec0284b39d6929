"""The description at ``/api/v1/openapi.json``: apispec writes it from the described routes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from apispec import APISpec
from flask import Flask
from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema
from werkzeug.routing import Rule

from kiosk.web.described import Described, description_of
from kiosk.web.shapes import Message

Mode = Literal["validation", "serialization"]
Schemas = Mapping[Any, Mapping[str, Any]]
"""Reference by model and mode."""

KEPT = "kiosk_description"

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def describe(app: Flask) -> dict[str, Any]:
    """The whole description (OpenAPI 3.1) of the described routes of an application."""
    kept: dict[str, Any] | None = app.extensions.get(KEPT)
    if kept is None:
        kept = app.extensions[KEPT] = _describe(app)
    return kept


def _describe(app: Flask) -> dict[str, Any]:
    routes = sorted(described_routes(app), key=lambda route: (route[0].rule, route[1]))
    spec = APISpec(title="Dealer kiosk", version="1", openapi_version="3.1.0")
    schemas, definitions = _schemas(about for _, _, about in routes)
    for name, schema in definitions.items():
        spec.components.schema(name, schema)
    for rule, method, about in routes:
        operation = _operation(rule, method, about, schemas)
        spec.path(path=open_path(rule), operations={method.lower(): operation})
    found: dict[str, Any] = spec.to_dict()
    return found


def described_routes(app: Flask) -> Iterator[tuple[Rule, str, Described]]:
    """Every described route with its method."""
    for rule in app.url_map.iter_rules():
        about = description_of(app.view_functions[rule.endpoint])
        if about is not None:
            for method in sorted((rule.methods or set()) & set(METHODS)):
                yield rule, method, about


def open_path(rule: Rule) -> str:
    """The path in the words of OpenAPI: ``/hands/<int:id>`` is ``/hands/{id}``."""
    return re.sub(r"<(?:[^<>:]+:)?(\w+)>", r"{\1}", rule.rule)


def _schemas(routes: Iterator[Described]) -> tuple[Schemas, dict[str, Any]]:
    """References by model, and the schemas they point to."""
    models: dict[tuple[type[BaseModel], Mode], None] = {(Message, "serialization"): None}
    for about in routes:
        if about.body is not None:
            models[about.body, "validation"] = None
        if about.answer is not None:
            models[about.answer, "serialization"] = None
    references, found = models_json_schema(
        list(models), ref_template="#/components/schemas/{model}", title="Dealer kiosk"
    )
    return references, found.get("$defs", {})


def _operation(rule: Rule, method: str, about: Described, schemas: Schemas) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": f"{rule.endpoint}-{method.lower()}".replace(".", "-"),
        "summary": about.summary,
        "responses": _responses(about, schemas),
    }
    if about.text:
        operation["description"] = about.text
    parameters = [*_path_parameters(about), *_query_parameters(about)]
    if parameters:
        operation["parameters"] = parameters
    content: dict[str, Any] = {}
    if about.body is not None:
        content["application/json"] = {"schema": schemas[about.body, "validation"]}
    for media in about.uploads:
        content[media] = {"schema": _upload(media)}
    if content:
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _upload(media: str) -> dict[str, Any]:
    file = {"type": "string", "format": "binary"}
    if media != "multipart/form-data":
        return file
    return {"type": "object", "properties": {"file": file}, "required": ["file"]}


def _path_parameters(about: Described) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": TypeAdapter(kind).json_schema() | _not_empty(kind),
        }
        for name, kind in about.parameters.items()
    ]


def _not_empty(kind: type) -> dict[str, Any]:
    """An empty part of a path, or one with a slash, is another path."""
    return {"minLength": 1, "pattern": "^[^/]+$"} if kind is str else {}


def _query_parameters(about: Described) -> list[dict[str, Any]]:
    if about.query is None:
        return []
    schema = about.query.model_json_schema()
    needed = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in needed, "schema": _plain(part, schema)}
        for name, part in schema.get("properties", {}).items()
    ]


def _plain(part: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """A parameter's schema for itself: a query has no null, and what it refers to stands here."""
    definitions = schema.get("$defs", {})
    found = {name: value for name, value in part.items() if name not in ("title", "default")}
    if "$ref" in found:
        found |= definitions[found.pop("$ref").rpartition("/")[2]]
    kinds = [kind for kind in found.pop("anyOf", []) if kind != {"type": "null"}]
    if len(kinds) == 1:
        return {**found, **_plain(kinds[0], schema)}
    return {**found, "anyOf": kinds} if kinds else found


def _responses(about: Described, schemas: Schemas) -> dict[str, Any]:
    refusal = {"application/json": {"schema": schemas[Message, "serialization"]}}
    content: dict[str, Any] = {}
    for media in about.media:
        answer = about.answer if media == "application/json" else None
        content[media] = {"schema": {} if answer is None else schemas[answer, "serialization"]}
    return {
        str(about.status): {"description": "Done", "content": content},
        "4XX": {"description": "Refused, with one clear line", "content": refusal},
    }
