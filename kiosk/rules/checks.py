"""Input errors that bets, actions and amounts can have (SPEC.md section 10, rows 3 to 8, 12 to 14).

Rows are checked one after the other over the whole deal, so the first row that fails is reported.
Rows 1 and 2 are found while reading (``case``), rows 9 to 11 in ``card_checks``, 15 in ``dealer``
and the games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import NoReturn

from kiosk.rules.card_checks import check_counts, check_dealt, check_deck
from kiosk.rules.case import BoxInput, Case, CaseError
from kiosk.rules.money import figures, named, shown
from kiosk.rules.options import House
from kiosk.rules.prices import (
    bonus_row,
    bonus_stake,
    fee,
    hand_of,
    insurable,
    insurance_limit,
    worth,
)


def check_case(case: Case) -> None:
    """Raises CaseError for the first defect of rows 3 to 14, in the order of section 10."""
    for check in _ROWS:
        check(case)


def _refuse(kind: str, where: str, message: str) -> NoReturn:
    raise CaseError(kind, where, f"{where}: {message}")


def _boxes(case: Case) -> Iterator[tuple[str, BoxInput]]:
    for index, box in enumerate(case.boxes):
        yield f"boxes[{index}]", box


def check_boxes(case: Case) -> None:
    """Row 3: how many boxes, each once."""
    house = case.house
    if len(case.boxes) > house.max_boxes:
        message = f"{len(case.boxes)} boxes, at most {house.max_boxes} are allowed"
        _refuse("too-many-boxes", "boxes", message)
    held = Counter(box.player for box in case.boxes if box.player is not None)
    most = house.max_boxes_per_player
    for player, count in held.items():
        if most is not None and count > most:
            message = f"{shown(player)} plays {count} boxes, one player may have {most}"
            _refuse("too-many-boxes", "boxes", message)
    seen: set[int] = set()
    for where, box in _boxes(case):
        if box.box in seen:
            _refuse("duplicate-box", f"{where}.box", f"box {box.box} is entered twice")
        seen.add(box.box)


def _offer(house: House, bet: str) -> str | None:
    """The error kind when the house does not offer this bet, else None."""
    offered = {
        "ante": True,
        "bet": True,
        "exchange": bool(house.exchange.fees),
        "extra_two": house.extra_two.fee is not None,
        "pair_plus": house.game == "three_card",
        "progressive": house.progressive.enabled,
    }
    own_kind = {
        "sixth": house.sixth.fee is not None,
        "insurance": house.insurance.enabled,
        "buy": house.buy.enabled,
        "bonus": house.bonus.kind != "none",
    }
    if bet in own_kind:
        return None if own_kind[bet] else f"{bet}-not-offered"
    return None if offered.get(bet, False) else "bet-not-offered"


def check_offered(case: Case) -> None:
    """Row 4: only bets that the house has."""
    for where, box in _boxes(case):
        for bet in box.bets:
            kind = _offer(case.house, bet)
            if kind is not None:
                message = f"{case.house.name} has no such bet"
                _refuse(kind, f"{where}.bets.{named(bet)}", message)
        if box.prizes and not case.house.progressive.enabled:
            _refuse("bet-not-offered", f"{where}.prizes", f"{case.house.name} has no jackpot")


def check_ante(case: Case) -> None:
    """Row 5: a bet on every box, and ANTE under every bet but Pair Plus."""
    for where, box in _boxes(case):
        if not box.bets:
            _refuse("no-bet", f"{where}.bets", f"box {box.box} has no bet")
        if "ante" not in box.bets and set(box.bets) != {"pair_plus"}:
            _refuse("missing-ante", f"{where}.bets.ante", f"box {box.box} has no ANTE")


def check_action(case: Case) -> None:
    """Row 6: a fold has no BET, insurance or purchase; a box with only Pair Plus plays."""
    for where, box in _boxes(case):
        if box.plays:
            continue
        for bet in ("bet", "insurance", "buy"):
            if bet in box.bets:
                _refuse("action-conflict", where, f"box {box.box} folds and has {bet}")
        if "ante" not in box.bets:
            _refuse("action-conflict", where, f"box {box.box} has only Pair Plus and cannot fold")


def check_main_bets(case: Case) -> None:
    """Row 7: ANTE within the limits, BET there and of the right size."""
    table = case.table
    for where, box in _boxes(case):
        ante, bet = box.stake("ante"), box.stake("bet")
        if ante is None:
            continue
        if not table.ante_min <= ante <= table.ante_max:
            message = f"ANTE {ante} is outside {table.ante_min} to {table.ante_max}"
            _refuse("ante-out-of-limits", f"{where}.bets.ante", message)
        if not box.plays:
            continue
        due = case.house.bet.multiple * ante
        if bet is None:
            message = f"box {box.box} plays without BET {figures(due)}"
            _refuse("missing-bet", f"{where}.bets.bet", message)
        if bet != due:
            message = f"BET {figures(bet)}, expected {figures(due)}"
            _refuse("wrong-bet-amount", f"{where}.bets.bet", message)


def check_fees(case: Case) -> None:
    """Row 8: exchange and sixth card as offered, fees exact."""
    house = case.house
    for where, box in _boxes(case):
        if box.exchanged and box.exchanged not in house.exchange.fees:
            message = f"an exchange of {box.exchanged} is not offered"
            _refuse("exchange-not-offered", f"{where}.exchanged", message)
    for where, box in _boxes(case):
        both = (box.exchanged or "exchange" in box.bets) and "sixth" in box.bets
        if both and house.draw.exchange_and_sixth == "either":
            _refuse("exchange-and-sixth", where, f"box {box.box} exchanges and buys a sixth card")
    for where, box in _boxes(case):
        for bet, price in _prices(house, box):
            paid, ante = box.stake(bet), box.stake("ante")
            due = fee(house, price, ante) if price is not None and ante is not None else None
            if paid != due:
                given, wanted = (None if x is None else figures(x) for x in (paid, due))
                message = f"fee {given or 'missing'}, expected {wanted or 'none'}"
                _refuse("wrong-fee", f"{where}.bets.{bet}", message)


def _prices(house: House, box: BoxInput) -> Iterator[tuple[str, Decimal | None]]:
    yield "exchange", house.exchange.fees[box.exchanged] if box.exchanged else None
    for bet, price in (
        ("sixth", house.sixth.fee),
        ("extra_two", house.extra_two.fee),
        ("buy", house.buy.fee),
    ):
        if bet in box.bets:
            yield bet, price


def check_bonus(case: Case) -> None:
    """Row 12: size of bonus and tokens; no exchange inside a bonus combination."""
    for where, box in _boxes(case):
        _check_bonus_size(case.house, where, box)
    for where, box in _boxes(case):
        _check_tokens(case.house, where, box)
    for where, box in _boxes(case):
        _check_exchange_outside(case, where, box)


def _check_bonus_size(house: House, where: str, box: BoxInput) -> None:
    stake = box.stake("bonus")
    if stake is None:
        return
    ante = box.bets["ante"]
    where = f"{where}.bets.bonus"
    if house.bonus.kind == "double-on-ace-king":
        due = bonus_stake(house, ante)
        if stake != due:
            _refuse("bonus-wrong-amount", where, f"bonus {figures(stake)}, expected {figures(due)}")
        return
    limits = [house.bonus.max]
    if house.bonus.max_of_ante is not None:
        limits.append(house.bonus.max_of_ante * ante)
    if house.bonus.min is not None and stake < house.bonus.min:
        _refuse("bonus-out-of-limits", where, f"bonus {stake} is below {house.bonus.min}")
    for limit in limits:
        if limit is not None and stake > limit:
            message = f"bonus {figures(stake)} is above {figures(limit)}"
            _refuse("bonus-out-of-limits", where, message)


def _check_tokens(house: House, where: str, box: BoxInput) -> None:
    stake = box.stake("progressive")
    if stake is None:
        return
    tokens = stake / house.progressive.token
    if tokens != tokens.to_integral_value() or tokens > house.progressive.max_tokens:
        message = (
            f"{stake} is not 1 to {house.progressive.max_tokens} tokens "
            f"of {house.progressive.token}"
        )
        _refuse("progressive-out-of-limits", f"{where}.bets.progressive", message)


def _check_exchange_outside(case: Case, where: str, box: BoxInput) -> None:
    """OA-BON-4: with a bonus combination only cards outside it may be exchanged."""
    if case.house.game != "oasis" or "bonus" not in box.bets:
        return
    if not box.exchanged or box.dealt is None or box.cards is None:
        return
    hand = hand_of(case.house, box.dealt)
    gone = set(hand.significant) - set(box.cards)
    if gone and bonus_row(case.house, hand) is not None:
        names = " ".join(sorted(map(str, gone)))
        _refuse("exchange-touches-bonus", where, f"{names} of the bonus combination exchanged")


def check_insurance(case: Case) -> None:
    """Row 13: the combination may be insured, and for this amount."""
    for where, box in _boxes(case):
        stake = box.stake("insurance")
        if stake is None or box.cards is None:
            continue
        where = f"{where}.bets.insurance"
        value = worth(case.house, box.cards)
        if not insurable(case.house, value):
            if case.house.insurance.ineligible == "return":
                continue
            lowest = case.house.insurance.min_combination.slug
            message = f"{value.hand.kind.slug} cannot be insured, {lowest} or higher can"
            _refuse("insurance-not-eligible", where, message)
        ante, limit = box.bets["ante"], insurance_limit(case, box, value)
        if not ante <= stake <= limit:
            bounds = f"{figures(ante)} to {figures(limit)}"
            message = f"insurance {figures(stake)} is outside {bounds}"
            _refuse("insurance-out-of-limits", where, message)


def check_two_open(case: Case) -> None:
    """Row 14: one player on two open boxes (SPEC.md 2.10)."""
    if not case.house.two_open.enabled:
        return
    for player in dict.fromkeys(box.player for box in case.boxes if box.open and box.player):
        held = [box for box in case.boxes if box.open and box.player == player]
        if len(held) < 2:
            continue
        broken = _two_open_broken(case, player, held)
        if broken is not None:
            _refuse("two-open-violation", "boxes", f"{shown(player)} on two open boxes: {broken}")


def _two_open_broken(case: Case, player: str | None, held: list[BoxInput]) -> str | None:
    lowest = case.house.two_open.min_table_ante
    numbers = sorted(box.box for box in held)
    if case.table.ante_min < lowest:
        return f"the table minimum must be at least {lowest} (RP-TWO-1)"
    if any(box.exchanged == 5 for box in held):
        return "five cards may not be exchanged (RP-TWO-2)"
    if len(held) > 2 or numbers[1] - numbers[0] != 1:
        return "the two boxes must be neighbours (RP-TWO-3)"
    if len({box.stake("ante") for box in held}) != 1:
        return "both must have the same ANTE (RP-TWO-4)"
    if any(box.player != player for box in case.boxes):
        return "nobody else may play at the table (RP-TWO-5)"
    return None


_ROWS: tuple[Callable[[Case], None], ...] = (
    check_boxes,
    check_offered,
    check_ante,
    check_action,
    check_main_bets,
    check_fees,
    check_counts,
    check_deck,
    check_dealt,
    check_bonus,
    check_insurance,
    check_two_open,
)
