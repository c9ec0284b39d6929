"""The web room: pages, streams and API of a running kiosk.

``create_app`` makes the Flask application, ``WebServer`` (or ``serve``) serves it with waitress.
"""

from __future__ import annotations

import secrets
from typing import Any

from flask import Flask

from kiosk.web import exact, guard, problems, signin, texts
from kiosk.web.api import api
from kiosk.web.audit import audit
from kiosk.web.calibrate import calibrate
from kiosk.web.dealer import dealer
from kiosk.web.deck import deck
from kiosk.web.drill import drill
from kiosk.web.drill_progress import progress
from kiosk.web.events import events
from kiosk.web.health import health
from kiosk.web.pages import look, pages
from kiosk.web.people_pages import people_pages
from kiosk.web.seen import RunningKiosk, Subscription, WebSettings
from kiosk.web.serving import WebServer, serve
from kiosk.web.settings_pages import settings_pages
from kiosk.web.signin_pages import signin_pages
from kiosk.web.slots import Slots
from kiosk.web.stream import stream

__all__ = ["RunningKiosk", "Subscription", "WebServer", "WebSettings", "create_app", "serve"]


def create_app(kiosk: RunningKiosk, config: WebSettings | None = None) -> Flask:
    """The application for a running kiosk. Starts no thread and opens no port."""
    web = config or WebSettings()
    app = Flask(__name__)
    app.extensions["kiosk"] = kiosk
    app.extensions["kiosk_settings"] = web
    app.extensions["kiosk_slots"] = Slots(web.long_connections)
    app.extensions["kiosk_boot"] = secrets.token_hex(8)
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
    texts.install(app, web.language)
    guard.install(app, web)
    signin.install(app)
    problems.install(app)
    app.jinja_env.filters["exact_json"] = _script_json
    app.context_processor(lambda: {**look(), "version": web.version})
    for blueprint in (
        calibrate,
        deck,
        pages,
        api,
        audit,
        events,
        health,
        stream,
        signin_pages,
        dealer,
        people_pages,
        settings_pages,
    ):
        app.register_blueprint(blueprint)
    for teaching in (drill, progress):
        app.register_blueprint(teaching)
    return app


def _script_json(value: Any) -> str:
    """JSON that may stand inside a script element."""
    return exact.dumps(value).replace("<", "\\u003c").replace(">", "\\u003e")
