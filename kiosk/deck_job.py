"""One showing of a deck, and what the page is told of it and of a deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kiosk.cards import DECK, Card
from kiosk.vision import enrol
from kiosk.vision.decks import KnownDeck
from kiosk.vision.enrol import Enrolment, Sample
from kiosk.vision.images import Image

Shown = tuple[Mapping[Card, tuple[Sample, ...]], Mapping[Card, float]]
"""Cut-outs of a deck, and the share of the looks that found each card."""


@dataclass
class Job:
    """One showing of a deck. ``stage``: showing, checking, done. ``message``: why the last check
    failed; what was shown is kept, so that it can be checked again.

    ``again``: what was shown of it before, where that is checked anew; such a job can be ``failed``
    and never is showing."""

    name: str
    state: Enrolment
    stage: str = "showing"
    progress: float = 0.0
    message: str | None = None
    deck: KnownDeck | None = None
    again: Shown | None = None


def pile_of(wides: Sequence[Image]) -> Image | None:
    """Up to three of a card's cut-outs, the first and the last among them: a stranger shall be
    seen. None for none."""
    if not wides:
        return None
    places = {0, (len(wides) - 1) // 2 if len(wides) > 3 else 0, len(wides) - 1}
    return np.vstack([wides[place] for place in sorted(places)])


def told_of(deck: KnownDeck) -> dict[str, Any]:
    return {
        "name": deck.name,
        "version": deck.version,
        "made": deck.made,
        "stale": deck.stale,
        "misnamed": list(deck.misnamed),
        "figures": dict(deck.figures),
    }


def shown_of(job: Job) -> dict[str, Any]:
    state = job.state
    return {
        "name": job.name,
        "stage": job.stage,
        "progress": round(job.progress, 2),
        "message": job.message,
        "looks": {str(card): state.looks_at(card) for card in DECK},
        "needed": enrol.LOOKS_NEEDED,
        "missing": [str(card) for card in state.missing],
        "seen_now": [str(card) for card in state.seen_now],
        "conflicts": [str(card) for card in state.conflicts],
        "asked": [
            {
                "key": asked.key,
                "candidates": [[str(card), round(p, 3)] for card, p in asked.candidates],
            }
            for asked in state.asked
        ],
        "deck": None if job.deck is None else told_of(job.deck),
    }
