"""A house file that was written anew under a known name counts at once, in all that rests on it."""

from __future__ import annotations

from pathlib import Path

from kiosk.cards import Card, parse_cards
from kiosk.panel_desk import offer_of
from kiosk.table.caches import forget_houses, rests_on_houses
from kiosk.table.dealer import drawing
from kiosk.table.plan import plan_for


def test_all_that_rests_on_houses_is_forgotten() -> None:
    asked: list[str] = []

    @rests_on_houses(4)
    def title(house: str) -> str:
        asked.append(house)
        return house.upper()

    assert [title("a"), title("a")] == ["A", "A"] and asked == ["a"]
    forget_houses()
    assert title("a") == "A" and asked == ["a", "a"]


def test_a_house_file_written_anew_is_read_anew(tmp_path: Path) -> None:
    place = tmp_path / "ours.toml"
    text = 'extends = "russian-a"\ngame = "russian"\ntitle = "Ours"\nsource = "S000"\n'
    place.write_text(text, "utf-8")
    house = str(place)
    hand: tuple[Card, ...] = tuple(parse_cards("Ks Qd 9h 6c 2d".split()))
    assert "insurance" in plan_for(house).bets and "insurance" in offer_of(house).bets
    drawing(hand, (), house)
    place.write_text(text + "[insurance]\nenabled = false\n", "utf-8")
    assert "insurance" in plan_for(house).bets, "remembered while nobody says otherwise"
    forget_houses()
    assert "insurance" not in plan_for(house).bets and "insurance" not in offer_of(house).bets
