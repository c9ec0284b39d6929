"""The page that guides through the 52 cards of a deck, and its routes (V2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import expect

from kiosk.cards import DECK, Card
from kiosk.cli import main
from kiosk.errors import UserError
from kiosk.people import Role
from kiosk.sightings import FrameReading, Sighting
from kiosk.vision.deck_check import CardFigures, DeckFigures
from kiosk.vision.enrol import Sample
from kiosk.vision.head import Head
from kiosk.vision.merge import Thresholds
from models.training.simtable.deck import draw_deck

BASE = "/api/v1/calibrate/deck"
LIMITS = Thresholds(name=0.9)
CORNER = (9, 12, 52, 100)
"""Where the first index stands on a drawn face."""


@pytest.fixture(scope="module")
def faces() -> dict[Card, np.ndarray]:
    deck = draw_deck()
    return {card: deck.face(card) for card in DECK}


def lay(kiosk: Any, faces: dict[Card, np.ndarray], cards: list[Card], p: float = 0.99) -> None:
    """These cards lie under the camera; each is read as itself with probability ``p``."""
    height, width = faces[DECK[0]].shape[:2]
    picture = np.concatenate([faces[card] for card in cards], axis=1)
    other = next(card for card in DECK if card not in cards)
    sightings = []
    for place, card in enumerate(cards):
        x = place * width
        box = (CORNER[0] + x, CORNER[1], CORNER[2] + x, CORNER[3])
        sightings.append(Sighting(box, 0.9, 1.0, ((card, p), (other, 0.99 - p))))
    reading = FrameReading(0.0, picture.shape[1], height, tuple(sightings), ())
    kiosk.deck_sight.now = (picture, reading, LIMITS)


@pytest.fixture
def ended(small_kiosk: Any) -> Iterator[None]:
    yield
    small_kiosk.decks.close()


def test_v2_only_who_may_set_up_may_show_a_deck(
    stranger: FlaskClient, sign_in: Callable[..., FlaskClient]
) -> None:
    assert stranger.post(f"{BASE}/start", json={"name": "Club"}).status_code in (401, 403)
    assert sign_in(Role.TRAINEE).get(BASE).status_code == 403


def test_v2_a_deck_never_shown_is_not_checked(client: FlaskClient) -> None:
    told = client.get(BASE).get_json()
    assert (told["checked"], told["text"], told["in_use"]) == (False, "deck not checked", None)


@pytest.mark.usefixtures("ended")
def test_v2_bad_requests_change_nothing(client: FlaskClient) -> None:
    assert client.post(f"{BASE}/start", json={"name": "../x"}).status_code == 400
    assert client.post(f"{BASE}/answer", json={"key": "1-1", "card": "As"}).status_code == 409
    assert client.post(f"{BASE}/finish", json={}).status_code == 409
    assert client.post(f"{BASE}/use", json={"name": "Unknown"}).status_code == 409
    assert client.post(f"{BASE}/back", json={}).status_code == 409
    assert client.get("/calibrate/deck/picture/As").status_code == 404
    assert client.post(f"{BASE}/start", json={"name": "Club"}).status_code == 200
    again = client.post(f"{BASE}/start", json={"name": "Other"})
    assert (again.status_code, again.get_json()["error"]) == (409, "busy")
    early = client.post(f"{BASE}/finish", json={}).get_json()
    assert early["error"] == "missing" and "…" in early["message"]
    assert client.post(f"{BASE}/cancel", json={}).get_json()["showing"] is None


@pytest.mark.usefixtures("ended")
def test_v2_no_hand_is_settled_meanwhile(small_kiosk: Any, client: FlaskClient) -> None:
    assert small_kiosk.decks.word is None
    client.post(f"{BASE}/start", json={"name": "Club"})
    assert small_kiosk.decks.word == "enrolling"


@pytest.mark.usefixtures("ended")
def test_v2_no_deck_is_changed_while_a_hand_is_open(small_kiosk: Any, client: FlaskClient) -> None:
    """Reading would start over, and what is not read yet is not gone."""
    small_kiosk.lay("dealer", "2c 2d 5h 8s 9c")
    for route, body in (("start", {"name": "Club"}), ("use", {"name": None}), ("back", {})):
        refused = client.post(f"{BASE}/{route}", json=body)
        assert (refused.status_code, refused.get_json()["error"]) == (409, "hand-open")
    russian = client.post(f"{BASE}/use", json={"name": None}, headers={"Accept-Language": "ru"})
    assert russian.get_json()["message"] == "Колоду меняют только после конца раздачи."
    small_kiosk.clear()
    small_kiosk.look(3)
    assert client.post(f"{BASE}/use", json={"name": None}).status_code == 200


def _full_disk(*_arguments: object) -> None:
    raise UserError("the disk is full")


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("ended")
@pytest.mark.parametrize("language", ["en", pytest.param("ru", marks=pytest.mark.long)])
def test_v2_a_deck_is_shown_checked_and_used(
    visitor: Any,
    small_kiosk: Any,
    faces: dict[Card, np.ndarray],
    waiting: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
) -> None:
    page = visitor.open("/calibrate/deck", 1280, 800, language)
    page.fill("#deck-name", "Club 1")
    page.click("[data-do=start]")
    page.wait_for_selector(".slot")
    nine = Card.parse("9h")
    lay(small_kiosk, faces, [nine], 0.6)
    page.wait_for_selector(".asked")
    visitor.shot(page, f"deck-asked-{language}")
    page.select_option(".asked select", "9h")
    page.click(".asked [data-do=answer]")
    page.wait_for_selector("[data-card='9h'].half, [data-card='9h'].done")
    cards = list(DECK)
    for part in range(4):
        hand = cards[part * 13 : part * 13 + 13]
        lay(small_kiosk, faces, hand)
        waiting(lambda hand=hand: set(hand) <= set(small_kiosk.decks._job.state.shown))
    page.wait_for_selector("[data-do=finish]:not([disabled])")
    visitor.shot(page, f"deck-shown-{language}")
    with monkeypatch.context() as full:
        full.setattr("kiosk.deck_reading.check_deck", _full_disk)
        page.click("[data-do=finish]")
        page.wait_for_selector(".problem:has-text('the disk is full')")
    page.click("[data-do=finish]:not([disabled])")
    waiting(lambda: small_kiosk.decks.state()["showing"]["stage"] == "done", 300)
    told = small_kiosk.decks.state()
    assert told["showing"]["message"] is None
    assert told["in_use"]["name"] == "Club 1" and len(told["in_use"]["figures"]["cards"]) == 52
    page.wait_for_selector("#deck-name")
    assert "Club 1" in page.inner_text("#deck")
    assert page.locator("[data-recall]").count() == 52, "recall is told of every card"
    visitor.shot(page, f"deck-done-{language}")
    page.click("[data-do=back]")
    waiting(lambda: small_kiosk.decks.deck is None)


def all_shown() -> dict[Card, tuple[Sample, ...]]:
    return {card: (Sample(np.zeros((72, 72, 3), np.uint8), 1),) for card in DECK}


def figures_of(found: float = 1.0) -> DeckFigures:
    return DeckFigures(
        {card: CardFigures(0.9, 0.99 * found, 0.0, found) for card in DECK}, (), True
    )


HEAD = Head(np.ones((18, 4), "f"), np.zeros(18, "f"))


def test_v2_a_deck_is_checked_again_after_a_change_of_weights_with_what_was_kept(
    visitor: Any, small_kiosk: Any, waiting: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = small_kiosk.decks
    desk._store._namer, now = "weights of before", desk._store._namer
    desk._store.save("Club", "2026-01-01", figures_of(0.95), HEAD, all_shown())
    desk._store._namer = now
    desk.use("Club")
    assert desk.deck.stale and desk.word is None and "check it again" in desk.checked()[1]
    given = []

    def check(
        namer: Any, base: Any, samples: Any, threshold: float, told: Any, found: Any
    ) -> tuple[DeckFigures, Head]:
        given.append((set(samples), set(found.values())))
        return figures_of(0.95), HEAD

    page = visitor.open("/calibrate/deck", 1280, 800)
    with monkeypatch.context() as full:
        full.setattr("kiosk.deck_reading.check_deck", _full_disk)
        page.click("[data-do=recheck]")
        page.wait_for_selector(".problem:has-text('the disk is full')")
    assert desk.deck.stale and desk.word is None
    visitor.shot(page, "deck-stale")
    monkeypatch.setattr("kiosk.deck_reading.check_deck", check)
    page.click("[data-do=recheck]")
    waiting(lambda: desk.deck.version == 2)
    assert not desk.deck.stale and desk.checked()[0] and given == [(set(DECK), {0.95})]
    page.wait_for_selector(".lead.good")
    desk.use(None)
    desk.close()


def test_v2_a_deck_of_which_too_little_was_kept_is_not_checked_again(
    client: FlaskClient, small_kiosk: Any
) -> None:
    few = {DECK[0]: all_shown()[DECK[0]]}
    small_kiosk.decks._store.save("Few", "2026-01-01", figures_of(), HEAD, few)
    for name, said in (("Few", "show it again"), ("Unknown", "was never shown")):
        refused = client.post(f"{BASE}/recheck", json={"name": name})
        assert refused.status_code == 409 and said in refused.get_json()["message"]


def test_v2_the_kiosk_follows_a_choice_made_in_the_terminal(
    small_kiosk: Any, tmp_path: Path
) -> None:
    desk = small_kiosk.decks
    folder = desk._store._folder
    desk._store.save("Followed", "2026-01-01", figures_of(), HEAD, all_shown())
    data = tmp_path / "data"
    data.mkdir()
    (data / "decks").symlink_to(folder)
    desk.follow()
    assert desk.deck is None
    for words, chosen in ((["--use", "Followed"], "Followed"), (["--none"], None)):
        assert main(["calibrate", "decks", *words, "--data", str(data)]) == 0
        desk.follow()
        assert (desk.deck and desk.deck.name) == chosen
    (folder / "in-use.json").write_text("[]")
    desk.follow()
    assert "choose the deck again" in desk.problem
    desk.use(None)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_v2_a_refused_deck_is_told_its_reason_and_the_cards_are_marked(
    visitor: Any, small_kiosk: Any, language: str
) -> None:
    figures = {card: CardFigures(0.9, 0.99, 0.0) for card in DECK}
    figures[Card.parse("Jh")] = CardFigures(0.8, 0.85, 0.15, 0.98)
    desk = small_kiosk.decks
    found = DeckFigures(figures, (), True)
    desk._store.save("Club", "2026-01-01", found, HEAD, all_shown())
    desk.use("Club")
    assert desk.word == "deck-refused" and "below" not in desk.checked()[1]
    page = visitor.open("/calibrate/deck", 1280, 800, language)
    expect(page.locator("[data-why]")).to_have_count(1)
    assert "J♥" in page.inner_text("[data-why=misnamed]").replace("В", "J")
    expect(page.locator(".slot.wrong")).to_have_count(1)
    assert "✗ 85 %" in page.inner_text("[data-recall=Jh].wrong")
    visitor.shot(page, f"deck-misnamed-{language}")
    desk.use(None)


def test_the_kept_cut_outs_are_pictures(
    client: FlaskClient,
    small_kiosk: Any,
    faces: dict[Card, np.ndarray],
    waiting: Callable[..., Any],
) -> None:
    client.post(f"{BASE}/start", json={"name": "Club"})
    lay(small_kiosk, faces, [Card.parse("As")])
    waiting(lambda: small_kiosk.decks.picture("As") is not None)
    data = client.get("/calibrate/deck/picture/As").data
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape in (
        (72, 72, 3),
        (144, 72, 3),
    )
    small_kiosk.decks.close()


def test_v16_a_misread_card_is_reported_from_the_page(
    visitor: Any, small_kiosk: Any, waiting: Callable[..., Any]
) -> None:
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    page = visitor.open()
    page.wait_for_selector(".hand .card:not(.blank)")
    shown = page.get_attribute(".hand .card:not(.blank)", "data-card")
    page.click(".hand .card:not(.blank) >> nth=0")
    page.click("[data-do=keep]")
    assert page.get_attribute("[data-do=keep]", "aria-pressed") == "true"
    page.click("#sheet [data-do=pick]:not([data-lying]):not([data-now]) >> nth=0")
    expect(page.locator("#sheet")).not_to_have_attribute("open", re.compile(""))
    waiting(lambda: small_kiosk.misreads.count() == 1)
    kept = (small_kiosk.misreads.folder / "labels.json").read_text()
    assert f'"{shown}"' not in kept


def test_v16_a_card_gone_before_it_is_named_is_kept_as_it_lay_when_the_sheet_was_opened(
    visitor: Any, small_kiosk: Any, waiting: Callable[..., Any]
) -> None:
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    page = visitor.open()
    with page.expect_response("**/api/v1/misread/hold"):
        page.click('.box .card[data-card="Ac"]')
    small_kiosk.lying["box1"] = []
    page.click("[data-do=keep]")
    page.click("#sheet .card[data-card=Ad]")
    waiting(lambda: small_kiosk.misreads.count() == 1)
    (kept,) = small_kiosk.misreads.kept()
    assert str(kept.card) == "Ad"


@pytest.mark.parametrize("language", ["en", "ru"])
def test_v16_what_was_named_and_is_no_card_is_reported_from_the_page(
    visitor: Any,
    small_kiosk: Any,
    waiting: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    language: str,
) -> None:
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    page = visitor.open(language=language)
    page.click(".hand .card:not(.blank) >> nth=0")
    page.click("[data-do=keep]")
    assert any(word in page.inner_text("[data-do=keep]") for word in ("will be", "будет"))
    visitor.shot(page, f"misread-none-{language}")
    page.click("#sheet [data-do=remove]")
    waiting(lambda: small_kiosk.misreads.count() == 1)
    expect(page.locator("#sheet")).not_to_have_attribute("open", re.compile(""))
    expect(page.locator("#toast")).to_be_visible()
    assert [kept.card for kept in small_kiosk.misreads.kept()] == [None]
    monkeypatch.setattr("kiosk.misreads.MOST", 1)
    visitor.expected = ("409",)
    page.click(".hand .card:not(.blank) >> nth=0")
    page.click("[data-do=keep]")
    page.click("#sheet [data-do=remove]")
    expect(page.locator("#toast")).to_contain_text("1 ")
    assert small_kiosk.misreads.count() == 1, "a refusal is told, and nothing said to be kept"
