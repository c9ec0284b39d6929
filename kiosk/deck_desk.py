"""Showing the deck to a running kiosk, checking it, and choosing which deck it reads with (V2)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from kiosk.cards import Card
from kiosk.deck_job import Job, pile_of, shown_of, told_of
from kiosk.deck_reading import check_and_use
from kiosk.deck_words import said_of
from kiosk.errors import ActionError, UserError
from kiosk.sight import Sight
from kiosk.vision import enrol
from kiosk.vision.annotate import encode_jpeg
from kiosk.vision.decks import DeckStore, KnownDeck
from kiosk.vision.enrol import Enrolment
from kiosk.vision.images import Image

log = logging.getLogger(__name__)

ENROLLING = "enrolling"
"""Trouble word while a deck is being shown: what lies there is no deal."""

REFUSED = "deck-refused"
"""Trouble word while the deck in use was read too badly when it was checked."""

_PACE = 0.6


class DeckDesk:
    """Thread-safe. ``on_use`` hears which deck is read with, at the start too. While
    ``hand_open()`` no deck is shown or chosen: reading would start over with the cards lying."""

    def __init__(
        self,
        sight: Sight,
        store: DeckStore,
        limit: float,
        on_use: Callable[[KnownDeck | None], None],
        hand_open: Callable[[], bool] = lambda: False,
    ) -> None:
        self._sight = sight
        self._store = store
        self._limit = limit
        self._on_use = on_use
        self._hand_open = hand_open
        self._job: Job | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._stamp: int | None = None
        self.deck: KnownDeck | None = None
        self.problem: str | None = None
        """Why the deck that was chosen cannot be read with."""

    def open(self) -> None:
        """Read with the deck that was chosen before."""
        self._stamp = self._store.stamp
        try:
            chosen = self._store.in_use()
            self._choose(None if chosen is None else self._store.load(*chosen))
        except UserError as problem:
            self.problem = str(problem)
            log.error("%s", problem)
            self._on_use(None)

    def follow(self) -> None:
        """Read with the deck that was chosen in the terminal since the last call, once no hand is
        open. Never raises."""
        if self._hand_open():
            return
        stamp, before = self._store.stamp, self._stamp
        self._stamp = stamp
        if stamp == before:
            return
        try:
            chosen = self._store.in_use()
            now = None if self.deck is None else (self.deck.name, self.deck.version)
            if chosen != now:
                self._choose(None if chosen is None else self._store.load(*chosen))
        except UserError as problem:
            self.problem = str(problem)
            log.error("%s", problem)
        except Exception:
            log.exception("the deck that was chosen cannot be read with")

    def close(self) -> None:
        """End a showing that is going on; nothing of it is kept."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(3.0)

    @property
    def word(self) -> str | None:
        """Why the table must not be settled now, as a trouble word."""
        job = self._job
        if job is not None and job.stage in ("showing", "checking"):
            return ENROLLING
        deck = self.deck
        if deck is not None and not deck.stale and not deck.good_enough(self._limit):
            return REFUSED
        return None

    def checked(self) -> tuple[bool, str]:
        """Whether the deck in use was checked with these weights, and what to say of it."""
        if self.problem is not None:
            return False, self.problem
        deck = self.deck
        if deck is None:
            return False, "deck not checked"
        return deck.good_enough(self._limit), said_of(deck, self._limit)

    def state(self) -> dict[str, Any]:
        """All that the page shows of decks, as JSON-able data."""
        with self._lock:
            job = self._job
            good, text = self.checked()
            return {
                "in_use": None if self.deck is None else told_of(self.deck),
                "checked": good,
                "text": text,
                "why_not": [] if self.deck is None else list(self.deck.why_not(self._limit)),
                "limit": self._limit,
                "decks": self._store.names(),
                "showing": None if job is None else shown_of(job),
            }

    def start(self, name: str) -> None:
        """Begin to look at cards of a deck of that name. ActionError while a hand is open."""
        self._between_hands()
        with self._lock:
            self._check_free()
            if not self._store.good_name(name):
                raise ActionError(
                    "bad-input", "name: expected letters, digits, spaces, dots and dashes", 400
                )
            self._begin(Job(name.strip(), Enrolment()))

    def recheck(self, name: str) -> None:
        """Check what was shown of a deck with the weights that name now, and read with it from
        then on. ActionError while a hand is open."""
        self._between_hands()
        with self._lock:
            self._check_free()
            try:
                again = self._store.shown(name)
            except UserError as problem:
                raise ActionError("deck", str(problem), 409) from None
            self._begin(Job(name, Enrolment(), "checking", again=again))

    def answer(self, key: str, card: str | None) -> None:
        """Which card a doubtful one is; None: no card."""
        with self._lock:
            job = self._showing()
            try:
                job.state = enrol.answer(job.state, key, None if card is None else _card(card))
            except KeyError:
                raise ActionError("not-found", "that card is no longer asked about", 409) from None

    def forget(self, card: str) -> None:
        """What was taken for this card is another one."""
        with self._lock:
            job = self._showing()
            job.state = enrol.forget(job.state, _card(card))

    def cancel(self) -> None:
        """End the showing; nothing of it is kept."""
        with self._lock:
            if self._job is not None and self._job.stage == "checking":
                raise ActionError("busy", "the deck is being checked: wait for its figures", 409)
            self._job = None

    def finish(self) -> None:
        """All cards were shown: check them, fit the weights, read with them from then on.
        ActionError while a hand is open."""
        self._between_hands()
        with self._lock:
            job = self._showing()
            missing = job.state.missing
            if missing:
                names = ", ".join(card.symbol for card in missing[:8])
                more = " …" if len(missing) > 8 else ""
                raise ActionError("missing", f"not yet shown twice: {names}{more}", 409)
            job.stage, job.progress, job.message = "checking", 0.0, None

    def use(self, name: str | None) -> None:
        """Read with a deck's newest weights, or with what ships. ActionError while a hand is
        open."""
        self._switch(lambda: self._store.use(name))

    def back(self) -> None:
        """Read with the weights before those in use. ActionError while a hand is open."""
        self._switch(self._store.back)

    def picture(self, key: str) -> bytes | None:
        """JPEG of a doubtful card by key, or of what was taken for a card by its name."""
        job = self._job
        if job is None:
            return None
        wide: Image | None = next((a.wide for a in job.state.asked if a.key == key), None)
        if wide is None:
            kept = next((v for card, v in job.state.samples.items() if str(card) == key), ())
            wide = pile_of([sample.wide for sample in kept])
        return None if wide is None else encode_jpeg(wide, 90)

    def _check_free(self) -> None:
        if self._job is not None and self._job.stage in ("showing", "checking"):
            raise ActionError("busy", f"the deck {self._job.name} is being shown", 409)
        if self._sight.model_failure is not None:
            raise ActionError("no-model", self._sight.model_failure, 409)

    def _begin(self, job: Job) -> None:
        self._job = job
        self._stop.clear()
        self._thread = threading.Thread(target=self._watch, args=(job,), name="deck", daemon=True)
        self._thread.start()

    def _between_hands(self) -> None:
        if self._hand_open():
            raise ActionError("hand-open", "The hand must be finished before the deck changes.")

    def _switch(self, change: Callable[[], KnownDeck | None]) -> None:
        self._between_hands()
        try:
            self._choose(change())
        except UserError as problem:
            raise ActionError("deck", str(problem), 409) from None

    def _choose(self, deck: KnownDeck | None) -> None:
        self.deck, self.problem = deck, None
        self._on_use(deck)

    def _showing(self) -> Job:
        if self._job is None or self._job.stage != "showing":
            raise ActionError("not-showing", "no deck is being shown", 409)
        return self._job

    def _watch(self, job: Job) -> None:
        """A showing's thread: looks while its cards are shown, then checks."""
        while not self._stop.wait(_PACE):
            if self._job is not job:
                return
            if job.stage == "checking":
                self._check(job)
                if job.stage != "showing":
                    return
                continue
            try:
                self._look(job)
            except Exception:
                log.exception("looking at the deck failed")

    def _look(self, job: Job) -> None:
        got = self._sight.read_now()
        if got is None:
            # Something moves: what a person said of a place may hold for another card from now on.
            with self._lock:
                job.state = enrol.cleared(job.state)
            return
        image, reading, thresholds = got
        with self._lock:
            if self._job is not job or job.stage != "showing":
                return
            job.state = enrol.look_at(job.state, image, reading, thresholds)

    def _check(self, job: Job) -> None:
        def told(share: float) -> None:
            job.progress = share

        try:
            shown = job.again or (job.state.samples, job.state.found)
            naming = self._sight.namer_to_fit()
            deck = check_and_use(self._store, job.name, naming, shown, told, self._between_hands)
            self._choose(deck)
        except Exception as problem:
            if not isinstance(problem, ActionError | UserError | OSError):
                log.exception("checking the deck failed")
            job.stage, job.message = "failed" if job.again else "showing", str(problem)
            return
        job.deck, job.stage = deck, "done"


class DeckGuard:
    """Keeps the table from being settled while a deck is shown, or with a deck read badly."""

    every = 0.2

    def __init__(self, desk: DeckDesk) -> None:
        self._desk = desk

    def look(self, image: Image, t: float, still: frozenset[str]) -> str | None:
        """The word for ``TableView.trouble``, whatever the picture shows."""
        return self._desk.word


def _card(name: str) -> Card:
    try:
        return Card.parse(name)
    except ValueError:
        line = f"card: no card {name[:10]!r}, such as As, Td"
        raise ActionError("bad-input", line, 400) from None
