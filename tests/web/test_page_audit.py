"""The supervisor's way through the record in a real browser, in both languages."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from kiosk.web.texts import translations

WORDS = {
    "en": ("Search", "Replay step by step", "No hand fits.", "disputed"),
    "ru": ("Найти", "Повтор по шагам", "Подходящих раздач нет.", "спорная"),
}
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
SMALL = """() => [...document.querySelectorAll('button, a, summary, input, select')]
  .filter(e => e.checkVisibility() && e.type !== 'hidden')
  .map(e => [e, e.getBoundingClientRect()])
  .filter(([e, r]) => r.height < 44)
  .map(([e, r]) => `${e.tagName} ${e.className} ${e.textContent.trim()} ${Math.round(r.height)}`)"""


@pytest.mark.parametrize("language", ["en", "ru"])
def test_p13_a_supervisor_finds_a_hand_replays_it_and_disputes_it(
    visitor: Any, keep: Any, small_kiosk: Any, language: str
) -> None:
    search, replay, none, disputed = WORDS[language]
    for number in (11, 12):
        keep(f"r-0000{number}", table=f"Table {number}")
    page = visitor.open("audit", language=language)
    visitor.shot(page, f"audit-list-{language}", whole=True)
    page.select_option("select[name=combination]", "royal-flush")
    page.get_by_role("button", name=search).click()
    page.wait_for_selector("#none")
    assert none in page.inner_text("#none")
    page.select_option("select[name=combination]", "two-pair")
    page.select_option("select[name=table]", "Table 12")
    page.select_option("select[name=mistake]", "wrong-row")
    page.fill("input[name=amount]", "300..500")
    page.get_by_role("button", name=search).click()
    expect(page.locator(".hands tbody tr")).to_have_count(1)
    page.get_by_role("link", name="r-000012").click()
    page.wait_for_selector(".shots img")
    page.wait_for_load_state("load")
    assert page.evaluate("[...document.images].every(i => i.loading === 'lazy' || i.complete)")
    visitor.shot(page, f"audit-hand-{language}", whole=True)
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(SMALL) == []
    page.get_by_role("link", name=replay).click()
    page.wait_for_selector("#stepper:not([hidden])")
    assert page.locator(".step:visible").count() == 1
    assert page.inner_text("#step-number") == "1 / 7"
    page.keyboard.press("ArrowRight")
    page.click("#on")
    assert page.inner_text("#step-number") == "3 / 7"
    visitor.shot(page, f"audit-replay-{language}", whole=True)
    page.keyboard.press("End")
    assert page.inner_text("#step-number") == "7 / 7"
    assert page.locator(".replay").is_visible()
    page.goto(f"{visitor.served.url}/audit/r-000012")
    page.fill("input[name=reason]", "chips moved")
    page.click("#dispute button")
    page.wait_for_selector("#changes:has-text('chips moved')")
    assert disputed in page.inner_text(".facts")
    assert small_kiosk.writer.record.hand("r-000012").hand.disputed


@pytest.mark.parametrize(
    "path", ["audit", "audit/tables", "audit/faults", "audit/heads", "audit/r-000011"]
)
def test_the_records_pages_fit_a_phone(visitor: Any, keep: Any, path: str) -> None:
    keep("r-000011")
    page = visitor.open(path, width=390, height=844, language="ru")
    visitor.shot(page, f"audit-phone-{path.replace('/', '-')}", whole=True)
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(SMALL) == []


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_tables_stay_live_and_say_when_they_are_not(
    visitor: Any, keep: Any, small_kiosk: Any, language: str
) -> None:
    t = translations(language).gettext
    keep("r-000011")
    visitor.expected = ("ERR_CONNECTION_REFUSED", "Failed to fetch")
    page = visitor.open("audit/tables", language=language)
    page.wait_for_selector(".table-now:has-text('r-000011')")
    table = page.locator(".table-now")
    for said in (t("live"), t("Last hand"), t("settled")):
        expect(table).to_contain_text(said)
    keep("r-000012")
    page.wait_for_selector(".table-now:has-text('r-000012')")
    visitor.shot(page, f"audit-tables-{language}")
    visitor.served.stop()
    expect(page.locator(".lost")).to_have_text(t("Connection lost: this is how it was before"))
    visitor.served.start()
    page.wait_for_selector(".lost", state="detached")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_check_of_the_record_ends_by_itself_on_the_page(
    visitor: Any, keep: Any, small_kiosk: Any, language: str
) -> None:
    t = translations(language).gettext
    keep("r-000011")
    page = visitor.open("audit", language=language)
    page.get_by_role("link", name=t("Proof of the record")).click()
    expect(page.locator("#check")).to_contain_text(t("Not checked since the kiosk was started."))
    page.get_by_role("button", name=t("Check now")).click()
    holds = t("The record holds: {entries} entries, {pictures} pictures ({time}, {n} s).")
    expect(page.locator("#check .good")).to_contain_text(holds.partition(":")[0])
    expect(page.locator(".hash").first).to_have_text(small_kiosk.recorded.heads()["newest"]["hash"])
    visitor.shot(page, f"audit-heads-{language}", whole=True)


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_faults_are_read_from_the_one_that_stands_to_the_oldest(
    visitor: Any, keep: Any, small_kiosk: Any, language: str
) -> None:
    t = translations(language).gettext
    why = "the camera gives no more pictures"
    keep("r-000011")
    append = small_kiosk.writer.append
    append("fault", None, {"what": "part-fault", "part": "camera", "text": why})
    page = visitor.open("audit", language=language)
    page.get_by_role("link", name=t("Faults"), exact=True).click()
    told = t("{part} failed: {text}").format(part=t("Camera"), text=t(why))
    expect(page.get_by_role("alert")).to_contain_text(t("Not over yet"))
    expect(page.get_by_role("alert")).to_contain_text(told)
    expect(page.locator(".list tbody tr").first).to_contain_text(told)
    visitor.shot(page, f"audit-faults-{language}", whole=True)
    for _ in range(50):
        append("fault", None, {"what": "part-good", "part": "camera"})
        append("fault", None, {"what": "part-fault", "part": "camera", "text": "unplugged"})
    append("fault", None, {"what": "part-good", "part": "camera"})
    page.reload()
    expect(page.locator(".lead.good")).to_have_text(t("No fault stands."))
    assert page.get_by_role("alert").count() == 0
    rows = page.locator(".list tbody tr")
    assert rows.count() == 100 and page.get_by_text(told).count() == 0
    page.get_by_role("link", name=t("Older entries")).click()
    page.wait_for_url("**/audit/faults?before=*")
    expect(rows.filter(has_text=told)).to_have_count(1)
    with page.expect_download() as loading:
        page.get_by_role("link", name="CSV").click()
    assert told in loading.value.path().read_text("utf-8")
