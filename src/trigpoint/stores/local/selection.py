"""Filters as SQL over chunks: the one answer to whether a chunk passes, for lists and for single chunks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from typing import Any

from trigpoint.model import Filters
from trigpoint.stores.filters import comparison, folded, is_glob, matching_names, matching_paths
from trigpoint.stores.local.keys import SHIFT, path_text

_ALL = (1 << SHIFT) - 1
_OWNER = "LEFT JOIN symbols s ON s.id = c.owner"
_BY_CHUNK = f"chunks c JOIN files f ON f.id = c.id >> {SHIFT} {_OWNER}"
_BY_FILE = (
    f"files f CROSS JOIN chunks c ON c.id BETWEEN f.id << {SHIFT} AND (f.id << {SHIFT}) + {_ALL} {_OWNER}"
)


class Selection:
    """The chunks of a snapshot that pass some filters."""

    def __init__(self, connection: sqlite3.Connection, filters: Filters) -> None:
        self._connection = connection
        self._conditions: list[str] = []
        self._values: list[Any] = []
        self._languages(filters.languages)
        self._kinds(filters.kinds)
        self._paths(filters)
        self._names(filters.names)
        for text in filters.complexity:
            sign, number = comparison(text)
            self._add(f"coalesce(s.complexity, 0) {sign} ?", number)

    def few(self, most: int) -> list[int] | None:
        """The ids of all chunks that pass, or None when there are more than ``most``."""
        rows = self._connection.execute(
            f"SELECT c.id FROM {_BY_FILE} WHERE {self._where()} LIMIT ?", [*self._values, most + 1]
        ).fetchall()
        return [row[0] for row in rows] if len(rows) <= most else None

    def among(self, ids: Iterable[int]) -> set[int]:
        """Those of these chunks that pass; unknown ids do not."""
        rows = self._connection.execute(
            f"SELECT c.id FROM {_BY_CHUNK} WHERE c.id IN (SELECT value FROM json_each(?)) AND {self._where()}",
            [json.dumps(list(ids)), *self._values],
        )
        return {row[0] for row in rows}

    def _where(self) -> str:
        return " AND ".join(self._conditions) or "1"

    def _add(self, condition: str, *values: Any) -> None:
        self._conditions.append(condition)
        self._values.extend(values)

    def _languages(self, languages: tuple[str, ...]) -> None:
        if languages:
            self._add(
                "lower(f.language) IN (SELECT value FROM json_each(?))", json.dumps(sorted(folded(languages)))
            )

    def _kinds(self, kinds: tuple[str, ...]) -> None:
        if kinds:
            wanted = json.dumps(sorted(folded(kinds)))
            inside = "IN (SELECT value FROM json_each(?))"
            self._add(f"(lower(c.kind) {inside} OR lower(coalesce(s.kind, '')) {inside})", wanted, wanted)

    def _paths(self, filters: Filters) -> None:
        if not filters.paths and not filters.not_paths:
            return
        ids = {
            path_text(path): number for number, path in self._connection.execute("SELECT id, path FROM files")
        }
        kept = set(ids) if not filters.paths else set()
        for pattern in filters.paths:
            kept |= matching_paths(pattern, ids)
        for pattern in filters.not_paths:
            kept -= matching_paths(pattern, ids, widest=True)
        self._add("f.id IN (SELECT value FROM json_each(?))", json.dumps(sorted(ids[path] for path in kept)))

    def _names(self, patterns: tuple[str, ...]) -> None:
        """A chunk is meant by the name of its own symbol and of each symbol whose name stands on its lines."""
        if not patterns:
            return
        wanted: set[int] = set()
        for pattern in patterns:
            wanted |= self._symbols(pattern)
        self._add(
            f"(c.owner IN (SELECT value FROM json_each(?)) OR EXISTS (SELECT 1 FROM symbols m WHERE m.id BETWEEN "
            f"c.id & ~{_ALL} AND c.id | {_ALL} AND m.name_line BETWEEN c.first AND c.last "
            "AND m.id IN (SELECT value FROM json_each(?))))",
            *[json.dumps(sorted(wanted))] * 2,
        )

    def _symbols(self, pattern: str) -> set[int]:
        last = pattern.rpartition(".")[2]
        query = "SELECT s.id, n.name, s.qualified FROM symbols s JOIN names n ON n.id = s.name"
        if is_glob(pattern):
            rows = self._connection.execute(query)
        else:
            rows = self._connection.execute(f"{query} WHERE n.name IN (?, ?)", (pattern, last))
        matches = matching_names(pattern)
        return {number for number, name, qualified in rows if matches(name, qualified)}
