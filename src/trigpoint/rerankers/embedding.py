"""Rerank by an embedding model that is better than the one of the index, or slower: only the best results are embedded."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trigpoint.errors import ProviderError
from trigpoint.model import Passage
from trigpoint.ports import Embedder

STEP = 8
"""Passages embedded between two looks at the clock."""


class EmbeddingReranker:
    """ports.Reranker: dot products of the question with each passage. What was embedded once is remembered."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self._embedder = embedder
        self._known: dict[Passage, tuple[float, ...]] = {}

    def scores(
        self, question: str, passages: Sequence[Passage], left: Callable[[], float]
    ) -> Sequence[float]:
        """One likeness a passage, in order."""
        new = [one for one in dict.fromkeys(passages) if one not in self._known]
        for start in range(0, len(new), STEP):
            in_time(left)
            some = new[start : start + STEP]
            rows = self._embedder.encode_documents(some)
            self._known.update(zip(some, map(tuple, rows.tolist()), strict=True))
        in_time(left)
        asked = self._embedder.encode_queries([question])[0].tolist()
        scores = [
            sum(one * other for one, other in zip(self._known[passage], asked, strict=True))
            for passage in passages
        ]
        if len(self._known) > 10_000:
            self._known.clear()
        return scores


def in_time(left: Callable[[], float]) -> None:
    """Raises ProviderError when no time is left."""
    if left() <= 0:
        raise ProviderError("its time was up", "raise rerank.seconds, or lower rerank.top")
