"""``python -m models.training.simtable SIM``: the truth of its rounds, or pictures of them."""

from __future__ import annotations

import argparse
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import cv2

from kiosk.errors import UserError
from models.training.simtable.table import open_table


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, Decimal) and value == int(value) else float(value)


def main() -> int:
    """Prints one JSON object a round; ``--still`` writes pictures instead."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sim", help="as in --source, such as sim:7,game=texas,faults=hands+warm")
    parser.add_argument("--rounds", type=int, default=1, help="how many rounds to print")
    parser.add_argument("--still", type=float, action="append", help="this second as a picture")
    parser.add_argument("--out", type=Path, default=Path("."), help="folder of the pictures")
    args = parser.parse_args()
    try:
        table = open_table(args.sim)
        for t in sorted(args.still or []):
            path = args.out / f"sim-{t:g}.png"
            cv2.imwrite(str(path), table.frame(t, round(t * table.spec.fps)))
            print(path)
        for number in range(0 if args.still else args.rounds):
            print(json.dumps(table.round(number).to_json(), default=_plain))
    except UserError as problem:
        print(problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
