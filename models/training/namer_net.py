"""The namer: a small residual network, 48×48 cut-out in, 13 + 4 + 1 logits out."""

from __future__ import annotations

import re

import torch
from torch import nn

INPUT = 48
RANK_SLICE, SUIT_SLICE, INDEX_COLUMN = slice(0, 13), slice(13, 17), 17


class _Residual(nn.Module):
    """Two 3×3 convolutions around an identity."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.body(x))


def _down(before: int, after: int, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, kernel, stride=2, padding=kernel // 2, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(),
    )


class NamerNet(nn.Module):
    """RGB 0 … 1 of shape (n, 3, 48, 48) → logits (n, 18): ranks, suits, is-index."""

    def __init__(
        self, widths: tuple[int, int, int] = (28, 56, 112), depths: tuple[int, int, int] = (1, 2, 2)
    ) -> None:
        super().__init__()
        stages: list[nn.Module] = []
        for place, (width, depth) in enumerate(zip(widths, depths, strict=True)):
            stages.append(_down(widths[place - 1], width) if place else _down(3, width, 5))
            stages.append(nn.Sequential(*(_Residual(width) for _ in range(depth))))
        self.features = nn.Sequential(
            *stages,
            nn.Conv2d(widths[-1], 64, 1, bias=False),
            nn.BatchNorm2d(64),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.head = nn.Sequential(
            nn.Linear(64 * 36, 192), nn.ReLU(), nn.Dropout(0.2), nn.Linear(192, 18)
        )

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        return self.head(self.features((crops - 0.45) * 4))


def grown(net: NamerNet, weights: dict[str, torch.Tensor]) -> NamerNet:
    """The net with a shallower one's weights: blocks that those lack begin as doing nothing."""
    renamed = {
        re.sub(r"^(features\.[135])\.body", r"\1.0.body", name): value
        for name, value in weights.items()
    }
    for name, module in net.named_modules():
        if isinstance(module, _Residual) and f"{name}.body.0.weight" not in renamed:
            nn.init.zeros_(module.body[4].weight)
    missing, unexpected = net.load_state_dict(renamed, strict=False)
    if unexpected or any(".body." not in name for name in missing):
        raise ValueError(f"weights of another net: {sorted(unexpected)[:3]} {missing[:3]}")
    return net


class WithFeatures(nn.Module):
    """The namer that also gives what its last layer sees, (n, 192), for adapting it to a deck."""

    def __init__(self, net: NamerNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = self.net.head[:3](self.net.features((crops - 0.45) * 4))
        return self.net.head[3](seen), seen
