"""``kiosk audit export --format pdf``: a recorded hand as a page, without a running kiosk."""

from __future__ import annotations

import argparse
import sys

from kiosk.errors import UserError
from kiosk.hands import in_full
from kiosk.record.audit import opened
from kiosk.web.handsheet import hand_sheet


def print_hand(args: argparse.Namespace) -> int:
    """``kiosk audit export --format pdf --id HAND --out FILE``. Raises UserError."""
    if not args.id:
        raise UserError("--format pdf prints one hand: name it with --id")
    with opened(args) as record:
        detail = record.hand(args.id, kiosk=args.kiosk)
        if detail is None:
            raise UserError(f"{args.id}: the record has no hand of this id")
        hand = in_full(detail, record.faults_during(detail.hand))
    pictures = {
        kept.role: kept.path.read_bytes()
        for kept in detail.pictures
        if not kept.deleted and kept.path.is_file()
    }
    page = hand_sheet(hand, pictures, lambda person: person or "", args.language)
    if args.out is None:
        sys.stdout.buffer.write(page)
        return 0
    try:
        args.out.write_bytes(page)
    except OSError as error:
        raise UserError(f"{args.out}: cannot be written ({error.strerror})") from error
    return 0
