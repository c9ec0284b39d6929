"""Showing the customer's deck: the page, and the routes behind it (V2)."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, g, render_template

from kiosk.cards import DECK
from kiosk.deck_desk import DeckDesk
from kiosk.errors import ActionError
from kiosk.web.context import kiosk, settings
from kiosk.web.described import described
from kiosk.web.seen import Json
from kiosk.web.shapes import Answer, Body, CardName
from kiosk.web.texts import dictionary

deck = Blueprint("deck", __name__)


class DeckName(Body):
    """The name of a deck."""

    name: str


class DeckWish(Body):
    """Which deck to read with; null: the weights that ship."""

    name: str | None


class DeckAnswer(Body):
    """Which card a doubtful one is; null: it is no card."""

    key: str
    card: CardName | None


class DeckCard(Body):
    """A card that was taken for another one."""

    card: CardName


class Nothing(Body):
    """An empty object."""


class DecksShown(Answer):
    """The deck in use, all decks, and the one that is being shown. ``why_not``: words for what
    keeps the deck in use from being settled with."""

    in_use: dict[str, Any] | None
    checked: bool
    text: str
    why_not: list[str]
    limit: float
    decks: list[str]
    showing: dict[str, Any] | None


def desk() -> DeckDesk:
    """The decks of the running kiosk."""
    found: DeckDesk = kiosk().decks
    return found


@deck.get("/calibrate/deck")
def page() -> str:
    """The page that guides through the 52 cards."""
    start = {
        "version": settings().version,
        "language": g.language,
        "texts": dictionary(g.language),
        "cards": {str(card): card.name(g.language) for card in DECK},
        "state": desk().state(),
    }
    return render_template("deck.html", start=start)


@deck.get("/calibrate/deck/picture/<key>")
def picture(key: str) -> Response:
    """A doubtful card by its key, or what was taken for a card by that card's name."""
    jpeg = desk().picture(key)
    if jpeg is None:
        raise ActionError("not-found", "there is no such picture now", 404)
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@deck.get("/api/v1/calibrate/deck")
@described(answer=DecksShown)
def state() -> Json:
    """The decks, and how far the showing of one is."""
    return desk().state()


@deck.post("/api/v1/calibrate/deck/start")
@described(answer=DecksShown)
def start(body: DeckName) -> Json:
    """Begins to look at the cards of a deck; no hand is dealt meanwhile."""
    desk().start(body.name)
    return desk().state()


@deck.post("/api/v1/calibrate/deck/answer")
@described(answer=DecksShown)
def answer(body: DeckAnswer) -> Json:
    """Says which card a doubtful one is."""
    desk().answer(body.key, body.card)
    return desk().state()


@deck.post("/api/v1/calibrate/deck/forget")
@described(answer=DecksShown)
def forget(body: DeckCard) -> Json:
    """Forgets what was taken for a card: it was another one."""
    desk().forget(body.card)
    return desk().state()


@deck.post("/api/v1/calibrate/deck/finish")
@described(answer=DecksShown)
def finish(body: Nothing) -> Json:
    """Checks the deck shown and fits the weights to it; read with them from then on."""
    desk().finish()
    return desk().state()


@deck.post("/api/v1/calibrate/deck/cancel")
@described(answer=DecksShown)
def cancel(body: Nothing) -> Json:
    """Ends the showing; nothing of it is kept."""
    desk().cancel()
    return desk().state()


@deck.post("/api/v1/calibrate/deck/recheck")
@described(answer=DecksShown)
def recheck(body: DeckName) -> Json:
    """Checks a deck that was shown before with the weights that name now; read with it from then
    on."""
    desk().recheck(body.name)
    return desk().state()


@deck.post("/api/v1/calibrate/deck/use")
@described(answer=DecksShown)
def use(body: DeckWish) -> Json:
    """Reads with another deck's weights, or with those that ship."""
    desk().use(body.name)
    return desk().state()


@deck.post("/api/v1/calibrate/deck/back")
@described(answer=DecksShown)
def back(body: Nothing) -> Json:
    """Reads with the weights before those in use."""
    desk().back()
    return desk().state()
