"""Where the dealer is on the panel, what the house offers, and how things are written on 20×4.

Pure values and helpers shared by the panel's screens and buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

Snapshot = Mapping[str, Any]
Lines = tuple[str, str, str, str]
Translate = Callable[[str], str]
Action = tuple[str, dict[str, Any]]
"""Name and body of an action, as the page posts it."""

DECK_RANKS: Final = "23456789TJQKA"
DECK_SUITS: Final = "shdc"
ANTE_BONUS: Final = "ante_bonus"
RESULTS: Final = ("win", "lose", "push", "not-paid", "returned")

_CYRILLIC: Final = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh sch _ y _ e yu ya".split(),
        strict=True,
    )
)
_SIGNS: Final = {"₽": "R", "€": "E", "–": "-", "—": "-", "×": "x", "…": ".", "«": '"', "»": '"'}
_SUITS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


@dataclass(frozen=True, slots=True)
class Offer:
    """What the house sells: the bets that can be entered, then what is only bought or not, in the
    order of the panel's fields; the numbers of cards that may be exchanged; and a bonus of fixed
    size (share of the ante, with exceptions by ante); None: the bonus is free."""

    bets: tuple[str, ...] = ("ante", "bet", "insurance", "bonus")
    switches: tuple[str, ...] = ("buy",)
    exchanges: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    sixth: bool = True
    ante_bonus: bool = False
    """A payment without a stake of its own, in steps of the ante."""
    bonus_ratio: Decimal | None = None
    bonus_by_ante: Mapping[Decimal, Decimal] = field(default_factory=dict)

    @property
    def fields(self) -> tuple[str, ...]:
        """What the bet button goes through."""
        return (*self.bets, *self.switches)

    def fixed_bonus(self, ante: Decimal) -> Decimal | None:
        """The one size of the bonus; None when the player chooses it."""
        if self.bonus_ratio is None:
            return None
        return self.bonus_by_ante.get(ante, ante * self.bonus_ratio)


@dataclass(frozen=True, slots=True)
class DraftBet:
    """One line of the dealer's own settlement as entered so far."""

    result: str
    amount: Decimal


@dataclass(frozen=True, slots=True)
class Ask:
    """A question on the display. ``part``: of its text; ``choice``: body of the answer chosen (by
    value, so that a list that changes meanwhile never turns it into another answer); ``sent``: it
    has been given; ``gone``: the question went away by itself and nobody has looked yet."""

    question: str
    part: int = 0
    choice: Any = None
    sent: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Pick:
    """A card being put right. ``was``: the card that lies there by the kiosk's reading, None to add
    one; ``card``: what it is to be, None: no card lies there. ``doubt`` and ``question``: what is
    answered by it; ``sent``: it has been given."""

    zone: str
    was: str | None
    card: str | None
    doubt: str | None = None
    question: str | None = None
    sent: bool = False


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards that were dealt first, being entered: ``cards`` taken so far of ``needed``, ``card`` in
    question; ``question``: what is answered by them; ``sent``: they have been given."""

    zone: str
    needed: int
    card: str
    question: str
    cards: tuple[str, ...] = ()
    sent: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """Where the dealer is on the panel: box and field chosen, own settlement so far, a notice.

    ``fixing``: an answer that the reveal showed to be wrong or missing is being entered. ``ask``,
    ``pick`` and ``dealt``: a question, a card or several stand on the display in place of all else.
    """

    selected: int | None = None
    at: int = 0
    draft: Mapping[str, DraftBet] = field(default_factory=dict)
    notice: str = ""
    fixing: bool = False
    ask: Ask | None = None
    pick: Pick | None = None
    dealt: Dealt | None = None

    @property
    def apart(self) -> bool:
        """Something stands on the display in place of the table and its boxes."""
        return any(part is not None for part in (self.ask, self.pick, self.dealt))


def ascii_text(text: str) -> str:
    """The text in the characters every HD44780 has; Cyrillic is transliterated.

    >>> ascii_text("Дилер: 5♠ – щит")
    'Diler: 5s - schit'
    """
    out = []
    for at, char in enumerate(text):
        latin = _CYRILLIC.get(char.lower())
        if latin is None:
            plain = _SIGNS.get(char, _SUITS.get(char, char))
        else:
            near = text[at + 1 : at + 2] or text[max(at - 1, 0) : at]
            latin = latin.replace("_", "")
            lifted = latin.upper() if near.isupper() else latin.capitalize()
            plain = lifted if char.isupper() else latin
        out.append("".join(one if " " <= one <= "}" and one != "\\" else "?" for one in plain))
    return "".join(out)


def money(amount: object) -> str:
    """An amount as short as it is exact.

    >>> money(400), money(Decimal("37.50"))
    ('400', '37.5')
    """
    value = Decimal(str(amount))
    return str(int(value)) if value == value.to_integral_value() else f"{value.normalize():f}"


def decimal(amount: object) -> Decimal:
    """An amount of a snapshot, exactly."""
    return Decimal(str(amount))


def number(amount: Decimal) -> int | Decimal:
    """An amount for an action's body: int when whole."""
    return int(amount) if amount == amount.to_integral_value() else amount


def box_of(snapshot: Snapshot, number: int | None) -> Mapping[str, Any] | None:
    """The snapshot's box of that number, if the table has it."""
    for box in snapshot.get("boxes", ()):
        if box["box"] == number:
            found: Mapping[str, Any] = box
            return found
    return None


def places(snapshot: Snapshot) -> list[Mapping[str, Any]]:
    """All places where cards lie: the dealer's, the board, the boxes', each with its small hand."""
    dealer, boxes = snapshot.get("dealer", {}), snapshot.get("boxes", ())
    found = [dealer, dealer.get("small"), snapshot.get("board")]
    for box in boxes:
        found += [box, box.get("small")]
    return [place for place in found if isinstance(place, Mapping) and place.get("zone")]


def place_of(snapshot: Snapshot, zone: str | None) -> Mapping[str, Any] | None:
    """One of the places, by zone."""
    return next((place for place in places(snapshot) if place["zone"] == zone), None)


def cards_at(place: Mapping[str, Any]) -> tuple[str, ...]:
    """The cards of a place, the dealer's draws with them."""
    return (*place.get("cards", ()), *place.get("draws", ()))


def zone_name(zone: str | None, translate: Translate) -> str:
    """A zone in words.

    >>> zone_name("box2", str), zone_name("dealer-small", str), zone_name(None, str)
    ('Box 2', 'Dealer small', 'Table')
    """
    if zone is None:
        return translate(_("Table"))
    place, _dash, small = zone.partition("-")
    if place.startswith("box"):
        name = f"{translate(_('Box'))} {place[3:]}"
    else:
        name = translate({"dealer": _("Dealer"), "board": _("Board")}.get(place, place))
    return f"{name} {translate(_('small'))}" if small else name


def answering(snapshot: Snapshot, box: Mapping[str, Any]) -> bool:
    """The dealer's own settlement of this box is asked for now."""
    return bool(
        snapshot.get("mode") == "training"
        and sure(box)
        and box.get("settled")
        and not shown(snapshot, box)
    )


def sure(box: Mapping[str, Any]) -> bool:
    """A person has confirmed all that the box's settlement rests on."""
    return bool(box.get("confirmed") and not box.get("assumed"))


def wrong(box: Mapping[str, Any]) -> bool:
    """The dealer's settlement of this box has been found wrong (P4: the hand stays open)."""
    answer = box.get("answer") or {}
    return answer.get("correct") is False


def wrong_boxes(snapshot: Snapshot) -> list[int]:
    """The boxes whose answer has been found wrong and still waits for a right one."""
    boxes = snapshot.get("boxes", ())
    return [box["box"] for box in boxes if wrong(box) and not box.get("overruled")]


def owed_boxes(snapshot: Snapshot) -> list[int]:
    """The boxes that were shown without an answer, which still hold the hand (P4)."""
    return list(snapshot.get("unanswered", ()))


def frozen(snapshot: Snapshot) -> bool:
    """A person has frozen the hand. A wrong or missing answer holds it as well, but cannot be
    released."""
    return bool(snapshot.get("frozen"))


def shown(snapshot: Snapshot, box: Mapping[str, Any]) -> bool:
    """The settlement of this box has been revealed and may be displayed."""
    return bool((snapshot.get("revealed") or box.get("revealed")) and box.get("result"))


def placed(box: Mapping[str, Any]) -> tuple[str, ...]:
    """The bets on the box that have to be settled, in the order of the snapshot."""
    return tuple(name for name, amount in box.get("bets", {}).items() if amount)


def answer_lines(box: Mapping[str, Any], offer: Offer) -> tuple[str, ...]:
    """The lines of the dealer's own settlement: the bets placed, then the ante bonus."""
    bonus = offer.ante_bonus and box.get("action") == "play" and box.get("bets", {}).get("ante")
    return (*placed(box), ANTE_BONUS) if bonus else placed(box)
