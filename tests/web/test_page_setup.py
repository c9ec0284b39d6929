"""The set-up page, driven by fingers from nothing to a layout in use; and the routes behind it."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from calibration.layout import load_layout
from calibration.lens import Lens
from calibration.marker_set import SMALL
from calibration.picture import ADVICE
from calibration.view import View
from kiosk.people import Role
from kiosk.web.calibrate_texts import ADVICE as NAMED
from kiosk.web.texts import dictionary

sys.path.insert(0, str(Path(__file__).parents[1] / "calibration"))
from rendered_felt import RenderedFelt

API = "/api/v1/calibrate"
SIZE = (1280, 720)
CORNERS = ((110.0, 70.0), (1170.0, 70.0), (1170.0, 666.25), (110.0, 666.25))
LENS = Lens(930.0, 930.0, 640.0, 360.0, -0.1, 0.05)


@pytest.fixture(scope="module")
def shots() -> tuple[np.ndarray, np.ndarray, View]:
    """The felt with markers, the same bare, and how the camera shows it."""
    felt = RenderedFelt(96.0, 54.0)
    bare, view = felt.shoot(CORNERS, LENS, SIZE)
    for corner in range(4):
        felt.lay_corner(SMALL, corner, 0.6)
    felt.lay_board(SMALL, (39.0, 17.0), 4.0)
    marked, _ = felt.shoot(CORNERS, LENS, SIZE)
    return marked, bare, view


class Finger:
    """One finger on a touch screen: real touch events, as the browser's protocol gives them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._line = page.context.new_cdp_session(page)

    def send(self, kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
        if kind == "touchEnd":
            # A busy page may still be under this finger when the next one comes.
            self.page.evaluate("() => new Promise((done) => setTimeout(done, 300))")

    def drag(
        self, selector: str, dx: float, dy: float, midway: Callable[[], None] | None = None
    ) -> None:
        """From the middle of an element so many pixels to the right and down."""
        box = None
        while box is None:
            # The drawing may just be made anew.
            box = self.page.locator(selector).first.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.send("touchStart", [(x, y)])
        for step in range(1, 6):
            self.send("touchMove", [(x + dx * step / 5, y + dy * step / 5)])
        if midway is not None:
            midway()
        self.send("touchEnd", [])

    def tap(self, selector: str) -> None:
        self.page.locator(selector).first.tap()

    def forward(self, step: int) -> None:
        """On to a step, counted from 0; a tap that the browser took for the end of a drag is
        repeated, as a finger does."""
        here = self.page.locator(f'#steps [data-step="{step}"]')
        for _ in range(4):
            self.tap('[data-do="forward"]')
            try:
                expect(here).to_have_attribute("aria-current", "step", timeout=15_000)
            except AssertionError:
                continue
            return
        raise AssertionError(f"step {step} did not come")


def finger_page(visitor: Any, language: str = "en") -> tuple[Page, Finger]:
    page = visitor.open("calibrate", language=language, has_touch=True)
    expect(page.locator("#stepkeys .good")).to_be_enabled()
    return page, Finger(page)


def rect_of(kiosk: Any, name: str, zone: str) -> tuple[float, ...]:
    layout = kiosk.calibrating.layouts.load(name)
    found = next(known for known in layout.zones if known.id == zone).rect
    assert found is not None
    return found


def test_markers_lead_to_a_layout_in_use(
    visitor: Any, small_kiosk: Any, shots: tuple[np.ndarray, np.ndarray, View]
) -> None:
    marked, bare, truth = shots
    small_kiosk.camera_picture = marked
    page, finger = finger_page(visitor)
    expect(page.locator(".verdicts .good").first).to_be_visible()
    visitor.shot(page, "setup-1-camera")
    finger.forward(1)
    finger.tap('[data-do="find"]')
    expect(page.locator("#found.good")).to_contain_text("agree")
    visitor.shot(page, "setup-2-markers")
    small_kiosk.camera_picture = bare
    finger.forward(2)
    expect(page.locator(".zones-list .good").first).to_contain_text("✓")
    stage = page.locator("#stagebox svg").bounding_box()
    assert stage is not None
    cm = stage["width"] / 96
    finger.tap('.zones-list [data-zone="box2"]')
    finger.drag('.zone[data-zone="box2"] .area', 0, -2 * cm)
    finger.drag('[data-handle="23"]', -3 * cm, -1.5 * cm)
    expect(page.locator(".zone.chosen")).to_have_attribute("data-zone", "box2")
    visitor.shot(page, "setup-3-zones")
    finger.tap('[data-do="undo"]')
    finger.tap('[data-do="undo"]')
    expect(page.locator('[data-do="undo"]')).to_be_disabled()
    finger.tap('[data-do="redo"]')
    finger.forward(3)
    page.locator("#title").fill("Table 3")
    page.locator("#name").fill("Table 3")
    page.locator("#name").blur()
    finger.tap('[data-do="save"]')
    expect(page.locator("#saved")).to_contain_text("table-3")
    finger.tap('[data-do="use"]')
    expect(page.locator("#used")).to_contain_text("In use now")
    visitor.shot(page, "setup-4-saved")

    assert small_kiosk.used_layouts == ["table-3"]
    own = small_kiosk.calibrating.layouts
    assert own.choice().layout == "table-3"
    assert own.reference("table-3") is not None, "the bare felt is kept"
    layout = own.load("table-3")
    assert layout.title == "Table 3"
    assert layout.lens is not None
    view = layout.view()
    worst = max(
        math.dist(view.to_felt(truth.to_picture((float(x), float(y)))), (x, y))
        for x in np.linspace(0, 96, 7)
        for y in np.linspace(0, 54, 5)
    )
    assert worst <= 0.3, "centimetres on the felt at 720p"
    x1, y1, x2, y2 = load_layout("russian-4").zones[2].rect or ()
    assert rect_of(small_kiosk, "table-3", "box2") == pytest.approx((x1, y1 - 2, x2, y2 - 2))


def test_corners_by_hand_in_russian(
    visitor: Any, small_kiosk: Any, shots: tuple[np.ndarray, np.ndarray, View]
) -> None:
    _, bare, truth = shots
    small_kiosk.camera_picture = bare
    page, finger = finger_page(visitor, "ru")
    finger.forward(1)
    finger.tap('[data-how="hand"]')
    image = page.locator("#stagebox img").bounding_box()
    assert image is not None
    px = image["width"] / SIZE[0]
    felt = ((0.0, 0.0), (96.0, 0.0), (96.0, 54.0), (0.0, 54.0))
    began = ((0.0, 0.0), (1280.0, 0.0), (1280.0, 720.0), (0.0, 720.0))

    def glass() -> None:
        expect(page.locator(".magnifier")).to_be_visible()
        visitor.shot(page, "setup-2-magnifier-ru")

    for number, (corner, start) in enumerate(zip(felt, began, strict=True)):
        x, y = truth.to_picture(corner)
        # The grip lies half outside the picture: the finger takes it where it shows.
        where = page.locator(f'[data-corner="{number + 1}"] .point').bounding_box()
        assert where is not None
        inward = [8 if start[0] == 0 else -8, 8 if start[1] == 0 else -8]
        at = (
            where["x"] + where["width"] / 2 + inward[0],
            where["y"] + where["height"] / 2 + inward[1],
        )
        finger.send("touchStart", [at])
        to = at[0] + (x - start[0]) * px, at[1] + (y - start[1]) * px
        finger.send("touchMove", [((at[0] + to[0]) / 2, (at[1] + to[1]) / 2)])
        finger.send("touchMove", [to])
        if number == 1:
            glass()
        finger.send("touchEnd", [])
        expect(page.locator(".magnifier")).to_be_hidden()
    expect(page.locator("#found.good")).to_be_visible()
    finger.forward(2)
    expect(page.locator(".zones-list .good").first).to_contain_text("✓")
    visitor.shot(page, "setup-3-zones-ru")
    finger.forward(3)
    page.locator("#name").fill("zal")
    page.locator("#name").blur()
    finger.tap('[data-do="save"]')
    expect(page.locator("#saved")).to_contain_text("zal")
    kept = small_kiosk.calibrating.layouts.load("zal").camera.corners
    for corner, seen in zip(felt, kept, strict=True):
        assert math.dist(truth.to_picture(corner), seen) < 3


def wait_shown(place: Any) -> bool:
    """Whether it shows within some seconds."""
    try:
        place.wait_for(timeout=20_000)
    except PlaywrightTimeout:
        return False
    return True


def test_it_can_be_done_with_the_keyboard_and_fits_a_phone(
    visitor: Any, small_kiosk: Any, shots: tuple[np.ndarray, np.ndarray, View]
) -> None:
    small_kiosk.camera_picture = shots[1]
    page = visitor.open("calibrate", width=390, height=844)
    forward = page.locator('[data-do="forward"]')
    by_hand = page.locator('[data-how="hand"]')
    # What the camera's checks say makes the page longer, and the key moves down with it.
    expect(page.locator(".verdicts > *").first).to_be_visible()
    for _ in range(3):
        forward.click()
        if wait_shown(by_hand):
            break
    by_hand.click()
    page.locator('[data-corner="1"]').focus()
    for key in ("Shift+ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    page.locator('[data-do="forward"]').click()
    page.locator('.zone[data-zone="dealer"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator('.zone[data-zone="dealer"]')).to_be_focused()
    page.keyboard.press("Control+z")
    visitor.shot(page, "setup-phone", whole=True)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0
    page.locator('[data-do="forward"]').click()
    page.locator("#name").fill("small")
    page.locator("#name").blur()
    page.locator('[data-do="save"]').click()
    expect(page.locator("#saved")).to_be_visible()
    own = small_kiosk.calibrating.layouts.load("small")
    assert own.camera.corners[0] == (10, 1)
    assert rect_of(small_kiosk, "small", "dealer")[0] == 23.5


def draft(**changes: Any) -> dict[str, Any]:
    data = load_layout("russian-4").model_dump(mode="json", exclude_none=True)
    return data | {"name": "mine"} | changes


def test_saving_keeps_versions_and_refuses_what_does_not_hold(
    client: FlaskClient, small_kiosk: Any
) -> None:
    for version in (1, 2):
        answer = client.post(f"{API}/layouts", json={"layout": draft(title=str(version))})
        assert answer.get_json()["version"] == version
    folder = small_kiosk.calibrating.layouts.folder
    assert 'title = "1"' in (folder / "old" / "mine-0001.toml").read_text("utf-8")
    assert 'title = "2"' in (folder / "mine.toml").read_text("utf-8")
    for bad, says in (
        (draft(name="russian-4"), "ships"),
        (draft(name="No Such"), "small letters"),
        (draft(zones=[]), "zones"),
        (draft(colour="red"), "unknown key colour"),
    ):
        answer = client.post(f"{API}/layouts", json={"layout": bad})
        assert answer.status_code == 400
        assert says in answer.get_json()["message"]
    assert 'title = "2"' in (folder / "mine.toml").read_text("utf-8")


def test_a_felt_without_marks_is_told(
    client: FlaskClient, small_kiosk: Any, shots: tuple[np.ndarray, np.ndarray, View]
) -> None:
    def watched(picture: np.ndarray) -> Any:
        small_kiosk.camera_picture = picture
        return client.post(f"{API}/layouts", json={"layout": draft()}).get_json()["watched"]

    marked, bare, _ = shots
    assert watched(np.full((720, 1280, 3), (40, 90, 30), np.uint8)) is False
    assert watched(bare) is True
    assert watched(marked) is None


def test_v10_small_indices_are_named_before_saving(client: FlaskClient) -> None:
    camera = {"width": 640, "height": 360, "corners": [[0, 0], [640, 0], [640, 360], [0, 360]]}
    zones = client.post(f"{API}/sizes", json={"layout": draft(camera=camera)}).get_json()["zones"]
    assert {zone["verdict"] for zone in zones} == {"too small"}


def test_missing_markers_are_named_and_others_refused(
    client: FlaskClient, small_kiosk: Any, shots: tuple[np.ndarray, np.ndarray, View]
) -> None:
    picture = shots[0].copy()
    cv2.rectangle(picture, (1000, 500), (1279, 719), (20, 60, 20), -1)
    small_kiosk.camera_picture = picture
    wish = {"width": 96, "height": 54}
    found = client.post(f"{API}/markers", json=wish).get_json()
    assert found["seen"] == [1, 2, 4]
    assert found["corners"] is None
    small_kiosk.camera_picture = shots[0]
    found = client.post(f"{API}/markers", json={"width": 130, "height": 54}).get_json()
    assert not found["good"]
    assert found["measured"] == pytest.approx([96, 54], rel=0.015)
    assert client.post(f"{API}/markers", json={"width": 2, "height": 54}).status_code == 400


def test_the_lens_series_counts_what_is_new(
    client: FlaskClient, small_kiosk: Any, shots: tuple[np.ndarray, np.ndarray, View]
) -> None:
    small_kiosk.camera_picture = shots[0]
    first = client.post(f"{API}/lens", json={"do": "take"}).get_json()
    assert (first["pictures"], first["why"]) == (1, None)
    again = client.post(f"{API}/lens", json={"do": "take"}).get_json()
    assert (again["pictures"], again["why"]) == (1, "same")
    refused = client.post(f"{API}/lens", json={"do": "fit"})
    assert refused.status_code == 400
    assert "needed" in refused.get_json()["message"]
    assert client.post(f"{API}/lens", json={"do": "clear"}).get_json()["pictures"] == 0


def test_sheets_pictures_and_cameras(client: FlaskClient, small_kiosk: Any) -> None:
    assert client.get(f"{API}/sheet.pdf?paper=a3").data.startswith(b"%PDF")
    assert client.get(f"{API}/sheet.pdf?paper=a9").status_code == 400
    assert client.get(f"{API}/picture.jpg").mimetype == "image/jpeg"
    corners = "0,0,1280,0,1280,720,0,720"
    assert client.get(f"{API}/felt.jpg?corners={corners}&size=96,54").mimetype == "image/jpeg"
    assert client.get(f"{API}/felt.jpg?corners=1,2&size=96,54").status_code == 400
    cameras = client.get(f"{API}/cameras").get_json()
    assert cameras["cameras"][0]["running"]
    for source in ("/etc/passwd", "camera:/etc", "http://nowhere/"):
        assert client.post(f"{API}/camera", json={"source": source}).status_code == 400
    assert client.post(f"{API}/still-right", json={}).status_code == 200
    assert small_kiosk.stood_still == 1


def test_only_instructors_and_above_set_tables_up(sign_in: Any) -> None:
    assert sign_in(Role.TRAINEE).get(f"{API}/cameras").status_code == 403
    assert sign_in(Role.INSTRUCTOR).get(f"{API}/cameras").status_code == 200


def test_every_advice_has_its_words() -> None:
    assert set(ADVICE.values()) == set(NAMED)
    assert set(ADVICE.values()) <= set(dictionary("ru"))


@pytest.mark.parametrize("lens", ["0,0,0,0,0,0,0,0,0", "900,900,640,360,-9,0,0,0,0", "1,2"])
def test_a_lens_that_cannot_be_is_a_plain_refusal(client: FlaskClient, lens: str) -> None:
    corners = "100,60,1200,60,1200,660,100,660"
    answer = client.get(f"{API}/felt.jpg?corners={corners}&size=96,54&lens={lens}")
    assert answer.status_code == 400
    assert "lens" in answer.get_json()["message"]


def test_a_damaged_layout_hides_no_other(client: FlaskClient, small_kiosk: Any) -> None:
    assert client.post(f"{API}/layouts", json={"layout": draft()}).status_code == 200
    (small_kiosk.calibrating.layouts.folder / "broken.toml").write_text("zones = 7", "utf-8")
    names = {known["name"] for known in client.get(f"{API}/layouts").get_json()["layouts"]}
    assert "mine" in names
    assert "broken" not in names
    assert client.get(f"{API}/layouts/broken").status_code == 400
