"""Every game on the pages: what is hidden stays hidden, what was laid is shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from web_games import HANDS, HOUSES, deal

from kiosk.people import Role
from kiosk.rules.evaluate import SLUGS

HIDDEN = ("combinations", "significant", "result", "combination", "after_buy", "settlement")
TOLD = {*SLUGS.values(), "three-pair"} - {"straight", "flush", "pair"}


def named(value: Any) -> Iterator[tuple[str, Any]]:
    """Every named value inside some JSON."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from named(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from named(inner)


@pytest.fixture(params=HOUSES)
def kiosk(request: pytest.FixtureRequest, kiosk_of: Callable[..., Any]) -> Any:
    made = kiosk_of(house=request.param)
    deal(made, request.param)
    return made


def test_p3_no_game_tells_before_the_reveal_what_its_hands_are_worth(
    kiosk: Any, client_of: Any
) -> None:
    client = client_of(kiosk, Role.TRAINEE)
    assert [box["settled"] for box in kiosk.snapshot()["boxes"][:2]] == [True, True]
    shown = client.get("/api/v1/round").get_json()
    for view in (shown, client.get("/api/v1/table").get_json()):
        for key, value in named(view):
            if key in HIDDEN:
                assert value is None, (key, value)
        assert not any(f'"{slug}"' in json.dumps(view) for slug in TOLD)
    assert shown["dealer"]["game"] is None
    assert "no-game" not in shown["stage"]


def test_each_game_pays_what_it_should_once_it_is_revealed(kiosk: Any) -> None:
    hand = HANDS[kiosk.state.settings.house]
    kiosk.act("reveal", {}, "test")
    shown = kiosk.snapshot()
    assert not shown["questions"]
    assert (shown["settlement"]["paid"], shown["settlement"]["taken"]) == (hand.paid, hand.taken)
    for language in ("en", "ru"):
        for box in kiosk.snapshot(language)["boxes"][:2]:
            assert set(box["result"]["explanation"]["bets"]) == set(box["result"]["bets"])


def test_the_page_opens_with_every_game(kiosk: Any, client_of: Any) -> None:
    client = client_of(kiosk, Role.TRAINEE)
    page = client.get("/").get_data(as_text=True)
    start = page.split('id="start">')[1].split("</script>")[0]
    house = json.loads(start)["house"]
    assert house["game"] == kiosk.state.plan.house.game
    assert house["cards"] == kiosk.state.plan.shape.box_cards
