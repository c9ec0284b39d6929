"""Frames in, TableView out: watch, look where it is still and changed, name, vote.

One owner, one thread. ``step`` never waits for a camera; time comes with the frames.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace

from calibration.layout import Layout
from kiosk.sightings import Box, FrameReading, TableView
from kiosk.vision import voting
from kiosk.vision.closer import look_scale
from kiosk.vision.guards import Guard, Guards
from kiosk.vision.images import Image
from kiosk.vision.light import LightGuard
from kiosk.vision.likeness import Pictures
from kiosk.vision.looks import looks_of
from kiosk.vision.motion import MotionSettings, ZoneWatch
from kiosk.vision.print import Cloth, cloth_of, without_print
from kiosk.vision.reader import Reader
from kiosk.vision.tracks import Look, TableState, VotingSettings
from kiosk.vision.turns import Memory, forget, places, remember
from kiosk.vision.views import view
from kiosk.vision.zones import OUTSIDE, Plane, plane_of


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """``margin``: felt centimetres looked at round a zone. ``whole``: share of the picture above
    which one whole look replaces several zone looks. ``each``: seconds after which every zone is
    looked at again, one in turn each ``turn`` seconds. ``unsettled``: seconds between looks at a
    zone whose looks do not agree. ``forget``: looks after which such a zone is left to that pace.
    ``closer``: how much larger than usual each of the first looks at a change sees it; what the
    finder misses at one size it mostly finds at another.
    """

    margin: float = 1.5
    whole: float = 0.6
    each: float = 10.0
    turn: float = 1.0
    unsettled: float = 0.5
    forget: int = 8
    closer: tuple[float, ...] = (1.0, 1.87, 1.25, 1.87, 1.25)


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds from the frame being taken to the view being there, over the last looks."""

    count: int
    median_ms: float
    p95_ms: float
    looks: int


_IN_TIME = 0.85
"""Share of the longest time in which all zones have had their turn; pictures come in steps."""


@dataclass
class _Visit:
    """When a zone was last read, and how often since it last changed."""

    t: float = float("-inf")
    looks: int = 0


class Pipeline:
    """The vision side of one table."""

    def __init__(
        self,
        reader: Reader,
        layout: Layout,
        settings: PipelineSettings | None = None,
        votes: VotingSettings | None = None,
        motion: MotionSettings | None = None,
        guards: Iterable[Guard] = (),
    ) -> None:
        self.reader = reader
        self.layout = layout
        self.settings = settings or PipelineSettings()
        self._votes = replace(
            votes or VotingSettings(accept=reader.thresholds.name),
            card_diagonal=layout.card.diagonal,
        )
        self._motion = motion or MotionSettings()
        self._plane: Plane | None = None
        self._orders: deque[Layout | None] = deque()
        """Layouts to take before the next frame, the last one counts; None: the same anew."""
        self._watch: ZoneWatch | None = None
        self._state = voting.new_state(layout.zone_ids, self._votes)
        self._visits: dict[str, _Visit] = {}
        self._last_turn = float("-inf")
        self._costs: deque[float] = deque(maxlen=500)
        self._looks = 0
        self._memory: Memory = ()
        self._pictures = Pictures()
        self._cloth: Cloth | None = None
        self._guards = Guards((LightGuard(self.index_boxes), *guards))

    def add_guard(self, guard: Guard) -> None:
        """Have one more guard look at the pictures, from the next one on."""
        self._guards.add(guard)

    def index_boxes(self) -> tuple[Box, ...]:
        """Where the last looks found the indices of accepted cards, pixels."""
        return tuple(
            box
            for zone in self._state.zones
            if not zone.moving
            for track in zone.cards
            if track.accepted and track.scores[-1] > 0
            for box in track.boxes
        )

    @property
    def plane(self) -> Plane | None:
        """The felt as the frames show it; None before the first frame."""
        return self._plane

    @property
    def timing(self) -> Timing:
        """How fast it was lately."""
        costs = sorted(self._costs)
        if not costs:
            return Timing(0, 0.0, 0.0, 0)
        return Timing(
            len(costs),
            costs[len(costs) // 2],
            costs[min(len(costs) - 1, int(len(costs) * 0.95))],
            self._looks,
        )

    def use(self, layout: Layout) -> None:
        """Another layout, from the next frame on. From any thread."""
        self._orders.append(layout)

    def start_over(self) -> None:
        """Forget everything before the next frame. From any thread."""
        self._orders.append(None)

    def reset(self) -> None:
        """Forget everything, as at the start (another source, another layout)."""
        self._plane = None
        self._watch = None
        self._state = voting.new_state(self.layout.zone_ids, self._votes)
        self._visits = {}
        self._memory = ()
        self._pictures = Pictures()
        self._guards.reset()

    def step(self, image: Image, t: float, taken: float | None = None) -> TableView:
        """Take one frame seen at ``t`` and give the table as it stands.

        ``taken``: the frame's time on the process's monotonic clock, when it differs from ``t``
        or the timing is wanted. At most one picture's worth of looking is done in one step.
        """
        if self._orders:
            while self._orders:
                self.layout = self._orders.popleft() or self.layout
            self._votes = replace(self._votes, card_diagonal=self.layout.card.diagonal)
            self.reset()
        watch = self._watching(image, t)
        for name in watch.names:
            self._state = voting.set_moving(self._state, name, watch.moving(name, t))
        trouble = self._guards.word(image, t, watch)
        # What cannot be trusted takes no card away and adds none.
        due = self._due(watch, t) if trouble is None else []
        if due:
            self._look(image, t, due, watch)
            if taken is not None:
                self._costs.append((time.monotonic() - taken) * 1000)
        return view(self._state, t, trouble)

    def trouble(self, t: float, word: str) -> TableView:
        """The table as last seen, with the reason why it cannot be trusted now."""
        return view(self._state, t, word)

    def _watching(self, image: Image, t: float) -> ZoneWatch:
        height, width = image.shape[:2]
        if self._plane is None or (self._plane.width, self._plane.height) != (width, height):
            self._plane = plane_of(self.layout, width, height)
            self._watch = None
        if self._watch is None:
            self._watch = ZoneWatch(self._plane, self._motion)
            self._visits = {name: _Visit() for name in self._watch.names}
            self._memory = ()
        self._watch.feed(image, t)
        return self._watch

    def _due(self, watch: ZoneWatch, t: float) -> list[str]:
        """Zones to read now: still, and changed or not yet agreed on; else one in its turn."""
        still = [name for name in watch.names if not watch.moving(name, t)]
        due = []
        for name in still:
            visit = self._visits[name]
            if watch.changed(name):
                visit.looks = 0
                self._forget(name)
            if visit.looks < self._votes.looks:
                due.append(name)
                continue
            agreed = voting.settled(self._state.zone(name), self._votes)
            if not agreed and (
                visit.looks < self.settings.forget or t - visit.t >= self.settings.unsettled
            ):
                due.append(name)
        if due and due != [OUTSIDE]:
            # A whole picture takes long: what lies in the zones comes first.
            return [name for name in due if name != OUTSIDE]
        # With many zones the turns come faster, so that each still has its turn in time.
        places = len(watch.names)
        turn = min(self.settings.turn, _IN_TIME * self.settings.each / places)
        if due or t - self._last_turn < turn or not still:
            return due
        # From turn to turn, not from picture to picture: those come in steps.
        self._last_turn = max(self._last_turn + turn, t - turn)
        oldest = min(still, key=lambda name: self._visits[name].t)
        pace = self.settings.each - turn * places
        return [oldest] if t - self._visits[oldest].t >= pace else []

    def _look(self, image: Image, t: float, due: list[str], watch: ZoneWatch) -> None:
        assert self._plane is not None
        plane = self._plane
        self._cloth = cloth_of(watch.small) if watch.small is not None else None
        regions = {name: plane.region(name, self.settings.margin) for name in due}
        area = sum((x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in regions.values())
        number = max(self._visits[name].looks for name in due)
        much = area >= self.settings.whole * plane.width * plane.height
        if much and self._closeness(number) == 1.0:
            reading = self._read(image, None, t, number)
            still = [name for name in watch.names if not watch.moving(name, t)]
            looks = looks_of(reading, plane, still, self.reader.thresholds)
        else:
            looks = tuple(
                look
                for name, region in regions.items()
                for look in looks_of(
                    self._read(image, region, t, self._visits[name].looks),
                    plane,
                    [name],
                    self.reader.thresholds,
                )
            )
        for look in looks:
            self._vote(look, watch, image)
        self._looks += 1

    def _read(
        self, image: Image, region: tuple[int, int, int, int] | None, t: float, number: int
    ) -> FrameReading:
        """One look, ``number`` looks after a change: indices that were found since then are looked
        at again, their names averaged with those of the earlier looks."""
        scale, whole = self._scale(), (0, 0, *image.shape[1::-1])
        if region not in (None, whole):
            scale *= self._closeness(number)
        known = places(self._memory, region)
        assert self._plane is not None
        tall = self._plane.index_px
        reading = self.reader.read_part(image, region, t, scale, number, known, tall)
        kept = without_print(image, reading.sightings, self._cloth)
        reading = replace(reading, sightings=kept)
        reading, self._memory = remember(self._memory, reading, number, region)
        return reading

    def _closeness(self, number: int) -> float:
        """How much larger than usual the look ``number`` after a change sees a zone."""
        closer = self.settings.closer
        return closer[number] if number < len(closer) else 1.0

    def _forget(self, zone: str) -> None:
        """What lies in the zone may be other cards now: earlier opinions no longer count."""
        assert self._plane is not None
        plane = self._plane
        self._memory = forget(self._memory, lambda at: plane.zone_at(plane.felt(at)) == zone)

    def _scale(self) -> float:
        """The scale at which this table's indices have the size that the finder likes."""
        assert self._plane is not None
        return look_scale(self._plane.index_px)

    def _vote(self, look: Look, watch: ZoneWatch, image: Image) -> None:
        before = self._state.zone(look.zone)
        bare = frozenset(
            key for key, boxes in voting.track_ids(before).items() if watch.bare(look.zone, boxes)
        )
        other = self._pictures.exchanged(look, before.doubts, image, self._votes.same_place)
        self._state = voting.add_look(self._state, replace(look, bare=bare, other=other))
        visit = self._visits[look.zone]
        visit.t, visit.looks = look.t, visit.looks + 1
        watch.mark_read(look.zone)
        after = self._state.zone(look.zone)
        self._pictures.keep(self._state, look.zone, image)
        looked = len(after.bodies) > self._votes.looks // 2
        if looked and not (any(after.bodies) or after.cards or after.doubts):
            watch.mark_empty(look.zone)

    @property
    def state(self) -> TableState:
        """The votes as they stand, for looking into."""
        return self._state
