"""The bundled recording that the ``sample`` source plays: rounds of Russian Poker from above.

Drawn by ``models.training.recording``. ``truth.json`` beside it belongs to the tests: nothing that
runs reads it.
"""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from functools import cache
from importlib import resources
from pathlib import Path

_files = ExitStack()
atexit.register(_files.close)


@cache
def recording_path() -> Path:
    """The video as a file that stays there while the program runs, also from a zipped package."""
    return _files.enter_context(resources.as_file(resources.files(__name__) / "table.mp4"))
