"""Postings in SQLite FTS5: no dependency, in the same file and the same transaction as the rows.

Contentless with ``detail=full``: with less detail bm25() of a contentless table cannot rank. FTS5 scores every row
that matches, so a long question is cut to its rarest terms (665 -> 4 ms on 100,000 chunks), and their frequencies
stand in a table because the vocabulary table of FTS5 takes 15-50 ms a question.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from trigpoint.model import Scored, Term
from trigpoint.stores.local.postings import Document, Documents
from trigpoint.text.identifiers import VERSION

MOST_TERMS = 25
"""Terms of a question that are searched, rarest first."""

_KEY = "fts5"  # in meta: "version generation"
CREATE = """
CREATE VIRTUAL TABLE fts USING fts5(body, content='', detail=full, tokenize="ascii tokenchars '_~'");
CREATE TABLE frequencies (token TEXT PRIMARY KEY, chunks INTEGER NOT NULL) WITHOUT ROWID;
"""
_DROP = "DROP TABLE IF EXISTS fts; DROP TABLE IF EXISTS frequencies;"


class Fts5Postings:
    """Tables beside the rows."""

    def reader(self, connection: sqlite3.Connection, generation: int) -> Fts5Reader | None:
        """The postings that serve this generation, or None."""
        return Fts5Reader(connection) if _served(connection) == (VERSION, generation) else None

    def writer(self, connection: sqlite3.Connection, documents: Documents) -> Fts5Writer:
        """For the holder of the lock."""
        return Fts5Writer(connection, documents)

    def check(self, connection: sqlite3.Connection) -> Sequence[str]:
        """Nothing beyond what the quick check of the file covers: the integrity command of FTS5 has to write."""
        return ()


class Fts5Reader:
    """The tables as the read transaction of the connection sees them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def search(self, terms: Sequence[Term], limit: int, only: Collection[int] | None) -> Sequence[Scored]:
        """The best chunks by BM25, ties by id; of these ids only, unless None."""
        groups = self._groups(terms)
        if not groups or limit < 1:
            return ()
        part = "SELECT rowid AS id, -rank * ? AS score FROM fts WHERE fts MATCH ?"
        values: list[object] = [value for group in groups for value in group]
        inside = ""
        if only is not None:
            inside = "WHERE id IN (SELECT value FROM json_each(?))"
            values.append(json.dumps(list(only)))
        statement = (
            f"SELECT id, sum(score) AS total FROM ({' UNION ALL '.join([part] * len(groups))}) {inside} "
            "GROUP BY id ORDER BY total DESC, id LIMIT ?"
        )
        return [Scored(*row) for row in self._connection.execute(statement, [*values, limit])]

    def frequency(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """In how many chunks each token stands."""
        found = dict(
            self._connection.execute(
                "SELECT token, chunks FROM frequencies WHERE token IN (SELECT value FROM json_each(?))",
                (json.dumps(list(tokens)),),
            ).fetchall()
        )
        return {token: found.get(token, 0) for token in tokens}

    def _groups(self, terms: Sequence[Term]) -> list[tuple[float, str]]:
        """(weight, match expression) a distinct weight, of the rarest terms that occur at all."""
        wanted = {term.text: term.weight for term in terms if term.text and term.weight > 0}
        known = {token: n for token, n in self.frequency(list(wanted)).items() if n}
        by_weight: dict[float, list[str]] = defaultdict(list)
        for token in sorted(known, key=lambda token: (known[token], token))[:MOST_TERMS]:
            by_weight[wanted[token]].append('"' + token.replace('"', '""') + '"')
        return [(weight, " OR ".join(tokens)) for weight, tokens in by_weight.items()]


class Fts5Writer:
    """Inserts and deletions inside the transaction of the rows."""

    def __init__(self, connection: sqlite3.Connection, documents: Documents) -> None:
        self._connection = connection
        self._documents = documents
        self._changes: Counter[str] = Counter()

    def recover(self, generation: int, graves: Sequence[int]) -> bool:
        """False when the tables are missing or of another generation; there is nothing to finish or undo."""
        if generation == 0 and _served(self._connection) is None:
            self.start_over()
            return True
        return _served(self._connection) == (VERSION, generation)

    def start_over(self) -> None:
        """Forget everything."""
        self._changes.clear()
        for statement in (_DROP + CREATE).strip().split(";"):
            self._connection.execute(statement)

    def add(self, documents: Iterable[Document]) -> None:
        """Add chunks that are not there, or were removed before."""
        rows = [(document.chunk, document.tokens) for document in documents]
        self._connection.executemany("INSERT INTO fts (rowid, body) VALUES (?, ?)", rows)
        self._count(rows, 1)

    def remove(self, chunks: Sequence[int]) -> None:
        """Remove chunks of one file, whose rows still stand: a contentless table wants its tokens back."""
        rows = [(document.chunk, document.tokens) for document in self._documents(chunks)]
        self._connection.executemany("INSERT INTO fts (fts, rowid, body) VALUES ('delete', ?, ?)", rows)
        self._count(rows, -1)

    def remove_all(self, chunks: Sequence[int]) -> None:
        """Remove every chunk, which needs no tokens."""
        self.start_over()

    def prepare(self, generation: int, *, rebuilt: bool = False) -> None:
        """Write the frequencies and the generation, inside the transaction of the rows."""
        self._flush()
        self._connection.execute("DELETE FROM frequencies WHERE chunks <= 0")
        self._connection.execute(
            "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (_KEY, f"{VERSION} {generation}")
        )

    def finish(self, generation: int) -> None:
        """The rows carried everything."""

    def rollback(self) -> None:
        """The transaction of the rows takes the tables back."""
        self._changes.clear()

    def close(self) -> None:
        """Nothing is held."""

    def _count(self, rows: Sequence[tuple[int, str]], sign: int) -> None:
        for _, tokens in rows:
            for token in set(tokens.split()):
                self._changes[token] += sign
        if len(self._changes) > 200_000:  # about 20 MB
            self._flush()

    def _flush(self) -> None:
        self._connection.executemany(
            "INSERT INTO frequencies (token, chunks) VALUES (?, ?) "
            "ON CONFLICT (token) DO UPDATE SET chunks = chunks + excluded.chunks",
            sorted(self._changes.items()),
        )
        self._changes.clear()


def _served(connection: sqlite3.Connection) -> tuple[int, int] | None:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    if row is None:
        return None
    version, generation = row[0].split()
    return int(version), int(generation)
