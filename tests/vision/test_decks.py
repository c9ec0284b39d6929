"""A deck is shown to the kiosk: how well it reads it, fitted weights, the way back (V2)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

import models
from kiosk.cards import DECK, Card
from kiosk.cli import main
from kiosk.deck_commands import _for_people
from kiosk.deck_reading import deck_store, reader_in_use
from kiosk.deck_words import said_of
from kiosk.errors import UserError
from kiosk.sightings import FrameReading, Sighting
from kiosk.vision import enrol
from kiosk.vision.deck_check import CardFigures, DeckFigures, check_deck
from kiosk.vision.decks import DeckStore
from kiosk.vision.enrol import Enrolment, Sample
from kiosk.vision.head import Head, fitted, load_head
from kiosk.vision.merge import Thresholds
from kiosk.vision.namer import Namer, Temperatures
from kiosk.vision.variations import WIDE, as_seen, varied, wide_cut
from models.training.simtable.deck import draw_deck

LIMITS = Thresholds(name=0.9)
PICTURE = np.full((400, 600, 3), 90, np.uint8)


def reading(*seen: tuple[str, float, int], other: str = "2c") -> FrameReading:
    """Sightings: (card, probability, x)."""
    sightings = tuple(
        Sighting(
            (x, 100, x + 20, 130), 0.9, 0.99, ((Card.parse(n), p), (Card.parse(other), 0.99 - p))
        )
        for n, p, x in seen
    )
    return FrameReading(0.0, 600, 400, sightings, ())


def look(state: Enrolment, *seen: tuple[str, float, int]) -> Enrolment:
    return enrol.look_at(state, PICTURE, reading(*seen), LIMITS)


def test_v2_cards_come_in_any_order_and_count_once_seen_in_two_looks() -> None:
    state = look(Enrolment(), ("As", 0.99, 50), ("Kd", 0.98, 200))
    assert state.shown == () and state.looks_at(Card.parse("As")) == 1
    state = look(state, ("Kd", 0.98, 200))
    assert [str(card) for card in state.shown] == ["Kd"]
    assert len(state.missing) == 51


def test_v2_a_doubtful_card_waits_for_a_person_and_stays_answered_while_it_lies() -> None:
    state = look(Enrolment(), ("9h", 0.6, 50))
    assert state.samples == {} and len(state.asked) == 1
    state = enrol.answer(state, state.asked[0].key, Card.parse("6h"))
    assert state.asked == () and state.looks_at(Card.parse("6h")) == 1
    state = look(state, ("9h", 0.6, 51))
    assert state.asked == () and state.looks_at(Card.parse("6h")) == 2
    state = look(enrol.cleared(state), ("9h", 0.6, 51))
    assert len(state.asked) == 1, "another card may lie there now"


def test_v2_no_card_and_a_key_that_is_not_asked() -> None:
    state = look(Enrolment(), ("9h", 0.6, 50))
    with pytest.raises(KeyError):
        enrol.answer(state, "nowhere", Card.parse("6h"))
    assert enrol.answer(state, state.asked[0].key, None).samples == {}


def test_v2_what_was_taken_wrongly_is_forgotten() -> None:
    state = look(look(Enrolment(), ("As", 0.99, 50)), ("As", 0.99, 50))
    assert enrol.forget(state, Card.parse("As")).looks_at(Card.parse("As")) == 0


def test_v2_a_card_that_is_misread_for_certain_is_asked_about_once_that_was_said() -> None:
    nine, six = Card.parse("9h"), Card.parse("6h")
    state = look(look(Enrolment(), ("9h", 0.99, 50)), ("9h", 0.99, 50))
    state = look(enrol.forget(state, nine), ("9h", 0.99, 50))
    assert state.looks_at(nine) == 0 and len(state.asked) == 1
    state = enrol.answer(state, state.asked[0].key, six)
    state = look(state, ("9h", 0.99, 50))
    assert (state.looks_at(six), state.asked) == (2, ())
    state = look(enrol.cleared(state), ("9h", 0.99, 300))
    state = enrol.answer(state, state.asked[0].key, nine)
    assert state.looks_at(nine) == 1, "the real nine of hearts is asked about too"


def test_v5_one_name_in_two_places_is_told_and_asked_about() -> None:
    state = look(Enrolment(), ("As", 0.99, 50), ("As", 0.99, 500))
    assert state.samples == {} and [str(card) for card in state.conflicts] == ["As"]
    first, second = (asked.key for asked in state.asked)
    state = enrol.answer(enrol.answer(state, first, Card.parse("As")), second, Card.parse("Ac"))
    assert [str(card) for card in state.samples] == ["As", "Ac"]


def still(seed: int = 1) -> np.ndarray:
    """A picture in which every place looks its own way."""
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 255, (100, 150, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (600, 400), interpolation=cv2.INTER_NEAREST))


def test_v2_a_look_that_misses_a_card_that_lies_still_counts_whatever_else_is_found() -> None:
    ace, picture = Card.parse("As"), still()
    state = enrol.look_at(Enrolment(), picture, reading(("Kd", 0.99, 300)), LIMITS)
    state = enrol.look_at(state, picture, reading(("As", 0.99, 50), ("Kd", 0.99, 300)), LIMITS)
    for seen in ((), (("Kd", 0.99, 300),), ()):
        state = enrol.look_at(state, picture, reading(*seen), LIMITS)
    state = enrol.look_at(state, picture, reading(("As", 0.99, 50)), LIMITS)
    assert (state.counts[ace].found, state.counts[ace].all) == (2, 5)
    assert state.found[ace] == 0.4
    state = enrol.look_at(state, picture, reading(("As", 0.4, 51)), LIMITS)
    assert (state.counts[ace].found, state.counts[ace].all) == (3, 6), "found, though not named"


def test_v2_a_card_under_an_arm_or_taken_away_is_not_missed() -> None:
    ace, picture = Card.parse("As"), still()
    state = enrol.look_at(Enrolment(), picture, reading(("As", 0.99, 50)), LIMITS)
    state = enrol.look_at(state, still(2), reading(), LIMITS)
    assert state.counts[ace].all == 1, "its place looks otherwise"
    brighter = np.clip(picture.astype("f") * 1.15, 0, 255).astype(np.uint8)
    state = enrol.look_at(state, brighter, reading(), LIMITS)
    assert state.counts[ace].all == 2, "it lies there again, in other light"
    state = enrol.look_at(enrol.cleared(state), picture, reading(), LIMITS)
    assert state.counts[ace].all == 2, "something moved: who knows what lies there"


def test_v2_a_card_in_whose_place_another_lies_is_not_missed() -> None:
    ace, picture = Card.parse("As"), still()
    state = enrol.look_at(Enrolment(), picture, reading(("As", 0.99, 50)), LIMITS)
    for _ in range(2):
        state = enrol.look_at(state, picture, reading(("Ks", 0.99, 50)), LIMITS)
    assert state.counts[ace].all == 1
    state = enrol.forget(state, Card.parse("Ks"))
    assert set(state.counts) == {ace}


def test_v2_what_a_person_names_counts_as_found_and_is_missed_from_then_on() -> None:
    six, picture = Card.parse("6h"), still()
    state = enrol.look_at(Enrolment(), picture, reading(("9h", 0.6, 50)), LIMITS)
    state = enrol.answer(state, state.asked[0].key, six)
    state = enrol.look_at(state, picture, reading(), LIMITS)
    assert (state.counts[six].found, state.counts[six].all) == (1, 2)


def test_v2_every_labelled_card_counts_in_every_look() -> None:
    ace, king = Card.parse("As"), Card.parse("Kh")
    labels = [(ace, (40.0, 90.0, 240.0, 140.0)), (king, (190.0, 90.0, 400.0, 140.0))]
    state = Enrolment()
    for seen in ((("As", 0.99, 50),), (("Kh", 0.99, 200),), ()):
        state = enrol.look_at(state, PICTURE, reading(*seen), LIMITS, labels)
    assert (state.counts[ace].found, state.counts[ace].all) == (1, 3)
    assert (state.counts[king].found, state.counts[king].all) == (1, 3), "the likelier of the two"


def test_labels_are_the_truth_whatever_was_read() -> None:
    labels = [(Card.parse("6h"), (40.0, 90.0, 90.0, 140.0))]
    state = enrol.look_at(Enrolment(), PICTURE, reading(("9h", 0.99, 50)), LIMITS, labels)
    assert [str(card) for card in state.samples] == ["6h"]


def test_labels_of_overlapping_cards_give_nothing_that_may_be_another_s() -> None:
    ace, king = Card.parse("As"), Card.parse("Kh")
    labels = [(ace, (40.0, 90.0, 240.0, 140.0)), (king, (190.0, 90.0, 400.0, 140.0))]
    seen = reading(("As", 0.99, 50), ("Kh", 0.99, 200), ("Kh", 0.99, 300))
    clutter = Sighting((350, 100, 370, 130), 0.9, 0.01, ((king, 0.5),))
    seen = FrameReading(0.0, 600, 400, (*seen.sightings, clutter), ())
    state = enrol.look_at(Enrolment(), PICTURE, seen, LIMITS, labels)
    assert {str(card): len(kept) for card, kept in state.samples.items()} == {"As": 1, "Kh": 1}


def test_variations_are_seeded_and_stay_cut_outs() -> None:
    wide = np.random.default_rng(1).integers(0, 255, (WIDE, WIDE, 3)).astype(np.uint8)
    one, other = (varied(wide, np.random.default_rng(2)) for _ in range(2))
    assert one.shape == as_seen(wide).shape == (48, 48, 3)
    assert (one == other).all()


def test_the_fitted_layer_learns_and_stays_near_where_it_has_no_reason_to_move() -> None:
    rng = np.random.default_rng(1)
    base = Head(rng.normal(0, 0.1, (18, 40)).astype("f"), np.zeros(18, "f"))
    features = rng.normal(0, 1, (260, 40)).astype("f")
    ranks, suits = np.arange(260) % 13, np.arange(260) % 4
    features[np.arange(260), ranks] += 3
    head = fitted(base, features, ranks, suits)
    right = head.logits(features)[:, :13].argmax(1) == ranks
    assert right.mean() > 0.95 > (base.logits(features)[:, :13].argmax(1) == ranks).mean()
    assert (head.weights[17] == base.weights[17]).all(), "is-index stays as it was"


def test_the_layer_beside_the_weights_is_the_one_in_them() -> None:
    namer = Namer(models.namer_path(), Temperatures())
    tensor = np.random.default_rng(3).random((5, 3, 48, 48)).astype("f")
    logits = load_head(models.namer_head_path()).logits(namer.features(tensor))
    assert np.abs(logits - namer._run(tensor, ["logits"])[0]).max() < 1e-3


@pytest.fixture(scope="module")
def faces() -> dict[Card, np.ndarray]:
    deck = draw_deck()
    return {card: deck.face(card) for card in DECK}


def samples_of(faces: dict[Card, np.ndarray], cards: list[Card]) -> dict[Card, tuple[Sample, ...]]:
    """First corners of drawn cards, in two looks."""
    found = {}
    for card in cards:
        part = wide_cut(faces[card], (9, 12, 52, 100))
        found[card] = tuple(Sample(part, number) for number in (1, 2))
    return found


def test_v2_the_check_reports_each_card_and_never_makes_it_worse(
    faces: dict[Card, np.ndarray],
) -> None:
    namer = Namer(
        models.namer_path(), Temperatures.from_settings(models.settings()["temperatures"])
    )
    cards = list(DECK)[::4]
    told: list[float] = []
    base = load_head(models.namer_head_path())
    figures, head = check_deck(namer, base, samples_of(faces, cards), 0.9, told.append)
    assert list(figures.cards) == [card for card in DECK if card in cards]
    assert figures.recall >= figures.before
    assert told == sorted(told) and told[-1] == 1.0
    assert (head is base) == (not figures.fitted)


def test_v2_a_deck_found_in_two_of_ten_looks_is_refused_and_the_reason_said(
    faces: dict[Card, np.ndarray], store: DeckStore
) -> None:
    namer = Namer(
        models.namer_path(), Temperatures.from_settings(models.settings()["temperatures"])
    )
    cards, state = list(DECK)[::6], Enrolment()
    for card in cards:
        height, width = faces[card].shape[:2]
        labels = [(card, (0.0, 0.0, float(width), float(height)))]
        index = Sighting((9.0, 12.0, 52.0, 100.0), 0.9, 0.99, ((card, 0.99),))
        for number in range(10):
            seen = FrameReading(0.0, width, height, (index,) if number in (0, 5) else (), ())
            state = enrol.look_at(state, faces[card], seen, LIMITS, labels)
    assert list(state.shown) == cards
    base = load_head(models.namer_head_path())
    figures, head = check_deck(namer, base, state.samples, 0.9, found=state.found)
    assert figures.found == pytest.approx(0.2) and figures.recall <= 0.2
    deck = store.save("Club", "2026-01-01", figures, head, state.samples)
    assert deck.why_not(0.8) == ("recall", "found") and not deck.good_enough(0.8)
    assert "its cards are found at 20.0% of the looks only" in said_of(deck, 0.8)


def test_v2_cards_that_look_the_same_are_warned_about(faces: dict[Card, np.ndarray]) -> None:
    namer = Namer(
        models.namer_path(), Temperatures.from_settings(models.settings()["temperatures"])
    )
    nine, six = Card.parse("9h"), Card.parse("6h")
    same = samples_of({nine: faces[nine], six: faces[nine]}, [nine, six])
    figures, _ = check_deck(namer, load_head(models.namer_head_path()), same, 0.9)
    assert {pair[:2] for pair in figures.alike} & {(six, nine), (nine, six)}


@pytest.fixture
def store(tmp_path: Path) -> DeckStore:
    return DeckStore(tmp_path / "decks", "weights-1")


def kept(store: DeckStore, recall: float = 0.95, name: str = "Club") -> None:
    figures = DeckFigures({Card.parse("As"): CardFigures(0.5, recall, 0.0)}, (), True)
    wide = np.zeros((WIDE, WIDE, 3), np.uint8)
    head = Head(np.ones((18, 4), "f"), np.zeros(18, "f"))
    store.save(name, "2026-01-01T00:00:00+00:00", figures, head, {DECK[0]: (Sample(wide, 3),)})


def test_v2_old_weights_stay_to_go_back_to(store: DeckStore) -> None:
    kept(store, 0.7)
    store.use("Club")
    kept(store, 0.9)
    assert store.names() == ["Club"]
    store.use("Club")
    assert store.in_use() == ("Club", 2)
    back = store.back()
    assert back is not None and (back.version, back.recall) == (1, 0.7)
    assert not back.good_enough(0.8)
    assert store.back() is None and store.in_use() is None
    with pytest.raises(UserError, match="no deck is in use"):
        store.back()


def test_v2_the_weights_before_may_be_those_of_another_deck(store: DeckStore) -> None:
    kept(store)
    kept(store, name="Visitor")
    for name in ("Club", "Visitor", "Visitor"):
        store.use(name)
    back = store.back()
    assert back is not None and back.name == "Club"
    assert store.back() is None


def test_v2_a_choice_written_by_an_earlier_version_goes_back_to_what_ships(
    store: DeckStore, tmp_path: Path
) -> None:
    kept(store)
    (tmp_path / "decks/in-use.json").write_text('{"deck": "Club", "version": 1}')
    assert store.in_use() == ("Club", 1)
    assert store.back() is None and store.in_use() is None


def test_a_deck_checked_with_other_weights_says_nothing_about_these(
    store: DeckStore, tmp_path: Path
) -> None:
    kept(store)
    later = DeckStore(tmp_path / "decks", "weights-2").load("Club")
    assert later.stale and later.head is None and not later.good_enough(0.0)
    assert list(store.samples("Club")) == [DECK[0]]


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 41])
def test_names_that_are_none_are_refused(store: DeckStore, name: str) -> None:
    with pytest.raises(UserError):
        store.load(name)
    assert not store.good_name(name)


def test_damaged_files_are_said_in_one_line(store: DeckStore, tmp_path: Path) -> None:
    kept(store)
    (tmp_path / "decks/Club/1/deck.json").write_text("{")
    with pytest.raises(UserError, match="show the deck again"):
        store.load("Club")
    (tmp_path / "decks/in-use.json").write_text("[]")
    with pytest.raises(UserError, match="choose the deck again"):
        store.in_use()


def on_felt(faces: dict[Card, np.ndarray], cards: list[Card], seed: int) -> np.ndarray:
    """Cards in two rows on a plain felt, 1280 × 720."""
    rng = np.random.default_rng(seed)
    picture = np.clip(rng.normal((60, 95, 30), 3, (720, 1280, 3)), 0, 255).astype(np.uint8)
    for place, card in enumerate(cards):
        x, y = 30 + 175 * (place % 7), 40 + 340 * (place // 7)
        picture[y : y + 220, x : x + 158] = cv2.resize(faces[card], (158, 220))
    return picture


@pytest.fixture(scope="module")
def shown(faces: dict[Card, np.ndarray], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of eight photographs that show the drawn deck twice, with its labels."""
    folder = tmp_path_factory.mktemp("deck")
    labels = {}
    for part in range(4):
        for again in range(2):
            cards = list(DECK)[part * 13 : part * 13 + 13]
            name = f"{part}-{again}.png"
            cv2.imwrite(str(folder / name), on_felt(faces, cards, part * 2 + again))
            labels[name] = [
                {
                    "card": str(card),
                    "kind": "card",
                    "box": [
                        30 + 175 * (i % 7),
                        40 + 340 * (i // 7),
                        188 + 175 * (i % 7),
                        260 + 340 * (i // 7),
                    ],
                }
                for i, card in enumerate(cards)
            ]
    (folder / "labels.json").write_text(json.dumps(labels))
    return folder


@pytest.fixture
def data(tmp_path: Path) -> Iterator[list[str]]:
    yield ["--data", str(tmp_path)]


def test_v2_kiosk_calibrate_deck_reports_every_card_and_reads_with_it(
    shown: Path, data: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "deck", "Drawn", str(shown), "--json", "--limit", "0.5", *data]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["cards"]) == 52 and found["recall"] >= max(0.5, found["before"])
    assert main(["calibrate", "decks", *data]) == 0
    assert "* Drawn, version 1" in capsys.readouterr().out
    kept = Path(data[1]) / "decks/Drawn/1/deck.json"
    kept.write_text(kept.read_text().replace(models.namer_hash(), "other weights"))
    assert main(["calibrate", "decks", *data]) == 0
    assert "checked with other weights, check it again" in capsys.readouterr().out
    again = ["calibrate", "decks", "--recheck", "Drawn", "--json", "--limit", "0.5", *data]
    assert main(again) == 0
    rechecked = json.loads(capsys.readouterr().out)
    assert (rechecked["version"], rechecked["recall"]) == (2, found["recall"])
    assert main(["calibrate", "decks", "--back", *data]) == 0
    assert main(["calibrate", "decks", "--back", *data]) == 0
    assert "deck not checked" in capsys.readouterr().out


def test_v2_read_and_misreads_read_with_the_deck_in_use(tmp_path: Path) -> None:
    lines: list[str] = []
    shipped = reader_in_use(tmp_path, None, told=lines.append).namer
    assert isinstance(shipped, Namer) and shipped.head is None and lines == []
    store = deck_store(tmp_path)
    kept(store)
    store.use("Club")
    fitted_to = reader_in_use(tmp_path, None, told=lines.append).namer
    assert isinstance(fitted_to, Namer) and fitted_to.head is not None
    assert (fitted_to.head.weights == 1).all() and lines == []
    (tmp_path / "decks/in-use.json").write_text("[]")
    without = reader_in_use(tmp_path, None, told=lines.append).namer
    assert isinstance(without, Namer) and without.head is None
    assert "choose the deck again" in lines[0], "said, and read as the kiosk does then"


def test_v2_missing_cards_are_named(
    shown: Path, data: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [str(shown / f"0-{again}.png") for again in range(2)]
    assert main(["calibrate", "deck", "Half", *photos, *data]) == 1
    assert "not seen twice" in capsys.readouterr().err


def test_v2_an_answer_does_not_stick_to_another_card_in_its_place() -> None:
    state = look(Enrolment(), ("Qs", 0.6, 50))
    state = enrol.answer(state, state.asked[0].key, Card.parse("Qs"))
    state = look(state, ("Ks", 0.6, 50))
    assert len(state.asked) == 1, "it looks like another card now"
    assert state.looks_at(Card.parse("Ks")) == 0


def test_v2_a_card_that_goes_on_lying_pushes_out_nothing() -> None:
    state = Enrolment()
    for _ in range(9):
        state = look(state, ("As", 0.99, 50))
    for _ in range(9):
        state = look(state, ("As", 0.99, 300))
    kept = state.samples[Card.parse("As")]
    assert len(kept) == 6 and {sample.at[0] for sample in kept} == {60.0, 310.0}


def test_v2_a_deck_that_misnames_a_card_is_not_good_enough(store: DeckStore) -> None:
    figures = DeckFigures(
        {
            Card.parse("Jh"): CardFigures(0.0, 0.0, 1.0),
            **{card: CardFigures(1.0, 1.0, 0.0) for card in DECK if str(card) != "Jh"},
        },
        (),
        True,
    )
    head = Head(np.ones((18, 4), "f"), np.zeros(18, "f"))
    wide = np.zeros((WIDE, WIDE, 3), np.uint8)
    deck = store.save("Club", "2026-01-01", figures, head, {DECK[0]: (Sample(wide, 1),)})
    assert deck.recall > 0.95 and deck.misnamed == ("Jh",)
    assert not deck.good_enough(0.8) and deck.why_not(0.8) == ("misnamed",)
    said = said_of(deck, 0.8)
    assert said == "deck Club: 98.1% read, not used; too often named as another card: J♥"
    assert "below" not in said
    assert said in _for_people(deck, 0.8)


def test_a_cut_off_file_is_said_in_one_line(store: DeckStore, tmp_path: Path) -> None:
    kept(store)
    path = tmp_path / "decks/Club/1/head.npz"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UserError, match="last layer"):
        store.load("Club")
