"""Cards put right on the panel: which one, and what it really is. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from firmware_bridge.asks import question_of
from firmware_bridge.protocol import COLUMNS
from firmware_bridge.view import (
    DECK_RANKS,
    DECK_SUITS,
    Action,
    Ask,
    Pick,
    Snapshot,
    Translate,
    View,
    ascii_text,
    cards_at,
    place_of,
    places,
    zone_name,
)

Step = tuple[View, list[Action]]

_FIRST: Final = "As"
_SHOWN: Final = 6
"""So many cards stand on one row, with the mark of the one chosen."""


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


def begin(snapshot: Snapshot, zone: str) -> Pick:
    """The cards of a zone, the first one chosen."""
    return _at(zone, slots(snapshot, zone)[0])


def _at(zone: str, was: str | None) -> Pick:
    return Pick(zone, was, was or _FIRST)


def slots(snapshot: Snapshot, zone: str) -> tuple[str | None, ...]:
    """The cards of a zone; None, to add one, comes last."""
    return (*cards_at(place_of(snapshot, zone) or {}), None)


def _next(pick: Pick, snapshot: Snapshot) -> Pick:
    """The next card of the zone; after its last place the next zone of the same hand."""
    found = slots(snapshot, pick.zone)
    if pick.was is not None:
        return _at(pick.zone, found[found.index(pick.was) + 1])
    owner = _owner(pick.zone)
    zones = [place["zone"] for place in places(snapshot) if _owner(place["zone"]) == owner]
    zone = zones[(zones.index(pick.zone) + 1) % len(zones)] if pick.zone in zones else pick.zone
    return begin(snapshot, zone)


def _owner(zone: str) -> str:
    """A box and its small hand are gone through together, and all that is the table's."""
    return zone.partition("-")[0] if zone.startswith("box") else ""


def settle(view: View, snapshot: Snapshot) -> View:
    """The view after the table has changed: what was put right, or is no longer there or asked, is
    left."""
    pick = view.pick
    if pick is None:
        return view
    if pick.question is not None and question_of(snapshot, pick.question) is None:
        gone = None if pick.sent else Ask(pick.question, gone=True)
        return replace(view, pick=None, ask=gone)
    if pick.was not in slots(snapshot, pick.zone):
        return replace(view, pick=begin(snapshot, pick.zone))
    return view


def press(view: View, button: str, snapshot: Snapshot, translate: Translate) -> Step:
    """A press while cards are put right: bet goes on to the next card, plus and minus change the
    rank, exchange the suit, fold says that no card lies there, confirm enters it."""
    pick = view.pick
    assert pick is not None
    if button == "bet" and pick.doubt is None:
        return replace(view, pick=replace(_next(pick, snapshot), question=pick.question)), []
    if button in ("plus", "minus", "exchange"):
        return replace(view, pick=replace(pick, card=_turned(pick, button), sent=False)), []
    if button == "fold" and (pick.was is not None or pick.doubt is not None):
        card = None if pick.card is not None else pick.was or _FIRST
        return replace(view, pick=replace(pick, card=card, sent=False)), []
    if button == "confirm":
        return _give(view, pick)
    return view, []


def _turned(pick: Pick, button: str) -> str:
    card = pick.card or pick.was or _FIRST
    rank, suit = card[0], card[1]
    if button == "exchange":
        return rank + DECK_SUITS[(DECK_SUITS.index(suit) + 1) % len(DECK_SUITS)]
    turn = 1 if button == "plus" else -1
    return DECK_RANKS[(DECK_RANKS.index(rank) + turn) % len(DECK_RANKS)] + suit


def _give(view: View, pick: Pick) -> Step:
    """Enter the card, and stay for the next one. What was not changed is left alone."""
    if pick.doubt is None and pick.card == pick.was:
        return View(selected=view.selected), []
    body: dict[str, Any] = {"zone": pick.zone, "card": pick.card}
    if pick.doubt is not None:
        body["doubt"] = pick.doubt
    else:
        body["was"] = pick.was
    after = replace(pick, sent=True)
    if pick.doubt is None and pick.was is not None and pick.card is not None:
        after = replace(after, was=pick.card)
    return replace(view, pick=after), [("cards", body)]


def lines(pick: Pick, snapshot: Snapshot, translate: Translate) -> list[str]:
    """The place, its cards with the one chosen, what it becomes, the keys."""
    place = place_of(snapshot, pick.zone) or {}
    count = f"{place.get('read', 0)}/{place.get('expected', 0)}"
    name = f"{translate(_('Cards'))} {zone_name(pick.zone, translate)}"
    left = ascii_text(name)[: COLUMNS - len(count) - 1]
    return [
        left.ljust(COLUMNS - len(count)) + count,
        _row(pick, snapshot),
        _change(pick, snapshot, translate),
        translate(_("+- rank  EXCH: suit")),
    ]


def _row(pick: Pick, snapshot: Snapshot) -> str:
    found = slots(snapshot, pick.zone)
    at = found.index(pick.was) if pick.was in found else len(found) - 1
    first = max(0, min(at - _SHOWN + 1, len(found) - _SHOWN)) if at >= _SHOWN else 0
    named = [(">" if n == at else " ") + (card or "+") for n, card in enumerate(found)]
    return "".join(named[first : first + _SHOWN])


def _change(pick: Pick, snapshot: Snapshot, translate: Translate) -> str:
    none = translate(_("no card"))
    if pick.was is None:
        text = f"= {pick.card or none}"
    elif pick.card == pick.was:
        return pick.was
    else:
        text = f"{pick.was} = {pick.card or none}"
    other = _lies_in(pick, snapshot)
    return text if other is None else f"{text}  ! {zone_name(other, translate)}"


def _lies_in(pick: Pick, snapshot: Snapshot) -> str | None:
    """The zone where the card chosen already lies."""
    if pick.card is None or pick.card == pick.was:
        return None
    for place in places(snapshot):
        if pick.card in cards_at(place):
            zone: str = place["zone"]
            return zone
    return None
