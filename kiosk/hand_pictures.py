"""Pictures of one hand for the record, taken while its cards lie: none shows the next deal."""

from __future__ import annotations

import logging
from collections.abc import Callable

from kiosk.record.pictures import Picture
from kiosk.table.places import DEALER, box_of
from kiosk.table.state import Core
from kiosk.table.zones import felt_clear

log = logging.getLogger(__name__)


class HandPictures:
    """``dealer`` and ``boxN``: read or settled; ``end``: the felt after the hand. Each is the
    newest on which these cards lie; what happens later, about cards that are gone, takes no other.

    ``picture``: the newest picture of the table as JPEG, None when there is none.
    """

    def __init__(self, picture: Callable[[], bytes | None]) -> None:
        self.picture = picture
        self._kept: dict[str, bytes] = {}
        self._given: dict[str, bytes] = {}
        self._end: bytes | None = None

    def begin(self) -> None:
        """Another hand."""
        self._kept, self._given, self._end = {}, {}, None

    def look(self, zone: str, core: Core) -> None:
        """News of a place of the dealer or a box: its picture, while the cards lie there."""
        if (zone == DEALER or box_of(zone) is not None) and lies(core, zone):
            jpeg = self.shot()
            if jpeg is not None:
                self._kept[zone] = jpeg

    def watch(self, before: Core, after: Core) -> None:
        """A step within the hand: the felt's picture when its cards have been collected."""
        if after.cleared and not before.cleared:
            self._end = self.shot() if felt_clear(after) else None

    def fresh(self) -> list[Picture]:
        """Of the dealer's cards and the boxes' those that were not given out yet."""
        new = {role: jpeg for role, jpeg in self._kept.items() if self._given.get(role) != jpeg}
        self._given |= new
        return [Picture(role, jpeg) for role, jpeg in new.items()]

    def now(self, role: str, core: Core) -> list[Picture]:
        """The table as it looks now, while cards of the hand lie there; nothing afterwards."""
        lying = any(lies(core, zone.zone) for zone in core.zones)
        return self._as(role, self.shot() if lying else None)

    def end(self, core: Core) -> list[Picture]:
        """The felt when the hand was over; nothing where the next one was dealt already."""
        return self._as("end", self._end if core.cleared else self.shot())

    def shot(self) -> bytes | None:
        """The newest picture; one that fails costs the picture, never the entry."""
        try:
            return self.picture()
        except Exception:
            log.exception("no picture could be taken for the record")
            return None

    def _as(self, role: str, jpeg: bytes | None) -> list[Picture]:
        return [] if jpeg is None else [Picture(role, jpeg)]


def lies(core: Core, name: str) -> bool:
    """Whether the hand of this zone lies there still, rather than bare felt or another one's.

    Cards that the camera never saw there and a person entered lie there until the hand is over.
    """
    zone = core.zone(name)
    read = any(held.seen is not None for held in zone.hand)
    taken_off = read and (zone.bare or name in core.gone)
    return bool(zone.hand) and not (core.cleared or zone.stale or taken_off)
