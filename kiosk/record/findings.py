"""What a check of the record gathers and reports."""

from __future__ import annotations

from dataclasses import dataclass, field

from kiosk.record.chain import Entry
from kiosk.record.heads import Head

MAX_FINDINGS = 50


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not hold. ``seq`` is the entry it is about (None: none in particular);
    ``what`` a stable word: chain, cut, head, day-head, key, noted, derived, picture, damaged."""

    kiosk: str
    seq: int | None
    what: str
    sentence: str


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was checked and what did not hold, the first bad entry first.

    ``newest`` are the heads as they are now, ``days`` those of finished days: to be noted
    elsewhere and given to a later check.
    """

    entries: int
    pictures: int
    findings: tuple[Finding, ...]
    newest: tuple[Head, ...]
    days: tuple[Head, ...]

    @property
    def ok(self) -> bool:
        """Whether everything holds."""
        return not self.findings

    @property
    def first_bad(self) -> Finding | None:
        """The finding to look at first: the bad entry with the lowest number."""
        return self.findings[0] if self.findings else None


@dataclass(slots=True)
class Chain:
    """What walking one kiosk's chain has gathered."""

    kiosk: str
    newest: Entry | None = None
    wanted: set[int] = field(default_factory=set)
    days: list[Head] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    hashes: dict[int, str] = field(default_factory=dict)
    day_ends: list[Entry] = field(default_factory=list)
    pictures: dict[str, tuple[str, int]] = field(default_factory=dict)
    whole: bool = True

    @property
    def length(self) -> int:
        return 0 if self.newest is None else self.newest.seq

    def note(self, seq: int | None, what: str, sentence: str) -> None:
        self.findings.append(Finding(self.kiosk, seq, what, sentence))
