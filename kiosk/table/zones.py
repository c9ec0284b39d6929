"""Merging what the camera sees into the hands of a round.

Rules: a passing hand changes nothing (occluded); cards that go leave the hand known; a card that
comes joins it; a card that vanished while others came is kept aside as ``left`` until explained.
A fixed hand is never changed from here.
"""

from __future__ import annotations

from dataclasses import replace

from kiosk.cards import Card
from kiosk.sightings import Box as PixelBox
from kiosk.sightings import ReadCard
from kiosk.table.places import partner
from kiosk.table.plan import Plan
from kiosk.table.state import DEALER, Core, HandCard, RoundSettings, ZoneState, zone_of

OPENED = 2
"""From this many names on a box counts as opened: a card that shows by mishap does not."""


def names_now(zone: ZoneState) -> dict[Card, ReadCard]:
    """The cards read in the zone now, as people have put them right, without leftovers.

    Where a card that was put right would become a second one of its name, it keeps the machine's:
    two cards are never taken for one.
    """
    renames = dict(zone.renames)
    reads = [read for read in zone.view.cards if read.card not in zone.leftover]
    found = {read.card: read for read in reads if read.card not in renames}
    for read in reads:
        card = renames.get(read.card, read.card)
        if card is not None and found.get(card) is not read:
            found[read.card if card in found else card] = read
    return {c: found[c] for c in sorted(found, key=lambda c: reads.index(found[c]))}


def machines_names(core: Core) -> dict[str, str]:
    """The names that people have given to cards on the table → what the machine calls these."""
    renames = (pair for zone in core.zones for pair in zone.renames)
    return {str(said): str(read) for read, said in renames if said is not None}


def open_doubts(zone: ZoneState) -> tuple[str, ...]:
    """Keys of the doubts nobody has answered."""
    answered = {key for key, _ in zone.answered}
    return tuple(doubt.key for doubt in zone.view.doubts if doubt.key not in answered)


def merge(core: Core, t: float, settings: RoundSettings) -> Core:
    """Brings every hand up to date with the evidence at time ``t``."""
    trusted = core.trouble is None
    gone = core.gone if any(box.revealed for box in core.boxes) else frozenset()
    swapped = {zone_of(box.box) for box in core.boxes if box.exchanged}
    merged = (
        _merge_zone(z, t, settings, trusted, z.zone in gone, z.zone in swapped) for z in core.zones
    )
    core = replace(core, zones=tuple(merged))
    return note_dealt(_explain_left(_moved(core), settings.plan), t, settings)


def _merge_zone(
    zone: ZoneState, t: float, settings: RoundSettings, trusted: bool, gone: bool, swapped: bool
) -> ZoneState:
    """``trusted``: the picture is; otherwise time passes without anybody looking, and a hand that
    the machine has read does not become known by it. ``gone``: the zone was bare and a settlement
    has been shown, so that backs there belong to no hand of this round. ``swapped``: an
    exchange was entered, so that a card in another's place is another card."""
    if zone.view.occluded:
        return replace(_no_longer_dismissed(zone), passed=True)
    zone = _still_there(zone) if trusted else zone
    names = names_now(zone)
    if not zone.fixed:
        if zone.bare and len(zone.hand) < OPENED and all(h.seen for h in zone.hand):
            zone = replace(zone, hand=(), left=())
        zone = _join(zone, names, swapped)
    zone = replace(zone, passed=False) if zone.passed and trusted else zone
    lying = frozenset(names) & {*zone.cards}
    zone = zone if lying == zone.lying else replace(zone, lying=lying)
    looked = trusted or all(held.seen is None for held in zone.hand)
    still = t - zone.names_at >= settings.settle_after
    if not zone.known and zone.hand and whole(zone) and still and looked:
        zone = replace(zone, known=True)
    return _touch(zone, names, t, settings, gone)


def _still_there(zone: ZoneState) -> ZoneState:
    """Without what people said of cards that lie there no more: another card may be read by that
    name later."""
    read = {card.card for card in zone.view.cards}
    kept = tuple(pair for pair in zone.renames if pair[0] in read)
    return zone if kept == zone.renames else replace(zone, renames=kept)


def _no_longer_dismissed(zone: ZoneState) -> ZoneState:
    """Where something moves a card may be laid in a place that was called "no card" before."""
    kept = tuple((key, card) for key, card in zone.answered if card is not None)
    return zone if kept == zone.answered else replace(zone, answered=kept)


def _touch(
    zone: ZoneState, names: dict[Card, ReadCard], t: float, settings: RoundSettings, gone: bool
) -> ZoneState:
    steady = t - zone.changed_at >= settings.settle_after
    bodies = zone.view.bodies > 0 and steady and not zone.stale and not gone
    if zone.touched or not (names or bodies or zone.hand):
        return zone
    return replace(zone, touched=True)


def whole(zone: ZoneState) -> bool:
    """All cards of the hand that the machine has named lie there now."""
    return all(held.card in zone.lying for held in zone.hand if held.seen is not None)


def as_many_as_held(zone: ZoneState) -> bool:
    """As many cards are seen as the hand has: none of it is collected, covered or piled up."""
    return bool(zone.hand) and len(names_now(zone)) + len(open_doubts(zone)) >= len(zone.hand)


def _join(zone: ZoneState, names: dict[Card, ReadCard], swapped: bool) -> ZoneState:
    new = [card for card in names if card not in zone.cards]
    if not new:
        return zone
    gone = [h for h in zone.hand if h.card not in names and h.seen is not None]
    kept = [h for h in zone.hand if h not in gone]
    come = tuple(hand_card(card, names[card]) for card in new)
    anew = {} if swapped else _read_anew(zone, gone, {card: names[card] for card in new})
    left = tuple(h for h in (*zone.left, *gone) if h.card not in names and h.card not in anew)
    dealt = tuple(anew.get(card, card) for card in zone.dealt)
    early = tuple(anew.get(card, card) for card in zone.early)
    hand = (*kept, *come)
    return replace(zone, hand=hand, left=left, known=False, dealt=dealt, early=early)


def _read_anew(
    zone: ZoneState, gone: list[HandCard], new: dict[Card, ReadCard]
) -> dict[Card, Card]:
    """Names that have gone → those that stand in their place: the same index, read otherwise now.

    Only where nothing has passed over the zone and the old name was seen until then: otherwise
    another card may lie there.
    """
    anew: dict[Card, Card] = {}
    for held in gone:
        if zone.passed or held.card not in zone.lying:
            continue
        for card, read in new.items():
            if card not in anew.values() and _same_place(held.place, read):
                anew[held.card] = card
                break
    return anew


def hand_card(card: Card, read: ReadCard) -> HandCard:
    """A card as read; a person may have renamed the machine's name for it beforehand."""
    return HandCard(
        card,
        read.confidence,
        "machine" if read.card == card else "person",
        read.card,
        read.boxes[0] if read.boxes else None,
    )


def _same_place(place: PixelBox | None, read: ReadCard) -> bool:
    """The new name stands where the old one stood: the same index read anew."""
    if place is None:
        return False
    x, y = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
    return any(b[0] <= x <= b[2] and b[1] <= y <= b[3] for b in read.boxes)


def _explain_left(core: Core, plan: Plan) -> Core:
    """A card that vanished from one zone and lies in another has only been moved; not one that a
    box has thrown away for good."""
    thrown = {zone_of(box.box) for box in core.boxes if box.exchanged}
    if plan.house.draw.reshuffle_discards:
        thrown = set()
    owners: dict[Card, set[str]] = {}
    for zone in core.zones:
        for card in zone.cards:
            owners.setdefault(card, set()).add(zone.zone)
    zones = []
    for zone in core.zones:
        left = zone.left
        if zone.zone not in thrown:
            left = tuple(h for h in left if not owners.get(h.card, set()) - {zone.zone})
        left = tuple(h for h in left if h.card not in zone.cards)
        zones.append(zone if left == zone.left else replace(zone, left=left))
    return replace(core, zones=tuple(zones))


def _moved(core: Core) -> Core:
    """A card that is gone from an open hand and lies elsewhere now belongs there.

    The rest of the hand must lie in full view; of a hand that was collected nothing is taken,
    unless the card lies in the other hand of the same place.
    """
    for zone in core.zones:
        if zone.fixed or zone.view.occluded:
            continue
        gone = {h.card for h in zone.hand if h.card not in zone.lying and h.seen is not None}
        if not gone:
            continue
        reach = (
            core.zones if zone.lying else [z for z in core.zones if z.zone == partner(zone.zone)]
        )
        others = (z.lying for z in reach if z.zone != zone.zone and not z.view.occluded)
        moved = gone & frozenset().union(*others)
        if moved:
            hand = tuple(held for held in zone.hand if held.card not in moved)
            core = core.with_zone(replace(zone, hand=hand, known=False))
    return core


def note_dealt(core: Core, t: float, settings: RoundSettings) -> Core:
    """Notes which cards were dealt first: the flop, and hands shown before the dealer's opens.

    They must have lain alone and still for a while, so that a hand that is being laid out is not
    taken for one of fewer cards.
    """
    plan = settings.plan
    board = core.board
    if board is not None and _alone(board, plan.flop, t, settings):
        core = core.with_zone(replace(board, dealt=board.cards))
    if len(core.dealer.hand) >= plan.opened or not takes_more(plan):
        return core
    for box in core.boxes:
        zone = core.zone(zone_of(box.box))
        if zone.known and not zone.early and len(zone.hand) == plan.shape.box_cards:
            zone = replace(zone, early=zone.cards)
            core = core.with_zone(zone)
        took = box.sixth or box.exchanged or zone.dealt
        if not took and _alone(zone, plan.shape.box_cards, t, settings):
            core = core.with_zone(replace(zone, dealt=zone.cards))
    return core


def takes_more(plan: Plan) -> bool:
    """Whether a box may exchange or buy cards that change its hand."""
    return plan.sixth or plan.most_exchanged > 0


def _alone(zone: ZoneState, size: int, t: float, settings: RoundSettings) -> bool:
    """Just these cards lie in the zone, all read, and have done so for a while."""
    if not zone.known or len(zone.hand) != size or zone.view.occluded or zone.left:
        return False
    if zone.view.bodies > size or open_doubts(zone) or not whole(zone) or zone.dealt == zone.cards:
        return False
    return t - zone.names_at >= settings.shown_after


def felt_clear(core: Core) -> bool:
    """Bare felt in every zone of the game, seen by a camera that can be trusted."""
    return core.trouble is None and not core.outside and all(zone.bare for zone in core.zones)


def new_deal_lies(core: Core, t: float, settings: RoundSettings) -> bool:
    """After the felt was clear: cards lie there that are not those of this round shown again."""
    for zone in core.zones:
        if zone.view.occluded or t - zone.changed_at < settings.settle_after:
            continue
        names = names_now(zone)
        own = {*zone.cards} | ({h.card for h in core.draws} if zone.zone == DEALER else set())
        if set(names) - own or (not names and zone.view.bodies):
            return True
    return False


def _by_hand(core: Core) -> bool:
    """A hand lives on a person's word alone: bare felt says nothing about it."""
    return any(zone.hand and all(h.seen is None for h in zone.hand) for zone in core.zones)


def watch_dealer(core: Core, t: float, settings: RoundSettings) -> Core:
    """Ends the hand when its cards are gone, however short the felt was clear (V15).

    Either every zone was seen bare since its cards of this hand lay there, or another hand lies in
    the dealer's place: a box that is opened from now on is not this dealer's.
    """
    dealer = core.dealer
    if core.cleared or core.voided or not dealer.fixed or core.trouble or _by_hand(core):
        return core
    gone, before = _collected(core), core.gone
    core = core if gone == core.gone else replace(core, gone=gone)
    over = len(gone) == len(core.zones)
    if over and dealer.zone in before and not dealer.bare:
        # The dealer's cards went first and the last card was seen to be gone only now: what comes
        # to the dealer's place meanwhile is the next deal's.
        return replace(core, cleared=True, short=True)
    if dealer.view.occluded or dealer.lying or t - dealer.changed_at < settings.settle_after:
        return core
    own = {*dealer.cards, *(held.card for held in core.draws)}
    others = set(names_now(dealer)) - own
    if others and not set(names_now(dealer)) & own:
        return replace(core, cleared=True, short=True, new_deal=True)
    return replace(core, cleared=True, short=True) if over else core


def _collected(core: Core) -> frozenset[str]:
    """Zones seen bare since the dealer's hand was complete, and not used by this hand again.

    A hand is this one's when it is shown beside the dealer's cards, and backs are where backs lay
    before: they are missed for moments. Other backs are the next deal's.
    """
    bare = {zone.zone for zone in core.zones if zone.bare}
    back = {
        z.zone for z in core.zones if not z.view.occluded and _in_use(z, bool(core.dealer.lying))
    }
    return (core.gone | bare) - back


def _in_use(zone: ZoneState, dealer: bool) -> bool:
    """Cards of this round lie in the zone; ``dealer``: the dealer's do."""
    if zone.fixed:
        return bool(zone.lying)
    return dealer and (bool(names_now(zone)) or (zone.touched and zone.view.bodies > 0))


def watch_felt(core: Core, t: float, settings: RoundSettings) -> Core:
    """Notes since when the felt is clear; a deal that went away unopened never was."""
    core = watch_dealer(core, t, settings)
    if core.cleared:
        new = new_deal_lies(core, t, settings)
        core = core if new == core.new_deal else replace(core, new_deal=new)
    if not felt_clear(core):
        return core if core.clear_since is None else replace(core, clear_since=None)
    since = t if core.clear_since is None else core.clear_since
    core = core if core.clear_since == since else replace(core, clear_since=since)
    dealt = any(z.touched or z.hand for z in core.zones) and not _by_hand(core)
    if t - since < settings.clear_after or not dealt:
        return core
    if core.cleared:
        return replace(core, short=False) if core.short else core
    if core.voided is None and all(len(z.hand) < OPENED for z in core.zones):
        return replace(core, zones=tuple(_forget(z) for z in core.zones))
    return replace(core, cleared=True)


def _forget(zone: ZoneState) -> ZoneState:
    return replace(
        zone,
        hand=(),
        lying=frozenset(),
        left=(),
        known=False,
        fixed=False,
        touched=False,
        renames=(),
        answered=(),
        dealt=(),
        early=(),
    )
