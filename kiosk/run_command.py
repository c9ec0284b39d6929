"""``kiosk run``: the kiosk itself."""

from __future__ import annotations

import argparse
import logging
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from firmware_bridge.ports import GRAMMAR as PANEL
from kiosk.app import Kiosk
from kiosk.config import Settings, load_settings
from kiosk.errors import UserError
from kiosk.people import PeopleError
from kiosk.private import kept_private
from kiosk.record.paths import data_dir
from kiosk.vision.sources.grammar import GRAMMAR, Kind, parse_source
from kiosk.vision.sources.simulated import house_and_layout

log = logging.getLogger("kiosk")


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``run``."""
    run = subparsers.add_parser(
        "run",
        help="the kiosk: camera, settlement, dashboard, panel",
        description="Starts the kiosk. Without options it plays the bundled recording.",
    )
    run.add_argument("--source", help=f"the camera: {GRAMMAR} (default: sample)")
    run.add_argument("--house", help="rule card: a name (kiosk houses) or a TOML file")
    run.add_argument(
        "--layout", help="felt layout: a name or a TOML file (default: fits the house)"
    )
    run.add_argument("--model", type=Path, help="own finder weights, .onnx or .pt")
    run.add_argument("--panel", help=f"the button panel: {PANEL} (default: sim)")
    run.add_argument("--host", help="address to serve on (default: 127.0.0.1)")
    run.add_argument("--port", type=int, help="TCP port to serve on (default: 8000)")
    run.add_argument("--record", help="database of the record (default: SQLite in the data folder)")
    run.add_argument("--data", type=Path, help="folder of all that is written")
    run.add_argument("--config", type=Path, help="settings file (TOML)")
    run.add_argument("--mode", choices=("training", "demo"), help="who answers first")
    run.add_argument("--language", choices=("en", "ru"), help="language of panel and explanations")
    run.set_defaults(run=run_kiosk)


def settings_of(args: argparse.Namespace) -> tuple[Settings, frozenset[str]]:
    """Settings from file and command line, and the names that the command line gives; ``game``
    among them: the source brings the game of its house, and no other can be played."""
    names = (
        "source",
        "house",
        "layout",
        "model",
        "panel",
        "host",
        "port",
        "record",
        "data",
        "mode",
        "language",
    )
    given = {name: getattr(args, name) for name in names}
    fixed = {name for name, value in given.items() if value is not None}
    if args.config is None and str(args.source or "").startswith("sim:"):
        # A simulated table brings its own felt and game.
        house, layout = house_and_layout(args.source.removeprefix("sim:"))
        if given["house"] is None:
            fixed.add("game")
        given["house"] = given["house"] or house
        given["layout"] = given["layout"] or layout
    return load_settings(args.config, given), frozenset(fixed)


def run_kiosk(args: argparse.Namespace) -> int:
    """Serves until told to end. 0 after an orderly end; UserError for what cannot work."""
    logging.basicConfig(
        level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(levelname)s %(message)s"
    )
    logging.getLogger("waitress").setLevel(logging.ERROR)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    settings, fixed = settings_of(args)
    _refuse_unreadable(settings.source)
    with kept_private(data_dir(settings.data)):
        return _serve(settings, fixed)


def _serve(settings: Settings, fixed: frozenset[str]) -> int:
    from kiosk.serve import Serving

    kiosk = Kiosk(settings, fixed)
    try:
        serving = Serving(kiosk)
    except UserError:
        kiosk.stop()
        raise
    _end_on_signals(serving.close)
    kiosk.start()
    print(f"The kiosk is at {serving.url} (Ctrl+C ends it)", file=sys.stderr, flush=True)
    _tell_setup(kiosk, serving.url)
    try:
        serving.run()
    finally:
        kiosk.stop()
    return 0


def _refuse_unreadable(source: str) -> None:
    """UserError for a file without pictures, which, unlike a camera, does not come back."""
    from kiosk.vision.sources.streams import open_stream

    parsed = parse_source(source)
    if parsed.kind in (Kind.PHOTO, Kind.FOLDER, Kind.VIDEO):
        open_stream(parsed).close()


def _tell_setup(kiosk: Kiosk, url: str) -> None:
    """How the first admin is made, while there is none. No password is there by default."""
    try:
        if kiosk.people.has_admin():
            return
    except PeopleError as problem:
        print(problem, file=sys.stderr, flush=True)
        return
    print(
        f"No admin yet: open {url}setup and enter the code {kiosk.people.setup.text} "
        "(or type: kiosk people add NAME --role admin)",
        file=sys.stderr,
        flush=True,
    )


def _end_on_signals(close: object) -> None:
    """Ctrl+C and a service manager's stop end the server in order."""
    assert callable(close)

    def end(_number: int, _frame: FrameType | None) -> None:
        threading.Thread(target=close, daemon=True).start()

    signal.signal(signal.SIGINT, end)
    signal.signal(signal.SIGTERM, end)
