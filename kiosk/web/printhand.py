"""``kiosk audit export --format pdf``: a recorded hand as a page, without a running kiosk."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from kiosk.errors import UserError
from kiosk.hands import in_full
from kiosk.record.audit import details, opened
from kiosk.record.export import WITHHELD
from kiosk.web.audit_texts import name_by
from kiosk.web.handsheet import hand_sheet
from kiosk.web.texts import translations


def print_hand(args: argparse.Namespace, names: Mapping[str, str]) -> int:
    """``kiosk audit export --format pdf --id HAND --out FILE``. ``names``: person id → name.
    Raises UserError."""
    if not args.id:
        raise UserError("--format pdf prints one hand: name it with --id")
    with opened(args) as record:
        found = [d for d in details(record, args.id) if args.kiosk in (None, d.hand.kiosk)]
        if not found:
            raise UserError(f"{args.id}: the record has no hand of this id")
        if len(found) > 1:
            tables = ", ".join(each.hand.kiosk for each in found)
            raise UserError(f"{args.id}: hands of {tables} have this id; name one with --kiosk")
        detail = found[0]
        hidden = bool(record.hidden([detail.hand]))
        hand = in_full(detail, record.faults_during(detail.hand), hidden=hidden)
        alone = len(record.kiosks()) == 1
    if hidden:
        print(f"kiosk: {args.id}: {WITHHELD}", file=sys.stderr)
    files = {kept.sha256: kept.path for kept in detail.pictures if not kept.deleted}
    pictures = {
        role: path.read_bytes()
        for kept in hand["pictures"]
        for role in kept["roles"]
        if (path := files.get(kept["sha256"])) is not None and path.is_file()
    }
    name = name_by(names, translations(args.language).gettext, alone=alone)
    page = hand_sheet(hand, pictures, name, args.language, elsewhere=not alone)
    if args.out is None:
        sys.stdout.buffer.write(page)
        return 0
    try:
        args.out.write_bytes(page)
    except OSError as error:
        raise UserError(f"{args.out}: cannot be written ({error.strerror})") from error
    return 0
