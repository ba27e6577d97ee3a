"""Filters as SQL over chunks: the one answer to whether a chunk passes, for lists and for single chunks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

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


_IN = "IN (SELECT value FROM json_each(:{}))"


class Selection:
    """The chunks of a snapshot that pass some filters."""

    def __init__(self, connection: sqlite3.Connection, filters: Filters) -> None:
        self._connection = connection
        self._conditions: list[str] = []
        self._values: dict[str, str | int] = {}
        if filters.languages:
            self._conditions.append(f"lower(f.language) {self._in('languages', folded(filters.languages))}")
        if filters.paths or filters.not_paths:
            self._conditions.append(f"f.id {self._in('files', self._files(filters))}")
        self._symbols(filters)

    def few(self, most: int) -> list[int] | None:
        """The ids of all chunks that pass, or None when there are more than ``most``."""
        rows = self._connection.execute(
            f"SELECT c.id FROM {_BY_FILE} WHERE {self._where()} LIMIT :most",
            self._values | {"most": most + 1},
        ).fetchall()
        return [row[0] for row in rows] if len(rows) <= most else None

    def among(self, ids: Iterable[int]) -> set[int]:
        """Those of these chunks that pass; unknown ids do not."""
        rows = self._connection.execute(
            f"SELECT c.id FROM {_BY_CHUNK} WHERE c.id {_IN.format('ids')} AND {self._where()}",
            self._values | {"ids": json.dumps(list(ids))},
        )
        return {row[0] for row in rows}

    def _where(self) -> str:
        return " AND ".join(self._conditions) or "1"

    def _in(self, name: str, values: Iterable[str] | Iterable[int]) -> str:
        self._values[name] = json.dumps(sorted(values))
        return _IN.format(name)

    def _files(self, filters: Filters) -> Iterable[int]:
        ids = {
            path_text(path): number for number, path in self._connection.execute("SELECT id, path FROM files")
        }
        kept = set(ids) if not filters.paths else set()
        for pattern in filters.paths:
            kept |= matching_paths(pattern, ids)
        for pattern in filters.not_paths:
            kept -= matching_paths(pattern, ids, widest=True)
        return [ids[path] for path in kept]

    def _symbols(self, filters: Filters) -> None:
        """Kind, name and complexity are asked of one symbol together: of the chunk's own, or of any that it holds.

        The own symbol may also be meant by the kind of the chunk; without one, complexity is 0.
        """
        own: list[str] = []
        held: list[str] = []
        if filters.kinds:
            kinds = self._in("kinds", folded(filters.kinds))
            own.append(f"(lower(c.kind) {kinds} OR lower(coalesce(s.kind, '')) {kinds})")
            held.append(f"lower(m.kind) {kinds}")
        if filters.names:
            names = self._in("names", set().union(*map(self._named, filters.names)))
            own.append(f"c.owner {names}")
            held.append(f"m.id {names}")
        for text in filters.complexity:
            sign, number = comparison(text)
            own.append(f"coalesce(s.complexity, 0) {sign} {number}")
            held.append(f"m.complexity {sign} {number}")
        if own:
            self._conditions.append(f"({' AND '.join(own)} OR {_HELD.format(' AND '.join(held))})")

    def _named(self, pattern: str) -> set[int]:
        last = pattern.rpartition(".")[2]
        query = "SELECT s.id, n.name, s.qualified FROM symbols s JOIN names n ON n.id = s.name"
        if is_glob(pattern):
            rows = self._connection.execute(query)
        else:
            rows = self._connection.execute(f"{query} WHERE n.name IN (?, ?)", (pattern, last))
        matches = matching_names(pattern)
        return {number for number, name, qualified in rows if matches(name, qualified)}
