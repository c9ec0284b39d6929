"""Random legal rounds of any house, from a seed, aimed at what a drill wants to show.

Nothing here reads a clock or a random source of its own: the same arguments give the same round.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from random import Random
from typing import Any

from kiosk.cards import DECK, Card
from kiosk.rules.aims import AIMS, Aim
from kiosk.rules.card_checks import hand_size
from kiosk.rules.case import CaseError, parse_case
from kiosk.rules.dealer import exchange_highest
from kiosk.rules.evaluate import best_hand
from kiosk.rules.houses import HouseFile, load_house_file
from kiosk.rules.money import ZERO, has_cents_at_most, number
from kiosk.rules.options import House
from kiosk.rules.prices import bonus_stake, fee, hand_of, insurable, worth
from kiosk.rules.results import Settlement
from kiosk.rules.settle import settle

TABLE: Mapping[str, Any] = {"ante_min": 100, "ante_max": 1000, "max_payout": 50000}

_TRIES = 3000
_ANTE_STEPS = 8
_FOR_DEALER = 5
"""Cards kept for the dealer: drawn ones and a small hand."""


class GenerateError(ValueError):
    """No round of this house fits the aim."""


def generate(
    house: str | HouseFile,
    seed: int,
    *,
    aim: str | None = None,
    boxes: int | None = None,
    table: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A legal CASE as plain data.

    ``aim``: a key of AIMS; the round then shows at least one such box. ``boxes``: how many boxes,
    random when None. Raises GenerateError when the house never shows the aim.
    """
    file = load_house_file(house) if isinstance(house, str) else house
    random = Random(f"{file.house.name}/{seed}/{aim}/{boxes}")
    wanted = _aim(aim, file.house)
    if boxes is not None and not 1 <= boxes <= most_boxes(file.house):
        raise GenerateError(f"boxes: expected 1 to {most_boxes(file.house)}, not {boxes}")
    for _ in range(_TRIES):
        limits = dict(table or TABLE)
        if wanted is not None and table is None:
            limits.update(wanted.table)
        case = _Deal(file.house, random, limits, wanted).case(boxes)
        settled = _settled(case, file)
        if wanted is None or (settled is not None and wanted.shows(settled)):
            return case
    raise GenerateError(f"{file.house.name} gave no round for {aim} in {_TRIES} tries")


def most_boxes(house: House) -> int:
    """How many boxes a generated round can have: what the house allows and one deck serves."""
    size = hand_size(house.game)
    board = 5 if house.game == "texas" else 0
    each = size + 2 if house.game == "split" else size
    return min(house.max_boxes, (len(DECK) - size - board - _FOR_DEALER) // each)


def _aim(name: str | None, house: House) -> Aim | None:
    if name is None:
        return None
    if name not in AIMS:
        raise GenerateError(f"unknown aim {name!r}: expected one of {', '.join(sorted(AIMS))}")
    if not AIMS[name].fits(house):
        raise GenerateError(f"{house.name} never shows {name}")
    return AIMS[name]


def _settled(case: dict[str, Any], file: HouseFile) -> Settlement | None:
    try:
        return settle(parse_case(case, {file.house.name: file}))
    except CaseError as refused:
        raise AssertionError(f"the generator made an illegal round: {refused}") from refused


class _Deal:
    """One deal in the making: the deck goes down as cards are given."""

    def __init__(
        self, house: House, random: Random, table: dict[str, Any], aim: Aim | None
    ) -> None:
        self.house, self.random, self.table, self.aim = house, random, table, aim
        self.deck = list(DECK)
        random.shuffle(self.deck)
        self.reserve = 0
        """Cards that must stay in the deck for the dealer."""

    def case(self, boxes: int | None) -> dict[str, Any]:
        house = self.house
        size = hand_size(house.game)
        count = self.random.randint(1, most_boxes(house)) if boxes is None else boxes
        stacked = self.aim.stack(house, self.random) if self.aim else {}
        for cards in stacked.values():
            for card in cards:
                self.deck.remove(card)
        dealer = [*stacked.get("dealer", ())] or self.draw(size)
        hands = [self.draw(size) for _ in range(count)]
        if "box" in stacked:
            self.deck.extend(hands[0])
            self.random.shuffle(self.deck)
            hands[0] = list(stacked["box"])
        board = self.draw(5) if house.game == "texas" else None
        self.reserve = _FOR_DEALER + (2 * count if house.game == "split" else 0)
        made = [self.box(index, hand, board) for index, hand in enumerate(hands)]
        case: dict[str, Any] = {
            "game": house.game,
            "house": house.name,
            "table": self.table,
            "dealer": {"cards": _texts(dealer)},
            "boxes": made,
        }
        if board is not None:
            case["board"] = _texts(board)
        if house.progressive.enabled:
            case["meter"] = self.random.randint(50, 5000) * 100
        self.finish_dealer(case, tuple(dealer))
        return case

    def draw(self, count: int) -> list[Card]:
        return [self.deck.pop() for _ in range(count)]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def ante(self) -> Decimal:
        low, high = Decimal(self.table["ante_min"]), Decimal(self.table["ante_max"])
        return min(low * self.random.randint(1, _ANTE_STEPS), high)

    def box(self, index: int, hand: list[Card], board: list[Card] | None) -> dict[str, Any]:
        stays = index == 0 and self.aim is not None and self.aim.stays
        folds = not stays and self.chance(0.15)
        ante = self.ante()
        box: dict[str, Any] = {"box": index + 1, "action": "fold" if folds else "play"}
        bets = {"ante": ante}
        if not folds:
            bets["bet"] = ante * self.house.bet.multiple
        if self.house.game == "three_card":
            self.three_card(box, bets, hand, folds)
        elif self.house.game == "split":
            self.split(box, bets, hand, folds)
        elif self.house.game == "texas":
            box["cards"] = _texts(hand)
            self.table_bonus(bets, hand)
        else:
            self.stud(box, bets, hand, stays)
        box["bets"] = {name: number(amount) for name, amount in bets.items()}
        return box

    def three_card(
        self, box: dict[str, Any], bets: dict[str, Decimal], hand: list[Card], folds: bool
    ) -> None:
        box["cards"] = _texts(hand)
        if self.chance(0.4):
            bets["pair_plus"] = self.ante()
            if not folds and self.chance(0.2):
                del bets["ante"], bets["bet"]

    def split(
        self, box: dict[str, Any], bets: dict[str, Decimal], hand: list[Card], folds: bool
    ) -> None:
        price = self.house.extra_two.fee
        buys = price is not None and self.chance(0.4)
        if buys and price is not None:
            bets["extra_two"] = fee(self.house, price, bets["ante"])
        if folds:
            return
        more = self.draw(2)
        self.reserve -= 2
        if buys:
            best = best_hand([*hand, *more], False)
            more = [card for card in [*hand, *more] if card not in best.cards]
            hand = list(best.cards)
        box["cards"], box["small"] = _texts(hand), _texts(more)

    def stud(
        self, box: dict[str, Any], bets: dict[str, Decimal], dealt: list[Card], stays: bool
    ) -> None:
        house, ante = self.house, bets["ante"]
        self.bonuses(bets, dealt)
        hand = list(dealt)
        sixth = house.sixth.fee
        room = len(self.deck) - self.reserve
        if not stays and house.exchange.fees and self.chance(0.25):
            hand = self.exchange(box, bets, dealt, room)
        if "exchange" not in bets and sixth is not None and room > 0 and self.chance(0.35):
            hand.extend(self.draw(1))
            bets["sixth"] = fee(house, sixth, ante)
        if box["action"] == "play":
            self.insurance(bets, hand)
        box["cards"] = _texts(hand)
        if hand != dealt:
            box["dealt"] = _texts(dealt)

    def exchange(
        self, box: dict[str, Any], bets: dict[str, Decimal], dealt: list[Card], room: int
    ) -> list[Card]:
        """Changes cards outside the combination, which no house forbids."""
        house = self.house
        value = worth(house, tuple(dealt))
        loose = [card for card in dealt if card not in value.hand.significant]
        counts = [n for n in house.exchange.fees if n <= min(len(loose), room)]
        if not counts:
            return list(dealt)
        count = self.random.choice(counts)
        gone = loose[-count:]
        box["exchanged"] = count
        bets["exchange"] = fee(house, house.exchange.fees[count], bets["ante"])
        return [card for card in dealt if card not in gone] + self.draw(count)

    def bonuses(self, bets: dict[str, Decimal], dealt: list[Card]) -> None:
        house, ante = self.house, bets["ante"]
        wants = self.aim is not None and self.aim.bonus
        if house.bonus.kind == "double-on-ace-king" and (wants or self.chance(0.3)):
            stake = bonus_stake(house, ante)
            if has_cents_at_most(stake):
                bets["bonus"] = stake
        self.table_bonus(bets, dealt)
        if house.progressive.enabled and self.chance(0.3):
            tokens = self.random.randint(1, house.progressive.max_tokens)
            bets["progressive"] = house.progressive.token * tokens

    def table_bonus(self, bets: dict[str, Decimal], dealt: list[Card]) -> None:
        bonus = self.house.bonus
        if bonus.kind != "table" or not self.chance(0.4):
            return
        stake = bets["ante"] / 2
        limits = [bonus.max]
        if bonus.max_of_ante is not None:
            limits.append(bonus.max_of_ante * bets["ante"])
        stake = min([stake, *(limit for limit in limits if limit is not None)])
        if has_cents_at_most(stake) and stake >= (bonus.min or ZERO):
            bets["bonus"] = stake

    def insurance(self, bets: dict[str, Decimal], hand: list[Card]) -> None:
        options = self.house.insurance
        value = worth(self.house, tuple(hand))
        wants = self.aim is not None and self.aim.insurance
        if not options.enabled or not insurable(self.house, value):
            return
        times = value.pays if options.max_base == "both" else value.first_pays
        limit = times * bets["bet"]
        if self.table["max_payout"] is not None:
            limit = min(limit, Decimal(self.table["max_payout"]))
        steps = int(limit * options.max_fraction // bets["ante"])
        if steps >= 1 and (wants or self.chance(0.5)):
            bets["insurance"] = bets["ante"] * self.random.randint(1, steps)

    def finish_dealer(self, case: dict[str, Any], dealer: tuple[Card, ...]) -> None:
        """Who buys the dealer's game, the cards drawn for it, the small hand."""
        house = self.house
        if house.game in ("three_card", "texas"):
            return
        game = house.qualifies(hand_of(house, dealer))
        playing = [box for box in case["boxes"] if box["action"] == "play"]
        buyers = []
        if house.buy.enabled and not game:
            buyers = [box for box in playing if self.chance(0.5)]
        for box in buyers:
            ante = Decimal(box["bets"]["ante"])
            box["bets"]["buy"] = number(fee(house, house.buy.fee, ante))
        if buyers:
            drawn = [self.draw(1)[0]]
            while exchange_highest(house, dealer, drawn).due:
                drawn.append(self.draw(1)[0])
            case["dealer"]["draws"] = _texts(drawn)
            after = exchange_highest(house, dealer, drawn).cards
            game = house.qualifies(hand_of(house, after))
        deals_small = game or house.split.half_no_game_base == "deal"
        if house.game == "split" and deals_small:
            case["dealer"]["small"] = _texts(self.draw(2))


def _texts(cards: list[Card]) -> list[str]:
    return [str(card) for card in cards]
