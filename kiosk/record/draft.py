"""An entry before it has its place in the chain."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kiosk.record.canonical import canonical
from kiosk.record.chain import KINDS
from kiosk.record.clock import Moment
from kiosk.record.pictures import Picture

_ROUND_ID = re.compile(r"[\w.:-]{1,64}")


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be stored. ``moment`` is when it happened, not when it gets stored.

    The same ``token`` stored twice gives the same entry, so a write of unknown outcome may be
    repeated. ``this_run`` is False for drafts left by an earlier run, whose monotonic clock says
    nothing here. Raises ValueError for an unknown kind, a bad round id, and a
    payload without canonical form.
    """

    kind: str
    round_id: str | None
    payload: Mapping[str, Any]
    moment: Moment
    pictures: tuple[Picture, ...] = ()
    token: str = field(default_factory=lambda: secrets.token_hex(16))
    this_run: bool = True

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind of entry {self.kind!r}")
        if self.round_id is not None and not _ROUND_ID.fullmatch(self.round_id):
            raise ValueError(
                f"round id {self.round_id!r}: expected 1 to 64 letters, digits, . _ : -"
            )
        if "pictures" in self.payload:
            raise ValueError("the field 'pictures' of a payload is filled by the record")
        canonical(self.payload)
