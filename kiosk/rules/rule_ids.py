"""Which rule of SPEC.md settles a bet: the id that is shown behind each explanation."""

from __future__ import annotations

from kiosk.rules.options import House
from kiosk.rules.results import Line, Why

_MAIN = {
    "russian": "RP",
    "five_card": "FC",
    "six_card": "SC",
    "oasis": "OA",
    "three_card": "TC",
    "texas": "TX",
    "split": "SP",
}

_SAME = {
    Why.NO_GAME_ANTE: "{p}-NG-1",
    Why.NO_GAME_BET: "{p}-NG-1",
    Why.WON: "{p}-SET-1",
    Why.WON_ANTE: "{p}-SET-1",
    Why.BET_DECIDES: "{p}-SET-1",
    Why.LOST: "{p}-SET-2",
    Why.STAND_OFF: "{p}-SET-3",
    Why.HALF: "{p}-SF-1",
    Why.HALF_OTHER: "{p}-SF-2",
    Why.FOLDED: "COM-FOLD-1",
    Why.INSURANCE_INELIGIBLE: "{p}-INS-1",
    Why.BONUS_DOUBLED: "RPA-BON-3",
    Why.BONUS_NOT_DOUBLED: "RPA-BON-2",
    Why.PROGRESSIVE_PAID: "OA-PRG-2",
    Why.PROGRESSIVE_SHARE: "OA-PRG-3",
    Why.PROGRESSIVE_LOST: "OA-PRG-1",
    Why.PRIZE: "OA-PRG-4",
    Why.ANTE_BONUS: "TC-AB-1",
    Why.PAIR_PLUS_PAID: "TC-PP-2",
    Why.PAIR_PLUS_LOST: "TC-PP-2",
    Why.SMALL_WINS_BET: "SP-SET-2",
    Why.SMALL_LOSES_ANTE: "SP-SET-3",
    Why.SMALL_DECIDES: "SP-SET-1",
    Why.BUY_FAILED: "RP-BUY-5",
    Why.BUY_FAILED_ANTE: "RP-BUY-5",
    Why.BUY_FAILED_BET: "RP-BUY-5",
    Why.INSURANCE_WON: "RP-INS-3",
    Why.INSURANCE_LOST: "RP-INS-4",
    Why.INSURANCE_BEATEN: "RP-INS-5",
    Why.INSURANCE_TIED: "RP-INS-5",
    Why.BONUS_PAID: "RPB-BON-2",
    Why.BONUS_LOST: "RPB-BON-2",
    Why.SIDE_FOLDED: "COM-FOLD-1",
}
"""Rule by reason; ``{p}`` is the prefix of the game."""

_INSURANCE = (Why.INSURANCE_WON, Why.INSURANCE_LOST, Why.INSURANCE_BEATEN, Why.INSURANCE_TIED)
_FAILED = (Why.BUY_FAILED, Why.BUY_FAILED_ANTE, Why.BUY_FAILED_BET)

_OWN: dict[str, dict[Why, str]] = {
    "russian": {},
    "five_card": {
        **dict.fromkeys((*_INSURANCE, Why.INSURANCE_INELIGIBLE), "FC-INS-1"),
    },
    "six_card": {
        Why.STAND_OFF: "FC-SET-3",
        **dict.fromkeys(_FAILED, "SC-BUY-2"),
    },
    "oasis": {
        Why.INSURANCE_WON: "OA-INS-3",
        Why.INSURANCE_LOST: "OA-INS-3",
        Why.INSURANCE_BEATEN: "OA-INS-4",
        Why.INSURANCE_TIED: "OA-INS-4",
        Why.BONUS_PAID: "OA-BON-2",
        Why.BONUS_LOST: "OA-BON-2",
        Why.SIDE_FOLDED: "OA-BON-5",
    },
    "three_card": {Why.FOLDED: "TC-FOLD-1", Why.SIDE_FOLDED: "TC-FOLD-1"},
    "texas": {
        Why.FOLDED: "TX-FOLD-1",
        Why.SIDE_FOLDED: "TX-FOLD-1",
        Why.BONUS_PAID: "TX-BON-2",
        Why.BONUS_LOST: "TX-BON-2",
    },
    "split": {
        Why.FOLDED: "SP-FOLD-1",
        Why.LOST: "SP-SET-4",
        Why.STAND_OFF: "SP-TIE-1",
        **dict.fromkeys(_FAILED, "SP-BUY-3"),
    },
}

_FEES = {
    "exchange": {
        "russian": "RP-DEC-2",
        "five_card": "FC-EXC-1",
        "six_card": "SC-EXC-1",
        "oasis": "OA-EXC-1",
    },
    "sixth": {"russian": "RP-DEC-3", "six_card": "SC-SIX-1"},
    "extra_two": {"split": "SP-EXTRA-1"},
    "buy": {"russian": "RP-BUY-1", "six_card": "SC-BUY-1", "split": "SP-BUY-1"},
}

CAP = "COM-CAP-4"


def rule_id(house: House, line: Line) -> str:
    """The rule that settles this line in this house."""
    game = house.game
    if line.why is Why.FEE:
        return _FEES[line.bet].get(game, "COM-RES-1")
    if line.why is Why.WON_ANTE and game == "russian":
        return "RPC-ANTE-1"
    if line.why is Why.SIDE_FOLDED and game == "russian":
        return "RPA-BON-1" if house.bonus.kind == "double-on-ace-king" else "RPB-BON-4"
    return _OWN[game].get(line.why, _SAME[line.why].format(p=_MAIN[game]))
