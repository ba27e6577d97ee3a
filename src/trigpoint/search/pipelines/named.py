"""THE PIPELINES by name: what `--pipeline` and the library offer. Adding one is adding a row.

``auto`` is not here: it is the intent table, which the engine takes when no pipeline is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from trigpoint.errors import UsageError
from trigpoint.model import Evidence, Hit, Query
from trigpoint.ports import Snapshot, Vectors
from trigpoint.search.intents import intent_of
from trigpoint.search.pipelines.planner import RetrievalPlanner, build_retrieve_plan
from trigpoint.search.pipelines.run import Carried, Clock, Means, View, carry_out, reading
from trigpoint.search.pipelines.values import (
    GraphExpansionPlan,
    RetrievalBudget,
    RetrievalCapabilities,
    RetrievalPathPlan,
    RetrievalStagePlan,
)
from trigpoint.search.plan import AUTO, Plan
from trigpoint.search.run import Ranking

TOP_K = 50
"""Results of a pipeline that has no number of its own."""


class Recipe(NamedTuple):
    """One pipeline: what it does, and its plan for a question under a budget with what is there."""

    words: str
    plan: Callable[[str, RetrievalBudget, RetrievalCapabilities], RetrievalPathPlan]


def _always(plan: RetrievalPathPlan) -> Callable[..., RetrievalPathPlan]:
    return lambda question, budget, there: plan


def bm25(top_k: int = TOP_K) -> RetrievalPathPlan:
    """BM25 alone."""
    return RetrievalPathPlan(
        "bm25",
        "lexical",
        (RetrievalStagePlan("sparse"),),
        top_k,
        "none",
        rationale="BM25 over chunks, nothing else",
    )


def embedding(top_k: int = TOP_K) -> RetrievalPathPlan:
    """The vectors alone."""
    return RetrievalPathPlan(
        "embedding",
        "semantic",
        (RetrievalStagePlan("dense"),),
        top_k,
        "none",
        rationale="nearest vectors, nothing else",
    )


def hybrid(stage1: int = 128, stage2: int = TOP_K) -> RetrievalPathPlan:
    """BM25 for recall, then the vectors of those chunks only."""
    return RetrievalPathPlan(
        "hybrid",
        "lexical_semantic",
        (RetrievalStagePlan("sparse", top_k=stage1), RetrievalStagePlan("dense", top_k=stage2)),
        max(stage1, stage2),
        "cascade",
        final_top_k=stage2,
        rationale=f"a cascade: BM25 {stage1}, ranked by the vectors of those, {stage2} kept",
    )


def sparse_graph(
    stage1: int = 5, stage2: int = TOP_K, graph: GraphExpansionPlan | None = None, *, rerank: bool = False
) -> RetrievalPathPlan:
    """BM25 gives seeds, the edges lead on."""
    grown = replace(graph or GraphExpansionPlan(), seed_top_k=stage1, expand_top_k=stage2)
    return RetrievalPathPlan(
        "graph",
        "structural",
        (RetrievalStagePlan("sparse", top_k=stage1),),
        stage1,
        "none",
        enable_rerank=rerank,
        rerank_strategy="embedding" if rerank else None,
        graph=grown,
        final_top_k=stage2,
        rationale=f"BM25 gives {stage1} seeds, the edges lead on from them"
        + ", the vectors order what was reached" * rerank,
    )


def dense_graph(
    dense: int = 20,
    final: int = 10,
    graph: GraphExpansionPlan | None = None,
    *,
    weight: float = 0.0,
    rrf_k: int = 60,
) -> RetrievalPathPlan:
    """The vectors, then their neighbours in the graph, then a rerank of both."""
    grown = graph or GraphExpansionPlan(
        "dense", dense, expand_top_k=5 * dense, hops=1, per_seed=5, edge_kinds=("calls", "references")
    )
    return RetrievalPathPlan(
        "dense-graph",
        "semantic",
        (RetrievalStagePlan("dense", top_k=dense),),
        dense,
        "none",
        enable_rerank=True,
        rerank_strategy="embedding",
        graph=grown,
        final_top_k=final,
        rrf_k=rrf_k,
        graph_weight=weight,
        rationale=f"the {dense} nearest vectors, up to {grown.per_seed} neighbours of each, ordered by their vectors",
    )


def retrieve_rerank(mode: str, fusion: str, strategy: str = "embedding") -> RetrievalPathPlan:
    """A retrieval of one mode, then a rerank."""
    stages = tuple(build_retrieve_plan(mode))
    return RetrievalPathPlan(
        f"rerank-{mode}",
        mode,
        stages,
        100,
        fusion if len(stages) > 1 else "none",
        enable_rerank=True,
        rerank_strategy=strategy,
        rerank_candidate_top_k=TOP_K,
        final_top_k=TOP_K,
        rationale=f"{mode} retrieval, the best {TOP_K} reranked ({strategy})",
    )


PIPELINES: Mapping[str, Recipe] = {
    "bm25": Recipe("BM25 alone", _always(bm25())),
    "embedding": Recipe("vectors alone", _always(embedding())),
    "hybrid": Recipe("BM25 128, then vectors within those, 50 kept", _always(hybrid())),
    "graph": Recipe("5 BM25 seeds, then 2 hops along the edges", _always(sparse_graph())),
    "graph-ppr": Recipe(
        "5 BM25 seeds, then personalised PageRank",
        _always(replace(sparse_graph(graph=GraphExpansionPlan(use_ppr=True)), name="graph-ppr")),
    ),
    "graph-rerank": Recipe(
        "5 BM25 seeds, 2 hops, ordered by vectors",
        _always(replace(sparse_graph(rerank=True), name="graph-rerank")),
    ),
    "dense-graph": Recipe("20 nearest vectors, 5 neighbours of each, reranked", _always(dense_graph())),
    "dense-graph-fused": Recipe(
        "the same, the neighbours fused by RRF with weight .5",
        _always(replace(dense_graph(weight=0.5), name="dense-graph-fused")),
    ),
    "rerank-dense": Recipe("vectors, then a rerank of 50", _always(retrieve_rerank("dense", "none"))),
    "rerank-sparse": Recipe("BM25, then a rerank of 50", _always(retrieve_rerank("sparse", "none"))),
    "rerank-weighted": Recipe(
        "vectors .6 and BM25 .4 by weighted score, then a rerank",
        _always(replace(retrieve_rerank("hybrid", "weighted"), name="rerank-weighted")),
    ),
    "rerank-rrf": Recipe(
        "vectors .6 and BM25 .4 by RRF, then a rerank",
        _always(replace(retrieve_rerank("hybrid", "rrf"), name="rerank-rrf")),
    ),
    "planned": Recipe("what RetrievalPlanner chooses for the question", RetrievalPlanner().select),
}
"""The pipelines; each has a row in the quality table."""


def hits_of(carried: Carried, snapshot: Snapshot, limit: int) -> tuple[Hit, ...]:
    """The results with their reasons: the score is that of the last step, the rest is said in words."""
    ranks = {
        engine: {one.chunk: rank for rank, one in enumerate(ranking, 1)}
        for engine, ranking in carried.retrieved.items()
    }
    scores = {one.chunk: one.score for one in carried.ranking[:limit]}
    step = f"pipeline:{carried.plan.name}"
    return tuple(
        Hit(
            stored,
            (Evidence(step, scores[stored.id], ", ".join(_reasons(stored.id, ranks, carried))),),
            stored.chunk.start,
        )
        for stored in snapshot.chunks(list(scores))
    )


def _reasons(chunk: int, ranks: Mapping[str, Mapping[int, int]], carried: Carried) -> Iterable[str]:
    for engine, places in ranks.items():
        if chunk in places:
            yield f"{engine} #{places[chunk]}"
    if chunk in carried.notes:
        yield carried.notes[chunk]
    if carried.reranked and carried.plan.rerank_strategy:
        yield f"reranked by {carried.plan.rerank_strategy}"


def search(query: Query, snapshot: Snapshot, plan: Plan, clock: Clock) -> Ranking:
    """The hits of the pipeline that the plan names, under the intent of the question, whose budget and packing count.

    Raises UsageError for an unknown pipeline, and for one that needs vectors where there are none.
    """
    recipe = PIPELINES.get(plan.pipeline)
    if recipe is None:
        raise UsageError(
            f"no pipeline is called {plan.pipeline!r}", f"it is one of: {', '.join((AUTO, *PIPELINES))}"
        )
    there = capabilities(snapshot, plan.vectors)
    chosen = recipe.plan(query.text, RetrievalPlanner().normalize_budget(plan.tier), there)
    carried = carry_out(chosen, query, View(snapshot, plan.vectors), _means(chosen, plan, clock))
    intent = intent_of(query)
    hits = hits_of(carried, snapshot, plan.hits(intent))
    name = f"pipeline {plan.pipeline}" + f": {chosen.name}" * (chosen.name != plan.pipeline)
    return Ranking(
        query, intent, hits, len(carried.filtered), carried.stages, carried.lacks, {}, name, chosen.rationale
    )


def _means(chosen: RetrievalPathPlan, plan: Plan, clock: Clock) -> Means:
    """A pipeline that reranks does it with the model of the settings where one is set, else with the vectors."""
    if plan.rerank is None or chosen.rerank_strategy is None:
        return Means(clock)
    return Means(clock, {chosen.rerank_strategy: reading(plan.rerank.model, plan.rerank.seconds, clock)})


def capabilities(snapshot: Snapshot, vectors: Vectors | None) -> RetrievalCapabilities:
    """What an index has to plan with."""
    return RetrievalCapabilities(
        has_dense=vectors is not None,
        has_sparse=True,
        has_graph=next(iter(snapshot.arcs()), None) is not None,
        has_embedding_rerank=vectors is not None,
        has_llm_rerank=False,
    )
