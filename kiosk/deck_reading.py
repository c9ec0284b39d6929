"""Reading with the deck in use, and checking a deck that was shown: for page and terminal alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import models
from kiosk.cards import Card
from kiosk.errors import UserError
from kiosk.record.paths import data_dir
from kiosk.vision.deck_check import Told, check_deck
from kiosk.vision.decks import DeckStore, KnownDeck
from kiosk.vision.enrol import Sample
from kiosk.vision.head import load_head
from kiosk.vision.namer import Namer
from kiosk.vision.reader import Reader, open_reader


def deck_store(data: Path | None) -> DeckStore:
    """The decks of a data folder (None: the user's), for the weights that name now."""
    return DeckStore(data_dir(data) / "decks", models.namer_hash())


def reader_in_use(
    data: Path | None,
    model: str | Path | None,
    threads: int = 2,
    told: Callable[[str], None] = lambda line: None,
) -> Reader:
    """The reader as the kiosk of that data folder reads: with the deck in use.

    ``told`` hears why a chosen deck cannot be read with; then the weights that ship do, as in the
    running kiosk. UserError for a missing or wrong model.
    """
    reader = open_reader(model, threads)
    try:
        store = deck_store(data)
        chosen = store.in_use()
        if chosen is not None:
            reader.use_head(store.load(*chosen).head)
    except UserError as problem:
        told(str(problem))
    return reader


def check_and_use(
    store: DeckStore,
    name: str,
    naming: tuple[Namer, float],
    shown: tuple[Mapping[Card, tuple[Sample, ...]], Mapping[Card, float]],
    told: Told,
    ready: Callable[[], None] = lambda: None,
) -> KnownDeck:
    """Checks what was shown of a deck, fits the weights, keeps both as the deck's next version and
    chooses it. ``naming``: a namer of the weights that ship and the threshold it names at;
    ``shown``: cut-outs, and the share of looks that found each card. UserError when it cannot be
    kept. ``ready`` raises where a checked deck may not be chosen now."""
    samples, found = shown
    base = load_head(models.namer_head_path())
    figures, head = check_deck(naming[0], base, samples, naming[1], told, found)
    made = datetime.now(UTC).isoformat(timespec="seconds")
    ready()
    deck = store.save(name, made, figures, head, samples)
    store.use(deck.name, deck.version)
    return deck
