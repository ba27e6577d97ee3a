"""Settings become models: the embedder, and the reranker that an answer's plan carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trigpoint import config

if TYPE_CHECKING:
    from trigpoint.config import Settings
    from trigpoint.ports import Embedder


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
