"""``kiosk doctor``: checks model, camera, panel, storage and clock; one line each."""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from firmware_bridge.link import PanelLink
from firmware_bridge.ports import PortSpec
from firmware_bridge.simulated import SimulatedPanel
from kiosk.config import Settings, load_settings
from kiosk.errors import UserError
from kiosk.own_layouts import OwnLayouts
from kiosk.people import PeopleError, open_people
from kiosk.private import kept_private
from kiosk.record.errors import RecordError
from kiosk.record.paths import data_dir, make_folder
from kiosk.record.record import Record
from kiosk.vision.checks import Check, check_camera, check_models

_PANEL_PATIENCE = 6.0
_SIM_PATIENCE = 60.0
"""The simulated panel is always there; a busy machine only takes its time."""
_ENOUGH_DISK = 500 * 1024 * 1024
_EARLIEST = 1_735_689_600
"""2025-01-01: a clock before that was never set."""


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds ``doctor``."""
    doctor = subparsers.add_parser(
        "doctor",
        help="checks model, camera, panel, storage and clock",
        description="One line a part, with what to do. Exit status 1 when one does not work.",
    )
    doctor.add_argument("--source", help="camera to check (default: sample)")
    doctor.add_argument("--model", type=Path, help="own finder weights")
    doctor.add_argument("--panel", help="sim, none, auto, or a serial port (default: sim)")
    doctor.add_argument("--data", type=Path, help="folder of all that is written")
    doctor.add_argument("--record", help="database of the record")
    doctor.add_argument("--config", type=Path, help="settings file (TOML)")
    doctor.add_argument("--json", action="store_true", help="one JSON object a line")
    doctor.set_defaults(run=run_doctor)


def run_doctor(args: argparse.Namespace) -> int:
    """Prints one line a check; 1 when one failed."""
    names = ("source", "model", "panel", "data", "record")
    settings = load_settings(args.config, {name: getattr(args, name) for name in names})
    settings = OwnLayouts(data_dir(settings.data)).chosen_for(settings)
    with kept_private(data_dir(settings.data)):
        told = [_print(check, as_json=args.json) for check in checks(settings)]
    return 0 if all(told) else 1


def _print(check: Check, *, as_json: bool) -> bool:
    """Whether it is good."""
    if as_json:
        print(json.dumps(asdict(check), ensure_ascii=False))
    else:
        advice = f" → {check.advice}" if check.advice and not check.good else ""
        print(f"{'ok  ' if check.good else 'FAIL'} {check.name}: {check.text}{advice}")
    return check.good


def checks(settings: Settings) -> Iterator[Check]:
    """All checks, one after another."""
    model = settings.vision.model
    tests: tuple[tuple[str, Callable[[], Check]], ...] = (
        ("model", lambda: check_models(None if model is None else str(model))),
        ("camera", lambda: check_camera(settings.source)),
        ("panel", lambda: check_panel(settings.panel)),
        ("storage", lambda: check_storage(settings)),
        ("people", lambda: check_people(settings)),
        ("clock", check_clock),
    )
    for name, test in tests:
        try:
            yield test()
        except UserError as problem:
            yield Check(name, False, str(problem))


def check_panel(spec: str) -> Check:
    """Whether the panel answers with its hello."""
    port = PortSpec.parse(spec)
    if port.kind == "none":
        return Check("panel", True, "no panel is asked for")
    simulated = SimulatedPanel() if port.kind == "sim" else None
    link = PanelLink(
        PortSpec("path", simulated.port) if simulated else port, lambda _: None, lambda _: None
    )
    try:
        link.start()
        deadline = time.monotonic() + (_SIM_PATIENCE if simulated else _PANEL_PATIENCE)
        while not link.state.connected and time.monotonic() < deadline:
            time.sleep(0.05)
        state = link.state
        return Check("panel", state.connected, state.text, state.todo)
    finally:
        link.close()
        if simulated is not None:
            simulated.close()


def check_storage(settings: Settings) -> Check:
    """Whether the data folder can be written and the record in it can be trusted."""
    data = data_dir(settings.data)
    try:
        make_folder(data)
        with tempfile.TemporaryFile(dir=data) as trial:
            trial.write(b"0" * 4096)
        with Record.open(settings.record, data, read_only=True) as record:
            health = record.health()
    except RecordError as problem:
        if problem.kind == "missing":
            return Check("storage", True, f"{data}: writable, no record yet")
        return Check("storage", False, problem.sentence, problem.advice)
    except OSError as problem:
        text = f"{data} cannot be written ({problem.strerror})"
        return Check("storage", False, text, "make it writable, or name another with --data")
    free = health.free_bytes or 0
    text = f"{data}: {health.entries} entries, {free // 1024 // 1024} MB free"
    if not health.ok:
        return Check("storage", False, health.sentence, health.advice)
    if free < _ENOUGH_DISK:
        return Check("storage", False, text, "make room: pictures need 500 MB and more")
    return Check("storage", True, text)


def check_people(settings: Settings) -> Check:
    """Whether the accounts can be read, and whether there is an admin."""
    people = open_people(data_dir(settings.data))
    advice = "kiosk people add NAME --role admin, or the page /setup"
    if not people.exists:
        return Check("people", True, f"no admin yet: {advice}")
    try:
        count, ready = len(people.everybody()), people.has_admin()
    except PeopleError as problem:
        return Check("people", False, str(problem), "make it readable, or restore it from a copy")
    finally:
        people.close()
    return Check("people", True, f"{count} people" if ready else f"no admin yet: {advice}")


def check_clock() -> Check:
    """Whether the clock was set, and whether something keeps it right."""
    now = time.time()
    shown = time.strftime("%Y-%m-%d %H:%M:%S %z", time.localtime(now))
    if now < _EARLIEST:
        return Check("clock", False, f"{shown} was never set", "set date and time")
    try:
        done = subprocess.run(
            ["timedatectl", "show", "--property=NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
        kept = {"yes": "kept right by the network", "no": "not kept right by the network"}
        how = kept.get(done.stdout.strip(), "nobody says whether it is kept right")
    except (OSError, subprocess.TimeoutExpired):
        how = "nobody says whether it is kept right"
    return Check("clock", True, f"{shown}, {how}")
