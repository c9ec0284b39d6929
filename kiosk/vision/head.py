"""The namer's last layer, and fitting it to one deck with nothing but numpy.

What the namer sees in a cut-out (its features) stays as it was trained; only how these are read as
ranks and suits is fitted. A pull towards the layer that ships keeps it from forgetting the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from kiosk.errors import UserError
from kiosk.vision.runtime import Floats

RANKS_AT, SUITS_AT = slice(0, 13), slice(13, 17)
OUTPUTS = 18

_PULL = 0.02
"""Weight of the pull towards the layer that ships, against a mean loss of about one."""
_STEPS = 400
_RATE = 0.01


@dataclass(frozen=True, eq=False)
class Head:
    """``weights`` (18, features) and ``bias`` (18,): 13 ranks, 4 suits, is-index."""

    weights: Floats
    bias: Floats

    def logits(self, features: Floats) -> Floats:
        """Logits (n, 18) from features (n, features)."""
        return np.asarray(features @ self.weights.T + self.bias, np.float32)

    def save(self, path: Path) -> None:
        """Writes the layer as ``.npz``."""
        with path.open("wb") as file:
            np.savez(file, weights=self.weights, bias=self.bias)


def load_head(path: Path) -> Head:
    """The layer in a file. UserError when it is missing or none."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as data:
            head = Head(data["weights"].astype(np.float32), data["bias"].astype(np.float32))
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise UserError(f"{path}: not a namer's last layer ({error})") from None
    if head.weights.ndim != 2 or head.bias.shape != (OUTPUTS,) or len(head.weights) != OUTPUTS:
        raise UserError(f"{path}: not a namer's last layer: expected {OUTPUTS} outputs")
    return head


def fitted(
    base: Head, features: Floats, ranks: np.ndarray, suits: np.ndarray, pull: float = _PULL
) -> Head:
    """The layer fitted to cut-outs of one deck; the is-index output stays as it was.

    ``features`` (n, f); ``ranks`` and ``suits`` (n,) as positions in RANKS and SUITS. Full-batch
    Adam on two cross-entropies with a quadratic pull towards ``base``; some seconds for thousands.
    """
    rows = np.concatenate([features, np.ones((len(features), 1), np.float32)], 1)
    start = np.concatenate([base.weights, base.bias[:, None]], 1).astype(np.float64)
    now = start.copy()
    mean, square = np.zeros_like(now), np.zeros_like(now)
    targets = [(RANKS_AT, ranks), (SUITS_AT, suits)]
    for step in range(1, _STEPS + 1):
        slope = pull * (now - start)
        for part, truth in targets:
            slope[part] += _slope(now[part], rows, truth)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        rate = _RATE * (1 - step / (_STEPS + 1))
        now -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return Head(now[:, :-1].astype(np.float32), now[:, -1].astype(np.float32))


def _slope(weights: np.ndarray, rows: Floats, truth: np.ndarray) -> np.ndarray:
    """Gradient of the mean cross-entropy by the weights (k, f+1)."""
    logits = rows @ weights.T.astype(np.float32)
    powers = np.exp(logits - logits.max(1, keepdims=True))
    chance = powers / powers.sum(1, keepdims=True)
    chance[np.arange(len(truth)), truth] -= 1
    return np.asarray(chance.T @ rows / len(rows), np.float64)
