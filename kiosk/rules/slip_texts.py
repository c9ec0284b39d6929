"""The slips of dealers in words, and the rule that each one breaks in other games."""

from __future__ import annotations

from collections.abc import Mapping

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
        "second-missed",
        "second-not-paid-below",
        "duplicate-as-pair",
        "side-cards-overlooked",
        "comparison-reversed",
        "three-pair-missed",
        "small-hand-reversed",
    ),
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
        "cap-forgotten",
        "cap-without-ante",
    ),
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


def broken_rule(rule: str, game: str) -> str:
    """The rule of this game that a slip breaks, given the rule it is listed under."""
    return _RULES[game].get(rule, rule)
