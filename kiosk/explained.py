"""Recorded hands in words, by the rules that they were played under, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.record.record import rule_card_hash
from kiosk.rules import list_houses, load_house_file
from kiosk.rules.catalogue import LANGUAGES, catalogue
from kiosk.rules.compare import differences
from kiosk.rules.houses import HouseFile
from kiosk.rules.paste import round_text
from kiosk.rules.settle import settle_case

OTHER_RULES = (
    "This hand was played under rules that this kiosk does not have any more. "
    "What was recorded stands; it is not explained anew."
)
OTHER_RESULT = (
    "This version of the kiosk settles this hand otherwise than was recorded. "
    "What was recorded stands; it is not explained anew."
)


class Explainer:
    """Knows houses by name and by what their rule cards say: a house that was edited since does
    not explain the hands of before. ``houses``: beside the shipped ones."""

    def __init__(self, houses: Iterable[HouseFile]) -> None:
        shipped = [load_house_file(name) for name in list_houses()]
        self._houses = {_key(house): house for house in [*shipped, *houses]}

    def with_house(self, house: HouseFile) -> Explainer:
        """The same, knowing one house more."""
        return Explainer([*self._houses.values(), house])

    def text(self, settled: Mapping[str, Any]) -> dict[str, str]:
        """The round of a settled entry by language; one sentence where the rules of then are not
        known, or come to another result than was recorded."""
        case = settled["case"]
        name = str(case.get("house"))
        house = self._houses.get((name, str(settled.get("house_hash"))))
        if house is None:
            return _in_words(OTHER_RULES)
        houses = {name: house}
        if differences(settled.get("settlement"), settle_case(case, houses)):
            return _in_words(OTHER_RESULT)
        return {language: round_text(case, language, houses) for language in LANGUAGES}


def card_of(house: HouseFile) -> dict[str, str]:
    """The rule card as the record keeps it: option → value."""
    return {name: str(value) for name, value in sorted(house.values.items())}


def _key(house: HouseFile) -> tuple[str, str]:
    return house.house.name, rule_card_hash(card_of(house))


def _in_words(sentence: str) -> dict[str, str]:
    return {language: catalogue(language).get(sentence) for language in LANGUAGES}
