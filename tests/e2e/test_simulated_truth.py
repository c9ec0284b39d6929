"""The simulated table of every game, played by a kiosk whose eyes never err: what is dealt, what is
entered and what is settled agree, also after a round of which nothing could be seen."""

from __future__ import annotations

from collections import Counter
from typing import Any, cast

import pytest

from calibration import polygon
from kiosk.bench.simulated import Game, Played
from kiosk.sightings import CAMERA_MOVED, ReadCard, TableView, ZoneView
from kiosk.vision.pipeline import Pipeline
from models.training.simtable.spec import HOUSES
from models.training.simtable.table import SimTable

INDEX = (-2.3, -3.0)
"""From a card's middle to its upper index, centimetres."""


class PerfectEyes:
    """The pipeline's place: tells what lies open, what moves, and when the camera was pushed."""

    plane = None

    def __init__(self, table: SimTable) -> None:
        self.table = table
        self.last = TableView(0.0, tuple(ZoneView(name) for name in table.layout.zone_ids))

    def step(self, image: object, t: float) -> TableView:
        now = self.table.round_at(t)
        if now is not None and now.fault == "bump" and now.fault_from <= t <= now.cleared + 0.6:
            return TableView(t, self.last.zones, trouble=CAMERA_MOVED)
        lying: Counter[str] = Counter()
        moving: set[str] = set()
        read: dict[str, list[ReadCard]] = {}
        for thing in now.things if now else ():
            pose = thing.at(t)
            if pose is None or thing.card is None:
                continue
            zone = self._zone(pose.x + INDEX[0], pose.y + INDEX[1])
            lying[zone] += 1
            if thing.at(t - 0.2) != pose:
                moving.add(zone)
            elif pose.face == 1.0:
                x = 50.0 * lying[zone]
                card = ReadCard(thing.card, 0.99, ((x, 0.0, x + 15.0, 30.0),))
                read.setdefault(zone, []).append(card)
        zones = []
        for before in self.last.zones:
            name = before.zone
            cards = before.cards if name in moving else tuple(read.get(name, ()))
            bare = name not in moving and not lying[name]
            zones.append(ZoneView(name, cards, (), lying[name], name in moving, bare))
        self.last = TableView(t, tuple(zones))
        return self.last

    def _zone(self, x: float, y: float) -> str:
        holding = (z.id for z in self.table.layout.zones if polygon.contains(z.corners, (x, y)))
        return next(holding, "")


def played(sim: str, rounds: int, monkeypatch: pytest.MonkeyPatch) -> list[Played]:
    game = Game(f"{sim},size=640x360")
    game.pipeline = cast(Pipeline, PerfectEyes(game.table))
    blind: Any = lambda t, number: None  # noqa: E731
    monkeypatch.setattr(game.table, "frame", blind)
    return game.play(rounds)


@pytest.mark.parametrize("game", HOUSES)
def test_every_game_is_dealt_entered_and_settled(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in played(f"sim:31,game={game},faults=hands+nudge", 4, monkeypatch):
        assert one.settled and not one.wrong and not one.refused, one


@pytest.mark.long
@pytest.mark.parametrize("game", HOUSES)
def test_every_game_is_dealt_entered_and_settled_a_hundred_times(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in played(f"sim:77,game={game},faults=hands+nudge", 100, monkeypatch):
        assert one.settled and not one.wrong and not one.refused, one


def test_a_round_that_nobody_saw_is_asked_about_and_spoils_none_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = played("sim:31,game=three_card,faults=bump+hands", 4, monkeypatch)
    for one in rounds:
        assert not one.wrong and one.named, one
        assert one.settled == (one.fault == "hands"), one
