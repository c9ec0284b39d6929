"""The slips of dealers in words, and the rule that each one breaks in other games."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kiosk.rules.options import House

TEXTS: Mapping[str, str] = {
    "second-missed": "The second combination was missed.",
    "second-not-paid-below": "The second combination was left out because it is lower than the "
    "dealer's.",
    "duplicate-as-pair": "The second straight was taken for a pair.",
    "ante-paid-too": "ANTE was paid although BET is paid.",
    "ante-not-paid": "ANTE was forgotten, this house pays it too.",
    "cap-forgotten": "The table maximum was forgotten.",
    "cap-without-ante": "ANTE was left outside the table maximum.",
    "half-forgotten": "The half payout was forgotten.",
    "half-of-first": "Only the first combination was halved.",
    "half-not-taken": "The payout was not halved.",
    "insurance-taken": "Insurance was taken instead of returned.",
    "insurance-not-paid": "Insurance is settled by the first announcement, before the purchase.",
    "bonus-not-doubled": "The bonus was forgotten.",
    "bonus-stake-left": "The bonus stake was left although it is always taken.",
    "bonus-stake-taken": "The bonus stake was taken although this house leaves it.",
    "bonus-doubles-both": "The ace-king was doubled as well.",
    "bonus-by-fold": "The bonus was settled wrongly after a fold.",
    "bet-paid-without-game": "BET was paid although the dealer has no game.",
    "game-overlooked": "The dealer's game was overlooked.",
    "no-game-overlooked": "The dealer's hand was compared although it is no game.",
    "side-cards-overlooked": "Side cards were overlooked: this is no stand-off.",
    "comparison-reversed": "Higher and lower were mixed up.",
    "failed-purchase-lost": "A failed purchase takes neither ANTE nor BET.",
    "failed-purchase-paid": "A failed purchase does not pay ANTE.",
    "fee-handed-back": "A fee is never handed back.",
    "row-above": "The row above in the pay table was paid.",
    "row-below": "The row below in the pay table was paid.",
    "stake-counted-in": "The stake was counted into the payment.",
    "paid-on-ante": "The coefficient was paid on ANTE instead of BET.",
    "paid-on-bet": "The coefficient was paid on BET instead of ANTE.",
    "three-pair-missed": "Three pair was paid as two pair.",
    "small-hand-reversed": "The small hands chose the wrong bet.",
    "pair-plus-missed": "Pair Plus is settled whatever the dealer has.",
    "ante-bonus-missed": "The ante bonus was missed.",
    "ante-even": "ANTE is paid by its table, not 1:1.",
    "progressive-missed": "The jackpot payment was missed.",
    "prize-missed": "The announced prize was forgotten.",
}
"""Each slip in words."""

CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "misread-hand": (
        "side-cards-overlooked",
        "comparison-reversed",
        "three-pair-missed",
        "small-hand-reversed",
    ),
    "second-combination": ("second-missed", "second-not-paid-below", "duplicate-as-pair"),
    "wrong-row": ("row-above", "row-below", "ante-even"),
    "side-bet": (
        "insurance-taken",
        "insurance-not-paid",
        "bonus-not-doubled",
        "bonus-doubles-both",
        "bonus-by-fold",
        "bonus-stake-left",
        "bonus-stake-taken",
        "pair-plus-missed",
        "ante-bonus-missed",
        "progressive-missed",
        "prize-missed",
    ),
    "qualification": ("bet-paid-without-game", "game-overlooked", "no-game-overlooked"),
    "arithmetic": (
        "stake-counted-in",
        "paid-on-ante",
        "paid-on-bet",
        "half-not-taken",
        "half-of-first",
    ),
    "cap": ("cap-forgotten", "cap-without-ante"),
    "house-rule": (
        "ante-paid-too",
        "ante-not-paid",
        "half-forgotten",
        "failed-purchase-lost",
        "failed-purchase-paid",
        "fee-handed-back",
    ),
}
"""Kinds of mistakes by which progress is counted, with the slips of each."""

CATEGORY_OF = {name: kind for kind, names in CATEGORIES.items() for name in names}

_RULES: Mapping[str, Mapping[str, str]] = {
    "russian": {"FC-SET-1": "RPC-ANTE-1"},
    "five_card": {
        "RP-SET-2": "FC-SET-2",
        "RP-QUAL-1": "FC-NG-1",
        "RP-NG-1": "FC-NG-1",
        "RP-PAY-1": "FC-PAY-1",
        "RP-INS-5": "FC-INS-1",
    },
    "six_card": {
        "RP-SET-2": "SC-SET-2",
        "RP-QUAL-1": "SC-NG-1",
        "RP-NG-1": "SC-NG-1",
        "RP-PAY-1": "FC-PAY-1",
        "FC-SET-1": "SC-SET-1",
        "RP-BUY-5": "SC-BUY-2",
    },
    "oasis": {
        "RP-SET-2": "OA-SET-2",
        "RP-QUAL-1": "OA-QUAL-1",
        "RP-NG-1": "OA-NG-1",
        "RP-PAY-1": "OA-PAY-1",
        "RP-INS-5": "OA-INS-4",
        "FC-SET-1": "OA-SET-1",
        "RPA-BON-1": "OA-PRG-1",
        "RPB-BON-4": "OA-BON-5",
    },
    "three_card": {
        "RP-SET-2": "TC-SET-2",
        "RP-QUAL-1": "TC-QUAL-1",
        "RP-NG-1": "TC-NG-1",
        "FC-SET-1": "TC-SET-1",
        "COM-TIE-1": "TC-TIE-1",
        "RPB-BON-4": "TC-FOLD-1",
        "RP-PAY-1": "TC-AB-2",
    },
    "texas": {
        "RP-SET-2": "TX-SET-2",
        "RP-QUAL-1": "TX-QUAL-1",
        "RP-NG-1": "TX-NG-1",
        "FC-SET-1": "TX-SET-1",
        "RPA-BON-1": "TX-BON-3",
        "RPB-BON-4": "TX-FOLD-1",
    },
    "split": {
        "RP-SET-2": "SP-SET-4",
        "RP-QUAL-1": "SP-QUAL-1",
        "RP-NG-1": "SP-NG-1",
        "RP-PAY-1": "SP-PAY-1",
        "RP-SF-1": "SP-SF-1",
        "RP-BUY-5": "SP-BUY-3",
    },
}


def broken_rule(rule: str, house: House) -> str:
    """The rule of this house that a slip breaks, given the rule it is listed under."""
    if rule == "RPB-BON-4" and house.bonus.kind == "double-on-ace-king":
        return "RPA-BON-1"
    return _RULES[house.game].get(rule, rule)


def _half(house: House) -> bool:
    return house.sf_half.enabled


def _doubling(house: House) -> bool:
    return house.bonus.kind == "double-on-ace-king"


def _bonus_table(house: House) -> bool:
    return house.bonus.kind == "table"


def _pays_ante(house: House) -> bool:
    return house.game != "split" and house.ante.on_win != "none"


def _three_card(house: House) -> bool:
    return house.game == "three_card"


def _split(house: House) -> bool:
    return house.game == "split"


_NEEDS: Mapping[str, Callable[[House], bool]] = {
    "second-missed": lambda house: house.doubles.enabled,
    "second-not-paid-below": lambda house: house.doubles.enabled,
    "duplicate-as-pair": lambda house: (
        house.doubles.enabled and house.doubles.duplicate_straight == "straight"
    ),
    "ante-paid-too": lambda house: house.game != "split" and house.ante.on_win == "none",
    "ante-not-paid": _pays_ante,
    "ante-even": lambda house: house.game == "texas",
    "cap-without-ante": lambda house: house.cap.includes_ante,
    "half-forgotten": _half,
    "half-not-taken": _half,
    "half-of-first": lambda house: (
        house.sf_half.enabled and house.doubles.enabled and house.sf_half.base == "both"
    ),
    "insurance-taken": lambda house: (
        house.insurance.enabled
        and "return" in (house.insurance.when_beaten, house.insurance.when_tied)
    ),
    "insurance-not-paid": lambda house: house.insurance.enabled and house.buy.enabled,
    "bonus-not-doubled": _doubling,
    "bonus-doubles-both": _doubling,
    "bonus-stake-left": lambda house: (
        _doubling(house)
        or house.progressive.enabled
        or (_bonus_table(house) and house.bonus.stake_on_win == "taken")
    ),
    "bonus-stake-taken": lambda house: _bonus_table(house) and house.bonus.stake_on_win == "kept",
    "bonus-by-fold": lambda house: house.bonus.kind != "none" or _three_card(house),
    "failed-purchase-paid": lambda house: house.buy.enabled and house.buy.failed_ante == "push",
    "failed-purchase-lost": lambda house: house.buy.enabled,
    "fee-handed-back": lambda house: bool(
        house.exchange.fees or house.sixth.fee or house.extra_two.fee or house.buy.enabled
    ),
    "paid-on-bet": _split,
    "small-hand-reversed": _split,
    "three-pair-missed": lambda house: _split(house) and house.split.three_pair != "off",
    "pair-plus-missed": _three_card,
    "ante-bonus-missed": _three_card,
    "progressive-missed": lambda house: house.progressive.enabled,
    "prize-missed": lambda house: house.progressive.enabled,
    "row-above": lambda house: house.game != "texas",
    "row-below": lambda house: house.game != "texas",
}
"""What a house must have for a slip to be possible; slips not named here are always."""


def possible(slip: str, house: House) -> bool:
    """Whether the slip can happen in this house."""
    needs = _NEEDS.get(slip)
    return needs is None or needs(house)
