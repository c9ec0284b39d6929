"""Texts of the set-up page that come from measuring, named for the catalogue."""

from __future__ import annotations

from kiosk.web.texts import msgid

ADVICE = (
    msgid("too bright: lower exposure or lamps"),
    msgid("too dark: more light or exposure"),
    msgid("uneven: add a lamp on the dark side, away from the camera"),
    msgid("nothing sharp to see: lay the marker sheet or some cards on the felt"),
    msgid("blurred: turn the focus ring, switch auto focus off"),
    msgid("soft in a part of the picture: set the camera square to the table, clean the lens"),
)
"""What ``calibration.picture`` advises; a test holds the two together."""
