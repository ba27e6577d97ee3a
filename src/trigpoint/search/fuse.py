"""Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009): sum over legs of weight / (k + rank), k = 60."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.model import Evidence
from trigpoint.search.ranking import Vote

RRF_K = 60


def fuse(votes: Sequence[Vote], k: int = RRF_K) -> dict[int, list[Evidence]]:
    """Evidence per chunk, scaled so that the best chunk's sum is 1.0.

    One vote a leg and chunk: the first seen stays. The order of the result is that of first sight, which is stable.
    """
    found: dict[int, dict[str, tuple[float, str]]] = {}
    for vote in votes:
        seen: set[int] = set()
        for one in vote.ranking:
            if one.chunk in seen:
                continue
            seen.add(one.chunk)
            note = vote.notes.get(one.chunk, "")
            value = vote.weight / (k + len(seen))
            label = f"{vote.leg} #{len(seen)}" + (f", {note}" if note else "")
            found.setdefault(one.chunk, {}).setdefault(vote.leg, (value, label))
    best = (
        max((sum(value for value, _ in reasons.values()) for reasons in found.values()), default=0.0) or 1.0
    )
    return {
        chunk: [Evidence(f"leg:{leg}", value / best, note) for leg, (value, note) in reasons.items()]
        for chunk, reasons in found.items()
    }
