"""The part of the engine that measures it: a labelled set asked of this index, and sets mined from this project."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from trigpoint.evaluation.measure import Run
    from trigpoint.evaluation.metrics import Answered, Place
    from trigpoint.evaluation.mine import Mined
    from trigpoint.evaluation.questions import Question
    from trigpoint.model import Freshness, Pack, Query
    from trigpoint.ports import Snapshot
    from trigpoint.search.plan import Plan
    from trigpoint.search.run import Ranking

ASKED = 50
"""Results that an answer is asked for: as many as the public tables look at."""


class Bench:
    """What the Engine is asked about its own quality."""

    root: Path

    def _plan(
        self, limit: int | None, tokens: int | None, tier: str | None, pipeline: str | None = None
    ) -> Plan:
        raise NotImplementedError

    def ranked(self, query: Query, plan: Plan, snapshot: Snapshot) -> Ranking:
        """The hits of one state of this index, best first."""
        raise NotImplementedError

    def _packed(self, ranking: Ranking, plan: Plan, snapshot: Snapshot, freshness: Freshness) -> Pack:
        raise NotImplementedError

    def _current(self, *, update: bool) -> AbstractContextManager[tuple[Snapshot, Freshness]]:
        raise NotImplementedError

    def bench(
        self,
        questions: Iterable[Question],
        *,
        tier: str | None = None,
        pipeline: str | None = None,
        depth: int = 10,
        update: bool = True,
    ) -> Run:
        """Ask every question of a labelled set, and score the answers; ``depth`` is the k of NDCG@k.

        Each question is ranked once; what is shown within the token budgets is packed from that one ranking.
        Raises UsageError for an unknown tier or pipeline.
        """
        from trigpoint.evaluation.measure import measure

        plan = self._plan(max(ASKED, depth), None, tier, pipeline)
        with self._current(update=update) as (snapshot, freshness):
            return measure(
                pipeline or plan.tier,
                questions,
                lambda one: self._scored(one, plan, snapshot, freshness),
                depth,
            )

    def _scored(self, question: Question, plan: Plan, snapshot: Snapshot, freshness: Freshness) -> Answered:
        from trigpoint.evaluation.metrics import BUDGETS, Answered
        from trigpoint.search.understand import understand
        from trigpoint.text.tokens import counts

        began = time.perf_counter()
        ranking = self.ranked(understand(question.text), plan, snapshot)
        pack = self._packed(ranking, plan, snapshot, freshness)
        milliseconds = (time.perf_counter() - began) * 1000.0
        packs = {
            budget: self._packed(ranking, plan._replace(tokens=budget), snapshot, freshness)
            for budget in BUDGETS
        }
        return Answered(
            places=tuple(_place(pack, rank) for rank in range(len(pack.hits))),
            shown={budget: _shown(one) for budget, one in packs.items()},
            milliseconds=milliseconds,
            tokens=sum(counts([one.window.text for one in pack.hits if one.window])),
        )

    def mine(self, *, commits: int = 500, docs: bool = True, update: bool = True) -> Mined:
        """A labelled set from this project itself: subjects of its last commits, first sentences of its docstrings.

        Questions that name their answer are refused. Raises SourceError where ``commits`` are asked for and git has none.
        """
        from collections import Counter

        from trigpoint.evaluation.mine import Commit, Mined, from_commits, from_docs
        from trigpoint.sources.git_history import history

        with self._current(update=update) as (snapshot, _):
            marks = {row.path: row.marks for row in snapshot.files() if row.outcome.level != "skipped"}
            found = Mined((), Counter())
            if commits:
                past = (Commit(*one) for one in history(str(self.root), commits))
                found = from_commits(past, marks.get, snapshot.symbols_of)
            if not docs:
                return found
            symbols = (one for path in marks for one in snapshot.symbols_of(path) if one.symbol.doc)
            told = from_docs(symbols, marks.get)
            return Mined((*found.questions, *told.questions), found.refused + told.refused)


def _place(pack: Pack, rank: int) -> Place:
    from trigpoint.evaluation.metrics import Place

    hit = pack.hits[rank].hit
    span = hit.chunk.span
    return Place(span.path, span.start, span.end, hit.name)


def _shown(pack: Pack) -> tuple[Place, ...]:
    """The places of which an answer shows text."""
    from trigpoint.evaluation.metrics import Place

    return tuple(Place(*one.window.span, one.hit.name) for one in pack.hits if one.window is not None)
