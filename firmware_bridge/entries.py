"""Bets and actions of a box on the panel's buttons, and the dealer's own settlement. Pure.

Every function takes the view and gives the view after the press, with the actions it means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from firmware_bridge.view import (
    ANTE_BONUS,
    RESULTS,
    Action,
    DraftBet,
    Offer,
    Snapshot,
    Translate,
    View,
    answer_lines,
    decimal,
    number,
    owed_boxes,
    placed,
    wrong,
)

Box = Mapping[str, Any]
Step = tuple[View, list[Action]]


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


def look(view: View, button: str, box: Box, snapshot: Snapshot) -> Step:
    """A press while the box's settlement is shown."""
    if button == "confirm" and (wrong(box) or box["box"] in owed_boxes(snapshot)):
        return View(selected=view.selected, fixing=True), []
    if button in ("bet", "plus"):
        return replace(view, at=view.at + 1), []
    return view, []


def enter(
    view: View, button: str, box: Box, snapshot: Snapshot, offer: Offer, translate: Translate
) -> Step:
    """A press while the box's bets are entered."""
    at_box = box["box"]
    if not box.get("in_play"):
        return view, _bets(at_box, in_play=True) if button == "plus" else []
    if button == "bet":
        return replace(view, at=(view.at + 1) % len(offer.fields)), []
    if button == "sixth" and not (offer.sixth or box.get("sixth")):
        return replace(view, notice=translate(_("Not in this house"))), []
    table: dict[str, Callable[[], list[Action]]] = {
        "plus": lambda: step(view, True, box, snapshot, offer, 1),
        "minus": lambda: step(view, False, box, snapshot, offer, 1),
        "fold": lambda: _bets(at_box, action="play" if box.get("action") == "fold" else "fold"),
        "sixth": lambda: _bets(at_box, sixth=not box.get("sixth")),
        "exchange": lambda: _exchange(at_box, box.get("exchanged", 0), offer),
        "confirm": lambda: [("confirm", {"box": at_box})],
    }
    actions = table[button]()
    if button == "exchange" and not actions:
        return replace(view, notice=translate(_("Not in this house"))), []
    return view, actions


def _exchange(box: int, now: int, offer: Offer) -> list[Action]:
    """The next number of cards that the house exchanges; after the last none."""
    more = [count for count in offer.exchanges if count > now]
    then = more[0] if more else 0
    return [] if then == now else _bets(box, exchanged=then)


def step(
    view: View, up: bool, box: Box, snapshot: Snapshot, offer: Offer, steps: int
) -> list[Action]:
    """Change the field chosen. The least ante minus one step takes the box out of play."""
    name = offer.fields[view.at % len(offer.fields)]
    if name in offer.switches:
        return _bets(box["box"], **{name: up})
    limits = snapshot["table"]
    bets = box.get("bets", {})
    now = decimal(bets.get(name) or 0)
    if name == "bonus":
        fixed = offer.fixed_bonus(decimal(bets.get("ante") or limits["ante_min"]))
        if fixed is not None:
            then = fixed if up else Decimal(0)
            return [] if then == now else _bets(box["box"], bets={name: number(then)})
    size = _step_of(name, bets, limits)
    then = now + size * steps if up else now - size * steps
    if name == "ante":
        least, most = decimal(limits["ante_min"]), decimal(limits["ante_max"])
        if then < least and now == least and steps == 1:
            return _bets(box["box"], in_play=False)
        then = min(max(then, least), most)
    then = max(then, Decimal(0))
    return [] if then == now else _bets(box["box"], bets={name: number(then)})


def _step_of(name: str, bets: Mapping[str, Any], limits: Mapping[str, Any]) -> Decimal:
    """How much one press of plus changes: ante and pair plus by the least ante, bonus by a tenth of
    the ante (its usual size), the jackpot's bet by the smallest chip, other bets by one ante."""
    least = decimal(limits["ante_min"])
    ante = decimal(bets.get("ante") or least)
    chips = [decimal(chip) for chip in limits.get("chips", ())]
    sizes = {
        "ante": least,
        "pair_plus": least,
        "bonus": ante / 10,
        "progressive": min(chips, default=least),
    }
    return sizes.get(name, ante)


def _bets(box: int, **entries: Any) -> list[Action]:
    return [("bets", {"box": box, **entries})]


def answer(view: View, button: str, box: Box, offer: Offer, translate: Translate) -> Step:
    """A press while the dealer's own settlement of the box is entered."""
    names = answer_lines(box, offer)
    if button == "bet":
        return replace(view, at=(view.at + 1) % max(len(names), 1)), []
    if button in ("plus", "minus"):
        return step_draft(view, button == "plus", box, offer), []
    if button == "exchange":
        return _turn_draft(view, box, offer), []
    if button == "confirm":
        return _give(view, box, names, translate)
    return view, []


def _give(view: View, box: Box, names: tuple[str, ...], translate: Translate) -> Step:
    draft = view.draft
    # What has no stake and is not paid is left out of an answer.
    names = tuple(name for name in names if name != ANTE_BONUS or name in draft)
    if not names or any(name not in draft for name in names):
        return replace(view, notice=translate(_("Some bets have no answer"))), []
    bets = {
        name: {"result": draft[name].result, "amount": number(draft[name].amount)} for name in names
    }
    return replace(view, fixing=False), [("answer", {"box": box["box"], "bets": bets})]


def _draft_at(view: View, box: Box, offer: Offer) -> tuple[str, Decimal, DraftBet | None]:
    names = answer_lines(box, offer)
    name = names[view.at % len(names)]
    stake = decimal(box["bets"]["ante" if name == ANTE_BONUS else name])
    return name, stake, view.draft.get(name)


def _put_draft(view: View, name: str, bet: DraftBet) -> View:
    draft = {**view.draft, name: bet}
    if name == ANTE_BONUS and bet.result != "win":
        del draft[name]
    return replace(view, draft=draft)


def step_draft(view: View, up: bool, box: Box, offer: Offer, steps: int = 1) -> View:
    """Plus pays one stake more (1:1, 2:1 …); minus one less, below nothing it is taken."""
    if not placed(box):
        return view
    name, stake, draft = _draft_at(view, box, offer)
    paid = draft.amount if draft is not None and draft.result == "win" else Decimal(0)
    paid += stake * steps if up else -stake * steps
    return _put_draft(view, name, DraftBet("win", paid) if paid > 0 else DraftBet("lose", stake))


def _turn_draft(view: View, box: Box, offer: Offer) -> View:
    if not placed(box):
        return view
    name, stake, draft = _draft_at(view, box, offer)
    at = RESULTS.index(draft.result) + 1 if draft is not None else 0
    result = RESULTS[at % len(RESULTS)]
    amount = stake if result in ("win", "lose") else Decimal(0)
    return _put_draft(view, name, DraftBet(result, amount))
