"""What the web room needs of the running kiosk, and the settings of the web server itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from kiosk.cards import Card
from kiosk.deck_desk import DeckDesk
from kiosk.hands import RecordedHands
from kiosk.people import People
from kiosk.record.schema import Versions
from kiosk.rulebook import Rulebook
from kiosk.setup_desk import SetupDesk
from kiosk.teach.drills import Drills

Json = dict[str, Any]
"""A JSON object as Python values; amounts are Decimal or int, never float."""


class Subscription(Protocol):
    """A bounded queue of events in which a newer event of a name replaces an older unread one."""

    def get(self, timeout: float) -> tuple[str, Json] | None:
        """The next ``(event name, data)``, or None when nothing came within ``timeout`` seconds."""

    def close(self) -> None:
        """No more events for this one. Harmless when repeated."""


class RunningKiosk(Protocol):
    """The running kiosk, seen from the web. Every method may be called from any thread.

    Nothing that is hidden until reveal may be in what these methods return before the reveal: the
    web room passes it on as it is.
    """

    @property
    def versions(self) -> Versions:
        """The program and the weights that read and settle now, as hands are recorded with."""

    @property
    def drills(self) -> Drills:
        """Drill rounds and the progress of trainees."""

    @property
    def decks(self) -> DeckDesk:
        """Decks shown to the kiosk, and the one it reads with."""

    @property
    def calibrating(self) -> SetupDesk:
        """Setting camera and felt up."""

    def still_right(self) -> None:
        """A person says that the zones fit though camera or table were moved."""

    @property
    def people(self) -> People:
        """The accounts and their sessions."""

    @property
    def recorded(self) -> RecordedHands:
        """The record of hands, for a supervisor."""

    def snapshot(self, language: str = "en") -> Json:
        """The round, as ``GET /api/v1/round`` shows it; questions and reasons in the language."""

    def table(self) -> Json:
        """The table as read now, as ``GET /api/v1/table`` shows it."""

    def act(
        self, name: str, body: Json, who: str, allowed: Callable[[str], bool] | None = None
    ) -> Json:
        """What a person enters: the new round, or ActionError. ``name`` as in ``ACTIONS``.

        ``allowed``: whether who acts has a right that the entry needs (``kiosk.table.deeds``).
        """

    @property
    def rulebook(self) -> Rulebook:
        """The rules in force and those that wait."""

    def dealer(self) -> str | None:
        """The id of the person who deals now; None: nobody is known to."""

    def person_erased(self, person: str) -> None:
        """The person was erased."""

    def deals(self, person: str | None) -> None:
        """This person deals from the next hand on."""

    def subscribe(self) -> Subscription:
        """Events ``round``, ``table``, ``health``, ``panel`` from now on.

        The data of ``round`` is not used: each viewer gets ``snapshot`` in its own language.
        """

    def frame(self) -> tuple[bytes, int, float] | None:
        """The newest annotated picture (JPEG), its number and its age in milliseconds.

        An old one is already veiled and carries its time, so that it never looks live (C6).
        """

    def doubt_picture(self, key: str) -> bytes | None:
        """The picture (JPEG) of the doubt of that key, None when there is none."""

    def health(self) -> Json:
        """``{"ok": bool, "parts": {name: {"ok": bool, "text": str}}}``.

        ``camera``, ``model`` and ``storage`` decide about ``/healthz``; other parts are told only.
        """

    def metrics(self) -> Mapping[str, tuple[str, str, Any]]:
        """Metric name → (help, ``gauge`` or ``counter``, number or {label text: number})."""

    def hold_misread(self, was: str | None, doubt: str | None) -> bool:
        """Holds the picture of a card that somebody begins to look at; False: it is not in it."""

    def misread(self, was: str | None, doubt: str | None, right: Card | None) -> str:
        """Keeps the picture in which a card was misread, or something that is none; its name.
        ActionError when it cannot."""

    def read_picture(self, data: bytes) -> Json:
        """Reads a photograph (file content). UserError when it is none."""

    def panel_state(self) -> Json:
        """``{"kind": "sim|serial|none", "state", "text", "display": [4 lines], "lights": [6],
        "selected": box or None}``."""

    def panel_press(self, button: str, held: bool = False) -> None:
        """Presses a button of the panel, or holds it down. ActionError when it cannot."""

    def panel_choose(self, box: int | None) -> None:
        """Chooses a box on the panel; None: no box. ActionError when there is no such box."""

    def calibration(self) -> Json:
        """``{"ok", "text", "layout": name, "index_min_px",
        "zones": [{"zone", "index_px", "ok", "text"}]}``."""

    def about(self) -> Json:
        """Read-only settings for people: ``{"rules": {...}, "limits": {...}, "versions": {...}}``.

        Each value is a mapping of names to plain values; more groups may follow.
        """


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the web server.

    ``allowed_hosts``: host names a browser may use besides localhost and plain IP addresses (a
    name that is not listed is refused, against DNS rebinding). ``max_upload``: bytes of one
    uploaded photograph. ``stream_fps``: most pictures a second to one viewer. ``long_connections``:
    streams and event feeds at one time, two a viewer. ``beat_s``: pause between signs of life.
    ``stale_ms``: a picture older than that is shown veiled, with its age. ``idle_s``: seconds of an
    idle table before its screen says what this is; 0: never. ``https``: browsers reach
    it over https only (a proxy in front), so cookies are sent on no other way.
    ``kiosk_addresses``: screens besides this machine that count as the kiosk itself.
    """

    language: str = "en"
    theme: str = "dark"
    allowed_hosts: tuple[str, ...] = ()
    max_upload: int = 20 * 1024 * 1024
    stream_fps: float = 12.0
    long_connections: int = 40
    beat_s: float = 1.0
    stale_ms: float = 2000.0
    idle_s: float = 0.0
    version: str = "0"
    https: bool = False
    kiosk_addresses: tuple[str, ...] = ()
