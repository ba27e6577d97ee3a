"""Edges in the rows: written a file at a time, read in both directions.

A row knows its source by node and its target by key; ``targets`` leads from one to the other.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from trigpoint.model import EDGE_KINDS, MODULE, RESOLVED_BY, Edge, StoredEdge, StoredSymbol, Symbol
from trigpoint.ports import Link
from trigpoint.stores.local import rows
from trigpoint.stores.local.keys import MOST, SHIFT, TOP, path_bytes, path_text

_KIND = {kind: number for number, kind in enumerate(EDGE_KINDS)}
_HOW = {how: number for number, how in enumerate(RESOLVED_BY)}
_CONTAINS = "contains"
_BATCH = 20_000  # rows sorted and written together
_SOME = 1_000  # files: more are found sooner by reading all
_KEPT = 4_000  # files whose keys are remembered while edges are written


class EdgeWriter:
    """Rows of edges, written in batches. ``flush`` before anything reads them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._keys: dict[str, dict[int, int]] = {}
        self._files: dict[str, int] = {}
        self._waiting: list[tuple[int, ...]] = []

    def put(self, path: str, edges: Sequence[Edge], kept: Sequence[Link] = ()) -> None:
        """Replace the edges that leave a file; those whose ends are unknown are left out."""
        file = self._file(path)
        if not file:
            return
        self.drop(file)
        base = file << SHIFT
        for edge in edges:
            key = self._key(edge.target_path, edge.target)
            if key is None or edge.kind == _CONTAINS:
                continue
            source = base + (TOP if edge.source == MODULE else edge.source)
            sure, how = round(edge.confidence * 100), _HOW[edge.resolved_by]
            self._waiting.append((source, edge.line, edge.column, _KIND[edge.kind], key, sure, how))
        top = base + TOP
        self._waiting += [
            (top if source == MODULE else base + source, line, column, *rest)
            for source, line, column, rest in kept
        ]
        if len(self._waiting) > _BATCH:
            self.flush()

    def drop(self, file: int) -> None:
        """Forget the edges that leave a file."""
        self._connection.execute(
            "DELETE FROM edges WHERE source BETWEEN ? AND ?", (file << SHIFT, (file << SHIFT) + TOP)
        )

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            self._waiting.sort()
            self._connection.executemany(
                "INSERT OR IGNORE INTO edges VALUES (?, ?, ?, ?, ?, ?, ?)", self._waiting
            )
            self._waiting = []

    def forget(self) -> None:
        """The files have changed: what is remembered of them may be wrong."""
        self.flush()
        self._keys.clear()
        self._files.clear()

    def rollback(self) -> None:
        """Undo what waits."""
        self._waiting = []
        self._keys.clear()
        self._files.clear()

    def _file(self, path: str) -> int:
        found = self._files.get(path)
        if found is None:
            row = self._connection.execute(
                "SELECT id FROM files WHERE path = ?", (path_bytes(path),)
            ).fetchone()
            found = self._files[path] = row[0] if row else 0
        return found

    def _key(self, path: str, index: int) -> int | None:
        keys = self._keys.get(path)
        if keys is None:
            if len(self._keys) >= _KEPT:
                self._keys.clear()
            base = self._file(path) << SHIFT
            found = self._connection.execute(
                "SELECT node, key FROM targets WHERE node BETWEEN ? AND ?", (base, base + TOP)
            )
            keys = self._keys[path] = {node - base: key for node, key in found}
        return keys.get(TOP if index == MODULE else index)


class EdgeReader:
    """Edges of one state of the rows."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def node(self, path: str, index: int) -> int:
        """The node of a symbol or of the top of a file; 0 when unknown."""
        row = self._connection.execute(
            "SELECT id, symbols FROM files WHERE path = ?", (path_bytes(path),)
        ).fetchone()
        if row is None or not (index == MODULE or 0 <= index < row[1]):
            return 0
        return int(row[0] << SHIFT) + (TOP if index == MODULE else index)

    def nodes(self, ids: Sequence[int]) -> list[StoredSymbol]:
        """Symbols and tops of files by node, in the order asked."""
        asked = json.dumps(list(ids))
        found = self._connection.execute(
            f"SELECT {rows.SYMBOL} FROM {rows.SYMBOLS_FROM} WHERE s.id IN (SELECT value FROM json_each(?))",
            (asked,),
        )
        known = {row[2]: rows.symbol_row(row) for row in found}
        tops = json.dumps([one >> SHIFT for one in ids if one & MOST == TOP])
        files = self._connection.execute(
            "SELECT id, path, language, lines FROM files WHERE id IN (SELECT value FROM json_each(?))",
            (tops,),
        )
        for file, path, language, lines in files:
            top = top_of((file << SHIFT) + TOP, path_text(path), language, lines)
            known[top.id] = top
        return [known[one] for one in ids if one in known]

    def links(self, file: int) -> list[Link]:
        """The edges that leave a file, those out of sight included, as ``put`` takes them again."""
        base = file << SHIFT
        found = self._connection.execute(
            "SELECT source - ?, line, column, kind, target, sure, how FROM edges WHERE source BETWEEN ? AND ?",
            (base, base, base + TOP),
        )
        return [
            Link(MODULE if source == TOP else source, line, column, tuple(rest))
            for source, line, column, *rest in found
        ]

    def homes(self, ids: Iterable[int]) -> dict[int, str]:
        """The path of the file that each node lies in."""
        wanted = list(ids)
        files = {one >> SHIFT for one in wanted}
        some = len(files) < _SOME
        inside = " WHERE id IN (SELECT value FROM json_each(?))" if some else ""
        found = self._connection.execute(
            f"SELECT id, path FROM files{inside}", (json.dumps(list(files)),) if some else ()
        )
        known = {file: path_text(path) for file, path in found}
        return {one: known[one >> SHIFT] for one in wanted if one >> SHIFT in known}

    def leaving(self, ids: Sequence[int], kinds: Sequence[str], least: float) -> list[StoredEdge]:
        """Edges that leave nodes."""
        found = self._rows("e.source IN (SELECT value FROM json_each(?))", ids, kinds, least)
        if not kinds or _CONTAINS in kinds:
            found += [inside for one in ids for inside in self._inside(one)]
        return sorted(found, key=_by_source)

    def reaching(self, ids: Sequence[int], kinds: Sequence[str], least: float) -> list[StoredEdge]:
        """Edges that reach nodes."""
        found = self._rows("t.node IN (SELECT value FROM json_each(?))", ids, kinds, least)
        if not kinds or _CONTAINS in kinds:
            found += self._around(ids)
        return sorted(found, key=_by_target)

    def all(self) -> Iterator[Edge]:
        """Every edge by path, line and column."""
        paths = {
            file: path_text(path) for file, path in self._connection.execute("SELECT id, path FROM files")
        }
        for (file,) in self._connection.execute("SELECT id FROM files ORDER BY path").fetchall():
            base = file << SHIFT
            found = self._connection.execute(
                "SELECT e.source, e.line, e.column, e.kind, t.node, e.sure, e.how FROM edges e "
                "JOIN targets t ON t.key = e.target WHERE e.source BETWEEN ? AND ?",
                (base, base + TOP),
            ).fetchall()
            made = [
                Edge(
                    paths[file],
                    _index(source),
                    paths[node >> SHIFT],
                    _index(node),
                    EDGE_KINDS[kind],
                    sure / 100,
                    line,
                    column,
                    RESOLVED_BY[how],
                )
                for source, line, column, kind, node, sure, how in found
            ]
            yield from sorted(made, key=_by_place)

    def arcs(self, least: float) -> Iterator[tuple[int, int, str, float]]:
        """Ends, kind and confidence of every edge that is at least that sure."""
        found = self._connection.execute(
            "SELECT e.source, t.node, e.kind, e.sure FROM edges e JOIN targets t ON t.key = e.target WHERE e.sure >= ?",
            (round(least * 100),),
        )
        for source, target, kind, sure in found:
            yield source, target, EDGE_KINDS[kind], sure / 100

    def _rows(
        self, condition: str, ids: Sequence[int], kinds: Sequence[str], least: float
    ) -> list[StoredEdge]:
        wanted = [_KIND[kind] for kind in kinds if kind in _KIND and kind != _CONTAINS]
        if kinds and not wanted:
            return []
        values: list[Any] = [json.dumps(list(ids))]
        if wanted:
            condition += f" AND e.kind IN ({', '.join('?' * len(wanted))})"
            values += wanted
        if least > 0:
            condition += " AND e.sure >= ?"
            values.append(round(least * 100))
        found = self._connection.execute(
            "SELECT e.source, t.node, e.kind, e.sure, e.line, e.column, e.how FROM edges e "
            f"JOIN targets t ON t.key = e.target WHERE {condition}",
            values,
        )
        return [
            StoredEdge(source, node, EDGE_KINDS[kind], sure / 100, line, column, RESOLVED_BY[how])
            for source, node, kind, sure, line, column, how in found
        ]

    def _inside(self, node: int) -> Iterator[StoredEdge]:
        base = node >> SHIFT << SHIFT
        outer = MODULE if node & MOST == TOP else node & MOST
        found = self._connection.execute(
            "SELECT id, name_line, name_column FROM symbols WHERE id BETWEEN ? AND ? AND container = ?",
            (base, base + TOP, outer),
        )
        for inner, line, column in found:
            yield StoredEdge(node, inner, _CONTAINS, 1.0, line, column, _CONTAINS)

    def _around(self, ids: Sequence[int]) -> Iterator[StoredEdge]:
        found = self._connection.execute(
            "SELECT id, container, name_line, name_column FROM symbols WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        for inner, outer, line, column in found:
            base = inner >> SHIFT << SHIFT
            around = base + (TOP if outer == MODULE else outer)
            yield StoredEdge(around, inner, _CONTAINS, 1.0, line, column, _CONTAINS)


def top_of(node: int, path: str, language: str, lines: int) -> StoredSymbol:
    """The top level of a file, as a symbol."""
    name = path.rpartition("/")[2]
    return StoredSymbol(node, path, language, Symbol(name, path, "file", 1, max(lines, 1), 1, 0), MODULE)


def _index(node: int) -> int:
    index = node & MOST
    return MODULE if index == TOP else index


def _by_source(edge: StoredEdge) -> tuple[int, int, int, str, int]:
    return edge.source, edge.line, edge.column, edge.kind, edge.target


def _by_target(edge: StoredEdge) -> tuple[int, int, int, int, str]:
    return edge.target, edge.source, edge.line, edge.column, edge.kind


def _by_place(edge: Edge) -> tuple[int, int, str, str, int, int]:
    return edge.line, edge.column, edge.kind, edge.target_path, edge.target, edge.source
