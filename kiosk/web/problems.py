"""Errors as answers: one clear line of JSON, or a plain page for people; never a traceback."""

from __future__ import annotations

import logging

from flask import Flask, Response, make_response, render_template, request
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as BaseResponse

from kiosk.errors import ActionError, UserError
from kiosk.web import exact
from kiosk.web.refusals import in_words

log = logging.getLogger(__name__)

PAGES = (
    "/", "/rules", "/drill", "/audit", "/calibrate", "/settings", "/people", "/signin", "/setup",
)  # fmt: skip
"""Paths for people; every other path answers in JSON."""

WORDS = {
    400: "bad-request",
    401: "sign-in",
    403: "forbidden",
    404: "not-found",
    405: "wrong-method",
    413: "too-large",
    415: "wrong-media-type",
    500: "internal",
    503: "busy",
}


def install(app: Flask) -> None:
    """Registers the handlers of all errors."""

    @app.errorhandler(ActionError)
    def _action(problem: ActionError) -> Response:
        return problem_answer(problem.kind, in_words(str(problem)), problem.status)

    @app.errorhandler(UserError)
    def _user(problem: UserError) -> Response:
        return problem_answer("bad-input", in_words(str(problem)), 400)

    @app.errorhandler(HTTPException)
    def _http(problem: HTTPException) -> Response | BaseResponse:
        if problem.code is None or problem.code < 400:
            return problem.get_response()
        answer = problem_answer(
            WORDS.get(problem.code, "error"), in_words(_line(problem, problem.code)), problem.code
        )
        if problem.code == 405:
            allowed = problem.get_response().headers.get("Allow")
            if allowed:
                answer.headers["Allow"] = allowed
        return answer

    @app.errorhandler(Exception)
    def _fault(problem: Exception) -> Response:
        log.error("request %s %s failed", request.method, request.path, exc_info=problem)
        return problem_answer(
            "internal",
            in_words("something failed inside the kiosk; the log of the kiosk says what"),
            500,
        )


def problem_answer(kind: str, message: str, status: int) -> Response:
    """The error as JSON, or as a page where a person opened a page."""
    line = " ".join(message.split()) or kind
    if status < 500 and request.method == "GET" and _is_page(request.path):
        page = render_template("problem.html", kind=kind, message=line, status=status)
        return make_response(page, status)
    return exact.answer({"error": kind, "message": line}, status)


def _is_page(path: str) -> bool:
    below = path.startswith(("/audit/", "/drill/")) and not path.endswith((".jpg", ".pdf"))
    return path in PAGES or below


def _line(problem: HTTPException, code: int) -> str:
    if code == 404:
        return f"there is nothing at {request.path[:120]}"
    if code == 405:
        return f"{request.method} is not possible at {request.path[:120]}"
    if code == 413:
        return "the body is too large"
    return problem.description or problem.name
