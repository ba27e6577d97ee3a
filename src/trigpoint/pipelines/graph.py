"""Pipelines that walk the graph: from BM25 seeds, and from the nearest vectors."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from trigpoint.errors import UsageError
from trigpoint.model import Hit, StoredChunk
from trigpoint.pipelines.profiler import Profiler
from trigpoint.pipelines.project import Index, Model, settings_of
from trigpoint.pipelines.rerank import RerankContext
from trigpoint.pipelines.retrieve import EmbeddingRetrievePipeline, Pipeline
from trigpoint.search.pipelines import named
from trigpoint.search.pipelines.run import Predicate, View
from trigpoint.search.pipelines.values import DAMPING, RRF_K, GraphExpansionPlan, RetrievalPathPlan, positive


class SparseSeededGraphRetrievePipeline(Pipeline):
    """BM25 gives ``stage1_topk`` seeds; the edges lead to ``stage2_topk`` results, by ``k_hop`` hops or by personalised
    PageRank; with ``use_embedding_rerank`` the vectors order what was reached. ``last_bm25_seeds`` keeps the seeds.
    """

    def __init__(
        self,
        repo_path: str | Path,
        index_path: str | Path | None = None,
        *,
        stage1_topk: int = 5,
        stage2_topk: int = named.TOP_K,
        k_hop: int = 2,
        use_ppr: bool = False,
        ppr_damping: float = DAMPING,
        use_embedding_rerank: bool = False,
        embedding_model: str | None = None,
        embedding_dimension: int | None = None,
        languages: Sequence[str] | None = None,
        max_lines_per_chunk: int | None = None,
        profiler: Profiler | None = None,
    ) -> None:
        graph = GraphExpansionPlan(hops=k_hop, use_ppr=use_ppr, damping=ppr_damping)
        self.plan = named.sparse_graph(stage1_topk, stage2_topk, graph, rerank=use_embedding_rerank)
        self.last_bm25_seeds: tuple[Hit, ...] = ()
        model = Model(embedding_model, embedding_dimension)
        with profiler.section("index.build") if profiler else nullcontext():
            index = Index(
                Path(repo_path), settings_of(index_path, model, max_lines_per_chunk), languages or ()
            )
            super().__init__(index.prepared())
        if use_embedding_rerank:
            self.index.check(model)

    def query(self, query: str, *, profiler: Profiler | None = None) -> tuple[Hit, ...]:
        """Seeds, then what the edges lead to, best first."""
        found = self._answer(query, self.plan, profiler)
        self.last_bm25_seeds = self.last_seeds
        return found


class GraphRetrievePipeline(SparseSeededGraphRetrievePipeline):
    """The same by its shorter name."""


class DenseGraphExpandRerankPipeline(Pipeline):
    """The nearest vectors, up to ``graph_neighbors_per_seed`` neighbours of each in the graph, and a rerank of both.

    ``retriever`` gives the candidates; ``code_graph`` is the index whose edges are walked: that of the retriever unless
    another Index is given, here or by ``load_graph``. ``graph_fusion_weight`` above 0 fuses the neighbours, as a ranking of
    files, with the reranked candidates. The steps of the last question are in ``last_dense_results``,
    ``last_graph_results``, ``last_filtered_candidates``, ``last_semantic_results`` and ``last_reranked_results``.
    """

    def __init__(
        self,
        retriever: EmbeddingRetrievePipeline,
        code_graph: Index | None = None,
        *,
        rerank_context: RerankContext | None = None,
        dense_top_k: int = 20,
        graph_seed_top_k: int | None = None,
        graph_neighbors_per_seed: int = 5,
        graph_direction: str = "both",
        graph_edge_types: Sequence[str] = ("calls", "references"),
        graph_fusion_weight: float = 0.0,
        graph_fusion_rrf_k: int = RRF_K,
        final_top_k: int = 10,
        candidate_top_k: int | None = None,
        candidate_filters: Sequence[Predicate] = (),
        graph_symbol_only: bool = True,
        close_retriever: bool = False,
    ) -> None:
        positive("dense_top_k", dense_top_k)
        positive("final_top_k", final_top_k)
        positive("graph_seed_top_k", graph_seed_top_k)
        positive("candidate_top_k", candidate_top_k)
        if graph_fusion_weight and rerank_context is None:
            raise UsageError(
                "a graph_fusion_weight needs a rerank_context", "give one, or leave the weight 0"
            )
        super().__init__(None)
        self.retriever = retriever
        self.code_graph = code_graph
        self.close_retriever = close_retriever
        graph = GraphExpansionPlan(
            "dense",
            graph_seed_top_k or dense_top_k,
            max(1, (graph_seed_top_k or dense_top_k) * graph_neighbors_per_seed),
            hops=1,
            direction=graph_direction,
            per_seed=graph_neighbors_per_seed,
            edge_kinds=tuple(graph_edge_types),
        )
        plan = named.dense_graph(dense_top_k, final_top_k, graph, weight=0.0, rrf_k=graph_fusion_rrf_k)
        self.plan = (
            plan if rerank_context is not None else replace(plan, enable_rerank=False, rerank_strategy=None)
        )
        if rerank_context is not None:
            self._reranks = rerank_context.reranks()
            self.plan = replace(
                self.plan,
                rerank_strategy=rerank_context.strategy,
                rerank_candidate_top_k=candidate_top_k or rerank_context.candidate_top_k,
                graph_weight=graph_fusion_weight,
            )
        self._predicates = (*candidate_filters, *((_is_symbol,) if graph_symbol_only else ()))
        self.last_dense_results: tuple[Hit, ...] = ()
        self.last_graph_results: tuple[Hit, ...] = ()
        self.last_filtered_candidates: tuple[Hit, ...] = ()
        self.last_semantic_results: tuple[Hit, ...] = ()
        self.last_reranked_results: tuple[Hit, ...] = ()

    @property
    def index(self) -> Index:
        """The index of the retriever."""
        return self.retriever.index

    def load_index(self, index_path: str | Path) -> None:
        """Let the retriever ask another index. Raises what its load_index raises."""
        self.retriever.load_index(index_path)

    def load_graph(self, code_graph: Index | None) -> None:
        """Walk the edges of another index from now on; None is that of the retriever."""
        self.code_graph = code_graph

    def query(
        self,
        query: str,
        *,
        top_k: int | None = None,
        dense_top_k: int | None = None,
        profiler: Profiler | None = None,
    ) -> tuple[Hit, ...]:
        """Candidates and their neighbours, reranked, best first. Raises UsageError for a number below 1."""
        positive("top_k", top_k)
        positive("dense_top_k", dense_top_k)
        plan = replace(self.plan, final_top_k=top_k or self.plan.final_top_k)
        if dense_top_k:
            plan = replace(
                plan, retrieval_top_k=dense_top_k, stages=(replace(plan.stages[0], top_k=dense_top_k),)
            )
        with self.index.view() as view:
            if self.code_graph is None:
                return self._kept(query, plan, view, profiler)
            with self.code_graph.view() as graph:
                return self._kept(query, plan, view._replace(graph=graph.snapshot), profiler)

    def _kept(
        self, query: str, plan: RetrievalPathPlan, view: View, profiler: Profiler | None
    ) -> tuple[Hit, ...]:
        found = self._carried(query, plan, view, profiler)
        carried = self.last_carried
        assert carried is not None
        (
            self.last_dense_results,
            self.last_graph_results,
            self.last_filtered_candidates,
            self.last_semantic_results,
        ) = (
            named.hits_of(carried._replace(ranking=ranking), view.snapshot, len(ranking))
            for ranking in (carried.retrieved["dense"], carried.expanded, carried.filtered, carried.semantic)
        )
        self.last_reranked_results = found if plan.enable_rerank else ()
        return found

    def close(self) -> None:
        """Let go what the pipeline owns: the retriever only with ``close_retriever``."""
        if self.close_retriever:
            self.retriever.close()


def _is_symbol(chunk: StoredChunk) -> bool:
    return bool(chunk.name)


class GraphAugmentedRerankPipeline(DenseGraphExpandRerankPipeline):
    """The same by its other name."""
