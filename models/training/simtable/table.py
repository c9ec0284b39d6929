"""The simulated table: pictures by time, the truth of its rounds, and what the camera does."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import cv2
import numpy as np

from kiosk.cards import Card
from kiosk.rules.houses import load_house_file
from models.training.recording.things import Pose, Thing
from models.training.simtable.deals import deal, layout_for
from models.training.simtable.deck import Deck, draw_deck
from models.training.simtable.light import STOPS, Lamp, Lighting
from models.training.simtable.places import CARD_H, CARD_W, Places, Spot
from models.training.simtable.rounds import SimRound, play_round
from models.training.simtable.spec import CAMERA_FAULTS, Planned, SimSpec, parse_spec
from models.training.simtable.stage import Stage

FIRST = 3.0
"""Seconds of bare felt before the first round."""
_KEPT = 3
"""Rounds remembered behind the newest: a table runs for days."""
_FAULT_SECONDS = 4.0
_WARMING = 6.0
_DIMMING = 1.0
_BUMP = (1.6, 0.9, 0.7)
"""A bump: centimetres to the right and down, degrees."""


class SimTable:
    """One table. Times are seconds from its start; asking for earlier rounds than the last few
    raises ValueError. Everything follows from the spec (and the deck, when one is given)."""

    def __init__(self, spec: SimSpec, deck: Deck | None = None) -> None:
        self.spec = spec
        self.layout = layout_for(spec)
        self.house = load_house_file(spec.house)
        self.places = Places(self.layout)
        camera = self.layout.camera
        self.size = spec.size or (camera.width, camera.height)
        self._stage = Stage(self.places, deck or draw_deck(spec.deck), *self.size, spec.seed)
        self._lamp = Lamp(*self.size, spec.seed)
        self._rounds: list[SimRound] = []
        self._turn = [fault for fault in spec.faults if fault.since is None]

    def frame(self, t: float, number: int) -> np.ndarray:
        """The picture ``number`` at ``t``: BGR uint8."""
        now = self.round_at(t)
        picture = self._stage.paint(now.things if now else [], t)
        shift = self._bumped(now, t)
        if shift is not None:
            picture = cv2.warpAffine(picture, shift, self.size, borderMode=cv2.BORDER_REFLECT)
        return self._lamp.shine(picture, self._light(now, t), number)

    def laid(
        self, cards: Sequence[tuple[Card, Spot]], number: int
    ) -> tuple[np.ndarray, list[tuple[float, float, float, float]]]:
        """The picture ``number`` of cards lying open with their middles at spots (felt cm), and
        where each lies in it (x1, y1, x2, y2 in pixels)."""
        things, boxes = [], []
        for order, (card, (x, y)) in enumerate(cards):
            thing = Thing("card", card)
            thing.put(0.0, Pose(x, y, face=1.0))
            thing.raise_to(0.0, order)
            things.append(thing)
            across, down = CARD_W / 2, CARD_H / 2
            corners = [(x - across, y - down), (x + across, y - down), (x + across, y + down)]
            seen = cv2.perspectiveTransform(
                np.array([[*corners, (x - across, y + down)]], np.float64), self._stage.matrix
            )[0]
            (x1, y1), (x2, y2) = seen.min(axis=0), seen.max(axis=0)
            boxes.append((float(x1), float(y1), float(x2), float(y2)))
        picture = self._stage.paint(things, 0.0)
        return self._lamp.shine(picture, Lighting(), number), boxes

    def round(self, number: int) -> SimRound:
        """The round of that number, counted from 0."""
        for made in self._made():
            if made.number == number:
                return made
            if made.number > number:
                break
        raise ValueError(f"round {number} is over and forgotten")

    def round_at(self, t: float) -> SimRound | None:
        """The round that is on at ``t``; None before the first."""
        if t < FIRST:
            return None
        for made in self._made():
            if made.starts <= t < made.ends:
                return made
            if made.starts > t:
                break
        raise ValueError(f"{t:.1f} s is over and forgotten")

    def quiet(self, t: float, before: float, after: float) -> bool:
        """Whether nothing moves or changes from ``before`` seconds ago to ``after`` from now."""
        now = self.round_at(t)
        if now is None:
            return True
        if now.fault not in (None, "half", "duplicate", "hands"):
            return False
        near = (t - before, t + after)
        return not any(
            one != other and near[0] < t2 and t1 < near[1]
            for thing in now.things
            for (t1, one), (t2, other) in pairwise(thing.keys)
        )

    def camera_fault(self, t: float) -> str | None:
        """What the camera does wrong at ``t``, one of ``spec.CAMERA_FAULTS``."""
        for fault in self.spec.faults:
            if fault.name in CAMERA_FAULTS and _at(fault, t):
                return fault.name
        now = self.round_at(t)
        if now is None or now.fault not in CAMERA_FAULTS:
            return None
        return now.fault if 0 <= t - now.fault_from < _FAULT_SECONDS else None

    def _made(self) -> Iterator[SimRound]:
        """The rounds still known, then further ones, each made when it is asked for."""
        yield from list(self._rounds)
        while True:
            number = self._rounds[-1].number + 1 if self._rounds else 0
            starts = self._rounds[-1].ends if self._rounds else FIRST
            seed = self.spec.seed * 10_000 + number
            fault = self._turn[number % len(self._turn)].name if self._turn else None
            dealt = deal(self.house, self.layout, seed, self.spec.boxes)
            self._rounds.append(play_round(self.places, dealt, number, starts, fault, seed))
            del self._rounds[: -_KEPT - 1]
            yield self._rounds[-1]

    def _active(self, name: str, now: SimRound | None, t: float) -> float | None:
        """Seconds since a fault of light or camera place began; None while it does not hold."""
        for fault in self.spec.faults:
            if fault.name == name and fault.since is not None and _at(fault, t):
                return t - fault.since
        if now is None or now.fault != name or t < now.fault_from:
            return None
        # Put right again when the felt is clear.
        return None if t > now.cleared + 0.4 else t - now.fault_from

    def _light(self, now: SimRound | None, t: float) -> Lighting:
        warm = self._active("warm", now, t)
        stops = 0.0
        for name, most in STOPS.items():
            since = self._active(name, now, t)
            if since is not None:
                stops = max(stops, most * min(1.0, since / _DIMMING))
        return Lighting(
            warm=0.0 if warm is None else min(1.0, warm / _WARMING),
            stops=stops,
            shadow=self._active("shadow", now, t) is not None,
        )

    def _bumped(self, now: SimRound | None, t: float) -> np.ndarray | None:
        """Picture → picture of the camera that no longer looks where it did."""
        width, height = self.size
        scale = width / self.layout.felt.width
        bump, nudge = self._active("bump", now, t), self._active("nudge", now, t)
        if bump is not None:
            share = min(1.0, bump / 0.3)
            x, y, turn = (share * part for part in _BUMP)
        elif nudge is not None and nudge < 0.8:
            swing = math.exp(-3 * nudge) * math.sin(2 * math.pi * 4 * nudge)
            x, y, turn = 0.8 * swing, 0.4 * swing, 0.3 * swing
        else:
            return None
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
        matrix[:, 2] += (x * scale, y * scale)
        return matrix


def _at(fault: Planned, t: float) -> bool:
    return fault.since is not None and fault.until is not None and fault.since <= t < fault.until


def open_table(text: str, deck: Deck | None = None) -> SimTable:
    """The table that ``sim:…`` names. UserError says what is wrong with it."""
    return SimTable(parse_spec(text), deck)
