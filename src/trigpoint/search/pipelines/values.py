"""The values of a retrieval pipeline: budget, capabilities, stages, graph expansion, and the plan made of them.

All are frozen and checked when they are made, so that planning can be tested without an index. A wrong value is a
ValueError (a UsageError, which is one) that says what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from trigpoint.errors import UsageError

ENGINES = ("dense", "sparse")
"""What retrieves: the vectors, or BM25."""
FUSIONS = ("none", "rrf", "weighted", "cascade")
"""How the answers of several stages become one. In a cascade each stage ranks only what the one before has found."""
DIRECTIONS = ("both", "forward", "backward")
BUDGETS = ("fast", "balanced", "thorough")
RERANKS = ("embedding", "crossencoder", "llm")
MODES = ("auto", "dense", "sparse", "hybrid")
CODE_EDGES = ("calls", "inherits", "implements", "references", "imports")
"""The edges that lead from one piece of code to another: without ``contains`` and ``tests``."""

RRF_K = 60
"""Cormack, Clarke and Büttcher, 2009."""
DAMPING = 0.85
"""Page, Brin, Motwani and Winograd, 1999."""

_NOTHING: Mapping[str, object] = MappingProxyType({})


def choose(name: str, value: str, choices: tuple[str, ...]) -> str:
    """The choice that is meant, whatever its case. Raises UsageError for none of them."""
    plain = str(value).strip().lower()
    if plain not in choices:
        raise UsageError(f"{name} cannot be {value!r}", f"it is one of: {', '.join(choices)}")
    return plain


def positive(name: str, value: float | None, *, least: float = 1) -> None:
    """Refuse a number below ``least``; None stands for a default and passes. Raises UsageError."""
    if value is not None and (isinstance(value, bool) or not value >= least):
        wanted = f"{least:g} or more" if least else "zero or more"
        raise UsageError(f"{name} cannot be {value!r}", f"it is {wanted}")


@dataclass(frozen=True, slots=True)
class RetrievalStagePlan:
    """One retrieval: an engine, the weight of its vote, and how many chunks it gives (None: those of the plan).

    ``params`` may hold ``masks``: by language, the paths or ``path#name`` that its chunks must be among.
    """

    engine: str
    weight: float = 1.0
    top_k: int | None = None
    params: Mapping[str, object] = field(default_factory=lambda: _NOTHING)

    def __post_init__(self) -> None:
        object.__setattr__(self, "engine", choose("engine", self.engine, ENGINES))
        if not self.weight > 0:
            raise UsageError(f"the weight of a stage cannot be {self.weight!r}", "it is more than 0")
        positive("top_k", self.top_k)
        if unknown := set(self.params) - {"masks"}:
            raise UsageError(f"a stage has no parameter {min(unknown)!r}", "it takes: masks")


RetrieveStageConfig = RetrievalStagePlan
"""The same value, by the name that a list of stages handed to RetrieveRerankPipeline goes by."""


@dataclass(frozen=True, slots=True)
class GraphExpansionPlan:
    """How a ranking grows along the edges: from how many seeds, how far, which way, and up to how many symbols.

    ``per_seed`` takes that many nearest neighbours of each seed in turn instead of all within ``hops``;
    ``use_ppr`` ranks by personalised PageRank with ``damping`` instead of by distance.
    """

    seed_engine: str = "sparse"
    seed_top_k: int = 8
    expand_top_k: int = 80
    hops: int = 2
    direction: str = "both"
    use_ppr: bool = False
    damping: float = DAMPING
    per_seed: int | None = None
    edge_kinds: tuple[str, ...] = CODE_EDGES
    tests: bool = True  # leave tests out, unless the question asks for them

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed_engine", choose("seed_engine", self.seed_engine, ENGINES))
        object.__setattr__(self, "direction", choose("direction", self.direction, DIRECTIONS))
        object.__setattr__(self, "edge_kinds", tuple(self.edge_kinds))
        positive("seed_top_k", self.seed_top_k)
        positive("expand_top_k", self.expand_top_k)
        positive("hops", self.hops)
        positive("per_seed", self.per_seed, least=0)
        if not 0 < self.damping < 1:
            raise UsageError(f"damping cannot be {self.damping!r}", "it lies between 0 and 1, .85 is usual")
        from trigpoint.model import EDGE_KINDS

        if unknown := set(self.edge_kinds) - set(EDGE_KINDS):
            raise UsageError(
                f"there are no edges of kind {min(unknown)!r}", f"kinds: {', '.join(EDGE_KINDS)}"
            )


@dataclass(frozen=True, slots=True)
class RetrievalBudget:
    """How much work an answer is worth: candidates of each stage, candidates that are reranked (None: none), what is allowed."""

    tier: str = "balanced"
    retrieve_top_k: int = 100
    rerank_candidate_top_k: int | None = 50
    allow_graph: bool = True
    allow_rerank: bool = True
    allow_llm_rerank: bool = False
    prefer_rrf: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "tier", choose("tier", self.tier, BUDGETS))
        positive("retrieve_top_k", self.retrieve_top_k)
        positive("rerank_candidate_top_k", self.rerank_candidate_top_k)


@dataclass(frozen=True, slots=True)
class RetrievalCapabilities:
    """What is there to plan with; ``named.capabilities`` tells that of an index."""

    has_dense: bool = True
    has_sparse: bool = True
    has_graph: bool = False
    has_embedding_rerank: bool = True
    has_llm_rerank: bool = False


@dataclass(frozen=True, slots=True)
class QuerySignals:
    """What a question looks like: names as code writes them, words about behaviour, words about relations."""

    lexical: bool
    semantic: bool
    structural: bool

    @property
    def mixed(self) -> bool:
        """Whether it is of two kinds or more."""
        return self.lexical + self.semantic + self.structural >= 2


@dataclass(frozen=True, slots=True)
class RetrievalPathPlan:
    """A whole pipeline: stages, fusion, graph expansion, rerank, and how many results; with its name and the reason for it.

    ``graph_weight`` above 0 fuses the expansion, as a ranking of files of its own, with the reranked candidates by RRF.
    """

    name: str
    intent: str
    stages: tuple[RetrievalStagePlan, ...]
    retrieval_top_k: int
    fusion: str = "weighted"
    enable_rerank: bool = False
    rerank_strategy: str | None = None
    rerank_candidate_top_k: int | None = None
    graph: GraphExpansionPlan | None = None
    rationale: str = ""
    final_top_k: int | None = None
    rrf_k: int = RRF_K
    graph_weight: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "fusion", choose("fusion", self.fusion, FUSIONS))
        object.__setattr__(self, "stages", tuple(self.stages))
        if not self.stages:
            raise UsageError(f"the plan {self.name!r} has no stage", "give a RetrievalStagePlan at least")
        if self.fusion == "none" and len(self.stages) > 1:
            raise UsageError(f"{len(self.stages)} stages need a fusion", f"one of: {', '.join(FUSIONS[1:])}")
        positive("retrieval_top_k", self.retrieval_top_k)
        positive("rerank_candidate_top_k", self.rerank_candidate_top_k)
        positive("final_top_k", self.final_top_k)
        positive("rrf_k", self.rrf_k)
        positive("graph_weight", self.graph_weight, least=0)
        if self.rerank_strategy is not None:
            choose("rerank_strategy", self.rerank_strategy, RERANKS)
        if self.enable_rerank and self.rerank_strategy is None:
            raise UsageError("a plan that reranks names its rerank_strategy", f"one of: {', '.join(RERANKS)}")
        if self.graph_weight and not (self.graph and self.enable_rerank):
            raise UsageError(
                "a graph_weight needs a graph and a rerank to be fused with", "set both, or leave it 0"
            )

    @property
    def uses_dense(self) -> bool:
        """Whether a stage, the seeds of the graph or the rerank ask the vectors."""
        return any(stage.engine == "dense" for stage in self.stages)

    @property
    def uses_sparse(self) -> bool:
        """Whether a stage asks BM25."""
        return any(stage.engine == "sparse" for stage in self.stages)

    @property
    def uses_graph(self) -> bool:
        """Whether the ranking grows along the edges."""
        return self.graph is not None

    @property
    def results(self) -> int:
        """Most results."""
        return self.final_top_k or self.retrieval_top_k
