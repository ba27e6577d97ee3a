"""Symbol names by the words they hold."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import itemgetter


def names_with(connection: sqlite3.Connection, words: Sequence[str], limit: int) -> list[tuple[str, int]]:
    """Distinct simple names by how many of the words they hold, then the shortest, then by name.

    The words of a long question stand in 50,000 names, which SQLite takes twice as long to count.
    """
    every = connection.execute(
        "SELECT name FROM name_words WHERE word IN (SELECT value FROM json_each(?))",
        (json.dumps(list(dict.fromkeys(words))),),
    ).fetchall()
    held = Counter(map(itemgetter(0), every))
    least = _least(held.values(), limit)
    found = connection.execute(
        "SELECT id, name FROM names WHERE id IN (SELECT value FROM json_each(?)) ORDER BY length(name), name",
        (json.dumps([number for number, count in held.items() if count >= least]),),
    ).fetchall()
    found.sort(key=lambda row: -held[row[0]])
    return [(name, held[number]) for number, name in found[:limit]]


def _least(counts: Iterable[int], limit: int) -> int:
    """The smallest count that the ``limit`` highest ones reach."""
    number = 0
    for count, names in sorted(Counter(counts).items(), reverse=True):
        number += names
        if number >= limit:
            return count
    return 0
