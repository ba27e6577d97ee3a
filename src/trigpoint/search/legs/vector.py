"""Chunks by meaning: those whose vectors are nearest to that of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trigpoint.model import Query, Scored
from trigpoint.ports import Snapshot, Vectors

FEW = 20_000
"""Chunks that pass a filter, up to which just these are scored and none is missed: 5 ms."""
WIDEST = 4_096
"""Candidates looked at for a filter that more of them pass."""


def asked(query: Query) -> str:
    """What of a question is embedded: its words and names without the filters written in it."""
    return " ".join((*query.words, *query.identifiers)) if query.filters else query.text


def rank(query: Query, snapshot: Snapshot, vectors: Vectors | None, limit: int) -> tuple[Scored, ...]:
    """The nearest chunks that pass the filters, best first; () where there are no vectors."""
    if vectors is None:
        return ()
    question = asked(query)
    if not query.filters:
        return tuple(vectors.nearest(question, limit))
    few = snapshot.selected(query.filters, FEW)
    if few is not None:
        scores = vectors.within(question, few)
        best = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))[:limit]
        return tuple(Scored(chunk, round(scores[chunk], 6)) for chunk in best)
    found = vectors.nearest(question, limit)
    reach = limit
    while True:
        kept = snapshot.passing([one.chunk for one in found], query.filters)
        passed = tuple(one for one in found if one.chunk in kept)
        if len(passed) >= limit or len(found) < reach or reach >= WIDEST:
            return passed[:limit]
        reach *= 4
        found = vectors.nearest(question, reach)


def near(query: Query, vectors: Vectors | None, chunks: Sequence[int]) -> Mapping[int, float]:
    """How near each of these chunks is to the question; {} where there are no vectors."""
    return vectors.within(asked(query), chunks) if vectors is not None and chunks else {}
