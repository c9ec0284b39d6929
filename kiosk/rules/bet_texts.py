"""The text of one bet: the rule in words, and the step of the dealer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

from kiosk.rules import words as w
from kiosk.rules.case import BoxInput, Case
from kiosk.rules.catalogue import Catalogue
from kiosk.rules.evaluate import Combo
from kiosk.rules.money import ZERO
from kiosk.rules.results import BoxResult, Line, Result, Why
from kiosk.rules.rule_ids import CAP, rule_id

TEXTS: Mapping[Why, str] = {
    Why.FOLDED: "The box folded: {bet} {amount} is taken.",
    Why.FEE: "{bet} {amount}: a fee belongs to the house once it is paid.",
    Why.NO_GAME_ANTE: "The dealer has no game: {bet} {on} is paid {times}:1 = {due}.",
    Why.NO_GAME_BET: "The dealer has no game: {bet} is not paid, whatever the box holds.",
    Why.WON: "Higher than the dealer: {bet} {on} is paid {times}:1 = {due}.",
    Why.WON_ANTE: "Higher than the dealer: {bet} {on} is paid {times}:1 = {due}.",
    Why.BET_DECIDES: "BET is paid, so {bet} is neither paid nor taken.",
    Why.LOST: "The dealer is higher: {bet} {amount} is taken.",
    Why.STAND_OFF: "Stand-off, all ranks are equal: {bet} stays with the player.",
    Why.HALF: "Half payout: {times}:1 on {bet} {on}, halved = {due}.",
    Why.HALF_OTHER: "Half payout: {bet} is neither paid nor taken.",
    Why.BUY_FAILED: "The bought game failed: {bet} stays with the player.",
    Why.BUY_FAILED_ANTE: "The bought game failed: {bet} {on} is paid {times}:1 = {due}.",
    Why.BUY_FAILED_BET: "The bought game failed: {bet} is not paid.",
    Why.INSURANCE_WON: "The dealer announced no game: {bet} {on} is paid {times}:1 = {due}.",
    Why.INSURANCE_LOST: "The dealer has a game and is lower: {bet} {amount} is taken.",
    Why.INSURANCE_BEATEN: "The dealer is higher: {bet} is returned.",
    Why.INSURANCE_TIED: "Stand-off: {bet} is returned.",
    Why.INSURANCE_INELIGIBLE: "The combination cannot be insured: {bet} is handed back.",
    Why.BONUS_DOUBLED: "Second combination ace-king: the payment for {first} is doubled, "
    "{times}:1 on BET {on} = {due}.",
    Why.BONUS_NOT_DOUBLED: "There is no second combination ace-king, so nothing is doubled: "
    "{bet} {amount} is taken.",
    Why.BONUS_PAID: "{judged} on the dealt cards: {bet} {on} is paid {times}:1 = {due}.",
    Why.BONUS_LOST: "{judged} on the dealt cards: too low, {bet} {amount} is taken.",
    Why.SIDE_FOLDED: "The box folded: {bet} {amount} is taken.",
    Why.PROGRESSIVE_PAID: "{judged} on the dealt cards: {bet} {on} are paid {times}:1 = {due}.",
    Why.PROGRESSIVE_SHARE: "{judged} on the dealt cards: {percent}% of the meter {on} = {due}.",
    Why.PROGRESSIVE_LOST: "{judged} on the dealt cards: too low, {bet} {amount} are taken.",
    Why.PRIZE: "{bet}: {amount} as the jackpot system announced it.",
    Why.ANTE_BONUS: "{first}: {bet} {times}:1 on ANTE {on} = {due}, whatever the dealer has.",
    Why.PAIR_PLUS_PAID: "{judged}: {bet} {on} is paid {times}:1 = {due}, whatever the dealer has.",
    Why.PAIR_PLUS_LOST: "{judged}: below a pair, {bet} {amount} is taken.",
    Why.SMALL_WINS_BET: "Big hand higher, small hand higher or equal: {bet} {on} is paid "
    "{times}:1 = {due}.",
    Why.SMALL_LOSES_ANTE: "Big hand higher, small hand lower: {bet} {on} is paid "
    "{times}:1 = {due}.",
    Why.SMALL_DECIDES: "The small hands chose the other bet: {bet} is neither paid nor taken.",
}

LOST_INSTEAD: Mapping[Why, str] = {
    Why.INSURANCE_BEATEN: "The dealer is higher: this house takes {bet} {amount}.",
    Why.INSURANCE_TIED: "Stand-off: this house takes {bet} {amount}.",
}
"""Where an option of the house takes what is usually returned."""

THREE_PAIR_NAME = "three pair"

ADDED = {
    "single": "Coefficient {times}: {first}.",
    "double": "Coefficient {times} = {first_pays} ({first}) + {second_pays} ({second}).",
    "half": "Halved.",
    "not-beaten": "No dealer hand was beaten, nothing is doubled: {bet} {amount} is taken.",
    "stake": "The stake {stake} is taken in any case.",
    "cut": "The table maximum {max} cuts {cut}: {amount} is paid.",
}

_BY_COMBINATION = (Why.WON, Why.HALF, Why.SMALL_WINS_BET, Why.SMALL_LOSES_ANTE)
_BY_TABLE = {"texas": (Why.WON_ANTE, Why.NO_GAME_ANTE), "three_card": ()}
"""Lines whose coefficient comes from the combination, by game where not as usual."""

STEPS: Mapping[Result, str] = {
    Result.WIN: "Pay {bet}: {amount}.",
    Result.LOSE: "Take {bet}: {amount}.",
    Result.PUSH: "Leave {bet}.",
    Result.NOT_PAID: "Leave {bet}: not paid.",
    Result.RETURNED: "Return {bet}: {stake}.",
}


def bet_text(case: Case, box: BoxInput, result: BoxResult, line: Line, words: Catalogue) -> str:
    """The rule that settled this bet in words, with amounts and the rule id."""
    values = _Facts(case, box, result, line, words)
    texts = [_main_text(result, line, words)]
    if line.why in _BY_TABLE.get(case.house.game, _BY_COMBINATION):
        first_only = line.half and case.house.sf_half.base == "first"
        double = len(result.combinations) > 1 and not first_only
        texts.append(words.get(ADDED["double" if double else "single"]))
    if line.why is Why.BONUS_DOUBLED and line.half:
        texts.append(words.get(ADDED["half"]))
    if line.stake_taken is not None:
        texts.append(words.get(ADDED["stake"]))
    rules = rule_id(case.house, line)
    if line.cut:
        texts.append(words.get(ADDED["cut"]))
        rules += f", {CAP}"
    return f"{_capital(' '.join(texts).format_map(values))} [{rules}]"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _main_text(result: BoxResult, line: Line, words: Catalogue) -> str:
    if line.result is Result.LOSE and line.why in LOST_INSTEAD:
        return words.get(LOST_INSTEAD[line.why])
    if line.why is Why.BONUS_NOT_DOUBLED and _second_is_ace_king(result):
        return words.get(ADDED["not-beaten"])
    return words.get(TEXTS[line.why])


def _second_is_ace_king(result: BoxResult) -> bool:
    return len(result.combinations) > 1 and result.combinations[1].kind is Combo.ACE_KING


class _Facts(dict[str, str]):
    """What the places of a text stand for, made when a text asks for it."""

    def __init__(
        self, case: Case, box: BoxInput, result: BoxResult, line: Line, words: Catalogue
    ) -> None:
        super().__init__()
        self.case, self.box, self.result, self.line, self.words = case, box, result, line, words

    def __missing__(self, place: str) -> str:
        amounts = _AMOUNTS.get(place)
        if amounts is not None:
            return w.money(amounts(self), self.case.table, self.words)
        text: str = getattr(self, place)()
        return text

    def bet(self) -> str:
        return w.bet(self.line.bet, self.words)

    def times(self) -> str:
        return w.coefficient(self.line.times or ZERO, self.words)

    def percent(self) -> str:
        return w.coefficient((self.line.times or ZERO) * 100, self.words)

    def judged(self) -> str:
        return w.combination(self.result.judged, self.words) if self.result.judged else ""

    def first(self) -> str:
        if self.result.paid_as is not None:
            return self.words.get(THREE_PAIR_NAME)
        return w.combination(self.result.combinations[0], self.words)

    def second(self) -> str:
        return w.combination(self.result.combinations[1], self.words)

    def first_pays(self) -> str:
        return self._pays(0)

    def second_pays(self) -> str:
        return self._pays(1)

    def _pays(self, index: int) -> str:
        slug = self.result.combinations[index].kind.slug
        return w.coefficient(self.case.house.pay.bet.get(slug, ZERO), self.words)


_AMOUNTS: Mapping[str, Callable[[_Facts], Decimal]] = {
    "amount": lambda facts: facts.line.amount,
    "on": lambda facts: facts.line.on or ZERO,
    "due": lambda facts: facts.line.amount + facts.line.cut,
    "cut": lambda facts: facts.line.cut,
    "max": lambda facts: facts.case.table.max_payout or ZERO,
    "stake": lambda facts: facts.line.stake_taken or facts.box.bets.get(facts.line.bet, ZERO),
}


def step_text(case: Case, box: BoxInput, line: Line, words: Catalogue) -> str:
    """What the dealer's hands do with this bet: take, leave, pay (in chips), return."""
    table = case.table
    amount = w.money(line.amount, table, words)
    chips = w.in_chips(line.amount, table, words) if line.result is Result.WIN else ""
    text = _capital(
        words.get(STEPS[line.result]).format(
            bet=w.bet(line.bet, words),
            amount=f"{amount} — {chips}" if chips else amount,
            stake=w.money(box.bets.get(line.bet, ZERO), table, words),
        )
    )
    if line.stake_taken is not None:
        taken = words.get(STEPS[Result.LOSE]).format(
            bet=w.bet(line.bet, words), amount=w.money(line.stake_taken, table, words)
        )
        text += f" {_capital(taken)}"
    return text
