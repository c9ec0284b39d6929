"""The lamp and the sensor: uneven light, its changes, blur and noise."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.training.surfaces import smooth_noise

_NOISE = 2.2
_ROOM = 48
_UNIT = 128
"""Value of a gain of one in the light's picture."""
WARM = (0.62, 0.90, 1.06)
"""Gain of blue, green and red under an old lamp."""
STOPS = {"dark": 2.0, "gloom": 4.5}
"""How much less light a fault leaves; a stop is half of it."""
_GAMMA = 2.2
"""Cameras write the light down by this power, so a quarter of it leaves half of the level."""
_NOISY = 1.0
"""Stops from which on the sensor's own noise stands out."""


@dataclass(frozen=True)
class Lighting:
    """Light of one moment. ``warm``: how far it has come (0 … 1). ``stops``: by how many stops
    there is less of it. ``shadow``: an edge lies across the table."""

    warm: float = 0.0
    stops: float = 0.0
    shadow: bool = False


class Lamp:
    """Lights pictures of one size, and adds what the sensor adds."""

    def __init__(self, width: int, height: int, seed: int) -> None:
        rng = np.random.default_rng(seed + 1)
        self._gain = _gain(rng, width, height, False)
        self._shadowed = _gain(np.random.default_rng(seed + 1), width, height, True)
        self._lit: tuple[Lighting, np.ndarray] = (Lighting(), self._gain)
        self._grain = {0.0: _grains(width, height, seed, _NOISE)}
        self._seed = seed

    def shine(self, table: np.ndarray, light: Lighting, number: int) -> np.ndarray:
        """The picture ``number`` of a painted table (BGR uint8) under that light."""
        height, width = table.shape[:2]
        lit = cv2.multiply(table, self._gain_of(light), scale=1 / _UNIT)
        lit = cv2.LUT(lit, _curve(light.stops))
        lit = cv2.GaussianBlur(lit, (3, 3), 0.55)
        rng = np.random.default_rng((self._seed, number))
        x, y = (int(v) for v in rng.integers(0, _ROOM, 2))
        bank = self._grains_of(light.stops, width, height)
        noise = bank[number % len(bank)][y : y + height, x : x + width]
        return cv2.add(lit, noise, dtype=cv2.CV_8U)

    def _grains_of(self, stops: float, width: int, height: int) -> list[np.ndarray]:
        """Noise as there is with so much less light."""
        stops = float(round(stops)) if stops >= _NOISY else 0.0
        if stops not in self._grain:
            self._grain[stops] = _grains(width, height, self._seed, _NOISE * noise_gain(stops))
        return self._grain[stops]

    def _gain_of(self, light: Lighting) -> np.ndarray:
        """The lamp's picture, coloured when it goes warm."""
        key = replace(light, warm=round(light.warm, 2), stops=0.0)
        if self._lit[0] != key:
            gain = self._shadowed if light.shadow else self._gain
            if key.warm:
                colour = 1 + (np.array(WARM, np.float32) - 1) * key.warm
                gain = np.clip(gain * colour, 0, 255).astype(np.uint8)
            self._lit = (key, gain)
        return self._lit[1]


def level_gain(stops: float) -> float:
    """What so many stops less light leave of a picture's levels, at the same exposure."""
    return float(0.5 ** (stops / _GAMMA))


def noise_gain(stops: float) -> float:
    """How much stronger the noise in a picture's levels is with so much less light.

    Half of it (in good light) comes with the light itself and hardly changes after the power law,
    half is the sensor's own, which the power law lifts in the dark.
    """
    light = 0.5**stops
    own, shot = light ** (1 / _GAMMA - 1), light ** (1 / _GAMMA - 0.5)
    return float(((own**2 + shot**2) / 2) ** 0.5)


def _grains(width: int, height: int, seed: int, size: float) -> list[np.ndarray]:
    grain = np.zeros((height + _ROOM, width + _ROOM, 3), np.int8)
    cv2.setRNGSeed(seed)
    cv2.randn(grain, (0, 0, 0), (size, size, size))
    return [grain, grain[::-1].copy(), grain[:, ::-1].copy(), grain[::-1, ::-1].copy()]


def _curve(stops: float) -> np.ndarray:
    """The sensor's answer: exposure, and the shoulder that keeps white from burning out."""
    lit = np.arange(256, dtype=np.float32) * level_gain(stops)
    lit = np.where(lit > 205, 205 + (lit - 205) * 0.7, lit)
    return np.clip(lit, 0, 255).astype(np.uint8)


def _gain(rng: np.random.Generator, width: int, height: int, shadow: bool) -> np.ndarray:
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = xx / width, yy / height
    lamp = np.exp(-(((x - 0.42) / 0.75) ** 2 + ((y - 0.36) / 0.85) ** 2))
    gain = 0.66 + 0.40 * lamp
    gain *= 1 + smooth_noise(rng, height, width, width / 3) * 0.03
    if shadow:
        side = (x - 0.55) * 0.9 + (y - 0.5) * 0.43
        gain *= 1 - 0.55 / (1 + np.exp(-side / 0.012))
    tint = np.array((1.02, 1.0, 1.0), np.float32)
    return np.clip(gain[..., None] * tint * _UNIT, 0, 255).astype(np.uint8)
