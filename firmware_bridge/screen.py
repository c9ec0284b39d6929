"""What the panel's display and lights show of a round: pure functions of the round's snapshot.

Results are shown only once the snapshot says that they are revealed; before that it holds none, and
this module would not look at them if it did.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from firmware_bridge import asks, dealt, picks
from firmware_bridge.protocol import COLUMNS, LIGHTS
from firmware_bridge.view import (
    ANTE_BONUS,
    Lines,
    Offer,
    Snapshot,
    Translate,
    View,
    answer_lines,
    answering,
    ascii_text,
    box_of,
    frozen,
    money,
    owed_boxes,
    shown,
    sure,
    wrong,
    wrong_boxes,
    zone_name,
)


def _(text: str) -> str:
    """Mark a text for the catalogues; it is translated where it is shown."""
    return text


_STAGES: Final = {
    "clear": _("Felt clear"),
    "dealing": _("Dealing"),
    "dealer-complete": _("Dealer complete"),
    "no-game": _("No game"),
    "buying": _("Buying"),
    "settling": _("Settling"),
    "done": _("Done"),
    "void": _("Misdeal"),
}
_BETS: Final = {
    "ante": _("Ante"),
    "bet": _("Bet"),
    "insurance": _("Insurance"),
    "bonus": _("Bonus"),
    "exchange": _("Exchange"),
    "sixth": _("Sixth"),
    "buy": _("Buy"),
    "extra_two": _("Two more"),
    "pair_plus": _("Pair+"),
    "progressive": _("Jackpot"),
    "ante_bonus": _("AnteBon"),
}
_RESULTS: Final = {
    "win": _("PAY"),
    "lose": _("TAKE"),
    "push": _("PUSH"),
    "not-paid": _("NOT PAID"),
    "returned": _("RETURN"),
}


def display(
    snapshot: Snapshot, view: View, translate: Translate = str, offer: Offer | None = None
) -> Lines:
    """The four lines, 20 characters each."""
    box = box_of(snapshot, view.selected)
    foot = view.notice
    if view.ask is not None:
        lines = asks.lines(view.ask, snapshot, translate)
    elif view.pick is not None:
        lines = picks.lines(view.pick, snapshot, translate)
    elif view.dealt is not None:
        lines = dealt.lines(view.dealt, translate)
    else:
        lines = _table(snapshot, box, view, translate, offer or Offer())
        foot = foot or _foot(snapshot, box, view, translate)
    if foot:
        foot_lines = textwrap.wrap(ascii_text(foot), COLUMNS)[:2]
        lines = [*[*lines, "", "", ""][: 4 - len(foot_lines)], *foot_lines]
    first, second, third, fourth = (
        ascii_text(line)[:COLUMNS].ljust(COLUMNS) for line in [*lines, "", "", "", ""][:4]
    )
    return first, second, third, fourth


def _table(
    snapshot: Snapshot,
    box: Mapping[str, Any] | None,
    view: View,
    translate: Translate,
    offer: Offer,
) -> list[str]:
    """The whole table, or the box chosen."""
    if box is None:
        return _results(snapshot, translate) or _overview(snapshot, translate)
    if shown(snapshot, box) and not view.fixing:
        return _result(box, view, translate)
    if view.fixing or answering(snapshot, box):
        return _answer(box, view, translate, offer)
    return _entry(box, view, translate, offer)


def _foot(
    snapshot: Snapshot, box: Mapping[str, Any] | None, view: View, translate: Translate
) -> str:
    """What takes the last line: a wrong settlement, the freeze, a question."""
    if box is not None and wrong(box) and not view.fixing:
        return translate(_("WRONG: press CONFIRM"))
    owed = owed_boxes(snapshot)
    if box is not None and box["box"] in owed and not view.fixing:
        return translate(_("NO ANSWER: CONFIRM"))
    if frozen(snapshot):
        return translate(_("HELD: call the floor"))
    if boxes := wrong_boxes(snapshot):
        return f"{translate(_('WRONG'))}: {zone_name(f'box{boxes[0]}', translate)}"
    if owed:
        return f"{translate(_('NO ANSWER'))}: {zone_name(f'box{owed[0]}', translate)}"
    questions = snapshot.get("questions", ())
    if not questions:
        return ""
    asked = f"{translate(_('QUESTION'))} {zone_name(questions[0].get('zone'), translate)}"
    return asked if box is not None else f"{asked}: +"


def lights(snapshot: Snapshot) -> tuple[int, ...]:
    """The six box lights: 0 off, 1 on, 2 slow blinking, 3 fast blinking.

    On: confirmed, after the reveal to be paid. Slow: in play and still assumed, also after the
    reveal. Fast: a question about this box.
    """
    asked = {question.get("zone") for question in snapshot.get("questions", ())}
    return tuple(_light(snapshot, box_of(snapshot, n), asked) for n in range(1, LIGHTS + 1))


def _light(snapshot: Snapshot, box: Mapping[str, Any] | None, asked: set[object]) -> int:
    if box is None:
        return 0
    if box["zone"] in asked:
        return 3
    if not box.get("in_play"):
        return 0
    if shown(snapshot, box):
        paid = Decimal(str(box["result"]["paid"])) > 0
        return 2 if box.get("assumed") else 1 if paid else 0
    return 1 if sure(box) else 2


def _overview(snapshot: Snapshot, translate: Translate) -> list[str]:
    stage = translate(_STAGES.get(str(snapshot.get("stage")), _("Waiting")))
    dealer = snapshot.get("dealer", {})
    boxes = [box for box in snapshot.get("boxes", ()) if box.get("in_play")]
    marks = " ".join(f"{box['box']}{_mark(box)}" for box in boxes)
    count = f"{dealer.get('read', 0)}/{dealer.get('expected', 0)}"
    open_ = sum(not sure(box) for box in boxes)
    hint = translate(_("CONFIRM: all bets")) if open_ else ""
    return [stage, f"{translate(_('Dealer'))} {count}", marks, hint]


def _mark(box: Mapping[str, Any]) -> str:
    if box.get("action") == "fold":
        return "F"
    return "=" if box.get("settled") else "+" if sure(box) else "?"


def _entry(box: Mapping[str, Any], view: View, translate: Translate, offer: Offer) -> list[str]:
    bets = box.get("bets", {})
    if not box.get("in_play"):
        return [
            f"{translate(_('Box'))} {box['box']}",
            translate(_("not in play")),
            translate(_("PLUS: in play")),
        ]
    state = _("fold") if box.get("action") == "fold" else _("play")
    state_of_bets = _("confirmed") if sure(box) else _("assumed")
    name = offer.fields[view.at % len(offer.fields)]
    switch = name in offer.switches
    value = _yes_no(box.get(name)) if switch else money(bets.get(name) or 0)
    label = ">" + translate(_BETS.get(name, name))
    others = [
        f"{translate(_BETS.get(other, other))[:3]}{money(bets[other])}"
        for other in offer.bets
        if bets.get(other) and other != name
    ]
    return [
        f"{translate(_('Box'))} {box['box']} {translate(state)} {translate(state_of_bets)}",
        label + value.rjust(COLUMNS - len(ascii_text(label))),
        " ".join(others),
        _actions(box, offer),
    ]


def _actions(box: Mapping[str, Any], offer: Offer) -> str:
    """What the house sells and the box has bought."""
    parts = (
        (len(offer.exchanges) > 1, f"Ex{box.get('exchanged', 0)}"),
        (offer.sixth, f"6th{_yes_no(box.get('sixth'))}"),
        ("extra_two" in offer.switches, f"+2{_yes_no(box.get('extra_two'))}"),
        ("buy" in offer.switches, f"buy{_yes_no(box.get('buy'))}"),
    )
    return " ".join(text for sold, text in parts if sold)


def _yes_no(value: object) -> str:
    return "?" if value is None else "+" if value else "-"


def _answer(box: Mapping[str, Any], view: View, translate: Translate, offer: Offer) -> list[str]:
    names = answer_lines(box, offer)
    lines = [f"{translate(_('Box'))} {box['box']} {translate(_('your answer'))}"]
    at = view.at % max(len(names), 1)
    first = max(0, min(at - 1, len(names) - 3))
    for index in range(first, min(first + 3, len(names))):
        name = names[index]
        draft = view.draft.get(name)
        open_ = "-" if name == ANTE_BONUS else "?"
        said = open_ if draft is None else _said(draft.result, draft.amount, translate)
        label = (">" if index == at else " ") + translate(_BETS.get(name, name))
        lines.append(label[:8].ljust(8) + said.rjust(COLUMNS - 8))
    return lines


def _said(result: str, amount: object, translate: Translate) -> str:
    word = translate(_RESULTS.get(result, result))
    return f"{word} {money(amount)}" if result in ("win", "lose") else word


def _results(snapshot: Snapshot, translate: Translate) -> list[str] | None:
    boxes = [box for box in snapshot.get("boxes", ()) if shown(snapshot, box)]
    if not boxes:
        return None
    if len(boxes) <= 4:
        return [_pay_take(box, translate) for box in boxes]
    short = [
        f"{_numbered(box).strip()}+{money(box['result']['paid'])}-{money(box['result']['taken'])}"
        for box in boxes
    ]
    short = [one if len(one) <= 10 else f"{one[0]}: {translate(_('see'))}" for one in short]
    pairs = [short[at : at + 2] for at in range(0, len(short), 2)]
    return ["".join(one.ljust(10) for one in pair) for pair in pairs]


def _pay_take(box: Mapping[str, Any], translate: Translate) -> str:
    paid, taken = money(box["result"]["paid"]), money(box["result"]["taken"])
    pay, take = translate(_("PAY")), translate(_("TAKE"))
    line = f"{_numbered(box)}{pay} {paid} {take} {taken}"
    return line if len(ascii_text(line)) <= COLUMNS else f"{_numbered(box)}+{paid} -{taken}"


def _numbered(box: Mapping[str, Any]) -> str:
    """The box's number, with a question mark while its settlement is only assumed."""
    return f"{box['box']}{'?' if box.get('assumed') else ' '}"


def _result(box: Mapping[str, Any], view: View, translate: Translate) -> list[str]:
    result = box["result"]
    combinations: Sequence[str] = result.get("combinations") or ()
    names = list(result["bets"])
    at = view.at % max(len(names), 1)
    shown = [names[(at + step) % len(names)] for step in range(min(2, len(names)))]
    hand = "+".join(combinations) if combinations else "-"
    lines = [f"{_numbered(box)}{hand}", _pay_take(box, translate)]
    for name in shown:
        entry = result["bets"][name]
        said = _said(entry["result"], entry["amount"], translate)
        label = translate(_BETS.get(name, name))
        lines.append(label[:8].ljust(8) + said.rjust(COLUMNS - 8))
    return lines
