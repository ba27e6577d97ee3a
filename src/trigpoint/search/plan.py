"""The plan of a search: the intent's row under a tier. A value that can be tested without an index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Self

from trigpoint.errors import UsageError
from trigpoint.ports import Vectors
from trigpoint.search.intents import Intent


class Tier(NamedTuple):
    """How much work an answer is worth."""

    depth: int  # chunks taken from each leg
    graph: bool  # whether the edges are walked
    coverage: bool  # whether names are found by the words of the question, not only as written
    path_files: int  # files of the path leg that may bring a chunk of their own
    nearest: int  # chunks of the vector leg; 0 asks no vectors


TIERS: Mapping[str, Tier] = {
    "fast": Tier(depth=50, graph=False, coverage=False, path_files=5, nearest=0),
    "balanced": Tier(depth=150, graph=True, coverage=True, path_files=20, nearest=100),
    "thorough": Tier(depth=500, graph=True, coverage=True, path_files=60, nearest=300),
}
"""The tiers; each column has a test that fails when it is ignored."""


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
    vectors: Vectors | None = None  # of the generation that is asked, where there are any
    blind: str = ""  # why there are none, where there should be

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

    @property
    def seeing(self) -> Vectors | None:
        """The vectors, where there are any and the tier asks them."""
        return self.vectors if self.work.nearest else None

    def unseen(self, intent: Intent) -> tuple[str, ...]:
        """Why a row that asks the vectors got no answer from them."""
        if not self.work.nearest or not any(leg == "vector" for leg, _ in intent.legs):
            return ()
        why = self.blind or (self.vectors.trouble if self.vectors is not None else "")
        return (why,) if why else ()
