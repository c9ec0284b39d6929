"""A house made on the page of settings: everywhere by its name, from the table to the record."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk import sight
from kiosk.app import Kiosk
from kiosk.cards import Card
from kiosk.cli import main
from kiosk.config import load_settings
from kiosk.errors import UserError
from kiosk.people import Role
from kiosk.saved import Wish
from kiosk.sightings import ReadCard, TableView, ZoneView
from kiosk.web import WebSettings, create_app
from kiosk.web.signin import COOKIE

NAME, TITLE = "russian-a-v1", "Our house"
HANDS = {"dealer": "2c 2d 5h 8s 9c", "box1": "Ah Ad 4c 4s 8h"}


def until(holds: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + 200
    while not holds():
        assert time.monotonic() < limit, what
        time.sleep(0.02)


def view(kiosk: Kiosk, hands: dict[str, str]) -> TableView:
    zones = []
    for zone in kiosk.owner.state.settings.zones:
        cards = tuple(
            ReadCard(Card.parse(card), 0.99, ((40.0 * n, 0.0, 40.0 * n + 20, 30.0),))
            for n, card in enumerate(hands.get(zone, "").split())
        )
        zones.append(ZoneView(zone, cards, (), len(cards), False, not cards))
    return TableView(time.monotonic(), tuple(zones))


@pytest.fixture
def kiosk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kiosk]:
    """A kiosk whose admin has saved a house without insurance and with a flush paid six to one.
    Its camera side is the test's own hands."""

    def missing(*_arguments: object) -> None:
        raise UserError("no model here")

    monkeypatch.setattr(sight, "open_reader", missing)
    made = Kiosk(load_settings(None, {"data": tmp_path, "panel": "none"}))
    made.owner.start()
    options = {"insurance.enabled": False}
    told = made.subscribe()
    made.rulebook.save(Wish("russian-a", options, TITLE, "demo", {}), "p-1")
    # The last that happens when rules take force; the table plays by them before.
    until(lambda: (told.get(1.0) or ("",))[0] == "rules", "the house is in force, by its name")
    told.close()
    yield made
    made.stop()


def played(kiosk: Kiosk) -> str:
    """Deals and ends a hand; its id."""
    name = str(kiosk.snapshot()["id"])
    kiosk.owner.see(view(kiosk, HANDS))
    until(lambda: bool(kiosk.snapshot()["boxes"][0]["settled"]), "the hand is settled")
    kiosk.act("confirm", {"box": 1}, "page")
    until(lambda: bool(kiosk.snapshot()["revealed"] and kiosk.snapshot()["recorded"]), "recorded")
    kiosk.act("next", {}, "page")
    return name


def test_a_house_of_one_s_own_goes_by_its_name(
    kiosk: Kiosk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kiosk.people.add("Ada", Role.ADMIN, password="correct horse battery")
    admin = kiosk.people.everybody()[0]
    app = create_app(kiosk, WebSettings())
    client = app.test_client()
    client.set_cookie(COOKIE, kiosk.people.sign_in(admin, "password"), path="/")

    assert client.get("/api/v1/round").get_json()["house"] == NAME
    page = client.get("/").get_data(as_text=True)
    begun = re.search(r'id="start">(.*?)</script>', page, re.S)
    assert begun
    card = json.loads(begun[1])["house"]
    assert card["title"] == TITLE and card["insurance"] is False

    hand = played(kiosk)
    found = client.get(f"/audit/{hand}").get_data(as_text=True)
    assert NAME in found and ".toml" not in found and str(tmp_path) not in found
    assert "not known" not in found and "Round as text" in found
    text = kiosk.recorded.one(hand)
    assert text is not None and TITLE in text["text"]["en"]
    assert [h["id"] for h in client.get(f"/api/v1/audit?house={NAME}").get_json()["hands"]] == [
        hand
    ]

    assert main(["audit", "show", hand, "--data", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert NAME in told.splitlines()[0] and ".toml" not in told
    assert main(["audit", "show", "--json", hand, "--data", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["house"] == NAME


def test_a_house_of_one_s_own_is_drilled(kiosk: Kiosk) -> None:
    client = create_app(kiosk, WebSettings()).test_client()
    begun = re.search(
        r'id="start">(.*?)</script>', client.get("/drill").get_data(as_text=True), re.S
    )
    assert begun
    start: dict[str, Any] = json.loads(begun[1])
    assert start["house"] == NAME and start["houses"][0]["title"] == TITLE
    assert start["houses"][0]["mark"] == "v1 · in force"
    asked = client.post("/api/v1/drill/next", json={"topics": ["whole-box"]})
    assert asked.status_code == 200 and asked.get_json()["house"] == NAME

    kiosk.rulebook.save(Wish(str(kiosk.settings.house), {}, "Ours again", "demo", {}), "p-1")
    until(lambda: next(iter(kiosk.drills.rules.houses)) == "russian-a-v2", "it is drilled")
    assert NAME not in kiosk.drills.rules.houses, "only the newest is offered"
    assert kiosk.snapshot()["house"] == "russian-a-v2"
    assert kiosk.drills.house(NAME).house.title == TITLE, "what was drilled under the old is kept"
    kiosk.rulebook.go_back("p-1")
    until(lambda: next(iter(kiosk.drills.rules.houses)) == "russian-a", "the files count again")
    assert kiosk.snapshot()["house"] == "russian-a"
    assert {"russian-a", "russian-a-v2"} <= set(kiosk.drills.rules.houses)
    kiosk.rulebook.save(Wish("russian-a", {"buy.fee": 2}, None, "demo", {}), "p-1")
    until(lambda: kiosk.snapshot()["house"] == "russian-a-v4", "saved under the shipped title")
    kiosk.rulebook.repeat(1, "p-1")
    until(lambda: kiosk.snapshot()["house"] == NAME, "an old version counts again")
    for page in ("/drill", "/drill/progress"):
        text = client.get(page).get_data(as_text=True)
        assert all(mark in text for mark in ("v1 · in force", "v4", "as shipped")), page
