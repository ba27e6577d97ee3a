"""Retrieval pipelines for programs: each a class with its stages as parameters, over an index that is made when it is asked.

    from trigpoint.pipelines import HybridRetrievePipeline

    with HybridRetrievePipeline(".") as pipeline:
        for hit in pipeline.query("who retries a failed upload", top_k=5):
            print(hit.chunk.span, hit.name, hit.score)

A wrong value is a UsageError, which is a ValueError, with a hint. Nothing heavy is imported before a class is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trigpoint.pipelines.graph import (
        DenseGraphExpandRerankPipeline,
        GraphAugmentedRerankPipeline,
        GraphRetrievePipeline,
        SparseSeededGraphRetrievePipeline,
    )
    from trigpoint.pipelines.profiler import Profiler
    from trigpoint.pipelines.project import Index
    from trigpoint.pipelines.rerank import RerankContext, RetrieveRerankPipeline
    from trigpoint.pipelines.retrieve import (
        BM25RetrievePipeline,
        EmbeddingRetrievePipeline,
        HybridRetrievePipeline,
    )
    from trigpoint.search.pipelines.planner import (
        RetrievalPlanner,
        build_planner_preload_stages,
        build_retrieve_plan,
    )
    from trigpoint.search.pipelines.values import (
        GraphExpansionPlan,
        QuerySignals,
        RetrievalBudget,
        RetrievalCapabilities,
        RetrievalPathPlan,
        RetrievalStagePlan,
        RetrieveStageConfig,
    )

_WHERE = {
    "trigpoint.pipelines.graph": (
        "DenseGraphExpandRerankPipeline",
        "GraphAugmentedRerankPipeline",
        "GraphRetrievePipeline",
        "SparseSeededGraphRetrievePipeline",
    ),
    "trigpoint.pipelines.profiler": ("Profiler",),
    "trigpoint.pipelines.project": ("Index",),
    "trigpoint.pipelines.rerank": ("RerankContext", "RetrieveRerankPipeline"),
    "trigpoint.pipelines.retrieve": (
        "BM25RetrievePipeline",
        "EmbeddingRetrievePipeline",
        "HybridRetrievePipeline",
    ),
    "trigpoint.search.pipelines.planner": (
        "RetrievalPlanner",
        "build_planner_preload_stages",
        "build_retrieve_plan",
    ),
    "trigpoint.search.pipelines.values": (
        "GraphExpansionPlan",
        "QuerySignals",
        "RetrievalBudget",
        "RetrievalCapabilities",
        "RetrievalPathPlan",
        "RetrievalStagePlan",
        "RetrieveStageConfig",
    ),
}
_MODULE = {name: module for module, names in _WHERE.items() for name in names}

__all__ = [
    "BM25RetrievePipeline",
    "DenseGraphExpandRerankPipeline",
    "EmbeddingRetrievePipeline",
    "GraphAugmentedRerankPipeline",
    "GraphExpansionPlan",
    "GraphRetrievePipeline",
    "HybridRetrievePipeline",
    "Index",
    "Profiler",
    "QuerySignals",
    "RerankContext",
    "RetrievalBudget",
    "RetrievalCapabilities",
    "RetrievalPathPlan",
    "RetrievalPlanner",
    "RetrievalStagePlan",
    "RetrieveRerankPipeline",
    "RetrieveStageConfig",
    "SparseSeededGraphRetrievePipeline",
    "build_planner_preload_stages",
    "build_retrieve_plan",
]


def __getattr__(name: str) -> Any:
    """A class, imported when it is first asked for."""
    if name not in _MODULE:
        raise AttributeError(f"module 'trigpoint.pipelines' has no attribute {name!r}")
    return getattr(import_module(_MODULE[name]), name)


def __dir__() -> list[str]:
    return __all__
