"""A recorded hand on one printed page (PDF): what a dispute is settled from."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Frame, Image, KeepInFrame, Paragraph, Spacer, Table, TableStyle

from kiosk import __version__, printing
from kiosk.web.audit_texts import (
    FAULTS,
    GAMES,
    KINDS,
    PARTS,
    STATES,
    VERDICTS,
    local,
    local_zone,
    pictures_text,
    reason_text,
)
from kiosk.web.change_texts import answered_by, change_text, mark, put_right_text, said_text
from kiosk.web.drill_texts import KINDS as MISTAKES
from kiosk.web.texts import WORDS, reader_text, translations, zone_name

Json = Mapping[str, Any]
Namer = Callable[[str | None], str]

MARGIN = 14 * mm
_WIDTH = A4[0] - 2 * MARGIN
_PICTURE_HIGH = 52 * mm
_MOST_CHANGES = 14
_FIRST_PICTURES, _LAST_PICTURES = ("before", "dealer"), ("after", "end")

_LINES = TableStyle(
    [
        ("LINEBELOW", (0, 0), (-1, -1), 0.3, colors.grey),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 4),
        ("TOPPADDING", (0, 0), (-1, -1), 1.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.5),
    ]
)


def hand_sheet(
    hand: Json,
    pictures: Mapping[str, bytes],
    name: Namer,
    language: str = "en",
    *,
    elsewhere: bool = False,
) -> bytes:
    """The page as PDF. ``hand`` as `kiosk.hands.in_full` gives it, ``pictures`` by role (JPEG),
    ``name`` turns a person's id into a name, ``elsewhere``: pictures that are missing are kept at
    another table's kiosk. Whatever the hand holds, it is one page."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A4)
    canvas.setTitle(f"{hand['id']} {hand['table']}")
    canvas.setCreator(f"dealer-kiosk {__version__}")
    frame = Frame(MARGIN, MARGIN, _WIDTH, A4[1] - 2 * MARGIN, 0, 0, 0, 0)
    content = _Sheet(hand, pictures, name, language, elsewhere).content()
    frame.addFromList([KeepInFrame(_WIDTH, A4[1] - 2 * MARGIN, content, mode="shrink")], canvas)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


class _Sheet:
    """One page in the making."""

    def __init__(
        self,
        hand: Json,
        pictures: Mapping[str, bytes],
        name: Namer,
        language: str,
        elsewhere: bool = False,
    ) -> None:
        self.hand, self.pictures, self.name = hand, pictures, name
        self.elsewhere = elsewhere and any(not kept["deleted"] for kept in hand["pictures"])
        self._gettext = translations(language).gettext
        self.small, self.strong = printing.style(7.5), printing.style(7.5, bold=True)
        self.head = printing.style(10, bold=True, spaceBefore=5, spaceAfter=2)

    def content(self) -> list[Any]:
        """All that stands on the page, in order."""
        t = self._gettext
        hand = self.hand
        title = f"{t('Hand')} {hand['id']} · {hand['table']}"
        parts: list[Any] = [
            Paragraph(escape(title), printing.style(15, bold=True, spaceAfter=4)),
            *self._facts(),
            Spacer(1, 4),
            *self._shots(),
            Paragraph(escape(t("Cards")), self.head),
            self._cards(),
        ]
        parts.append(Paragraph(escape(t("Settlement")), self.head))
        if not hand.get("settlement"):
            parts.append(self._line(t("There is no settlement."), bold=True))
        if hand["in_play"]:
            parts.append(self._settlement())
        parts += self._changes()
        parts += self._faults()
        parts += self._proof()
        return parts

    def _facts(self) -> list[Any]:
        t, hand = self._gettext, self.hand
        marks = [hand["state"]] + [
            mark for mark in ("disputed", "overruled", "assumed") if hand.get(mark)
        ]
        facts = (
            (t("Time"), f"{local(hand['time'])} ({local_zone(hand['time'])})"),
            (t("State"), ", ".join(t(STATES.get(mark) or mark) for mark in marks)),
            (t("Dealt by"), self.name(hand.get("person")) or "—"),
            (t("House"), f"{hand['house']} ({t(str(GAMES.get(hand['game']) or hand['game']))})"),
            (t("Paid"), _money((hand.get("settlement") or {}).get("paid"))),
            (t("Taken"), _money((hand.get("settlement") or {}).get("taken"))),
        )
        cells = [[self._line(label), self._line(value, bold=True)] for label, value in facts]
        pairs = [cells[n] + cells[n + 1] for n in range(0, len(cells), 2)]
        return [self._table(pairs, (0.12, 0.38, 0.12, 0.38))]

    def _shots(self) -> list[Any]:
        first = next((role for role in _FIRST_PICTURES if role in self.pictures), None)
        last = next((role for role in _LAST_PICTURES if role in self.pictures), None)
        found = [role for role in (first, last) if role is not None]
        if len(found) == 2 and self.pictures[found[0]] == self.pictures[found[1]]:
            del found[1]
        t = self._gettext
        if not found:
            there = t("The pictures are kept at that table's kiosk.")
            none = t("No picture is kept with this hand.")
            return [self._line(there if self.elsewhere else none)]
        wide = _WIDTH / 2 - 2 * mm
        row = [_image(self.pictures[role], wide) for role in found]
        names = [self._line(pictures_text(self._roles(role), t)) for role in found]
        return [self._table([row, names], [0.5] * len(found), lines=False)]

    def _roles(self, role: str) -> Sequence[str]:
        """All that the picture of this role is kept for."""
        kept = self.hand["pictures"]
        return next((each["roles"] for each in reversed(kept) if role in each["roles"]), [role])

    def _cards(self) -> Table:
        t = self._gettext
        rows = [[self._line(text, bold=True) for text in (t("Place"), t("Cards"), t("Put right"))]]
        for zone, cards in _zones(self.hand):
            read = "  ".join(self._card(card) for card in cards)
            changed = ", ".join(
                f"{_name(card.get('machine') or card.get('seen'))} → {_name(card['card'])}"
                for card in cards
                if card.get("source") == "person"
            )
            rows.append([self._line(text) for text in (self._zone(zone), read, changed or "—")])
        return self._table(rows, (0.16, 0.58, 0.26))

    def _settlement(self) -> Table:
        t = self._gettext
        named = (t("Place"), t("Kind of bet"), t("Stake"), t("Right result"), t("Amount"))
        heads = (*named, t("Answered"), "")
        rows = [[self._line(text, bold=True) for text in heads]]
        for box in self.hand["in_play"]:
            rows += [[self._line(text) for text in cells] for cells in self._lines(box)]
            rows += [[self._line(text), *[""] * 6] for text in self._said(box)]
        table = self._table(rows, (0.26, 0.14, 0.1, 0.16, 0.1, 0.18, 0.06))
        for number, row in enumerate(rows):
            if row[1] == "":
                table.setStyle(TableStyle([("SPAN", (0, number), (-1, number))]))
        return table

    def _lines(self, box: Json) -> Iterator[tuple[str, ...]]:
        """The cells of a box: one row a bet."""
        seat = self._gettext("Box {n}").format(n=box["box"])
        hand = self._words((box["worth"] or {}).get("combinations"))
        zone = f"{seat}: {self._word('fold') if box['action'] == 'fold' else hand}"
        for line in box["lines"]:
            yield (
                zone,
                self._word(line["bet"]),
                _money(line["stake"]),
                self._word(line["result"] or "—"),
                _money(line["amount"]),
                said_text(line["said"], self._gettext),
                mark(line["right"]).strip(),
            )
            zone = ""
        if zone:
            yield (zone, *["—"] * 5, "")

    def _said(self, box: Json) -> Iterator[str]:
        """What else is to be said of a box: each a line."""
        t = self._gettext
        if box["overruled"]:
            said = box["overruled"]
            yield f"{t(KINDS['overruled'])}: {said['reason'] or '—'} ({self.name(said['who'])})"
        by = answered_by(box, self.hand.get("person"), self.name, t)
        if box["verdict"] is not None or by:
            yield self._judged(box) + (f" ({by})" if by else "")
        if box["corrected"]:
            yield f"{t('Put right')}: {put_right_text(box, t)}"

    def _judged(self, box: Json) -> str:
        t = self._gettext
        verdict = str(box["verdict"] or "")
        said = f"{t('Answer')}: {t(VERDICTS.get(verdict, verdict)) if verdict else ''}".rstrip()
        kinds = [t(MISTAKES.get(mistake["kind"], mistake["kind"])) for mistake in box["mistakes"]]
        return said + (f" ({', '.join(dict.fromkeys(kinds))})" if kinds else "")

    def _changes(self) -> list[Any]:
        t, changes = self._gettext, self.hand["changes"]
        if not changes:
            return []
        rows = []
        for change in changes[:_MOST_CHANGES]:
            detail = change["detail"]
            where = detail.get("zone") or (f"box{detail['box']}" if detail.get("box") else "")
            told = change_text(change, t, printing.card_text)
            kind = t(KINDS.get(change["kind"], change["kind"]))
            cells = (
                local(change["time"])[11:],
                f"{kind}: {told}" if told else kind,
                self._zone(where) if where else "",
                self.name(change["who"]),
                reason_text(detail.get("reason"), t),
            )
            rows.append([self._line(text) for text in cells])
        if len(changes) > _MOST_CHANGES:
            rest = t("… and {n} more in the record").format(n=len(changes) - _MOST_CHANGES)
            rows.append([self._line(rest), "", "", "", ""])
        head = Paragraph(escape(t("Corrections and decisions")), self.head)
        return [head, self._table(rows, (0.1, 0.34, 0.14, 0.14, 0.28))]

    def _faults(self) -> list[Any]:
        if not self.hand["faults"]:
            return []
        t = self._gettext
        parts = [Paragraph(escape(t("Faults in the course of the hand")), self.head)]
        for fault in self.hand["faults"][:5]:
            parts.append(self._line(f"{local(fault['time'])[11:]}  {self._fault(fault)}"))
        return parts

    def _fault(self, fault: Json) -> str:
        t, payload = self._gettext, fault["payload"]
        if fault["kind"] == "clock-step":
            return t("The clock was set by {n} s").format(n=payload.get("seconds"))
        what, part = str(payload.get("what", "")), str(payload.get("part", ""))
        if what not in FAULTS:
            return f"{t(KINDS.get(fault['kind']) or str(fault['kind']))} {what}"
        return t(FAULTS[what]).format(
            part=t(PARTS.get(part, part)) if part else "",
            text=payload.get("text", ""),
            count=payload.get("count", ""),
        )

    def _proof(self) -> list[Any]:
        t, hand = self._gettext, self.hand
        versions = hand.get("versions") or {}
        first, last = hand["entries"]
        facts = (
            (t("Rule card"), hand.get("rule_card") or "—"),
            (t("Version"), str(versions.get("software") or "—")),
            (t("Card reader (hash)"), reader_text(versions.get("model"), t)),
            (t("Entries"), f"{hand['kiosk']} {first} – {last}"),
            (t("Hash of the last entry"), hand["hash"]),
        )
        rows = [[self._line(label), self._line(str(value))] for label, value in facts]
        signed = [[self._line(t("Supervisor")), self._line(t("Date and signature"))]]
        return [
            Spacer(1, 6),
            self._table(rows, (0.2, 0.8)),
            Spacer(1, 14 * mm),
            Table(
                signed,
                colWidths=[_WIDTH * 0.35, _WIDTH * 0.35],
                style=TableStyle([("LINEABOVE", (0, 0), (-1, -1), 0.5, colors.black)]),
                hAlign="LEFT",
                spaceBefore=0,
            ),
        ]

    def _card(self, card: Json) -> str:
        sure = card.get("confidence")
        return _name(card["card"]) + ("" if sure is None else f" {float(sure):.0%}")

    def _line(self, text: str, *, bold: bool = False) -> Paragraph:
        return Paragraph(escape(text), self.strong if bold else self.small)

    def _table(self, rows: list[Any], shares: Sequence[float], *, lines: bool = True) -> Table:
        widths = [_WIDTH * share for share in shares]
        return Table(rows, colWidths=widths, style=_LINES if lines else None, hAlign="LEFT")

    def _word(self, slug: str) -> str:
        return self._gettext(WORDS[slug]) if slug in WORDS else slug

    def _words(self, slugs: Sequence[str] | None) -> str:
        return " + ".join(map(self._word, slugs or ())) or "—"

    def _zone(self, zone: str) -> str:
        if zone == "draws":
            return self._gettext("Drawn after the game was bought")
        return zone_name(zone, self._gettext)


def _zones(hand: Json) -> list[tuple[str, Sequence[Json]]]:
    """All cards by zone: as settled, else as read last."""
    cards = hand.get("cards") or (hand["steps"][-1]["zones"] if hand["steps"] else {})
    first = ("dealer", "draws", "dealer-small", "board")
    return sorted(
        cards.items(),
        key=lambda item: (first.index(item[0]) if item[0] in first else len(first), item[0]),
    )


def _name(card: str | None) -> str:
    return "—" if card is None else printing.card_text(card)


def _money(amount: object) -> str:
    return "—" if amount is None else str(amount)


def _image(jpeg: bytes, wide: float) -> Any:
    try:
        width, height = ImageReader(io.BytesIO(jpeg)).getSize()
    except Exception:  # a damaged picture costs itself, not the page
        return ""
    scale = min(wide / width, _PICTURE_HIGH / height)
    return Image(io.BytesIO(jpeg), width * scale, height * scale)
