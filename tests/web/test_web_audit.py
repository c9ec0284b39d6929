"""The record's pages and routes over a real record."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pypdfium2 import PdfDocument
from small_kiosk import picture

from kiosk.people import Role
from kiosk.record.pictures import Picture
from kiosk.record.record import Record

Keep = Callable[..., dict[str, Any]]


def text(client: Any, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return str(answer.get_data(as_text=True))


def ids(client: Any, query: str = "") -> list[str]:
    found = client.get(f"/api/v1/audit?{query}").get_json()["hands"]
    return [hand["id"] for hand in found]


def test_p13_hands_are_found_by_each_field(client: Any, keep: Keep) -> None:
    keep("r-000011")
    keep("r-000012", table="Table 9", person="p-0123456789ab", house="oasis-a", game="oasis")
    assert ids(client) == ["r-000012", "r-000011"]
    for query in ("table=Table+9", "person=p-0123456789ab", "house=oasis-a", "game=oasis"):
        assert ids(client, query) == ["r-000012"], query
    for query in (
        "seat=1", "combination=two-pair", "mistake=any", "mistake=wrong-row", "amount=400",
        "amount=300..500", "state=settled", "since=2020-01-01", "until=2099-01-01",
        "since=2020-01-01T10:00&until=",
    ):  # fmt: skip
        assert len(ids(client, query)) == 2, query
    for query in (
        "seat=2", "combination=flush", "mistake=cap", "amount=401", "state=void",
        "until=2020-01-01", "since=2099-01-01T00:00", "kiosk=other",
    ):  # fmt: skip
        assert ids(client, query) == [], query
    page = text(client, "/audit?combination=two-pair&table=Table+9")
    assert "r-000012" in page and "r-000011" not in page
    assert re.search(r'<option value="two-pair" selected>', page)


@pytest.mark.parametrize(
    "query",
    [
        "amount=x",
        "amount=-1",
        "amount=9..1",
        "since=yesterday",
        "state=lost",
        "seat=one",
        "seat=99",
        "seat=0",
        "mistake=nonsense",
        "combination=nonsense",
        "game=nonsense",
        "scope=nonsense",
        "cursor=nonsense",
        "until=2031-05-17&since=2031-05-18",
    ],
)
def test_what_cannot_be_asked_is_said_and_nothing_listed(
    client: Any, keep: Keep, query: str
) -> None:
    keep("r-000011")
    field = query.split("=", maxsplit=1)[0]
    answer = client.get(f"/api/v1/audit?{query}")
    assert answer.status_code == 400 and field in answer.get_json()["message"]
    page = client.get(f"/audit?{query}")
    assert page.status_code == 400
    assert field in page.get_data(as_text=True) and "r-000011" not in page.get_data(as_text=True)
    assert client.get(f"/audit/export.csv?{query}").status_code == 400 or field == "cursor"
    russian = client.get(f"/audit?lang=ru&{query}").get_data(as_text=True)
    problem = re.search(r'role="alert">(.*?)</p>', russian)
    assert problem and re.search("[а-я]", problem[1]), problem


def test_the_list_goes_on_page_by_page(client: Any, keep: Keep) -> None:
    for number in range(1, 6):
        keep(f"r-{number + 10:06d}")
    found: list[str] = []
    query = "limit=2"
    while True:
        answer = client.get(f"/api/v1/audit?{query}").get_json()
        found += [hand["id"] for hand in answer["hands"]]
        if answer["cursor"] is None:
            break
        query = f"limit=2&cursor={answer['cursor']}"
    assert found == [f"r-{number:06d}" for number in range(15, 10, -1)]
    page = text(client, "/audit?limit=2")
    link = re.search(r'rel="next" href="([^"]+)"', page)
    assert link and "r-000013" in text(client, link[1].replace("&amp;", "&"))


def test_p13_a_hand_shows_all_that_is_recorded_of_it(client: Any, keep: Keep) -> None:
    keep("r-000011")
    page = text(client, "/audit/r-000011")
    for said in (
        "Table 1", "russian-a", "98.0 %" if "98.0 %" in page else "97.0 %", "6c", "4c",
        "wrong row", "Camera failed: unplugged", "ab" * 32, "cd" * 32, "First cards on the felt",
        "Settlement shown", "Card put right by a person",
    ):  # fmt: skip
        assert said in page, said
    pictures = set(re.findall(r'src="(/audit/r-000011/[0-9a-f]{64}\.jpg)"', page))
    assert len(pictures) == 3
    for path in pictures:
        answer = client.get(path)
        assert answer.mimetype == "image/jpeg" and answer.data.startswith(b"\xff\xd8")
    assert client.get(f"/audit/r-000011/{'0' * 64}.jpg").status_code == 404
    assert client.get("/audit/none").status_code == 404


def test_a_hand_is_replayed_in_the_order_it_happened(client: Any, keep: Keep) -> None:
    keep("r-000011")
    page = text(client, "/audit/r-000011/replay")
    assert "REPLAY" in page
    steps = re.findall(r'<span class="step-time">.*?</span> ([^<:]+)', page)
    assert [step.strip() for step in steps] == [
        "Hand begun", "Cards read", "Card put right by a person", "Bets entered", "Settled",
        "Settlement shown", "Hand over",
    ]  # fmt: skip


def test_p13_the_supervisor_sees_what_was_changed_and_taken_back(
    client: Any, keep: Keep, small_kiosk: Any
) -> None:
    keep("r-000011")
    writer = small_kiosk.writer
    late = {"who": "page", "box": 1, "bets": [["bet", 300]], "reason": "forgot it"}
    writer.append("bets-entered", "r-000011", late)
    writer.append("bets-entered", "r-000011", late | {"box": 2, "bets": [["ante", 70]]})
    undone = {"who": "page", "what": "bets-entered", "reason": "no", "event": late}
    writer.append("undone", "r-000011", undone)
    slip = {"who": "page", "what": "confirmed", "reason": "slip-of-the-finger", "event": {}}
    writer.append("undone", "r-000011", slip)
    writer.append("held", "r-000011", {"who": "page", "reason": "chips moved"})
    writer.append("released", "r-000011", {"who": "panel", "reason": "panel"})
    lines = [["bet", "win", 250, None]]
    writer.append("answer", "r-000011", {"who": "page", "box": 1, "bets": lines})
    page = text(client, "/audit/r-000011")
    assert "Bets entered: Bet 200 → 300" in page
    assert "Taken back: Bets entered: Bet 200 → 300" in page
    kept = {"slip of the finger": "случайное нажатие", "at the button panel": "с пульта"}
    for english, russian in kept.items():
        for path in ("/audit/r-000011", "/audit/r-000011/replay"):
            page, other = (text(client, f"{path}?lang={code}") for code in ("ru", "en"))
            assert russian in page and f"<td>{english}</td>" not in page
            assert english in other
    replay = text(client, "/audit/r-000011/replay")
    assert "Bet 200 → 300" in replay and "Bet – Pay 250" in replay
    last = replay.rsplit('<li class="block step">', 1)[1]
    assert "Box 2</h3>" in last and "Ante 70" in last and "Bet 200" in last


def test_a_picture_kept_for_several_moments_is_shown_once_with_all_of_them(
    client: Any, small_kiosk: Any, keep: Keep
) -> None:
    keep("r-000011")
    same = [Picture(role, picture("after")) for role in ("dealer", "box2", "end")]
    small_kiosk.writer.append("held", "r-000011", {"reason": "looked at", "who": "page"}, same)
    page = text(client, "/audit/r-000011")
    shown = re.findall(r'<img src="/audit/r-000011/(\w+)\.jpg"', page)
    assert len(shown) == len(set(shown)) == 3
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", page)
    assert "Settlement shown, Dealer&#39;s cards read, Box 2, End of the hand" in captions
    sheet = PdfDocument(io.BytesIO(client.get("/audit/r-000011.pdf").data))
    printed = " ".join(sheet[0].get_textpage().get_text_range().split())
    assert "Settlement shown, Dealer's cards read, Box 2, End of the hand" in printed


def test_exports(client: Any, keep: Keep) -> None:
    keep("r-000011")
    keep("r-000012", table="=HYPERLINK()")
    rows = list(csv.DictReader(io.StringIO(text(client, "/audit/export.csv"))))
    assert [row["id"] for row in rows] == ["r-000011", "r-000012"]
    assert rows[0]["paid"] == "400" and rows[1]["table"].startswith("'=")
    whole = json.loads(text(client, "/audit/export.json?table=Table+1"))
    assert [hand["id"] for hand in whole["hands"]] == ["r-000011"]
    assert json.loads(text(client, "/audit/export.json?table=none")) == {"hands": []}
    one = client.get("/audit/r-000011.json")
    assert "attachment" in one.headers["Content-Disposition"]
    assert len(one.get_json()["events"]) == 7
    sheet = client.get("/audit/r-000011.pdf")
    assert sheet.mimetype == "application/pdf" and sheet.data.startswith(b"%PDF-")
    assert sheet.data.count(b"/Type /Page\n") == 1
    assert client.get("/audit/none.pdf").status_code == 404


def test_p13_exports_hold_answers_overrules_and_names(
    client: Any, keep: Keep, small_kiosk: Any
) -> None:
    vera, gone = (
        small_kiosk.people.add(name, Role.TRAINEE, pin=pin)
        for name, pin in (("Vera", "2580"), ("Oleg", "2581"))
    )
    small_kiosk.people.erase(gone.id)
    keep("r-000011", person=vera.id)
    told = {"who": vera.id, "box": 1, "reason": "=agreed"}
    small_kiosk.writer.append("overruled", "r-000011", told)
    keep("r-000012", person=gone.id, overruled=[[2, gone.id, "card torn"]])
    first, second = csv.DictReader(io.StringIO(text(client, "/audit/export.csv")))
    assert (first["person"], first["person_name"]) == (vera.id, "Vera")
    assert (first["verdict"], first["mistakes"]) == ("1:wrong", "1:wrong-row")
    assert (first["overruled_by"], first["reason"]) == ("1:Vera", "1:=agreed")
    assert (second["person"], second["person_name"]) == (gone.id, "")
    assert (second["overruled_by"], second["reason"]) == (f"2:{gone.id}", "2:card torn")
    one, two = json.loads(text(client, "/audit/export.json"))["hands"]
    assert (one["person_name"], two["person_name"]) == ("Vera", "")
    assert one["answers"][0][1]["verdict"] == "wrong"
    assert one["overrules"] == [[1, vera.id, "=agreed"]]
    assert two["overrules"] == [[2, gone.id, "card torn"]]
    assert [change["kind"] for change in one["changes"]] == [
        "card-corrected", "bets-entered", "overruled",
    ]  # fmt: skip
    assert [box["box"] for box in two["in_play"]] == [1, 2]


def test_p3_the_hand_on_the_table_is_told_only_once_revealed(
    client: Any, keep: Keep, small_kiosk: Any
) -> None:
    """The open round is r-000001; no route tells what it is worth, nor finds it by that."""
    keep("r-000001")
    keep("r-000002")
    paths = (
        "/api/v1/audit", "/api/v1/audit/r-000001", "/audit", "/audit/r-000001",
        "/audit/r-000001/replay", "/audit/r-000001.json", "/audit/tables",
    )  # fmt: skip
    for path in paths:
        found = text(client, path + ("?limit=500" if path.endswith("audit") else ""))
        if path in ("/audit", "/api/v1/audit"):
            found = found.replace("r-000002", "").split("r-000001", 1)[-1]
            found = found.split("</tr>")[0].split("}, {")[0]
        # As an amount, not within a hash or a time.
        paid = re.search(r"(?<![0-9a-f.])400(?![0-9a-f])", found)
        assert paid is None and "two-pair" not in found and "two pair" not in found, path
    for query in ("combination=two-pair", "amount=400", "mistake=any"):
        assert ids(client, query) == ["r-000002"]
    rows = list(csv.DictReader(io.StringIO(text(client, "/audit/export.csv"))))
    assert [row["id"] for row in rows] == ["r-000002"]
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    small_kiosk.lay("box1", "7h 7d Ts Kc Ac")
    small_kiosk.act("confirm", {"box": 1}, "t")
    small_kiosk.act("reveal", {}, "t")
    assert "400" in text(client, "/api/v1/audit/r-000001")


def test_a_dispute_is_marked_and_released_with_a_reason(
    client: Any, keep: Keep, small_kiosk: Any
) -> None:
    keep("r-000005")

    def send(**form: str) -> Any:
        return client.post("/audit/r-000005/dispute", data={"csrf": client.token} | form)

    assert send(disputed="1", reason=" ").status_code == 400
    assert send(disputed="0", reason="x").status_code == 409, "it is not disputed"
    assert send(disputed="1", reason="chips moved").status_code == 303
    assert ids(client, "state=disputed") == ["r-000005"]
    assert "chips moved" in text(client, "/audit/r-000005")
    assert send(disputed="0", reason="talked over").status_code == 303
    assert ids(client, "state=disputed") == []
    record = small_kiosk.writer.record
    kinds = [(e.kind, e.payload.get("reason")) for e in record.events("r-000005")][-2:]
    assert kinds == [("held", "chips moved"), ("released", "talked over")]
    assert record.verify().findings == ()


def test_the_hand_on_the_table_is_held_at_the_table(client: Any, small_kiosk: Any) -> None:
    small_kiosk.lay("dealer", "Ks Kd 9h 6c 2d")
    assert small_kiosk.recorded
    form = {"csrf": client.token, "disputed": "1", "reason": "look"}
    assert client.post("/audit/r-000001/dispute", data=form).status_code == 303
    assert small_kiosk.state.held
    form |= {"disputed": "0", "reason": "counted again"}
    assert client.post("/audit/r-000001/dispute", data=form).status_code == 303
    assert not small_kiosk.state.held


def test_faults_heads_check_and_rule_cards(
    client: Any, keep: Keep, small_kiosk: Any, waiting: Any
) -> None:
    keep("r-000011")
    card = small_kiosk.writer.record.keep_rule_card({"insurance.enabled": "True"})
    page = text(client, "/audit/faults")
    assert "Camera failed: unplugged" in page and "Not over yet" in page
    assert "unplugged" in text(client, "/audit/faults.csv")
    small_kiosk.writer.append("fault", None, {"what": "part-good", "part": "camera"})
    assert "No fault stands." in text(client, "/audit/faults")
    assert "insurance.enabled" in text(client, f"/audit/rules/{card}")
    assert client.get(f"/audit/rules/{'0' * 64}").status_code == 404
    head = small_kiosk.recorded.heads()["newest"]
    assert head["hash"] in text(client, "/audit/heads")
    assert client.post("/audit/check", data={"csrf": client.token}).status_code == 303
    waiting(lambda: small_kiosk.recorded.checking.state.status == "done", what="the check ends")
    assert "The record holds" in text(client, "/audit/heads")


def test_without_a_pit_the_tables_page_shows_this_one(client: Any, keep: Keep) -> None:
    keep("r-000012")
    found = client.get("/api/v1/audit/tables").get_json()["tables"]
    assert [(table["kiosk"], table["hand"]["id"]) for table in found] == [("kiosk", "r-000012")]
    rows = text(client, "/audit/tables?part=rows")
    assert "Table 1" in rows and "<html" not in rows
    assert client.get("/audit?scope=pit").status_code == 400


class ManyTables:
    """The record of a pit: a file in place of the server."""

    def __init__(self, data: Path, *kiosks: str) -> None:
        self.data, self.kiosks = data, kiosks
        for name in kiosks:
            with Record.open(None, data, kiosk_id=name) as record:
                self.fill(record)

    def fill(self, record: Record) -> None:
        for round_id in ("r-000001", "r-000011"):
            place = {"table": f"Table of {record.kiosk}", "mode": "training"}
            record.append("round-started", round_id, place)
            record.append("settled", round_id, {"settlement": {"paid": 1, "boxes": []}})
            if round_id == "r-000011":
                record.append("round-finished", round_id, {})

    @contextmanager
    def reader(self) -> Iterator[Record]:
        with Record.open(None, self.data, kiosk_id=self.kiosks[0], read_only=True) as record:
            yield record

    def close(self) -> None:
        """Nothing is open."""


def test_all_tables_are_exported_where_all_were_searched(
    client: Any, keep: Keep, small_kiosk: Any, tmp_path: Path
) -> None:
    """P3: but for hands that lie open on a table."""
    keep("r-000011")
    query = "scope=pit&since=2020-01-01"
    assert client.get(f"/audit/export.csv?{query}").status_code == 404, "there is no pit"
    small_kiosk.recorded.pit = ManyTables(tmp_path / "pit", "kiosk", "table-9")
    page = text(client, f"/audit?{query}")
    links = [
        link.replace("&amp;", "&") for link in re.findall(r'href="(/audit/export[^"]+)"', page)
    ]
    assert len(links) == 2 and all("scope=pit" in link for link in links)
    rows = list(csv.DictReader(io.StringIO(text(client, links[0]))))
    whole = json.loads(text(client, links[1]))["hands"]
    expected = {("kiosk", "r-000011"), ("table-9", "r-000011")}
    for found in (rows, whole):
        assert {(hand["kiosk"], hand["id"]) for hand in found} == expected
    own = list(csv.DictReader(io.StringIO(text(client, "/audit/export.csv"))))
    assert [(row["kiosk"], row["table"]) for row in own] == [("kiosk", "Table 1")]


def test_in_a_pit_the_own_hands_are_not_foreign(
    client: Any, keep: Keep, small_kiosk: Any, tmp_path: Path
) -> None:
    keep("r-000011")
    small_kiosk.recorded.pit = ManyTables(tmp_path / "pit", "kiosk", "table-9")
    page = text(client, "/audit?scope=pit")
    assert 'href="/audit/r-000011"' in page and 'href="/audit/r-000011?kiosk=table-9"' in page
    tables = text(client, "/audit/tables?part=rows")
    assert 'href="/audit/r-000011"' in tables and "?kiosk=table-9" in tables
    assert "?kiosk=kiosk" not in page + tables
    for path in ("/audit/r-000011", "/audit/r-000011?kiosk=kiosk"):
        own = text(client, path)
        assert "r-000011.pdf" in own and ".jpg" in own and 'id="dispute"' in own
        assert ".jpg" in text(client, path.replace("r-000011", "r-000011/replay"))
    foreign = text(client, "/audit/r-000011?kiosk=table-9")
    assert "Table of table-9" in foreign and "r-000011/replay?kiosk=table-9" in foreign
    assert ".jpg" not in foreign and 'id="dispute"' not in foreign
    for kind in ("pdf", "json"):
        path = f"/audit/r-000011.{kind}?kiosk=table-9"
        assert f'href="{path}"' in foreign
        answer = client.get(path)
        assert answer.status_code == 200
        assert f"table-9-r-000011.{kind}" in answer.headers["Content-Disposition"]
    assert "/audit/r-000011?kiosk=table-9" in text(client, "/audit/r-000011/replay?kiosk=table-9")


def test_names_of_erased_people_are_not_told(client: Any, keep: Keep, small_kiosk: Any) -> None:
    person = small_kiosk.people.add("Vera", Role.TRAINEE, pin="2580")
    keep("r-000012", person=person.id)
    assert "Vera" in text(client, "/audit/r-000012")
    small_kiosk.people.erase(person.id)
    page = text(client, "/audit/r-000012")
    assert "Vera" not in page and f"erased person {person.id[-4:]}" in page


@pytest.mark.parametrize("role", [None, Role.TRAINEE, Role.INSTRUCTOR])
def test_the_record_is_for_supervisors(sign_in: Any, keep: Keep, role: Role | None) -> None:
    keep("r-000012")
    visitor = sign_in(role)
    for path in ("/api/v1/audit", "/api/v1/audit/r-000012", "/api/v1/audit/tables"):
        assert visitor.get(path).status_code in (401, 403)
    for path in ("/audit", "/audit/r-000012", "/audit/r-000012.pdf", "/audit/export.csv"):
        answer = visitor.get(path)
        assert answer.status_code in (303, 403)
        assert b"r-000012" not in answer.data or answer.status_code == 303
    sent = visitor.post("/audit/r-000012/dispute", data={"disputed": "1", "reason": "x"})
    assert sent.status_code in (401, 403)
    assert sign_in(Role.SUPERVISOR).get("/audit/r-000012").status_code == 200


def test_pictures_that_were_given_up_are_told(client: Any, keep: Keep) -> None:
    keep("r-000012", pictures_lost=2)
    assert "Pictures that could not be kept: 2" in text(client, "/audit/r-000012")


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/audit/faults?before=99999999999999999999999",
        "/api/v1/audit/faults?limit=0",
        "/audit/faults?before=x",
        "/api/v1/audit?seat=9999",
        "/api/v1/audit?since=0001-01-01",
        "/api/v1/audit?amount=1e400",
        "/api/v1/audit?table=" + "x" * 101,
    ],
)
def test_bad_input_is_refused_in_words(client: Any, keep: Keep, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 400, answer.get_data(as_text=True)


@pytest.mark.parametrize(
    "path",
    ["/api/v1/audit?table=%00", "/api/v1/audit?since=2031-05-17T18:30Z&until=9999-12-31T00:00"],
)
def test_odd_input_finds_what_there_is(client: Any, keep: Keep, path: str) -> None:
    assert client.get(path).status_code == 200
