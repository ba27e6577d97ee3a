"""The wiring: settings become parts, and each operation is one short method. Nothing is imported before it is needed."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from trigpoint.errors import NotFoundError
from trigpoint.model import Filters, Freshness, IndexReport, Level, Pack, Progress, Status, StoredSymbol, Window

if TYPE_CHECKING:
    from trigpoint.config import Settings
    from trigpoint.indexing.run import Options
    from trigpoint.ports import Snapshot, Store
    from trigpoint.search.plan import Plan
    from trigpoint.search.run import Ranking
    from trigpoint.sources.directory import DirectorySource

RECORDS_VERSION = "1"
"""Raised when records made by older code no longer fit: everything is read anew."""


class Engine:
    """Everything that can be asked of one code base. Close it, or use it as a context, to let the index go."""

    def __init__(self, root: Path, settings: Settings) -> None:
        self.root = root
        self.settings = settings

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let all resources go."""
        if "_store" in self.__dict__:
            self._store.close()
            del self._store

    # parts

    @cached_property
    def _store(self) -> Store:
        from trigpoint.stores.local import LocalStore

        return LocalStore(self.settings.index_dir, lexical=self.settings.lexical)

    @cached_property
    def _source(self) -> DirectorySource:
        from trigpoint.sources.directory import DirectorySource

        return DirectorySource(self.root, max_bytes=self.settings.max_file_bytes)

    def _options(self, *, full: bool = False) -> Options:
        from trigpoint.indexing.chunk import ChunkLimits
        from trigpoint.indexing.run import Options
        from trigpoint.languages import registry

        settings = self.settings
        versions = ",".join(f"{one.name}{one.version}" for one in registry().values())
        depends = (RECORDS_VERSION, settings.chunk_max_tokens, settings.chunk_min_tokens, settings.max_file_bytes, versions)
        return Options(
            limits=ChunkLimits(settings.chunk_max_tokens, settings.chunk_min_tokens),
            workers=settings.workers or os.cpu_count() or 1,
            file_seconds=settings.file_time_limit_seconds,
            settings=" ".join(map(str, depends)),
            full=full,
        )

    @contextmanager
    def _snapshot(self) -> Iterator[Snapshot]:
        snapshot = self._store.snapshot()
        try:
            yield snapshot
        finally:
            snapshot.close()

    # operations

    def index(self, *, full: bool = False, progress: Callable[[Progress], None] | None = None) -> IndexReport:
        """Bring the index up to date with the files; ``full`` reads every one anew.

        Raises SourceError, StoreLockedError, StoreError.
        """
        from trigpoint.indexing.run import update

        return update(self._source, self._store, self._options(full=full), progress)

    def search(
        self,
        query: str,
        *,
        limit: int | None = None,
        tokens: int | None = None,
        tier: str | None = None,
        filters: Filters | None = None,
        update: bool = True,
    ) -> Pack:
        """The code that answers a question, ranked, with reasons, within a token budget.

        Brings a small change of the tree in first; a large one is answered from the former generation and said so.
        Raises UsageError for a filter that cannot be executed, NotFoundError when nothing is indexed and ``update`` is off.
        """
        freshness = self._refresh() if update else None
        plan = self._plan(limit, tokens, tier)
        with self._snapshot() as snapshot:
            return self._answer(query, filters, plan, snapshot, freshness or self._freshness(snapshot, "unknown"))

    def search_many(
        self,
        queries: Iterable[tuple[str, str]],
        *,
        limit: int | None = None,
        tokens: int | None = None,
        tier: str | None = None,
        filters: Filters | None = None,
        update: bool = True,
    ) -> Iterator[tuple[str, Pack]]:
        """Answers to (id, question) pairs, one by one, all from one snapshot that was brought up to date first."""
        freshness = self._refresh() if update else None
        plan = self._plan(limit, tokens, tier)
        with self._snapshot() as snapshot:
            known = freshness or self._freshness(snapshot, "unknown")
            for name, query in queries:
                yield name, self._answer(query, filters, plan, snapshot, known)

    def symbol(self, name: str, *, limit: int = 50) -> tuple[StoredSymbol, ...]:
        """Definitions of a name, simple or qualified: exact ones first, then other spellings.

        Raises NotFoundError when nothing is indexed.
        """
        from trigpoint.search.lookup import definitions

        with self._snapshot() as snapshot:
            self._require(snapshot)
            return definitions(name, snapshot, limit)

    def outline(self, path: str) -> tuple[StoredSymbol, ...]:
        """The definitions of a file in order of its lines.

        Raises NotFoundError for a file that is not indexed, OutsideRootError for one outside the project.
        """
        with self._snapshot() as snapshot:
            self._require(snapshot)
            row = snapshot.file(path)
            if row is None:
                self._source.resolve(path)
                raise NotFoundError(f"{path} is not indexed", "`trig status --files` says which files are, and why others are not")
            return tuple(snapshot.symbols_of(path))

    def read(self, path: str, start: int = 1, end: int | None = None) -> Window:
        """Lines of a file as it is now.

        Raises NotFoundError, OutsideRootError.
        """
        from trigpoint.sources.window import read_window

        return read_window(self._source, path, start, end)

    def status(self, *, files: bool = False) -> Status:
        """What is indexed, what is not, and whether it is fresh. Never writes."""
        from trigpoint.indexing.run import pending

        with self._snapshot() as snapshot:
            rows = tuple(snapshot.files())
            changes = pending(self._source, snapshot, self._options()) if snapshot.generation else ()
            state = "stale" if changes else "fresh"
            counts = snapshot.counts()
            indexed = [row for row in rows if row.outcome.level is not Level.SKIPPED]
            return Status(
                root=str(self.root),
                index=str(self.settings.index_dir),
                state="absent" if not snapshot.generation else "empty" if not indexed else "stale" if changes else "ready",
                generation=snapshot.generation,
                files=len(rows),
                symbols=counts.get("symbols", 0),
                chunks=counts.get("chunks", 0),
                references=counts.get("references", 0),
                languages=dict(Counter(row.language for row in indexed).most_common()),
                levels=dict(Counter(row.outcome.level.value for row in rows)),
                reasons=dict(Counter(row.outcome.reason for row in rows if row.outcome.reason).most_common()),
                views={"lexical": state, "symbols": state} if snapshot.generation else {},
                size=self._store.size(),
                freshness=self._freshness(snapshot, state if snapshot.generation else "unknown", len(changes)),
                files_detail=tuple(row for row in rows if row.outcome.level is not Level.INDEXED) if files else (),
                note="; ".join(self._source.notes),
            )

    def doctor(self, *, repair: bool = False) -> tuple[str, ...]:
        """What is wrong with the index; with ``repair``, what was mended."""
        findings = tuple(self._store.check())
        return tuple(self._store.repair()) if repair and findings else findings

    def clean(self, *, everything: bool = False) -> tuple[str, ...]:
        """Remove the index of this project, or the whole cache of all projects; says what was removed."""
        from trigpoint.stores.local import remove

        self.close()
        return remove(self.settings.cache_dir if everything else self.settings.index_dir, nested=everything)

    # how an answer is made

    def _plan(self, limit: int | None, tokens: int | None, tier: str | None) -> Plan:
        from trigpoint.search.plan import Plan

        settings = self.settings
        explicit = tokens is not None or settings.origins["search.tokens"] != "default"
        return Plan(
            tier=tier or settings.search_tier,
            limit=limit,
            most=settings.search_limit,
            tokens=(settings.search_tokens if tokens is None else tokens) if explicit else None,
            rrf_k=settings.search_rrf_k,
        )

    def _answer(
        self, question: str, filters: Filters | None, plan: Plan, snapshot: Snapshot, freshness: Freshness
    ) -> Pack:
        from trigpoint.search.run import search
        from trigpoint.search.understand import understand

        query = understand(question, filters)
        ranking = search(query, snapshot, plan, time.perf_counter)
        return self._packed(ranking, plan, snapshot, freshness)

    def _packed(self, ranking: Ranking, plan: Plan, snapshot: Snapshot, freshness: Freshness) -> Pack:
        from trigpoint.search.answer import answer
        from trigpoint.text.tokens import TOKENIZER, counts

        return answer(ranking, plan, snapshot, replace(freshness, generation=snapshot.generation), counts, TOKENIZER)

    def _refresh(self) -> Freshness:
        """Bring the tree's changes in when they are few; otherwise say how many there are."""
        from trigpoint.indexing.run import pending, update

        with self._snapshot() as snapshot:
            first = snapshot.generation == 0
            changes = pending(self._source, snapshot, self._options())
            if not changes:
                return self._freshness(snapshot, "fresh")
            if not first and len(changes) > self.settings.search_update_max_files:
                note = f"{len(changes)} files have changed; run `trig index`"
                return replace(self._freshness(snapshot, "stale", len(changes)), note=note)
        report = update(self._source, self._store, self._options())
        done = f"indexed {report.files} files first" if first else f"brought in {len(changes)} changed files first"
        with self._snapshot() as snapshot:
            return replace(self._freshness(snapshot, "updated"), note=report.note or done)

    def _freshness(self, snapshot: Snapshot, state: str, stale: int = 0) -> Freshness:
        from trigpoint.indexing.run import ROOT

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

    def _require(self, snapshot: Snapshot) -> None:
        if not snapshot.generation:
            raise NotFoundError(f"{self.root} is not indexed", "run `trig index` there first")
