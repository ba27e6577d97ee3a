"""The one writer: rows in one transaction a publication, postings beside it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trigpoint.model import Edge, FileRecord, Stat
from trigpoint.stores.document import chunk_document
from trigpoint.stores.local import rows
from trigpoint.stores.local.database import empty, open_reader
from trigpoint.stores.local.edges import EdgeWriter
from trigpoint.stores.local.encode import Encoded, encode, stat_text, words_of_path
from trigpoint.stores.local.keys import MOST, SHIFT, TOP, name_key, path_bytes, path_text
from trigpoint.stores.local.memory import give_back
from trigpoint.stores.local.packing import unpack
from trigpoint.stores.local.postings import Document, NoPostings, Postings
from trigpoint.stores.local.snapshot import COUNT, LocalSnapshot, counts
from trigpoint.stores.uses import used_names
from trigpoint.text.identifiers import name_words

_NAMES_KEPT = 200_000  # names whose numbers are remembered between files; about 25 MB
_CLEARED = (
    "files",
    "contents",
    "names",
    "name_words",
    "path_words",
    "symbols",
    "chunks",
    "uses",
    "targets",
    "edges",
)
_MANY = 1_000  # records after which what was freed is worth giving back
_BATCH = 64  # files whose small index rows are sorted and written together


class LocalWriter:
    """ports.Writer over a connection whose caller holds the lock."""

    def __init__(self, connection: sqlite3.Connection, postings: Postings, path: Path) -> None:
        self.floor = 0  # each generation is above it: that of the present tree, when this is another one
        self.published: Callable[[], None] = lambda: None  # called after each publication
        self.turned = False
        self._connection = connection
        self._postings = postings.writer(connection, self.documents)
        self._texts = rows.Texts(connection)
        self._edges = EdgeWriter(connection)
        self._path = path
        self._names: dict[str, int] = {}
        self._next_name = 0
        self._inserted = 0
        self._gone: set[int] = set()  # names that lost a definition
        self._buried: list[int] = []
        self.generation = _generation(connection)

    def recover(self) -> bool:
        """Finish or undo what a killed writer left, rebuild the postings if they disagree; whether they were rebuilt."""
        graves = [row[0] for row in self._connection.execute("SELECT file FROM graves")]
        if self._postings.recover(self.generation, graves):
            return False
        self.rebuild()
        return True

    def rebuild(self) -> None:
        """Make the postings again from the rows, for the same generation."""
        self._begin()
        self._rebuild_words()
        self._postings.start_over()
        for (file,) in self._connection.execute("SELECT id FROM files WHERE chunks ORDER BY id").fetchall():
            self._postings.add(self.documents(file))
        self._postings.prepare(self.generation, rebuilt=True)
        self._connection.execute("COMMIT")
        self._postings.finish(self.generation)

    def put(self, records: Iterable[FileRecord]) -> None:
        """Insert or replace the records of these paths."""
        self.put_encoded(map(encode, records))

    def put_encoded(self, items: Iterable[Encoded]) -> None:
        """The same for what encode() made elsewhere."""
        self._begin()
        self._edges.forget()
        batch: dict[bytes, tuple[int, Encoded]] = {}
        for item in items:
            self._inserted += 1
            if len(batch) >= _BATCH or item.path in batch:
                self._insert_batch(list(batch.values()))
                batch.clear()
            self._drop(item.path)
            batch[item.path] = (self._insert_file(item), item)
        self._insert_batch(list(batch.values()))

    def touch(self, stats: Mapping[str, Stat]) -> None:
        """New stat data for files whose content is unchanged."""
        self._begin()
        self._connection.executemany(
            "UPDATE files SET stat = ? WHERE path = ?",
            [(stat_text(stat), path_bytes(path)) for path, stat in stats.items()],
        )

    def delete(self, paths: Iterable[str]) -> None:
        """Forget these paths; unknown ones are ignored."""
        self._begin()
        self._edges.forget()
        for path in paths:
            self._drop(path_bytes(path))

    def clear(self) -> None:
        """Forget everything, what set_meta left included."""
        self._begin()
        self._edges.forget()
        files = [row[0] for row in self._connection.execute("SELECT id FROM files")]
        self._postings.remove_all(files)
        self._buried += files
        for table in _CLEARED:
            self._connection.execute(f"DELETE FROM {table}")
        self._connection.execute("DELETE FROM meta WHERE key LIKE 'user:%'")
        self._names.clear()
        self._gone.clear()

    def put_edges(self, path: str, edges: Sequence[Edge]) -> None:
        """Replace the edges that leave a file."""
        self._begin()
        self._edges.put(path, edges)

    def base(self) -> LocalSnapshot:
        """What was published last in this tree."""
        connection = open_reader(self._path.parent)
        if connection is None:
            return LocalSnapshot(empty(), 0, NoPostings(), self._path)
        return LocalSnapshot(connection, self.generation, NoPostings(), self._path)

    def reading(self) -> LocalSnapshot:
        """What would be published now, without lexical search; its close() does nothing."""
        self._edges.flush()
        return _Unpublished(self._connection, self.generation + 1, NoPostings(), self._path)

    def set_meta(self, key: str, value: str) -> None:
        """Leave a small value beside the rows, published with them."""
        self._begin()
        self._connection.execute(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", ("user:" + key, value)
        )

    def publish(self) -> int:
        """Make all changes visible at once and return the new generation."""
        self._begin()
        self._edges.flush()
        self._forget_names()
        generation = max(self.generation, self.floor) + 1
        self._connection.execute("DELETE FROM graves")
        self._connection.executemany(
            "INSERT OR IGNORE INTO graves VALUES (?)", [(file,) for file in self._buried]
        )
        self._connection.execute(
            "INSERT OR REPLACE INTO meta (key, value) VALUES ('generation', ?)", (str(generation),)
        )
        self._count()
        self._postings.prepare(generation)
        self._connection.execute("COMMIT")
        self._postings.finish(generation)
        self.generation = generation
        self._buried = []
        self.published()
        self.turned = False
        self._rest()
        return generation

    def _rest(self) -> None:
        """Let go of what only writing records needs, 100 MB after many: linking comes next, and needs as much."""
        self._postings.close()
        self._names.clear()
        self._connection.execute("PRAGMA shrink_memory")
        if self._inserted > _MANY:
            give_back()

    def _count(self) -> None:
        counted = self._connection.execute(COUNT).fetchone()
        self._connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('counts', ?)", counted)

    def rollback(self) -> None:
        """Undo what was not published."""
        self._postings.rollback()
        self._edges.rollback()
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Let the postings go; the connection belongs to the caller."""
        self._postings.close()

    def documents(self, file: int) -> Sequence[Document]:
        """The lexical documents of a stored file, made again from its rows."""
        low, high = file << SHIFT, (file << SHIFT) + MOST - 1
        symbols = self._connection.execute(
            "SELECT n.name, s.qualified FROM symbols s JOIN names n ON n.id = s.name "
            "WHERE s.id BETWEEN ? AND ? ORDER BY s.id",
            (low, high),
        ).fetchall()
        found = self._connection.execute(
            f"SELECT {rows.CHUNK} FROM {rows.CHUNKS_FROM} WHERE c.id BETWEEN ? AND ? ORDER BY c.id",
            (low, high),
        ).fetchall()
        return [
            Document(stored.id, file, chunk_document(stored.chunk, stored.path, symbols))
            for stored in rows.chunk_rows(found, self._texts)
        ]

    def _rebuild_words(self) -> None:
        """The words of names and paths depend on the same rules as the tokens of postings."""
        run, many = self._connection.execute, self._connection.executemany
        run("DELETE FROM name_words")
        run("DELETE FROM path_words")
        names = run("SELECT id, name FROM names").fetchall()
        many(
            "INSERT INTO name_words VALUES (?, ?)",
            sorted((w, n) for n, name in names for w in name_words(name)),
        )
        paths = run("SELECT id, path FROM files").fetchall()
        many(
            "INSERT INTO path_words VALUES (?, ?)",
            sorted((word, file) for file, path in paths for word in words_of_path(path_text(path))),
        )

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")

    def _insert_file(self, item: Encoded) -> int:
        """The row, the contents and the documents of a file; returns its new number."""
        run = self._connection.execute
        marks = ", ".join("?" * (len(item.file) + 1))
        file = run(
            "INSERT INTO files (path, language, digest, size, lines, encoding, level, reason, detail, marks, stat, "
            f"package, exports, symbols, chunks, refs) VALUES ({marks})",
            (item.path, *item.file),
        ).lastrowid
        assert file is not None
        run("INSERT INTO contents VALUES (?, ?, ?, ?, ?)", (file, *item.contents))
        base = file << SHIFT
        self._connection.executemany(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (base + index, *row[:3], None if row[3] is None else base + row[3], *row[4:])
                for index, row in enumerate(item.chunks)
            ],
        )
        self._postings.add(
            [Document(base + index, file, tokens) for index, tokens in enumerate(item.documents)]
        )
        return file

    def _insert_batch(self, batch: Sequence[tuple[int, Encoded]]) -> None:
        """The rows that are found by a word or a name, sorted so that the trees are walked once."""
        self._number_names(batch)
        names, many = self._names, self._connection.executemany
        many(
            "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                ((file << SHIFT) + index, names[row[0]], *row[1:])
                for file, item in batch
                for index, row in enumerate(item.symbols)
            ],
        )
        many(
            "INSERT OR IGNORE INTO targets VALUES (?, ?)",
            [
                (key, (file << SHIFT) + (index or TOP + 1) - 1)
                for file, item in batch
                for index, key in enumerate(item.keys)
            ],
        )
        many(
            "INSERT INTO uses VALUES (?, ?)", sorted((key, file) for file, item in batch for key in item.uses)
        )
        many(
            "INSERT INTO path_words VALUES (?, ?)",
            sorted((word, file) for file, item in batch for word in item.path_words),
        )

    def _number_names(self, batch: Sequence[tuple[int, Encoded]]) -> None:
        """Give each distinct symbol name of the batch a number, new ones with their words."""
        if len(self._names) > _NAMES_KEPT:
            self._names.clear()
        fresh: dict[str, tuple[str, str]] = {}
        for _, item in batch:
            for name, folded, words in item.names:
                if name not in self._names:
                    fresh[name] = (folded, words)
        if not fresh:
            return
        find = "SELECT name, id FROM names WHERE name IN (SELECT value FROM json_each(?))"
        self._names.update(self._connection.execute(find, (json.dumps(list(fresh)),)).fetchall())
        self._insert_names({name: row for name, row in fresh.items() if name not in self._names})

    def _insert_names(self, fresh: Mapping[str, tuple[str, str]]) -> None:
        if not self._next_name:
            self._next_name = self._connection.execute(
                "SELECT coalesce(max(id), 0) + 1 FROM names"
            ).fetchone()[0]
        first = self._next_name
        self._next_name += len(fresh)
        numbered = list(enumerate(fresh.items(), first))
        self._names.update((name, number) for number, (name, _) in numbered)
        many = self._connection.executemany
        many(
            "INSERT INTO names VALUES (?, ?, ?)", [(number, name, row[0]) for number, (name, row) in numbered]
        )
        many(
            "INSERT INTO name_words VALUES (?, ?)",
            sorted((word, number) for number, (_, row) in numbered for word in row[1].split()),
        )

    def _drop(self, path: bytes) -> None:
        """Remove a file and all that hangs on it."""
        run = self._connection.execute
        row = run("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
        if row is None:
            return
        file = row[0]
        low, high = file << SHIFT, (file << SHIFT) + MOST - 1
        self._postings.remove(file)
        self._buried.append(file)
        self._gone.update(
            number for (number,) in run("SELECT name FROM symbols WHERE id BETWEEN ? AND ?", (low, high))
        )
        self._connection.executemany(
            "DELETE FROM uses WHERE key = ? AND file = ?", [(key, file) for key in self._used_by(file)]
        )
        self._connection.executemany(
            "DELETE FROM path_words WHERE word = ? AND file = ?",
            [(word, file) for word in words_of_path(path_text(path))],
        )
        run("DELETE FROM targets WHERE node BETWEEN ? AND ?", (low, high + 1))
        self._edges.drop(file)
        run("DELETE FROM symbols WHERE id BETWEEN ? AND ?", (low, high))
        run("DELETE FROM chunks WHERE id BETWEEN ? AND ?", (low, high))
        run("DELETE FROM contents WHERE file = ?", (file,))
        run("DELETE FROM files WHERE id = ?", (file,))

    def _used_by(self, file: int) -> Iterator[int]:
        row = self._connection.execute(
            "SELECT imports, refs, bindings FROM contents WHERE file = ?", (file,)
        ).fetchone()
        return map(name_key, used_names(*map(unpack, row or (b"", b"", b""))))

    def _forget_names(self) -> None:
        """Names that lost their last definition must not be found by their words any more."""
        if not self._gone:
            return
        gone = json.dumps(list(self._gone))
        self._gone.clear()
        self._names.clear()
        lost = [
            row[0]
            for row in self._connection.execute(
                "SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM symbols WHERE name = value)",
                (gone,),
            )
        ]
        self._forget(lost)

    def _forget(self, numbers: Sequence[int]) -> None:
        run, many = self._connection.execute, self._connection.executemany
        for number in numbers:
            row = run("SELECT name FROM names WHERE id = ?", (number,)).fetchone()
            words = name_words(row[0]) if row else ()
            many("DELETE FROM name_words WHERE word = ? AND name = ?", [(word, number) for word in words])
            run("DELETE FROM names WHERE id = ?", (number,))


class _Unpublished(LocalSnapshot):
    """The state inside the writer's transaction; the connection stays the writer's."""

    def counts(self) -> Mapping[str, int]:
        """As of now."""
        return counts(self._one(COUNT)[0])

    def close(self) -> None:
        """Nothing is held."""


def _generation(connection: sqlite3.Connection) -> int:
    row: Any = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    return int(row[0]) if row else 0
