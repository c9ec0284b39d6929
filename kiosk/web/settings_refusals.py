"""What is wrong with a house or a table, for whoever typed it: the field by its name on the page,
and what was expected, in their language.

Rules and configuration speak English and name options by their dotted names, as files do.
"""

from __future__ import annotations

import re

from kiosk.rules.schema import SCHEMA, TABLES
from kiosk.web.refusals import pattern_of
from kiosk.web.settings_texts import GROUPS, NAMES, TABLE, choice_name
from kiosk.web.texts import gettext, msgid

EXPECTED = (
    msgid("expected true or false, not {value}"),
    msgid("expected a whole number from 1 to 52, not {value}"),
    msgid("expected a number above 0 and at most {n}, not {value}"),
    msgid("expected a share above 0 and at most 1, not {value}"),
    msgid("expected an amount above 0 with at most two decimals, not {value}"),
    msgid(
        "expected a combination, RANK-high or pair-of-RANKs (queen-high, pair-of-fours), "
        "not {value}"
    ),
    msgid("expected a table of {what}, not {value}"),
    msgid('expected n or "n:1", not {value}'),
    msgid('expected n, "n:1" or "n%" of the meter, not {value}'),
    msgid("expected ANTE = STAKE, not {value}"),
    msgid("expected one of {choices}, not {value}"),
    msgid("expected {choices}, not {value}"),
    msgid("key {value}: expected a number of cards from 1 to 5"),
    msgid("{value}: expected one of {choices}"),
    msgid("no such option"),
    msgid("has no meaning in the game {game}"),
    msgid("is missing: every house needs it"),
    msgid("double-on-ace-king needs doubles.enabled = true"),
    msgid("double-on-ace-king has no meaning in the game texas"),
    msgid("{value} is no combination of this game"),
    msgid("is no combination of this game"),
    msgid('is missing: bonus.kind = "table" needs it'),
    msgid("is missing: progressive.enabled = true needs it"),
    msgid("is missing: expected its coefficient"),
    msgid("is above bonus.max"),
    msgid("cannot be paid in this game and table"),
    msgid("pays less than a lower combination: expected at least {value}"),
    msgid("expected a value"),
    msgid("expected a text of 1 to {n} characters"),
    msgid("expected one of {choices}"),
)
"""What options of a house take, as rules and form say it."""

FIELDS = (
    msgid("ante_max {high} is below ante_min {low}"),
    msgid("expected an amount in figures such as 1000 or 2.50, not {value}"),
    msgid("Input should be greater than {n}"),
    msgid("Input should be a valid decimal"),
    msgid("Input should be a finite number"),
    msgid("Input should be a valid string"),
    msgid("Input should be '{one}' or '{other}'"),
    msgid("Decimal input should have no more than {n} digits in total"),
    msgid("Decimal input should have no more than {n} decimal place"),
    msgid("Decimal input should have no more than {n} decimal places"),
    msgid("Decimal input should have no more than {n} digits before the decimal point"),
    msgid("Decimal input should be an integer, float, string or Decimal object"),
    msgid("String should have at least {n} character"),
    msgid("String should have at most {n} characters"),
    msgid("Tuple should have at least {n} item after validation, not {value}"),
)
"""What fields of the table take, as pydantic says it."""

WHOLE = (
    msgid(
        "the layout has {boxes} boxes, house {house} allows {n}: choose another layout or house",
    ),
    msgid(
        "the bundled recording shows another game: the felt {layout} is printed for {games}, and "
        "house {house} plays {game}: choose a house of these games, or another --source"
    ),
    msgid(
        "the felt {layout} is printed for {games}, and house {house} plays {game}: choose a house "
        "of these games, or a layout for {game} such as {other}"
    ),
    msgid(
        "layout {layout} has no zone {zone}, which {game} needs: add it, or choose a layout such "
        "as {other}"
    ),
    msgid("the simulated table plays {game}: choose a house of this game"),
    msgid("no version {n} of the settings was saved"),
    msgid("the settings cannot be saved: {why}"),
)
"""What does not fit together, or could not be kept."""

_SETTING = re.compile(r"settings: ([\w.]+): (.+)", re.S)
_OPTION = re.compile(r"([\w.-]+): (.+)", re.S)


def problem_in_words(line: str) -> str:
    """The line in the language of the request, its option or field by the name on the page; as it
    is where no text here fits it."""
    if whole := _fitted(line, WHOLE):
        return whole
    if found := _SETTING.fullmatch(line):
        name, problem = found.groups()
        said = _fitted(problem, FIELDS)
        # The table as a whole is meant where two of its fields do not go together.
        return said if said and name == "table" else f"{_field_name(name)}: {said or problem}"
    option, problem = _split_option(line)
    # A table says which of its cells it means before it says what it expected.
    cell, inner = _split_option(problem)
    if cell and option in TABLES:
        option, problem = f"{option}.{cell}", inner
    said = _fitted(problem, EXPECTED)
    return f"{_option_name(option)}: {said}" if option and said else line


def _split_option(line: str) -> tuple[str, str]:
    """The option that a line begins with, and the rest.

    >>> _split_option("pay.bet.pair: expected a value, not 'x'")
    ('pay.bet.pair', "expected a value, not 'x'")
    """
    found = _OPTION.fullmatch(line)
    return (found[1], found[2]) if found else ("", line)


def _fitted(line: str, texts: tuple[str, ...]) -> str:
    """The line by the first text that it fits, in the language of the request; empty: none."""
    for text in texts:
        if found := pattern_of(text, wide=True).fullmatch(line):
            values = found.groupdict()
            if "choices" in values:
                values["choices"] = ", ".join(values["choices"].split(" or "))
            return gettext(text).format(**values)
    return ""


def _option_name(option: str) -> str:
    """``Bonus, Kind (bonus.kind)``: its name on the page, and the one in files."""
    if option in _OTHERS:
        return gettext(_OTHERS[option])
    known, cell = option, ""
    if known not in SCHEMA:
        known, _, cell = option.rpartition(".")
    if known not in NAMES:
        return option
    name = gettext(NAMES[known])
    words = [gettext(GROUPS[known.partition(".")[0]]), name] if "." in known else [name]
    if known.startswith("pay.") or name.startswith(words[0]):
        words = [name]
    if cell:
        words.append(choice_name(cell))
    return f"{', '.join(words)} ({option})"


_OTHERS = {"title": msgid("Title of the rule card"), "house": msgid("House")}


def _field_name(name: str) -> str:
    """A setting by its name on the page; the place in a list counts from 1."""
    if name == "mode":
        return gettext("Mode")
    _, _, field = name.partition("table.")
    leaf, _, place = field.partition(".")
    if leaf not in TABLE:
        return name
    number = f" ({int(place) + 1})" if place.isdecimal() else ""
    return gettext(TABLE[leaf]) + number
