"""The part of the Engine that composes one answer from search, graph and the files as they are now."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from json import dumps
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, Unpack

if TYPE_CHECKING:
    from pathlib import Path

    from trigpoint.config import Settings
    from trigpoint.graph.relation import Change
    from trigpoint.model import Freshness, Query, Stage
    from trigpoint.ports import Snapshot
    from trigpoint.search.compose import Asked, Found, Limits
    from trigpoint.search.context import Context, Held, Now, Piece
    from trigpoint.search.plan import Plan
    from trigpoint.search.run import Ranking
    from trigpoint.sources.directory import DirectorySource

CHANGES = 12
"""Changed symbols of a diff that are shown; the rest is counted."""
VERIFIED = 18
"""Passages that are read anew to be shown; more than that fit no budget in common use, and are named only."""
READ_LIMIT = 20_000_000
"""Bytes of a file that is shown."""


class ContextWishes(TypedDict, total=False):
    """How a composed answer is wanted; each may be left out."""

    symbols: Sequence[str]  # names whose definitions come first
    paths: Sequence[str]  # only these files, folders or globs
    diff: str | None  # what differs from this revision comes first
    tier: str | None
    tokens: int | None
    update: bool  # bring changed files in first; on when left out
    seconds: float | None  # the answer comes after so many, partial if need be; None is no deadline


class Watch(NamedTuple):
    """What may end an answer early, and what a session has already. ``stopped`` is a cancellation."""

    ends: float | None = None  # by time.monotonic()
    seconds: float | None = None
    stopped: Callable[[], bool] = lambda: False
    held: Callable[[str, Sequence[str]], Sequence[Held]] = lambda path, lines: ()
    counted: bool = True  # as an answer that was given

    def over(self) -> str:
        """Why there is no time left; "" while there is."""
        if self.stopped():
            return "the call was cancelled"
        if self.ends is not None and time.monotonic() >= self.ends:
            return f"the deadline of {self.seconds:g} s has passed"
        return ""


class Contexts:
    """Composed answers: what an agent needs to begin, in one call."""

    root: Path
    settings: Settings

    @property
    def _source(self) -> DirectorySource:
        raise NotImplementedError

    if TYPE_CHECKING:

        def _current(self, *, update: bool) -> AbstractContextManager[tuple[Snapshot, Freshness]]: ...
        def _plan(self, limit: int | None, tokens: int | None, tier: str | None) -> Plan: ...
        def _refresh(self) -> Freshness: ...
        def _snapshot(self) -> AbstractContextManager[Snapshot]: ...
        def _known_as(self, path: str) -> str: ...
        def _count_context(self, found: Context) -> Context: ...
        def _meaning(self, generation: int) -> dict[str, Any]: ...
        def ranked(self, query: Query, plan: Plan, snapshot: Snapshot) -> Ranking:
            """The hits of one state of the index, best first."""
            ...

    def generation(self) -> int:
        """The published generation that is answered from; 0 when nothing is indexed."""
        with self._snapshot() as snapshot:
            return snapshot.generation

    def refresh(self) -> Freshness:
        """Bring changed files in when they are few, as `update` does before an answer; says how the index stands now."""
        return self._refresh()

    def state_of(self, path: str) -> str:
        """How a file stands to the index: verified, changed since, or new to it. Raises as read() does."""
        from trigpoint.search.context import CHANGED, VERIFIED

        known = self._known_as(path)
        with self._snapshot() as snapshot:
            row = snapshot.file(known)
        if row is None or not row.digest:
            return "not indexed"
        return VERIFIED if _now(self._source, known).digest == row.digest else CHANGED

    def context(self, query: str, *, watch: Watch | None = None, **wishes: Unpack[ContextWishes]) -> Context:
        """One composed answer: verified source, who stands around it, what is missing, what to do next.

        ``watch`` is for surfaces that cancel calls or remember what a session has. Raises UsageError for an answer about
        nothing or a ``diff`` that is no revision, NotFoundError when nothing is indexed and ``update`` is off.
        """
        from trigpoint.search.compose import compose

        seconds = wishes.get("seconds")
        ends = None if seconds is None else time.monotonic() + seconds
        watch = watch or Watch(ends, seconds)
        query = _question(query, wishes)
        with self._current(update=wishes.get("update", True)) as (snapshot, freshness):
            plan = self._plan(None, None, wishes.get("tier"))._replace(**self._meaning(snapshot.generation))
            limits = self._limits(wishes.get("tokens"), watch)
            found = self._found(query, wishes, plan, snapshot, watch)
            made = compose(found, plan, limits, freshness)
        return self._count_context(made) if watch.counted else made

    def _limits(self, tokens: int | None, watch: Watch) -> Limits:
        from trigpoint.operations import CONTEXT_TOKENS
        from trigpoint.search.compose import Limits
        from trigpoint.text.tokens import ruler

        measure = ruler(exact=tokens is not None)
        budget = min(tokens or CONTEXT_TOKENS, self.settings.context_max_tokens)

        def cost(lines: Sequence[str]) -> list[int]:
            """Lines as JSON writes them, with their ends."""
            return [
                size + 1 for size in measure.counts([dumps(line, ensure_ascii=False)[1:-1] for line in lines])
            ]

        return Limits(budget, measure.name, cost, watch.held)

    def _found(
        self, query: str, wishes: ContextWishes, plan: Plan, snapshot: Snapshot, watch: Watch
    ) -> Found:
        from trigpoint.graph.around import Around, around
        from trigpoint.model import FAIR, Filters
        from trigpoint.search.compose import EACH, HITS, Found, focused, late, pieces, subjects, uncovered
        from trigpoint.search.confidence import confidence
        from trigpoint.search.fallback import fallbacks
        from trigpoint.search.understand import understand

        lacks = list(_over(wishes.get("tokens"), self.settings.context_max_tokens))
        asked = self._asked(wishes, snapshot, lacks)
        filters = Filters(paths=tuple(wishes.get("paths") or ()))
        ranking = self.ranked(understand(query, filters), plan._replace(limit=HITS), snapshot)
        ranking = focused(ranking, VERIFIED)
        stages: list[Stage] = list(ranking.stages)
        with _timed(stages, "verify") as detail:
            chosen = pieces(asked, ranking, snapshot)
            files = self._files(chosen, watch)
            if len(files) < len({one.span.path for one in chosen[:VERIFIED]}):
                lacks.append(late(watch.over(), "some windows are"))
            detail.append(f"{len(files)} files")
            lacks += uncovered(files, asked, snapshot)
        with _timed(stages, "around") as detail:
            near, nearby = subjects(asked, ranking, snapshot), Around()
            if reason := watch.over():
                lacks.append(late(reason, "relationships are"))
            elif plan.work.graph:
                nearby = around(near, snapshot, EACH)
            detail.append(f"{len(nearby.neighbours)} relations")
        ranking = ranking._replace(stages=tuple(stages))
        sure = None if ranking.seen is None else confidence(ranking.seen)
        other = fallbacks(ranking.query, ranking.hits, snapshot) if sure is not None and sure < FAIR else ()
        return Found(asked, ranking, chosen, files, near, nearby, tuple(lacks), sure, other)

    def _asked(self, wishes: ContextWishes, snapshot: Snapshot, lacks: list[str]) -> Asked:
        from trigpoint.graph.names import meant
        from trigpoint.search.compose import Asked

        named, unknown = {}, []
        for name in wishes.get("symbols") or ():
            symbols = meant(name, snapshot).symbols
            named.update({one.id: one for one in symbols[:3]})
            if not symbols:
                unknown.append(name.strip()[:80])
            elif len(symbols) > 3:
                lacks.append(f"{len(symbols):,} definitions are called {name}: the first 3 are shown")
        diff = wishes.get("diff") or ""
        changes = self._changed(diff, snapshot) if diff else []
        if len(changes) > CHANGES:
            lacks.append(f"{len(changes):,} symbols differ from {diff}: the first {CHANGES} are shown")
        return Asked(tuple(named.values()), tuple(unknown), tuple(changes[:CHANGES]), diff)

    def _changed(self, base: str, snapshot: Snapshot) -> list[Change]:
        from trigpoint.sources.git_diff import difference
        from trigpoint.structure import changes_in

        return [one for file in difference(str(self.root), base).files for one in changes_in(file, snapshot)]

    def _files(self, chosen: Sequence[Piece], watch: Watch) -> dict[str, Now]:
        """The files of the best passages as they are now, until the time is over."""
        found: dict[str, Now] = {}
        for piece in chosen[:VERIFIED]:
            if piece.span.path not in found:
                if found and watch.over():
                    break
                found[piece.span.path] = _now(self._source, piece.span.path)
        return found


def _over(tokens: int | None, most: int) -> Iterator[str]:
    if tokens is not None and tokens > most:
        yield f"{tokens:,} tokens were asked for: the setting context.max_tokens allows {most:,}"


def _question(query: str, wishes: ContextWishes) -> str:
    """The text that is searched for; names stand in where there is none."""
    from trigpoint.errors import UsageError

    if query.strip():
        return query
    names = [*(wishes.get("symbols") or ()), *(wishes.get("paths") or ())]
    if names or wishes.get("diff"):
        return " ".join(names)
    raise UsageError("the question is empty", "ask something, or name symbols, paths or a diff")


def _now(source: DirectorySource, path: str) -> Now:
    """A file as it is now, read the one safe way. Never raises for the file."""
    from hashlib import sha256

    from trigpoint.errors import TrigpointError
    from trigpoint.indexing.shown import as_shown
    from trigpoint.search.context import Now
    from trigpoint.sources.decoding import decode
    from trigpoint.sources.opening import read_regular

    try:
        data = read_regular(str(source.resolve(path)), READ_LIMIT)
        decoded = decode(data)
    except TrigpointError as error:
        return Now(problem=f"changed since it was indexed: {error.message}")
    except (OSError, ValueError) as error:
        return Now(problem=f"cannot be read now: {getattr(error, 'strerror', None) or error}")
    if decoded is None:
        return Now(problem="changed since it was indexed: it is no text now")
    lines = as_shown(path, decoded.text).split("\n")
    return Now(tuple(lines[:-1] if lines and not lines[-1] else lines), sha256(data).hexdigest(), len(data))


@contextmanager
def _timed(stages: list[Stage], name: str) -> Iterator[list[str]]:
    """A stage of the plan with its time."""
    from trigpoint.model import Stage

    began, detail = time.perf_counter(), []  # type: float, list[str]
    yield detail
    stages.append(Stage(name, ", ".join(detail), (time.perf_counter() - began) * 1000.0))
