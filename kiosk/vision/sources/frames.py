"""What a capture hands out: pictures, and what is known of the camera."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.vision.images import Image
from kiosk.vision.sources.streams import Delivered
from kiosk.vision.sources.watch import Health


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture. ``number`` grows over the whole run; ``t``: when taken, monotonic seconds;
    ``media``: seconds in the recording.
    """

    number: int
    t: float
    media: float
    image: Image


@dataclass(frozen=True, slots=True)
class CameraState:
    """What is known of the camera now. ``age``: seconds since the newest frame was taken."""

    health: Health
    since: float
    message: str
    age: float | None
    delivered: Delivered | None
    mismatches: tuple[str, ...]
    restarts: int

    @property
    def trouble(self) -> str | None:
        """The word for TableView.trouble; None while pictures come."""
        return None if self.health == Health.LIVE else f"camera-{self.health.value}"
