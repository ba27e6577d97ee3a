"""Pipelines that retrieve: BM25, the vectors, and a cascade of both."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from trigpoint.errors import UsageError
from trigpoint.model import Hit, Stage
from trigpoint.pipelines.profiler import Profiler
from trigpoint.pipelines.project import Index, Model, settings_of
from trigpoint.search.pipelines import named
from trigpoint.search.pipelines.run import Carried, Means, Predicate, Rerank, View, carry_out
from trigpoint.search.pipelines.values import RetrievalPathPlan, positive
from trigpoint.search.understand import understand


class Pipeline:
    """What all pipelines can do: answer, show how they did, let go. Use one as a context, or close it.

    After each question ``last_plan``, ``last_seeds``, ``last_stages`` and ``last_carried`` tell how it was answered.
    """

    def __init__(self, index: Index | None) -> None:
        self._index = index
        self._reranks: Mapping[str, Rerank] = {}
        self._predicates: tuple[Predicate, ...] = ()
        self.last_plan: RetrievalPathPlan | None = None
        self.last_carried: Carried | None = None
        self.last_stages: tuple[Stage, ...] = ()
        self.last_seeds: tuple[Hit, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the index and the model go; a second time does nothing."""
        index, self._index = self._index, None
        if index is not None:
            index.engine.close()

    @property
    def index(self) -> Index:
        """The index that is asked. Raises UsageError when none is loaded."""
        if self._index is None:
            raise UsageError("the pipeline has no index", "give it a repo_path, or call load_index(FOLDER)")
        return self._index

    def load_index(self, index_path: str | Path) -> None:
        """Ask another index from now on; the model stays in memory. A folder that holds none leaves things as they are.

        Raises NotFoundError, StoreError.
        """
        former, self._index = self.index, self.index.beside(index_path)
        former.engine.close()

    def _answer(self, question: str, plan: RetrievalPathPlan, profiler: Profiler | None) -> tuple[Hit, ...]:
        with self.index.view() as view:
            return self._carried(question, plan, view, profiler)

    def _carried(
        self, question: str, plan: RetrievalPathPlan, view: View, profiler: Profiler | None
    ) -> tuple[Hit, ...]:
        query = understand(question, self.index.filters)
        means = Means(time.perf_counter, self._reranks, self._predicates)
        carried = carry_out(plan, query, view, means)
        self.last_plan, self.last_carried, self.last_stages = plan, carried, carried.stages
        self.last_seeds = named.hits_of(
            carried._replace(ranking=carried.seeds), view.snapshot, len(carried.seeds)
        )
        if profiler is not None:
            for stage in carried.stages:
                profiler.record(f"query.{stage.name}", stage.milliseconds, {"found": stage.detail})
        return named.hits_of(carried, view.snapshot, plan.results)


class BM25RetrievePipeline(Pipeline):
    """BM25 alone: the baseline that tells seeds from expansion. ``languages`` restricts the answers to those."""

    def __init__(
        self,
        repo_path: str | Path,
        index_path: str | Path | None = None,
        *,
        top_k: int = named.TOP_K,
        language: str | None = None,
        languages: Sequence[str] | None = None,
    ) -> None:
        positive("top_k", top_k)
        self.top_k = top_k
        only = languages or ([language] if language else ())
        settings = {**settings_of(index_path, Model(), None), "embedder": "none"}
        super().__init__(Index(Path(repo_path), settings, only).prepared())

    def query(
        self, query: str, top_k: int | None = None, *, profiler: Profiler | None = None
    ) -> tuple[Hit, ...]:
        """The best chunks by BM25, best first. Raises UsageError for a top_k below 1."""
        positive("top_k", top_k)
        return self._answer(query, named.bm25(top_k or self.top_k), profiler)


class EmbeddingRetrievePipeline(Pipeline):
    """The vectors alone.

    Without ``index_path`` and ``repo_path`` only the model is chosen; ``load_index`` brings an index, and another one
    later, without loading the model again. ``embedding_model`` None is that of the project's settings;
    ``embedding_dimension`` is checked against the model, never cut to.
    """

    def __init__(
        self,
        repo_path: str | Path | None = None,
        index_path: str | Path | None = None,
        *,
        embedding_model: str | None = None,
        embedding_dimension: int | None = None,
        languages: Sequence[str] | None = None,
        max_lines_per_chunk: int | None = None,
        top_k: int = named.TOP_K,
        force_rebuild: bool = False,
    ) -> None:
        positive("top_k", top_k)
        self.top_k = top_k
        self._model = Model(embedding_model, embedding_dimension)
        self._only = tuple(languages or ())
        settings = settings_of(index_path, self._model, max_lines_per_chunk)
        if repo_path is None:
            if force_rebuild:
                raise UsageError("force_rebuild needs a repo_path", "give the folder that is to be indexed")
            super().__init__(None)
            self._settings = settings
            if index_path is not None:
                self.load_index(index_path)
            return
        super().__init__(Index(Path(repo_path), settings, self._only).prepared(rebuild=force_rebuild))
        self.index.check(self._model)

    def load_index(self, index_path: str | Path) -> None:
        """Ask the index in this folder from now on; the model stays in memory, and a failure leaves things as they are.

        Raises NotFoundError, StoreError; UsageError when its vectors are of another model.
        """
        if self._index is not None:
            super().load_index(index_path)
            return
        settings = {**self._settings, "index_dir": str(index_path)}
        self._index = Index(Path(index_path), settings, self._only, fixed=True).prepared()
        self._index.check(self._model)

    def query(
        self, query: str, top_k: int | None = None, *, profiler: Profiler | None = None
    ) -> tuple[Hit, ...]:
        """The chunks nearest in meaning, nearest first. Raises UsageError for a top_k below 1, or without vectors."""
        positive("top_k", top_k)
        return self._answer(query, named.embedding(top_k or self.top_k), profiler)


class HybridRetrievePipeline(Pipeline):
    """A cascade: BM25 gives ``stage1_topk`` chunks, the vectors of those alone order them, ``stage2_topk`` are kept."""

    def __init__(
        self,
        repo_path: str | Path,
        *,
        index_cache_dir: str | Path | None = None,
        stage1_topk: int = 128,
        stage2_topk: int = named.TOP_K,
        embedding_model: str | None = None,
        embedding_dimension: int | None = None,
        languages: Sequence[str] = (),
    ) -> None:
        positive("stage1_topk", stage1_topk)
        positive("stage2_topk", stage2_topk)
        self.stage1_topk, self.stage2_topk = stage1_topk, stage2_topk
        model = Model(embedding_model, embedding_dimension)
        super().__init__(
            Index(Path(repo_path), settings_of(index_cache_dir, model, None), languages).prepared()
        )
        self.index.check(model)

    def query(
        self, query: str, top_k: int | None = None, *, profiler: Profiler | None = None
    ) -> tuple[Hit, ...]:
        """The results of the cascade, nearest first. Raises UsageError for a top_k below 1, or without vectors."""
        positive("top_k", top_k)
        plan = named.hybrid(self.stage1_topk, self.stage2_topk)
        return self._answer(query, replace(plan, final_top_k=top_k or self.stage2_topk), profiler)
