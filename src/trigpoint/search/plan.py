"""The plan of a search: the intent's row under a tier. A value that can be tested without an index."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple, Self

from trigpoint.errors import UsageError
from trigpoint.ports import Vectors
from trigpoint.search.intents import Intent, Way
from trigpoint.search.rerank import Rerank

if TYPE_CHECKING:
    from trigpoint.graph.map import Ranks
    from trigpoint.ports import Snapshot


class Tier(NamedTuple):
    """How much work an answer is worth."""

    depth: int  # chunks taken from each leg
    graph: bool  # whether the edges are walked
    coverage: bool  # whether names are found by the words of the question, not only as written
    path_files: int  # files of the path leg that may bring a chunk of their own
    nearest: int  # chunks of the vector leg; 0 asks no vectors
    rerank: bool  # whether a model may read the best results again, where one is set


TIERS: Mapping[str, Tier] = {
    "fast": Tier(depth=50, graph=False, coverage=False, path_files=5, nearest=0, rerank=False),
    "balanced": Tier(depth=150, graph=True, coverage=True, path_files=20, nearest=100, rerank=True),
    "thorough": Tier(depth=500, graph=True, coverage=True, path_files=60, nearest=300, rerank=True),
}
"""The tiers; each column has a test that fails when it is ignored."""


def boosts(written: str) -> tuple[tuple[str, float], ...]:
    """The boosts of a setting, in order: ``src/**=0.5, legacy=-0.3``. Raises UsageError for what is none."""
    found: list[tuple[str, float]] = []
    for part in filter(str.strip, written.split(",")):
        pattern, _, number = part.strip().rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.inf
        if not pattern or not -BOOST <= value <= BOOST:
            raise UsageError(
                f"search.boosts cannot hold {part.strip()!r}",
                f"write PATH=NUMBER, a number from -{BOOST:g} to {BOOST:g}: src/**=0.5",
            )
        found.append((pattern.strip(), value))
    return tuple(found)


BOOST = 5.0
"""Largest boost: the best fused hit stands at 1.0, and all signals together rarely pass that."""

AUTO = "auto"
"""The pipeline that is none of those with a name: the intent table."""


class Plan(NamedTuple):
    """What a caller asked for besides the question. ``tokens`` is None when the intent's budget counts,
    ``limit`` when ``most`` (a setting) and the intent's symbol budget do.
    """

    tier: str = "balanced"
    limit: int | None = None
    tokens: int | None = None
    most: int = 10
    rrf_k: int = 60
    wide: bool = (
        False  # ``most`` is only a default: a question about structure may give all that its row allows
    )
    pipeline: str = AUTO
    similarity: float = 0.0  # chunks less alike in meaning are no answer of the vector leg
    hops: int = 0  # of the graph leg; 0 for those of the row
    fan: int = 0  # neighbours past which a hub is cut; 0 for those of the row
    boosts: tuple[tuple[str, float], ...] = ()  # by file, folder or glob: what is added to the score
    vectors: Vectors | None = None  # of the generation that is asked, where there are any
    blind: str = ""  # why there are none, where there should be
    rerank: Rerank | None = None  # the model that reads the best results again, where one is set
    ranks: Callable[[Snapshot], Ranks] | None = None  # where those of the whole graph are kept

    def checked(self) -> Self:
        """The plan, if it can be carried out.

        Raises UsageError for an unknown tier and a limit below 1.
        """
        if self.tier not in TIERS:
            raise UsageError(f"no tier is called {self.tier!r}", f"it is one of: {', '.join(TIERS)}")
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"a limit of {self.limit} leaves nothing", "give a limit of 1 or more")
        return self

    @property
    def work(self) -> Tier:
        """The row of the tier."""
        return TIERS[self.tier]

    def budget(self, intent: Intent) -> int:
        """Tokens of the whole answer."""
        return intent.tokens if self.tokens is None else self.tokens

    def hits(self, intent: Intent) -> int:
        """Hits at most."""
        if self.limit is not None:
            return self.limit
        return intent.symbols if self.wide and intent.subject else min(self.most, intent.symbols)

    def name(self, intent: Intent) -> str:
        """What actually runs, by name: legs of the intent, and the tier."""
        blind = {"vector"} if self.unseen(intent) else set()
        legs = [leg for leg, _ in intent.legs if self.runs(leg) and leg not in blind]
        return f"{intent.name}/{self.tier}: " + " + ".join(legs)

    def runs(self, leg: str) -> bool:
        """Whether the tier, and what there is, let a leg vote."""
        return {"graph": self.work.graph, "vector": self.seeing is not None}.get(leg, True)

    def way(self, intent: Intent) -> Way | None:
        """The graph column of the row, as far and as wide as was asked for."""
        row = intent.walk
        if row is None:
            return None
        return row._replace(hops=self.hops or row.hops, fan=self.fan or row.fan)

    @property
    def seeing(self) -> Vectors | None:
        """The vectors, where there are any and the tier asks them."""
        return self.vectors if self.work.nearest else None

    def rereading(self, intent: Intent) -> Rerank | None:
        """The model that reads the results of this row again, where one is set and the tier is worth it."""
        return self.rerank if intent.rerank and self.work.rerank else None

    def unseen(self, intent: Intent) -> tuple[str, ...]:
        """Why a row that asks the vectors got no answer from them."""
        if not self.work.nearest or not any(leg == "vector" for leg, _ in intent.legs):
            return ()
        why = self.blind or (self.vectors.trouble if self.vectors is not None else "")
        return (why,) if why else ()
