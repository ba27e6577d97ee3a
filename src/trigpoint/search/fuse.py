"""Votes of legs become one ranking: by rank, or by score.

Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): sum over legs of weight / (k + rank), k = 60.
Weighted fusion: sum over legs of weight * score, the scores of each leg scaled to 0..1 over what it has found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trigpoint.model import Evidence, Scored
from trigpoint.search.ranking import Vote

RRF_K = 60


def fuse(votes: Sequence[Vote], k: int = RRF_K) -> dict[int, list[Evidence]]:
    """Evidence per chunk, scaled so that the best chunk's sum is 1.0.

    One vote a leg and chunk: the first seen stays. The order of the result is that of first sight, which is stable.
    """
    return _collected(votes, lambda vote, one, rank: 1.0 / (k + rank))


def weigh(votes: Sequence[Vote], k: int = RRF_K) -> dict[int, list[Evidence]]:
    """The same by scores: how far the first leads counts, and a leg whose scores are alike tells as much as one hit."""

    def share(vote: Vote, one: Scored, rank: int) -> float:
        high, low = vote.ranking[0].score, vote.ranking[-1].score
        if high <= low:
            return 1.0
        return LEAST + (1.0 - LEAST) * (one.score - low) / (high - low)

    return _collected(votes, share)


LEAST = 0.1
"""Share of the last hit of a leg: it was found, which is more than nothing."""

FUSIONS: Mapping[str, Callable[[Sequence[Vote], int], dict[int, list[Evidence]]]] = {
    "rrf": fuse,
    "weighted": weigh,
}
"""The fusions that a row of the intent table may name."""


def _collected(
    votes: Sequence[Vote], share: Callable[[Vote, Scored, int], float]
) -> dict[int, list[Evidence]]:
    found: dict[int, dict[str, tuple[float, str]]] = {}
    for vote in votes:
        seen: set[int] = set()
        for one in vote.ranking:
            if one.chunk in seen:
                continue
            seen.add(one.chunk)
            value = vote.weight * share(vote, one, len(seen))
            note = vote.notes.get(one.chunk, "")
            label = f"{vote.leg} #{len(seen)}" + (f", {note}" if note else "")
            found.setdefault(one.chunk, {}).setdefault(vote.leg, (value, label))
    best = (
        max((sum(value for value, _ in reasons.values()) for reasons in found.values()), default=0.0) or 1.0
    )
    return {
        chunk: [Evidence(f"leg:{leg}", value / best, note) for leg, (value, note) in reasons.items()]
        for chunk, reasons in found.items()
    }
