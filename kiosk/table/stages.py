"""Where a round stands, worked out from its state: the stage, the settlements, the questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from kiosk.table.answers import all_right
from kiosk.table.dealer import Drawing, buyers, drawing_of, is_complete
from kiosk.table.plan import Plan
from kiosk.table.questions import table_reasons
from kiosk.table.reason import Reason
from kiosk.table.settlement import Settlements, settle_boxes
from kiosk.table.state import BoxState, Core, RoundSettings, zone_of
from kiosk.table.zones import OPENED

Stage = Literal[
    "clear", "dealing", "dealer-complete", "no-game", "buying", "settling", "done", "void"
]


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from a Core. ``reasons``: all that stands in the way, asked or not yet.
    ``complete``: every box in play is settled or overruled."""

    reasons: tuple[Reason, ...]
    settlements: Settlements
    drawing: Drawing | None
    complete: bool
    stage: Stage = field(default="clear")

    def questions(self, core: Core) -> tuple[Reason, ...]:
        """The reasons that people are asked about."""
        return tuple(reason for reason in self.reasons if core.is_asked(reason.id))


@dataclass(frozen=True, slots=True)
class Facts:
    """What the stage table looks at."""

    core: Core
    plan: Plan
    drawing: Drawing | None
    complete: bool
    playing: tuple[BoxState, ...]

    @property
    def dealt(self) -> bool:
        return any(zone.touched or zone.hand for zone in self.core.zones)

    @property
    def opened(self) -> bool:
        """A box's cards have been opened, or a box is settled already."""
        opened = (len(self.core.zone(zone_of(b.box)).hand) >= OPENED for b in self.playing)
        return any(opened) or bool(self.core.settled)

    @property
    def buying(self) -> bool:
        return self.drawing is not None and self.drawing.due and bool(buyers(self.core))

    @property
    def undecided(self) -> bool:
        """The dealer has no game and some box has not said whether it buys it."""
        if self.drawing is None or not self.plan.buy or self.core.draws or not self.drawing.due:
            return False
        return any(b.buy is None and b.action == "play" for b in self.playing)


STAGES: tuple[tuple[Stage, Callable[[Facts], bool]], ...] = (
    ("void", lambda f: f.core.voided is not None),
    ("clear", lambda f: not f.dealt),
    ("done", lambda f: f.complete),
    ("dealing", lambda f: not is_complete(f.core)),
    ("buying", lambda f: f.buying),
    ("settling", lambda f: f.opened),
    ("no-game", lambda f: f.undecided),
    ("dealer-complete", lambda f: True),
)
"""The first stage whose condition holds is the stage of the round."""


def derive(core: Core, settings: RoundSettings, plan: Plan) -> Derived:
    """Everything that follows from the state, from scratch."""
    reasons = table_reasons(core, settings, plan)
    settlements = settle_boxes(core, settings, plan, reasons)
    playing = tuple(box for box in core.boxes if core.in_play(box))
    complete = core.voided is None and _complete(core, settlements, playing)
    drawing = drawing_of(core, plan)
    facts = Facts(core, plan, drawing, complete, playing)
    stage = next(stage for stage, holds in STAGES if holds(facts))
    return Derived((*reasons, *settlements.errors), settlements, drawing, complete, stage)


def _complete(core: Core, settlements: Settlements, playing: tuple[BoxState, ...]) -> bool:
    done = all(box.overruled or box.box in settlements.results for box in playing)
    return done and (is_complete(core) or bool(playing))


def unanswered_boxes(
    core: Core, settings: RoundSettings, results: Mapping[int, Mapping[str, object]]
) -> tuple[int, ...]:
    """Boxes that were shown without an answer, which is still owed or to be overruled (P4)."""
    if settings.mode == "demo" or settings.unanswered == "counted":
        return ()
    return tuple(
        box.box
        for box in core.boxes
        if box.revealed
        and not box.answers
        and not box.overruled
        and box.box in results
        and core.in_play(box)
    )


def wrong_boxes(core: Core, results: Mapping[int, Mapping[str, object]]) -> tuple[int, ...]:
    """Boxes whose revealed answer is wrong and neither corrected nor overruled (P4)."""
    return tuple(
        box.box
        for box in core.boxes
        if box.revealed
        and box.answers
        and not box.overruled
        and box.box in results
        and not all_right(box.answers[-1], results[box.box])
    )
