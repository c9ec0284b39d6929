"""The namer: 48×48 cut-out in, 13 + 4 + 1 logits out. One small network finds how the index stands,
it is set upright by that, and a residual network names it."""

from __future__ import annotations

import re

import torch
from torch import nn
from torch.nn import functional

INPUT = 48
UPRIGHT_SPAN = 1.3
"""Side of what the naming network sees, in longer sides of the index."""

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


class PoseNet(nn.Module):
    """Cut-outs (n, 3, 48, 48), about 0 → how their index stands, (n, 6): direction of its upper
    edge (cosine, sine, of any length), logarithms of its width and height, its middle; lengths in
    halves of the cut-out's side."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            _down(3, 16, 5),
            _down(16, 32),
            _Residual(32),
            _down(32, 64),
            _Residual(64),
            nn.Conv2d(64, 32, 1, bias=False),
            nn.BatchNorm2d(32),
            nn.ReLU(),
            nn.Flatten(),
            nn.Linear(32 * 36, 128),
            nn.ReLU(),
            nn.Linear(128, 6),
        )

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        return self.layers(crops)


LEAST, MOST = 0.35, 1.1
"""Bounds of half the longer side of an index, in halves of the cut-out's side."""


def _squares() -> torch.Tensor:
    """Middles of the pixels of an input, (INPUT, INPUT, 2): x and y from -1 to 1."""
    steps = (torch.arange(INPUT) * 2 + 1) / INPUT - 1
    return torch.stack(torch.meshgrid(steps, steps, indexing="xy"), -1)


def upright(crops: torch.Tensor, pose: torch.Tensor, squares: torch.Tensor) -> torch.Tensor:
    """Cut-outs (n, 3, 48, 48) turned, moved and scaled so that an index of that pose (n, 6) stands
    upright in the middle, its longer side 1 / UPRIGHT_SPAN of the input's."""
    way = functional.normalize(pose[:, :2], dim=1, eps=1e-4)
    half = pose[:, 2:4].amax(1).exp().clamp(LEAST, MOST) * UPRIGHT_SPAN
    across = (way * half[:, None])[:, None, None]
    down = torch.stack([-across[..., 1], across[..., 0]], -1)
    middle = pose[:, None, None, 4:6].clamp(-0.5, 0.5)
    grid = middle + squares[None, ..., :1] * across + squares[None, ..., 1:] * down
    return functional.grid_sample(crops, grid, padding_mode="border", align_corners=False)


class NamerNet(nn.Module):
    """RGB 0 … 1 of shape (n, 3, 48, 48) → logits (n, 18): ranks, suits, is-index."""

    squares: torch.Tensor

    def __init__(
        self, widths: tuple[int, int, int] = (28, 56, 112), depths: tuple[int, int, int] = (1, 3, 3)
    ) -> None:
        super().__init__()
        self.pose = PoseNet()
        self.register_buffer("squares", _squares(), persistent=False)
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

    def seen(self, crops: torch.Tensor, pose: torch.Tensor) -> torch.Tensor:
        """What the first dense layer sees of cut-outs about 0 whose index stands so."""
        return self.features(upright(crops, pose, self.squares))

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        return self.both(crops)[0]

    def both(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (n, 18) and poses (n, 6). Naming does not teach the pose."""
        crops = (crops - 0.45) * 4
        pose = self.pose(crops)
        return self.head(self.seen(crops, pose.detach().float())), pose


def grown(net: NamerNet, weights: dict[str, torch.Tensor], new_pose: bool = False) -> NamerNet:
    """The net with an earlier one's weights: blocks that those lack begin as doing nothing.

    ``new_pose``: they may be of a net that knew no pose; that is still to be learnt then.
    ValueError for weights of another net.
    """
    renamed = {
        re.sub(r"^(features\.[135])\.body", r"\1.0.body", name): value
        for name, value in weights.items()
    }
    for name, module in net.features.named_modules(prefix="features"):
        if isinstance(module, _Residual) and f"{name}.body.0.weight" not in renamed:
            nn.init.zeros_(module.body[4].weight)
    missing, unexpected = net.load_state_dict(renamed, strict=False)
    allowed = r"features\..*\.body\." + (r"|pose\." if new_pose else "")
    other = [name for name in missing if not re.match(allowed, name)]
    if unexpected or other:
        raise ValueError(f"weights of another net: {sorted(unexpected)[:3]} {other[:3]}")
    return net


class WithFeatures(nn.Module):
    """The namer that also gives what its last layer sees, (n, 192), for adapting it to a deck, and
    where the head of the index points, (n, 2) of length 1."""

    def __init__(self, net: NamerNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        crops = (crops - 0.45) * 4
        pose = self.net.pose(crops)
        seen = self.net.head[:3](self.net.seen(crops, pose))
        up = functional.normalize(torch.stack([pose[:, 1], -pose[:, 0]], 1), dim=1, eps=1e-4)
        return self.net.head[3](seen), seen, up
