"""The flow that brings an index up to its tree: list, compare, read in workers, write, publish.

The only file of indexing/ with effects, all through the seams.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trigpoint.indexing.chunk import ChunkLimits
from trigpoint.indexing.link import VERSION, edges_after
from trigpoint.indexing.merkle import Changes, compare, root_of
from trigpoint.indexing.pool import Failed, process_files
from trigpoint.indexing.worker import Done, Job
from trigpoint.model import FileRecord, FileRow, IndexReport, Level, Outline, Progress, SourceEntry
from trigpoint.ports import Snapshot, Source, Store, Writer

FIRST_WITHOUT_EDGES = 400
"""From this many changed files on, the rows are published before they are linked: searching need not wait."""

WRITE_BATCH = 200
"""Records handed to the writer at once."""

TIME = "indexed_at_ns"
ROOT = "merkle_root"
SETTINGS = "settings"
UNFINISHED = "unfinished"
LINKED = "linked"
"""Keys of the small values beside the rows."""


@dataclass(frozen=True, slots=True)
class Options:
    """How an index run is done. ``settings`` is what the records depend on: another value rebuilds all."""

    limits: ChunkLimits = ChunkLimits()
    workers: int = 1
    file_seconds: float = 10.0
    settings: str = ""
    full: bool = False
    verify: bool = False  # read every file, whatever its stat data say


Listener = Callable[[Progress], None]


def pending(source: Source, snapshot: Snapshot, options: Options) -> Changes:
    """What differs between the tree and a snapshot, without reading any file."""
    fits = snapshot.meta(SETTINGS) == options.settings
    known = {row.path: row for row in snapshot.files()} if fits and not options.full else {}
    at = int(snapshot.meta(TIME) or 0)
    changes = compare(source.entries(), known, 0 if options.verify else at)
    if known or not snapshot.generation:
        return changes
    gone = {row.path for row in snapshot.files()} - {entry.path for entry in changes.look}
    return replace(changes, deleted=tuple(sorted(gone)))


def update(
    source: Source, store: Store, options: Options, listener: Listener | None = None
) -> IndexReport:
    """Bring the index up to the tree. On KeyboardInterrupt what is done is published, and the report says so.

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
        self.added = self.modified = self.same = 0
        self.interrupted = False

    def run(self) -> IndexReport:
        with self.store.writer() as writer:
            snapshot = self.store.snapshot()
            try:
                at = time.time_ns()
                self.tell(Progress("list", 0, 0))
                changes = pending(self.source, snapshot, self.options)
                known = {row.path: row for row in snapshot.files()}
                if not changes and snapshot.meta(UNFINISHED) == "" and snapshot.meta(LINKED) == VERSION:
                    return self.report(snapshot, changes, known)
                self.write(writer, changes, known)
                self.link(writer, snapshot, at)
                self.close_books(writer, at)
            finally:
                snapshot.close()
        fresh = self.store.snapshot()
        try:
            return self.report(fresh, changes, known)
        finally:
            fresh.close()

    def write(self, writer: Writer, changes: Changes, known: Mapping[str, FileRow]) -> None:
        """Records in, batch by batch; a Ctrl-C ends the reading, not the writing."""
        self.digests = {path: row.digest for path, row in known.items() if row.digest}
        self.changed = set(changes.deleted)
        writer.delete(changes.deleted)
        for path in changes.deleted:
            self.digests.pop(path, None)
        batch: list[Any] = []
        done, total = 0, len(changes.look)
        try:
            for path, encoded, digest in self.records(changes.look):
                done += 1
                self.tell(Progress("read", done, total, path))
                self.count(known.get(path), digest)
                self.digests[path] = digest
                self.changed.add(path)
                batch.append(encoded)
                if len(batch) >= WRITE_BATCH:
                    writer.put_encoded(batch)
                    batch = []
        except KeyboardInterrupt:
            self.interrupted = True
        self.tell(Progress("write", done, total))
        writer.put_encoded(batch)

    def link(self, writer: Writer, before: Snapshot, at: int) -> None:
        """Edges of what changed and of what that concerns; all of them when the former ones cannot be built upon.

        Without them the index is already whole for search, so a long link begins with a publication.
        """
        writer.set_meta(LINKED, "")
        if self.interrupted:
            return
        changed = self.changed if before.meta(LINKED) == VERSION else None
        if len(self.changed) >= FIRST_WITHOUT_EDGES:
            self.close_books(writer, at)
        try:
            done = 0
            for path, edges in edges_after(before, writer.reading(), changed):
                done += 1
                self.tell(Progress("link", done, 0, path))
                writer.put_edges(path, edges)
        except KeyboardInterrupt:
            self.interrupted = True
            return
        writer.set_meta(LINKED, VERSION)

    def records(self, entries: Sequence[SourceEntry]) -> Iterator[tuple[str, Any, str]]:
        encode = self.store.encoder()
        read: list[SourceEntry] = []
        for entry in entries:
            if entry.refused is not None:
                yield entry.path, encode(_refused(entry)), ""
            else:
                read.append(entry)
        job = Job(self.source, encode, self.options.limits)
        for answer in process_files(job, read, self.options.workers, self.options.file_seconds):
            if isinstance(answer, Done):
                yield answer.path, answer.encoded, answer.digest
            elif isinstance(answer, Failed):
                yield answer.entry.path, encode(_refused(replace(answer.entry, refused=answer.outcome))), ""

    def count(self, row: FileRow | None, digest: str) -> None:
        if row is None:
            self.added += 1
        elif row.digest != digest or not digest:
            self.modified += 1
        else:
            self.same += 1

    def close_books(self, writer: Writer, at: int) -> None:
        """What the next run compares with, published together with the rows."""
        self.tell(Progress("publish", 0, 0))
        writer.set_meta(TIME, str(at))
        writer.set_meta(ROOT, root_of(self.digests))
        writer.set_meta(SETTINGS, self.options.settings)
        writer.set_meta(UNFINISHED, "interrupted" if self.interrupted else "")
        writer.publish()

    def report(self, snapshot: Snapshot, changes: Changes, known: Mapping[str, FileRow]) -> IndexReport:
        """Count what the snapshot holds now."""
        rows = list(snapshot.files())
        counts = snapshot.counts()
        levels = {level: Counter(row.outcome.reason for row in rows if row.outcome.level is level) for level in Level}
        indexed = sum(levels[Level.INDEXED].values())
        return IndexReport(
            root=self.source.name,
            generation=snapshot.generation,
            files=len(rows),
            added=self.added,
            modified=self.modified,
            deleted=len(changes.deleted),
            unchanged=changes.unchanged + self.same,
            skipped=dict(levels[Level.SKIPPED]),
            partial=dict(levels[Level.PARTIAL]),
            symbols=counts.get("symbols", 0),
            chunks=counts.get("chunks", 0),
            languages=dict(Counter(row.language for row in rows if row.language).most_common()),
            seconds=time.monotonic() - self.began,
            interrupted=self.interrupted,
            note="" if indexed else _why_nothing(rows),
        )


def _refused(entry: SourceEntry) -> FileRecord:
    """The record of a file that is not read: its place in the ledger."""
    assert entry.refused is not None
    size = entry.stat.size if entry.stat is not None else 0
    return FileRecord(entry.path, "", "", size, 0, "", entry.refused, entry.marks, Outline(), (), "", entry.stat)


def _why_nothing(rows: Sequence[FileRow]) -> str:
    if not rows:
        return "the folder holds no files, or ignore rules leave out all of them"
    reasons = Counter(row.outcome.reason for row in rows).most_common(3)
    return "every file was left out: " + ", ".join(f"{count} {reason}" for reason, count in reasons)
