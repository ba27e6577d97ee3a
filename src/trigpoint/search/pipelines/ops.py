"""The small steps that pipelines are made of: fuse, keep, expand. Pure, but for what they read of a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from trigpoint.graph.rank import KIND_WEIGHTS, Csr, csr, push
from trigpoint.graph.relation import CERTAIN
from trigpoint.graph.walk import Reach, walk
from trigpoint.model import Scored, StoredChunk, StoredEdge, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.search.pipelines.values import GraphExpansionPlan

Ranking = tuple[Scored, ...]

HOP_DECAY = 0.5
"""What a hop leaves of the score of the seed it starts from."""
FAN = 50
"""Neighbours of one node that a walk follows beyond the first hop."""
PPR_EPSILON = 1e-5


class Expanded(NamedTuple):
    """Chunks that the edges lead to, best first, with the reason of each."""

    ranking: Ranking
    notes: Mapping[int, str]


def fuse_rrf(rankings: Sequence[tuple[float, Ranking]], k: int) -> Ranking:
    """Reciprocal rank fusion of (weight, ranking) pairs: sum of weight / (k + rank), the first seen before its equals."""
    sums: dict[int, float] = {}
    for weight, ranking in rankings:
        for rank, chunk in enumerate(dict.fromkeys(one.chunk for one in ranking), 1):
            sums[chunk] = sums.get(chunk, 0.0) + weight / (k + rank)
    return by_score(sums)


def fuse_weighted(rankings: Sequence[tuple[float, Ranking]]) -> Ranking:
    """The weighted sum of scores, each ranking brought to 0..1 first: raw BM25 and cosines are no scale to add on."""
    sums: dict[int, float] = {}
    for weight, ranking in rankings:
        scores = [one.score for one in ranking]
        low, wide = min(scores, default=0.0), (max(scores, default=0.0) - min(scores, default=0.0)) or 1.0
        for one in ranking:
            sums[one.chunk] = sums.get(one.chunk, 0.0) + weight * (one.score - low + wide * _LAST) / (
                wide * (1 + _LAST)
            )
    return by_score(sums)


_LAST = 0.05
"""What the last of a ranking is worth, against 1.05 of the first: more than what is not in it."""


def by_score(scores: Mapping[int, float]) -> Ranking:
    """A ranking, best first; of equals the first seen."""
    return tuple(Scored(chunk, score) for chunk, score in sorted(scores.items(), key=lambda one: -one[1]))


def fuse_files(rankings: Sequence[tuple[float, Ranking]], path_of: Callable[[int], str], k: int) -> Ranking:
    """RRF of files: each file votes once a ranking, with its best chunk, and is shown by the first that was seen."""
    sums: dict[str, float] = {}
    shown: dict[str, int] = {}
    for weight, ranking in rankings:
        files = dict.fromkeys(path_of(one.chunk) for one in ranking)
        for rank, path in enumerate(files, 1):
            sums[path] = sums.get(path, 0.0) + weight / (k + rank)
        for one in ranking:
            shown.setdefault(path_of(one.chunk), one.chunk)
    return tuple(Scored(shown[path], score) for path, score in sorted(sums.items(), key=lambda one: -one[1]))


def keep(
    ranking: Iterable[Scored],
    chunks: Mapping[int, StoredChunk],
    predicates: Sequence[Callable[[StoredChunk], bool]],
) -> Ranking:
    """The chunks that every predicate lets pass, each once, in order."""
    seen: set[int] = set()
    kept: list[Scored] = []
    for one in ranking:
        chunk = chunks.get(one.chunk)
        if chunk is not None and one.chunk not in seen and all(test(chunk) for test in predicates):
            seen.add(one.chunk)
            kept.append(one)
    return tuple(kept)


def masked(
    ranking: Ranking, chunks: Mapping[int, StoredChunk], masks: Mapping[str, Iterable[str]]
) -> Ranking:
    """Without the chunks of a language that has a mask which names neither their path nor their ``path#name``."""
    sets = {language: frozenset(allowed) for language, allowed in masks.items()}

    def passes(chunk: StoredChunk) -> bool:
        allowed = sets.get(chunk.language)
        return allowed is None or chunk.path in allowed or f"{chunk.path}#{chunk.qualified}" in allowed

    return keep(ranking, chunks, (passes,))


def is_test(chunk: StoredChunk) -> bool:
    """Whether a chunk lies in a file of tests."""
    return "test" in chunk.marks


def seeds_of(ranking: Ranking, snapshot: Snapshot, graph: Snapshot) -> dict[int, tuple[StoredSymbol, ...]]:
    """By chunk, the definitions that walks start from: those it holds, its own first; else the one around it."""
    found: dict[int, tuple[StoredSymbol, ...]] = {}
    for stored in snapshot.chunks([one.chunk for one in ranking], text=False):
        outline = graph.symbols_of(stored.path)
        lines = range(stored.chunk.start, stored.chunk.end + 1)
        inside = [one for one in outline if one.symbol.name_line in lines]
        around = [
            one
            for one in outline
            if one.symbol.start <= stored.chunk.start and one.symbol.end >= stored.chunk.end
        ]
        own = [one for one in inside if one.symbol.qualified == stored.qualified]
        found[stored.id] = tuple(dict.fromkeys((*own, *inside))) or tuple(around[-1:])
    return found


def under(grown: Expanded, seeds: Ranking) -> Expanded:
    """The expansion scaled so that it stands below every seed, in its own order."""
    floor = min((one.score for one in seeds), default=0.0)
    top = max((one.score for one in grown.ranking), default=0.0)
    if top <= 0 or top < floor:
        return grown
    scale = 0.99 * max(floor, 0.0) / top
    return Expanded(tuple(Scored(one.chunk, one.score * scale) for one in grown.ranking), grown.notes)


class Ground(NamedTuple):
    """What an expansion reads: where the chunks lie, where the edges lie (mostly the same), and the plan."""

    plan: GraphExpansionPlan
    snapshot: Snapshot
    graph: Snapshot


_Seeds = Mapping[int, tuple[StoredSymbol, ...]]
_Reached = tuple[StoredSymbol, float, str]


def expand(ranking: Ranking, ground: Ground) -> Expanded:
    """What the edges lead to from the best chunks of a ranking, the seeds themselves not among it."""
    plan = ground.plan
    seeds = seeds_of(ranking[: plan.seed_top_k], ground.snapshot, ground.graph)
    scores = {one.chunk: one.score for one in ranking}
    way = _neighbours if plan.per_seed is not None else _by_rank if plan.use_ppr else _by_distance
    return _chunks(way(seeds, scores, ground), seeds, ground)


def graph_of(snapshot: Snapshot, plan: GraphExpansionPlan) -> Csr:
    """The certain edges of these kinds, in both directions where the plan goes both ways."""
    forward, backward = plan.direction != "backward", plan.direction != "forward"
    arcs: list[tuple[int, int, float]] = []
    for source, target, kind, _ in snapshot.arcs(CERTAIN):
        if kind in plan.edge_kinds:
            weight = KIND_WEIGHTS.get(kind, 0.3)
            arcs += [(source, target, weight)] * forward + [(target, source, weight)] * backward
    return csr(arcs)


def _by_rank(seeds: _Seeds, scores: Mapping[int, float], ground: Ground) -> list[_Reached]:
    plan = ground.plan
    mass: dict[int, float] = {}
    for chunk, symbols in seeds.items():
        for one in symbols:
            mass[one.id] = mass.get(one.id, 0.0) + max(scores[chunk], 1e-9) / len(symbols)
    ranks = push(graph_of(ground.graph, plan), mass, plan.damping, PPR_EPSILON)
    ordered = sorted(ranks, key=lambda node: (-ranks[node], node))
    note = f"personalised PageRank, damping {plan.damping:g}"
    return [(one, ranks[one.id], note) for one in ground.graph.nodes(ordered)]


def _by_distance(seeds: _Seeds, scores: Mapping[int, float], ground: Ground) -> list[_Reached]:
    plan = ground.plan
    starts = {one.id: one for symbols in seeds.values() for one in symbols}
    worth = {one.id: scores[chunk] for chunk, symbols in reversed([*seeds.items()]) for one in symbols}
    reached: list[_Reached] = []
    for backward in _WAYS[plan.direction]:
        steps = walk(ground.graph, starts, Reach(plan.edge_kinds, backward, plan.hops, CERTAIN, FAN)).steps
        names = starts | {step.symbol.id: step.symbol for step in steps}
        origin = dict(worth)
        for step in steps:
            origin[step.symbol.id] = score = origin.get(step.near, 0.0) * HOP_DECAY
            reached.append((step.symbol, score, _said(step.edge, backward, names[step.near], step.hop)))
    return sorted(reached, key=lambda row: -row[1])


def _neighbours(seeds: _Seeds, scores: Mapping[int, float], ground: Ground) -> list[_Reached]:
    """One hop, users and used in turn, at most ``per_seed`` of each seed."""
    plan = ground.plan
    rows: list[_Reached] = []
    for chunk, symbols in seeds.items():
        names = {one.id: one for one in symbols}
        sides: list[list[_Reached]] = []
        for backward in _WAYS[plan.direction]:
            steps = walk(ground.graph, names, Reach(plan.edge_kinds, backward, 1, CERTAIN, FAN)).steps
            score = scores[chunk] * HOP_DECAY
            sides.append(
                [(step.symbol, score, _said(step.edge, backward, names[step.near], 1)) for step in steps]
            )
        turns = [row for turn in zip_longest(*sides) for row in turn if row is not None]
        rows += turns[: plan.per_seed]
    return rows


_WAYS = {"forward": (False,), "backward": (True,), "both": (True, False)}


def _said(edge: StoredEdge, backward: bool, near: StoredSymbol, hop: int) -> str:
    name = near.symbol.qualified
    return f"hop {hop}, {edge.kind} {name}" if backward else f"hop {hop}, {name} {edge.kind} it"


def _chunks(rows: Iterable[_Reached], seeds: _Seeds, ground: Ground) -> Expanded:
    """The chunks that define what was reached, each once, as many as the plan has room for."""
    found: dict[int, float] = {}
    notes: dict[int, str] = {}
    for one, score, note in rows:
        if len(found) >= ground.plan.expand_top_k:
            break
        chunk = ground.snapshot.chunk_at(one.path, one.symbol.name_line)
        if chunk is None or chunk.id in seeds or chunk.id in found:
            continue
        if not (ground.plan.tests and is_test(chunk)):
            found[chunk.id], notes[chunk.id] = score, note
    return Expanded(tuple(Scored(chunk, score) for chunk, score in found.items()), notes)
