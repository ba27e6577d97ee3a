"""Everything that an index holds, without its numbers, so that two of them can be compared: rows, edges, words, vectors."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from trigpoint.model import Filters, Term
from trigpoint.ports import Snapshot
from trigpoint.stores.local import open_local, place
from trigpoint.stores.local.database import NAME
from trigpoint.stores.local.keys import SHIFT
from trigpoint.stores.local.vectors import FOLDER, Manifest, VectorTable

Fact = tuple[object, ...]

_BY_WORD = {
    "names": "SELECT name, folded FROM names",
    "name_words": "SELECT w.word, n.name FROM name_words w LEFT JOIN names n ON n.id = w.name",
    "path_words": "SELECT w.word, f.path FROM path_words w LEFT JOIN files f ON f.id = w.file",
    "uses": "SELECT u.key, f.path FROM uses u LEFT JOIN files f ON f.id = u.file",
    "targets": f"SELECT t.key, f.path, t.node & {(1 << SHIFT) - 1} FROM targets t LEFT JOIN files f ON f.id = t.node >> {SHIFT}",
}


def everything(folder: Path, lexical: str = "tantivy") -> list[Fact]:
    """All that the index in this folder holds, sorted: equal for equal trees, however they came about."""
    store = open_local(folder, lexical)
    snapshot = store.snapshot()
    try:
        found = [
            *_rows(snapshot),
            *_tables(place(folder)),
            *_words(snapshot),
            *_vectors(place(folder), snapshot),
        ]
        found += [
            ("meta", key, snapshot.meta(key)) for key in ("merkle_root", "settings", "linked", "unlinked")
        ]
        return sorted(found, key=repr)
    finally:
        snapshot.close()
        store.close()


def _rows(snapshot: Snapshot) -> Iterator[Fact]:
    yield ("counts", *sorted(snapshot.counts().items()))
    for row in snapshot.files():
        path = row.path
        yield ("file", *row._replace(id=0, stat=None, marks=tuple(sorted(row.marks))))
        yield ("text", path, snapshot.text(path))
        yield from (("symbol", path, stored.index, stored.symbol) for stored in snapshot.symbols_of(path))
        yield from (
            ("chunk", path, stored.qualified, stored.parent, stored.chunk)
            for stored in snapshot.chunks_of(path)
        )
        yield (
            "said",
            path,
            [*snapshot.imports_of(path), *snapshot.references_of(path), *snapshot.bindings_of(path)],
        )
    yield from (("edge", *edge) for edge in snapshot.edges())
    tops = {snapshot.node(row.path): row.path for row in snapshot.files()}
    for node, path in tops.items():
        yield ("reached", path, len(snapshot.edges_to([node])), len(snapshot.edges_from([node])))


def _tables(folder: Path) -> Iterator[Fact]:
    """What is found by words and names: a row that a file left behind would show here."""
    connection = sqlite3.connect(folder / NAME)
    try:
        for table, query in _BY_WORD.items():
            yield from ((table, *row) for row in connection.execute(query))
    finally:
        connection.close()


def _words(snapshot: Snapshot) -> Iterator[Fact]:
    """Which chunks each word leads to; scores are left out, since they count what was replaced until it is merged away."""
    words = {
        word for row in snapshot.files() for word in snapshot.text(row.path).lower().split() if word.isalnum()
    }
    for word in sorted(words):
        hits = snapshot.lexical([Term(word, 1.0)], 1000, Filters())
        places = snapshot.chunks([hit.chunk for hit in hits], text=False)
        yield (
            "word",
            word,
            sorted((one.path, one.chunk.start, one.chunk.digest) for one in places),
            len(hits),
        )


def _vectors(folder: Path, snapshot: Snapshot) -> Iterator[Fact]:
    manifest = Manifest.read(folder / FOLDER)
    if manifest is None:
        return
    yield ("vectors", manifest.fingerprint, manifest.generation == snapshot.generation)
    table = VectorTable(folder / FOLDER, manifest)
    ids, rows = table.by_chunk
    of_chunk = dict(zip(ids.tolist(), rows.tolist(), strict=True))
    for row in snapshot.files():
        for stored in snapshot.chunks_of(row.path):
            at = of_chunk.pop(stored.id, None)
            made = (
                None
                if at is None
                else (table.codes[at].tobytes(), float(table.scales[at]), table.signs[at].tobytes())
            )
            yield ("vector", row.path, stored.chunk.start, stored.chunk.digest, made)
    yield ("vectors of no chunk", len(of_chunk))


def differences(one: list[Fact], other: list[Fact]) -> str:
    """How two of these differ, in a few lines; "" when they do not."""
    left, right = set(map(repr, one)), set(map(repr, other))
    if left == right and len(one) == len(other):
        return ""
    return f"only in the first ({len(one)}): {sorted(left - right)[:4]}\nonly in the other ({len(other)}): {sorted(right - left)[:4]}"
