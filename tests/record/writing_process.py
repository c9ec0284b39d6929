"""A kiosk that does nothing but write rounds until it is killed. Run by the kill test.

Arguments: the data folder, and ``record`` or ``writer``. After each entry that is acknowledged,
one line on standard output: round id, kind, number, hash.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from kiosk.record.chain import Entry
from kiosk.record.pictures import Picture
from kiosk.record.record import Record
from kiosk.record.writer import RecordWriter

SETTLEMENT = {"paid": 400, "taken": 0, "boxes": [{"box": 1, "combinations": ["pair"]}]}


def acknowledge(entry: Entry) -> None:
    line = f"{entry.round_id} {entry.kind} {entry.seq} {entry.hash}\n"
    os.write(sys.stdout.fileno(), line.encode())


def main(data: Path, way: str) -> None:
    if way == "record":
        record = Record.open(None, data)
        append, new_round_id = record.append, record.new_round_id
    else:
        writer = RecordWriter(lambda: Record.open(None, data), data)
        writer.wait_until_settled(200)
        append, new_round_id = writer.append, writer.new_round_id
    while True:
        round_id = new_round_id()
        acknowledge(append("round-started", round_id, {"table": "T", "house": "russian-a"}))
        shot = Picture("after", b"\xff\xd8" + os.urandom(20_000))
        acknowledge(append("settled", round_id, {"settlement": SETTLEMENT}, (shot,)))
        acknowledge(append("round-finished", round_id, {}))


main(Path(sys.argv[1]), sys.argv[2])
