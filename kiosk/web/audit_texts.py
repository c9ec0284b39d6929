"""The words of the record's pages: entries, pictures, parts of the kiosk, times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kiosk.record.clock import parse_time
from kiosk.table.outputs import NO_LONGER_CERTAIN, SLIP
from kiosk.web.context import kiosk
from kiosk.web.refusals import in_words
from kiosk.web.signin import people
from kiosk.web.texts import gettext, msgid, zone_name

KINDS = {
    "round-started": msgid("Hand begun"),
    "cards-accepted": msgid("Cards read"),
    "bets-entered": msgid("Bets entered"),
    "confirmed": msgid("Bets confirmed"),
    "card-corrected": msgid("Card put right by a person"),
    "answer": msgid("Answer of the dealer"),
    "revealed": msgid("Settlement shown"),
    "settled": msgid("Settled"),
    "overruled": msgid("Overruled"),
    "dismissed": msgid("Question looked at and dismissed"),
    "held": msgid("Held as disputed"),
    "released": msgid("Released"),
    "voided": msgid("Misdeal called"),
    "undone": msgid("Taken back"),
    "round-finished": msgid("Hand over"),
    "fault": msgid("Fault"),
    "unfinished": msgid("Left unfinished"),
    "picture-deleted": msgid("Pictures deleted"),
    "clock-step": msgid("Clock set"),
    "rule-card": msgid("Rule card kept"),
    "opened": msgid("Kiosk started"),
    "closed": msgid("Kiosk stopped"),
}
"""Kind of entry → what happened."""

PICTURES = {
    "before": msgid("First cards on the felt"),
    "dealer": msgid("Dealer's cards read"),
    "after": msgid("Settlement shown"),
    "end": msgid("End of the hand"),
}
"""Role of a picture → what it shows; a box's own is named after the box."""

PARTS = {
    "camera": msgid("Camera"),
    "model": msgid("Card reading"),
    "storage": msgid("Storage"),
    "panel": msgid("Button panel"),
    "table": msgid("Table"),
    "server": msgid("Pit's server"),
}

FAULTS = {
    "part-fault": msgid("{part} failed: {text}"),
    "part-good": msgid("{part} works again"),
    "entries-lost": msgid("{count} entries could not be kept"),
    "tail-cut": msgid("Entries were missing at the end of the record when the kiosk started"),
    "head-lost": msgid("The file with the newest head was gone when the kiosk started"),
    "head-damaged": msgid("The file with the newest head was damaged when the kiosk started"),
    "key-lost": msgid("The signing key was gone when the kiosk started"),
    "chain-broken": msgid("An entry near the end of the record did not fit when the kiosk started"),
}

STATES = {
    "open": msgid("open"),
    "settled": msgid("settled"),
    "by-hand": msgid("settled by hand"),
    "void": msgid("Misdeal"),
    "unfinished": msgid("unfinished"),
    "disputed": msgid("disputed"),
    "overruled": msgid("overruled"),
    "assumed": msgid("bets assumed"),
}

GAMES = {
    "russian": msgid("Russian poker"),
    "oasis": msgid("Oasis poker"),
    "five_card": msgid("Poker with five cards"),
    "six_card": msgid("Poker with six cards"),
    "three_card": msgid("Three card poker"),
    "texas": msgid("Texas hold'em"),
    "split": msgid("Split poker"),
}

VERDICTS = {
    "right": msgid("right"),
    "wrong": msgid("wrong"),
    "not-answered": msgid("not answered"),
}


REASONS = {
    SLIP: msgid("slip of the finger"),
    NO_LONGER_CERTAIN: msgid("no longer certain"),
    "panel": msgid("at the button panel"),
}
"""Reasons that nobody wrote."""


def kind_text(kind: str) -> str:
    """What an entry of this kind says happened."""
    return gettext(KINDS[kind]) if kind in KINDS else kind


def picture_text(role: str) -> str:
    """What a picture of this role shows."""
    return pictures_text([role])


def pictures_text(roles: Sequence[str], translate: Callable[[str], str] | None = None) -> str:
    """All that a picture shows which is kept for several moments of a hand."""
    t = translate or gettext
    return ", ".join(
        t(PICTURES[r]) if r in PICTURES else zone_name(r, t) if r.startswith("box") else r
        for r in roles
    )


def part_text(part: str) -> str:
    """A part of the kiosk in words."""
    return gettext(PARTS[part]) if part in PARTS else part


def state_text(state: str) -> str:
    """A state of a hand in words."""
    return gettext(STATES[state]) if state in STATES else state


def game_name(game: str) -> str:
    """A game in words."""
    return gettext(GAMES[game]) if game in GAMES else game


def verdict_text(verdict: str) -> str:
    """The verdict on an answer in words."""
    return gettext(VERDICTS[verdict]) if verdict in VERDICTS else verdict


def reason_text(reason: object, translate: Callable[[str], str] | None = None) -> str:
    """The reason of an entry: what a person wrote, or one of the kiosk's own in words."""
    text = str(reason or "")
    return (translate or gettext)(REASONS[text]) if text in REASONS else text


def fault_text(entry: Mapping[str, Any]) -> str:
    """An entry of the log of faults in one line."""
    payload = entry["payload"]
    what = str(payload.get("what", ""))
    if entry["kind"] == "fault" and what in FAULTS:
        return gettext(FAULTS[what]).format(
            part=part_text(str(payload.get("part", ""))),
            text=in_words(str(payload.get("text", ""))),
            count=payload.get("count", ""),
        )
    if entry["kind"] == "clock-step":
        return gettext("The clock was set by {n} s").format(n=payload.get("seconds"))
    if entry["kind"] == "opened":
        clean = payload.get("clean") is not False
        said = (
            msgid("Kiosk started") if clean else msgid("Kiosk started after a power cut or crash")
        )
        return f"{gettext(said)}, {payload.get('software', '')}".rstrip(", ")
    if entry["kind"] == "picture-deleted":
        files = payload.get("files")
        count = len(files) if isinstance(files, list) else 0
        return gettext("{n} pictures deleted, their time was over").format(n=count)
    if entry["kind"] == "unfinished":
        return gettext("Hand {id} was left unfinished").format(id=entry["round"])
    return f"{kind_text(entry['kind'])} {what}".strip()


def local(time: str | None) -> str:
    """A recorded time as the clock on this kiosk's wall shows it, to the second."""
    try:
        return parse_time(time or "").astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return time or ""


def local_zone(time: str | None) -> str:
    """What local time was ahead of UTC then: ``UTC+03:00``."""
    try:
        offset = parse_time(time or "").astimezone().strftime("%z")
    except ValueError:
        return ""
    return f"UTC{offset[:3]}:{offset[3:]}"


def namer() -> Callable[[str | None], str]:
    """A function from a person's id to a name (`name_by`), for this request."""
    return name_by(_known(), gettext, alone=kiosk().recorded.pit is None)


def plain_namer() -> Callable[[str | None], str]:
    """The same for exports: "" for who was erased or is not known here."""
    known = _known()
    return lambda person: known.get(person or "", "")


def name_by(
    known: Mapping[str, str], translate: Callable[[str], str], *, alone: bool
) -> Callable[[str | None], str]:
    """A function from a person's id to a name. Who was erased is shown as that (where each table
    has people of its own, not ``alone``, only as somebody); other texts, such as ``page``, in
    words."""

    def name(person: str | None) -> str:
        if not person:
            return ""
        if person in known:
            return known[person]
        if person.startswith("p-"):
            unknown = msgid("erased person {id}") if alone else msgid("person {id}")
            return translate(unknown).format(id=person[-4:])
        return translate(WHO[person]) if person in WHO else person

    return name


def _known() -> Mapping[str, str]:
    try:
        return people().names()
    except Exception:  # the record can be read while the accounts cannot
        return {}


WHO = {"page": msgid("at the page"), "panel": msgid("at the panel")}
