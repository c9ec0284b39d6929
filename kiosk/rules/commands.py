"""``kiosk settle`` and ``kiosk houses``: the rules on the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kiosk.errors import UserError
from kiosk.rules.catalogue import LANGUAGES
from kiosk.rules.compare import differences
from kiosk.rules.explain import explain
from kiosk.rules.house_text import house_as_data, house_as_text
from kiosk.rules.houses import HouseError, HouseFile, list_houses, load_house_file
from kiosk.rules.jsonio import JsonError, dumps, loads
from kiosk.rules.mistakes import slips_by_rule
from kiosk.rules.paste import round_text
from kiosk.rules.settle import settle_case


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Registers ``settle`` and ``houses``."""
    settle = subparsers.add_parser(
        "settle",
        help="settle rounds given as data",
        description='Settles rounds given as JSON: a CASE, a list of them, or {"cases": […]}. '
        "Exit status 1 when a case is refused, 2 when a file cannot be read.",
    )
    settle.add_argument("files", metavar="FILE", nargs="+", help="JSON file, - for standard input")
    settle.add_argument("--json", action="store_true", help="one JSON object on standard output")
    settle.add_argument(
        "--check",
        action="store_true",
        help="hold each case against its own expected; exit status 1 when one differs",
    )
    settle.add_argument(
        "--house",
        action="append",
        default=[],
        metavar="FILE",
        help="a house file of your own; cases name it by the file's name without .toml",
    )
    settle.add_argument("--language", choices=LANGUAGES, default="en", help="of the texts")
    settle.set_defaults(run=run_settle)
    houses = subparsers.add_parser(
        "houses",
        help="the rule cards of the houses",
        description="Lists the rule cards, or shows the one named in full. "
        "'kiosk houses check FILE' validates a house file; 'kiosk houses edge NAME' computes what "
        "the card costs a player under a named strategy (about a minute); 'kiosk houses slips "
        "NAME' lists the usual mistakes that are recognised, by the rule each one breaks.",
    )
    houses.usage = "%(prog)s [-h] [--json] [NAME | check FILE | edge NAME | slips NAME]"
    houses.add_argument("words", metavar="NAME", nargs="*", help="a house or house file")
    houses.add_argument(
        "--rounds", type=int, default=20_000, help="with edge: how many rounds to simulate"
    )
    houses.add_argument("--seed", type=int, default=1, help="with edge: seed of the simulation")
    houses.add_argument("--language", choices=LANGUAGES, default="en", help="of the slips")
    houses.add_argument("--json", nargs="*", metavar="", help="one JSON object on standard output")
    houses.set_defaults(run=run_houses)


def run_settle(args: argparse.Namespace) -> int:
    """``kiosk settle``. Raises UserError for a file that cannot be read."""
    cases = [case for file in args.files for case in _read_cases(file)]
    own = _own_houses(args.house)
    results = [{"id": _identity(case), **settle_case(case, own)} for case in cases]
    refused = any("error" in result for result in results)
    if args.check:
        return _check(cases, results, as_json=args.json)
    if args.json:
        for case, result in zip(cases, results, strict=True):
            _add_why(case, result, own)
        _out(dumps({"results": results}))
    else:
        for case, result in zip(cases, results, strict=True):
            _out(_readable(case, result, args.language, own))
    return 1 if refused else 0


def _own_houses(files: list[str]) -> dict[str, HouseFile]:
    """House files named on the command line, by the names that cases call them."""
    own = {}
    for file in files:
        house = load_house_file(Path(file))
        if house.house.name in list_houses():
            raise UserError(f"{file}: a shipped house has this name: rename the file")
        own[house.house.name] = house
    return own


def _check(cases: list[Any], results: list[dict[str, Any]], *, as_json: bool) -> int:
    """Prints the cases that differ from what they expect; 0 when none does."""
    differing = []
    for case, result in zip(cases, results, strict=True):
        lines = _differences(case, result)
        if lines:
            differing.append({"id": result["id"], "differences": lines})
    for item in differing:
        for line in item["differences"]:
            print(_safe(f"{item['id']}: {line}"), file=sys.stderr if as_json else sys.stdout)
    if as_json:
        _out(dumps({"results": results, "checked": len(cases), "differing": differing}))
    else:
        _out(f"{len(cases) - len(differing)} of {len(cases)} cases agree")
    return 1 if differing else 0


def _differences(case: Any, result: Mapping[str, Any]) -> list[str]:
    expected = case.get("expected") if isinstance(case, Mapping) else None
    if not isinstance(expected, Mapping):
        return ["the case has no expected to hold it against"]
    found = {key: value for key, value in result.items() if key != "id"}
    return differences(expected, found)


def _read_cases(file: str) -> list[Any]:
    label = "standard input" if file == "-" else file
    try:
        data = loads(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    except OSError as problem:
        raise UserError(f"{label}: cannot be read ({problem.strerror})") from None
    except (JsonError, ValueError, MemoryError) as problem:
        raise UserError(f"{label}: {problem}; expected JSON with a case or cases") from None
    if isinstance(data, dict) and "cases" in data and "game" not in data:
        data = data["cases"]
        if not isinstance(data, list):
            raise UserError(f"{label}: cases: expected a list of cases")
    if isinstance(data, list):
        return data
    if isinstance(data, dict):
        return [data]
    raise UserError(f"{label}: expected a case, a list of cases, or an object with cases")


def _identity(case: Any) -> str | int | None:
    value = case.get("id") if isinstance(case, Mapping) else None
    return value if isinstance(value, str | int) else None


def _add_why(case: Mapping[str, Any], result: dict[str, Any], own: Mapping[str, HouseFile]) -> None:
    """Gives each box of a settlement its reasons in one text, ``why``."""
    if "error" in result:
        return
    texts = explain(case, result, houses=own)["boxes"]
    for box, text in zip(result["boxes"], texts, strict=True):
        box["why"] = " ".join(text["bets"].values())


def _readable(
    case: Any, result: Mapping[str, Any], language: str, own: Mapping[str, HouseFile]
) -> str:
    """One settlement for people, or why it is refused."""
    if "error" in result:
        name = "case" if result["id"] is None else result["id"]
        return f"{name}: refused: {result['error']}: {result['message']}\n"
    return round_text(case, language, own) + "\n"


def run_houses(args: argparse.Namespace) -> int:
    """``kiosk houses``. Raises UserError for a house that is not known."""
    # argparse takes no words after an option that follows the first words, so --json takes them.
    words, as_json = [*args.words, *(args.json or ())], args.json is not None
    if words[:1] == ["check"]:
        if len(words) != 2:
            raise UserError("kiosk houses check: expected the house file to check")
        return _check_house(words[1], as_json=as_json)
    if words[:1] == ["edge"]:
        return _edge(words[1:], args, as_json=as_json)
    if words[:1] == ["slips"]:
        return _slips(words[1:], args.language, as_json=as_json)
    if len(words) > 1:
        raise UserError("kiosk houses takes one name, or: check FILE, edge NAME, slips NAME")
    if words:
        file = load_house_file(words[0])
        _out(dumps(house_as_data(file), 2) if as_json else house_as_text(file))
        return 0
    houses = [load_house_file(name).house for name in list_houses()]
    if as_json:
        keys = ("name", "game", "title", "source")
        _out(dumps({"houses": [{key: getattr(house, key) for key in keys} for house in houses]}, 2))
    else:
        for house in houses:
            _out(f"{house.name:<10} {house.game:<11} {house.title} [{house.source}]")
    return 0


def _edge(names: list[str], args: argparse.Namespace, *, as_json: bool) -> int:
    """``kiosk houses edge NAME``: exact where enumeration allows, else simulated."""
    if len(names) != 1:
        raise UserError("kiosk houses edge: expected the name of one house")
    if not 100 <= args.rounds <= 10_000_000:
        raise UserError(f"--rounds {args.rounds}: expected 100 to 10000000")
    # Only this needs numpy and its tables, which take a while to make.
    from kiosk.rules.edge import edges

    house = load_house_file(names[0]).house
    print(f"counting the hands of {house.name} …", file=sys.stderr)
    found = list(edges(house, args.rounds, args.seed))
    if as_json:
        _out(dumps({"house": house.name, "edges": [edge.data() for edge in found]}, 2))
        return 0
    for edge in found:
        _out(edge.line())
    marked = len(house.defaults)
    _out(f"For the card {house.name} as it stands; {marked} of its values are defaults to check.")
    return 0


def _slips(names: list[str], language: str, *, as_json: bool) -> int:
    """``kiosk houses slips NAME``: the mistakes that are recognised, by rule."""
    if len(names) != 1:
        raise UserError("kiosk houses slips: expected the name of one house")
    found = slips_by_rule(load_house_file(names[0]).house, language)
    if as_json:
        _out(dumps({"slips": found}, 2))
        return 0
    for rule, slips in found.items():
        _out(rule)
        for slip in slips:
            _out(f"  {slip['mistake']:<22} {slip['text']}")
    return 0


def _check_house(file: str, *, as_json: bool) -> int:
    path = Path(file)
    if path.is_dir():
        raise UserError(f"{file}: is a folder; expected a .toml file")
    if not path.is_file():
        raise UserError(f"{file}: no such file")
    if path.suffix != ".toml":
        raise UserError(f"{file}: expected a .toml file")
    try:
        house = load_house_file(path).house
    except HouseError as problem:
        print(_safe(str(problem)), file=sys.stderr)
        if as_json:
            _out(dumps({"file": file, "holds": False, "message": str(problem)}))
        return 1
    if as_json:
        _out(dumps({"file": file, "holds": True, "game": house.game, "title": house.title}))
    else:
        _out(f"{file}: holds ({house.title}, game {house.game})")
    return 0


def _safe(text: str) -> str:
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _out(text: str) -> None:
    print(_safe(text))
