"""Retrieve, then rerank: any mode of retrieval, any fusion, any reranker; or whatever the planner chooses for the question."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trigpoint.errors import UsageError
from trigpoint.model import Hit
from trigpoint.pipelines.profiler import Profiler
from trigpoint.pipelines.project import Index, Model, settings_of
from trigpoint.pipelines.retrieve import Pipeline
from trigpoint.ports import Reranker
from trigpoint.search.pipelines import named
from trigpoint.search.pipelines.planner import RetrievalPlanner, build_retrieve_plan
from trigpoint.search.pipelines.run import Rerank, View, reading
from trigpoint.search.pipelines.values import (
    FUSIONS,
    MODES,
    RERANKS,
    RRF_K,
    QuerySignals,
    RetrievalBudget,
    RetrievalCapabilities,
    RetrievalPathPlan,
    RetrievalStagePlan,
    choose,
    positive,
)

SECONDS = 30.0
"""How long a reranker may take over one question."""
LEVELS = ("l0", "l2")


@dataclass(frozen=True)
class RerankContext:
    """How candidates are reranked: by the vectors of the index (``embedding``), or by a Reranker given with its strategy.

    ``candidate_top_k`` None reranks all; where a reranker fails or is not done after ``seconds`` the order
    stays, and ``last_carried.lacks`` says so.
    """

    strategy: str = "embedding"
    reranker: Reranker | None = None
    candidate_top_k: int | None = None
    seconds: float = SECONDS

    def __post_init__(self) -> None:
        choose("strategy", self.strategy, RERANKS)
        positive("candidate_top_k", self.candidate_top_k)
        positive("seconds", self.seconds, least=0)
        if self.strategy != "embedding" and self.reranker is None:
            raise UsageError(
                f"the strategy {self.strategy} needs a reranker", "give one of trigpoint.rerankers"
            )

    def reranks(self) -> Mapping[str, Rerank]:
        """What carries it out, by strategy; {} where the vectors of the index do."""
        if self.reranker is None:
            return {}
        return {self.strategy: reading(self.reranker, self.seconds, time.monotonic)}


class RetrieveRerankPipeline(Pipeline):
    """Retrieval of a mode (dense, sparse, hybrid, or auto: what the planner chooses), fused, then reranked.

    ``retrieval_plan`` gives the stages oneself. ``retrieval_level`` l2 answers with chunks, l0 with files: the best chunk
    of each. ``vector_masks`` restricts the dense stage by language to paths or ``path#name``. After a question
    ``last_selected_plan``, ``last_query_signals``, ``last_planning_budget`` and ``last_planner_trace`` tell the choice.
    """

    def __init__(
        self,
        repo_path: str | Path,
        index_path: str | Path | None = None,
        *,
        retrieval_plan: Sequence[RetrievalStagePlan] | None = None,
        retrieval_mode: str = "dense",
        retrieval_level: str = "l2",
        planning_budget: str | RetrievalBudget = "balanced",
        retrieval_planner: RetrievalPlanner | None = None,
        planner_capabilities: RetrievalCapabilities | None = None,
        code_graph: Index | None = None,
        fusion_strategy: str = "weighted",
        rrf_k: int = RRF_K,
        top_k: int = named.TOP_K,
        embedding_model: str | None = None,
        embedding_dimension: int | None = None,
        enable_rerank: bool = True,
        rerank_context: RerankContext | None = None,
        rerank_candidate_top_k: int | None = None,
        languages: Sequence[str] | None = None,
        max_lines_per_chunk: int | None = None,
        vector_masks: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.retrieval_mode = choose("retrieval_mode", retrieval_mode, MODES)
        self.retrieval_level = choose("retrieval_level", retrieval_level, LEVELS)
        self.fusion_strategy = choose("fusion_strategy", fusion_strategy, FUSIONS[1:])
        for name, value in (
            ("rrf_k", rrf_k),
            ("top_k", top_k),
            ("rerank_candidate_top_k", rerank_candidate_top_k),
        ):
            positive(name, value)
        self.retrieval_planner = retrieval_planner or RetrievalPlanner()
        self.planning_budget = self.retrieval_planner.normalize_budget(planning_budget)
        self.planner_capabilities = planner_capabilities
        self.retrieve_plan = _masked(
            tuple(retrieval_plan or build_retrieve_plan(self.retrieval_mode)), vector_masks
        )
        self.rrf_k, self.top_k, self.code_graph, self.enable_rerank = rrf_k, top_k, code_graph, enable_rerank
        self.rerank_context = rerank_context or RerankContext()
        self._cap = rerank_candidate_top_k or self.rerank_context.candidate_top_k
        self._masks = vector_masks
        self.last_selected_plan: RetrievalPathPlan | None = None
        self.last_query_signals: QuerySignals | None = None
        self.last_planning_budget: RetrievalBudget | None = None
        self.last_planner_capabilities: RetrievalCapabilities | None = None
        model = Model(embedding_model, embedding_dimension)
        settings = settings_of(index_path, model, max_lines_per_chunk)
        super().__init__(Index(Path(repo_path), settings, languages or ()).prepared())
        self._reranks = self.rerank_context.reranks()

    @property
    def last_planner_trace(self) -> Mapping[str, object]:
        """What the last question was taken for, what was there, and what was chosen for which reason; {} before any."""
        plan, seen = self.last_selected_plan, self.last_query_signals
        if plan is None or seen is None:
            return {}
        return {
            "signals": seen,
            "budget": self.last_planning_budget,
            "capabilities": self.last_planner_capabilities,
            "plan": plan.name,
            "rationale": plan.rationale,
        }

    def load_graph(self, code_graph: Index | None) -> None:
        """Walk the edges of another index from now on; None is this one."""
        self.code_graph = code_graph

    def query(
        self, query: str, top_k: int | None = None, *, profiler: Profiler | None = None
    ) -> tuple[Hit, ...]:
        """The results, best first. Raises UsageError for a top_k below 1, or when a stage has nothing to ask."""
        positive("top_k", top_k)
        with self.index.view() as view:
            there = self.planner_capabilities or replace(
                named.capabilities(view.snapshot, view.vectors), has_llm_rerank="llm" in self._reranks
            )
            plan = replace(self._plan(query, there), final_top_k=top_k or self.top_k)
            self.last_selected_plan, self.last_planner_capabilities = plan, there
            self.last_query_signals = self.retrieval_planner.classify_query(query)
            self.last_planning_budget = self.planning_budget
            if self.retrieval_level == "l0":
                wide = replace(plan, final_top_k=plan.retrieval_top_k)
                return _files(self._seen(query, wide, view, profiler))[: plan.results]
            return self._seen(query, plan, view, profiler)

    def _seen(
        self, query: str, plan: RetrievalPathPlan, view: View, profiler: Profiler | None
    ) -> tuple[Hit, ...]:
        if self.code_graph is None:
            return self._carried(query, plan, view, profiler)
        with self.code_graph.view() as graph:
            return self._carried(query, plan, view._replace(graph=graph.snapshot), profiler)

    def _plan(self, query: str, there: RetrievalCapabilities) -> RetrievalPathPlan:
        """The planner's choice in the mode auto, else the stages as they were given; reranked as the context says."""
        if self.retrieval_mode == "auto":
            chosen = self.retrieval_planner.select(query, self.planning_budget, there)
            chosen = replace(chosen, stages=_masked(chosen.stages, self._masks), rrf_k=self.rrf_k)
            if not chosen.enable_rerank:
                return chosen
        else:
            most = max(stage.top_k or 0 for stage in self.retrieve_plan) or self.top_k
            many = len(self.retrieve_plan) > 1
            chosen = RetrievalPathPlan(
                f"rerank-{self.retrieval_mode}",
                self.retrieval_mode,
                self.retrieve_plan,
                most,
                self.fusion_strategy if many else "none",
                rrf_k=self.rrf_k,
                rationale=f"{self.retrieval_mode} retrieval was asked for",
            )
        strategy = self.rerank_context.strategy if self.enable_rerank else None
        return replace(
            chosen,
            enable_rerank=self.enable_rerank,
            rerank_strategy=strategy,
            rerank_candidate_top_k=self._cap or chosen.rerank_candidate_top_k,
        )


def _masked(
    stages: tuple[RetrievalStagePlan, ...], masks: Mapping[str, Collection[str]] | None
) -> tuple[RetrievalStagePlan, ...]:
    if not masks:
        return stages
    return tuple(replace(one, params={"masks": masks}) if one.engine == "dense" else one for one in stages)


def _files(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The best hit of each file."""
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(hit.chunk.path, hit)
    return tuple(best.values())
