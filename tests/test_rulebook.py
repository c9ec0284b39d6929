"""Rules change between two rounds only, come back after a restart, and never half-hold (P16)."""

from __future__ import annotations

import argparse
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk import run_command
from kiosk.cards import Card
from kiosk.config import Settings, load_settings
from kiosk.errors import ActionError, UserError
from kiosk.owner import TableOwner
from kiosk.rulebook import Rulebook
from kiosk.saved import Wish
from kiosk.sightings import ReadCard, TableView, ZoneView
from kiosk.table.round import RoundState


def wish(book: Rulebook, flush: int = 6, **table: Any) -> Wish:
    """Russian A with another price of a flush."""
    pay = dict(book.now.house.values["pay.bet"]) | {"flush": flush}
    return Wish("russian-a", {"pay.bet": pay}, None, "training", table)


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    return Rulebook(Settings(mode="training"), frozenset(), tmp_path)


class Table:
    """A table's owner with its rules; the camera's views are given by hand."""

    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.steps: list[tuple[RoundState, RoundState]] = []
        self.owner = TableOwner(
            book.now.round, "r-000001", lambda a, b, _e, _o: self.steps.append((a, b))
        )
        book.attach(lambda rules, done: self.owner.set_settings(rules.round, done), self._told)
        self.told: list[str] = []
        self.owner.start()

    def _told(self, _rules: Any) -> None:
        self.told.append(self.owner.state.id)

    def see(self, **hands: str) -> None:
        """These cards lie; the camera looks until the table has taken it."""
        zones = self.book.now.round.zones
        for _ in range(12):
            views = tuple(
                ZoneView(
                    zone,
                    tuple(ReadCard(Card.parse(c), 0.99, ((0, 0, 9, 9),)) for c in cards),
                    (),
                    bodies=len(cards),
                    empty=not cards,
                )
                for zone in zones
                for cards in [hands.get(zone, "").split()]
            )
            self.owner.see(TableView(time.monotonic(), views))
            time.sleep(0.06)
            until(lambda: self.owner._view is None)
        # The owner takes views and actions one after another: after an action the views are in.
        with pytest.raises(ActionError):
            self.owner.act("dismiss", {"question": "none"}, "test")

    @property
    def flush(self) -> int:
        return int(self.owner.state.plan.house.pay.bet["flush"])


@pytest.fixture
def table(book: Rulebook) -> Iterator[Table]:
    found = Table(book)
    yield found
    found.owner.stop()


def until(check: Callable[[], bool]) -> None:
    end = time.monotonic() + 200
    while not check():
        assert time.monotonic() < end, "what was waited for did not come"
        time.sleep(0.03)


def test_on_bare_felt_new_rules_take_force_at_once(book: Rulebook, table: Table) -> None:
    table.see()
    version = book.save(wish(book), "p-000000000001")
    until(lambda: table.told == ["r-000001"])
    assert table.flush == 6 and book.waiting is None and book.now.version == version.number


def test_a_round_never_changes_rules_half_way(book: Rulebook, table: Table) -> None:
    table.see(box1="As Kd 9h 6c 2d")
    book.save(wish(book), "p-000000000001")
    table.see(box1="As Kd 9h 6c 2d", dealer="9h")
    assert table.flush == 5 and book.now.version is None
    assert book.waiting is not None
    table.owner.act("void", {"reason": "trial"}, "page")
    table.owner.act("next", {}, "page")
    assert table.flush == 6, "the next round, though the old cards still lie"
    assert book.now.version == 1 and table.told == ["r-000002"]
    changes = [(a.id, b.id) for a, b in table.steps if a.settings != b.settings]
    assert changes == [("r-000001", "r-000002")]


def test_a_table_that_is_never_bare_gets_its_rules_with_the_next_round(
    book: Rulebook, table: Table
) -> None:
    end = time.monotonic() + 200
    while not table.owner.state.derived.settlements.results:
        assert time.monotonic() < end, "the hand was not settled"
        table.see(box1="As Kd 9h 6c 2d", dealer="Qs Qd 7h 6s 3c")
    table.owner.act("confirm", {"box": 1}, "page")
    table.owner.act("reveal", {}, "page")
    table.owner.act("overrule", {"box": 1, "reason": "paid by hand"}, "page")
    book.save(wish(book), "p-000000000001")
    settled = [after for _, after in table.steps if after.derived.settlements.results]
    assert settled and all(state.settings == table.steps[0][0].settings for state in settled)
    table.owner.act("next", {}, "page")
    assert table.owner.state.id == "r-000002" and table.flush == 6
    # Undo in the new round stays within it, and within its rules.
    table.owner.act("bets", {"box": 1, "bets": {"ante": 200}}, "page")
    table.owner.act("undo", {}, "page")
    assert table.flush == 6


def test_what_a_person_entered_is_not_thrown_away(book: Rulebook, table: Table) -> None:
    table.see()
    table.owner.act("bets", {"box": 1, "bets": {"ante": 200}}, "page")
    book.save(wish(book), "p-000000000001")
    table.see()
    assert table.flush == 5
    table.owner.act("undo", {}, "page")
    until(lambda: table.flush == 6)


def test_the_newest_of_two_waiting_changes_counts(book: Rulebook, table: Table) -> None:
    table.see(box1="As Kd 9h 6c 2d")
    book.save(wish(book, 6), "p-000000000001")
    book.save(wish(book, 7), "p-000000000001")
    table.owner.act("void", {"reason": "trial"}, "page")
    table.see()
    until(lambda: book.now.version == 2)
    assert table.flush == 7


def test_of_two_who_save_at_once_the_last_one_counts(
    book: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In force as well as on disk, where the next start finds it."""
    applied: list[int | None] = []
    book.attach(lambda rules, _done: applied.append(rules.version), lambda _rules: None)
    save = book.saved.save
    other = threading.Thread(target=lambda: book.save(wish(book, 7), "p-000000000002"))

    def overtaken(*given: Any, **more: Any) -> Any:
        version = save(*given, **more)
        if version.number == 1:
            other.start()
            other.join(0.5)
        return version

    monkeypatch.setattr(book.saved, "save", overtaken)
    book.save(wish(book, 6), "p-000000000001")
    other.join(60)
    assert applied == [1, 2]


def test_saved_settings_lie_over_the_file_and_under_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "kiosk.toml"
    file.write_text('house = "russian-b"\n[table]\nname = "Pit 4"\nante_min = 50\n')
    base = load_settings(file, {})
    data = tmp_path / "data"
    book = Rulebook(base, frozenset(), data)
    book.save(wish(book, ante_min=75), "p-000000000001")
    again = Rulebook(base, frozenset(), data)
    assert again.now.house.house.name == "russian-a-v1"
    assert again.now.settings.table.ante_min == 75
    assert again.now.settings.table.name == "Pit 4", "what the page did not set stays"
    fixed = Rulebook(base, frozenset({"house"}), data)
    assert fixed.now.settings.house == "russian-b"
    again.go_back("p-000000000001")
    assert Rulebook(base, frozenset(), data).now.settings == base


def test_a_house_of_another_game_saved_before_gives_way_to_the_game_that_the_table_brings(
    tmp_path: Path,
) -> None:
    before = Rulebook(Settings(mode="training"), frozenset(), tmp_path)
    before.save(wish(before, ante_min=75), "p-1")
    base = Settings(mode="training", source="sim:1,game=oasis", house="oasis-a")
    book = Rulebook(base, frozenset({"game"}), tmp_path)
    assert book.now.house.house.name == "oasis-a"
    assert book.now.settings.table.ante_min == 75, "limits are of the table, not of the game"
    with pytest.raises(UserError, match="the simulated table plays oasis"):
        book.save(wish(before), "p-1")
    russian = Rulebook(Settings(source="sim:1", mode="training"), frozenset({"game"}), tmp_path)
    assert russian.now.house.house.name == "russian-a-v1"


@pytest.mark.parametrize(
    ("given", "fixed"),
    [
        (["--source", "sim:1", "--mode", "training"], {"source", "mode", "game"}),
        (["--source", "sim:1", "--house", "russian-b"], {"source", "house"}),
        (["--house", "texas-a"], {"house"}),
    ],
)
def test_only_what_was_given_counts_as_set_on_the_command_line(
    given: list[str], fixed: set[str]
) -> None:
    parser = argparse.ArgumentParser()
    run_command.add_commands(parser.add_subparsers())
    settings, names = run_command.settings_of(parser.parse_args(["run", *given]))
    assert names == fixed
    assert settings.house == (given[-1] if "house" in fixed else "russian-a")


def test_the_data_folder_may_be_moved(book: Rulebook, tmp_path: Path) -> None:
    book.save(wish(book), "p-000000000001")
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    (tmp_path / "settings").rename(moved / "settings")
    assert Rulebook(book.base, frozenset(), moved).now.house.house.name == "russian-a-v1"


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("v0001.toml", "house = 5\n", "v0001.toml (saved on the page): settings: house"),
        ("v0001.toml", "no toml", "v0001.toml: cannot be read"),
        ("v0001.toml", "port = 80\n[saved]\nversion = 1\n", "expected only saved, house, mode"),
        ("v0001.toml", 'house = "houses/gone-v1.toml"\n', "gone-v1.toml: no such file"),
        ("v0001.toml", 'house = "three-a"\n', "printed for"),
    ],
)
def test_saved_settings_that_do_not_hold_are_named_at_the_start(
    tmp_path: Path, name: str, text: str, line: str
) -> None:
    (tmp_path / "settings").mkdir()
    (tmp_path / "settings" / name).write_text(text)
    with pytest.raises(UserError, match=line.replace("(", r"\(").replace(")", r"\)")):
        Rulebook(Settings(), frozenset(), tmp_path)


def test_p16_a_house_of_another_game_is_refused_and_not_kept(book: Rulebook) -> None:
    with pytest.raises(UserError, match="printed for"):
        book.save(Wish("three-a", {}, None, "training", {}), "p-000000000001")
    with pytest.raises(UserError, match="boxes"):
        book.save(Wish("russian-a", {"max_boxes": 2}, None, "training", {}), "p-000000000001")
    assert not [path for path in book.saved.folder.rglob("*") if path.is_file()]


def test_a_disk_that_cannot_be_written_keeps_the_rules_in_force(
    book: Rulebook, tmp_path: Path
) -> None:
    (tmp_path / "settings").write_text("a file where the folder should be")
    with pytest.raises(UserError, match="cannot be"):
        book.save(wish(book), "p-000000000001")
    assert book.now.version is None and book.waiting is None


def test_a_house_file_edited_in_a_hand_counts_from_the_next_one_on(tmp_path: Path) -> None:
    """Table and record go by the same card: the one read when the rules took force."""
    card = tmp_path / "school.toml"
    text = 'extends = "russian-a"\ngame = "russian"\ntitle = "School"\nsource = "own"\n'
    card.write_text(text, "utf-8")
    book = Rulebook(Settings(mode="training", house=str(card)), frozenset(), tmp_path / "data")
    table = Table(book)
    try:
        old = book.now.place(None).house_hash
        table.see(box1="As Kd 9h 6c 2d")
        card.write_text(f"{text}[insurance]\nenabled = false\n", "utf-8")
        book.save(Wish(str(card), {}, None, "training", {"ante_max": 2000}), "p-000000000001")
        table.see(box1="As Kd 9h 6c 2d", dealer="9h")
        assert "insurance" in table.owner.state.plan.bets
        assert book.now.place(None).house_hash == old
        table.owner.act("void", {"reason": "trial"}, "page")
        table.owner.act("next", {}, "page")
        assert "insurance" not in table.owner.state.plan.bets
        assert book.now.place(None).house_hash != old and table.told == ["r-000002"]
    finally:
        table.owner.stop()


def test_rules_saved_before_another_felt_do_not_take_force_unsaid(
    book: Rulebook, table: Table
) -> None:
    """Rules and then a felt with other boxes in one hand: the next hand goes by what the record
    says of it; both take force when the felt is bare."""
    table.see(box1="As Kd 9h 6c 2d")
    old = book.now.place(None).house_hash
    book.save(wish(book), "p-000000000001")
    table.see(box1="As Kd 9h 6c 2d")
    assert table.owner.state.next_settings is not None
    layout = book.layout
    zones = tuple(zone for zone in layout.zones if zone.id != "box4")
    book.use_layout(layout.model_copy(update={"name": "three-boxes", "zones": zones}))
    table.owner.act("void", {"reason": "trial"}, "page")
    table.owner.act("next", {}, "page")
    state = table.owner.state
    assert state.id == "r-000002" and table.flush == 5 and table.told == []
    assert book.now.round == state.settings and book.now.place(None).house_hash == old
    table.see()
    until(lambda: table.told == ["r-000002"])
    assert table.flush == 6 and book.now.version == 1 and book.waiting is None
    assert table.owner.state.settings.boxes == (1, 2, 3)
