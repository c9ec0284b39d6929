"""A CASE of the rules data dealt on the scripted table, step by step as a dealer deals it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from table_desk import Table

from kiosk.cards import parse_cards
from kiosk.rules.money import number
from kiosk.table.dealer import drawing, small_due
from kiosk.table.plan import FEES, SHAPES
from kiosk.table.state import RoundSettings

ON_TABLE = frozenset("box action cards small dealt exchanged bets prizes".split())
"""Keys of a box that people enter or the camera sees; the others are not asked at the table."""


NO_CARD = frozenset({"TC-042"})
"""Cases whose option alone makes a pay table that falls, which no rule card may have."""


def can_be_dealt(case: Mapping[str, Any]) -> bool:
    """Whether the case is a whole deal that lies on a table: no refusal, no rule about persons."""
    good = case["game"] in SHAPES and "error" not in case["expected"]
    good = good and case["id"] not in NO_CARD
    return good and all(set(box) <= ON_TABLE for box in case["boxes"])


def house_of(case: Mapping[str, Any], folder: Path) -> str:
    """The house of the case: a file of its own where the case has options."""
    options = case.get("options")
    if not options:
        return str(case["house"])
    lines = [
        f'extends = "{case["house"]}"',
        f'game = "{case["game"]}"',
        'title = "Own"',
        'source = "own"',
    ]
    tables: dict[str, list[str]] = {}
    for name, value in options.items():
        if isinstance(value, dict):
            tables[name] = [f"{key} = {_toml(part)}" for key, part in value.items()]
        elif "." in name:
            group, leaf = name.rsplit(".", 1)
            tables.setdefault(group, []).append(f"{leaf} = {_toml(value)}")
        else:
            lines.append(f"{name} = {_toml(value)}")
    for group, inside in tables.items():
        lines += [f"[{group}]", *inside]
    path = folder / "own.toml"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return '"none"'
    return f'"{value}"' if isinstance(value, str) else str(value)


def play(case: Mapping[str, Any], house: str, mode: str = "training") -> Table:
    """The case from the first bets to the last card collected, every box confirmed."""
    limits = {
        key: None if value is None else Decimal(value) for key, value in case["table"].items()
    }
    boxes = tuple(sorted(box["box"] for box in case["boxes"]))
    settings = RoundSettings(house=house, boxes=boxes, **limits)
    table = Table(settings, step=0.5)
    shape = SHAPES[case["game"]]
    table.look(0).backs("dealer", count=shape.dealer_cards)
    for box in boxes:
        table.backs(f"box{box}", count=shape.box_cards)
    if "meter" in case:
        table.do("bets", meter=case["meter"])
    for box in case["boxes"]:
        _show_deal(table, box)
        enter(table, box)
    if case.get("board"):
        table.lay("board", " ".join(case["board"][:3])).look(2)
        table.lay("board", " ".join(case["board"]))
    table.lay("dealer", " ".join(case["dealer"]["cards"]))
    for box in case["boxes"]:
        if "buy" in box["bets"]:
            table.do("bets", box=box["box"], buy=True)
    _draw(table, case)
    if case["dealer"].get("small") and small_due(table.state.core, table.state.plan):
        table.lay("dealer-small", " ".join(case["dealer"]["small"]))
    for box in case["boxes"]:
        _open(table, box)
    return table.take(*(zone for zone in table.zones if not zone.startswith("box")))


def _show_deal(table: Table, box: Mapping[str, Any]) -> None:
    """The hand of a box whose side bet is judged by the deal is shown before anything else."""
    first = box.get("dealt") or (box.get("cards") if box["action"] == "fold" else None)
    if first:
        zone = f"box{box['box']}"
        table.lay(zone, " ".join(first)).look(2)
        if box["action"] == "fold":
            table.take(zone)


def enter(table: Table, box: Mapping[str, Any]) -> None:
    """What a person enters about the box, all but a purchase."""
    bets = {name: value for name, value in box["bets"].items() if name not in FEES}
    if "ante" not in bets:
        bets["ante"] = 0
    more: dict[str, Any] = {"prizes": box["prizes"]} if box.get("prizes") else {}
    if "extra_two" in box["bets"]:
        more["extra_two"] = True
    if "sixth" in box["bets"]:
        more["sixth"] = True
    table.do(
        "bets",
        box=box["box"],
        bets=bets,
        action=box["action"],
        exchanged=box.get("exchanged", 0),
        **more,
    )


def _open(table: Table, box: Mapping[str, Any]) -> None:
    zones = [f"box{box['box']}"]
    if box["action"] == "play":
        table.lay(zones[0], " ".join(box["cards"]))
        if "small" in box:
            zones.append(f"box{box['box']}-small")
            table.lay(zones[1], " ".join(box["small"]))
    table.take(*zones)
    table.do("confirm", box=box["box"])


def _draw(table: Table, case: Mapping[str, Any]) -> None:
    """The dealer's highest card goes, the next card comes."""
    draws = case["dealer"].get("draws", [])
    first = parse_cards(case["dealer"]["cards"])
    for count in range(len(draws)):
        state = drawing(first, parse_cards(draws[:count]), table.settings.plan)
        rest = [card for card in state.current if card != state.discard]
        table.lay("dealer", [*rest, *parse_cards(draws[count : count + 1])])


def bare(value: Any) -> Any:
    """Without the words; numbers as the engine writes them."""
    if isinstance(value, dict):
        return {k: bare(v) for k, v in value.items() if k not in ("why", "explanation")}
    if isinstance(value, list):
        return [bare(item) for item in value]
    if isinstance(value, Decimal):
        return number(value)
    return value
