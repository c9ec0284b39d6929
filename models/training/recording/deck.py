"""The recording's own casino deck: jumbo indices in two corners, own courts and back."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from kiosk.cards import Card
from models.training import faces
from models.training.faces import FACE_H, FACE_W, DeckStyle, index_picture, stamp
from models.training.fonts import held_out_file
from models.training.recording.courts import court
from models.training.suits import PipStyle, suit_mask

FONT = "RobotoSlab-Bold.otf"
"""A held-out typeface."""
PIPS = PipStyle(None, width=0.74, cleft=0.2, curve=0.13, stem=0.22, lobe=0.235)
"""Slim like all held-out shapes, with the lobes of the club well apart."""
_BACK_INK = (112, 34, 24)


def casino_style(rng: np.random.Generator) -> DeckStyle:
    """A held-out style with the measures of a casino jumbo deck. ``rng`` gives the rest."""
    font = held_out_file(FONT)
    style = DeckStyle.random(rng, held_out=True)
    return replace(
        style,
        font=font,
        pips=PIPS,
        letters="latin",
        rank_height=0.132,
        suit_ratio=1.0,
        gap=0.16,
        squeeze=0.86,
        margin=(0.035, 0.035),
        corners=2,
        pip_height=0.135,
        paper=(240, 246, 248),
        red=(34, 24, 204),
        black=(22, 18, 18),
        four_colour=False,
        beside=False,
        back=draw_back(),
    )


def draw_face(style: DeckStyle, card: Card) -> np.ndarray:
    """One face, BGR uint8 of FACE_H × FACE_W."""
    face = np.empty((FACE_H, FACE_W, 3), np.uint8)
    face[:] = style.paper
    ink = style.ink(card.suit)
    index, _ = index_picture(style, card.rank, card.suit)
    column = 0.05 * FACE_W + index.shape[1]
    if card.rank in "JQK":
        _court(face, style, card, column, ink)
    else:
        _pips(face, style, card, column, ink)
    x, y = _corner(style, index)
    stamp(face, index, x, y, ink)
    turned = index[::-1, ::-1]
    stamp(face, turned, FACE_W - x - index.shape[1], FACE_H - y - index.shape[0], ink)
    mask = faces.card_mask()
    edge = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    face[edge > 127] = (150, 156, 162)
    return face


def first_index(style: DeckStyle, card: Card) -> tuple[float, float, float, float]:
    """Box of the upper left index of a face, x1, y1, x2, y2 in face pixels."""
    index, _ = index_picture(style, card.rank, card.suit)
    x, y = _corner(style, index)
    return x, y, x + index.shape[1], y + index.shape[0]


def _corner(style: DeckStyle, index: np.ndarray) -> tuple[float, float]:
    """Where the upper left index begins, x and y in face pixels."""
    x = style.margin[0] * FACE_W + max(0.0, (0.175 * FACE_W - index.shape[1]) / 2)
    return x, style.margin[1] * FACE_H


def _court(
    face: np.ndarray, style: DeckStyle, card: Card, column: float, ink: tuple[int, int, int]
) -> None:
    x1, y1 = round(max(column, 0.23 * FACE_W)), round(0.055 * FACE_H)
    x2, y2 = FACE_W - x1, FACE_H - y1
    picture = court(card.rank, card.suit, style.pips, ink)
    face[y1:y2, x1:x2] = cv2.resize(picture, (x2 - x1, y2 - y1), interpolation=cv2.INTER_AREA)
    cv2.rectangle(face, (x1, y1), (x2 - 1, y2 - 1), (120, 60, 30), 2, cv2.LINE_AA)


def _pips(
    face: np.ndarray, style: DeckStyle, card: Card, column: float, ink: tuple[int, int, int]
) -> None:
    height = style.pip_height * FACE_H * (2.2 if card.rank == "A" else 1.0)
    pip = suit_mask(card.suit, style.pips, round(height))
    left = max(column, 0.22 * FACE_W) + pip.shape[1] / 2 + 8
    for across, down in faces._PIPS[card.rank]:
        x = FACE_W / 2 if card.rank == "A" else left + across * (FACE_W - 2 * left)
        y = 0.16 * FACE_H + down * 0.68 * FACE_H
        mask = pip[::-1] if down > 0.5 else pip
        stamp(face, mask, x - pip.shape[1] / 2, y - pip.shape[0] / 2, ink)


def draw_back() -> np.ndarray:
    """The back: white edge, a lattice of diamonds and a medallion in one ink, BGR."""
    back = np.empty((FACE_H, FACE_W, 3), np.uint8)
    back[:] = (238, 242, 244)
    edge = 15
    inner = back[edge:-edge, edge:-edge]
    inner[:] = _BACK_INK
    height, width = inner.shape[:2]
    for offset in range(-height, width + height, 18):
        for end in ((offset + height, height), (offset - height, height)):
            cv2.line(inner, (offset, 0), end, (206, 190, 186), 2, cv2.LINE_AA)
    middle = (width // 2, height // 2)
    for scale, ink in ((1.0, (238, 242, 244)), (0.9, _BACK_INK), (0.62, (206, 190, 186))):
        axes = (round(62 * scale), round(84 * scale))
        cv2.ellipse(inner, middle, axes, 0, 0, 360, ink, -1, cv2.LINE_AA)
    star = [
        (
            middle[0] + np.sin(k * np.pi / 8) * (30 if k % 2 else 12) * 1.1,
            middle[1] - np.cos(k * np.pi / 8) * (40 if k % 2 else 16) * 1.1,
        )
        for k in range(16)
    ]
    cv2.fillPoly(inner, [np.round(star).astype(np.int32)], _BACK_INK, cv2.LINE_AA)
    cv2.rectangle(inner, (3, 3), (width - 4, height - 4), (206, 190, 186), 2, cv2.LINE_AA)
    return back
