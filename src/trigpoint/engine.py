"""The wiring: settings become parts, and each operation is one short method. Nothing is imported before it is needed."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from trigpoint.bench import Bench
from trigpoint.context import Contexts
from trigpoint.errors import NotFoundError, ProviderError, StoreError, TrigpointError, UsageError
from trigpoint.layers import Layered
from trigpoint.model import (
    EDGE_KINDS,
    Definitions,
    Filters,
    Freshness,
    IndexReport,
    Level,
    NamedEdge,
    Pack,
    Progress,
    Query,
    Status,
    Window,
)
from trigpoint.stats import Counted
from trigpoint.structure import Structure
from trigpoint.upkeep import Upkeep

if TYPE_CHECKING:
    from trigpoint.config import Settings
    from trigpoint.indexing.freshness import Wanted
    from trigpoint.indexing.merkle import Changes
    from trigpoint.indexing.run import Options
    from trigpoint.ports import Embedder, Reading, Snapshot, Store, Vectors
    from trigpoint.search.plan import Plan
    from trigpoint.search.rerank import Rerank
    from trigpoint.search.run import Ranking
    from trigpoint.sources.directory import DirectorySource
    from trigpoint.stores.local.trees import Keep, Limits

RECORDS_VERSION = "2"
"""Raised when records made by older code no longer fit: everything is read anew."""

FIRST_WAIT_SECONDS = 60.0
"""How long a search waits for another writer when there is nothing yet to answer from."""
WAIT_SECONDS = 2.0
"""How long it waits when there is: enough for an update of some files, less than a person's patience."""


class Engine(Structure, Contexts, Upkeep, Layered, Bench, Counted):
    """Everything that can be asked of one code base. Close it, or use it as a context, to let the index go."""

    def __init__(self, root: Path, settings: Settings, behind: Callable[[], bool] | None = None) -> None:
        self.root = root
        self.settings = settings
        self._behind = behind
        self._seeing: tuple[int, Vectors] | None = None
        self._no_model = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let all resources go."""
        if "_store" in self.__dict__:
            self._store.close()
            del self._store
        self._close_around()

    # parts

    @cached_property
    def _store(self) -> Store:
        from trigpoint.stores.local import LocalStore

        return LocalStore(self.settings.index_dir, self.settings.lexical, self._keep, self._records)

    @property
    def _keep(self) -> Keep:
        """Which indexes of other trees are kept beside the present one."""
        from trigpoint.stores.local.trees import Keep

        settings = self.settings
        return Keep(settings.trees_kept, settings.trees_days, settings.trees_megabytes * 1_000_000)

    @property
    def _records(self) -> Limits:
        """Which records that left the index are kept."""
        from trigpoint.stores.local.trees import Limits

        settings = self.settings
        return Limits(settings.records_days, settings.records_megabytes * 1_000_000)

    @property
    def _place(self) -> Path:
        """The folder of the present tree's index."""
        from trigpoint.stores.local import place

        return place(self.settings.index_dir)

    @cached_property
    def _embedder(self) -> Embedder | None:
        from trigpoint.models import embedder_of

        try:
            return embedder_of(self.settings)
        except (OSError, ValueError, KeyError) as error:
            if isinstance(error, TrigpointError):
                raise
            self._no_model = f"the model {self.settings.embedder} cannot be read: {error}"
            return None

    def _embed(self, snapshot: Snapshot, tell: Callable[[int], None]) -> str:
        """Bring the vectors up to a snapshot, while nobody else writes; says what came between."""
        if self._embedder is None:
            return f"without vectors: {self._no_model}" if self._no_model else ""
        from trigpoint.stores.local.vector_health import remember
        from trigpoint.stores.local.vector_writer import refresh_or_start_over
        from trigpoint.stores.local.vectors import FOLDER

        folder = self._place / FOLDER
        try:
            refresh_or_start_over(folder, snapshot, self._embedder, tell, self.settings.vectors_search)
        except ProviderError as error:
            return f"without all vectors: {error.message}; `trig index` goes on from there"
        except Exception as error:  # whatever a model does, it does not cost the rest of the index
            helps = error.hint if isinstance(error, TrigpointError) else "`trig index` tries again"
            said = error.message if isinstance(error, TrigpointError) else f"{type(error).__name__}: {error}"
            reason = f"no vectors could be made: {said}; {helps}"
            remember(folder, self._embedder.fingerprint, reason)
            return reason
        remember(folder, self._embedder.fingerprint, "")
        return ""

    def _embed_on_the_way(self, snapshot: Snapshot, tell: Callable[[int], None]) -> str:
        """The same for an answer that is waited for: all that a slow model has not seen yet waits for `trig index`."""
        from trigpoint.stores.local.vector_view import is_slow_and_new

        waits = is_slow_and_new(self._place, self._embedder)
        return "" if waits else self._embed(snapshot, tell)

    def _vectors(self, generation: int) -> Vectors | None:
        """The vectors of a generation, kept open until there is a newer one; None while they are not finished."""
        from trigpoint.stores.local.vector_view import open_vectors

        if self._seeing is None or self._seeing[0] != generation:
            found = open_vectors(self._place, self._embedder, generation, self.settings.vectors_search)
            self._seeing = (generation, found) if found is not None else None
        return self._seeing[1] if self._seeing else None

    def _meaning(self, generation: int) -> dict[str, Any]:
        """What a plan carries of the vectors: them, or why there are none."""
        from trigpoint.stores.local.vector_view import lacking

        vectors = self._vectors(generation)
        blind = "" if vectors else lacking(self._place, self._embedder, generation)
        if self._no_model:
            blind = f"answered by words alone: {self._no_model}"
        return {"vectors": vectors, "blind": blind, "rerank": self._reranker, "ranks": self._ranks}

    @cached_property
    def _reranker(self) -> Rerank | None:
        from trigpoint.models import reranker_of

        return reranker_of(self.settings, self._embedder) if self.settings.rerank_by != "none" else None

    @cached_property
    def _source(self) -> DirectorySource:
        from trigpoint.sources.directory import DirectorySource

        return DirectorySource(self.root, max_bytes=self.settings.max_file_bytes)

    def _wanted(self, *, full: bool = False, verify: bool = False) -> Wanted:
        """What the index must have been made with."""
        from trigpoint.indexing.freshness import Wanted
        from trigpoint.languages import versions

        settings = self.settings
        depends = (
            RECORDS_VERSION,
            settings.chunk_max_tokens,
            settings.chunk_min_tokens,
            settings.max_file_bytes,
        )
        return Wanted(" ".join(map(str, (*depends, versions()))), full, verify)

    def _options(self, *, full: bool = False, verify: bool = False, wait_seconds: float = 60.0) -> Options:
        from trigpoint.indexing.chunk import ChunkLimits
        from trigpoint.indexing.run import Options

        settings = self.settings
        return Options(
            limits=ChunkLimits(settings.chunk_max_tokens, settings.chunk_min_tokens),
            workers=settings.workers or os.cpu_count() or 1,
            file_seconds=settings.file_time_limit_seconds,
            wanted=self._wanted(full=full, verify=verify),
            wait_seconds=wait_seconds,
            head=" ".join(self._source.head()).rstrip(),
            embed=self._embed,
        )

    def _pending(self, snapshot: Snapshot) -> Changes:
        from trigpoint.indexing.freshness import pending

        return pending(self._source, snapshot, self._wanted(), time.time_ns())

    @contextmanager
    def _snapshot(self) -> Iterator[Snapshot]:
        snapshot = self._store.snapshot()
        try:
            yield snapshot
        finally:
            snapshot.close()

    # operations

    def index(
        self, *, full: bool = False, verify: bool = False, progress: Callable[[Progress], None] | None = None
    ) -> IndexReport:
        """Bring the index up to date with the files; ``full`` reads every one anew, ``verify`` compares each by its digest.

        Raises SourceError, StoreLockedError, StoreError.
        """
        from trigpoint.indexing.run import update

        report = update(self._source, self._store, self._options(full=full, verify=verify), progress)
        return self._indexed_around(report, full=full)

    def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        tokens: int | None = None,
        tier: str | None = None,
        pipeline: str | None = None,
        filters: Filters | None = None,
        update: bool = True,
    ) -> Pack:
        """The code that answers a question, ranked, with reasons, within a token budget.

        Brings a small change of the tree in first; a large one is answered from the former generation and said so.
        Raises UsageError for a filter that cannot be executed, NotFoundError when nothing is indexed and ``update`` is off.
        """
        freshness = self._refresh() if update else None
        plan = self._plan(limit, tokens, tier, pipeline)
        with self._snapshot() as snapshot:
            known = freshness or self._freshness(snapshot, "unknown")
            return self._count_pack(self._answer(query, filters, plan, snapshot, known), snapshot)

    def search_many(
        self,
        queries: Iterable[tuple[str, str]],
        *,
        limit: int | None = None,
        tokens: int | None = None,
        tier: str | None = None,
        pipeline: str | None = None,
        filters: Filters | None = None,
        update: bool = True,
    ) -> Iterator[tuple[str, Pack]]:
        """Answers to (id, question) pairs, one by one, all from one snapshot that was brought up to date first."""
        freshness = self._refresh() if update else None
        plan = self._plan(limit, tokens, tier, pipeline)
        with self._snapshot() as snapshot:
            known = freshness or self._freshness(snapshot, "unknown")
            for name, query in queries:
                yield name, self._answer(query, filters, plan, snapshot, known)

    def symbol(self, name: str, *, limit: int = 50, update: bool = True) -> Definitions:
        """Definitions of a name, simple or qualified, here and in the layers: exact ones first, then other spellings.

        Raises NotFoundError when nothing is indexed and ``update`` is off.
        """
        from trigpoint.search.lookup import definitions, nearest

        with self._current(update=update) as (snapshot, freshness):
            found = definitions(name, snapshot, limit)
        around = self._defined_around(name, limit, update=update) if self.layers else ()
        return Definitions.of(nearest(name, (*found, *around), limit), freshness)

    def outline(self, path: str, *, update: bool = True) -> Definitions:
        """The definitions of a file in order of its lines.

        Raises NotFoundError for a file that is not indexed, OutsideRootError for one outside the project.
        """
        holder, inside = self._holder(path)
        if holder is not self:
            beyond = holder.outline(inside, update=update)
            renamed = (one._replace(path=path) for one in beyond)
            return Definitions.of(renamed, beyond.freshness)
        with self._current(update=update) as (snapshot, freshness):
            row = snapshot.file(path) or snapshot.file(self._known_as(path))
            if row is None or row.outcome.level is Level.SKIPPED:
                why = f": {row.outcome.detail or row.outcome.reason}" if row else ""
                hint = "`trig status --files` says which files are, and why others are not"
                raise NotFoundError(f"{path} is not indexed{why}", hint)
            return Definitions.of(snapshot.symbols_of(row.path), freshness)

    def _known_as(self, path: str) -> str:
        """The path of a file as the index writes it, however it was given: ``./a.py``, ``src//a.py``, ``src\\a.py``."""
        return self._source.resolve(path).relative_to(self._source.name).as_posix()

    def edges(self, kinds: Sequence[str] = (), least: float = 0.0) -> Iterator[NamedEdge]:
        """Every edge of these kinds (all when empty) that is at least that sure, by path and line of its site.

        Raises NotFoundError when nothing is indexed, UsageError for an unknown kind.
        """
        from trigpoint.search.dump import named_edges

        if unknown := set(kinds).difference(EDGE_KINDS):
            raise UsageError(
                f"there are no edges of kind {min(unknown)!r}", f"kinds: {', '.join(EDGE_KINDS)}"
            )
        with self._snapshot() as snapshot:
            self._require(snapshot)
            yield from named_edges(snapshot, kinds, least)

    def read(self, path: str, start: int = 1, end: int | None = None) -> Window:
        """Lines of a file as it is now, counted as in answers: those of a notebook are those of its cells, without outputs.

        Raises NotFoundError, OutsideRootError.
        """
        from trigpoint.indexing.shown import as_shown
        from trigpoint.sources.window import read_window

        holder, inside = self._holder(path)
        if holder is not self:
            window = holder.read(inside, start, end)
            return window._replace(span=window.span._replace(path=path))
        return read_window(self._source, path, (start, end), as_shown)

    def status(self, *, files: bool = False) -> Status:
        """What is indexed, what is not, and whether it is fresh. Never writes."""
        from trigpoint.stores.local.beside import kept_beside

        with self._snapshot() as snapshot:
            rows = tuple(snapshot.files())
            changed = self._pending(snapshot).files if snapshot.generation else 0
            views = self._views(snapshot, changed)
            states = {name: state for name, (state, _) in views.items()}
            stale = "stale" in states.values() or bool({*states.values()} & {"building", "failed"})
            counts = snapshot.counts()
            indexed = [row for row in rows if row.outcome.level is not Level.SKIPPED]
            return Status(
                root=str(self.root),
                index=str(self.settings.index_dir),
                state="absent"
                if not snapshot.generation
                else "empty"
                if not indexed and not changed  # a run that was stopped at once is not done
                else "stale"
                if stale
                else "ready",
                generation=snapshot.generation,
                files=len(rows),
                symbols=counts.get("symbols", 0),
                chunks=counts.get("chunks", 0),
                references=counts.get("references", 0),
                languages=dict(Counter(row.language for row in indexed).most_common()),
                levels=dict(Counter(row.outcome.level.value for row in rows)),
                reasons=dict(Counter(row.outcome.reason for row in rows if row.outcome.reason).most_common()),
                views=states,
                view_reasons={name: reason for name, (_, reason) in views.items() if reason},
                size=self._store.size(),
                freshness=self._freshness(
                    snapshot, "stale" if changed else "fresh" if views else "unknown", changed
                ),
                files_detail=tuple(row for row in rows if row.outcome.level is not Level.INDEXED)
                if files
                else (),
                note="; ".join(self._notes(snapshot)),
                kept=kept_beside(self.settings.index_dir),
            )

    def _views(self, snapshot: Snapshot, changed: int) -> dict[str, tuple[str, str]]:
        """How each part of an index stands, and why: no part waits for another, and one that fails takes none along."""
        from trigpoint.indexing.freshness import LINK_FAULT, LINKED
        from trigpoint.indexing.link import VERSION
        from trigpoint.stores.local.vector_view import state as vector_state
        from trigpoint.views import views

        if not snapshot.generation:
            return {}
        vectors = vector_state(self._place, self._embedder, snapshot.generation)
        return views(
            changed=changed,
            failures=snapshot.failures(),
            linked=snapshot.meta(LINKED) == VERSION,
            link_fault=snapshot.meta(LINK_FAULT),
            vectors="failed" if self._no_model else vectors,
            blind=self._meaning(snapshot.generation)["blind"],
            writing=self._store.is_locked(),
        )

    def _notes(self, snapshot: Snapshot) -> Iterator[str]:
        """What else is to be said of the tree and of the index."""
        from trigpoint.indexing.freshness import UNLINKED
        from trigpoint.stores.local.vector_view import told

        yield from self._source.notes
        if unlinked := [path for path in snapshot.meta(UNLINKED).split("\n") if path]:
            yield f"edges are missing of {len(unlinked)} files that linking failed on: {', '.join(unlinked[:3])}"
        folder = self.settings.index_dir
        if words := told(folder, self._embedder):
            yield words
        if folder.exists() and not os.access(folder, os.W_OK):
            yield "the index cannot be written: it is searched as it is"

    def clean(self, *, everything: bool = False) -> tuple[str, ...]:
        """Remove the index of this project, or the whole cache of all projects; says what was removed."""
        from trigpoint.stores.local import remove

        self.close()
        return remove(self.settings.cache_dir if everything else self.settings.index_dir, nested=everything)

    @contextmanager
    def reading(self, *, update: bool = True) -> Iterator[Reading]:
        """One frozen state of the index for whoever ranks by means of their own; closed at the end of the block.

        Raises NotFoundError when nothing is indexed and ``update`` is off.
        """
        from trigpoint.ports import Reading

        with self._current(update=update) as (snapshot, freshness):
            yield Reading(snapshot, self._vectors(snapshot.generation), freshness)

    @property
    def dimensions(self) -> int:
        """Numbers in a vector of the embedder; 0 without one."""
        return self._embedder.dimensions if self._embedder is not None else 0

    def share(self, other: Engine) -> None:
        """Take the model that another engine has in memory, where both are set to the same one."""
        if self.settings.embedder == other.settings.embedder:
            self.__dict__["_embedder"] = other._embedder

    # how an answer is made

    def _plan(
        self, limit: int | None, tokens: int | None, tier: str | None, pipeline: str | None = None
    ) -> Plan:
        from trigpoint.search.plan import Plan, boosts

        settings = self.settings
        explicit = tokens is not None or settings.origins["search.tokens"] != "default"
        return Plan(
            tier=tier or settings.search_tier,
            limit=limit,
            most=settings.search_limit,
            tokens=(settings.search_tokens if tokens is None else tokens) if explicit else None,
            rrf_k=settings.search_rrf_k,
            pipeline=pipeline or settings.search_pipeline,
            similarity=settings.search_similarity,
            hops=settings.search_graph_hops,
            fan=settings.search_graph_fan,
            boosts=boosts(settings.search_boosts),
            wide=settings.origins["search.limit"] == "default",
        ).checked()

    def _answer(
        self, question: str, filters: Filters | None, plan: Plan, snapshot: Snapshot, freshness: Freshness
    ) -> Pack:
        from trigpoint.search.understand import understand

        query = understand(question, filters)
        ranking = self._around(self.ranked(query, plan, snapshot), query, plan)
        return self._packed(ranking, plan, snapshot, freshness)

    def ranked(self, query: Query, plan: Plan, snapshot: Snapshot) -> Ranking:
        """The hits of one state of this index, best first; the layers around it are not asked."""
        from trigpoint.search.plan import AUTO

        plan = plan._replace(**self._meaning(snapshot.generation))
        if plan.pipeline != AUTO:
            from trigpoint.search.pipelines.named import search
        else:
            from trigpoint.search.run import search
        return search(query, snapshot, plan, time.perf_counter)

    def _packed(self, ranking: Ranking, plan: Plan, snapshot: Snapshot, freshness: Freshness) -> Pack:
        from trigpoint.search.answer import answer
        from trigpoint.text.tokens import ESTIMATE, TOKENIZER

        tokenizer = TOKENIZER if plan.tokens is not None else ESTIMATE
        return answer(ranking, plan, snapshot, freshness._replace(generation=snapshot.generation), tokenizer)

    def _what_happened(self, snapshot: Snapshot) -> str:
        """Why files are read again: they changed, or what is read of them did."""
        from trigpoint.indexing.freshness import SETTINGS

        same = snapshot.meta(SETTINGS) == self._wanted().settings
        return "have changed" if same else "were read by another version of trig, or with other settings"

    def _catching_up(self) -> str:
        """What is done about many changes: whoever opened the engine may have an update go on behind the answer."""
        if self._store.is_locked():
            return "an update is going on"
        if self._behind is not None and self._behind():
            return "an update goes on in the background"
        return "run `trig index`"

    def _refresh(self) -> Freshness:
        """Bring the tree's changes in when they are few; otherwise say how many there are."""
        with self._snapshot() as snapshot:
            first = snapshot.generation == 0
            changes = self._pending(snapshot)
            if not first and changes.files > self.settings.search_update_max_files:
                note = f"{changes.files} files {self._what_happened(snapshot)}; {self._catching_up()}"
                return self._freshness(snapshot, "stale", changes.files)._replace(note=note)
            if not changes and not changes.news:
                return self._freshness(snapshot, "fresh")
        if not changes and not first:
            return self._written_down()
        try:
            report = self._updated(wait_seconds=FIRST_WAIT_SECONDS if first else WAIT_SECONDS)
        except StoreError as error:
            if first:
                raise
            note = f"{changes.files} files have changed, and {error.message}"
            with self._snapshot() as snapshot:
                return self._freshness(snapshot, "stale", changes.files)._replace(note=note)
        done = (
            f"indexed {report.files} files first"
            if first
            else f"brought in {changes.files} changed files first"
        )
        with self._snapshot() as snapshot:
            return self._freshness(snapshot, "updated")._replace(note=report.note or done)

    def _written_down(self) -> Freshness:
        """Let the next check be cheaper, where nobody else is writing and the folder can be written."""
        with suppress(StoreError):
            self._updated(wait_seconds=0.0)
        with self._snapshot() as snapshot:
            return self._freshness(snapshot, "fresh")

    def _updated(self, *, wait_seconds: float) -> IndexReport:
        """The report of an update. Raises KeyboardInterrupt when a person wants no answer any more."""
        from trigpoint.indexing.run import update

        options = self._options(wait_seconds=wait_seconds)._replace(embed=self._embed_on_the_way)
        report = update(self._source, self._store, options)
        if report.interrupted:
            raise KeyboardInterrupt
        return report

    def _freshness(self, snapshot: Snapshot, state: str, stale: int = 0) -> Freshness:
        from trigpoint.indexing.freshness import ROOT

        head, branch = self._source.head()
        return Freshness(
            state=state,
            generation=snapshot.generation,
            files=snapshot.counts().get("files", 0),
            stale=stale,
            head=head,
            branch=branch,
            root=snapshot.meta(ROOT),
        )

    @contextmanager
    def _current(self, *, update: bool) -> Iterator[tuple[Snapshot, Freshness]]:
        freshness = self._refresh() if update else None
        with self._snapshot() as snapshot:
            self._require(snapshot)
            known = freshness or self._freshness(snapshot, "unknown")
            yield snapshot, known._replace(generation=snapshot.generation)

    def _require(self, snapshot: Snapshot) -> None:
        if not snapshot.generation:
            raise NotFoundError(f"{self.root} is not indexed", "run `trig index` there first")
