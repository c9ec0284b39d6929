"""What the recording shows, as data: only tests read it. Settlements come from the rules engine."""

from __future__ import annotations

from typing import Any

from kiosk.config import TableSettings
from kiosk.rules import settle_case
from models.training.recording.direction import FPS
from models.training.recording.felt import LAYOUT, SIZE
from models.training.recording.rounds import Act
from models.training.recording.stories import STORIES, Story

HOUSE = "russian-a"
FORMAT = "kiosk-recording-truth/1"


def case_of(story: Story) -> dict[str, Any]:
    """The round as a case: every box plays the smallest ante and the bet that belongs to it."""
    table = TableSettings()
    ante = int(table.ante_min)
    return {
        "game": "russian",
        "house": HOUSE,
        "table": {
            "ante_min": ante,
            "ante_max": int(table.ante_max),
            "max_payout": None if table.max_payout is None else int(table.max_payout),
        },
        "dealer": {"cards": [str(card) for card in story.dealer]},
        "boxes": [
            {
                "box": box,
                "cards": [str(card) for card in cards],
                "action": "play",
                "bets": {"ante": ante, "bet": 2 * ante},
            }
            for box, cards in story.boxes
        ],
    }


def settled(story: Story) -> dict[str, Any]:
    """The settlement of the round. Raises ValueError when the engine refuses it."""
    result = dict(settle_case(case_of(story)))
    if "error" in result:
        raise ValueError(f"{story.title}: {result}")
    return result


def payments() -> list[dict[int, tuple[int, bool]]]:
    """Per story and box: the amount paid, and whether the bets are taken."""
    return [
        {box["box"]: (int(box["paid"]), int(box["taken"]) > 0) for box in settled(story)["boxes"]}
        for story in STORIES
    ]


def truth(acts: list[Act], seconds: float, seed: int) -> dict[str, Any]:
    """Cards, times (seconds of the recording) and expected settlements of every round.

    A hand lies open and still from ``since`` to ``until``; an arm may pass over it meanwhile.
    """
    return {
        "format": FORMAT,
        "seed": seed,
        "layout": LAYOUT,
        "house": HOUSE,
        "width": SIZE[0],
        "height": SIZE[1],
        "fps": FPS,
        "seconds": round(seconds, 2),
        "rounds": [
            {
                "title": act.story.title,
                "starts": round(act.start, 2),
                "clear_from": round(act.cleared, 2),
                "shown": [
                    {
                        "zone": shown.zone,
                        "cards": [str(card) for card in shown.cards],
                        "since": round(shown.since, 2),
                        "until": round(shown.until, 2),
                    }
                    for shown in act.shown
                ],
                "case": case_of(act.story),
                "expected": settled(act.story),
            }
            for act in acts
        ],
    }
