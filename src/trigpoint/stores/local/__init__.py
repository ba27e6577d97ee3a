"""The embedded store: rows in SQLite, postings in tantivy or SQLite FTS5, one folder an index."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from trigpoint.errors import StoreError
from trigpoint.model import FileRecord
from trigpoint.ports import COPY, Base
from trigpoint.stores.local import database, trees
from trigpoint.stores.local.postings import NoPostings, Postings, postings
from trigpoint.stores.local.snapshot import LocalSnapshot
from trigpoint.stores.local.trees import KEEP, LIMITS, Keep, Limits, place

if TYPE_CHECKING:
    from trigpoint.stores.local.encode import Encoded
    from trigpoint.stores.local.records import LocalRecords
    from trigpoint.stores.local.writer import LocalWriter

_TRIES = 5  # a reader that opens between two commits of a writer looks again this often
_PAUSE_SECONDS = 0.02
_MEND_WAIT_SECONDS = 5.0  # for a writer that is just about to mend the postings itself


_File = tuple[int, int] | None
"""Device and inode."""


class LocalStore:
    """ports.Store in a folder that is made by the first writer.

    ``lexical`` is "tantivy" or "fts5"; an index written with the other is searched after its postings were rebuilt.
    """

    def __init__(
        self, path: Path, lexical: str = "tantivy", keep: Keep = KEEP, records: Limits = LIMITS
    ) -> None:
        self._index = Path(path)
        self._lexical = lexical
        self._keep = keep
        self._limits = records
        self._made: tuple[Path, Postings] = (self._index, postings(lexical, self._index))
        self._idle: list[tuple[LocalSnapshot, _File]] = []

    @property
    def _folder(self) -> Path:
        """Where the present tree lies."""
        return place(self._index)

    def _postings_in(self, folder: Path) -> Postings:
        """The postings of a tree, the same as long as it stays."""
        if self._made[0] != folder:
            self._made = (folder, postings(self._lexical, folder))
        return self._made[1]

    def encoder(self, known: Collection[str] = ()) -> Callable[[FileRecord], Encoded]:
        """The pure function that makes what put_encoded() takes; picklable, for worker processes."""
        from trigpoint.stores.local.encode import encode

        return partial(encode, known=frozenset(known))

    def snapshot(self) -> LocalSnapshot:
        """The last published generation; generation 0 and empty when there is none.

        Raises StoreDamagedError, StoreFormatError, or StoreError when the files cannot be read. Postings that do not
        fit the rows are rebuilt first where the folder can be written; else the snapshot answers without them.
        """
        found = self._kept() or self._snapshot()
        if found is None:
            reason = self._mend_postings()
            found = self._snapshot() or self._without_postings(reason)
        return found

    @contextmanager
    def writer(self, wait_seconds: float = 60.0, base: Base | None = None) -> Iterator[LocalWriter]:
        """The writer's place; changes that were not published are rolled back on leaving. See ports.Store for ``base``.

        Raises StoreLockedError when another writer holds it for longer than ``wait_seconds``.
        """
        with self._writing(wait_seconds, base) as made:
            made.recover()
            yield made

    @contextmanager
    def records(self, settings: str) -> Iterator[LocalRecords]:
        """Records that left the index, made with these settings; for the holder of the writer's place."""
        from trigpoint.stores.local.records import LocalRecords

        made = LocalRecords(self._index, self._limits, settings, time.time())
        try:
            yield made
        finally:
            made.close()

    def tidy(self) -> None:
        """Let go of other trees and of records that are too old, or too many; for the holder of the writer's place."""
        trees.forget(self._index, self._keep, time.time())
        with self.records("") as kept:
            kept.tidy()

    def check(self) -> Sequence[str]:
        """What is wrong with the index, one sentence each; () when it is sound. Writes nothing."""
        try:
            connection = database.open_reader(self._folder)
        except StoreError as error:
            return (error.message,)
        if connection is None:
            return ()
        try:
            from trigpoint.stores.local.checks import postings_wrong, rows_wrong

            words = self._postings_in(self._folder)
            return [one.problem for one in rows_wrong(connection) or postings_wrong(connection, words)]
        except sqlite3.DatabaseError as error:
            return (f"the rows cannot be read: {error}",)
        finally:
            connection.close()

    def repair(self) -> Sequence[str]:
        """Rebuild the postings from the rows; damaged rows are left alone, since nothing is left to mend them from."""
        problems = self.check()
        if not problems:
            return ()
        done = self.rebuild_postings()
        return [*done, *(f"still wrong: {problem}" for problem in self.check())]

    def rebuild_postings(self, wait_seconds: float = _MEND_WAIT_SECONDS) -> Sequence[str]:
        """Make the word index anew; says so."""
        with self._writing(wait_seconds) as made:
            made.rebuild()
        return [f"the postings were rebuilt for generation {made.generation}"]

    def size(self) -> int:
        """Bytes on disk."""
        total = 0
        for folder, _, names in os.walk(self._index):
            for name in names:
                try:
                    total += os.stat(os.path.join(folder, name)).st_size
                except OSError:  # gone meanwhile
                    continue
        return total

    def is_locked(self) -> bool:
        """Whether a writer is at work now, in any process."""
        from trigpoint.stores.local.lock import LOCK, is_held

        return is_held(self._index / LOCK)

    def close(self) -> None:
        """Let the connections go that are kept for the next snapshot."""
        while self._idle:
            self._idle.pop()[0].disconnect()

    @contextmanager
    def _writing(self, wait_seconds: float, base: Base | None = None) -> Iterator[LocalWriter]:
        from trigpoint.stores.local.lock import LOCK, hold

        try:
            self._index.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"the index folder {self._index} cannot be made: {error.strerror}",
                "choose another with --index-dir",
            ) from error
        self.close()  # no reader of ours may keep the journal from being truncated
        with hold(self._index / LOCK, wait_seconds):
            folder = self._chosen(base) if base is not None else self._folder
            with self._writing_in(folder) as made:
                yield made

    def _chosen(self, base: Base) -> Path:
        """The folder of the tree to go on from."""
        name = base(trees.kept(self._index))
        if not name or (name == COPY and not self._keep.trees):
            return self._folder
        if name != COPY:
            return trees.folder_of(self._index, name)
        return trees.copied(self._index)

    def _turn(self, folder: Path) -> None:
        """Make a tree the present one, and forget what is not to be kept any longer."""
        trees.turn(self._index, folder)
        trees.forget(self._index, self._keep, time.time())

    @contextmanager
    def _writing_in(self, folder: Path) -> Iterator[LocalWriter]:
        from trigpoint.stores.local.writer import LocalWriter

        rows, here = folder / database.NAME, self._folder
        with database.translated(rows):
            connection = database.open_writer(folder)
            try:
                made = LocalWriter(connection, self._postings_in(folder), rows)
                if folder != here:
                    made.turned, made.floor = True, self._present()
                    made.published = lambda: self._turn(folder)
                try:
                    yield made
                finally:
                    made.rollback()
                    made.close()
            finally:
                _truncate_journal(connection)
                connection.close()

    def _kept(self) -> LocalSnapshot | None:
        """A snapshot that was closed and is still the last publication: 50 µs, where opening and closing one take 10 ms."""
        file = self._file()
        while self._idle:
            snapshot, its_file = self._idle.pop()
            if its_file == file and snapshot.begin():
                return snapshot
            snapshot.disconnect()
        return None

    def _keeper(self) -> Callable[[LocalSnapshot], None]:
        """What a snapshot of the present file calls when it is closed."""
        file = self._file()
        return lambda closed: self._idle.append((closed, file))

    def _file(self) -> _File:
        """Which file the rows are in now: a folder may be removed and made again."""
        try:
            status = os.stat(self._folder / database.NAME)
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _snapshot(self) -> LocalSnapshot | None:
        """A snapshot whose postings serve its rows, or None when they still do not after some tries."""
        for attempt in range(_TRIES):
            folder = self._folder  # another one as soon as another tree was published
            rows = folder / database.NAME
            connection = database.open_reader(folder)
            if connection is None:
                return LocalSnapshot(database.empty(), 0, NoPostings(), rows)
            with database.translated(rows):
                generation = _generation(connection)
                if not generation:
                    return LocalSnapshot(connection, 0, NoPostings(), rows)
                reader = self._postings_in(folder).reader(connection, generation)
            if reader is not None:
                return LocalSnapshot(connection, generation, reader, rows, self._keeper())
            connection.close()
            time.sleep(_PAUSE_SECONDS * attempt)
        return None

    def _present(self) -> int:
        """The generation of the present tree."""
        connection = database.open_reader(self._folder)
        if connection is None:
            return 0
        try:
            return _generation(connection)
        finally:
            connection.close()

    def rows_only(self) -> LocalSnapshot:
        """The last published generation without its postings: nothing is mended or written for it."""
        return self._without_postings("")

    def _without_postings(self, reason: str) -> LocalSnapshot:
        """The rows alone."""
        folder = self._folder
        connection = database.open_reader(folder)
        if connection is None:
            return LocalSnapshot(database.empty(), 0, NoPostings(), folder / database.NAME)
        with database.translated(folder / database.NAME):
            made = LocalSnapshot(connection, _generation(connection), NoPostings(), folder / database.NAME)
        made.failed["lexical"] = f"the postings do not fit the rows{reason}"
        return made

    def _mend_postings(self) -> str:
        """Rebuild the postings; says what keeps that from being done."""
        try:
            with self.writer(_MEND_WAIT_SECONDS):
                return ""
        except (StoreError, OSError) as error:
            return f" and cannot be rebuilt: {error}"


def remove(folder: Path, *, nested: bool = False) -> tuple[str, ...]:
    """Remove the index in this folder, or with ``nested`` every index below it; returns the folders that held one.

    Whatever else lies there is left. Raises StoreLockedError when one is being written, StoreError when it cannot be
    removed.
    """
    from trigpoint.stores.local import cleaning

    return cleaning.remove(folder, nested=nested)


def open_local(
    path: Path, lexical: str = "tantivy", keep: Keep = KEEP, records: Limits = LIMITS
) -> LocalStore:
    """The store in this folder; nothing is made or read until it is asked."""
    return LocalStore(path, lexical, keep, records)


def _generation(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    return int(row[0]) if row else 0


def _truncate_journal(connection: sqlite3.Connection) -> None:
    """Leave one file without a journal, so that the folder can be made read-only; readers may prevent it."""
    try:
        connection.execute("PRAGMA busy_timeout=0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.DatabaseError:
        return


__all__ = ["LocalStore", "open_local", "place", "remove"]
