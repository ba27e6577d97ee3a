"""One published generation, read in one read transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from trigpoint.errors import StoreError, TrigpointError
from trigpoint.model import (
    MODULE,
    Binding,
    Edge,
    FileRow,
    Filters,
    Import,
    Outline,
    Reference,
    Scored,
    StoredChunk,
    StoredEdge,
    StoredSymbol,
    Term,
)
from trigpoint.ports import Link, Said, Tally
from trigpoint.stores.local import rows
from trigpoint.stores.local.database import translate, translated
from trigpoint.stores.local.edges import EdgeReader
from trigpoint.stores.local.keys import DERIVED, MOST, SHIFT, name_key, path_bytes, path_text
from trigpoint.stores.local.lazy import Packed
from trigpoint.stores.local.names import names_with
from trigpoint.stores.local.packing import unpack
from trigpoint.stores.local.postings import PostingsReader
from trigpoint.stores.local.selection import Selection
from trigpoint.text.identifiers import fold

_Row = TypeVar("_Row")

_GROWTH = 4  # how many times more hits are asked for when too few of them pass
_WIDE = 1_000  # hits: beyond, the passing chunks themselves are looked for
_FEW = 4_000  # of which this many are handed to the postings as a list


COUNT = (
    "SELECT count(*) || ' ' || coalesce(sum(symbols), 0) || ' ' || coalesce(sum(chunks), 0) || ' ' || coalesce(sum(refs), 0) "
    "FROM files"
)
"""Takes 2 ms for 10,000 files, so the writer leaves the answer beside the rows."""


def counts(text: str) -> dict[str, int]:
    """The answer to COUNT by name."""
    return dict(zip(("files", "symbols", "chunks", "references"), map(int, text.split()), strict=True))


_MENDS = "`trig doctor --repair` mends them"
_TABLES = {
    "symbols": (
        "symbols",
        "names",
        "name_words",
        "symbols INDEXED BY symbols_name WHERE name >= 0",
        "names INDEXED BY names_folded WHERE folded >= ''",
    ),
    "edges": ("targets", "edges", "edges INDEXED BY edges_target WHERE target >= 0"),
}
"""What a view is read from."""


def _panicked(error: BaseException) -> bool:
    return type(error).__name__ == "PanicException"


class LocalSnapshot:
    """ports.Snapshot over an open read transaction."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        generation: int,
        postings: PostingsReader,
        path: Path,
        closed: Callable[[LocalSnapshot], None] | None = None,
    ) -> None:
        self._connection = connection
        self._path = path
        self._closed = closed
        self._generation = generation
        self._postings = postings
        self._texts = rows.Texts(connection)
        self._edges = EdgeReader(connection)
        self._selections: dict[Filters, Selection] = {}
        self._counts: dict[str, int] = {}
        self.failed: dict[str, str] = {}

    @property
    def generation(self) -> int:
        """The number of this publication."""
        return self._generation

    @property
    def connection(self) -> sqlite3.Connection:
        """What its rows are read from."""
        return self._connection

    def close(self) -> None:
        """Let the generation go; the connection may be kept for the next snapshot of the same one."""
        if self._closed is None or not self._connection.in_transaction:
            self._connection.close()
            return
        self._connection.execute("ROLLBACK")
        self._closed(self)

    def begin(self) -> bool:
        """Open it again after close(); False when another generation was published meanwhile."""
        try:
            self._connection.execute("BEGIN")
            row = self._one("SELECT value FROM meta WHERE key = 'generation'")
        except (sqlite3.Error, StoreError):
            return False
        return row is not None and int(row[0]) == self._generation

    def disconnect(self) -> None:
        """Let the connection go too."""
        self._connection.close()

    def counts(self) -> Mapping[str, int]:
        """Numbers of files, symbols, chunks, references."""
        if not self._counts:
            row = self._one("SELECT value FROM meta WHERE key = 'counts'")
            self._counts = counts(row[0] if row else self._one(COUNT)[0])
        return self._counts

    def failures(self) -> Mapping[str, str]:
        """Views that cannot be read: by what happened when they were asked, and by a first look at their tables."""
        for view, tables in _TABLES.items():
            for table in tables if view not in self.failed else ():
                try:
                    self._connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()
                except sqlite3.DatabaseError as error:
                    self.failed[view] = f"its rows are damaged ({error}); {_MENDS}"
        return self.failed

    def tallies(self) -> Sequence[Tally]:
        """The files counted by language, level and reason."""
        alike = "language, level, reason"
        return [
            Tally(*row)
            for row in self._all(f"SELECT {alike}, count(*) FROM files GROUP BY {alike} ORDER BY {alike}")
        ]

    def meta(self, key: str) -> str:
        """A value that a writer left with set_meta; "" when there is none."""
        row = self._one("SELECT value FROM meta WHERE key = ?", "user:" + key)
        return row[0] if row else ""

    def files(self) -> Iterator[FileRow]:
        """Every file, sorted by the bytes of its path."""
        return map(rows.file_row, self._all(f"SELECT {rows.FILE} FROM files f ORDER BY f.path"))

    def languages(self) -> Iterator[tuple[str, str, frozenset[str]]]:
        """Path, language and marks of every file, in the same order."""
        for path, language, marks in self._all("SELECT path, language, marks FROM files ORDER BY path"):
            yield path.decode("utf-8", "surrogateescape"), language, rows.marks_of(marks)

    def stats(self) -> Mapping[str, str]:
        """Path and stat data of every file, as Stat.text() has them."""
        found = self._all("SELECT path, stat FROM files")
        return {path.decode("utf-8", "surrogateescape"): stat for path, stat in found}

    def contents(self) -> dict[str, str]:
        """Path and digest of every file that was read."""
        found = self._all("SELECT path, digest FROM files WHERE digest <> ''")
        return {path.decode("utf-8", "surrogateescape"): digest for path, digest in found}

    def inside(self, folder: str) -> Mapping[str, str]:
        """Name and digest of every file that was read and lies directly in a folder."""
        start = path_bytes(folder)
        found = self._all(
            "SELECT path, digest FROM files WHERE path >= ? AND (? OR path < ?) AND digest <> '' "
            "AND NOT instr(substr(path, ?), x'2F')",
            start,
            not start,
            start[:-1] + b"0",  # what follows a slash
            len(start) + 1,
        )
        return {path_text(path[len(start) :]): digest for path, digest in found}

    def passages(self) -> Mapping[int, int]:
        """Number of every file that was read, and what stands for the texts and names of its chunks."""
        return dict(self._all("SELECT id, passages FROM files WHERE digest <> ''"))

    def file(self, path: str) -> FileRow | None:
        """One file by its exact path."""
        row = self._one(f"SELECT {rows.FILE} FROM files f WHERE f.path = ?", path_bytes(path))
        return rows.file_row(row) if row else None

    def text(self, path: str) -> str:
        """The text as it was indexed; "" when the file is unknown or was skipped."""
        file = self._file_id(path)
        with translated(self._path):
            return self._texts.whole(file) if file else ""

    def paths_with(self, word: str, limit: int) -> Sequence[str]:
        """Paths that have this word among their words, sorted."""
        found = self._all(
            "SELECT f.path FROM path_words w JOIN files f ON f.id = w.file WHERE w.word = ? ORDER BY f.path LIMIT ?",
            word,
            limit,
        )
        return [path_text(path) for (path,) in found]

    def symbols_of(self, path: str) -> Sequence[StoredSymbol]:
        """The outline of a file in order of its record."""
        file = self._file_id(path)
        return self._symbols("s.id BETWEEN ? AND ? ORDER BY s.id", file << SHIFT, (file << SHIFT) + MOST - 1)

    def symbols_named(self, name: str, *, fold: bool = False, limit: int = 1000) -> Sequence[StoredSymbol]:
        """Definitions of this simple name, by file and place."""
        if fold:
            return self._symbols("n.folded = ? ORDER BY s.id LIMIT ?", _folded(name), limit)
        return self._symbols("n.name = ? ORDER BY s.id LIMIT ?", name, limit)

    def places(self, name: str, limit: int) -> Sequence[tuple[str, int, str]]:
        """Path, index and kind of the definitions of this simple name."""
        found = self._all(
            f"SELECT f.path, s.id & {MOST}, s.kind FROM names n JOIN symbols s ON s.name = n.id "
            f"JOIN files f ON f.id = s.id >> {SHIFT} WHERE n.name = ? ORDER BY s.id LIMIT ?",
            name,
            limit,
        )
        return [(path_text(path), index, kind) for path, index, kind in found]

    def names_in(self, path: str) -> Sequence[tuple[str, str]]:
        """Simple name and kind of each symbol of a file."""
        return self._all(
            f"SELECT n.name, s.kind FROM files f JOIN symbols s ON s.id BETWEEN f.id << {SHIFT} "
            f"AND (f.id << {SHIFT}) + {MOST - 1} JOIN names n ON n.id = s.name WHERE f.path = ? ORDER BY s.id",
            path_bytes(path),
        )

    def definitions(self, names: Sequence[str], each: int) -> Sequence[StoredSymbol]:
        """Definitions of these simple names, at most ``each`` of one, in the order of the names."""
        some = "s.id IN (SELECT id FROM symbols WHERE name = n.id ORDER BY id LIMIT ?)"
        found = self._all(
            f"SELECT {rows.SYMBOL} FROM json_each(?) asked CROSS JOIN names n ON n.name = asked.value "
            f"CROSS JOIN symbols s ON {some} CROSS JOIN files f ON f.id = s.id >> {SHIFT} ORDER BY asked.key, s.id",
            json.dumps(list(dict.fromkeys(names))),
            each,
        )
        return [rows.symbol_row(row) for row in found]

    def symbols_with(self, words: Sequence[str], limit: int) -> Sequence[tuple[str, int]]:
        """Distinct simple names by how many of the words they hold, then the shortest, then by name."""
        with translated(self._path):
            return names_with(self._connection, words, limit)

    def imports_of(self, path: str) -> Sequence[Import]:
        """The imports of a file, in order."""
        return self._packed("imports", path, Import._make)

    def references_of(self, path: str) -> Sequence[Reference]:
        """The uses in a file, in order."""
        return self._packed("refs", path, Reference._make)

    def bindings_of(self, path: str) -> Sequence[Binding]:
        """The bindings in a file, in order."""
        return self._packed("bindings", path, Binding._make)

    def files_referring(self, name: str, limit: int = 10_000) -> Sequence[str]:
        """Paths of files with a Reference or Import of exactly this name, sorted."""
        if not name:
            return ()
        found = self._all(
            "SELECT f.path FROM uses u JOIN files f ON f.id = u.file WHERE u.key = ? ORDER BY f.path LIMIT ?",
            name_key(name),
            limit,
        )
        return [path_text(path) for (path,) in found]

    def outline_of(self, path: str) -> Outline | None:
        """All that linking reads of a file."""
        row = self._one(
            "SELECT f.id, f.package, f.exports, c.imports, c.refs, c.bindings FROM files f "
            "JOIN contents c ON c.file = f.id WHERE f.path = ?",
            path_bytes(path),
        )
        if row is None:
            return None
        file, package, exports, imports, references, bindings = row
        symbols = self._all(rows.LINKED_SYMBOLS, file << SHIFT, (file << SHIFT) + MOST - 1)
        with translated(self._path):
            return Outline(
                tuple(map(rows.linked_symbol, symbols)),
                tuple(map(_IMPORT, unpack(imports))),
                cast("tuple[Reference, ...]", Packed(references, _REFERENCE)),
                tuple(map(_BINDING, unpack(bindings))),
                package,
                tuple(json.loads(exports)) if exports else (),
            )

    def said(self, path: str) -> Said | None:
        """What a file says, to be compared with what it said in another state."""
        row = self._one(
            "SELECT f.id, f.language, f.marks, f.package, f.exports, c.imports, c.refs, c.bindings FROM files f "
            "JOIN contents c ON c.file = f.id WHERE f.path = ?",
            path_bytes(path),
        )
        if row is None:
            return None
        file, language, marks, package, exports, *packed = row
        symbols = self._all(rows.LINKED_SYMBOLS, file << SHIFT, (file << SHIFT) + MOST - 1)
        told = (Packed(data, tuple) for data in packed)
        return Said(language, rows.marks_of(marks), package, exports, symbols, *told)

    def links_of(self, path: str) -> Sequence[Link]:
        """The edges that leave a file, as put_edges() takes them again."""
        with translated(self._path):
            return self._edges.links(self._file_id(path))

    def node(self, path: str, index: int = MODULE) -> int:
        """The node of a symbol or of the top of a file."""
        with translated(self._path):
            return self._edges.node(path, index)

    def nodes(self, ids: Sequence[int]) -> Sequence[StoredSymbol]:
        """Symbols and tops of files by node, in the order asked."""
        with translated(self._path):
            return self._edges.nodes(ids)

    def paths_of(self, ids: Iterable[int]) -> Sequence[str]:
        """The files that these nodes lie in, each once, sorted."""
        files = json.dumps(sorted({one >> SHIFT for one in ids}))
        found = self._all(
            "SELECT path FROM files WHERE id IN (SELECT value FROM json_each(?)) ORDER BY path", files
        )
        return [path_text(path) for (path,) in found]

    def homes(self, ids: Iterable[int]) -> Mapping[int, str]:
        """The path of the file that each node lies in."""
        return self._edges.homes(ids)

    def edges_from(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> Sequence[StoredEdge]:
        """Edges that leave these nodes."""
        with translated(self._path):
            return self._edges.leaving(ids, kinds, least)

    def edges_to(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> Sequence[StoredEdge]:
        """Edges that reach these nodes."""
        with translated(self._path):
            return self._edges.reaching(ids, kinds, least)

    def edges(self) -> Iterator[Edge]:
        """Every edge but ``contains``, by path, line and column."""
        with translated(self._path):
            yield from self._edges.all()

    def arcs(self, least: float = 0.0) -> Iterator[tuple[int, int, str, float]]:
        """Ends, kind and confidence of every edge but ``contains``."""
        with translated(self._path):
            yield from self._edges.arcs(least)

    def chunks(self, ids: Sequence[int], *, text: bool = True) -> Sequence[StoredChunk]:
        """Chunks by id, in the order asked, unknown ids left out."""
        inside, asked = "c.id IN (SELECT value FROM json_each(?))", json.dumps(list(ids))
        found = self._chunks(inside, asked) if text else self._bare(inside, asked)
        by_id = {chunk.id: chunk for chunk in found}
        return [by_id[number] for number in ids if number in by_id]

    def chunks_of(self, path: str, *, text: bool = True) -> Sequence[StoredChunk]:
        """The chunks of a file by their first line, derived ones last."""
        file = self._file_id(path)
        inside = f"c.id BETWEEN ? AND ? ORDER BY c.flags & {DERIVED}, c.first, c.id"
        asked = (file << SHIFT, (file << SHIFT) + MOST - 1)
        return self._chunks(inside, *asked) if text else self._bare(inside, *asked)

    def chunk_at(self, path: str, line: int) -> StoredChunk | None:
        """The chunk that is not derived and holds the line."""
        file = self._file_id(path)
        found = self._chunks(
            f"c.id BETWEEN ? AND ? AND NOT c.flags & {DERIVED} AND ? BETWEEN c.first AND c.last ORDER BY c.id LIMIT 1",
            file << SHIFT,
            (file << SHIFT) + MOST - 1,
            line,
        )
        return found[0] if found else None

    def defining(self, symbols: Sequence[int]) -> Mapping[int, int]:
        """By symbol id: the chunk that is not derived and holds the line of its name."""
        found = self._all(
            "SELECT s.id, min(c.id) FROM json_each(?) asked CROSS JOIN symbols s ON s.id = asked.value "
            f"CROSS JOIN chunks c ON c.id BETWEEN s.id >> {SHIFT} << {SHIFT} AND s.id | {MOST - 1} "
            f"AND s.name_line BETWEEN c.first AND c.last AND NOT c.flags & {DERIVED} GROUP BY s.id",
            json.dumps(list(symbols)),
        )
        return dict(found)

    def first_chunks(self, paths: Sequence[str]) -> Mapping[str, int]:
        """By path: the chunk with the first line."""
        first = (
            f"SELECT id FROM chunks WHERE id BETWEEN f.id << {SHIFT} AND (f.id << {SHIFT}) + {MOST - 1} "
            f"ORDER BY flags & {DERIVED}, first, id LIMIT 1"
        )
        marks = ", ".join("?" * len(paths))
        found = self._all(
            f"SELECT f.path, ({first}) FROM files f WHERE f.path IN ({marks})", *map(path_bytes, paths)
        )
        return {path_text(path): chunk for path, chunk in found if chunk is not None}

    def lexical(self, terms: Sequence[Term], limit: int, filters: Filters) -> Sequence[Scored]:
        """BM25 over the chunks that pass the filters, best first, ties by id."""
        if "lexical" in self.failed:
            return ()
        try:
            if not filters:
                return self._postings.search(terms, limit, None)
            return self._selected(terms, limit, filters)
        except sqlite3.DatabaseError as error:
            raise translate(error, self._path) from error
        except BaseException as error:
            self._lose_postings(error)
            return ()

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many chunks each token stands."""
        try:
            return self._postings.frequency(terms)
        except BaseException as error:
            self._lose_postings(error)
            return dict.fromkeys(terms, 0)

    def _lose_postings(self, error: BaseException) -> None:
        """Answer without the words from here on. tantivy panics over damaged files, which is no Exception.

        Raises whatever else came between.
        """
        damage = isinstance(error, (OSError, ValueError, sqlite3.DatabaseError)) or _panicked(error)
        if not damage or isinstance(error, TrigpointError):
            raise error
        self.failed["lexical"] = f"the postings are damaged; {_MENDS}"

    def passing(self, ids: Sequence[int], filters: Filters) -> frozenset[int]:
        """Those of these chunks that pass the filters."""
        with translated(self._path):
            return frozenset(self._selection(filters).among(ids) if filters else ids)

    def selected(self, filters: Filters, most: int) -> Sequence[int] | None:
        """The ids of all chunks that pass the filters; None when there are more than ``most``."""
        with translated(self._path):
            return self._selection(filters).few(most)

    def passes(self, chunk: StoredChunk, filters: Filters) -> bool:
        """Whether a chunk passes the filters: the same answer that lexical() gives."""
        with translated(self._path):
            return not filters or chunk.id in self._selection(filters).among((chunk.id,))

    def _selected(self, terms: Sequence[Term], limit: int, filters: Filters) -> Sequence[Scored]:
        """Ask for more and more hits until enough pass, or until the few that pass are worth listing."""
        selection = self._selection(filters)
        asked = max(limit, 1) * 2
        found = self._among(terms, limit, selection, asked)
        while found is None:
            asked *= _GROWTH
            few = selection.few(_FEW) if filters and asked > _WIDE else None
            if few is not None:
                return self._postings.search(terms, limit, few) if few else ()
            found = self._among(terms, limit, selection, asked)
        return found

    def _among(
        self, terms: Sequence[Term], limit: int, selection: Selection, asked: int
    ) -> Sequence[Scored] | None:
        """The best that pass among the best ``asked``; None when more must be asked for."""
        found = self._postings.search(terms, asked, None)
        passing = selection.among(item.chunk for item in found)
        kept = [item for item in found if item.chunk in passing]
        return kept[:limit] if len(kept) >= limit or len(found) < asked else None

    def _selection(self, filters: Filters) -> Selection:
        found = self._selections.get(filters)
        if found is None:
            found = self._selections[filters] = Selection(self._connection, filters)
        return found

    def _file_id(self, path: str) -> int:
        row = self._one("SELECT id FROM files WHERE path = ?", path_bytes(path))
        return row[0] if row else 0

    def _symbols(self, condition: str, *values: Any) -> list[StoredSymbol]:
        found = self._all(f"SELECT {rows.SYMBOL} FROM {rows.SYMBOLS_FROM} WHERE {condition}", *values)
        return [rows.symbol_row(row) for row in found]

    def _chunks(self, condition: str, *values: Any) -> list[StoredChunk]:
        found = self._all(f"SELECT {rows.CHUNK} FROM {rows.CHUNKS_FROM} WHERE {condition}", *values)
        with translated(self._path):
            return list(rows.chunk_rows(found, self._texts))

    def _bare(self, condition: str, *values: Any) -> list[StoredChunk]:
        found = self._all(f"SELECT {rows.BARE} FROM {rows.BARE_FROM} WHERE {condition}", *values)
        return list(rows.bare_rows(found))

    def _packed(self, column: str, path: str, make: Callable[[tuple[Any, ...]], _Row]) -> list[_Row]:
        row = self._one(
            f"SELECT c.{column} FROM files f JOIN contents c ON c.file = f.id WHERE f.path = ?",
            path_bytes(path),
        )
        return list(map(make, unpack(row[0]))) if row else []

    def _one(self, statement: str, *values: Any) -> Any:
        with translated(self._path):
            return self._connection.execute(statement, values).fetchone()

    def _all(self, statement: str, *values: Any) -> list[Any]:
        with translated(self._path):
            return self._connection.execute(statement, values).fetchall()


_folded = fold
_IMPORT: Callable[[tuple[Any, ...]], Import] = partial(tuple.__new__, Import)
_REFERENCE: Callable[[tuple[Any, ...]], Reference] = partial(tuple.__new__, Reference)
_BINDING: Callable[[tuple[Any, ...]], Binding] = partial(tuple.__new__, Binding)
"""Rows as nouns at half the price of _make, whose check of the width unpack() has made already."""
