"""From a CASE to its settlement or its error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kiosk.rules.case import Case, CaseError, parse_case
from kiosk.rules.checks import check_case
from kiosk.rules.houses import HouseFile
from kiosk.rules.options import STUD_GAMES
from kiosk.rules.results import See, Settlement, as_data, as_it_is
from kiosk.rules.split import settle_split
from kiosk.rules.stud import settle_stud
from kiosk.rules.texas import settle_texas
from kiosk.rules.three_card import settle_three_card

_GAMES: Mapping[str, Callable[[Case, See], Settlement]] = {
    **dict.fromkeys(STUD_GAMES, settle_stud),
    "three_card": settle_three_card,
    "texas": settle_texas,
    "split": settle_split,
}


def settle(case: Case) -> Settlement:
    """Checks and settles a case. Raises CaseError for the first defect (SPEC.md section 10)."""
    check_case(case)
    return settle_as_seen(case)


def settle_as_seen(case: Case, see: See = as_it_is) -> Settlement:
    """Settles a case whose checks have passed, the outcomes seen as ``see`` says."""
    return _GAMES[case.house.game](case, see)


def settle_case(
    raw: Mapping[str, Any], houses: Mapping[str, HouseFile] | None = None
) -> dict[str, Any]:
    """Settles a CASE given as plain data.

    Returns a dict in the shape of ``expected`` (amounts int when whole, else Decimal), or
    ``{"error", "where", "message"}``; never a settlement beside an error. ``houses``: further
    house profiles by name (``load_house_file``).
    """
    try:
        return as_data(settle(parse_case(raw, houses)))
    except CaseError as refused:
        return {"error": refused.kind, "where": refused.where, "message": refused.message}
