"""The names of symbols while they are written: each distinct one has a number, and is found by its words."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence

from trigpoint.stores.local.encode import Encoded
from trigpoint.text.identifiers import name_words

_KEPT = 200_000  # names whose numbers are remembered between files; about 25 MB


class NameWriter:
    """Rows of names, for the holder of the lock."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.numbers: dict[str, int] = {}  # of the names last numbered, and of earlier ones
        self.lost: set[int] = set()  # names that lost a definition
        self._next = 0

    def number(self, items: Sequence[Encoded]) -> None:
        """Give each distinct symbol name of these files a number, new ones with their words."""
        if len(self.numbers) > _KEPT:
            self.numbers.clear()
        fresh: dict[str, tuple[str, str]] = {}
        for item in items:
            for name, folded, words in item.names:
                if name not in self.numbers:
                    fresh[name] = (folded, words)
        if not fresh:
            return
        find = "SELECT name, id FROM names WHERE name IN (SELECT value FROM json_each(?))"
        self.numbers.update(self._connection.execute(find, (json.dumps(list(fresh)),)).fetchall())
        self._insert({name: row for name, row in fresh.items() if name not in self.numbers})

    def _insert(self, fresh: Mapping[str, tuple[str, str]]) -> None:
        if not self._next:
            self._next = self._connection.execute("SELECT coalesce(max(id), 0) + 1 FROM names").fetchone()[0]
        first = self._next
        self._next += len(fresh)
        numbered = list(enumerate(fresh.items(), first))
        self.numbers.update((name, number) for number, (name, _) in numbered)
        many = self._connection.executemany
        many(
            "INSERT INTO names VALUES (?, ?, ?)", [(number, name, row[0]) for number, (name, row) in numbered]
        )
        many(
            "INSERT INTO name_words VALUES (?, ?)",
            sorted((word, number) for number, (_, row) in numbered for word in row[1].split()),
        )

    def reword(self) -> None:
        """Make the words of all names again, by the rules of now."""
        self._connection.execute("DELETE FROM name_words")
        names = self._connection.execute("SELECT id, name FROM names").fetchall()
        self._connection.executemany(
            "INSERT INTO name_words VALUES (?, ?)",
            sorted((word, number) for number, name in names for word in name_words(name)),
        )

    def bury(self) -> None:
        """Names that lost their last definition must not be found by their words any more."""
        if not self.lost:
            return
        asked = json.dumps(list(self.lost))
        self.clear()
        run, many = self._connection.execute, self._connection.executemany
        lost = run(
            "SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM symbols WHERE name = value)",
            (asked,),
        ).fetchall()
        for (number,) in lost:
            row = run("SELECT name FROM names WHERE id = ?", (number,)).fetchone()
            words = name_words(row[0]) if row else ()
            many("DELETE FROM name_words WHERE word = ? AND name = ?", [(word, number) for word in words])
            run("DELETE FROM names WHERE id = ?", (number,))

    def clear(self) -> None:
        """There are none any more, or other ones."""
        self.numbers.clear()
        self.lost.clear()

    def forget(self) -> None:
        """Let go of what is only remembered."""
        self.numbers.clear()
