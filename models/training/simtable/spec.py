"""``sim:SEED[,name=value …]`` as a typed value. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kiosk.errors import UserError

TABLE_FAULTS = ("hands", "bump", "nudge", "warm", "dark", "gloom", "shadow", "half", "duplicate")
"""What happens on the table or to its light: an arm over the cards for five seconds, the camera
pushed aside, the camera shaken, the lamp going warm, two stops less light, hardly any light, the
edge of a shadow, a card half off its zone, a card that is there twice."""

CAMERA_FAULTS = ("frozen", "black", "size", "wild", "blocked", "lost")
"""What the camera does wrong: the same picture again and again, black pictures, another size,
pictures without pause, a read that never returns, a read that fails."""

FAULTS = (*TABLE_FAULTS, *CAMERA_FAULTS)

HOUSES = {
    "russian": "russian-a",
    "five_card": "five-a",
    "six_card": "six-a",
    "oasis": "oasis-a",
    "three_card": "three-a",
    "texas": "texas-a",
    "split": "split-a",
}
"""Game → the house it is played by when none is named."""

DECKS = ("plain", "casino", "narrow", "four")

GRAMMAR = (
    "sim:SEED, and after it any of ,game=NAME ,house=NAME ,layout=NAME ,boxes=N ,deck=NAME "
    ",size=WxH ,fps=N ,speed=N ,faults=NAME+NAME+NAME@FROM-TO (seconds)"
)


@dataclass(frozen=True, slots=True)
class Planned:
    """A fault switched on: in its turn, or at a fixed time (seconds from the start)."""

    name: str
    since: float | None = None
    until: float | None = None


@dataclass(frozen=True, slots=True)
class SimSpec:
    """What to simulate. ``layout`` None: the shipped one that fits the game; ``size`` (width,
    height) None: that of the camera the layout was made for. ``speed``: how many times as fast
    as real everything moves."""

    seed: int
    game: str = "russian"
    house: str = "russian-a"
    layout: str | None = None
    boxes: int | None = None
    deck: str = "plain"
    size: tuple[int, int] | None = None
    fps: float = 15.0
    speed: float = 1.0
    faults: tuple[Planned, ...] = ()


def parse_spec(text: str) -> SimSpec:
    """``SEED[,name=value …]``, with or without ``sim:`` before it. UserError says what is wrong."""
    head, *rest = text.removeprefix("sim:").split(",")
    if not re.fullmatch(r"\d{1,9}", head):
        raise UserError(f"source sim:{head}: expected a number as seed; {GRAMMAR}")
    values = _pairs(rest)
    game = values.get("game", "").replace("-", "_")
    game = {"five": "five_card", "six": "six_card", "three": "three_card"}.get(game, game)
    house = values.get("house") or HOUSES.get(game or "russian")
    if game and game not in HOUSES:
        raise UserError(f"source sim: game={game}: expected one of {', '.join(HOUSES)}")
    if not game:
        game = next((name for name, usual in HOUSES.items() if usual == house), "russian")
    assert house is not None
    return SimSpec(
        seed=int(head),
        game=game,
        house=house,
        layout=values.get("layout"),
        boxes=_whole(values, "boxes", 1, 6),
        deck=_one_of(values, "deck", DECKS, "plain"),
        size=_size(values["size"]) if "size" in values else None,
        fps=float(_whole(values, "fps", 1, 60) or 15),
        speed=float(_whole(values, "speed", 1, 50) or 1),
        faults=_faults(values.get("faults", "")),
    )


def _pairs(parts: list[str]) -> Mapping[str, str]:
    known = ("game", "house", "layout", "boxes", "deck", "size", "fps", "speed", "faults")
    found: dict[str, str] = {}
    for part in parts:
        name, sign, value = part.partition("=")
        if not sign or name not in known or name in found or not value:
            raise UserError(f"source sim: {part!r}: expected {GRAMMAR}")
        found[name] = value
    return found


def _whole(values: Mapping[str, str], name: str, low: int, high: int) -> int | None:
    if name not in values:
        return None
    text = values[name]
    if not re.fullmatch(r"\d{1,4}", text) or not low <= int(text) <= high:
        raise UserError(f"source sim: {name}={text}: expected a whole number from {low} to {high}")
    return int(text)


def _one_of(values: Mapping[str, str], name: str, known: tuple[str, ...], usual: str) -> str:
    value = values.get(name, usual)
    if value not in known:
        raise UserError(f"source sim: {name}={value}: expected one of {', '.join(known)}")
    return value


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{3,4})[x×](\d{3,4})", text)
    if not found or not (320 <= int(found[1]) <= 3840 and 180 <= int(found[2]) <= 2160):
        raise UserError(f"source sim: size={text}: expected WIDTHxHEIGHT from 320x180 to 3840x2160")
    return int(found[1]), int(found[2])


def _faults(text: str) -> tuple[Planned, ...]:
    if not text or text == "none":
        return ()
    if text == "all":
        return tuple(Planned(name) for name in FAULTS)
    if text == "table":
        return tuple(Planned(name) for name in TABLE_FAULTS)
    return tuple(_fault(part) for part in text.split("+"))


def _fault(text: str) -> Planned:
    found = re.fullmatch(r"([a-z]+)(?:@(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?)?", text)
    if found is None or found[1] not in FAULTS:
        raise UserError(
            f"source sim: fault {text!r}: expected NAME or NAME@FROM-TO, NAME one of "
            f"{', '.join(FAULTS)}; or all, table, none"
        )
    name, since, until = found[1], found[2], found[3]
    if since is None:
        return Planned(name)
    if name in ("hands", "half", "duplicate"):
        raise UserError(f"source sim: fault {name} comes in its turn; it takes no time")
    begin = float(since)
    end = begin + 4.0 if until is None else float(until)
    if end <= begin:
        raise UserError(f"source sim: fault {text}: it ends before it begins")
    return Planned(name, begin, end)
