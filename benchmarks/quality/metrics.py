"""Scores of one ranked answer, and intervals of their means. Pure: no files, no clock.

Every score lies in [0, 1]. Files are counted once however many results lie in them, except in NDCG@10 and in
the function scores, where each result takes a rank: that is how the public tables of the two data sets count.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from corpora import Question, Target

DEPTHS = (1, 3, 5, 10)
NOISE = re.compile(
    r"""(?:^|/)(?:
        (?:tests?|testing|test_?data|__tests__|specs?|e2e|fixtures?|mocks?)/
      | (?:bench|benchmarks?|examples?|docs?|docs?_src)/
      | test_[^/]*$ | conftest\.py$ | [^/]*_tests?\.\w+$ | [^/]*\.(?:test|spec)\.[jt]sx?$ | [^/]*Tests?\.java$
    )""",
    re.VERBOSE | re.IGNORECASE,
)
SUFFIXES = """
.py .pyx .pyi .go .rs .java .kt .scala .c .h .cc .cpp .cxx .hpp .hh .inl .js .jsx .mjs .cjs .ts .tsx .mts .cts
.vue .svelte .rb .php .cs .swift .m .mm .lua .sh .bash .pl .r .jl .ex .exs .hs .ml .clj .zig .dart .y .l .jq
"""
CODE = frozenset(SUFFIXES.split())


@dataclass(frozen=True, slots=True)
class Result:
    """One ranked place; lines are one-based and inclusive, absent when a whole file is meant."""

    path: str
    start: int | None = None
    end: int | None = None
    symbol: str | None = None


def is_code(path: str) -> bool:
    """Whether the name ends like a source file."""
    return "." + path.rpartition(".")[2].lower() in CODE


def without_noise(results: Iterable[Result]) -> list[Result]:
    """The results outside tests, examples and documentation: no bug report here was fixed there."""
    return [r for r in results if is_code(r.path) and not NOISE.search(r.path)]


def hits(result: Result, target: Target) -> bool:
    """Whether a result shows a target: same file (either path may be the longer), and lines if it has any."""
    a, b = result.path, target.path
    if a != b and not a.endswith("/" + b) and not b.endswith("/" + a):
        return False
    if target.start is None or target.end is None or result.start is None or result.end is None:
        return True
    return result.start <= target.end and target.start <= result.end


def ndcg10(results: Sequence[Result], targets: Sequence[Target]) -> float:
    """Binary NDCG over the first ten results; a target sits at the first result that shows it."""
    gained = set()
    for target in targets:
        rank = next((rank for rank, result in enumerate(results[:10]) if hits(result, target)), None)
        if rank is not None:
            gained.add(rank)
    ideal = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(targets))))
    return sum(1 / math.log2(rank + 2) for rank in gained) / ideal if ideal else 0.0


def file_rank(results: Sequence[Result], target: Target) -> float:
    """The one-based rank of a target among distinct files; infinity when it is not there."""
    seen: set[str] = set()
    for result in results:
        seen.add(result.path)
        if hits(result, target):
            return len(seen)
    return math.inf


def shows_function(result: Result, function: Target) -> bool:
    """Same file, and the same name or half of the shorter one's lines; much longer results do not count."""
    if (
        result.path != function.path
        or function.name is None
        or function.start is None
        or function.end is None
    ):
        return False
    if result.symbol and _same_name(result.symbol, function.name):
        return True
    if result.start is None or result.end is None:
        return False
    size, length = function.end - function.start + 1, result.end - result.start + 1
    if length > max(3 * size, 80):
        return False
    shared = min(result.end, function.end) - max(result.start, function.start) + 1
    return shared > 0 and shared >= 0.5 * min(size, length)


def _same_name(symbol: str, name: str) -> bool:
    ours, gold = (re.split(r"::|[.#/]", s.partition("(")[0].strip()) for s in (symbol, name))
    return ours[-1] == gold[-1] and (len(ours) < 2 or len(gold) < 2 or ours[-2] == gold[-2])


def score(question: Question, results: Sequence[Result]) -> dict[str, float]:
    """All scores. acc: every primary target in the first k files; func: every function in k results."""
    ranks = [file_rank(results, target) for target in question.primary]
    scores = {
        "ndcg10": ndcg10(results, question.primary + question.secondary),
        "mrr": 1 / min(ranks, default=math.inf),
        **{f"acc{k}": float(max(ranks, default=math.inf) <= k) for k in DEPTHS},
    }
    if question.functions:
        for k in (5, 10):
            found = [any(shows_function(r, f) for r in results[:k]) for f in question.functions]
            scores[f"func{k}"] = float(all(found))
    return scores


Clusters = Mapping[str, Sequence[float]]


def mean_of_means(clusters: Sequence[Sequence[float]]) -> float:
    """The mean over repositories of each one's mean: every repository weighs the same."""
    return sum(sum(c) / len(c) for c in clusters) / len(clusters)


def pooled_mean(clusters: Sequence[Sequence[float]]) -> float:
    """The mean over questions: every question weighs the same."""
    return sum(map(sum, clusters)) / sum(map(len, clusters))


def interval(
    clusters: Clusters, mean: Callable[[Sequence[Sequence[float]]], float], draws: int = 2000
) -> tuple[float, float]:
    """The middle 95 % of the mean when whole repositories are drawn again with replacement (seeded)."""
    pools = [values for _, values in sorted(clusters.items())]
    rng = random.Random(1)
    means = sorted(mean(rng.choices(pools, k=len(pools))) for _ in range(draws))
    return means[int(0.025 * draws)], means[int(0.975 * draws) - 1]
