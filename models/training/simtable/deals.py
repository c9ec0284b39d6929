"""What is dealt: random legal rounds that a camera can see, and where their cards lie. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.layout import Layout, list_layouts, load_layout
from kiosk.cards import Card
from kiosk.errors import UserError
from kiosk.rules import settle_case
from kiosk.rules.generate import generate, most_boxes
from kiosk.rules.houses import HouseFile
from models.training.simtable.spec import SimSpec

_TRIES = 400


@dataclass(frozen=True)
class Hand:
    """Cards that are opened together. ``zone``: where; ``owner``: dealer, board or boxN."""

    owner: str
    zone: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Deal:
    """One round as it will be dealt. ``case``: the rules' input, ``expected``: what it pays.

    ``boxes``: box → its hands (none when it folds). ``up``: how many of the dealer's cards lie
    open from the deal. ``draws``: the dealer's drawn cards, each with the card it replaces.
    """

    case: Mapping[str, Any]
    expected: Mapping[str, Any]
    dealer: tuple[Hand, ...]
    board: Hand | None
    boxes: Mapping[int, tuple[Hand, ...]]
    folded: tuple[int, ...]
    up: int
    draws: tuple[tuple[Card, Card], ...]


def layout_for(spec: SimSpec) -> Layout:
    """The layout asked for, or the shipped one for the game. UserError when there is none."""
    if spec.layout is not None:
        layout = load_layout(spec.layout)
        if layout.games and spec.game not in layout.games:
            raise UserError(
                f"source sim: the felt {layout.name} is printed for {', '.join(layout.games)}, "
                f"not for {spec.game}"
            )
        return layout
    fitting = [
        layout for name in list_layouts() if spec.game in (layout := load_layout(name)).games
    ]
    if not fitting:
        raise UserError(f"source sim: no layout ships for {spec.game}: name one with layout=")
    return min(fitting, key=lambda layout: (len(layout.zones), layout.name))


def deal(house: HouseFile, layout: Layout, seed: int, boxes: int | None) -> Deal:
    """The round of that seed. UserError when the house gives none that a camera can see."""
    numbers = [z.removeprefix("box") for z in layout.zone_ids if z.startswith("box")]
    most = min(most_boxes(house.house), len({n.split("-")[0] for n in numbers}))
    count = min(boxes, most) if boxes is not None else None
    for attempt in range(_TRIES):
        wanted = count if count is not None else 1 + (seed + attempt) % most
        case = generate(house, seed * 1000 + attempt, boxes=wanted)
        if _visible(case):
            expected = dict(settle_case(case))
            if "error" not in expected:
                return _laid_out(case, expected, layout)
    raise UserError(f"source sim: the house {house.house.name} gives no round for a camera")


def _visible(case: Mapping[str, Any]) -> bool:
    """Whether all that counts lies open some time: no bet on cards that were exchanged unseen."""
    for box in case["boxes"]:
        hidden = box["action"] == "fold" or box.get("exchanged") or "sixth" in box["bets"]
        if hidden and {"bonus", "pair_plus", "progressive"} & set(box["bets"]):
            return False
        if box["action"] == "fold" and ({"extra_two", "sixth"} & set(box["bets"])):
            return False
    return any(box["action"] == "play" for box in case["boxes"])


def _laid_out(case: dict[str, Any], expected: dict[str, Any], layout: Layout) -> Deal:
    dealer = case["dealer"]
    hands = [Hand("dealer", "dealer", _cards(dealer["cards"]))]
    if dealer.get("small"):
        hands.append(Hand("dealer", small_zone("dealer", layout), _cards(dealer["small"])))
    board = None
    if case.get("board"):
        board = Hand("board", "board", _cards(case["board"]))
    boxes: dict[int, tuple[Hand, ...]] = {}
    folded = []
    for box in case["boxes"]:
        owner = f"box{box['box']}"
        if box["action"] == "fold":
            folded.append(box["box"])
            continue
        own = [Hand(owner, owner, _cards(box["cards"]))]
        if box.get("small"):
            own.append(Hand(owner, small_zone(owner, layout), _cards(box["small"])))
        boxes[box["box"]] = tuple(own)
    up = {"three_card": 0, "texas": 0}.get(case["game"], 1)
    return Deal(
        case,
        expected,
        tuple(hands),
        board,
        boxes,
        tuple(folded),
        up,
        _replaced(_cards(dealer["cards"]), _cards(dealer.get("draws", ()))),
    )


def small_zone(owner: str, layout: Layout) -> str:
    """The zone of a small hand. UserError where the felt has none."""
    for name in (f"{owner}-small", f"{owner}small", f"{owner}_small"):
        if name in layout.zone_ids:
            return name
    raise UserError(f"source sim: the felt {layout.name} has no place for {owner}'s small hand")


def _cards(names: Sequence[str]) -> tuple[Card, ...]:
    return tuple(Card.parse(name) for name in names)


def _replaced(dealt: tuple[Card, ...], draws: tuple[Card, ...]) -> tuple[tuple[Card, Card], ...]:
    """Each drawn card with the highest card, which it replaces (RP-BUY-2)."""
    hand, pairs = list(dealt), []
    for drawn in draws:
        highest = max(hand, key=lambda card: card.value)
        hand.remove(highest)
        hand.append(drawn)
        pairs.append((drawn, highest))
    return tuple(pairs)
