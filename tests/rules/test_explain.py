"""Explanations: golden texts in both languages, complete catalogues, chips and number formats.

The golden texts are in ``explanations.json``, read through by a person. After a wanted change of
texts run this file with ``REWRITE_EXPLANATIONS=1`` and read the difference.
"""

from __future__ import annotations

import json
import os
import re
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from cases import russian_case

import kiosk.rules.bet_texts as bet_texts
import kiosk.rules.count_texts as count_texts
import kiosk.rules.explain as explain
import kiosk.rules.paste as paste
import kiosk.rules.slip_texts as slip_texts
import kiosk.rules.words as words
from kiosk.cards import parse_cards
from kiosk.explained import OTHER_RESULT, OTHER_RULES
from kiosk.rules import settle_case
from kiosk.rules.case import Table
from kiosk.rules.catalogue import Catalogue, catalogue, parse_po
from kiosk.rules.describe import describe
from kiosk.rules.evaluate import best_hand
from kiosk.rules.generate import generate
from kiosk.rules.jsonio import loads
from kiosk.rules.results import Why

HERE = Path(__file__).parent
GOLDEN = HERE / "explanations.json"
CASES: list[dict[str, Any]] = [
    case
    for case in loads((HERE / "cases_own.json").read_bytes())["cases"]
    if "error" not in case["expected"]
]


def told(case: dict[str, Any], language: str) -> dict[str, Any]:
    return explain.explain(case, settle_case(case), language)


@lru_cache(maxsize=1)
def golden() -> dict[str, Any]:
    if os.environ.get("REWRITE_EXPLANATIONS"):
        found = {c["id"]: {lang: told(c, lang) for lang in ("en", "ru")} for c in CASES}
        GOLDEN.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
    texts: dict[str, Any] = json.loads(GOLDEN.read_text("utf-8"))
    return texts


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_golden_texts(case: dict[str, Any], language: str) -> None:
    assert told(case, language) == golden()[case["id"]][language]


TEMPLATES = [
    *explain.LINES.values(),
    *explain.PLACES,
    *bet_texts.TEXTS.values(),
    *bet_texts.LOST_INSTEAD.values(),
    *bet_texts.ADDED.values(),
    *bet_texts.STEPS.values(),
]


@pytest.mark.parametrize("text", TEMPLATES)
def test_every_text_is_shown_by_a_golden_deal(text: str) -> None:
    pattern = re.compile(re.sub(r"\\\{\w+\\\}", ".+?", re.escape(text)))
    everything = json.dumps([part["en"] for part in golden().values()], ensure_ascii=False).replace(
        '\\"', '"'
    )
    assert pattern.search(everything), text


def test_every_rule_of_the_texts_is_shown_by_a_golden_deal() -> None:
    shown = set(re.findall(r"[A-Z]{2,3}-[A-Z0-9]+-\d", json.dumps(golden())))
    needed = """COM-CAP-4 COM-FOLD-1 RP-BUY-1 RP-BUY-5 RP-DEC-2 RP-DEC-3 RP-INS-1 RP-INS-3 RP-INS-4
    RP-INS-5 RP-NG-1 RP-SET-1 RP-SET-2 RP-SET-3 RP-SF-1 RP-SF-2 RPA-BON-1 RPA-BON-2 RPA-BON-3
    RPB-BON-2 RPB-BON-4 RPC-ANTE-1 FC-EXC-1 FC-INS-1 FC-NG-1 FC-SET-1 FC-SET-2 FC-SET-3 SC-BUY-1
    SC-BUY-2 SC-EXC-1 SC-NG-1 SC-SET-1 SC-SET-2 SC-SIX-1 OA-BON-2 OA-BON-5 OA-EXC-1 OA-INS-3
    OA-INS-4 OA-NG-1 OA-PRG-1 OA-PRG-2 OA-PRG-3 OA-PRG-4 OA-SET-1 OA-SET-2 OA-SET-3 TC-AB-1
    TC-FOLD-1 TC-NG-1 TC-PP-2 TC-SET-1 TC-SET-2 TC-SET-3 TX-BON-2 TX-FOLD-1 TX-NG-1 TX-SET-1
    TX-SET-2 TX-SET-3 SP-BUY-1 SP-BUY-3 SP-EXTRA-1 SP-FOLD-1 SP-NG-1 SP-SET-1 SP-SET-2 SP-SET-3
    SP-SET-4 SP-SF-1 SP-SF-2 SP-TIE-1""".split()
    assert set(needed) <= shown


MSGIDS = {
    *(("", text) for text in (*TEMPLATES, *explain.ERRORS.values(), *words.COMBINATIONS.values())),
    *(("", text) for text in (*words.BETS.values(), bet_texts.THREE_PAIR_NAME)),
    *(("", text) for text in (*paste.LINES.values(), *slip_texts.TEXTS.values())),
    *(("", text) for text in (*count_texts.COUNTS.values(), OTHER_RULES, OTHER_RESULT)),
    *(("", text) for text in ("prize {name}", "no chip for {rest}")),
    *((context, text) for context in ("rank", "up to") for text in words.SINGULAR.values()),
    *((ctx, text) for ctx in ("of several", "two groups") for text in words.PLURAL.values()),
}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_catalogues_have_every_text_and_nothing_else(language: str) -> None:
    assert set(catalogue(language).texts) == MSGIDS


def test_russian_texts_are_there_with_the_same_places() -> None:
    for (context, text), translated in catalogue("ru").texts.items():
        assert translated, text
        assert set(re.findall(r"{\w+}", translated)) == set(re.findall(r"{\w+}", text)), text
        assert re.search("[а-яё]", translated, re.IGNORECASE) or "{" in text, (context, text)


def test_every_reason_has_a_text() -> None:
    assert set(bet_texts.TEXTS) == set(Why)


TABLE = Table(Decimal(100), Decimal(1000), None, tuple(map(Decimal, (1000, 500, 100, 25, 5))), "₽")


def test_p12_amounts_as_chips_of_the_table() -> None:
    en, ru = catalogue("en"), catalogue("ru")
    assert words.in_chips(Decimal(1225), TABLE, en) == "1×1000 2×100 1×25"
    assert words.in_chips(Decimal("37.5"), TABLE, en) == "1×25 2×5 no chip for 2.50"
    assert words.in_chips(Decimal("37.5"), TABLE, ru) == "1×25 2×5 нет фишки на 2,50"
    assert words.in_chips(Decimal(0), TABLE, en) == ""


def test_numbers_in_both_languages() -> None:
    en, ru = catalogue("en"), catalogue("ru")
    assert words.money(Decimal("1225.5"), TABLE, en) == "1,225.50\u00a0₽"
    assert words.money(Decimal("1225.5"), TABLE, ru) == "1\u00a0225,50\u00a0₽"
    assert words.money(Decimal(1234567), TABLE, ru) == "1\u00a0234\u00a0567\u00a0₽"
    assert words.plain(Decimal("1234.567"), en) == "1,234.567"
    assert words.coefficient(Decimal("1.5"), ru) == "1,5"


def test_section_8_lines_come_in_the_order_of_the_dealer() -> None:
    case = next(case for case in CASES if case["id"] == "OWN-RA-04")
    lines = told(case, "en")["boxes"][0]["lines"]
    steps = [line.split(":")[0] for line in lines if line.startswith(("Pay ", "Take ", "Leave "))]
    assert steps == [
        "Pay insurance",
        "Take fee for the dealer's game",
        "Leave ANTE.",
        "Leave BET.",
    ]


def test_section_8_what_is_over_before_a_box_is_opened_comes_before_its_hand() -> None:
    lines = {
        name: told(next(case for case in CASES if case["id"] == name), "en")["boxes"][0]["lines"]
        for name in ("OWN-RB-01", "OWN-RA-04", "OWN-RA-02")
    }
    assert lines["OWN-RB-01"][:4] == [
        "Dealt cards: full house, sixes over fours (6♣ 6♦ 6♥ 4♣ 4♦).",
        "Pay bonus: 1,400.",
        "Take exchange fee: 50.",
        "Box 1: three sixes (6♣ 6♦ 6♥).",
    ]
    assert lines["OWN-RA-04"][:3] == [
        "Pay insurance: 150.",
        "Take fee for the dealer's game: 50.",
        "Box 1: three eights (8♣ 8♦ 8♥).",
    ]
    assert lines["OWN-RA-02"][-3] == "Pay bonus: 200. Take bonus: 10."


def test_refused_cases_are_explained_in_words() -> None:
    case = generate("russian-a", 1, boxes=1)
    case["boxes"][0]["bets"]["ante"] = 0
    refused = told(case, "ru")
    assert refused["boxes"] == []
    assert refused["error"].startswith("Сумма должна быть")


def test_settling_and_explaining_in_one_go_is_the_same() -> None:
    for case in CASES:
        settled, texts = explain.settle_and_explain(case, "ru")
        assert settled == settle_case(case)
        assert texts == told(case, "ru")
    settled, texts = explain.settle_and_explain({"game": "x"})
    assert settled["error"] == "unknown-game"
    assert texts["error"] == "The game is not known."


def test_describe_before_the_dealer_is_known() -> None:
    found = describe(["7h", "7d", "Ts", "Kc", "Ad"], "russian-a", language="ru")
    assert found["combinations"] == ["pair", "ace-king"]
    assert found["significant"] == [["7h", "7d"], ["Ad", "Kc"]]
    assert found["names"] == ["пара семёрок", "туз-король"]
    assert found["best"] == ["7h", "7d", "Ad", "Kc", "Ts"]
    assert found["pays"] == 2
    for cards in (["7h"], ["7h", "7h", "Ts", "Kc", "Ad"], ["7h"] * 7):
        assert describe(cards, "russian-a")["combinations"] == []
    assert describe(parse_cards(["2c"] * 0), "texas-a")["best"] == []
    board = ["Kh", "9d", "4c"]
    assert describe(["Kd", "9c"], "texas-a", board)["combinations"] == ["two-pair"]
    assert describe(["7h", "7d", "Ts", "Kc", "Ad", "2c"], "five-a")["combinations"] == []
    assert describe(["7h", "7d", "Ts"], "three-a")["combinations"] == ["pair"]


def test_combinations_in_words() -> None:
    en = catalogue("en")
    spoken = {
        "Th 9h 8h 7h 6h": "straight flush to the ten",
        "Ah Kh Qh Jh Th": "royal flush",
        "6h 6d 6c 2h 2d": "full house, sixes over twos",
        "Ah Kd 7c 3h 2d": "ace-king",
        "Qh Jd 7c 3h 2d": "no combination, queen high",
        "5h 4d 3c 2h Ad": "straight to the five",
    }
    for text, expected in spoken.items():
        assert words.combination(best_hand(parse_cards(text.split())), en) == expected


def test_po_files_are_read_with_contexts_and_continued_lines() -> None:
    text = (
        'msgid ""\nmsgstr "header"\n\n# note\nmsgctxt "a"\nmsgid "x"\n'
        'msgstr ""\n"one "\n"two\\n"\n\nmsgid "x"\nmsgstr "y"\n'
    )
    assert dict(parse_po(text)) == {("a", "x"): "one two\n", ("", "x"): "y"}
    with pytest.raises(ValueError, match="line 2"):
        list(parse_po('msgid "x"\nmsgstr y\n'))
    assert Catalogue("en").get("absent") == "absent"


@pytest.mark.parametrize(
    ("language", "used", "decides"),
    [
        ("en", "Cards used: 9♠ 9♦ K♣ 8♥ 3♠.", "the second side card decides: eight against seven."),
        (
            "ru",
            "Играют карты: 9♠ 9♦ K♣ 8♥ 3♠.",
            "решает второй кикер: восьмёрка, у дилера — семёрка.",
        ),
    ],
)
def test_p14_the_five_cards_and_what_breaks_the_tie_are_named(
    language: str, used: str, decides: str
) -> None:
    case = russian_case("9h 9c Kd 7s 3d", "9s 9d Kc 8h 3s")
    lines = told(case, language)["boxes"][0]["lines"]
    assert used in lines
    assert any(line.endswith(decides) for line in lines), lines
