"""A whole round as one text, to print or to paste into a message to a supervisor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kiosk.rules import words as w
from kiosk.rules.case import BoxInput, Case, CaseError, parse_case
from kiosk.rules.catalogue import Catalogue, catalogue
from kiosk.rules.explain import explain_error, explain_settlement
from kiosk.rules.houses import HouseFile
from kiosk.rules.money import ZERO
from kiosk.rules.settle import settle

LINES = {
    "round": "Round {id}, house {house}: {title}.",
    "unnamed": "House {house}: {title}.",
    "table": "Table: ANTE {low} to {high}, maximum payout {cap}.",
    "open-table": "Table: ANTE {low} to {high}, no maximum payout.",
    "board": "Community cards: {cards}.",
    "meter": "Jackpot meter: {amount}.",
    "bets": "Box {box}, bets: {bets}.",
    "exchanged": "Box {box}, exchanged: {count} of {cards}.",
    "exchanged-unseen": "Box {box}, exchanged: {count}.",
    "totals": "Whole table: paid {paid}, taken {taken}.",
}


def round_text(
    case: Mapping[str, Any],
    language: str = "en",
    houses: Mapping[str, HouseFile] | None = None,
) -> str:
    """The round with cards, bets, settlement and reasons, line by line.

    For a refused case the reason it is refused.
    """
    words = catalogue(language)
    try:
        parsed = parse_case(case, houses)
        settled = settle(parsed)
    except CaseError as refused:
        return f"{explain_error(refused.kind, language)} ({refused.message})"
    told = explain_settlement(parsed, settled, words)
    lines = [*_head(parsed, words), *told["dealer"]]
    for box, text in zip(parsed.boxes, told["boxes"], strict=True):
        lines += ["", *_entered(parsed, box, words), *text["lines"]]
        lines += [f"  {reason}" for reason in text["bets"].values()]
    paid = w.money(sum((b.paid for b in settled.boxes), ZERO), parsed.table, words)
    taken = w.money(sum((b.taken for b in settled.boxes), ZERO), parsed.table, words)
    lines += ["", words.get(LINES["totals"]).format(paid=paid, taken=taken)]
    return "\n".join(lines)


def _head(case: Case, words: Catalogue) -> list[str]:
    house, table = case.house, case.table
    named = {"house": house.name, "title": house.title, "id": case.id or ""}
    limits = {
        "low": w.money(table.ante_min, table, words),
        "high": w.money(table.ante_max, table, words),
        "cap": w.money(table.max_payout or ZERO, table, words),
    }
    lines = [
        words.get(LINES["round" if case.id else "unnamed"]).format(**named),
        words.get(LINES["open-table" if table.max_payout is None else "table"]).format(**limits),
    ]
    if case.board is not None:
        lines.append(words.get(LINES["board"]).format(cards=w.cards(case.board)))
    if case.meter is not None:
        amount = w.money(case.meter, table, words)
        lines.append(words.get(LINES["meter"]).format(amount=amount))
    return lines


def _entered(case: Case, box: BoxInput, words: Catalogue) -> list[str]:
    bets = ", ".join(
        f"{w.bet(name, words)} {w.money(amount, case.table, words)}"
        for name, amount in box.bets.items()
    )
    lines = [words.get(LINES["bets"]).format(box=box.box, bets=bets)]
    if box.exchanged:
        key = "exchanged" if box.dealt else "exchanged-unseen"
        values = {"box": box.box, "count": box.exchanged, "cards": w.cards(box.dealt or ())}
        lines.append(words.get(LINES[key]).format(**values))
    return lines
