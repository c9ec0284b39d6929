"""What stands in the way of a certain settlement: how it is said, when it is asked, what it blocks.

A Reason blocks the zones it touches: at once while their hands are open, and for hands already
settled as soon as it has lasted long enough to be asked (a passing flicker takes nothing back).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from kiosk.cards import Card
from kiosk.rules.catalogue import Catalogue, catalogue
from kiosk.rules.explain import explain_error
from kiosk.sightings import Doubt
from kiosk.table.places import SHARED, box_of, is_small
from kiosk.table.reason import Reason, Values
from kiosk.table.state import BOARD, DEALER, DEALER_SMALL, Asked, Core
from kiosk.table.texts import BOX_TEXTS, HEADS, PLACES, SHARED_TEXTS, ZONE_TEXTS


def join_cards(cards: Iterable[Card]) -> str:
    return " ".join(card.symbol for card in cards)


def _text(zone: str, name: str) -> tuple[str, Values]:
    own = SHARED_TEXTS if zone in SHARED else BOX_TEXTS
    return own.get(name) or ZONE_TEXTS[name], (("place", zone),)


def zone_reason(
    zone: str,
    name: str,
    kind: str,
    values: Values = (),
    *,
    delay: float,
    steady: bool = False,
    sign: str | None = None,
    card: Card | None = None,
    doubt: Doubt | None = None,
    actions: tuple[str, ...] = (),
    key: str = "",
    touches: frozenset[str] | None = None,
    evidence: bool = False,
) -> Reason:
    """A reason about one zone; ``name``: of its text. ``touches``: where it is not the zone alone
    that gets no settlement."""
    text, own = _text(zone, name)
    return Reason(
        id=f"q-{zone}-{name}{'-' + key if key else ''}",
        kind=kind,
        zone=zone,
        text=text,
        values=own + values,
        touches=frozenset({zone}) if touches is None else touches,
        delay=delay,
        steady=steady,
        sign=sign,
        card=card,
        doubt=doubt,
        actions=(*actions, "dismiss") if sign is not None else actions,
        secret_text=SHARED_TEXTS.get(f"{name}-secret") if zone in SHARED else None,
        evidence=evidence,
    )


def question_text(reason: Reason, secret: bool, language: str = "en") -> str:
    """The text for people; ``secret``: without what would give a hand away."""
    msgid = reason.secret_text if secret and reason.secret_text else reason.text
    values = dict(reason.values)
    if language != "en" and "error" in values:
        values["message"] = explain_error(str(values["error"]), language)
    words = catalogue(language, "table")
    if "zones" in values:
        places = (_place(zone, PLACES, words) for zone in str(values["zones"]).split())
        values["zones"] = ", ".join(places)
    if "zone" in values:
        values["zone"] = _place(str(values["zone"]), PLACES, words)
    if "place" in values:
        values["place"] = _place(str(values["place"]), HEADS, words)
    return words.get(msgid).format(**values)


def _place(zone: str, texts: Mapping[str, str], words: Catalogue) -> str:
    """A zone in words; ``texts``: by kind, at the head of a sentence or inside one."""
    if zone in (DEALER, BOARD):
        return words.get(texts[zone])
    number = box_of(zone)
    if number is None and zone != DEALER_SMALL:
        return zone
    kind = "box" if number is not None else DEALER
    return words.get(texts[f"{kind}-small" if is_small(zone) else kind]).format(box=number)


def update_asked(core: Core, reasons: tuple[Reason, ...], t: float) -> Core:
    """Notes since when each reason stands and which are old enough to be asked."""
    before = {entry.id: entry for entry in core.asked}
    after = []
    for reason in reasons:
        entry = before.get(reason.id, Asked(reason.id, t, False))
        begin = entry.since
        if reason.steady and reason.zone is not None:
            begin = max(begin, core.zone(reason.zone).names_at)
        asked = entry.asked or t - begin >= reason.delay
        after.append(replace(entry, asked=asked))
    return core if tuple(after) == core.asked else replace(core, asked=tuple(after))


def blocking(core: Core, reasons: tuple[Reason, ...], zone: str) -> tuple[Reason, ...]:
    """The reasons that keep this zone's hand from being settled: its own, and for a box those of
    the hands that count for every box.

    A hand already fixed gives way only to what has been asked.
    """
    grace = core.zone(zone).fixed
    wanted = {zone} if zone in SHARED else {zone, *SHARED}
    touching = (r for r in reasons if wanted & r.touches)
    return tuple(r for r in touching if not grace or core.is_asked(r.id))
