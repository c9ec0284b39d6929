"""Is the camera well? A pure judge of what the reader process shows (C1, C2, C8, C9)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class Health(StrEnum):
    """What the camera is doing."""

    STARTING = "starting"
    LIVE = "live"
    LOST = "lost"
    FROZEN = "frozen"
    BLACK = "black"
    BLOCKED = "blocked"
    WILD = "wild"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Seconds, unless said. Every fault must be visible within 2 s.

    ``stall``: without a new picture → blocked. ``frozen``: the same picture again and again.
    ``black``: nothing to be seen. ``open``: to open a camera before it counts as blocked.
    ``dark``: brightness (0 … 255) that counts as black. ``wild``: pictures a second that no
    camera gives. ``retry`` … ``retry_most``: pause before the next try, doubled each time.
    ``remind``: between log lines about a state that lasts.
    """

    stall: float = 1.2
    frozen: float = 1.2
    black: float = 1.0
    open: float = 12.0
    dark: int = 10
    wild: float = 200.0
    wild_for: float = 1.0
    retry: float = 0.5
    retry_most: float = 5.0
    remind: float = 600.0


@dataclass(frozen=True, slots=True)
class Signs:
    """What the reader process shows at one moment.

    ``count``: pictures taken since it started. ``taken``: when the last one came. ``print``: a
    checksum of it. ``brightest``: of its pixels. ``error``: what it reported. ``starved``: seconds
    of the present pause between pictures in which it was ready but got no processor.
    """

    alive: bool
    opened: bool
    count: int = 0
    taken: float = 0.0
    print: int = 0
    brightest: int = 255
    error: str = ""
    ended: bool = False
    starved: float = 0.0


@dataclass(frozen=True, slots=True)
class Watch:
    """What the judge remembers from moment to moment.

    ``prints`` and ``bright``: how often the picture changed, and whether anything was to be seen,
    since the reader process started at ``started`` and gave its first picture at ``first``; a
    fault stays shown until these disprove it. ``proven``: this very process shows the fault.
    ``newest``: when the last picture was noticed; a picture that is not there says nothing.
    """

    health: Health = Health.STARTING
    since: float = 0.0
    started: float = 0.0
    last_count: int = 0
    print: int | None = None
    print_since: float = 0.0
    prints: int = 0
    dark_since: float | None = None
    bright: bool = False
    first: float | None = None
    newest: float = 0.0
    proven: bool = False
    rate_from: tuple[float, int] = (0.0, 0)
    rate_high_since: float | None = None
    failures: int = 0
    message: str = ""


def begin(watch: Watch, now: float) -> Watch:
    """A reader process was started. A fault stays shown until pictures come again."""
    return replace(
        watch,
        started=now,
        since=watch.since or now,
        last_count=0,
        print=None,
        print_since=now,
        newest=now,
        prints=0,
        dark_since=None,
        bright=False,
        first=None,
        proven=False,
        rate_from=(now, 0),
        rate_high_since=None,
    )


def judge(watch: Watch, signs: Signs, now: float, live: bool, settings: WatchSettings) -> Watch:
    """The state after looking at the signs. ``live``: a camera, not a recording or photograph."""
    watch = _remember(watch, signs, now, settings)
    health, message, proven = _diagnosis(watch, signs, now, live, settings)
    failures = 0 if health == Health.LIVE and now - watch.started > 5.0 else watch.failures
    since = watch.since if health == watch.health else now
    return replace(
        watch, health=health, since=since, failures=failures, message=message, proven=proven
    )


def must_restart(watch: Watch) -> bool:
    """Whether the reader process has to be ended and started again."""
    bad = (Health.LOST, Health.FROZEN, Health.BLOCKED, Health.WILD)
    return watch.proven and watch.health in bad


def pause_before_restart(watch: Watch, settings: WatchSettings) -> float:
    """Seconds to wait, growing with each failure in a row."""
    return min(settings.retry * 2.0 ** min(watch.failures, 10), settings.retry_most)


def _remember(watch: Watch, signs: Signs, now: float, settings: WatchSettings) -> Watch:
    if signs.count != watch.last_count:
        if signs.print != watch.print:
            watch = replace(watch, print=signs.print, print_since=now, prints=watch.prints + 1)
        if signs.brightest > settings.dark:
            watch = replace(watch, dark_since=None, bright=True)
        elif watch.dark_since is None:
            watch = replace(watch, dark_since=now)
        first = now if watch.first is None else watch.first
        watch = replace(watch, last_count=signs.count, first=first, newest=now)
    start, count = watch.rate_from
    if now - start >= 0.5:
        high = (signs.count - count) / (now - start) > settings.wild
        since = (watch.rate_high_since or start) if high else None
        watch = replace(watch, rate_from=(now, signs.count), rate_high_since=since)
    return watch


def _diagnosis(
    watch: Watch, signs: Signs, now: float, live: bool, settings: WatchSettings
) -> tuple[Health, str, bool]:
    """Health, message, and whether this very process shows it."""
    if signs.ended:
        return Health.ENDED, "the recording is over", True
    if signs.error:
        return Health.LOST, signs.error, True
    if not signs.alive:
        return Health.LOST, "the camera's reader process ended", True
    if not signs.opened or signs.count == 0:
        if now - watch.started - signs.starved > settings.open:
            return Health.BLOCKED, "the camera does not open", True
        # Until pictures come, a fault that was shown stays shown.
        waiting = watch.health if watch.health != Health.LIVE else Health.STARTING
        return waiting, watch.message, False
    if now - signs.taken - signs.starved > settings.stall:
        return Health.BLOCKED, "the camera gives no more pictures", True
    if live:
        fault = _fault(watch, now, settings)
        if fault is not None:
            return *fault, True
        if _not_disproved(watch, now, settings):
            return watch.health, watch.message, False
    return Health.LIVE, "", True


def _fault(watch: Watch, now: float, settings: WatchSettings) -> tuple[Health, str] | None:
    """What is wrong with the pictures that come."""
    high = watch.rate_high_since
    if high is not None and now - high >= settings.wild_for:
        return Health.WILD, "pictures come faster than a camera can take them"
    if watch.dark_since is not None and watch.newest - watch.dark_since > settings.black:
        return Health.BLACK, "the picture is black: is the lens covered?"
    # A black picture may stand still too; the lens is then the better thing to name.
    if watch.dark_since is None and watch.newest - watch.print_since > settings.frozen:
        return Health.FROZEN, "the picture stands still"
    return None


def _not_disproved(watch: Watch, now: float, settings: WatchSettings) -> bool:
    """Whether pictures from the new reader process may still have the fault that was shown."""
    if watch.health == Health.FROZEN:
        return watch.prints < 3
    if watch.health == Health.BLACK:
        return not watch.bright
    if watch.health == Health.WILD:
        first = watch.first if watch.first is not None else now
        return now - first < 1.5 * settings.wild_for or watch.rate_high_since is not None
    return False
