"""The pipelines over a real, small project: each with its stages, its inspection and its refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import trigpoint
from planting import planted
from trigpoint import pipelines
from trigpoint.errors import NotFoundError, UsageError
from trigpoint.model import Passage
from trigpoint.pipelines import (
    BM25RetrievePipeline,
    DenseGraphExpandRerankPipeline,
    EmbeddingRetrievePipeline,
    GraphRetrievePipeline,
    HybridRetrievePipeline,
    Index,
    Profiler,
    RerankContext,
    RetrieveRerankPipeline,
    SparseSeededGraphRetrievePipeline,
)
from trigpoint.search.pipelines.named import PIPELINES

TREE = {
    "shop/upload.py": '''
from shop.retry import again


def send_file(path):
    """Send one file to the remote shelf."""
    data = open(path).read()
    return again(lambda: push(data))


def push(data):
    """Put bytes on the wire."""
    return len(data)
''',
    "shop/retry.py": '''
import time


def again(action, attempts=3):
    """Repeat an action with growing pauses until it works."""
    for count in range(attempts):
        try:
            return action()
        except OSError:
            time.sleep(pause(count))


def pause(count):
    """Seconds before the next attempt."""
    return 2 ** count
''',
    "shop/colour.py": '''
def mix(red, green):
    """Blend two paints."""
    return red + green
''',
    "tests/test_shop.py": """
from shop.retry import pause


def test_numbers():
    assert pause(2) > pause(1)
""",
    "web/page.js": """
export function paint(node) {
  return node.color
}
""",
}
QUESTION = "growing pauses between attempts"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return planted(tmp_path_factory.mktemp("project"), TREE)


@pytest.fixture(scope="module")
def index(project: Path) -> Path:
    """An index that is there already, as CI would have made it."""
    folder = project.parent / "index"
    with trigpoint.open(project, index_dir=str(folder), chunk_min_tokens=0) as engine:
        engine.index()
    return folder


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIGPOINT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRIGPOINT_CHUNK_MIN_TOKENS", "0")  # a chunk for each function


def names(hits: Sequence[trigpoint.Hit]) -> list[str]:
    return [hit.name for hit in hits]


def test_the_door_is_whole_and_light() -> None:
    assert pipelines.__all__ == sorted(pipelines.__all__)
    for name in pipelines.__all__:
        assert getattr(pipelines, name) is not None
    with pytest.raises(AttributeError):
        _ = pipelines.nonsense


def test_bm25_finds_words_and_only_in_the_languages_asked_for(project: Path, index: Path) -> None:
    with BM25RetrievePipeline(project, index) as pipeline:
        assert names(pipeline.query("growing pauses attempt", 2))[0] == "again"
        assert len(pipeline.query("def return", top_k=3)) == 3
        assert pipeline.last_plan is not None and pipeline.last_plan.name == "bm25"
        assert pipeline.query("zebra") == ()
        with pytest.raises(UsageError):
            pipeline.query("x", 0)
    with BM25RetrievePipeline(project, index, languages=["javascript"]) as pipeline:
        assert {hit.chunk.language for hit in pipeline.query("return")} == {"javascript"}


def test_embedding_swaps_indexes_under_one_model(project: Path, index: Path, tmp_path: Path) -> None:
    other = planted(tmp_path / "other", {"a.py": 'def bake_bread():\n    """Bake a loaf of bread."""\n'})
    with trigpoint.open(other, index_dir=str(tmp_path / "bread")) as engine:
        engine.index()
    with EmbeddingRetrievePipeline() as pipeline:
        with pytest.raises(UsageError, match="no index"):
            pipeline.query(QUESTION)
        pipeline.load_index(index)
        model = pipeline.index.engine._embedder
        assert "pause" in names(pipeline.query(QUESTION, 3))
        pipeline.load_index(tmp_path / "bread")
        assert pipeline.index.engine._embedder is model
        assert names(pipeline.query("oven loaf"))[0] == "bake_bread"
        with pytest.raises(NotFoundError):
            pipeline.load_index(tmp_path / "nowhere")
        (tmp_path / "empty").mkdir()
        with pytest.raises(NotFoundError):
            pipeline.load_index(tmp_path / "empty")
        assert names(pipeline.query("oven loaf"))[0] == "bake_bread"


def test_what_cannot_be_is_refused(project: Path, index: Path) -> None:
    for make in (
        lambda: EmbeddingRetrievePipeline(project, index, embedding_dimension=768),
        lambda: EmbeddingRetrievePipeline(force_rebuild=True),
        lambda: EmbeddingRetrievePipeline(project, index, max_lines_per_chunk=1),
        lambda: HybridRetrievePipeline(project, stage1_topk=0),
        lambda: RerankContext("sorting"),
        lambda: RerankContext("llm"),
        lambda: RetrieveRerankPipeline(project, index, retrieval_level="l1"),
        lambda: RetrieveRerankPipeline(project, index, fusion_strategy="none"),
    ):
        with pytest.raises(ValueError) as caught:
            make()
        assert caught.value.hint  # type: ignore[attr-defined]


def test_the_cascade_orders_only_what_bm25_found(project: Path, index: Path) -> None:
    with HybridRetrievePipeline(project, index_cache_dir=index, stage1_topk=2) as pipeline:
        found = pipeline.query("pauses attempt")
        assert pipeline.last_carried is not None
        sparse = {one.chunk for one in pipeline.last_carried.retrieved["sparse"]}
        assert len(sparse) == 2
        assert {hit.chunk.id for hit in found} <= sparse
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        assert "dense #1" in found[0].evidence[0].note


@pytest.mark.parametrize("ppr", [False, True])
def test_seeds_lead_along_the_edges(project: Path, index: Path, ppr: bool) -> None:
    profiler = Profiler()
    with GraphRetrievePipeline(project, index, stage1_topk=1, use_ppr=ppr, profiler=profiler) as pipeline:
        found = pipeline.query("send_file remote shelf", profiler=profiler)
        assert names(pipeline.last_bm25_seeds) == ["send_file"]
        assert names(found)[0] == "send_file"
        assert {"again", "push", "pause"} <= set(names(found))
        assert "mix" not in names(found)
        assert not any("test" in hit.chunk.marks for hit in found)
        assert any("test" in hit.chunk.marks for hit in pipeline.query("tests of pause"))
    with GraphRetrievePipeline(project, index, stage1_topk=1, k_hop=1, stage2_topk=3) as pipeline:
        found = pipeline.query("send_file remote shelf")
        assert len(found) <= 3
        assert "pause" not in names(found)
    assert {"index.build", "query.retrieve sparse"} <= set(profiler.summary())
    assert all(one.p50 <= one.p95 for one in profiler.summary().values())


def test_an_embedding_rerank_orders_what_was_reached(project: Path, index: Path) -> None:
    with SparseSeededGraphRetrievePipeline(
        project, index, stage1_topk=1, use_embedding_rerank=True
    ) as pipeline:
        found = pipeline.query("send_file seconds before the next attempt")
        scores = [hit.score for hit in found]
        assert scores == sorted(scores, reverse=True) and len(set(scores)) > 1
        assert "reranked by embedding" in found[0].evidence[0].note
        assert {hit.chunk.path for hit in found} <= {"shop/upload.py", "shop/retry.py"}


class _ByLength:
    """A reranker that likes short texts: easy to predict."""

    name = "by length"

    def scores(
        self, question: str, passages: Sequence[Passage], left: Callable[[], float]
    ) -> Sequence[float]:
        assert left() > 0
        return [-float(len(one.text)) for one in passages]


@pytest.fixture
def retriever(project: Path, index: Path) -> Iterator[EmbeddingRetrievePipeline]:
    with EmbeddingRetrievePipeline(project, index, top_k=1) as made:
        yield made


def test_neighbours_join_the_nearest_and_all_are_reranked(retriever: EmbeddingRetrievePipeline) -> None:
    plain = DenseGraphExpandRerankPipeline(retriever, dense_top_k=1)
    found = plain.query("seconds before the next attempt")
    assert names(plain.last_dense_results) == names(found)[:1] == ["pause"]
    assert "again" in names(plain.last_graph_results)
    assert plain.last_reranked_results == ()

    short = RerankContext("crossencoder", _ByLength())
    ranked = DenseGraphExpandRerankPipeline(retriever, rerank_context=short, dense_top_k=2)
    found = ranked.query("seconds before the next attempt")
    texts = [len(hit.chunk.chunk.text) for hit in found]
    assert texts == sorted(texts)
    assert ranked.last_reranked_results == found

    weighed = DenseGraphExpandRerankPipeline(
        retriever, rerank_context=RerankContext(), dense_top_k=2, graph_fusion_weight=50.0
    )
    fused = weighed.query("seconds before the next attempt")
    paths = [hit.chunk.path for hit in fused]
    assert len(paths) == len(set(paths))
    assert weighed.last_semantic_results and weighed.last_plan is not None
    assert paths[0] == weighed.last_graph_results[0].chunk.path
    with pytest.raises(UsageError):
        DenseGraphExpandRerankPipeline(retriever, graph_fusion_weight=0.5)


def test_neighbours_are_limited_directed_and_filtered(retriever: EmbeddingRetrievePipeline) -> None:
    question = "repeat an action until it works"
    none = DenseGraphExpandRerankPipeline(retriever, dense_top_k=1, graph_neighbors_per_seed=0)
    assert names(none.query(question)) == ["again"] and none.last_graph_results == ()
    forward = DenseGraphExpandRerankPipeline(retriever, dense_top_k=1, graph_direction="forward")
    forward.query(question)
    assert names(forward.last_graph_results) == ["pause"]
    backward = DenseGraphExpandRerankPipeline(retriever, dense_top_k=1, graph_direction="backward")
    backward.query(question)
    assert names(backward.last_graph_results) == ["send_file"]
    kept = DenseGraphExpandRerankPipeline(
        retriever, dense_top_k=1, candidate_filters=[lambda chunk: chunk.path != "shop/upload.py"]
    )
    assert "send_file" not in names(kept.query(question))


def test_another_graph_can_be_walked(
    project: Path, index: Path, retriever: EmbeddingRetrievePipeline, tmp_path: Path
) -> None:
    bare = planted(tmp_path / "bare", {"shop/retry.py": TREE["shop/retry.py"]})
    pipeline = DenseGraphExpandRerankPipeline(retriever, dense_top_k=1)
    other = Index(bare, {"index_dir": str(tmp_path / "graph")}).prepared()
    pipeline.load_graph(other)
    pipeline.query("repeat an action until it works")
    assert names(pipeline.last_graph_results) == ["pause"]  # nobody calls it there
    pipeline.load_graph(None)
    pipeline.query("repeat an action until it works")
    assert "send_file" in names(pipeline.last_graph_results)
    other.engine.close()


@pytest.mark.parametrize("mode", ["dense", "sparse", "hybrid"])
@pytest.mark.parametrize("fusion", ["weighted", "rrf", "cascade"])
def test_every_mode_and_fusion_answers(project: Path, index: Path, mode: str, fusion: str) -> None:
    with RetrieveRerankPipeline(
        project, index, retrieval_mode=mode, fusion_strategy=fusion, enable_rerank=False
    ) as pipeline:
        found = pipeline.query("growing pauses attempt", 3)
        assert names(found)[0] in {"again", "pause"}
        plan = pipeline.last_selected_plan
        assert plan is not None
        assert plan.fusion == (fusion if mode == "hybrid" else "none")


def test_auto_takes_what_the_planner_says(project: Path, index: Path) -> None:
    with RetrieveRerankPipeline(project, index, retrieval_mode="auto") as pipeline:
        pipeline.query("who calls pause")
        assert pipeline.last_planner_trace["plan"] == "structural_graph"
        assert names(pipeline.query("who calls pause, not its tests"))
        pipeline.query("how does the shop wait")
        assert pipeline.last_planner_trace["plan"] == "semantic"
        assert pipeline.last_query_signals is not None and pipeline.last_query_signals.semantic
    with RetrieveRerankPipeline(
        project, index, retrieval_mode="auto", planning_budget="fast", enable_rerank=True
    ) as pipeline:
        pipeline.query("pause")
        assert pipeline.last_selected_plan is not None
        assert pipeline.last_selected_plan.name == "fast_lexical"
        assert not pipeline.last_selected_plan.enable_rerank


def test_rerank_masks_and_files(project: Path, index: Path) -> None:
    context = RerankContext("crossencoder", _ByLength())
    with RetrieveRerankPipeline(project, index, rerank_context=context, rerank_candidate_top_k=2) as pipeline:
        found = pipeline.query(QUESTION)
        assert pipeline.last_carried is not None
        first = {one.chunk for one in pipeline.last_carried.filtered[:2]}
        assert {hit.chunk.id for hit in found[:2]} == first
        assert len(found[0].chunk.chunk.text) <= len(found[1].chunk.chunk.text)
    with RetrieveRerankPipeline(
        project, index, vector_masks={"python": ["shop/colour.py", "shop/retry.py#pause"]}
    ) as pipeline:
        python = [hit.name for hit in pipeline.query(QUESTION) if hit.chunk.language == "python"]
        assert set(python) == {"pause", "mix"}
    with RetrieveRerankPipeline(project, index, retrieval_level="l0") as pipeline:
        paths = [hit.chunk.path for hit in pipeline.query(QUESTION)]
        assert len(paths) == len(set(paths)) > 1


@pytest.mark.parametrize("name", list(PIPELINES))
def test_every_named_pipeline_answers_and_says_what_ran(name: str, project: Path, index: Path) -> None:
    with trigpoint.open(project, index_dir=str(index)) as engine:
        pack = engine.search("growing pauses attempt", pipeline=name)
        assert pack.hits[0].hit.name in {"again", "pause"}
        assert pack.plan.startswith(f"pipeline {name}")
        assert pack.rationale and pack.stages


def test_a_dense_pipeline_without_vectors_is_refused_not_faked(project: Path, tmp_path: Path) -> None:
    with trigpoint.open(project, index_dir=str(tmp_path / "i"), embedder="none") as engine:
        engine.index()
        assert engine.search("pauses", pipeline="bm25").hits
        assert (
            engine.search("how do pauses grow", pipeline="planned").plan == "pipeline planned: fast_lexical"
        )
        with pytest.raises(UsageError, match="needs vectors"):
            engine.search("pauses", pipeline="embedding")
    with trigpoint.open(
        project, index_dir=str(tmp_path / "i"), embedder="none", search_pipeline="bm25"
    ) as engine:
        assert engine.search("pauses").plan == "pipeline bm25"
    with pytest.raises(UsageError, match="no pipeline"):
        engine.search("pauses", pipeline="magic", update=False)


class _Failing(_ByLength):
    name = "failing"

    def scores(
        self, question: str, passages: Sequence[Passage], left: Callable[[], float]
    ) -> Sequence[float]:
        raise trigpoint.ProviderError("the service is away")


def test_a_reranker_that_fails_leaves_the_order_and_says_so(project: Path, index: Path) -> None:
    with RetrieveRerankPipeline(project, index, rerank_context=RerankContext("llm", _Failing())) as pipeline:
        found = pipeline.query(QUESTION)
        assert pipeline.last_carried is not None
        assert [hit.chunk.id for hit in found] == [one.chunk for one in pipeline.last_carried.filtered]
        assert pipeline.last_carried.lacks == ("not reranked: the service is away",)


def test_a_pipeline_that_reranks_takes_the_model_of_the_settings(project: Path, index: Path) -> None:
    with trigpoint.open(project, index_dir=str(index), rerank_by="embedding") as engine:
        assert engine.search("growing pauses attempt", pipeline="rerank-sparse").hits
