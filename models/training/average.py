"""The mean of the weights of two namers, the later of which went on from the earlier.

    python -m models.training.average runs/namerE/last.pt runs/namerF/last.pt --run namerEF

Reads what neither of them was trained on somewhat better than either, where more training only
learns the cut-outs by heart. An earlier one of fewer blocks is taken as the later one began with
it; weights kept in half precision are good enough.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from models.training.namer_net import NamerNet, grown

Weights = dict[str, torch.Tensor]


def mean_of(one: Weights, other: Weights) -> Weights:
    """Both with equal weight; what is no number with a point is the later one's. ValueError for
    weights of two different nets."""
    if {k: v.shape for k, v in one.items()} != {k: v.shape for k, v in other.items()}:
        raise ValueError("weights of two different nets")
    return {
        name: (one[name] + late) / 2 if late.is_floating_point() else late
        for name, late in other.items()
    }


def read(path: Path) -> Weights:
    """The weights of a checkpoint in the shape of today's net. ValueError for another net's."""
    kept: Weights = torch.load(path, weights_only=True)["model"]
    whole = {k: v.float() if v.is_floating_point() else v for k, v in kept.items()}
    return dict(grown(NamerNet(), whole).state_dict())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("one", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("--run", default="mean")
    args = parser.parse_args()
    one, other = read(args.one), read(args.other)
    folder = Path("runs") / args.run
    folder.mkdir(parents=True, exist_ok=True)
    torch.save({"model": mean_of(one, other)}, folder / "last.pt")


if __name__ == "__main__":
    main()
