"""Scores of one ranked answer, each from 0 to 1. Pure.

NDCG counts every result as a rank and primary and secondary targets alike, as semble's benchmark does; MRR and Acc@k count each
file once. Recall at a token budget is the share of targets that the shown text of an answer within that budget touches.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trigpoint.evaluation.questions import Question, Target

DEPTHS = (1, 5, 10)
BUDGETS = (500, 1_000, 2_000, 4_000)
"""Token budgets at which recall is measured."""


class Place(NamedTuple):
    """One result: where it lies, and the name of the definition it is there for."""

    path: str
    start: int = 0
    end: int = 0
    name: str = ""


class Answered(NamedTuple):
    """One answer: results, best first; what is shown within each budget; how long it took; tokens of the default answer."""

    places: tuple[Place, ...]
    shown: Mapping[int, tuple[Place, ...]] = {}
    milliseconds: float = 0.0
    tokens: int = 0


def touches(place: Place, target: Target) -> bool:
    """Same file (either path may be the longer one), and common lines where both have some."""
    mine, theirs = place.path, target.path
    if mine != theirs and not mine.endswith("/" + theirs) and not theirs.endswith("/" + mine):
        return False
    if not target.start or not place.start:
        return True
    return place.start <= target.end and target.start <= place.end


def shows(place: Place, function: Target) -> bool:
    """The result is there for this definition, or its lines share half of the shorter one's; not when it is far longer."""
    if not touches(place, Target(function.path)):
        return False
    if place.name and function.name and _last(place.name) == _last(function.name):
        return True
    if not (place.start and function.start):
        return False
    size, length = function.end - function.start + 1, place.end - place.start + 1
    shared = min(place.end, function.end) - max(place.start, function.start) + 1
    return length <= max(3 * size, 80) and shared > 0 and 2 * shared >= min(size, length)


def _last(name: str) -> str:
    return name.replace("::", ".").replace("#", ".").rpartition(".")[2]


def ndcg(places: Sequence[Place], targets: Sequence[Target], depth: int = 10) -> float:
    """Binary NDCG over the first results; a target sits at the first result that touches it."""
    ranks = {
        next((rank for rank, one in enumerate(places[:depth]) if touches(one, target)), -1)
        for target in targets
    }
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(depth, len(targets))))
    return sum(1 / math.log2(rank + 2) for rank in ranks if rank >= 0) / ideal if ideal else 0.0


def file_rank(places: Sequence[Place], target: Target) -> float:
    """The 1-based rank of a target among distinct files; infinity when it is not there."""
    seen: set[str] = set()
    for place in places:
        seen.add(place.path)
        if touches(place, target):
            return float(len(seen))
    return math.inf


def scores(question: Question, answer: Answered, depth: int = 10) -> dict[str, float]:
    """Every score of one answer by name: ndcg@K, mrr, acc@k, func@k, recall@BUDGET."""
    places, targets = answer.places, (*question.relevant, *question.secondary)
    ranks = [file_rank(places, one) for one in question.relevant]
    found = {
        f"ndcg@{depth}": ndcg(places, targets, depth),
        "mrr": 1.0 / min(ranks),
        **{f"acc@{k}": float(max(ranks) <= k) for k in DEPTHS},
    }
    if question.functions:
        for k in DEPTHS[1:]:
            shown = [any(shows(one, function) for one in places[:k]) for function in question.functions]
            found[f"func@{k}"] = float(all(shown))
    for budget, shown_places in answer.shown.items():
        held = [any(touches(one, target) for one in shown_places) for target in targets]
        found[f"recall@{budget}"] = sum(held) / len(held)
    return found
