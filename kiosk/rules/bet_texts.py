"""The text of one bet: the rule in words, and the step of the dealer."""

from __future__ import annotations

from collections.abc import Mapping

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
    Why.BONUS_NOT_DOUBLED: "The second combination is not ace-king, nothing is doubled: "
    "{bet} {amount} is taken.",
    Why.BONUS_PAID: "{judged} on the dealt cards: {bet} {on} is paid {times}:1 = {due}.",
    Why.BONUS_LOST: "{judged} on the dealt cards: too low, {bet} {amount} is taken.",
    Why.SIDE_FOLDED: "The box folded: {bet} {amount} is taken.",
    Why.PROGRESSIVE_PAID: "{judged} on the dealt cards: {bet} {on} are paid {times}:1 = {due}.",
    Why.PROGRESSIVE_SHARE: "{judged} on the dealt cards: {percent} % of the meter {on} = {due}.",
    Why.PROGRESSIVE_LOST: "{judged} on the dealt cards: too low, {bet} {amount} are gone.",
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
    "single": "{times} for {first}.",
    "double": "{times} = {first_pays} for {first} + {second_pays} for {second}.",
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
    values = _values(case, box, result, line, words)
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
    return f"{_capital(' '.join(texts).format(**values))} [{rules}]"


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


def _values(
    case: Case, box: BoxInput, result: BoxResult, line: Line, words: Catalogue
) -> dict[str, str]:
    table, house = case.table, case.house
    times = line.times or ZERO
    values = {
        "bet": w.bet(line.bet, words),
        "amount": w.money(line.amount, table, words),
        "on": w.money(line.on or ZERO, table, words),
        "times": w.coefficient(times, words),
        "percent": w.coefficient(times * 100, words),
        "due": w.money(line.amount + line.cut, table, words),
        "cut": w.money(line.cut, table, words),
        "max": w.money(table.max_payout or ZERO, table, words),
        "stake": w.money(line.stake_taken or box.bets.get(line.bet, ZERO), table, words),
    }
    if result.judged is not None:
        values["judged"] = w.combination(result.judged, words)
    for name, item in zip(("first", "second"), result.combinations, strict=False):
        values[name] = w.combination(item, words)
        pays = house.pay.bet.get(item.kind.slug, ZERO)
        values[f"{name}_pays"] = w.coefficient(pays, words)
    if result.paid_as is not None:
        values["first"] = words.get(THREE_PAIR_NAME)
    return values


def step_text(case: Case, box: BoxInput, line: Line, words: Catalogue) -> str:
    """What the dealer's hands do with this bet: take, leave, pay (in chips), return."""
    table = case.table
    amount = w.money(line.amount, table, words)
    chips = w.in_chips(line.amount, table, words) if line.result is Result.WIN else ""
    text = words.get(STEPS[line.result]).format(
        bet=w.bet(line.bet, words),
        amount=f"{amount} — {chips}" if chips else amount,
        stake=w.money(box.bets.get(line.bet, ZERO), table, words),
    )
    if line.stake_taken is not None:
        taken = words.get(STEPS[Result.LOSE]).format(
            bet=w.bet(line.bet, words), amount=w.money(line.stake_taken, table, words)
        )
        text += f" {taken}"
    return text
