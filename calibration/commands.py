"""``kiosk calibrate``: set a table up without the web page."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.errors import UserError

if TYPE_CHECKING:
    from calibration.layout import Layout
    from calibration.report import ZoneSize

DEFAULT_LAYOUT = "russian-4"


def add_commands(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    """Register ``calibrate`` and its parts; returns these, so that other rooms can add theirs."""
    parser = subparsers.add_parser("calibrate", help="set camera and table up")
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")

    layouts = parts.add_parser("layouts", help="list the layouts that ship")
    layouts.set_defaults(run=_run_layouts)

    corners = parts.add_parser(
        "corners",
        help="save a layout for the felt's four corners as your camera sees them",
        description="Saves a copy of a layout with the corners of the felt as this camera sees "
        "them. Corners are pixels of the picture: top left, top right, bottom right, bottom left "
        "(the dealer's side is the top).",
    )
    corners.add_argument("corner", nargs=4, type=_point, metavar="X,Y")
    corners.add_argument("--layout", default=DEFAULT_LAYOUT, help="layout to start from")
    corners.add_argument("--size", type=_size, required=True, metavar="WxH", help="picture size")
    corners.add_argument("--felt", type=size_cm, metavar="WxH", help="felt seen, in centimetres")
    corners.add_argument("--name", help="name of the new layout (default: the file's name)")
    corners.add_argument("--out", type=Path, required=True, metavar="FILE.toml")
    corners.add_argument("--force", action="store_true", help="write over an existing file")
    corners.set_defaults(run=_run_corners)

    report = parts.add_parser(
        "report", help="index size per zone: pass or fail", description="Exit 1 if a zone fails."
    )
    report.add_argument("--layout", default=DEFAULT_LAYOUT)
    report.add_argument("--size", type=_size, metavar="WxH", help="picture size, if another")
    report.add_argument("--json", action="store_true")
    report.set_defaults(run=_run_report)
    return parts


def _numbers(text: str, separator: str, what: str) -> tuple[float, float]:
    parts = text.lower().split(separator)
    try:
        first, second = (float(part) for part in parts)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected {what}") from None
    return first, second


def _point(text: str) -> tuple[float, float]:
    return _numbers(text, ",", "X,Y in pixels, such as 120,48.5")


def size_cm(text: str) -> tuple[float, float]:
    """An argument such as 96x54."""
    return _numbers(text, "x", "WIDTHxHEIGHT in centimetres, such as 96x54")


def _size(text: str) -> tuple[int, int]:
    width, height = _numbers(text, "x", "WIDTHxHEIGHT in pixels, such as 1280x720")
    return int(width), int(height)


def _run_layouts(args: argparse.Namespace) -> int:
    from calibration.layout import list_layouts, load_layout

    for name in list_layouts():
        layout = load_layout(name)
        print(f"{name}: {layout.title} ({layout.felt.width:g} × {layout.felt.height:g} cm)")
    return 0


def _run_corners(args: argparse.Namespace) -> int:
    from calibration.layout import load_layout, parse_layout
    from calibration.report import zone_sizes

    base = load_layout(args.layout)
    out: Path = args.out
    if out.suffix != ".toml":
        raise UserError(f"--out {out}: expected a name that ends in .toml")
    data = base.model_dump(mode="json", exclude_none=True)
    data["name"] = args.name or out.stem
    if args.felt:
        data["felt"] = {"width": args.felt[0], "height": args.felt[1]}
    # Corners set by hand belong to the picture as the camera gives it, without a lens.
    data.pop("lens", None)
    data["format"] = 1
    width, height = args.size
    data["camera"] = {"width": width, "height": height, "corners": args.corner}
    layout = parse_layout(data, f"layout {out}")
    write_layout(out, layout.to_toml(), force=args.force)
    print(f"saved {out}: use it with --layout {out}", file=sys.stderr)
    return print_report(layout, zone_sizes(layout))


def write_layout(path: Path, text: str, *, force: bool) -> None:
    """Writes a layout's file in one step. UserError when it is there already and not ``force``."""
    if path.exists() and not force:
        raise UserError(f"{path}: exists already; --force writes over it")
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None


def _run_report(args: argparse.Namespace) -> int:
    from calibration.layout import load_layout
    from calibration.report import zone_sizes

    layout = load_layout(args.layout)
    sizes = zone_sizes(layout, *(args.size or (None, None)))
    if args.json:
        rows = [
            {
                "zone": s.zone,
                "px_per_cm": round(s.px_per_cm, 2),
                "index_px": round(s.index_px, 1),
                "verdict": s.verdict,
            }
            for s in sizes
        ]
        print(json.dumps({"layout": layout.name, "zones": rows}))
        return 1 if any(s.verdict == "too small" for s in sizes) else 0
    return print_report(layout, sizes)


def print_report(layout: Layout, sizes: tuple[ZoneSize, ...]) -> int:
    """Index height of each zone, pass or fail; the exit status."""
    from calibration.report import advice

    for size in sizes:
        line = f"{size.zone}: index {size.index_px:.0f} px high: {size.verdict}"
        print(f"{line}; {advice(size)}" if advice(size) else line)
    failed = any(size.verdict == "too small" for size in sizes)
    print(f"layout {layout.name}: {'fail' if failed else 'pass'}")
    return 1 if failed else 0
