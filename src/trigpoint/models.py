"""Settings become models: the embedder, and the reranker that an answer's plan carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from trigpoint import config
from trigpoint.errors import ConfigError

if TYPE_CHECKING:
    from trigpoint.config import Settings
    from trigpoint.ports import Embedder, Reranker
    from trigpoint.rerankers.llm import Budget
    from trigpoint.search.rerank import Rerank
    from trigpoint.services.chat import Chat


def embedder_of(settings: Settings) -> Embedder | None:
    """The embedder that settings choose; None where there is to be none.

    Raises ConfigError for a service that was not allowed, and for a package or model that is missing.
    """
    name = settings.embedder
    if name == "none":
        return None
    if name == "static":  # without the table of the others
        from trigpoint.embedders.static import StaticEmbedder

        return StaticEmbedder()
    from trigpoint.embedders.choice import Wishes, embedder, row_of

    known = row_of(name)
    wishes = Wishes(
        model=settings.embedding_model,
        endpoint=settings.embedding_endpoint or (name if "://" in name else ""),
        key=config.service_key(settings.embedding_key_variable or known.key),
        dimensions=settings.embedding_dimensions,
        max_tokens=settings.embedding_max_tokens,
        batch_tokens=settings.embedding_batch_tokens,
        query_prompt=settings.embedding_query_prompt,
        document_prompt=settings.embedding_document_prompt,
        revision=settings.embedding_revision,
        tries=settings.embedding_tries,
        seconds=settings.embedding_seconds,
    )
    return embedder(name, wishes)


TRUST: Mapping[str, float] = {
    "embedding": 0.15,
    "minilm": 0.6,
    "cross-encoder": 2.0,
    "cross-encoder-onnx": 2.0,
    "listwise": 4.0,
    "pointwise": 2.0,
}
"""Weight of each kind of reranker, where the best fused result has 1 and all signals together a few. Those of the two embedding
rows were measured (benchmarks/meaning); the others are guesses until somebody has their models at hand."""


def reranker_of(settings: Settings, embedder: Embedder | None) -> Rerank | None:
    """What a plan carries of the reranker that settings choose; None where there is to be none.

    Raises ConfigError for a service that was not allowed, and for a package or model that is missing.
    """
    if settings.rerank_by == "none":
        return None
    from trigpoint.search.rerank import Rerank

    model = RERANKERS[settings.rerank_by](settings, embedder)
    return Rerank(model, settings.rerank_top, settings.rerank_seconds, TRUST[settings.rerank_by])


def _by_embedding(settings: Settings, embedder: Embedder | None) -> Reranker:
    from trigpoint.rerankers.embedding import EmbeddingReranker

    if embedder is None:
        raise ConfigError("rerank.by = embedding needs an embedder", "set embedder, or another rerank.by")
    return EmbeddingReranker(embedder)


def _by_minilm(settings: Settings, embedder: Embedder | None) -> Reranker:
    from trigpoint.embedders.known import KNOWN
    from trigpoint.embedders.onnx import OnnxEmbedder, packaged
    from trigpoint.rerankers.embedding import EmbeddingReranker

    folder = Path(settings.rerank_model).expanduser() if settings.rerank_model else packaged()
    return EmbeddingReranker(OnnxEmbedder(KNOWN["minilm"], folder))


def _by_onnx(settings: Settings, embedder: Embedder | None) -> Reranker:
    from trigpoint.rerankers.cross_encoder import OnnxCrossEncoder

    return OnnxCrossEncoder(Path(_named(settings)).expanduser())


def _by_cross_encoder(settings: Settings, embedder: Embedder | None) -> Reranker:
    from trigpoint.rerankers.cross_encoder import SentenceCrossEncoder

    return SentenceCrossEncoder(_named(settings))


def _listwise(settings: Settings, embedder: Embedder | None) -> Reranker:
    from trigpoint.rerankers.llm import ListwiseReranker

    return ListwiseReranker(*_chat(settings))


def _pointwise(settings: Settings, embedder: Embedder | None) -> Reranker:
    from trigpoint.rerankers.llm import PointwiseReranker

    return PointwiseReranker(*_chat(settings))


def _chat(settings: Settings) -> tuple[Chat, Budget]:
    from trigpoint.rerankers.llm import Budget
    from trigpoint.services.chat import Chat
    from trigpoint.services.http import Endpoint

    if not settings.rerank_endpoint:
        raise ConfigError(
            f"rerank.by = {settings.rerank_by} would send results to a service",
            "allow it by naming the address: rerank.endpoint, in your user file, the environment or by --set",
        )
    endpoint = Endpoint(settings.rerank_endpoint, config.service_key(settings.rerank_key_variable))
    budget = Budget(settings.rerank_window, settings.rerank_step, settings.rerank_tokens)
    return Chat(endpoint, _named(settings)), budget


def _named(settings: Settings) -> str:
    if not settings.rerank_model:
        raise ConfigError(f"rerank.by = {settings.rerank_by} needs a model", "name it in rerank.model")
    return settings.rerank_model


RERANKERS: Mapping[str, Callable[[Settings, Embedder | None], Reranker]] = {
    "embedding": _by_embedding,
    "minilm": _by_minilm,
    "cross-encoder": _by_cross_encoder,
    "cross-encoder-onnx": _by_onnx,
    "listwise": _listwise,
    "pointwise": _pointwise,
}
"""The rerankers by their name in the settings."""
