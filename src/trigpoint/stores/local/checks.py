"""What can be wrong with an index, and what becomes of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from trigpoint.stores.local import database


def foreign_tables(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Tables, indexes, triggers and views that no version of ours has made, or not so."""
    from trigpoint.stores.local.postings_fts5 import CREATE

    query = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
    with closing(database.empty()) as ours:
        ours.executescript(CREATE)
        known = dict(ours.execute(query).fetchall())
    return tuple(name for name, sql in connection.execute(query).fetchall() if known.get(name) != sql)
