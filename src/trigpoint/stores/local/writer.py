"""The one writer: rows in one transaction a publication, postings beside it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from trigpoint.model import Edge, FileRecord, Stat
from trigpoint.ports import Link
from trigpoint.stores.document import chunk_document
from trigpoint.stores.local import rows
from trigpoint.stores.local.database import empty, open_reader
from trigpoint.stores.local.edges import EdgeWriter
from trigpoint.stores.local.encode import (
    Encoded,
    documents_of,
    encode,
    passages_of,
    stat_text,
    words_of_path,
)
from trigpoint.stores.local.keys import MOST, SHIFT, path_bytes, path_text
from trigpoint.stores.local.memory import give_back
from trigpoint.stores.local.name_writer import NameWriter
from trigpoint.stores.local.postings import Document, NoPostings, Postings
from trigpoint.stores.local.renewal import Change, addition, renewal, words_used
from trigpoint.stores.local.snapshot import COUNT, LocalSnapshot, counts

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
_FILE = (
    "path, language, digest, size, lines, encoding, level, reason, detail, marks, stat, package, exports, symbols, "
    "chunks, refs, passages"
)
_ADD_FILE = f"INSERT INTO files ({_FILE}) VALUES ({', '.join('?' * 17)})"
_RENEW_FILE = f"UPDATE files SET ({_FILE}) = ({', '.join('?' * 17)}) WHERE id = ?"
_MOVE_SYMBOL = (
    "UPDATE symbols SET (qualified, kind, first, last, name_line, name_column, container, complexity, signature, doc, "
    "rest) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?"
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
        self._names = NameWriter(connection)
        self._inserted = 0
        self._buried: list[int] = []  # chunks whose words are gone
        self.generation = _generation(connection)

    def recover(self) -> bool:
        """Finish or undo what a killed writer left, rebuild the postings if they disagree; whether they were rebuilt."""
        graves = [row[0] for row in self._connection.execute("SELECT chunk FROM graves")]
        if self._postings.recover(self.generation, graves):
            return False
        self.rebuild()
        return True

    def rebuild(self) -> None:
        """Make the postings again from the rows, for the same generation."""
        self._begin()
        self._rebuild_words()
        self._postings.start_over()
        for file, count in self._connection.execute("SELECT id, chunks FROM files ORDER BY id").fetchall():
            if count:
                self._postings.add(self.documents(range(file << SHIFT, (file << SHIFT) + count)))
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
        batch: dict[bytes, Change] = {}
        for item in items:
            self._inserted += 1
            if len(batch) >= _BATCH or item.path in batch:
                self._write_batch(list(batch.values()))
                batch.clear()
            batch[item.path] = self._put_file(item)
        self._write_batch(list(batch.values()))

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
        chunks = [row[0] for row in self._connection.execute("SELECT id FROM chunks")]
        self._postings.remove_all(chunks)
        self._buried += chunks
        for table in _CLEARED:
            self._connection.execute(f"DELETE FROM {table}")
        self._connection.execute("DELETE FROM meta WHERE key LIKE 'user:%'")
        self._names.clear()

    def put_edges(self, path: str, edges: Sequence[Edge], kept: Sequence[Link] = ()) -> None:
        """Replace the edges that leave a file."""
        self._begin()
        self._edges.put(path, edges, kept)

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
        self._names.bury()
        generation = max(self.generation, self.floor) + 1
        self._connection.execute("DELETE FROM graves")
        self._connection.executemany(
            "INSERT OR IGNORE INTO graves VALUES (?)", [(chunk,) for chunk in self._buried]
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
        self._names.forget()
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

    def documents(self, chunks: Sequence[int]) -> Sequence[Document]:
        """The lexical documents of some chunks of one stored file, made again from its rows."""
        self._texts.forget()
        file = chunks[0] >> SHIFT
        low, high = file << SHIFT, (file << SHIFT) + MOST - 1
        symbols = self._connection.execute(
            "SELECT n.name, s.qualified FROM symbols s JOIN names n ON n.id = s.name "
            "WHERE s.id BETWEEN ? AND ? ORDER BY s.id",
            (low, high),
        ).fetchall()
        found = self._connection.execute(
            f"SELECT {rows.CHUNK} FROM {rows.CHUNKS_FROM} WHERE c.id IN (SELECT value FROM json_each(?)) ORDER BY c.id",
            (json.dumps(list(chunks)),),
        ).fetchall()
        return [
            Document(stored.id, file, chunk_document(stored.chunk, stored.path, symbols))
            for stored in rows.chunk_rows(found, self._texts)
        ]

    def _rebuild_words(self) -> None:
        """The words of names and paths depend on the same rules as the tokens of postings."""
        self._names.reword()
        run = self._connection.execute
        run("DELETE FROM path_words")
        paths = run("SELECT id, path FROM files").fetchall()
        self._connection.executemany(
            "INSERT INTO path_words VALUES (?, ?)",
            sorted((word, file) for file, path in paths for word in words_of_path(path_text(path))),
        )

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")

    def _put_file(self, item: Encoded) -> Change:
        """The row, the contents and the chunks of a file; returns what else is to be written."""
        run = self._connection.execute
        row = run("SELECT id FROM files WHERE path = ?", (item.path,)).fetchone()
        columns = (item.path, *item.file, passages_of(item))
        if row is None:
            file = run(_ADD_FILE, columns).lastrowid
            assert file is not None
            change = addition(file, item)
        else:
            file = row[0]
            change = renewal(self._connection, file, item)
            self._bury(change.unworded)
            self._edges.drop(file)
            run(_RENEW_FILE, (*columns, file))
            past = ((file << SHIFT) + len(item.chunks), (file << SHIFT) + MOST - 1)
            run("DELETE FROM chunks WHERE id BETWEEN ? AND ?", past)
        run("INSERT OR REPLACE INTO contents VALUES (?, ?, ?, ?, ?)", (file, *item.contents))
        base = file << SHIFT
        rows = [(index, item.chunks[index]) for index in change.chunks]
        self._connection.executemany(
            "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (base + index, *row[:3], None if row[3] is None else base + row[3], *row[4:])
                for index, row in rows
            ],
        )
        tokens = documents_of(item, path_text(item.path), change.worded)
        self._postings.add(
            [Document(base + index, file, words) for index, words in zip(change.worded, tokens, strict=True)]
        )
        return change

    def _bury(self, chunks: Sequence[int]) -> None:
        """Let go of the words of chunks whose rows still stand."""
        if chunks:
            self._postings.remove(chunks)
            self._buried += chunks

    def _write_batch(self, batch: Sequence[Change]) -> None:
        """The rows that are found by a word or a name, sorted so that the trees are walked once."""
        self._names.number([one.item for one in batch])
        many = self._connection.executemany
        for one in batch:
            self._write_symbols(one)
        many("DELETE FROM targets WHERE key = ?", [(key,) for one in batch for key in one.lost_targets])
        many(
            "INSERT OR IGNORE INTO targets VALUES (?, ?)",
            [pair for one in batch for pair in one.targets.items()],
        )
        many(
            "DELETE FROM uses WHERE key = ? AND file = ?",
            sorted((key, one.file) for one in batch for key in one.lost_uses),
        )
        many("INSERT INTO uses VALUES (?, ?)", sorted((key, one.file) for one in batch for key in one.uses))
        many(
            "INSERT INTO path_words VALUES (?, ?)",
            sorted((word, one.file) for one in batch for word in one.path_words),
        )

    def _write_symbols(self, change: Change) -> None:
        numbers, rows, base = self._names.numbers, change.item.symbols, change.file << SHIFT
        if change.lost_names:
            self._names.lost.update(change.lost_names)
            self._connection.execute(
                "DELETE FROM symbols WHERE id BETWEEN ? AND ?", (base + len(rows), base + MOST - 1)
            )
        self._connection.executemany(
            "INSERT OR REPLACE INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(base + index, numbers[rows[index][0]], *rows[index][1:]) for index in change.symbols],
        )
        self._connection.executemany(
            _MOVE_SYMBOL, [(*rows[index][1:], base + index) for index in change.moved]
        )

    def _drop(self, path: bytes) -> None:
        """Remove a file and all that hangs on it."""
        run = self._connection.execute
        row = run("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
        if row is None:
            return
        file = row[0]
        low, high = file << SHIFT, (file << SHIFT) + MOST - 1
        self._bury([chunk for (chunk,) in run("SELECT id FROM chunks WHERE id BETWEEN ? AND ?", (low, high))])
        self._names.lost.update(
            number for (number,) in run("SELECT name FROM symbols WHERE id BETWEEN ? AND ?", (low, high))
        )
        self._connection.executemany(
            "DELETE FROM uses WHERE key = ? AND file = ?",
            [(key, file) for key in words_used(self._connection, file)],
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
