"""What a lamp, a lens and a sensor do to a picture: light, shadow, glare, blur, noise, JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from models.training.surfaces import smooth_noise

EXPOSURE = (-1.3, 0.45)
"""Stops between which exposure lies, below and above a good one, in held-out pictures."""

TRAINING_EXPOSURE = (-2.0, 0.45)
"""The same of pictures for training: two stops too dark are met in practice. From the next training
on; figures on held-out pictures stay comparable."""


def light(
    rng: np.random.Generator, picture: np.ndarray, stops: tuple[float, float] = EXPOSURE
) -> np.ndarray:
    """Uneven light, a shadow edge, colour cast and exposure between ``stops``. Returns float32."""
    height, width = picture.shape[:2]
    out = picture.astype(np.float32)
    gain = np.ones((height, width), np.float32)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    if rng.random() < 0.7:
        angle = rng.uniform(0, 2 * np.pi)
        slope = (xx / width - 0.5) * np.cos(angle) + (yy / height - 0.5) * np.sin(angle)
        gain *= 1 + slope * rng.uniform(0, 0.9)
    if rng.random() < 0.35:
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
        side = (xx / width - 0.5) * np.cos(angle) + (yy / height - 0.5) * np.sin(angle) - offset
        soft = rng.uniform(0.005, 0.15)
        gain *= 1 - rng.uniform(0.15, 0.6) / (1 + np.exp(-side / soft))
    if rng.random() < 0.2:
        cx, cy, spread = (
            rng.uniform(0, width),
            rng.uniform(0, height),
            rng.uniform(0.05, 0.3) * width,
        )
        spot = np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * spread**2))
        out += spot[..., None] * rng.uniform(20, 130)
    if rng.random() < 0.3:
        gain *= 1 + smooth_noise(rng, height, width, width / 3) * 0.15
    cast = 1 + rng.normal(0, 0.06, 3)
    if rng.random() < 0.3:
        cast = cast * (0.72, 0.92, 1.1)
    if rng.random() < 0.25:
        gain = gain[..., None] * _second_lamp(rng, xx / width, yy / height)
    else:
        gain = gain[..., None]
    exposure = 2 ** rng.uniform(*stops)
    return out * gain * cast.astype(np.float32) * exposure


def _second_lamp(rng: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Gain (rows, columns, 3) of a lamp of another colour that lights one side more."""
    angle = rng.uniform(0, 2 * np.pi)
    near = (x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle)
    share = rng.uniform(0.2, 0.6) / (1 + np.exp(-near / rng.uniform(0.1, 0.4)))
    warm = rng.uniform(-0.3, 0.45)
    colour = np.array((1 - warm, 1 - warm * 0.25, 1 + warm * 0.2), np.float32)
    return ((1 - share)[..., None] + share[..., None] * colour).astype(np.float32)


def camera(rng: np.random.Generator, picture: np.ndarray, sharp: float = 0.5) -> np.ndarray:
    """Blur, sensor noise, tone curve and JPEG. ``sharp``: chance of no blur at all. uint8 out."""
    out = picture
    draw = rng.random()
    if draw > sharp:
        if draw > sharp + (1 - sharp) * 0.35:
            out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.4, 1.5))
        else:
            length = int(rng.integers(2, 7))
            kernel = np.zeros((length, length), np.float32)
            kernel[length // 2] = 1 / length
            turn = cv2.getRotationMatrix2D(
                (length / 2 - 0.5, length / 2 - 0.5), rng.uniform(0, 180), 1
            )
            kernel = cv2.warpAffine(kernel, turn, (length, length))
            out = cv2.filter2D(out, -1, kernel / max(kernel.sum(), 1e-3))
    if rng.random() < 0.7:
        out = out + rng.normal(0, rng.uniform(1, 9), out.shape).astype(np.float32)
    out = np.clip(out, 0, 255)
    if rng.random() < 0.4:
        out = 255 * (out / 255) ** rng.uniform(0.75, 1.35)
    out = out.astype(np.uint8)
    if rng.random() < 0.3:
        blurred = cv2.GaussianBlur(out, (0, 0), 1.2)
        out = cv2.addWeighted(out, 1.6, blurred, -0.6, 0)
    if rng.random() < 0.6:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 92))])
        out = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return out
