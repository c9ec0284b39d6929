"""Simulated rounds through camera picture, reading, round and rules, held against what was dealt.

Time is the simulation's own: each picture is worked on when it is due, however long that takes,
so the outcome is the same on any machine.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from kiosk.bench.enrolled import show_deck
from kiosk.bench.figures import Figure
from kiosk.config import Settings, TeachSettings
from kiosk.errors import ActionError
from kiosk.rulebook import round_settings
from kiosk.sightings import ReadCard, TableView
from kiosk.table.bodies import event_from
from kiosk.table.deeds import right_of
from kiosk.table.events import BetsEntered, Event, ViewSeen
from kiosk.table.outputs import BoxSettled, Output, QuestionRaised, RoundSettled
from kiosk.table.round import apply, new_round
from kiosk.vision.drift import DriftGuard
from kiosk.vision.pipeline import Pipeline
from kiosk.vision.reader import open_reader

PERSON = "simulated person"
SETTLED, QUIET = 1.3, 0.35
"""After so many seconds without movement pictures are taken only this often."""
_FEES = ("exchange", "sixth", "buy", "extra_two")


@dataclass
class Played:
    """How one round went. ``wrong``: every settlement shown that was not what was dealt.
    ``questions``: what was asked, kind and text; ``causes``: with what was seen then. ``refused``:
    entries that were not taken."""

    number: int
    fault: str | None
    settled: bool = False
    wrong: list[str] = field(default_factory=list)
    questions: list[tuple[str, str]] = field(default_factory=list)
    causes: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    hands: dict[str, list[str]] = field(default_factory=dict)

    @property
    def named(self) -> bool:
        """Settled, or a person was asked."""
        return self.settled or bool(self.questions)


class Game:
    """A simulated table, the kiosk's inner parts on it, and a person who only enters bets."""

    def __init__(
        self, sim: str, fps: float = 7.0, deck: Any = None, enrolled: bool = False
    ) -> None:
        room = importlib.import_module("models.training.simtable.table")
        self.table = room.open_table(sim, deck)
        self.fps = fps
        teach = TeachSettings(unanswered="counted")
        settings = Settings(house=self.table.spec.house, layout=self.table.layout.name, teach=teach)
        self.pipeline = Pipeline(open_reader(), self.table.layout)
        self.drift = DriftGuard(lambda: self.pipeline.plane, self._bare)
        self.pipeline.add_guard(self.drift)
        self._view: TableView | None = None
        rules = round_settings(settings, self.table.house, self.table.layout)
        self.state = new_round(rules, "r-000001")
        self.played: dict[int, Played] = {}
        self._rounds: dict[str, int] = {}
        self._entered: set[int] = set()
        self._number = 0
        self._on_table: int | None = None
        self.shown_deck = show_deck(self.table, self.pipeline) if enrolled else None

    def play(self, rounds: int) -> list[Played]:
        """Plays so many whole rounds."""
        t = 0.0
        last = self.table.round(0)
        while True:
            now = self.table.round_at(t)
            if now is not None and now.number != last.number:
                self._over(last.number)
                last = now
                if now.number >= rounds:
                    break
            self._step(t, now)
            quiet = self.table.quiet(t, SETTLED, QUIET)
            t += QUIET if quiet else 1 / self.fps
        return [self.played[number] for number in range(rounds)]

    def _step(self, t: float, now: Any) -> None:
        self._number += 1
        if now is not None:
            self._on_table = now.number
            report = self.played.setdefault(now.number, Played(now.number, now.fault))
        self._view = self.pipeline.step(self.table.frame(t, self._number), t)
        self._take(ViewSeen(self._view))
        if now is None:
            return
        ready = t >= now.bets_from + (0.5 if self.state.id not in self._rounds else 1.2)
        if ready and now.number not in self._entered:
            self._entered.add(now.number)
            self._rounds.setdefault(self.state.id, now.number)
            self._enter(t, now.deal.case, report)
        if self._rounds.get(self.state.id) != now.number:
            return
        if self.state.derived.complete and not self.state.core.shown:
            self._act("reveal", {}, t, report)
        if self.drift.drift is not None and t >= now.cleared + 0.6:
            self.drift.confirm()  # the camera was put back, and somebody says so
        late = t >= now.ends - 0.6
        unsettled = not self.state.derived.complete and self.state.core.voided is None
        if late and unsettled and self._saw_cards():
            self._act("void", {"reason": "not settled"}, t, report)

    def _bare(self) -> bool:
        """Whether the felt was last seen without a card."""
        view = self._view
        return view is not None and not view.stray and all(zone.empty for zone in view.zones)

    def _enter(self, t: float, case: Mapping[str, Any], report: Played) -> None:
        if any("progressive" in box["bets"] for box in case["boxes"]):
            self._act("bets", {"meter": case["meter"]}, t, report)
        playing = {box["box"] for box in case["boxes"]}
        for other in self.state.core.boxes:
            if other.in_play:  # left from a round of which no card was seen
                left = {"exchanged": 0} if other.exchanged else {}
                left |= {name: False for name in ("sixth", "extra_two") if getattr(other, name)}
                none: dict[str, Any] = dict.fromkeys(name for name, _ in other.bets)
                body = {"box": other.box, "in_play": other.box in playing, "bets": none, **left}
                self._act("bets", body, t, report)
        for box in case["boxes"]:
            bets = {n: v for n, v in box["bets"].items() if n not in _FEES and n != "bet"}
            bets.setdefault("ante", 0)
            body = {"box": box["box"], "in_play": True, "bets": bets, "action": box["action"]}
            if box.get("exchanged"):
                body["exchanged"] = box["exchanged"]
            if "sixth" in box["bets"]:
                body["sixth"] = True
            if "extra_two" in box["bets"]:
                body["extra_two"] = True
            if any("buy" in other["bets"] for other in case["boxes"]) and box["action"] == "play":
                body["buy"] = "buy" in box["bets"]
            self._act("bets", body, t, report)
            self._act("confirm", {"box": box["box"]}, t, report)

    def _act(self, name: str, body: dict[str, Any], t: float, report: Played) -> None:
        try:
            event = event_from(name, body, t, PERSON)
            if isinstance(event, BetsEntered) and right_of(self.state, event) is not None:
                raise ActionError("late", "the settlement was shown: only an instructor may", 409)
            self._take(event)
        except ActionError as problem:
            report.refused.append(f"{name} {body}: {problem}")

    def _take(self, event: Event) -> None:
        self.state, outputs = apply(self.state, event)
        for output in outputs:
            self._hear(output)

    def _hear(self, output: Output) -> None:
        number = self._rounds.get(output.round)
        if isinstance(output, QuestionRaised) and self._on_table is not None:
            asked = self.played[self._on_table if number is None else number]
            asked.questions.append((output.kind, output.text))
            asked.causes.append(self._cause(output, asked))
        if number is None:
            return
        report = self.played[number]
        if isinstance(output, BoxSettled) and not output.assumed:
            self._judge(number, output.box, output.result, report)
        elif isinstance(output, RoundSettled) and output.settlement is not None:
            report.settled = True
            report.hands = {zone: [c.card for c in cards] for zone, cards in output.hands}
            for box in output.settlement["boxes"]:
                self._judge(number, box["box"], box, report)

    def _cause(self, asked: QuestionRaised, report: Played) -> str:
        """A question with what the camera side had then."""
        view, plane = self._view, self.pipeline.plane
        text = f"{asked.kind} {asked.zone or 'table'}: {asked.text} [{report.fault or 'no fault'}"
        if view is None or plane is None:
            return text + "]"
        text += f", {view.t:.1f} s, index {plane.index_px:.0f} px"
        zone = next((zone for zone in view.zones if zone.zone == asked.zone), None)
        if zone is None:
            return text + f", {view.trouble}]"
        doubts = (
            f"{doubt.why} {'/'.join(f'{card} {chance:.2f}' for card, chance in doubt.candidates)}"
            for doubt in zone.doubts
        )
        read = " ".join(str(card.card) for card in zone.cards)
        return f"{text}, read {read or 'none'}, {zone.bodies} bodies, {'; '.join(doubts)}]"

    def _judge(self, number: int, box: int, result: Mapping[str, Any], report: Played) -> None:
        truth = self.table.round(number)
        expected = next((b for b in truth.deal.expected["boxes"] if b["box"] == box), None)
        if expected is None:
            read = [str(card.card) for card in self._cards_of(f"box{box}")]
            report.wrong.append(f"box {box} was settled with {read}, where nobody plays")
        elif f"box{box}" in truth.impossible:
            report.wrong.append(f"box {box} was settled with a card that lies there twice")
        elif _plain(result["bets"]) != _plain(expected["bets"]):
            report.wrong.append(
                f"box {box}: settled {_plain(result['bets'])}, dealt {_plain(expected['bets'])}"
            )

    def _cards_of(self, zone: str) -> Sequence[ReadCard]:
        zones = self._view.zones if self._view else ()
        return next((seen.cards for seen in zones if seen.zone == zone), ())

    def _over(self, number: int) -> None:
        """A round that no longer lies there. One of which the kiosk saw no card (the camera was off
        its place all the time) has left it waiting, with bets that the next ones replace."""
        report = self.played[number]
        if self._rounds and number not in self._rounds.values():
            report.refused.append("the round was never opened by the kiosk")
        if self._rounds.get(self.state.id) == number and not self._saw_cards():
            del self._rounds[self.state.id]

    def _saw_cards(self) -> bool:
        return any(zone.touched or zone.hand for zone in self.state.core.zones)


def _plain(value: Any) -> Any:
    """Comparable data: without the words, whole amounts as int."""
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items() if k not in ("why", "message")}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return int(value) if isinstance(value, Decimal) and value == int(value) else value


DISTURBED = (
    "hands+warm+nudge+dark+hands+shadow+warm+hands+nudge+dark+"
    "hands+shadow+warm+nudge+hands+dark+shadow+hands+nudge+bump"
)
"""What the benchmark and the long tests switch on, one in each of twenty rounds: arms, light, a
camera that is shaken, and one that is pushed aside. After that a person has to say that it is back
in its place: such a round is a question."""


def told(played: list[Played]) -> list[str]:
    """Of every round that did not settle, or settled wrongly, what was asked, refused and shown."""
    return [
        f"round {one.number}: {line}"
        for one in played
        if one.wrong or not one.settled
        for line in (*one.causes, *one.refused, *one.wrong, *(["no question"] * (not one.named)))
    ]


def run(args: argparse.Namespace) -> list[Figure]:
    """``kiosk bench sim``: disturbed rounds of every game, or of the one table in ``--sim``."""
    spec = importlib.import_module("models.training.simtable.spec")
    usual = [f"sim:31,game={game},faults={DISTURBED}" for game in spec.HOUSES]
    figures: list[Figure] = []
    for sim in [args.sim] if args.sim else usual:
        game = Game(sim, enrolled=args.enrolled)
        if game.shown_deck is not None:
            print(f"deck shown: {game.shown_deck.recall:.3f} read for certain", file=sys.stderr)
        played = game.play(args.rounds)
        settled = sum(one.settled for one in played)
        asked = sum(not one.settled and bool(one.questions) for one in played)
        figures += [
            Figure(sim, f"{len(played)} rounds"),
            Figure("settled with nothing but the bets entered", float(settled)),
            Figure("a named question instead", float(asked)),
            Figure("neither", float(sum(not one.named for one in played))),
            Figure("rounds with a wrong settlement", float(sum(bool(one.wrong) for one in played))),
        ]
        kinds = Counter(kind for one in played if not one.settled for kind, _ in one.questions)
        if kinds:
            text = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
            figures.append(Figure("asked in rounds not settled", text))
        if args.why:
            print(*told(played), sep="\n", file=sys.stderr)
    return figures
