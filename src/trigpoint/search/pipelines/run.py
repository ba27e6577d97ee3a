"""Any plan carried out: retrieve, fuse, expand along the edges, keep what passes, rerank, cut. It reads as its diagram."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from trigpoint.errors import ProviderError, UsageError
from trigpoint.model import Passage, Query, Scored, Stage, StoredChunk
from trigpoint.ports import Reranker, Snapshot, Vectors
from trigpoint.search.legs import lexical, vector
from trigpoint.search.pipelines.ops import (
    Expanded,
    Ground,
    Ranking,
    expand,
    fuse_files,
    fuse_rrf,
    fuse_weighted,
    keep,
    masked,
    under,
)
from trigpoint.search.pipelines.values import RetrievalPathPlan, RetrievalStagePlan

Rerank = Callable[[str, Sequence[StoredChunk]], Sequence[float]]
"""How well each chunk answers a question, in the order of the chunks; higher is better. May raise ProviderError."""
Predicate = Callable[[StoredChunk], bool]
Clock = Callable[[], float]


class View(NamedTuple):
    """What a plan reads: one generation, its vectors where there are any, and the graph's generation (None: the same)."""

    snapshot: Snapshot
    vectors: Vectors | None = None
    graph: Snapshot | None = None


class Means(NamedTuple):
    """What a plan may call: rerankers by the name of their strategy, filters of candidates, a clock in seconds."""

    clock: Clock
    reranks: Mapping[str, Rerank] = {}
    predicates: tuple[Predicate, ...] = ()


def reading(reranker: Reranker, seconds: float, clock: Clock) -> Rerank:
    """A Reranker as a step of a plan, with so many seconds for one question."""

    def scores(question: str, chunks: Sequence[StoredChunk]) -> Sequence[float]:
        until = clock() + seconds
        passages = [Passage(one.chunk.text, f"{one.path} {one.qualified}".strip()) for one in chunks]
        return reranker.scores(question, passages, lambda: until - clock())

    return scores


class Carried(NamedTuple):
    """What a plan found, step by step. ``notes`` says of a chunk why it is there; ``lacks`` what could not be done."""

    plan: RetrievalPathPlan
    ranking: Ranking
    retrieved: Mapping[str, Ranking] = {}  # by engine
    seeds: Ranking = ()
    expanded: Ranking = ()
    filtered: Ranking = ()
    semantic: Ranking = ()  # reranked, before the graph is fused in
    reranked: Ranking = ()
    notes: Mapping[int, str] = {}
    stages: tuple[Stage, ...] = ()
    lacks: tuple[str, ...] = ()


class _Run:
    """One plan under way: the stages with their times, and the chunks read so far without their texts."""

    def __init__(self, view: View, means: Means) -> None:
        self.view = view
        self.means = means
        self.stages: list[Stage] = []
        self.lacks: list[str] = []
        self.known: dict[int, StoredChunk] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[list[str]]:
        began = self.means.clock()
        detail: list[str] = []
        yield detail
        self.stages.append(Stage(name, ", ".join(detail), (self.means.clock() - began) * 1000.0))

    def chunks(self, ranking: Ranking) -> Mapping[int, StoredChunk]:
        new = [one.chunk for one in ranking if one.chunk not in self.known]
        self.known.update((one.id, one) for one in self.view.snapshot.chunks(new, text=False))
        return self.known


def carry_out(plan: RetrievalPathPlan, query: Query, view: View, means: Means) -> Carried:
    """The results of a plan, best first.

    Raises UsageError when a stage asks for vectors that are not there: a sparse answer is never called a dense one.
    """
    run = _Run(view, means)
    retrieved: dict[str, Ranking] = {}
    for stage in plan.stages:
        within = retrieved[plan.stages[0].engine] if plan.fusion == "cascade" and retrieved else None
        with run.stage(f"retrieve {stage.engine}") as detail:
            retrieved[stage.engine] = _retrieve(stage, plan, query, run, within)
            detail.append(f"{len(retrieved[stage.engine])} chunks")
    with run.stage(f"fuse {plan.fusion}"):
        ranking = _fused(plan, retrieved)
    seeds, grown = _grown(plan, ranking, query, run)
    with run.stage("filter") as detail:
        together = (*ranking, *grown.ranking)
        filtered = keep(together, run.chunks(together), (*means.predicates, _passing(query, view.snapshot)))
        detail.append(f"{len(filtered)} of {len(together)}")
    semantic = _reranked(plan, query, filtered, run)
    reranked = _with_graph(plan, semantic, grown, run)
    final = (reranked or filtered)[: plan.results]
    return Carried(
        plan,
        final,
        retrieved,
        seeds,
        grown.ranking,
        filtered,
        semantic,
        reranked,
        grown.notes,
        tuple(run.stages),
        tuple(run.lacks),
    )


def _retrieve(
    stage: RetrievalStagePlan, plan: RetrievalPathPlan, query: Query, run: _Run, within: Ranking | None
) -> Ranking:
    count = stage.top_k or plan.retrieval_top_k
    found = _ENGINES[stage.engine](query, run.view, count, within)
    masks = stage.params.get("masks")
    if isinstance(masks, Mapping) and masks:
        found = masked(found, run.chunks(found), masks)
    return found


def _sparse(query: Query, view: View, count: int, within: Ranking | None) -> Ranking:
    if within is None:
        return lexical.rank(query, view.snapshot, count)
    scores = {one.chunk: one.score for one in lexical.rank(query, view.snapshot, WIDE)}
    return tuple(
        sorted((Scored(one.chunk, scores.get(one.chunk, 0.0)) for one in within), key=lambda one: -one.score)
    )[:count]


WIDE = 4_096
"""Chunks that BM25 is asked for where it ranks what another stage has found."""


def _dense(query: Query, view: View, count: int, within: Ranking | None) -> Ranking:
    if view.vectors is None:
        raise UsageError(
            "this pipeline needs vectors, and the index has none",
            "set an embedder (`trig config` shows it), or take the pipeline bm25",
        )
    if within is None:
        return vector.rank(query, view.snapshot, view.vectors, count)
    near = vector.near(query, view.vectors, [one.chunk for one in within])
    return tuple(
        sorted(
            (Scored(one.chunk, near[one.chunk]) for one in within if one.chunk in near),
            key=lambda one: -one.score,
        )
    )[:count]


_ENGINES: Mapping[str, Callable[[Query, View, int, Ranking | None], Ranking]] = {
    "sparse": _sparse,
    "dense": _dense,
}


def _fused(plan: RetrievalPathPlan, retrieved: Mapping[str, Ranking]) -> Ranking:
    votes = [(stage.weight, retrieved[stage.engine]) for stage in plan.stages]
    if plan.fusion == "rrf":
        return fuse_rrf(votes, plan.rrf_k)[: plan.retrieval_top_k]
    if plan.fusion == "weighted" and len(votes) > 1:
        return fuse_weighted(votes)[: plan.retrieval_top_k]
    return votes[-1][1][: plan.retrieval_top_k]


def _grown(plan: RetrievalPathPlan, ranking: Ranking, query: Query, run: _Run) -> tuple[Ranking, Expanded]:
    if plan.graph is None:
        return (), Expanded((), {})
    graph = replace(plan.graph, tests=plan.graph.tests and "test" not in query.wants)
    seeds = ranking[: graph.seed_top_k]
    way = "neighbours" if graph.per_seed is not None else "PPR" if graph.use_ppr else f"{graph.hops} hops"
    with run.stage(f"expand {way}") as detail:
        grown = under(
            expand(seeds, Ground(graph, run.view.snapshot, run.view.graph or run.view.snapshot)), ranking
        )
        detail.append(f"{len(grown.ranking)} chunks from {len(seeds)} seeds")
    return seeds, grown


def _passing(query: Query, snapshot: Snapshot) -> Predicate:
    return lambda chunk: not query.filters or snapshot.passes(chunk, query.filters)


def _reranked(plan: RetrievalPathPlan, query: Query, candidates: Ranking, run: _Run) -> Ranking:
    if not plan.enable_rerank or not candidates:
        return ()
    head = candidates[: plan.rerank_candidate_top_k or len(candidates)]
    strategy = plan.rerank_strategy or ""
    with run.stage(f"rerank {strategy}") as detail:
        scores = _scores(strategy, query, head, run)
        if scores is None:
            detail.append("not available")
            return ()
        best = tuple(sorted((Scored(*pair) for pair in scores.items()), key=lambda one: -one.score))
        detail.append(f"{len(best)} candidates")
    rest = tuple(one for one in candidates if one.chunk not in scores)
    return best + _below(best, rest)


def _with_graph(plan: RetrievalPathPlan, semantic: Ranking, grown: Expanded, run: _Run) -> Ranking:
    """The reranked candidates, with the expansion fused in as a ranking of files where the plan gives it a weight."""
    if not (plan.graph_weight and semantic):
        return semantic
    known = {one.chunk for one in semantic}
    among = tuple(one for one in grown.ranking if one.chunk in known)
    chunks = run.chunks(semantic)
    return fuse_files(
        [(1.0, semantic), (plan.graph_weight, among)], lambda chunk: chunks[chunk].path, plan.rrf_k
    )


def _below(best: Ranking, rest: Ranking) -> Ranking:
    """What was not reranked, behind what was, in its order."""
    floor = min((one.score for one in best), default=0.0)
    return tuple(Scored(one.chunk, floor - 1e-6 * place) for place, one in enumerate(rest, 1))


def _scores(strategy: str, query: Query, head: Ranking, run: _Run) -> dict[int, float] | None:
    """By chunk, how well it answers; None where nothing of the strategy is there."""
    if strategy in run.means.reranks:
        stored = run.view.snapshot.chunks([one.chunk for one in head])
        try:
            scores = run.means.reranks[strategy](query.text, stored)
        except ProviderError as error:
            run.lacks.append(f"not reranked: {error.message}")
            return None
        return dict(zip((one.id for one in stored), scores, strict=True))
    if strategy == "embedding" and run.view.vectors is not None:
        near = vector.near(query, run.view.vectors, [one.chunk for one in head])
        return {one.chunk: near.get(one.chunk, 0.0) for one in head}
    run.lacks.append(f"no {strategy} reranker is set up: the order is that before reranking")
    return None
