"""The flow that brings an index up to its tree: list, compare, read in workers, write, publish.

The only file of indexing/ with effects, all through the seams.
"""

from __future__ import annotations

import gc
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from trigpoint.errors import StoreError
from trigpoint.indexing.branches import HEAD, fitting, is_switch, share_worth_a_copy
from trigpoint.indexing.chunk import ChunkLimits
from trigpoint.indexing.freshness import (
    FEW,
    FOLDERS,
    LINK_FAULT,
    LINKED,
    ROOT,
    SETTINGS,
    STAMP,
    TIME,
    UNFINISHED,
    UNLINKED,
    Wanted,
    pending,
)
from trigpoint.indexing.interrupts import Interrupts
from trigpoint.indexing.merkle import folder_digests, folders_after, renames
from trigpoint.indexing.versions import EDGES as VERSION
from trigpoint.model import FileRecord, FileRow, IndexReport, Level, Outline, Progress, SourceEntry
from trigpoint.ports import COPY, KeptTree, Snapshot, Source, Store, Writer

FIRST_WITHOUT_EDGES = 400
"""From this many changed files on, the rows are published before they are linked: searching need not wait."""

MIXED = "mixed"
"""Settings of an index that was stopped while other settings were brought in: it fits neither, and all is read again."""

WRITE_BATCH = 200
"""Records handed to the writer at once."""


Embed = Callable[[Snapshot, Callable[[int], None]], str]


class Options(NamedTuple):
    """How an index run is done."""

    limits: ChunkLimits = ChunkLimits()
    workers: int = 1
    file_seconds: float = 10.0
    wanted: Wanted = Wanted()
    wait_seconds: float = 60.0  # for another writer
    head: str = ""  # what is checked out: commit, branch
    copied_from: Callable[[int], int] = share_worth_a_copy
    published_first: int = 4_000  # files of a first index that are published first,
    published_each: int = 20_000  # and after each of which more are, until all are read
    embed: Embed | None = None  # brings the vectors up to a snapshot, told what to tell of the chunks done


Listener = Callable[[Progress], None]


def update(source: Source, store: Store, options: Options, listener: Listener | None = None) -> IndexReport:
    """Bring the index up to the tree. At the first Ctrl-C what is done is published, and the report says so.

    Raises SourceError, StoreLockedError.
    """
    return _Update(source, store, options, listener or (lambda event: None)).run()


class _Update:
    def __init__(self, source: Source, store: Store, options: Options, listener: Listener) -> None:
        self.source = source
        self.store = store
        self.options = options
        self.tell = listener
        self.began = time.monotonic()
        self.added = self.modified = self.same = self.reused = 0
        self.renamed = 0
        self.copied = False  # whether what is replaced stays in the tree that this one is a copy of
        self.interrupts = Interrupts()
        self.complete = False  # whether all that differs was read
        self.note = ""  # what embedding has to say

    def run(self) -> IndexReport:
        with self.store.writer(self.options.wait_seconds, self.base) as writer:
            snapshot = writer.base() if writer.turned else self.store.snapshot()
            try:
                at = time.time_ns()
                self.tell(Progress("list", 0, 0))
                self.changes = pending(self.source, snapshot, self.options.wanted, at)
                whole = self.is_whole(snapshot)
                if whole and not self.changes and not self.changes.news and not writer.turned:
                    self.store.tidy()
                    self.embed(snapshot)
                    return self.report(snapshot)
                changed = bool(self.changes)
                with self.interrupts, self.store.records(self.options.wanted.settings) as self.kept:
                    self.write(writer, snapshot, at)
                    if changed or not whole:
                        self.link(writer, snapshot, at)
                    self.close_books(writer, snapshot, at)
                    self.keep(snapshot)
                self.store.tidy()
            finally:
                snapshot.close()
            fresh = self.store.snapshot()
            try:
                self.embed(fresh)
                return self.report(fresh)
            finally:
                fresh.close()

    def is_whole(self, snapshot: Snapshot) -> bool:
        """Whether what is indexed was read to the end, and linked, and is what these settings make of it."""
        made = snapshot.meta(SETTINGS) == self.options.wanted.settings
        return made and snapshot.meta(UNFINISHED) == "" and snapshot.meta(LINKED) == VERSION

    def base(self, kept: Sequence[KeptTree]) -> str:
        """Which tree to go on from: that of the branch that was switched to, when it was seen before, or a copy of the
        present one when so much of it changes that coming back should be cheap.
        """
        wanted, head = self.options.wanted, self.options.head
        snapshot = self.store.snapshot()
        try:
            former = snapshot.meta(HEAD)
            if wanted.full or snapshot.meta(SETTINGS) != wanted.settings or not is_switch(former, head):
                return ""
            if name := fitting(kept, head, wanted.settings):
                return name
            changes = pending(self.source, snapshot, wanted, time.time_ns())
            self.copied = changes.files >= self.options.copied_from(snapshot.counts()["files"])
            return COPY if self.copied else ""
        finally:
            snapshot.close()

    def embed(self, snapshot: Snapshot) -> None:
        """Vectors come last: everything else is already searched when the first is made."""
        if self.options.embed is not None and not self.interrupts.asked:
            total = snapshot.counts().get("chunks", 0)
            self.note = self.options.embed(snapshot, lambda done: self.tell(Progress("embed", done, total)))

    def write(self, writer: Writer, before: Snapshot, at: int) -> None:
        """Records in, batch by batch; a Ctrl-C ends the reading, not the writing."""
        changes = self.changes
        known = changes.rows
        self.changed = set(changes.deleted)
        self.left = list(changes.deleted)
        self.gone = _digests(before, changes.deleted)
        self.new: dict[str, str] = {}  # digests of what came, by path
        self.recalls = before.generation > 0 and not self.options.wanted.full
        writer.delete(changes.deleted)
        writer.touch(changes.touched)
        batch: list[Any] = []
        done, total = 0, len(changes.look)
        self.tell(Progress("read", done, total))
        for path, encoded, digest in self.records(changes.look):
            done += 1
            self.tell(Progress("read", done, total, path))
            self.count(path, known.get(path), digest)
            self.changed.add(path)
            batch.append(encoded)
            due = not before.generation and self.is_piece(done) and done < total
            if len(batch) >= WRITE_BATCH or due:
                writer.put_encoded(batch)
                batch = []
            if due:  # a first index answers from what it has, and a kill costs no more than what came since
                self.close_books(writer, before, at)
            if self.interrupts.asked:
                break
        self.tell(Progress("write", done, total))
        writer.put_encoded(batch)
        self.complete = done == total
        self.renamed = len(renames(self.gone, self.new)) if self.gone else 0
        self.changes = changes._replace(rows={}, look=())  # of 100,000 files they are 200 MB

    def link(self, writer: Writer, before: Snapshot, at: int) -> None:
        """Edges of what changed and of what that concerns; all of them when the former ones cannot be built upon.

        Without them the index is already whole for search, so a long link begins with a publication, and a fault that no
        single file explains costs the edges alone.
        """
        writer.set_meta(LINKED, "")
        if self.interrupts.asked:
            return
        try:
            self.link_files(writer, before, at)
            writer.set_meta(LINK_FAULT, "")
        except StoreError:
            raise
        except Exception as error:
            writer.set_meta(LINK_FAULT, f"linking failed: {type(error).__name__}: {error}")

    def link_files(self, writer: Writer, before: Snapshot, at: int) -> None:
        """The edges file by file; one that fails is named and left out."""
        from trigpoint.indexing.link import Relinking

        changed = self.changed if before.meta(LINKED) == VERSION else None
        unlinked = set(before.meta(UNLINKED).split("\n")) if changed is not None else set()
        former, faulty = unlinked - self.changed, set[str]()

        def fault(path: str, error: Exception) -> None:
            faulty.add(path)

        with _uncollected():
            work = Relinking(before, writer.reading(), changed, unlinked)
            for path, edges, kept in work.whole:
                writer.put_edges(path, edges, kept)
            if work.files >= FIRST_WITHOUT_EDGES:
                self.close_books(writer, before, at)
            for done, (path, edges, kept) in enumerate(work.edges(fault), start=1):
                self.tell(Progress("link", done, 0, path))
                writer.put_edges(path, edges, kept)
                former.discard(path)
                if self.interrupts.asked:
                    return
        writer.set_meta(UNLINKED, "\n".join(sorted(former | faulty)))
        writer.set_meta(LINKED, VERSION)

    def records(self, entries: Sequence[SourceEntry]) -> Iterator[tuple[str, Any, str]]:
        from trigpoint.indexing.pool import process_files  # not needed where nothing has changed
        from trigpoint.indexing.worker import Done, Job

        encode = self.store.encoder(self.changes.rows.keys())
        read: list[SourceEntry] = []
        for entry in entries:
            if entry.refused is not None:
                yield entry.path, encode(_refused(entry)), ""
            elif (found := self.recalled(entry)) is not None:
                self.reused += 1
                yield entry.path, *found
            else:
                read.append(entry)
        job, options = Job(self.source, encode, self.options.limits), self.options
        for answer in process_files(job, read, options.workers, options.file_seconds, self.stopped):
            if isinstance(answer, Done):
                yield answer.path, answer.encoded, answer.digest
            else:
                refused = answer.entry._replace(refused=answer.outcome)
                yield refused.path, encode(_refused(refused)), ""

    def recalled(self, entry: SourceEntry) -> tuple[Any, str] | None:
        """The record of a file that is again what it was when the index last held it, and its digest."""
        return self.kept.find(entry, lambda: self.source.digest(entry)) if self.recalls else None

    def keep(self, before: Snapshot) -> None:
        """Keep what left the index for when it comes back; not what ignore rules have taken out of it."""
        there = {path for path in self.changes.deleted if self.source.digest(SourceEntry(path, None))}
        self.kept.forget(there)
        fit = before.meta(SETTINGS) == self.options.wanted.settings
        if fit and not self.copied and not self.interrupts.asked:
            self.kept.keep(before, [path for path in self.left if path not in there])

    def is_piece(self, done: int) -> bool:
        """Whether what a first index has read is worth publishing: soon for the first time, seldom after that."""
        return done == self.options.published_first or done % self.options.published_each == 0

    def stopped(self) -> bool:
        return self.interrupts.asked

    def count(self, path: str, row: FileRow | None, digest: str) -> None:
        if row is None:
            self.added += 1
            if self.gone:
                self.new[path] = digest
        elif row.digest != digest or not digest:
            self.modified += 1
            self.left.append(path)
        else:
            self.same += 1

    def close_books(self, writer: Writer, before: Snapshot, at: int) -> None:
        """What the next run compares with, published together with the rows."""
        self.tell(Progress("publish", 0, 0))
        settings = self.options.wanted.settings
        if not self.complete and before.generation and before.meta(SETTINGS) != settings:
            settings = MIXED
        writer.set_meta(TIME, str(at))
        folders = self.folders(before, writer.reading())
        writer.set_meta(ROOT, folders.get("", ""))
        writer.set_meta(FOLDERS, json.dumps(folders))
        writer.set_meta(SETTINGS, settings)
        writer.set_meta(HEAD, self.options.head)
        writer.set_meta(STAMP, self.changes.stamp if self.complete else "")
        writer.set_meta(UNFINISHED, "" if self.complete and not self.interrupts.asked else "interrupted")
        writer.publish()

    def folders(self, before: Snapshot, now: Snapshot) -> dict[str, str]:
        """The digest of each folder; what is not read has no part in it. After few changes of those above them alone."""
        if len(self.changed) <= FEW and (told := before.meta(FOLDERS)):
            known: dict[str, str] = json.loads(told)
            if known.get("", "") == before.meta(ROOT):
                return folders_after(known, self.changed, now.inside)
        return folder_digests(now.contents())

    def report(self, snapshot: Snapshot) -> IndexReport:
        """Count what the snapshot holds now."""
        counts = snapshot.counts()
        levels: dict[str, Counter[str]] = {level.value: Counter() for level in Level}
        languages: Counter[str] = Counter()
        for tally in snapshot.tallies():
            levels[tally.level][tally.reason] += tally.files
            languages[tally.language] += tally.files
        del languages[""]
        found = counts.get("chunks") or levels[Level.INDEXED]  # a file searched as text only is not left out
        return IndexReport(
            root=self.source.name,
            generation=snapshot.generation,
            files=counts.get("files", 0),
            added=self.added - self.renamed,
            modified=self.modified,
            deleted=len(self.changes.deleted) - self.renamed,
            unchanged=self.changes.unchanged + self.same,
            skipped=dict(levels[Level.SKIPPED]),
            partial=dict(levels[Level.PARTIAL]),
            symbols=counts.get("symbols", 0),
            chunks=counts.get("chunks", 0),
            languages=dict(languages.most_common()),
            seconds=time.monotonic() - self.began,
            renamed=self.renamed,
            reused=self.reused,
            interrupted=self.interrupts.asked,
            note=self.note if found else _why_nothing(levels, interrupted=self.interrupts.asked),
        )


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector: millions of small tuples without a cycle, and walking them takes a quarter of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _digests(snapshot: Snapshot, paths: Sequence[str]) -> dict[str, str]:
    """The digests of these files, "" for those that were not read."""
    if len(paths) > FEW:
        known = snapshot.contents()
        return {path: known.get(path, "") for path in paths}
    rows = {path: snapshot.file(path) for path in paths}
    return {path: row.digest if row is not None else "" for path, row in rows.items()}


def _refused(entry: SourceEntry) -> FileRecord:
    """The record of a file that is not read: its place in the ledger."""
    assert entry.refused is not None
    size = entry.stat.size if entry.stat is not None else 0
    return FileRecord(
        entry.path, "", "", size, 0, "", entry.refused, entry.marks, Outline(), (), "", entry.stat
    )


def _why_nothing(levels: Mapping[str, Counter[str]], *, interrupted: bool) -> str:
    if interrupted:
        return "interrupted before the first file was done"
    if not any(levels.values()):
        return "the folder holds no files, or ignore rules leave out all of them"
    reasons = sum(levels.values(), Counter()).most_common(3)
    return "every file was left out: " + ", ".join(f"{count} {reason}" for reason, count in reasons)
