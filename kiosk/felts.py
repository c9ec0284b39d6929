"""Which felt a house is played on: the layout that fits, the refusal of one that does not (P16).

Layouts are data (``calibration/layouts``); each names the games its felt is printed for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from calibration.layout import Layout, load_layout
from kiosk.errors import UserError
from kiosk.rules.houses import HouseFile
from kiosk.table.places import box_of
from kiosk.table.plan import SHAPES, zones_of

SAMPLE = "sample"
"""The bundled recording shows one felt and can be read with no other layout."""

SAMPLE_LAYOUT = "russian-4"

LAYOUT_OF: Mapping[str, str] = {
    "russian": "russian-4",
    "oasis": "russian-6",
    "five_card": "russian-6",
    "six_card": "russian-6",
    "three_card": "three-card-6",
    "texas": "texas-6",
    "split": "split-6",
}
"""The felt of a game when none is named: with as many boxes as the shipped houses allow."""


def layout_for(
    chosen: str | None, house: HouseFile, source: str, folders: Iterable[Path] = ()
) -> Layout:
    """The layout in force: the one named, else the one that fits source and house.

    ``folders``: where a person's own layouts lie. UserError: there is no such layout, its felt is
    printed for other games, or it lacks a place that the game needs.
    """
    name = chosen or (SAMPLE_LAYOUT if source == SAMPLE else LAYOUT_OF[house.house.game])
    layout = load_layout(name, folders)
    check_felt(layout, house, recorded=source == SAMPLE)
    return layout


def check_felt(layout: Layout, house: HouseFile, recorded: bool = False) -> None:
    """UserError when the game of the house cannot be played on this felt.

    ``recorded``: the felt is that of the bundled recording, so that only another source helps.
    """
    game = house.house.game
    if layout.games and game not in layout.games:
        printed = f"the felt {layout.name} is printed for {', '.join(layout.games)}"
        other = f"choose a house of these games, or a layout for {game} such as {LAYOUT_OF[game]}"
        if recorded:
            printed = f"the bundled recording shows another game: {printed}"
            other = "choose a house of these games, or another --source"
        raise UserError(f"{printed}, and house {house.house.name} plays {game}: {other}")
    shape = SHAPES.get(game)
    needed = zones_of(shape, boxes_of(layout)) if shape is not None else ()
    missing = [zone for zone in needed if zone not in layout.zone_ids]
    if missing:
        raise UserError(
            f"layout {layout.name} has no zone {missing[0]}, which {game} needs: "
            f"add it, or choose a layout such as {LAYOUT_OF[game]}"
        )


def boxes_of(layout: Layout) -> tuple[int, ...]:
    """The numbers of the boxes on the felt, in order."""
    found = {box_of(zone) for zone in layout.zone_ids}
    return tuple(sorted(number for number in found if number is not None))
