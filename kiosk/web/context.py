"""What the application of a request was made with: the running kiosk, the settings, the slots."""

from __future__ import annotations

from flask import current_app

from kiosk.web.seen import RunningKiosk, WebSettings
from kiosk.web.slots import Slots


def kiosk() -> RunningKiosk:
    """The running kiosk."""
    found: RunningKiosk = current_app.extensions["kiosk"]
    return found


def settings() -> WebSettings:
    """The settings of the web server."""
    found: WebSettings = current_app.extensions["kiosk_settings"]
    return found


def slots() -> Slots:
    """The places for long connections."""
    found: Slots = current_app.extensions["kiosk_slots"]
    return found


def boot() -> str:
    """A text that is another one after each start of the server."""
    return str(current_app.extensions["kiosk_boot"])


def in_force() -> str:
    """A text that is another one once rules, program or weights are others: what a page carries
    of them is old then."""
    now = kiosk().rulebook.now
    return f"{now.house.house.name} {now.version} {kiosk().versions}"
