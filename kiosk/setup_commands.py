"""``kiosk calibrate`` with a camera: cameras, sheet, check, lens, markers."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.commands import DEFAULT_LAYOUT, print_report, size_cm, write_layout
from kiosk.errors import UserError

if TYPE_CHECKING:
    from calibration.layout import Layout
    from calibration.markers import Found
    from kiosk.vision.images import Image

Parts = argparse._SubParsersAction

_PATIENCE = 10.0
_SERIES = 12
_SERIES_TIME = 180.0


def add_parts(parts: Parts[argparse.ArgumentParser]) -> None:
    """Register the parts under ``kiosk calibrate``."""
    cameras = parts.add_parser("cameras", help="list the cameras plugged in, by lasting name")
    cameras.set_defaults(run=_run_cameras)

    sheet = parts.add_parser("sheet", help="the markers to print, in true size (PDF)")
    sheet.add_argument("--paper", choices=("a4", "a3", "letter"), default="a4")
    sheet.add_argument("--language", choices=("en", "ru"), default="en")
    sheet.add_argument("--out", type=Path, default=Path("markers.pdf"), metavar="FILE.pdf")
    sheet.set_defaults(run=_run_sheet)

    check = parts.add_parser(
        "check",
        help="is the camera's picture good enough: pass or fail",
        description="Exposure, even light, focus and sharpness of one picture. Exit 1 if one "
        "fails.",
    )
    _source(check)
    check.set_defaults(run=_run_check)

    markers = parts.add_parser(
        "markers",
        help="save a layout from the four printed corner pieces lying on the felt",
        description="Finds the four corner pieces (kiosk calibrate sheet) in one picture and "
        "saves a copy of a layout with the felt's place and the lens. Exit 1 when the pieces do "
        "not agree or an index is too small.",
    )
    _source(markers)
    markers.add_argument("--felt", type=size_cm, required=True, metavar="WxH",
                         help="the measured rectangle, centimetres")  # fmt: skip
    markers.add_argument("--layout", default=DEFAULT_LAYOUT, help="layout to start from")
    markers.add_argument("--ruler", type=float, default=10.0, metavar="CM",
                         help="length of the printed 10 cm ruler, if another")  # fmt: skip
    markers.add_argument("--keep-lens", action="store_true",
                         help="use the lens that the layout holds")  # fmt: skip
    _out(markers)
    markers.set_defaults(run=_run_markers)

    lens = parts.add_parser(
        "lens",
        help="measure the lens from pictures of the printed board",
        description="Takes a picture of the board each time it was moved (or reads photographs "
        "and folders of them) and saves a copy of a layout with the lens.",
    )
    lens.add_argument("files", nargs="*", type=Path, metavar="PHOTO")
    lens.add_argument("--source", help="the camera, instead of photographs")
    lens.add_argument("--layout", default=DEFAULT_LAYOUT, help="layout to start from")
    _out(lens)
    lens.set_defaults(run=_run_lens)


def _source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--source", required=True, help="the camera, or a photograph")


def _out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", help="name of the new layout (default: the file's name)")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.toml")
    parser.add_argument("--force", action="store_true", help="write over an existing file")


def _run_cameras(args: argparse.Namespace) -> int:
    from kiosk.setup_camera import cameras

    offers = cameras("", "")[1:]
    for offer in offers:
        print(f"{offer.source}  ({offer.name})")
    if not offers:
        print("no camera is plugged in", file=sys.stderr)
    return 0 if offers else 1


def _run_sheet(args: argparse.Namespace) -> int:
    from calibration.sheet import sheet_pdf

    try:
        args.out.write_bytes(sheet_pdf(args.paper, args.language))
    except OSError as error:
        raise UserError(f"{args.out}: {error.strerror or error}") from None
    print(f"saved {args.out}: print it at 100 % and check its ruler", file=sys.stderr)
    return 0


def _run_check(args: argparse.Namespace) -> int:
    from calibration.picture import check_picture

    image = next(_pictures(args.source))
    checks = check_picture(image)
    print(f"picture: {image.shape[1]}×{image.shape[0]}")
    for check in checks:
        value = "nothing to measure" if check.value is None else f"{check.value:g}"
        print(f"{check.name}: {'pass' if check.ok else 'fail'} ({value}) {check.advice}".rstrip())
    return 0 if all(check.ok for check in checks) else 1


def _run_markers(args: argparse.Namespace) -> int:
    from calibration.fit import fit_felt, measure_felt
    from calibration.layout import load_layout
    from calibration.markers import find_markers
    from calibration.report import zone_sizes
    from kiosk.setup_desk import lens_data

    base = load_layout(args.layout)
    found = find_markers(next(_pictures(args.source)))
    lens = None
    if args.keep_lens:
        if base.lens is None:
            raise UserError(f"layout {base.name} holds no lens: measure it, or leave --keep-lens")
        lens = base.lens.lens.scaled(
            found.width / base.camera.width, found.height / base.camera.height
        )
    width, height = args.felt
    fit = fit_felt(found, width, height, lens, args.ruler / 10)
    if not fit.good:
        size = measure_felt(found, lens, args.ruler / 10)
        print(
            f"the pieces do not agree with {width:g} × {height:g} cm ({fit.error_mm:.1f} mm); they "
            f"seem to lie about {size.width:.0f} × {size.height:.0f} cm apart: measure again",
            file=sys.stderr,
        )
        return 1
    data = base.model_dump(mode="json", exclude_none=True)
    data["felt"] = {"width": width, "height": height}
    data["camera"] = {
        "width": found.width,
        "height": found.height,
        "corners": [list(corner) for corner in fit.corners],
    }
    if fit.lens is not None:
        data["lens"] = lens_data(fit.lens, round(fit.error_px, 3)).model_dump(mode="json")
        data["format"] = 2
    layout = _keep(data, args)
    board = "" if fit.board else "; with the board in the middle it would be surer"
    print(f"the pieces agree within {fit.error_mm:.2f} mm{board}", file=sys.stderr)
    return print_report(layout, zone_sizes(layout))


def _run_lens(args: argparse.Namespace) -> int:
    from calibration.layout import load_layout
    from calibration.lens_fit import FEWEST, fit_lens, useful
    from calibration.markers import find_markers

    if bool(args.source) == bool(args.files):
        raise UserError("lens: expected photographs of the board, or --source")
    base = load_layout(args.layout)
    series: list[Found] = []
    until = time.monotonic() + _SERIES_TIME
    for image in _photographs(args.files) if args.files else _pictures(args.source):
        found = find_markers(image)
        if useful(found, series) is None:
            series.append(found)
            print(f"{len(series)} of {max(FEWEST, _SERIES)} pictures", file=sys.stderr)
        if not args.files and (len(series) >= _SERIES or time.monotonic() > until):
            break
    fit = fit_lens(series)
    size = series[0].width, series[0].height
    data = base.model_dump(mode="json", exclude_none=True)
    scale = size[0] / base.camera.width, size[1] / base.camera.height
    corners = [[x * scale[0], y * scale[1]] for x, y in base.camera.corners]
    data["camera"] = {"width": size[0], "height": size[1], "corners": corners}
    data["lens"] = fit.data.model_dump(mode="json")
    data["format"] = 2
    _keep(data, args)
    print(
        f"the lens agrees within {fit.data.error:.2f} px over {fit.covered:.0%} of the picture; "
        "go on with: kiosk calibrate markers --keep-lens"
    )
    return 0


def _keep(data: dict[str, object], args: argparse.Namespace) -> Layout:
    from calibration.layout import parse_layout

    out: Path = args.out
    if out.suffix != ".toml":
        raise UserError(f"--out {out}: expected a name that ends in .toml")
    data["name"] = args.name or out.stem
    layout = parse_layout(data, f"layout {out}")
    write_layout(out, layout.to_toml(), force=args.force)
    print(f"saved {out}: use it with --layout {out}", file=sys.stderr)
    return layout


def _photographs(files: list[Path]) -> Iterator[Image]:
    from kiosk.vision.images import load_photo
    from kiosk.vision.sources.grammar import photos_in

    for path in files:
        for photo in photos_in(path) if path.is_dir() else [path]:
            yield load_photo(photo)


def _pictures(source: str) -> Iterator[Image]:
    """Pictures of a source, the newest each time. UserError when it gives none."""
    from kiosk.setup_camera import ASKED
    from kiosk.vision.images import load_photo
    from kiosk.vision.sources.capture import Capture
    from kiosk.vision.sources.grammar import Kind, parse_source

    parsed = parse_source(source)
    if parsed.kind == Kind.PHOTO:
        yield load_photo(Path(parsed.target))
        return
    capture = Capture(parsed, ASKED)
    capture.start()
    try:
        number = 0
        while (frame := capture.wait(number, _PATIENCE)) is not None:
            number = frame.number
            yield frame.image
        told = capture.state.message or "no picture came"
        raise UserError(told if parsed.shown in told else f"{parsed.shown}: {told}")
    finally:
        capture.stop()
