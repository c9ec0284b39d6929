"""``kiosk bench``: the project's own benchmarks, as a table and as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from kiosk.bench import (
    looks,
    panel,
    photos,
    process,
    records,
    rest,
    rules,
    simulated,
    soak,
    table,
    web,
)
from kiosk.bench.figures import Figure
from kiosk.errors import UserError

BENCHES: dict[str, Callable[[argparse.Namespace], list[Figure]]] = {
    "look": table.look,
    "looks": looks.looks,
    "table": table.settlement,
    "start": process.start,
    "size": process.size,
    "panel": panel.panel,
    "photos": photos.reading,
    "rules": rules.rules,
    "record": records.records,
    "rest": rest.rest,
    "sim": simulated.run,
    "soak": soak.run,
    "web": web.web,
}
"""Name → what it measures."""

STANDARD = ("look", "table", "start", "size", "panel")


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``bench``."""
    bench = subparsers.add_parser(
        "bench",
        help="the project's own benchmarks",
        description="Measures this machine. Timings are also given as a ratio to a reference "
        "workload (a 1024×1024 float32 matrix product) run in between.",
    )
    bench.add_argument(
        "what",
        nargs="*",
        metavar="NAME",
        help=f"which: {', '.join(BENCHES)} (default: all that need nothing else)",
    )
    bench.add_argument("--seconds", type=float, default=130.0, help="length of the table run")
    bench.add_argument("--photos", type=Path, help="folder of labelled photographs (for photos)")
    bench.add_argument("--threads", type=int, default=2, help="threads of the models")
    bench.add_argument(
        "--hands", type=int, default=1_000_000, help="hands to search among (for record)"
    )
    bench.add_argument("--sim", help="the one simulated table to play (for sim)")
    bench.add_argument("--rounds", type=int, default=20, help="rounds of each (for sim)")
    bench.add_argument("--enrolled", action="store_true", help="show the deck first (for sim)")
    bench.add_argument("--why", action="store_true", help="tell why it was asked (for sim)")
    bench.add_argument("--viewers", type=int, default=10, help="viewers at the same time (for web)")
    bench.add_argument("--json", action="store_true", help="one JSON object")
    bench.set_defaults(run=run_bench)


def run_bench(args: argparse.Namespace) -> int:
    """Runs the chosen benchmarks and prints their figures."""
    chosen = args.what or [*STANDARD, *(["photos"] if args.photos else [])]
    unknown = [name for name in chosen if name not in BENCHES]
    if unknown:
        raise UserError(f"no benchmark {unknown[0]!r}: there are {', '.join(BENCHES)}")
    if not 5 <= args.seconds <= 3600:
        raise UserError(f"--seconds {args.seconds}: expected 5 to 3600")
    results: dict[str, list[Figure]] = {}
    for name in chosen:
        print(f"measuring {name} …", file=sys.stderr)
        results[name] = BENCHES[name](args)
    if args.json:
        data = {name: [f.as_json() for f in figures] for name, figures in results.items()}
        print(json.dumps(data, ensure_ascii=False))
        return 0
    for name, figures in results.items():
        for figure in figures:
            print(f"{name:7} {figure.line()}")
    return 0
