"""The page of rules: checked like the files, kept in versions, changed between rounds only."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient
from spoken import spoken

from kiosk.people import Role
from kiosk.rules import house_checks, schema
from kiosk.rules.schema import SCHEMA
from kiosk.web.refusals import pattern_of
from kiosk.web.settings_refusals import EXPECTED, FIELDS, WHOLE
from kiosk.web.settings_texts import NAMES


def form_of(client: FlaskClient, small_kiosk: Any, **changes: str) -> dict[str, str]:
    """The form as the page fills it, with changes."""
    from kiosk.web import settings_form

    book = small_kiosk.rulebook
    found = {
        "house": book.now.settings.house,
        "mode": "training",
        "title": book.now.house.house.title,
        "note": "asked for by the house",
    }
    for field in settings_form.fields_of(book.now.house):
        if field.rows:
            found |= {f"cell:{field.name}:{row}": text for row, text in field.rows}
        else:
            found[f"option:{field.name}"] = field.text
    table = book.now.settings.table
    found |= {"table.ante_min": str(table.ante_min), "table.ante_max": str(table.ante_max)}
    found["filled"] = book.now.settings.house
    found["csrf"] = client.token  # type: ignore[attr-defined]
    return found | {name.replace("__", ":"): value for name, value in changes.items()}


def test_every_option_has_a_name_for_people() -> None:
    assert set(NAMES) == set(SCHEMA)


def test_p16_the_page_shows_the_rule_card_in_force(client: FlaskClient, small_kiosk: Any) -> None:
    page = client.get("/settings").get_data(as_text=True)
    assert "Russian Poker A" in page and "Pair" not in page.split("</head>")[0]
    for piece in ("four of a kind", ">20<", "Smallest ante", "100"):
        assert piece in page
    card = client.get("/settings/rulecard").get_data(as_text=True)
    assert "royal flush" in card and "data-print" in card
    russian = client.get("/settings/rulecard?lang=ru").get_data(as_text=True)
    assert "Бет платит" in russian and "каре" in russian


def test_a_saved_pay_table_is_in_force_and_in_its_file(
    client: FlaskClient, small_kiosk: Any
) -> None:
    book = small_kiosk.rulebook
    form = form_of(client, small_kiosk, note="new table")
    form["cell:pay.bet:flush"] = "6"
    form["option:bonus.ratio"] = "0,2"
    form["table.ante_min"] = "200"
    answer = client.post("/settings/edit", data=form)
    assert answer.status_code == 303, answer.get_data(as_text=True)
    assert book.now.house.house.pay.bet["flush"] == 6
    assert book.now.house.house.bonus.ratio == Decimal("0.2")
    assert book.now.settings.table.ante_min == 200
    assert book.now.version == 1
    (version,) = book.saved.versions()
    assert version.note == "new table"
    assert small_kiosk.people.name_of(version.by) == "admin"
    page = client.get("/settings").get_data(as_text=True)
    assert "new table" in page and "russian-a-v1" in page
    # The next start finds it again.
    again = type(book)(book.base, frozenset(), book.saved.folder.parent)
    assert again.now.house.house.pay.bet["flush"] == 6


def test_a_form_older_than_the_newest_save_takes_nothing_back(
    client: FlaskClient, small_kiosk: Any
) -> None:
    opened = re.compile(r'name="newest" value="(\d*)"')

    def newest(page: str) -> str:
        found = opened.search(page)
        assert found is not None
        return found[1]

    mine = form_of(client, small_kiosk, newest=newest(client.get("/settings/edit").text))
    other = form_of(client, small_kiosk, newest=mine["newest"])
    other["cell:pay.bet:flush"], mine["table.ante_min"] = "6", "200"
    assert client.post("/settings/edit", data=other).status_code == 303
    refused = client.post("/settings/edit?lang=ru", data=mine)
    assert refused.status_code == 400 and "тем временем сохранил" in refused.text
    assert 'name="table.ante_min" value="200"' in refused.text, "what was typed stays"
    book = small_kiosk.rulebook
    assert book.now.version == 1 and book.now.house.house.pay.bet["flush"] == 6
    mine["newest"] = newest(refused.text)
    assert client.post("/settings/edit", data=mine).status_code == 303
    assert book.now.version == 2 and book.now.settings.table.ante_min == 200


def test_old_versions_are_kept_and_come_back(client: FlaskClient, small_kiosk: Any) -> None:
    book = small_kiosk.rulebook
    for flush in ("6", "7"):
        form = form_of(client, small_kiosk)
        form["cell:pay.bet:flush"] = flush
        assert client.post("/settings/edit", data=form).status_code == 303
    first = (book.saved.folder / "v0001.toml").read_bytes()
    token = {"csrf": client.token, "note": "as before"}  # type: ignore[attr-defined]
    assert client.post("/settings/versions/1", data=token).status_code == 303
    assert book.now.house.house.pay.bet["flush"] == 6
    assert client.post("/settings/back", data=token).status_code == 303
    assert book.now.settings.house == "russian-a" and book.now.version is None
    assert [v.number for v in book.saved.versions()] == [4, 3, 2, 1]
    assert [v.note for v in book.saved.versions()][:2] == ["as before", "= v1: as before"]
    assert (book.saved.folder / "v0001.toml").read_bytes() == first
    assert client.post("/settings/versions/99", data=token).status_code == 400


@pytest.mark.parametrize(
    ("field", "value", "line"),
    [
        ("cell:pay.bet:flush", "1", "(pay.bet.flush): pays less than a lower combination"),
        ("cell:pay.bet:pair", "", "Bet pays, pair (pay.bet.pair): is missing"),
        ("cell:pay.bet:pair", "10:11", "expected n or &#34;n:1&#34;"),
        ("option:bonus.ratio", "-1", "(bonus.ratio): expected a share above 0 and at most 1"),
        (
            "option:insurance.max_fraction",
            "7",
            "(insurance.max_fraction): expected a share above 0",
        ),
        ("option:buy.fee", "500", "(buy.fee): expected a number above 0 and at most 100, not 500"),
        ("option:two_open.min_table_ante", "0.005", "expected an amount above 0 with at most two"),
        ("table.ante_max", "1e3", "Largest ante: expected an amount in figures such as 1000"),
        ("table.ante_max", "1_000", "Largest ante: expected an amount in figures such as 1000"),
        ("table.chips", "100 1e3", "Chip values (2): expected an amount in figures"),
        ("option:qualify", "seven", "(qualify): expected a combination"),
        ("option:buy.free_repeat", "maybe", "(buy.free_repeat): expected loop, once, none"),
        ("option:bonus.overrides", "150", "(bonus.overrides): expected ANTE = STAKE"),
        ("table.ante_min", "5000", "ante_max 1000 is below ante_min 5000"),
        ("table.ante_min", "many", "Smallest ante: Input should be a valid decimal"),
        ("table.chips", "", "Chip values: "),
        ("mode", "free", "Mode: Input should be"),
        ("house", "/etc/passwd", "House: expected one of"),
        ("house", "../../secret.toml", "House: expected one of"),
        ("house", "three-a", "printed for"),
        ("title", "x" * 61, "Title of the rule card: expected a text of 1 to 60 characters"),
    ],
)
def test_what_does_not_hold_is_refused_like_a_file_and_nothing_is_kept(
    client: FlaskClient, small_kiosk: Any, field: str, value: str, line: str
) -> None:
    before = small_kiosk.rulebook.now
    form = form_of(client, small_kiosk) | {field: value}
    answer = client.post("/settings/edit", data=form)
    assert answer.status_code == 400
    assert line in answer.get_data(as_text=True)
    assert small_kiosk.rulebook.now is before
    folder = small_kiosk.rulebook.saved.folder
    assert not folder.exists() or not [f for f in folder.rglob("*") if f.is_file()]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("cell:pay.bet:flush", "1", "Бет платит, флеш"),
        ("cell:pay.bet:pair", "", "ожидается коэффициент"),
        ("cell:pay.bet:pair", "10:11", "ожидается n или"),
        ("cell:pay.bet:pair", "a; b", "ожидается n или"),
        ("cell:exchange.fees:1", "dear", "ожидается число больше 0"),
        ("option:bonus.ratio", "-1", "ожидается доля больше 0"),
        ("option:bonus.ratio", "a; b", "ожидается доля больше 0"),
        ("option:qualify", "seven", "ожидается комбинация"),
        ("option:buy.free_repeat", "maybe", "ожидается loop, once, none"),
        ("option:bonus.overrides", "150", "ожидается АНТЕ = СТАВКА"),
        ("option:doubles.enabled", "maybe", "(да)"),
        ("option:max_boxes", "0", "от 1 до 52"),
        ("table.ante_min", "5000", "наибольшее анте 1000 меньше наименьшего 5000"),
        ("table.ante_min", "many", "Минимальное анте: ожидается число"),
        ("table.ante_min", "nan", "ожидается конечное число"),
        ("table.ante_min", "-1", "больше 0"),
        ("table.ante_min", "1.234", "не более 2 знаков после запятой"),
        ("table.ante_min", "9" * 20, "не более"),
        ("table.chips", "", "ожидается значений не меньше: 1"),
        ("table.chips", "100 -5", "Номиналы фишек (2)"),
        ("table.name", "", "Название стола"),
        ("table.name", "x" * 41, "не больше: 40"),
        ("table.currency", "roubles", "не больше: 4"),
        ("mode", "free", "Режим: ожидается"),
        ("house", "/etc/passwd", "Правила: ожидается одно из"),
        ("house", "three-a", "выберите правила"),
        ("title", "x" * 61, "от 1 до 60 знаков"),
    ],
)
def test_what_does_not_hold_is_told_in_russian(
    client: FlaskClient, small_kiosk: Any, field: str, value: str, said: str
) -> None:
    form = form_of(client, small_kiosk) | {field: value}
    answer = client.post("/settings/edit?lang=ru", data=form)
    assert answer.status_code == 400
    (line,) = re.findall('id="problem">(.*?)</p>', answer.get_data(as_text=True), re.S)
    line = unescape(line)
    assert said in line
    # Values typed, names of options, houses, games and layouts stay as files have them.
    words = re.sub(r"'[^']*'|\([\w.]+\)|\w+(?:[-.]\w+)+|--\w+", "", line)
    ours = {"true", "false", "loop", "once", "none", "n", "three_card", "russian", "oasis"}
    ours |= {"five_card", "six_card"}
    assert set(re.findall("[A-Za-z_]+", words)) <= ours, line


@pytest.mark.parametrize("path", ["edit", "back", "versions/1"])
@pytest.mark.parametrize(("language", "said"), [("en", "Say why"), ("ru", "Скажите, почему")])
def test_rules_are_not_changed_without_a_reason(
    client: FlaskClient, small_kiosk: Any, path: str, language: str, said: str
) -> None:
    form = form_of(client, small_kiosk)
    form["cell:pay.bet:flush"] = "6"
    assert client.post("/settings/edit", data=form).status_code == 303
    form |= {"cell:pay.bet:flush": "7", "note": "  "}
    refused = client.post(f"/settings/{path}?lang={language}", data=form)
    assert refused.status_code == 400 and said in refused.text
    assert [version.number for version in small_kiosk.rulebook.saved.versions()] == [1]
    assert small_kiosk.rulebook.now.house.house.pay.bet["flush"] == 6


def test_a_simulated_table_says_that_it_brings_its_game_and_its_pay_tables_are_edited(
    client: FlaskClient, small_kiosk: Any
) -> None:
    old = small_kiosk.rulebook
    fixed = frozenset({"game", "mode"})
    book = small_kiosk.rulebook = type(old)(old.base, fixed, old.saved.folder.parent)
    page = client.get("/settings?lang=en").text
    assert "so not here: Mode<" in page and 'id="brought"' in page
    form = client.get("/settings/edit?lang=en").text
    assert 'name="cell:pay.bet:flush"' in form and "The simulated table brings its game" in form
    assert 'value="russian-b"' in form and 'value="texas-a"' not in form
    typed = form_of(client, small_kiosk) | {"cell:pay.bet:flush": "6"}
    assert client.post("/settings/edit", data=typed).status_code == 303
    assert book.now.house.house.pay.bet["flush"] == 6
    refused = client.post("/settings/edit?lang=en", data=typed | {"house": "oasis-a"})
    assert refused.status_code == 400 and "the simulated table plays russian" in refused.text


def test_amounts_stand_in_plain_figures_on_card_page_and_file(
    client: FlaskClient, small_kiosk: Any
) -> None:
    form = form_of(client, small_kiosk, note="limits")
    form |= {"table.ante_max": "2000.00", "table.chips": "5 2,50 1000"}
    assert client.post("/settings/edit", data=form).status_code == 303
    file = (small_kiosk.rulebook.saved.folder / "v0001.toml").read_text()
    assert "ante_max = 2000" in file and '"' not in file.partition("[table]")[2]
    for path in ("/settings", "/settings/rulecard"):
        card = client.get(f"{path}?lang=en").text
        assert "<dd>2,000</dd>" in card and "1,000 · 5 · 2.50" in card
    assert "<dd>2\N{NO-BREAK SPACE}000</dd>" in client.get("/settings?lang=ru").text


def test_a_number_with_an_exponent_is_kept_and_shown_in_figures(
    client: FlaskClient, small_kiosk: Any
) -> None:
    form = form_of(client, small_kiosk, note="chips")
    assert client.post("/settings/edit", data=form).status_code == 303
    file = small_kiosk.rulebook.saved.folder / "v0001.toml"
    file.write_text(file.read_text().replace("[table]", '[table]\nmax_payout = "3E+4"'))
    book = small_kiosk.rulebook
    small_kiosk.rulebook.now = type(book)(book.base, frozenset(), book.saved.folder.parent).now
    for path in ("/settings?lang=en", "/settings/rulecard?lang=en"):
        assert "30,000" in client.get(path).text and "E+" not in client.get(path).text
    assert 'value="30000"' in client.get("/settings/edit").text


def test_an_empty_most_is_no_limit(client: FlaskClient, small_kiosk: Any) -> None:
    form = form_of(client, small_kiosk) | {"table.max_payout": ""}
    assert client.post("/settings/edit", data=form).status_code == 303
    assert small_kiosk.rulebook.now.settings.table.max_payout is None


@pytest.mark.parametrize("texts", [EXPECTED, FIELDS, WHOLE])
def test_no_text_takes_what_another_one_says(texts: tuple[str, ...]) -> None:
    for text in texts:
        line = re.sub(r"\{(\w+)\}", r"‹\1›", text)
        first = next(other for other in texts if pattern_of(other, wide=True).fullmatch(line))
        assert first == text


def test_no_refusal_of_a_house_lacks_its_text() -> None:
    said = spoken(schema, "_Unfit", 0) | spoken(schema, "OptionError", 1)
    said |= spoken(house_checks, "OptionError", 1)
    known = {re.sub(r"\{\w+\}", "{x}", text) for text in EXPECTED}
    # A cell's own line stands behind the name of its combination.
    assert len(said) > 20
    assert said - known - {"{x}: {x}"} == set(), "add these to settings_refusals.py and settings.po"


def test_only_an_admin_with_a_password_changes_rules(
    sign_in: Callable[..., Any], small_kiosk: Any
) -> None:
    for role, via, reads in (
        (None, "password", 303),
        (Role.TRAINEE, "password", 403),
        (Role.INSTRUCTOR, "password", 200),
        (Role.SUPERVISOR, "password", 200),
        (Role.ADMIN, "pin", 303),
        (Role.ADMIN, "deal", 303),
    ):
        client = sign_in(role, via)
        assert client.get("/settings").status_code == reads, (role, via)
        assert client.get("/settings/edit").status_code in (303, 401, 403), (role, via)
        for path in ("/settings/edit", "/settings/back", "/settings/versions/1"):
            answer = client.post(path, data={"csrf": client.token})
            assert answer.status_code in (401, 403), (role, via, path)
    assert small_kiosk.rulebook.saved.newest() is None
