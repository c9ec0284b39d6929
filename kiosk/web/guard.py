"""Who may talk to the server and how: security headers, host names, same origin, sizes."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from flask import Flask, Response, request

from kiosk.errors import ActionError
from kiosk.web.seen import WebSettings

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; "
        "base-uri 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Sent with every answer. No page needs anything from outside, and none may be framed."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
MAX_JSON = 64 * 1024
"""Bytes of one JSON body: far more than any round needs."""


def install(app: Flask, settings: WebSettings) -> None:
    """Puts the checks before and the headers after every request."""
    app.config["MAX_CONTENT_LENGTH"] = settings.max_upload

    @app.before_request
    def _check() -> None:
        _check_host(settings)
        if request.method not in SAFE_METHODS:
            _check_origin()

    @app.after_request
    def _headers(response: Response) -> Response:
        for name, text in HEADERS.items():
            response.headers.setdefault(name, text)
        if settings.https:
            response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
        return response


def _check_host(settings: WebSettings) -> None:
    """A name that resolves to us but is not ours may be a rebinding attack; an address is not."""
    name = _host_name(request.host)
    if name is None:
        raise ActionError("bad-host", "the Host header names no host", 400)
    if name == "localhost" or name in settings.allowed_hosts or _is_address(name):
        return
    raise ActionError(
        "bad-host",
        f"the host name {name[:80]!r} is not allowed: use the IP address or add it to web.hosts",
        400,
    )


def _check_origin() -> None:
    """Only pages of this server and programs without an origin may change something (CSRF)."""
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    foreign = site is not None and site not in ("same-origin", "none")
    # A page may hide its origin ("null"); then the browser's own word must say that it is ours.
    if not foreign and origin is not None and (origin != "null" or site is None):
        foreign = _netloc(origin) != request.host.lower()
    if foreign:
        raise ActionError("other-origin", "a page of another origin may not change anything", 403)


def _host_name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
