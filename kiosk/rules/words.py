"""Words for hands, cards and amounts, in the language of a catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from kiosk.cards import Card
from kiosk.rules.case import Table
from kiosk.rules.catalogue import Catalogue
from kiosk.rules.evaluate import Combination, Combo, Hand
from kiosk.rules.money import chips, figures

SINGULAR = dict(
    zip(
        range(2, 15),
        "two three four five six seven eight nine ten jack queen king ace".split(),
        strict=True,
    )
)
PLURAL = {value: word + ("es" if word == "six" else "s") for value, word in SINGULAR.items()}

COMBINATIONS = {
    Combo.HIGH_CARD: "no combination, {top} high",
    Combo.ACE_KING: "ace-king",
    Combo.PAIR: "pair of {a}",
    Combo.TWO_PAIR: "two pair, {a} and {b}",
    Combo.THREE_OF_A_KIND: "three {a}",
    Combo.STRAIGHT: "straight to the {to}",
    Combo.FLUSH: "flush, {to} high",
    Combo.FULL_HOUSE: "full house, {a} over {b}",
    Combo.FOUR_OF_A_KIND: "four {a}",
    Combo.STRAIGHT_FLUSH: "straight flush to the {to}",
    Combo.ROYAL_FLUSH: "royal flush",
}

BETS = {
    "ante": "ANTE",
    "bet": "BET",
    "exchange": "exchange fee",
    "sixth": "sixth-card fee",
    "extra_two": "fee for two cards",
    "buy": "fee for the dealer's game",
    "insurance": "insurance",
    "bonus": "bonus",
    "pair_plus": "Pair Plus",
    "progressive": "progressive tokens",
    "ante_bonus": "ante bonus",
}


def combination(item: Combination | Hand, words: Catalogue) -> str:
    """A combination in words: ``two pair, queens and tens``."""
    a = item.ranks[0] if item.ranks else 14
    b = item.ranks[1] if len(item.ranks) > 1 else a
    # Two ranks named side by side stand in another case in languages that have cases.
    several = "two groups" if item.kind is Combo.TWO_PAIR else "of several"
    return words.get(COMBINATIONS[item.kind]).format(
        a=words.get(PLURAL[a], several),
        b=words.get(PLURAL[b], several),
        to=words.get(SINGULAR[a], "up to"),
        top=words.get(SINGULAR[a], "rank"),
    )


def rank(value: int, words: Catalogue) -> str:
    """One rank in words: ``jack``."""
    return words.get(SINGULAR[value], "rank")


def cards(held: Sequence[Card]) -> str:
    """Cards as signs, in the order given: ``A♠ 10♦``."""
    return " ".join(card.symbol for card in held)


def bet(name: str, words: Catalogue) -> str:
    """The name of a bet; a prize by its own name."""
    if name.startswith("prize:"):
        return words.get("prize {name}").format(name=name.removeprefix("prize:"))
    return words.get(BETS[name])


def plain(amount: Decimal, words: Catalogue) -> str:
    """A number as people write it: ``1,225.50`` or ``1 225,50``. Cents only when there are any."""
    whole = amount == amount.to_integral_value()
    text = f"{int(amount):,}" if whole else f"{_cents(amount):,f}"
    if words.language == "ru":
        return text.replace(",", "\u00a0").replace(".", ",")
    return text


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01")) if amount == round(amount, 2) else amount.normalize()


def money(amount: Decimal, table: Table, words: Catalogue) -> str:
    """An amount with the currency of the table."""
    text = plain(amount, words)
    return f"{text}\u00a0{table.currency}" if table.currency else text


def coefficient(value: Decimal, words: Catalogue) -> str:
    """A coefficient: ``2`` or ``1.5`` (``1,5``)."""
    text = figures(value)
    return text.replace(".", ",") if words.language == "ru" else text


def in_chips(amount: Decimal, table: Table, words: Catalogue) -> str:
    """The amount in chips of the table, ``1×1000 2×100``; empty when the table names none."""
    if not table.chips or amount <= 0:
        return ""
    stacks, rest = chips(amount, table.chips)
    texts = [f"{count}×{coefficient(chip, words)}" for count, chip in stacks]
    if rest:
        texts.append(words.get("no chip for {rest}").format(rest=plain(rest, words)))
    return " ".join(texts)
