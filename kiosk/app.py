"""The running kiosk: wires camera, table, panel and record together and owns their threads."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

import models
from firmware_bridge.panel import WHO as PANEL
from firmware_bridge.panel import Panel
from firmware_bridge.texts import translator
from kiosk import __version__, panel_desk
from kiosk.bus import Bus, Subscription
from kiosk.cards import Card
from kiosk.config import Settings
from kiosk.dealing import Dealing
from kiosk.deck_desk import DeckDesk, DeckGuard
from kiosk.felt_in_use import FeltInUse
from kiosk.hands import RecordedHands
from kiosk.health_watch import HealthWatch
from kiosk.lessons import Lessons
from kiosk.misreads import Misreads
from kiosk.own_layouts import OwnLayouts
from kiosk.owner import Allowed, TableOwner
from kiosk.people import open_people
from kiosk.pit import pit_of
from kiosk.record.paths import data_dir
from kiosk.record.schema import Place, Versions
from kiosk.recorder import Recorder, start_record
from kiosk.round_shown import RoundShown
from kiosk.rule_card import RuleCardKeeper
from kiosk.rulebook import Rulebook, Rules
from kiosk.rules.houses import HouseFile
from kiosk.seen_json import table_json
from kiosk.setup_camera import SetupCamera
from kiosk.setup_desk import SetupDesk
from kiosk.sight import MODEL_LOST, Sight
from kiosk.sightings import TableView
from kiosk.status import Status
from kiosk.table.events import Event
from kiosk.table.outputs import Output
from kiosk.table.round import RoundState
from kiosk.table.zones import machines_names
from kiosk.teaching import drill_rules, forget_erased, open_drills
from kiosk.upkeep import Upkeep
from kiosk.vision.decks import DeckStore, KnownDeck

log = logging.getLogger(__name__)


class Kiosk:
    """One table. Every public method may be called from any thread.

    Raises UserError for settings that cannot work; a part that fails later is shown and the rest
    goes on.
    """

    def __init__(self, settings: Settings, fixed: frozenset[str] = frozenset()) -> None:
        """``fixed``: names of settings given on the command line, which no page may change."""
        self.data = data_dir(settings.data)
        layouts = OwnLayouts(self.data)
        settings = layouts.chosen_for(settings)
        self.rulebook = Rulebook(settings, fixed, self.data)
        settings = self.rulebook.now.settings
        self.dealing = Dealing()
        self.bus = Bus()
        self.panel = Panel(
            self,
            settings.panel,
            translator(settings.language),
            offers=lambda _round: panel_desk.offer_of(self.owner.state.plan),
            on_change=self._panel_changed,
        )
        layout = self.rulebook.layout
        self.sight = Sight(settings, layout, self._seen)
        self.felt = FeltInUse(self.rulebook, self.sight, layouts.reference(layout.name))
        self.calibrating = SetupDesk(
            SetupCamera(
                settings.source,
                self.sight.source,
                self.sight.newest_image,
                lambda: self.sight.camera,
            ),
            layouts,
            self.felt.use,
        )
        self.versions = Versions(__version__, self.sight.model_hash)
        self.people = open_people(self.data)
        self.drills = open_drills(settings, self.data, self.house, self.rulebook.own_houses())
        self.lessons = Lessons(self.drills, self.people)
        self.writer = start_record(settings, self.data)
        self._rule_card = RuleCardKeeper(self.writer, lambda: self.rulebook.now.card)
        self._rule_card.keep()
        pit = pit_of(settings, self.data)
        self.recorded = RecordedHands(self.writer, self._hidden_hand, self.house, pit, self._note)
        for house in self.rulebook.own_houses():
            self.recorded.use_house(house)
        self.upkeep = Upkeep(
            self.writer, lambda: self.settings.retention, lambda: self.status.note()
        )
        self.recorder = Recorder(
            self.writer,
            self._place,
            self.versions,
            self.sight.plain_picture,
            self._stored,
            self.lessons.over,
        )
        self.decks = DeckDesk(
            self.sight,
            DeckStore(self.data / "decks", models.namer_hash()),
            settings.vision.deck_recall,
            self._deck_chosen,
            lambda: self.owner.state.hand_open,
        )
        self.decks.open()
        self.misreads = Misreads(self.data / "misreads")
        self.sight.add_guard(DeckGuard(self.decks))
        self.owner = TableOwner(
            self.rulebook.now.round,
            self.writer.new_round_id(),
            self._stepped,
        )
        self.rulebook.attach(
            lambda rules, done: self.owner.set_settings(rules.round, done), self._rules_changed
        )
        self.status = Status(self)
        self._round = RoundShown(self.recorder.is_stored)
        self._watch = HealthWatch(
            {"health": self.health, "panel": self.panel_state}, self.bus.publish, self._watched
        )

    def start(self) -> None:
        """Everything begins to work; returns at once."""
        forget_erased(self.drills, self.people)
        self.lessons.start()
        self.owner.start()
        self.sight.start()
        if self.sight.model_failure is not None:
            self.owner.see(TableView(time.monotonic(), (), trouble=MODEL_LOST))
        try:
            self.panel.start()
        except Exception as problem:
            # No panel must not mean no kiosk: the page has all its actions.
            log.exception("the panel could not be started")
            self.status.panel_failure = str(problem)
        self._watch.start()

    def stop(self) -> None:
        """Everything ends within a few seconds; nothing that was recorded is lost."""
        self._watch.stop()
        self.calibrating.close()
        self.panel.close()
        self.decks.close()
        self.sight.stop()
        self.owner.stop()
        self.lessons.stop()
        self.writer.close()
        self.recorded.close()
        self.people.close()
        self.drills.close()

    # What people and pages ask for.

    def snapshot(self, language: str = "") -> dict[str, Any]:
        """The round (``GET /api/v1/round``); ``recorded``: its settlement is durable.

        ``language`` of questions and explanations; empty: the kiosk's own.
        """
        return self._data_of(self.owner.state, language)

    def table(self) -> dict[str, Any]:
        """The table as read now (``GET /api/v1/table``)."""
        seen = self.sight
        return table_json(
            seen.view, seen.plane, seen.age_ms, seen.trouble, self.snapshot()["stage"]
        )

    def act(
        self, name: str, body: dict[str, Any], who: str, allowed: Allowed | None = None
    ) -> dict[str, Any]:
        """What a person enters; the new round, or ActionError. ``allowed``: whether the person
        has a right (None: all)."""
        self.dealing.used()
        if who == PANEL:
            return self._data_of(panel_desk.enter(self.owner, self.people, name, body))
        return self._data_of(self.owner.act(name, body, who, allowed))

    def subscribe(self) -> Subscription:
        """Events ``round``, ``table``, ``health`` and ``panel`` from now on."""
        return self.bus.subscribe()

    def frame(self) -> tuple[bytes, int, float] | None:
        """The newest annotated picture: JPEG, its number, its age in milliseconds."""
        return self.sight.annotated_picture()

    def doubt_picture(self, key: str) -> bytes | None:
        """A close picture of a doubtful place."""
        return self.sight.doubt_picture(key)

    def misread(self, was: str | None, doubt: str | None, right: Card | None) -> str:
        """Keeps the picture in which a card was misread; ActionError when it is not there. ``was``:
        its name on the page, which may be what a person has said of it before. ``right``: what it
        is; None: no card."""
        said = machines_names(self.owner.state.core)
        return self.misreads.report(self.sight.as_seen(), said.get(was or "", was), doubt, right)

    def hold_misread(self, was: str | None, doubt: str | None) -> bool:
        """Holds the picture of a card that somebody looks at; False: it is not in it."""
        said = machines_names(self.owner.state.core)
        return self.misreads.hold(self.sight.as_seen(), said.get(was or "", was), doubt)

    def read_picture(self, data: bytes) -> dict[str, Any]:
        """Reads a photograph. UserError when it is none."""
        return self.sight.read_picture(data)

    def health(self) -> dict[str, Any]:
        """Which parts work, in plain words."""
        return self.status.health()

    def metrics(self) -> Mapping[str, tuple[str, str, Any]]:
        """Figures for monitoring."""
        return self.status.metrics()

    def about(self) -> dict[str, Any]:
        """Rules, limits and versions in force."""
        return self.status.about()

    def calibration(self) -> dict[str, Any]:
        """How large indices appear in each zone."""
        return self.status.calibration()

    def panel_state(self) -> dict[str, Any]:
        """The panel: state, display, lights."""
        return self.status.panel()

    def panel_press(self, button: str, held: bool = False) -> None:
        """A button of the panel pressed, or held down, on the page."""
        panel_desk.press(self.panel, button, held)

    def panel_choose(self, box: int | None) -> None:
        """The box chosen on the page, for the panel as well; None: no box."""
        panel_desk.choose(self.panel, box, self.snapshot())

    def _deck_chosen(self, deck: KnownDeck | None) -> None:
        self.sight.use_head(None if deck is None else deck.head)
        weights = self.sight.model_hash
        if weights is not None and deck is not None and deck.head is not None:
            weights = f"{weights} deck {deck.name} {deck.version}"
        self.versions = Versions(__version__, weights)
        self.recorder.use_versions(self.versions)
        self.bus.publish("rules", {})

    def _hidden_hand(self) -> str | None:
        """The hand on the table while it is not revealed."""
        now = self.snapshot()
        return None if now["revealed"] else str(now["id"])

    # What the parts tell.

    def _panel_changed(self) -> None:
        self.bus.publish("panel", self.panel_state())

    def _seen(self) -> None:
        view = self.sight.view
        if view is not None:
            self.owner.see(view)
        self.bus.publish("table", self.table())

    def _stepped(
        self, before: RoundState, after: RoundState, event: Event, outputs: tuple[Output, ...]
    ) -> None:
        self.recorder.happened(before, after, event, outputs)
        if before.held != after.held:
            self.sight.pause(after.held)
        self._publish_round()

    def _stored(self, _round_id: str) -> None:
        self._publish_round()

    def _publish_round(self) -> None:
        self.bus.publish("round", self.snapshot())

    def _data_of(self, state: RoundState, language: str = "") -> dict[str, Any]:
        return self._round.of(state, language or self.settings.language)

    def _note(self) -> dict[str, Any]:
        return self.status.note()

    def _watched(self, told: Mapping[str, dict[str, Any]]) -> None:
        self._rule_card.keep()
        self.decks.follow()
        if "health" in told:
            self.upkeep.look(told["health"])

    # Rules in force, and who deals.

    def dealer(self) -> str | None:
        """The id of who deals now; None: nobody is known to."""
        return self.dealing.person

    def deals(self, person: str | None) -> None:
        """This person deals from the next hand on."""
        self.dealing.begin(person)
        self.bus.publish("dealer", {"person": person})

    def person_erased(self, person: str) -> None:
        """The person is no more: nobody deals under their id, no progress is kept."""
        forget_erased(self.drills, self.people)
        if self.dealing.person == person:
            self.deals(None)

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.rulebook.now.settings

    @property
    def house(self) -> HouseFile:
        """The house in force."""
        return self.rulebook.now.house

    def still_right(self) -> None:
        """A person says that the zones fit though camera or table were moved."""
        self.felt.still_right()

    def _rules_changed(self, rules: Rules) -> None:
        """From the table's thread, between two rounds."""
        self.felt.follow()
        self._rule_card.changed()
        self.drills.rules = drill_rules(rules.settings, rules.house, self.rulebook.own_houses())
        self.recorded.use_house(rules.house)
        self.bus.publish("rules", {"version": rules.version})

    def _place(self) -> Place:
        return self.rulebook.now.place(self.dealing.person)
