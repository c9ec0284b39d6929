"""``kiosk calibrate`` with a camera, and what set-up keeps in the data folder."""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import pytest

from calibration.layout import load_layout
from calibration.lens import Lens
from calibration.marker_set import SMALL
from kiosk.cli import main
from kiosk.config import Settings
from kiosk.errors import UserError
from kiosk.own_layouts import Choice, OwnLayouts
from kiosk.setup_camera import cameras

sys.path.insert(0, str(Path(__file__).parent / "calibration"))
from rendered_felt import RenderedFelt

SIZE = (1280, 720)
CORNERS = ((70.0, 50.0), (1210.0, 50.0), (1210.0, 691.25), (70.0, 691.25))


@pytest.fixture(scope="module")
def photo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A felt with the corner pieces on it."""
    felt = RenderedFelt(96.0, 54.0)
    for corner in range(4):
        felt.lay_corner(SMALL, corner)
    path = tmp_path_factory.mktemp("setup") / "felt.png"
    cv2.imwrite(str(path), felt.shoot(CORNERS, Lens(930, 930, 640, 360, -0.08), SIZE)[0])
    return path


def test_a_layout_from_a_picture_of_the_markers(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.toml"
    words = ["calibrate", "markers", "--source", str(photo), "--out", str(out)]
    assert main([*words, "--felt", "96x54"]) == 0
    assert "pass" in capsys.readouterr().out
    layout = load_layout(str(out))
    assert layout.lens is not None
    x, y = layout.view().to_picture((0.0, 0.0))
    truth = Lens(930, 930, 640, 360, -0.08).distort(CORNERS[0])
    assert (x, y) == pytest.approx(truth, abs=1.0)
    assert main([*words, "--felt", "96x54"]) == 2, "never over an existing file"
    capsys.readouterr()
    assert main([*words, "--felt", "120x54", "--force"]) == 1
    assert "96 × 54" in capsys.readouterr().err
    assert main([*words, "--felt", "96x54", "--keep-lens", "--force"]) == 2
    assert "holds no lens" in capsys.readouterr().err


def test_check_passes_and_fails(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "check", "--source", str(photo)]) == 0
    assert "focus: pass" in capsys.readouterr().out
    blurred = tmp_path / "blurred.png"
    cv2.imwrite(str(blurred), cv2.GaussianBlur(cv2.imread(str(photo)), (0, 0), 4))
    assert main(["calibrate", "check", "--source", str(blurred)]) == 1
    assert "turn the focus ring" in capsys.readouterr().out


def test_the_sheet_is_a_pdf_and_a_lens_needs_pictures(
    photo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.pdf"
    assert main(["calibrate", "sheet", "--paper", "letter", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")
    assert main(["calibrate", "sheet", "--out", str(tmp_path / "no" / "x.pdf")]) == 2
    lens = ["calibrate", "lens", "--out", str(tmp_path / "lens.toml")]
    assert main([*lens, str(photo)]) == 2
    assert main(lens) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_c3_cameras_are_listed_by_their_lasting_names(tmp_path: Path) -> None:
    by_id, devices = tmp_path / "by-id", tmp_path / "dev"
    by_id.mkdir()
    devices.mkdir()
    for name in ("video0", "video1", "video4"):
        (devices / name).touch()
    link = by_id / "usb-046d_HD_Pro_Webcam_C920_5A7B-video-index0"
    link.symlink_to(devices / "video0")
    (by_id / "usb-046d_HD_Pro_Webcam_C920_5A7B-video-index1").symlink_to(devices / "video1")
    found = cameras("sample", "sample", by_id, devices)
    assert [(offer.source, offer.name) for offer in found] == [
        ("sample", "sample"),
        (f"camera:{link}", "HD Pro Webcam C920 5A7B"),
        ("camera:4", "camera 4"),
    ]
    running = cameras(f"camera:{link}", "it", by_id, devices)
    assert [offer.source for offer in running] == [f"camera:{link}", "camera:4"]


def test_what_was_chosen_goes_only_with_its_camera(tmp_path: Path) -> None:
    own = OwnLayouts(tmp_path)
    assert own.chosen_for(Settings()) == Settings()
    own.choose(Choice("mine", "camera:2"))
    chosen = own.chosen_for(Settings())
    assert (chosen.source, chosen.layout) == ("camera:2", "mine")
    sample = own.chosen_for(Settings(source="sample"))
    assert (sample.source, sample.layout) == ("sample", None)
    named = own.chosen_for(Settings(layout="russian-6"))
    assert (named.source, named.layout) == ("camera:2", "russian-6")


def test_a_damaged_choice_is_named(tmp_path: Path) -> None:
    own = OwnLayouts(tmp_path)
    for text in ("layout = 5", "colour = 'red'", "layout = ", "\xff"):
        (tmp_path / "set-up.toml").write_bytes(text.encode("latin-1"))
        with pytest.raises(UserError, match="set-up"):
            own.choice()


def test_earlier_versions_stay_and_names_do_not_mix(tmp_path: Path) -> None:
    own = OwnLayouts(tmp_path)
    data = load_layout("russian-4").model_dump(mode="json", exclude_none=True)
    for name in ("mine", "mine-2", "mine", "mine"):
        layout = load_layout("russian-4").model_validate(data | {"name": name})
        version = own.save(layout, b"felt" if name == "mine" else None)
    assert version == 3
    names = sorted(path.name for path in (own.folder / "old").iterdir())
    assert names == ["mine-0001.toml", "mine-0002.toml"]
    assert own.reference("mine") == b"felt"
    assert own.reference("mine-2") is None
    assert {"mine", "mine-2", "russian-4"} <= set(own.names())
    with pytest.raises(UserError, match="expected a name"):
        own.load("../../etc/passwd")
