"""The link's states in plain words: what is the case and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.protocol import Hello


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


_TEXTS: Final[dict[str, tuple[str, str]]] = {
    "off": (_("The panel is switched off in the settings."), ""),
    "closed": (_("The link to the panel is closed."), ""),
    "searching": (
        _("No panel found on any serial port."),
        _("Plug the panel in; it is found by itself."),
    ),
    "missing": (
        _("There is no serial port %(port)s."),
        _("Plug the panel in or choose another port; the kiosk keeps looking."),
    ),
    "not-a-port": (
        _("%(port)s is not a serial port."),
        _("Choose a serial port such as /dev/ttyUSB0, or auto, sim or none."),
    ),
    "busy": (
        _("Another program uses the port %(port)s%(holder)s."),
        _("Close the other program; the kiosk tries again by itself."),
    ),
    "forbidden": (
        _("This user may not open the port %(port)s."),
        _("Add the user to the group that owns the port (usually dialout) and log in again."),
    ),
    "failed": (
        _("The port %(port)s cannot be used: %(why)s."),
        _("Check the cable; the kiosk tries again by itself."),
    ),
    "booting": (_("The port %(port)s is open; the panel is starting."), ""),
    "asking": (_("Asking who is at %(port)s."), ""),
    "no-answer": (
        _("Nothing answers at %(port)s."),
        _("Check that the panel has power and its program; the kiosk keeps asking."),
    ),
    "stranger": (
        _("What is at %(port)s talks, but is not a panel."),
        _("Connect the panel to this port or choose the port that the panel is at."),
    ),
    "wrong-panel": (
        _("The panel at %(port)s has the serial number %(serial)s, not %(wanted)s."),
        _("Connect the right panel or change the serial number in the settings."),
    ),
    "wrong-version": (
        _("The panel at %(port)s speaks protocol %(version)s, this kiosk speaks %(ours)s."),
        _("Write the program that ships with this kiosk: kiosk panel flash."),
    ),
    "lost": (
        _("The cable to the panel at %(port)s was pulled or the panel lost power."),
        _("Plug it in again; no click is needed."),
    ),
    "silent": (
        _("The panel at %(port)s has fallen silent."),
        _("Check the cable; the kiosk keeps asking."),
    ),
    "dead": (
        _("The panel at %(port)s keeps asking for the same message."),
        _("The link starts anew by itself; if this repeats, change the cable."),
    ),
    "reset": (_("The panel at %(port)s has started anew."), ""),
    "connected": (_("The panel %(serial)s is connected at %(port)s."), ""),
}

KINDS: Final = tuple(_TEXTS)


@dataclass(frozen=True, slots=True)
class LinkState:
    """The link as people see it.

    ``kind`` is a stable word of ``KINDS``; ``message`` and ``todo`` are gettext ids with
    ``%(name)s`` places that ``params`` fills; ``hello`` is who answered, while connected.
    """

    kind: str
    params: Mapping[str, str] = field(default_factory=dict)
    hello: Hello | None = None

    @property
    def message(self) -> str:
        """One sentence: what is the case (gettext id)."""
        return _TEXTS[self.kind][0]

    @property
    def todo(self) -> str:
        """One sentence: what a person can do; empty when nothing (gettext id)."""
        return _TEXTS[self.kind][1]

    @property
    def text(self) -> str:
        """The sentence in English with its places filled."""
        return self.message % dict(self.params)

    def told(self, translate: Callable[[str], str]) -> str:
        """What is the case and what to do, in the language of ``translate``."""
        state = translate(self.message) % dict(self.params)
        return f"{state} {translate(self.todo)}" if self.todo else state

    @property
    def connected(self) -> bool:
        """Buttons work now."""
        return self.kind == "connected"

    def as_dict(self) -> dict[str, object]:
        """Plain data for the page and ``kiosk panel status --json``."""
        return {
            "kind": self.kind,
            "text": self.text,
            "todo": self.todo,
            "message": self.message,
            "params": dict(self.params),
            "connected": self.connected,
            "serial": self.hello.serial if self.hello else None,
            "build": self.hello.build if self.hello else None,
        }
