"""Which pipeline answers a question: from what it looks like, what it may cost, and what is there. Deterministic, no model.

The order of choice: relations first, then what must be fast, then plain words, then a fusion of both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypedDict

from trigpoint.errors import UsageError
from trigpoint.search.pipelines.values import (
    BUDGETS,
    MODES,
    GraphExpansionPlan,
    QuerySignals,
    RetrievalBudget,
    RetrievalCapabilities,
    RetrievalPathPlan,
    RetrievalStagePlan,
    choose,
    positive,
)
from trigpoint.search.understand import understand

PRESETS: Mapping[str, RetrievalBudget] = {
    "fast": RetrievalBudget("fast", 32, None, allow_graph=False, allow_rerank=False),
    "balanced": RetrievalBudget(),
    "thorough": RetrievalBudget("thorough", 128, 80, allow_llm_rerank=True),
}
"""The budgets by their tier."""

ALIASES: Mapping[str, str] = {
    "cheap": "fast",
    "low": "fast",
    "default": "balanced",
    "quality": "thorough",
    "full": "thorough",
}
"""Other words for the tiers."""

DENSE_WEIGHT, SPARSE_WEIGHT = 0.6, 0.4
"""Weights of the two engines where they are fused."""
STAGE_TOP_K = 100
PRELOAD_TOP_K = 128
LONG_QUESTION = 10
"""Words from which on a question is taken for one about behaviour, whatever they are."""
FEW_WORDS = 4
"""Words up to which a question that shows nothing else is taken for names."""

_RELATIONS = re.compile(
    r"\b(who|what|which)\s+(\w+\s+){0,2}(calls?|uses?|inherits?|overrides?|implements?)\b"
    r"|\b(callers?|callees?|call\s+(graph|sites?|chain)|dependen(cy|cies|ts?)|depends?\s+on)\b"
    r"|\b(impacts?|blast\s+radius|reachable|references?|affected|breaks?\s+if)\b"
    r"|\b(definitions?|usages?|uses)\s+of\b"
    r"|\b(inherits?|subclass(es)?|overrid(es?|den)|implementations?\s+of)\b"
    r"|\b(data|control)[\s-]+flow\b",
    re.IGNORECASE,
)
_ROLE_NAME = re.compile(r"\b[A-Z][A-Za-z0-9]*(Error|Exception|Factory|Manager|Service)\b")
_FLAT_NAME = re.compile(r"\b[A-Za-z]+_\w+\b")
_BEHAVIOUR = re.compile(
    r"\b(how|why|what|when|where|explain|behaviou?r|logic|flow|handl(e|es|ing)|supports?)\b", re.IGNORECASE
)
_WORD = re.compile(r"\w+")


class RetrievalPlanner:
    """Chooses a RetrievalPathPlan for a question under a budget. Holds no state: equal arguments give equal plans."""

    def normalize_budget(self, budget: str | RetrievalBudget | None = "balanced") -> RetrievalBudget:
        """The budget that is meant: a preset by its tier or alias, or one's own. Raises UsageError for an unknown word."""
        if isinstance(budget, RetrievalBudget):
            return budget
        word = str(budget or "balanced").strip().lower()
        return PRESETS[choose("budget", ALIASES.get(word, word), BUDGETS)]

    def classify_query(self, query: str) -> QuerySignals:
        """What a question looks like; without any sign a short one is lexical."""
        text = query or ""
        count = len(_WORD.findall(text))
        asked = understand(text)
        lexical = bool(asked.identifiers or asked.paths or _ROLE_NAME.search(text) or _FLAT_NAME.search(text))
        semantic = bool(_BEHAVIOUR.search(text)) or count >= LONG_QUESTION
        structural = bool(_RELATIONS.search(text))
        if not lexical and not semantic and count:
            lexical = count <= FEW_WORDS
        return QuerySignals(lexical, semantic, structural)

    def select(
        self,
        query: str,
        budget: str | RetrievalBudget | None = "balanced",
        capabilities: RetrievalCapabilities | None = None,
    ) -> RetrievalPathPlan:
        """The plan for a question. Raises UsageError when nothing is there that could retrieve, or for an unknown budget."""
        worth = self.normalize_budget(budget)
        there = capabilities or RetrievalCapabilities()
        seen = self.classify_query(query)
        if seen.structural and worth.allow_graph and there.has_graph and there.has_sparse:
            return _structural(worth, there)
        if not (there.has_dense or there.has_sparse):
            raise UsageError("nothing is there that could retrieve", "an index has BM25 at least: has_sparse")
        if not there.has_dense:
            return _lexical(worth)
        if not there.has_sparse:
            return _semantic(worth, there)
        if worth.tier == "fast":
            return _lexical(worth) if seen.lexical else _semantic(worth, there)
        if seen.semantic and not seen.lexical:
            return _semantic(worth, there)
        return _hybrid(worth, there, seen)


def _lexical(worth: RetrievalBudget) -> RetrievalPathPlan:
    return RetrievalPathPlan(
        name="fast_lexical",
        intent="lexical",
        stages=(RetrievalStagePlan("sparse", top_k=worth.retrieve_top_k),),
        retrieval_top_k=worth.retrieve_top_k,
        fusion="none",
        rationale="the question gives names, or has to be answered fast: BM25 alone",
    )


def _semantic(worth: RetrievalBudget, there: RetrievalCapabilities) -> RetrievalPathPlan:
    why = "the question is in plain words: the vectors first"
    return RetrievalPathPlan(
        name="semantic",
        intent="semantic",
        stages=(RetrievalStagePlan("dense", top_k=worth.retrieve_top_k),),
        retrieval_top_k=worth.retrieve_top_k,
        fusion="none",
        **_rerank(worth, there),
        rationale=why + "; the budget has no rerank" * (not worth.allow_rerank),
    )


def _hybrid(worth: RetrievalBudget, there: RetrievalCapabilities, seen: QuerySignals) -> RetrievalPathPlan:
    return RetrievalPathPlan(
        name="hybrid_fusion",
        intent="hybrid" if seen.mixed else "lexical_semantic",
        stages=build_planner_preload_stages(there, top_k=worth.retrieve_top_k),
        retrieval_top_k=worth.retrieve_top_k,
        fusion="rrf" if worth.prefer_rrf else "weighted",
        **_rerank(worth, there),
        rationale="the question mixes names and words, or shows neither: vectors and BM25 are fused",
    )


def _structural(worth: RetrievalBudget, there: RetrievalCapabilities) -> RetrievalPathPlan:
    graph = GraphExpansionPlan(
        seed_top_k=min(12, max(5, worth.retrieve_top_k // 12)),
        expand_top_k=worth.retrieve_top_k,
        hops=1 if worth.tier == "fast" else 2,
        use_ppr=worth.tier == "thorough",
    )
    return RetrievalPathPlan(
        name="structural_graph",
        intent="structural",
        stages=(RetrievalStagePlan("sparse", top_k=graph.seed_top_k),),
        retrieval_top_k=worth.retrieve_top_k,
        fusion="none",
        **_rerank(worth, there),
        graph=graph,
        rationale="the question is about relations: BM25 gives seeds, the edges lead on from them",
    )


class _Rerank(TypedDict):
    """What a plan says of its rerank."""

    enable_rerank: bool
    rerank_strategy: str | None
    rerank_candidate_top_k: int | None


def _rerank(worth: RetrievalBudget, there: RetrievalCapabilities) -> _Rerank:
    """The rerank that the budget allows and that is there: a language model before the vectors."""
    by = "embedding" if there.has_embedding_rerank else None
    if worth.allow_llm_rerank and there.has_llm_rerank:
        by = "llm"
    strategy = by if worth.allow_rerank else None
    return _Rerank(
        enable_rerank=strategy is not None,
        rerank_strategy=strategy,
        rerank_candidate_top_k=worth.rerank_candidate_top_k,
    )


def build_planner_preload_stages(
    capabilities: RetrievalCapabilities | None = None, *, top_k: int = PRELOAD_TOP_K
) -> tuple[RetrievalStagePlan, ...]:
    """The stages that any plan of the planner may need: vectors .6 and BM25 .4, as far as they are there.

    Raises UsageError when neither is.
    """
    positive("top_k", top_k)
    there = capabilities or RetrievalCapabilities()
    stages = (
        *(RetrievalStagePlan("dense", DENSE_WEIGHT, top_k) for _ in range(there.has_dense)),
        *(RetrievalStagePlan("sparse", SPARSE_WEIGHT, top_k) for _ in range(there.has_sparse)),
    )
    if not stages:
        raise UsageError("nothing is there that could retrieve", "an index has BM25 at least: has_sparse")
    return stages


def build_retrieve_plan(mode: str = "dense") -> Sequence[RetrievalStagePlan]:
    """The stages of a mode: dense, sparse, hybrid (.6 and .4), or auto, which is what the planner may choose from.

    Raises UsageError for an unknown mode.
    """
    word = choose("mode", mode or "dense", MODES)
    if word == "auto":
        return build_planner_preload_stages()
    if word == "hybrid":
        return build_planner_preload_stages(top_k=STAGE_TOP_K)
    return (RetrievalStagePlan(word, top_k=STAGE_TOP_K),)
