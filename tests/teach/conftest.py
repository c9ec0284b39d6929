"""Makes the school importable by the tests of this room, and opens one."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from teach_school import School, make_school

from kiosk.teach.drills import Trainee
from kiosk.teach.store import ProgressStore


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    made = make_school(ProgressStore(tmp_path / "drills.db"))
    yield made
    made.drills.close()


@pytest.fixture
def anna() -> Trainee:
    return Trainee("p-anna", guest=False)


@pytest.fixture
def guest() -> Trainee:
    return Trainee("guest:1")
