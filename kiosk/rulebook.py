"""The rules in force: settings, house, rule card. One frozen value, changed as a whole."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from calibration.layout import Layout
from kiosk.config import Settings, checked
from kiosk.errors import UserError
from kiosk.explained import card_of
from kiosk.felts import SAMPLE, boxes_of, check_felt, layout_for
from kiosk.own_layouts import FOLDER as LAYOUTS
from kiosk.record.record import rule_card_hash
from kiosk.record.schema import Place
from kiosk.rules import load_house_file
from kiosk.rules.houses import HouseFile
from kiosk.saved import SavedSettings, Version, Wish
from kiosk.table.plan import plan_of
from kiosk.table.round import check_settings
from kiosk.table.state import RoundSettings


@dataclass(frozen=True, slots=True)
class Rules:
    """What rounds are played under. ``version``: number of the saved settings, None where the
    configuration alone counts. ``card``: the rule card as the record keeps it."""

    settings: Settings
    house: HouseFile
    round: RoundSettings
    version: int | None = None

    @property
    def card(self) -> dict[str, Any]:
        return card_of(self.house)

    def place(self, person: str | None) -> Place:
        """Where and under what a round is played, as the record keeps it."""
        table = self.settings.table
        return Place(
            table=table.name,
            person=person,
            house=self.house.house.name,
            house_hash=rule_card_hash(self.card),
            game=self.house.house.game,
            mode=self.round.mode,
            limits={
                "ante_min": table.ante_min,
                "ante_max": table.ante_max,
                "max_payout": table.max_payout,
                "currency": table.currency,
            },
        )


def rules_for(settings: Settings, layout: Layout, version: int | None = None) -> Rules:
    """The rules that settings name. UserError when house, layout and limits do not fit."""
    house = load_house_file(settings.house)
    return Rules(settings, house, round_settings(settings, house, layout), version)


Apply = Callable[[Rules, Callable[[], None]], None]


class Rulebook:
    """The rules in force and those that wait for the next round. From any thread."""

    def __init__(self, base: Settings, fixed: frozenset[str], data: Path) -> None:
        """``base``: the configuration; ``fixed``: names given on the command line, which no page
        changes; ``game`` among them: only houses of the game of its house are played. UserError
        for settings that cannot work."""
        self.base, self.fixed = base, fixed
        self.game = load_house_file(base.house).house.game if "game" in fixed else None
        self.saved = SavedSettings(data)
        newest = self.saved.newest()
        settings = self._with(newest)
        house = load_house_file(settings.house)
        self.layout = layout_for(settings.layout, house, settings.source, [data / LAYOUTS])
        self._next_layout = self.layout
        number = newest.number if newest is not None and newest.values else None
        self.now = rules_for(settings, self.layout, number)
        self.waiting: Rules | None = None
        self._changing = threading.RLock()
        """What is saved last must also be the last to be put in force."""
        self._apply: Apply = lambda _rules, done: done()
        self._told: Callable[[Rules], None] = lambda _rules: None

    def attach(self, apply: Apply, told: Callable[[Rules], None]) -> None:
        """``apply`` puts rules in force between two rounds and then calls what it was given;
        ``told`` hears of the rules that have taken force."""
        self._apply, self._told = apply, told

    def own_houses(self) -> list[HouseFile]:
        """Every house saved on the page, old ones too: recorded hands were played under them."""
        return [*self.saved.houses()]

    def save(self, wish: Wish, by: str) -> Version:
        """Keeps what an admin wants; it takes force at the next round. UserError when it does
        not hold: nothing is kept."""
        with self._changing:
            return self._take(self.saved.save(wish, self._fits, time=_time(), by=by))

    def go_back(self, by: str, note: str = "") -> Version:
        """The configuration file counts again."""
        with self._changing:
            return self._take(self.saved.go_back(self._fits, time=_time(), by=by, note=note))

    def repeat(self, number: int, by: str, note: str = "") -> Version:
        """An old version becomes the newest."""
        with self._changing:
            return self._take(self.saved.repeat(number, self._fits, time=_time(), by=by, note=note))

    def use_layout(self, layout: Layout) -> None:
        """Another felt from the next round on. UserError when the game cannot be played on
        it: nothing changes."""
        with self._changing:
            newest = self.saved.newest()
            number = newest.number if newest is not None and newest.values else None
            rules = rules_for(self._with(newest), layout, number)
            self._next_layout = layout
            self._await(rules)

    def _fits(self, values: Mapping[str, Any]) -> None:
        if self._other_game(values):
            raise UserError(f"the simulated table plays {self.game}: choose a house of this game")
        rules_for(self._laid_over(values), self._next_layout)

    def _take(self, version: Version) -> Version:
        number = version.number if version.values else None
        self._await(rules_for(self._with(version), self._next_layout, number))
        return version

    def _await(self, rules: Rules) -> None:
        layout = self._next_layout
        self.waiting = rules
        self._apply(rules, lambda: self._in_force(rules, layout))

    def _in_force(self, rules: Rules, layout: Layout) -> None:
        self.now, self.layout = rules, layout
        if self.waiting is rules:
            self.waiting = None
        self._told(rules)

    def _with(self, saved: Version | None) -> Settings:
        """The configuration with the saved settings over it."""
        if saved is None:
            return self.base
        try:
            return self._laid_over(saved.values)
        except UserError as problem:
            place = self.saved.folder / f"v{saved.number:04d}.toml"
            raise UserError(f"{place} (saved on the page): {problem}") from None

    def _laid_over(self, values: Mapping[str, Any]) -> Settings:
        own = {name: value for name, value in values.items() if name not in self.fixed}
        if self._other_game(own):
            # Saved at a table with another game; its limits count here, too.
            del own["house"]
        return checked(self.base, own)

    def _other_game(self, values: Mapping[str, Any]) -> bool:
        house = values.get("house")
        if self.game is None or house is None:
            return False
        return load_house_file(str(house)).house.game != self.game


def _time() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def round_settings(settings: Settings, house: HouseFile, layout: Layout) -> RoundSettings:
    """What the table's rounds are played under. UserError when house and layout do not fit."""
    check_felt(layout, house, recorded=settings.source == SAMPLE)
    made = RoundSettings(
        house=settings.house,
        mode=settings.play_mode,
        order=settings.table.order,
        boxes=boxes_of(layout),
        ante_min=settings.table.ante_min,
        ante_max=settings.table.ante_max,
        max_payout=settings.table.max_payout,
        currency=settings.table.currency,
        chips=tuple(sorted(settings.table.chips, reverse=True)),
        settle_after=settings.pace.settle_after,
        question_after=settings.pace.question_after,
        clear_after=settings.pace.clear_after,
        doubt_after=settings.pace.doubt_after,
        linger=settings.pace.linger,
        unanswered=settings.teach.unanswered,
        card=plan_of(settings.house, house),
    )
    check_settings(made)
    return made
