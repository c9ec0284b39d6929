"""The rules beside other hand evaluators, and full tables settled and explained."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from kiosk.bench.evaluators import OTHERS, Evaluator, Ids, MissingError, kiosk
from kiosk.bench.figures import Figure
from kiosk.rules import HouseFile, list_houses, load_house_file, settle_case
from kiosk.rules.explain import settle_and_explain
from kiosk.rules.generate import generate

SIZES = (5, 6, 7)
SIX = 6
_ONE, _MANY = 20_000, 200_000
"""Hands in a run one by one, and together; slow evaluators are timed on fewer."""
_ROUNDS = 6
_RUN_S = 0.1
_TABLES = 60


def random_hands(count: int, size: int, seed: int = 1) -> Ids:
    """Random hands as rows of indices into DECK; the same for the same arguments."""
    random = np.random.default_rng(seed)
    return np.argsort(random.random((count, 52)), axis=1)[:, :size].astype(np.uint8)


def rate(run: Callable[[Any], object], prepare: Callable[[Ids], Any], hands: Ids) -> float:
    """Million hands a second. As many of the hands as take about ``_RUN_S``."""
    few = prepare(hands[:200])
    run(few)
    began = time.perf_counter()
    run(few)
    each = (time.perf_counter() - began) / len(hands[:200])
    count = min(len(hands), max(200, int(_RUN_S / each)))
    ready = prepare(hands[:count])
    began = time.perf_counter()
    run(ready)
    return count / (time.perf_counter() - began) / 1e6


def evaluation(evaluators: list[Evaluator], size: int) -> list[Figure]:
    """All evaluators in turn, several times over; the best run of each counts."""
    ways: dict[str, dict[str, float]] = {"one by one": {}, "together": {}}
    ones, manys = random_hands(_ONE, size), random_hands(_MANY, size)
    for _ in range(_ROUNDS):
        for item in evaluators:
            one, many = ways["one by one"], ways["together"]
            found = rate(item.one, item.prepare_one, ones)
            one[item.name] = max(found, one.get(item.name, 0.0))
            found = rate(item.many, item.prepare_many, manys)
            many[item.name] = max(found, many.get(item.name, 0.0))
    figures = [
        Figure(f"{size} cards {way}, {name}", found, "million hands/s")
        for way, rates in ways.items()
        for name, found in rates.items()
    ]
    own, *others = ways["together"]
    if others:
        best = {name: max(rates[name] for rates in ways.values()) for name in others}
        name = max(best, key=lambda other: best[other])
        times = ways["together"][own] / best[name]
        figures.append(Figure(f"{size} cards together, kiosk to the best other ({name})", times))
    return figures


def six_boxes(house: str) -> HouseFile:
    """The house with six boxes, also where its own card allows fewer."""
    file = load_house_file(house)
    changed = replace(file.house, max_boxes=SIX)
    return HouseFile(changed, {**file.values, "max_boxes": SIX}, file.extends)


def settlements() -> list[Figure]:
    """Full tables settled a second, and one settled with explanations in milliseconds."""
    figures, every = [], list[float]()
    for house in list_houses():
        file = six_boxes(house)
        houses = {house: file}
        cases = [generate(file, seed, boxes=SIX) for seed in range(_TABLES)]
        settled = milliseconds(partial(settle_case, houses=houses), cases)
        told = milliseconds(partial(settle_and_explain, language="ru", houses=houses), cases)
        every += told
        rate = 1000 / statistics.median(settled)
        figures.append(Figure(f"{house}, six boxes: tables settled", rate, "/s"))
        figures.append(
            Figure(f"{house}, six boxes: settled and explained", statistics.median(told), "ms")
        )
    name = "a table of six boxes settled and explained, median of all houses"
    return [*figures, Figure(name, statistics.median(every), "ms")]


def milliseconds(call: Callable[[Any], object], cases: list[Any]) -> list[float]:
    """How long the call takes for each case, after a run to warm up."""
    call(cases[0])
    times = []
    for case in cases:
        began = time.perf_counter()
        call(case)
        times.append((time.perf_counter() - began) * 1000)
    return times


def available() -> tuple[list[Evaluator], list[Figure]]:
    """The kiosk's evaluator and the others installed, and what is missing in words."""
    evaluators, missing = [kiosk()], []
    for name, make in OTHERS.items():
        try:
            evaluators.append(make())
        except MissingError:
            words = "not installed, left out (pip install 'dealer-kiosk[bench]')"
            missing.append(Figure(name, words))
    return evaluators, missing


def rules(args: argparse.Namespace) -> list[Figure]:
    """Five-, six- and seven-card evaluation beside other libraries, then settlements."""
    evaluators, figures = available()
    for size in SIZES:
        figures += evaluation(evaluators, size)
    return [*figures, *settlements()]
