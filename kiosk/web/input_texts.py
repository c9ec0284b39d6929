"""What is said of input that does not fit, in English, named for the catalogue.

As `kiosk.web.part_texts`: a gap named ``line`` is a line of its own.
"""

from __future__ import annotations

from kiosk.web.texts import msgid

SEARCH = (
    msgid("amount: {given} is no amount of money; expected 400 or 400..900"),
    msgid("amount: {given} is no amount; expected 400 or 400..900"),
    msgid("amount: {given} ends before it begins; expected 400 or 400..900"),
    msgid("since: expected a date or time, {form}"),
    msgid("until: expected a date or time, {form}"),
    msgid("until: expected a time after the beginning"),
    msgid("seat: expected a box from 1 to {most}"),
    msgid("scope: expected pit, for all tables"),
    msgid("cursor: {given} is no place in a list of hands"),
    msgid("state: expected one of {names}"),
    msgid("game: expected one of {names}"),
    msgid("combination: expected one of {names}"),
    msgid("mistake: expected one of {names}"),
    msgid("reason: say why, in a few words"),
)
"""As in ``kiosk.web.audit_query`` and ``kiosk.record.asked``."""

REQUEST = (
    msgid("a page of another origin may not change anything"),
    msgid("the Host header names no host"),
    msgid(
        "the host name {name} is not allowed: use the IP address or add it to web.hosts",
    ),
    msgid("{method} is not possible at {path}"),
    msgid("expected Content-Type: application/json"),
    msgid("the body has more than {limit} bytes"),
    msgid("the body: expected a JSON object"),
    msgid("a text holds half a character (a lone surrogate)"),
    msgid("not JSON: {detail}"),
    msgid("not UTF-8 text (byte {number})"),
    msgid("the key {key} stands twice in one object"),
    msgid("nested too deeply"),
)
"""As in ``kiosk.web.guard``, ``kiosk.web.bodies`` and ``kiosk.rules.jsonio``."""

BODY = (
    msgid("Bad input: {line}."),
    msgid("There is no action {name}."),
    msgid("round: expected the id of a hand, not {given}"),
    msgid("{key}: expected an amount above 0, not {given}"),
    msgid("{key}: expected an amount with at most two decimals, not {given}"),
    msgid("{key}: expected an amount, not {given}"),
    msgid("{key}: expected a whole number from 0 to {most}, not {given}"),
    msgid("{key}: expected true or false, not {given}"),
    msgid("held: expected true or false"),
    msgid("{key}: expected a text of at most {most} characters"),
    msgid("{key}: expected whole characters, not a lone surrogate"),
    msgid("{key}: expected an object, not {given}"),
    msgid("{key}: expected result and amount, not {given}"),
    msgid("{key}: {given} is no card, expected rank and suit such as As or Td"),
    msgid("{key}: must be given"),
    msgid("prizes: expected a list of at most {most} prizes, not {given}"),
    msgid("prizes: expected name and amount, not {given}"),
    msgid("prizes: {name} is there twice"),
    msgid("action: expected play or fold, not {given}"),
    msgid("zone: expected a zone id such as box1, not {given}"),
    msgid("zone: missing"),
    msgid("doubt: expected the key of a doubt, without was"),
    msgid("was, card: at least one must be a card"),
    msgid("dealt: expected a list of cards with their zone, and nothing else"),
    msgid("dealt: expected cards that differ"),
    msgid("{key}.result: expected one of {names}, not {given}"),
    msgid("box: missing"),
    msgid("bets: at least one bet must be answered"),
    msgid("meter: it belongs to the table, enter it without a box"),
    msgid("expected an object, not {given}"),
    msgid("unknown key {key}: expected {names}"),
)
"""As in ``kiosk.table.bodies``."""

TEXTS = (*SEARCH, *REQUEST, *BODY)
"""The first that fits a line is taken."""
