"""How likely the first result is the right file: signs of a ranking, weighed by a logistic model fitted elsewhere. Pure.

``benchmarks/quality/calibrate.py`` fits the weights on the tuning repositories and prints the reliability table; they lie
in calibration.py as data. The model knows questions in words, names, paths, tasks and reports. What walks the graph or lists what
passes a filter has no first result to be right: its confidence is None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from trigpoint.model import Evidence, Query
from trigpoint.search.calibration import WEIGHTS
from trigpoint.search.ranking import Candidates

FILES = 10
"""Best files whose scores are compared."""
FITTED = frozenset({"symbol", "path", "concept", "failure", "task"})
"""Kinds of question that the weights were fitted on."""


class Seen(NamedTuple):
    """What a ranking shows of itself: its best files, the reasons of the first result, and the question."""

    query: Query
    intent: str
    files: tuple[float, ...]  # score of each file's best chunk, best first
    first: tuple[Evidence, ...]  # reasons of the first result
    candidates: int  # chunks that some leg has found
    near: float = 0.0  # likeness in meaning of the first result, 0 where no vectors were asked
    nearest: float = 0.0  # that of the candidate most alike
    unknown: float = 0.0  # share of the question's words that stand nowhere in the index


def seen_of(
    state: Candidates, order: Sequence[int], intent: str, near: Mapping[int, float], unknown: float = 0.0
) -> Seen:
    """What a ranking shows of itself: to be asked before it is cut."""
    best: dict[str, float] = {}
    for chunk in order:
        best.setdefault(state.chunks[chunk].path, state.score(chunk))
        if len(best) == FILES:
            break
    first = order[0] if order else -1
    return Seen(
        query=state.query,
        intent=intent,
        files=tuple(best.values()),
        first=tuple(state.evidence.get(first, ())),
        candidates=len(state.evidence),
        near=near.get(first, 0.0),
        nearest=max(near.values(), default=0.0),
        unknown=unknown,
    )


def confidence(seen: Seen) -> float | None:
    """The probability that the first result lies in the right file; None for a kind that was not fitted."""
    if seen.intent not in FITTED:
        return None
    if not seen.files:
        return 0.0
    total = WEIGHTS["constant"] + sum(WEIGHTS[name] * sign for name, sign in signs(seen).items())
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def signs(seen: Seen) -> Mapping[str, float]:
    """Every sign by name."""
    reasons = {one.name: one.value for one in seen.first}
    return {name: find(seen, reasons) for name, find in SIGNS.items()}


Reasons = Mapping[str, float]


def _score(seen: Seen, reasons: Reasons) -> float:
    return seen.files[0]


def _lead(seen: Seen, reasons: Reasons) -> float:
    """By how much the first file leads, of its score."""
    return _drop(seen.files, 1)


def _lead_over_fifth(seen: Seen, reasons: Reasons) -> float:
    return _drop(seen.files, 4)


def _drop(files: Sequence[float], place: int) -> float:
    other = files[place] if place < len(files) else 0.0
    return (files[0] - other) / max(files[0], 1e-9)


def _share(seen: Seen, reasons: Reasons) -> float:
    """The first file's part of the best files' scores, sharpened: near 1 where nothing else comes close."""
    powers = [math.exp(SHARPNESS * (one - seen.files[0])) for one in seen.files[:FILES]]
    return 1.0 / math.fsum(powers)


SHARPNESS = 2.0
"""How fast the part of a file falls with its distance from the first: e^-2 for a distance of one."""


def _legs(seen: Seen, reasons: Reasons) -> float:
    """How many legs have the first result among theirs."""
    return float(sum(name.startswith("leg:") for name in reasons))


def _reason(name: str) -> Callable[[Seen, Reasons], float]:
    return lambda seen, reasons: reasons.get(name, 0.0)


def _words(seen: Seen, reasons: Reasons) -> float:
    return math.log(1 + len(seen.query.words))


def _size(seen: Seen, reasons: Reasons) -> float:
    return math.log(1 + seen.candidates) / 10


def _is(intent: str) -> Callable[[Seen, Reasons], float]:
    return lambda seen, reasons: float(seen.intent == intent)


def _unlike(seen: Seen, reasons: Reasons) -> float:
    """How far the first result is in meaning from the candidate that is nearest."""
    return seen.nearest - seen.near


SIGNS: Mapping[str, Callable[[Seen, Reasons], float]] = {
    "score": _score,
    "lead": _lead,
    "lead-over-fifth": _lead_over_fifth,
    "share": _share,
    "legs": _legs,
    "bm25": _reason("signal:bm25"),
    "file-bm25": _reason("signal:file-bm25"),
    "file-name": _reason("signal:file-name"),
    "definition": _reason("signal:definition"),
    "symbol-words": _reason("signal:symbol-words"),
    "role": _reason("signal:role"),
    "near": lambda seen, reasons: seen.near,
    "unlike": _unlike,
    "unknown": lambda seen, reasons: seen.unknown,
    "unseen": lambda seen, reasons: float(not seen.nearest),
    "words": _words,
    "size": _size,
    "report": _is("failure"),
    "name": _is("symbol"),
    "task": _is("task"),
    "covered": _reason("signal:covered"),
}
"""The signs of a ranking; each has its weight in calibration.py."""
