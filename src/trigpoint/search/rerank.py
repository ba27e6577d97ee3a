"""The stage in which a model reads the best results again. Its answer is one more reason; without it the order stays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from trigpoint.errors import ProviderError
from trigpoint.model import Passage
from trigpoint.ports import Reranker, Snapshot
from trigpoint.search.ranking import Candidates


class Rerank(NamedTuple):
    """What a plan carries: the model, how many results it reads, for how long, and how far it is trusted."""

    model: Reranker
    top: int = 20
    seconds: float = 10.0
    weight: float = 1.0


def rerank(state: Candidates, plan: Rerank, snapshot: Snapshot, clock: Callable[[], float]) -> str:
    """Add the model's evidence to the best results; returns why there is none, "" when there is."""
    best = state.ordered()[: plan.top]
    found = {one.id: one for one in snapshot.chunks(best)}
    best = [one for one in best if one in found]
    passages = [
        Passage(found[one].chunk.text, f"{found[one].path} {found[one].qualified}".strip()) for one in best
    ]
    until = clock() + plan.seconds
    try:
        scores = plan.model.scores(state.query.text, passages, lambda: until - clock()) if passages else ()
    except ProviderError as error:
        return f"not reranked by {plan.model.name}: {error.message}"
    for place, (chunk, share) in enumerate(zip(best, shares(scores), strict=True), 1):
        state.add(chunk, f"rerank:{plan.model.name}", plan.weight * share, f"was #{place}")
    return ""


def shares(scores: Sequence[float]) -> list[float]:
    """Scores between 0 and 1: the lowest of these is 0, the highest 1; all 0 where they are alike."""
    known = [one for one in scores if math.isfinite(one)]
    low, high = min(known, default=0.0), max(known, default=0.0)
    if high <= low:
        return [0.0] * len(scores)
    return [(one - low) / (high - low) if math.isfinite(one) else 0.0 for one in scores]
