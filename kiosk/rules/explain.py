"""Why each bet is settled as it is, in words, line by line in the order in which a dealer works.

Texts are English msgids translated through the catalogues in ``kiosk/locale``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kiosk.rules import words as w
from kiosk.rules.bet_texts import bet_text, step_text
from kiosk.rules.case import BoxInput, Case, CaseError, parse_case
from kiosk.rules.catalogue import Catalogue, catalogue
from kiosk.rules.count_texts import count_text
from kiosk.rules.evaluate import Combo, Hand
from kiosk.rules.houses import HouseFile
from kiosk.rules.order import OPENED, in_dealing_order
from kiosk.rules.results import (
    BoxResult,
    DealerResult,
    Settlement,
    as_data,
)
from kiosk.rules.settle import settle

LINES = {
    "dealer-game": "Dealer: {cards} — {combination}: a game.",
    "dealer-no-game": "Dealer: {cards} — {combination}: no game.",
    "bought": "The game is bought: {discarded} discarded, {drawn} drawn.",
    "bought-game": "Now: {combination} ({cards}) — a game.",
    "bought-none": "Now: {combination} ({cards}) — still no game.",
    "dealer-small": "Dealer's small hand: {cards}.",
    "folded": "Box {box} folds.",
    "one": "Box {box}: {first} ({significant}).",
    "none": "Box {box}: {first}.",
    "two": "Box {box}: first combination — {first} ({significant}); "
    "second — {second} ({significant2}).",
    "five": "Cards used: {cards}.",
    "three-pair": "Big and small hand together are paid as three pair.",
    "small": "Small hand: {cards}.",
    "higher": "Higher than the dealer: {own} against {other}.",
    "lower": "Lower than the dealer: {own} against {other}.",
    "equal": "Equal to the dealer card for card: stand-off.",
    "decided": "The combination is the same; {place} decides: {own} against {other}.",
    "no-game": "The dealer has no game: nothing is compared.",
    "failed": "The bought game failed: nothing is compared.",
    "judged": "Dealt cards: {combination} ({cards}).",
    "sum-pay": "Paid on box {box}: {amount}.",
    "sum-chips": "Paid on box {box}: {amount} — {chips}.",
    "sum-take": "Taken from box {box}: {amount}.",
}

PLACES = (
    "its rank",
    "its second rank",
    "the highest side card",
    "the second side card",
    "the third side card",
    "the highest card",
    "the second card",
    "the third card",
    "the fourth card",
    "the fifth card",
)

ERRORS = {
    "unknown-game": "The game is not known.",
    "unknown-house": "The house is not known or belongs to another game.",
    "unknown-option": "A name or option is not known.",
    "bad-amount": "An amount is not a positive number with at most two decimals.",
    "bad-card": "A card cannot be read.",
    "too-many-boxes": "There are more boxes than the house or one player may have.",
    "duplicate-box": "A box is entered twice.",
    "bet-not-offered": "The house does not offer this bet.",
    "sixth-not-offered": "The house does not sell a sixth card.",
    "insurance-not-offered": "The house does not offer insurance.",
    "buy-not-offered": "The house does not sell the dealer's game.",
    "bonus-not-offered": "The house has no bonus.",
    "no-bet": "The box has no bet.",
    "missing-ante": "The box has no ANTE.",
    "action-conflict": "The action does not fit the bets of the box.",
    "ante-out-of-limits": "ANTE is outside the limits of the table.",
    "missing-bet": "The box plays without BET.",
    "wrong-bet-amount": "BET is not the required multiple of ANTE.",
    "exchange-not-offered": "This number of cards may not be exchanged.",
    "exchange-and-sixth": "A box may exchange or buy a sixth card, not both.",
    "wrong-fee": "A fee is missing or not exact.",
    "wrong-card-count": "The number of cards is not right.",
    "cards-missing": "Cards that settle a bet were not entered.",
    "duplicate-card": "The same card lies in two places.",
    "deck-exhausted": "The deal uses more cards than the deck has.",
    "dealt-missing": "The dealt cards must be entered: a bonus is judged by them.",
    "dealt-mismatch": "The dealt cards do not fit the exchange.",
    "bonus-wrong-amount": "The bonus is not the required part of ANTE.",
    "bonus-out-of-limits": "The bonus is outside its limits.",
    "progressive-out-of-limits": "The number of jackpot tokens is not allowed.",
    "exchange-touches-bonus": "A card of the bonus combination was exchanged.",
    "insurance-not-eligible": "The combination is too low for insurance.",
    "insurance-out-of-limits": "Insurance is below ANTE or above its maximum.",
    "two-open-violation": "The rules for two open boxes are broken.",
    "buy-not-needed": "The dealer has a game, there is nothing to buy.",
    "draws-missing": "The dealer must draw one more card.",
    "draws-extra": "The dealer drew a card too many.",
    "dealer-small-missing": "The dealer's small hand is missing.",
    "meter-missing": "The jackpot meter must be entered.",
}
"""Every error kind of SPEC.md section 10 in words."""


def explain(
    case: Mapping[str, Any],
    settlement: Mapping[str, Any],
    language: str = "en",
    houses: Mapping[str, HouseFile] | None = None,
) -> dict[str, Any]:
    """The explanation of a settled case.

    Returns ``{"dealer": [line, …], "boxes": [{"box": n, "lines": [line, …],
    "bets": {bet: text}}]}``. For a refused case (``settlement`` holds ``error``) the lists are
    empty and ``error`` is the message in this language.
    """
    if "error" in settlement:
        return _refused(case, settlement, language)
    return settle_and_explain(case, language, houses)[1]


def settle_and_explain(
    case: Mapping[str, Any],
    language: str = "en",
    houses: Mapping[str, HouseFile] | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """``settle_case`` and ``explain`` in one go: a full table in well under a millisecond."""
    try:
        parsed = parse_case(case, houses)
        settled = settle(parsed)
    except CaseError as refused:
        error = {"error": refused.kind, "where": refused.where, "message": refused.message}
        return error, _refused(case, error, language)
    return as_data(settled), explain_settlement(parsed, settled, catalogue(language))


def _refused(case: Mapping[str, Any], refused: Mapping[str, Any], language: str) -> dict[str, Any]:
    texts = (explain_error(refused["error"], language), count_text(case, refused, language))
    return {"dealer": [], "boxes": [], "error": " ".join(filter(None, texts))}


def explain_error(kind: str, language: str = "en") -> str:
    """An error kind in words; the kind itself when it is not one of section 10."""
    return catalogue(language).get(ERRORS.get(kind, kind))


def explain_settlement(case: Case, settled: Settlement, words: Catalogue) -> dict[str, Any]:
    """As ``explain``, from typed values."""
    pairs = zip(case.boxes, settled.boxes, strict=True)
    return {
        "dealer": _dealer_lines(case, settled.dealer, words),
        "boxes": [
            _Explained(case, settled.dealer, box, result, words).data() for box, result in pairs
        ],
    }


def _dealer_lines(case: Case, dealer: DealerResult, words: Catalogue) -> list[str]:
    def line(key: str, **values: str) -> str:
        return words.get(LINES[key]).format(**values)

    def hand(key: str, held: Hand) -> str:
        return line(key, cards=w.cards(held.cards), combination=w.combination(held, words))

    lines = [hand("dealer-game" if dealer.game else "dealer-no-game", dealer.hand)]
    if dealer.bought is not None:
        discarded, drawn = w.cards(dealer.discarded), w.cards(case.dealer_draws)
        lines.append(line("bought", discarded=discarded, drawn=drawn))
        lines.append(hand("bought-game" if dealer.bought_game else "bought-none", dealer.bought))
    if dealer.small is not None:
        lines.append(line("dealer-small", cards=w.cards(dealer.small.cards)))
    return lines


@dataclass(frozen=True, slots=True)
class _Explained:
    case: Case
    dealer: DealerResult
    box: BoxInput
    result: BoxResult
    words: Catalogue

    def data(self) -> dict[str, Any]:
        bets = {
            line.bet: bet_text(self.case, self.box, self.result, line, self.words)
            for line in self.result.lines
        }
        steps = in_dealing_order(self.result.lines, self.case.house.game)
        early = [line for stage, line in steps if stage < OPENED]
        late = [line for stage, line in steps if stage >= OPENED]
        lines = [
            *self.judged_lines(always=any(line.bet == "bonus" for line in early)),
            *(step_text(self.case, self.box, line, self.words) for line in early),
            *self.hand_lines(),
            *self.comparison_lines(),
            *(step_text(self.case, self.box, line, self.words) for line in late),
            *self.sum_lines(),
        ]
        return {"box": self.box.box, "lines": lines, "bets": bets}

    def line(self, key: str, **values: str) -> str:
        return self.words.get(LINES[key]).format(box=self.box.box, **values)

    def hand_lines(self) -> list[str]:
        """Combination(s) with their significant cards, and the cards used."""
        hand, words = self.result.hand, self.words
        if hand is None:
            return [self.line("folded")]
        first = w.combination(hand, words)
        significant = w.cards(hand.significant)
        if len(self.result.combinations) > 1:
            second = self.result.combinations[1]
            lines = [
                self.line(
                    "two",
                    first=first,
                    significant=significant,
                    second=w.combination(second, words),
                    significant2=w.cards(second.cards),
                )
            ]
        elif significant:
            lines = [self.line("one", first=first, significant=significant)]
        else:
            lines = [self.line("none", first=first)]
        lines.append(self.line("five", cards=w.cards(hand.cards)))
        if self.result.small is not None:
            lines.append(self.line("small", cards=w.cards(self.result.small.cards)))
        if self.result.paid_as is not None:
            lines.append(self.line("three-pair"))
        return lines

    def judged_lines(self, *, always: bool) -> list[str]:
        """The dealt cards; unless ``always``, only where the hand has become another since."""
        judged = self.result.judged
        if judged is None or (judged == self.result.hand and not always):
            return []
        text = w.combination(judged, self.words)
        return [self.line("judged", combination=text, cards=w.cards(judged.cards))]

    def comparison_lines(self) -> list[str]:
        """How the box stands against the dealer, and what decided between equals."""
        hand, other, outcome = self.result.hand, self.result.dealer, self.result.outcome
        if hand is None or outcome is None:
            return []
        if other is None or outcome == "equal":
            return [self.line(outcome)]
        words = self.words
        names = {"own": w.combination(hand, words), "other": w.combination(other, words)}
        lines = [self.line(outcome, **names)]
        decided = deciding_rank(hand, other)
        if decided is not None and self.result.paid_as is None:
            place, own, theirs = decided
            ranks = {"own": w.rank(own, words), "other": w.rank(theirs, words)}
            lines.append(self.line("decided", place=words.get(place), **ranks))
        return lines

    def sum_lines(self) -> list[str]:
        table, words = self.case.table, self.words
        lines = []
        if self.result.taken:
            amount = w.money(self.result.taken, table, words)
            lines.append(self.line("sum-take", amount=amount))
        if self.result.paid:
            amount = w.money(self.result.paid, table, words)
            chips = w.in_chips(self.result.paid, table, words)
            key = "sum-chips" if chips else "sum-pay"
            lines.append(self.line(key, amount=amount, chips=chips))
        return lines


_MADE_OF_RANKS = {
    Combo.PAIR: 1,
    Combo.TWO_PAIR: 2,
    Combo.THREE_OF_A_KIND: 1,
    Combo.FULL_HOUSE: 2,
    Combo.FOUR_OF_A_KIND: 1,
}
"""How many of the ranks compared belong to the combination; the rest are side cards. Others are
compared card by card, sequences by their highest."""


def deciding_rank(hand: Hand, other: Hand) -> tuple[str, int, int] | None:
    """What decides between two hands of the same combination: place and both ranks.

    None when the combinations differ or all ranks are equal.
    """
    if hand.kind is not other.kind:
        return None
    made = _MADE_OF_RANKS.get(hand.kind)
    for index, (own, theirs) in enumerate(zip(hand.ranks, other.ranks, strict=True)):
        if own != theirs:
            if made is None:
                return PLACES[5 + index], own, theirs
            place = PLACES[index] if index < made else PLACES[2 + index - made]
            return place, own, theirs
    return None
