"""Trains the namer on stored cut-outs, turned and shifted anew each time.

    python -m models.training.train_namer DATA --minutes 30 --run namer1

Reads all ``render*.npz``, ``half*.npz`` and ``real-train-*.npz`` of DATA; rendered shards are
re-listed every ``--reload`` steps, so that cut-outs rendered meanwhile join in. Checkpoints to
``runs/RUN/last.pt`` each minute (``model``: the running mean); ``--resume`` goes on from there on
the same schedule.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from models.training.namer_data import NO_POSE, SPAN, STORE, STORE_SPAN, UNSURE
from models.training.namer_net import INDEX_COLUMN, INPUT, RANK_SLICE, SUIT_SLICE, NamerNet, grown

CHANNELS_LAST = torch.channels_last

UNSURE_WEIGHT = 0.5
"""Of unsure cut-outs against those of indices; each is a share of the batch."""

TURN_RIGHT = 0.94
"""Cosine of the turn that an index may be off by and count as set upright: 20 degrees."""

MEAN_DECAY = 0.998
"""Of the running mean of the weights, which is what is judged and exported."""

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


class Pool:
    """Cut-outs in memory: crops (n, 72, 72, 3) uint8, rank and suit (n,), pose (n, 3, 2)."""

    def __init__(self, files: list[Path]) -> None:
        ranks, suits, poses = [], [], []
        for path in files:
            with np.load(path) as part:
                ranks.append(part["rank"].astype(np.int64))
                suits.append(part["suit"].astype(np.int64))
                unknown = np.broadcast_to(NO_POSE, (len(ranks[-1]), 3, 2))
                poses.append(part.get("pose", unknown))
        self.rank, self.suit = np.concatenate(ranks), np.concatenate(suits)
        self.pose = np.concatenate(poses)
        self.posed = np.flatnonzero(~np.isnan(self.pose[:, 0, 0]))
        # Filled file by file: whole pools are as large as the memory of a small machine.
        self.crops = np.empty((len(self.rank), STORE, STORE, 3), np.uint8)
        start = 0
        for path in files:
            with np.load(path) as part:
                crops = part["crops"]
            self.crops[start : start + len(crops)] = crops
            start += len(crops)

    def __len__(self) -> int:
        return len(self.rank)

    def draw(
        self, rng: np.random.Generator, count: int, posed: bool = False
    ) -> tuple[np.ndarray, ...]:
        """So many of them at random; ``posed``: of those whose pose is known."""
        rows = rng.integers(len(self.posed if posed else self), size=count)
        rows = self.posed[rows] if posed else rows
        return self.crops[rows], self.rank[rows], self.suit[rows], self.pose[rows]


def to_input(
    crops: torch.Tensor, generator: torch.Generator | None, pose: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Stored BGR uint8 cut-outs → network input and how the poses (n, 3, 2) lie in it; augmented
    when a generator is given."""
    x = crops.permute(0, 3, 1, 2).flip(1).float() / 255
    n = len(x)
    zoom = torch.full((n,), SPAN / STORE_SPAN)
    angle, shift = torch.zeros(n), torch.zeros(n, 2)
    stretch, shear = torch.zeros(n), torch.zeros(n)
    if generator is not None:
        zoom = zoom * torch.exp(torch.randn(n, generator=generator) * 0.09)
        angle = torch.rand(n, generator=generator) * 2 * math.pi
        shift = torch.randn(n, 2, generator=generator) * 0.045
        stretch = torch.randn(n, generator=generator) * 0.06
        shear = torch.randn(n, generator=generator) * 0.06
    cos, sin = torch.cos(angle) * zoom, torch.sin(angle) * zoom
    wide, high = torch.exp(stretch), torch.exp(-stretch)
    rows = [
        torch.stack([cos * wide, -sin * high + shear * zoom, shift[:, 0]], 1),
        torch.stack([sin * wide, cos * high, shift[:, 1]], 1),
    ]
    grid = functional.affine_grid(torch.stack(rows, 1), [n, 3, INPUT, INPUT], align_corners=False)
    x = functional.grid_sample(x, grid, padding_mode="border", align_corners=False)
    if generator is not None:
        gain = torch.exp(torch.randn(n, 1, 1, 1, generator=generator) * 0.25)
        tint = torch.exp(torch.randn(n, 3, 1, 1, generator=generator) * 0.06)
        x = (x * gain * tint + torch.randn(n, 1, 1, 1, generator=generator) * 0.04).clamp(0, 1)
        x = (x + torch.randn(x.shape, generator=generator) * 0.015).clamp(0, 1)
    if pose is None:
        return x, None
    place = torch.stack(rows, 1)
    moved = pose.clone()
    moved[:, 0] -= place[:, :, 2]
    return x, torch.linalg.solve(place[:, None, :, :2], moved[..., None])[..., 0]


def pose_loss(found: torch.Tensor, pose: torch.Tensor) -> torch.Tensor:
    """How far poses (n, 6) as the network gives them are from true ones (n, 3, 2); unknown ones do
    not count."""
    known = ~pose[:, 0, 0].isnan()
    if not known.any():
        return found.sum() * 0
    found, (middle, across, down) = found[known], pose[known].unbind(1)
    wide, high = across.norm(dim=1), down.norm(dim=1)
    level = across + torch.stack([down[:, 1], -down[:, 0]], 1)
    turn = 1 - functional.cosine_similarity(found[:, :2], level, eps=1e-4)
    sides = torch.stack([wide, high], 1).clamp_min(0.02).log()
    return (
        turn.mean()
        + functional.smooth_l1_loss(found[:, 2:4], sides, beta=0.2)
        + functional.smooth_l1_loss(found[:, 4:], middle, beta=0.1)
    )


def loss_of(logits: torch.Tensor, rank: torch.Tensor, suit: torch.Tensor) -> torch.Tensor:
    """Cross-entropies of rank and suit on indices, and of index or not on all but the unsure ones:
    of these no rank and no suit shall be likelier than another."""
    is_index, unsure = rank >= 0, rank == UNSURE
    loss = functional.binary_cross_entropy_with_logits(
        logits[~unsure, INDEX_COLUMN], is_index[~unsure].float()
    )
    if unsure.any():
        for part in (RANK_SLICE, SUIT_SLICE):
            chances = functional.log_softmax(logits[unsure][:, part], 1)
            loss = loss - UNSURE_WEIGHT * unsure.float().mean() * chances.mean()
    if is_index.any():
        picked = logits[is_index]
        loss = loss + functional.cross_entropy(
            picked[:, RANK_SLICE], rank[is_index], label_smoothing=0.02
        )
        loss = loss + functional.cross_entropy(
            picked[:, SUIT_SLICE], suit[is_index], label_smoothing=0.02
        )
    return loss


def _shards(data: Path) -> list[Path]:
    return sorted([*data.glob("render*.npz"), *data.glob("half*.npz")])


@torch.no_grad()
def judge(model: NamerNet, pool: Pool, batch: int = 512) -> dict[str, float]:
    """Share of right names, ranks, suits among indices, of right index-or-not, of right turns."""
    model.eval()
    parts, turned = [], []
    for i in range(0, len(pool), batch):
        x, pose = to_input(
            torch.from_numpy(pool.crops[i : i + batch]),
            None,
            torch.from_numpy(pool.pose[i : i + batch]),
        )
        logits, found = model.both(x)
        parts.append(logits)
        turned.append(functional.cosine_similarity(found[:, :2], pose[:, 1]))
    logits = torch.cat(parts).numpy()
    turns = torch.cat(turned)[pool.posed]
    real = pool.rank >= 0
    rank = logits[:, RANK_SLICE].argmax(1) == pool.rank
    suit = logits[:, SUIT_SLICE].argmax(1) == pool.suit
    return {
        "n": int(real.sum()),
        "card": float((rank & suit)[real].mean()),
        "rank": float(rank[real].mean()),
        "suit": float(suit[real].mean()),
        "index": float(((logits[:, INDEX_COLUMN] > 0) == real).mean()),
        **({"turn": float((turns > TURN_RIGHT).float().mean())} if len(turns) else {}),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--real-share", type=float, default=0.1)
    parser.add_argument("--pose-minutes", type=float, default=0, help="for the pose alone, first")
    parser.add_argument("--lr", type=float, default=0.003)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--reload", type=int, default=400)
    parser.add_argument("--run", default="namer")
    parser.add_argument("--start", type=Path, help="weights to begin with (another run's last.pt)")
    parser.add_argument("--bf16", action="store_true", help="where the processor multiplies it")
    parser.add_argument("--resume", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    torch.manual_seed(1)
    folder = Path("runs") / args.run
    folder.mkdir(parents=True, exist_ok=True)
    model = NamerNet().to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.02)
    spent, step = 0.0, 0
    if args.start:
        grown(model, torch.load(args.start, weights_only=True)["model"], new_pose=True)
    mean = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(MEAN_DECAY), use_buffers=True)
    if args.resume:
        state = torch.load(folder / "last.pt", weights_only=True)
        model.load_state_dict(state["raw"])
        mean.module.load_state_dict(state["model"])
        mean.n_averaged.fill_(1)
        optimizer.load_state_dict(state["optimizer"])
        spent, step = state["spent"], state["step"]
    rng, generator = np.random.default_rng(step + 1), torch.Generator().manual_seed(step + 1)
    real = Pool(sorted(args.data.glob("real-train-*.npz"))) if args.real_share else None
    tests = {
        p.stem: Pool([p])
        for p in sorted(args.data.glob("*.npz"))
        if p.stem.startswith(("real-validation", "held"))
    }
    rendered = Pool(_shards(args.data))
    if args.pose_minutes and not len(rendered.posed):
        parser.error(f"{args.data}: no cut-out says how its index stands: render them anew")
    start, noted, total = time.monotonic() - spent, time.monotonic(), args.minutes * 60
    running = 0.0

    def keep() -> None:
        state = {
            "model": mean.module.state_dict(),
            "raw": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "spent": spent,
            "step": step,
        }
        torch.save(state, folder / "new.pt")
        (folder / "new.pt").replace(folder / "last.pt")

    while (spent := time.monotonic() - start) < total:
        if step and step % args.reload == 0:
            del rendered
            rendered = Pool(_shards(args.data))
        progress = spent / total
        rate = args.lr * min(1, step / 200 + 0.05) * (0.5 + 0.5 * math.cos(math.pi * progress))
        for group in optimizer.param_groups:
            group["lr"] = rate + 1e-6
        posing = spent < args.pose_minutes * 60
        if posing:
            parts = [rendered.draw(rng, 2 * args.batch, posed=True)]
        else:
            count = round(args.batch * args.real_share)
            parts = [rendered.draw(rng, args.batch - count)]
            if real is not None:
                parts.append(real.draw(rng, count))
        crops, rank, suit, pose = (
            torch.from_numpy(np.concatenate(c)) for c in zip(*parts, strict=True)
        )
        x, pose = to_input(crops, generator, pose)
        x = x.contiguous(memory_format=CHANNELS_LAST)
        model.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            if posing:
                found = model.pose((x - 0.45) * 4)
            else:
                logits, found = model.both(x)
        loss = pose_loss(found.float(), pose)
        if not posing:
            loss = loss + loss_of(logits.float(), rank, suit)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        mean.update_parameters(model)
        step += 1
        running = 0.98 * running + 0.02 * float(loss.detach())
        if time.monotonic() - noted > 60:
            noted = time.monotonic()
            keep()
            figures = {
                name: {what: round(share, 4) for what, share in judge(mean.module, pool).items()}
                for name, pool in tests.items()
            }
            print(
                f"{spent / 60:.1f} min, step {step}, pool {len(rendered)}, "
                f"loss {running:.3f} {figures}",
                flush=True,
            )
    keep()
    print("done", {k: judge(mean.module, v) for k, v in tests.items()}, flush=True)


if __name__ == "__main__":
    main()
