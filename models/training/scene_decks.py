"""Decks that scenes are painted with: drawn ones, real cut cards, installed artwork."""

from __future__ import annotations

import numpy as np

from kiosk.cards import DECK, Card
from models.training.art_decks import ArtDeck
from models.training.cut_cards import CutCard
from models.training.faces import DeckStyle, draw_back, draw_face, index_picture


class Deck:
    """Faces of one style, drawn when first asked for.

    ``cards``: the names it has. ``index_height``: of its indices, in face pixels.
    """

    cards: tuple[Card, ...] = DECK

    def __init__(self, style: DeckStyle) -> None:
        self.style = style
        self.back = style.back
        self.index_height = float(index_picture(style, "8", "d")[0].shape[0])
        self._faces: dict[Card, tuple[np.ndarray, np.ndarray]] = {}

    def face(self, card: Card) -> tuple[np.ndarray, np.ndarray]:
        """The face (BGR) and its index boxes (corners, 4)."""
        if card not in self._faces:
            rng = np.random.default_rng(self.style.seed)
            self._faces[card] = draw_face(self.style, card.rank, card.suit, rng)
        return self._faces[card]


class RealDeck(Deck):
    """Real cards cut out of photographs, one of each name that was to be had."""

    def __init__(self, cuts: list[CutCard], rng: np.random.Generator) -> None:
        self.back = draw_back(rng)
        self._faces = {}
        for number in rng.permutation(len(cuts)):
            cut = cuts[number]
            self._faces[Card.parse(cut.card)] = (cut.picture, cut.indices)
        self.cards = tuple(self._faces)
        heights = [box[3] - box[1] for _, boxes in self._faces.values() for box in boxes]
        self.index_height = float(np.median(heights))


class PrintedDeck(Deck):
    """A deck of installed artwork, its paper and inks somewhat different each time."""

    def __init__(self, deck: ArtDeck, rng: np.random.Generator) -> None:
        self.back = draw_back(rng)
        self._gain = rng.uniform(0.86, 1.0) * rng.uniform(0.95, 1.0, 3)
        self._lift = rng.uniform(0, 40)
        self._printed = deck.faces
        self._faces = {}
        self.cards = tuple(deck.faces)
        heights = [boxes[0][3] - boxes[0][1] for _, boxes in deck.faces.values()]
        self.index_height = float(np.median(heights))

    def face(self, card: Card) -> tuple[np.ndarray, np.ndarray]:
        if card not in self._faces:
            face, boxes = self._printed[card]
            inked = self._lift + face.astype(np.float32) * ((255 - self._lift) / 255)
            self._faces[card] = ((inked * self._gain).astype(np.uint8), boxes)
        return self._faces[card]
