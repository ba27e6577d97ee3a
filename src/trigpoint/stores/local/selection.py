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

_HELD = (
    "EXISTS (SELECT 1 FROM json_each('[' || replace(c.members, ' ', ',') || ']') held "
    f"CROSS JOIN symbols m ON m.id = (c.id & ~{_ALL}) + held.value WHERE {{}})"
)
"""Whether any symbol whose name line a chunk holds passes a condition."""


class Selection:
    """The chunks of a snapshot that pass some filters."""

    def __init__(self, connection: sqlite3.Connection, filters: Filters) -> None:
        self._connection = connection
        self._conditions: list[str] = []
        self._values: list[Any] = []
        self._languages(filters.languages)
        self._paths(filters)
        self._symbols(filters)

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

    def _symbols(self, filters: Filters) -> None:
        """Kind, name and complexity are asked of one symbol together: of the chunk's own, or of any that it holds.

        The own symbol may also be meant by the kind of the chunk; without one, complexity is 0.
        """
        own: list[str] = []
        held: list[str] = []
        values: list[Any] = []
        inside = "IN (SELECT value FROM json_each(?))"
        kinds = json.dumps(sorted(folded(filters.kinds)))
        if filters.kinds:
            own.append(f"(lower(c.kind) {inside} OR lower(coalesce(s.kind, '')) {inside})")
            held.append(f"lower(m.kind) {inside}")
        names = json.dumps(sorted(set().union(*map(self._named, filters.names)))) if filters.names else ""
        if filters.names:
            own.append(f"c.owner {inside}")
            held.append(f"m.id {inside}")
        for text in filters.complexity:
            sign, number = comparison(text)
            own.append(f"coalesce(s.complexity, 0) {sign} {number}")
            held.append(f"m.complexity {sign} {number}")
        if own:
            values = [kinds] * 2 * bool(kinds and filters.kinds) + [names] * bool(names)
            values += [kinds] * bool(filters.kinds) + [names] * bool(names)
            self._add(f"({' AND '.join(own)} OR {_HELD.format(' AND '.join(held))})", *values)

    def _named(self, pattern: str) -> set[int]:
        last = pattern.rpartition(".")[2]
        query = "SELECT s.id, n.name, s.qualified FROM symbols s JOIN names n ON n.id = s.name"
        if is_glob(pattern):
            rows = self._connection.execute(query)
        else:
            rows = self._connection.execute(f"{query} WHERE n.name IN (?, ?)", (pattern, last))
        matches = matching_names(pattern)
        return {number for number, name, qualified in rows if matches(name, qualified)}
