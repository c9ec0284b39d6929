"""A USB number pad or keyboard in place of the panel: which key is which button.

Keys are the ``key`` of a browser's KeyboardEvent; the actions are those of the panel's buttons. The
page has the same table (``kiosk/web/static/js/panelkeys.js``) and a browser test holds it to this.
"""

from __future__ import annotations

from typing import Final

from firmware_bridge.protocol import BUTTONS

KEYS: Final = {
    "1": "box1",
    "2": "box2",
    "3": "box3",
    "4": "box4",
    "5": "box5",
    "6": "box6",
    "+": "plus",
    "-": "minus",
    "7": "bet",
    "8": "fold",
    "9": "sixth",
    "0": "exchange",
    "Enter": "confirm",
    "*": "reveal",
    "/": "next",
    ".": "hold",
    ",": "hold",
}
"""A number pad alone reaches all sixteen buttons; ``,`` stands where a pad has no ``.``."""

assert set(KEYS.values()) == set(BUTTONS)
