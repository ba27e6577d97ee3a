"""Rows as nouns: the one place that knows the order of the columns when reading."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from trigpoint.model import (
    INDEXED,
    MODULE,
    Chunk,
    FileRow,
    Level,
    Outcome,
    Stat,
    StoredChunk,
    StoredSymbol,
    Symbol,
)
from trigpoint.stores.local.keys import DERIVED, HEADER_HAS_PATH, SHIFT, TOP, path_text
from trigpoint.stores.local.packing import BLOCK, block_count, inflate_block

FILE = "f.id, f.path, f.language, f.digest, f.size, f.lines, f.encoding, f.level, f.reason, f.detail, f.marks, f.stat"
SYMBOL = (
    "f.path, f.language, s.id, n.name, s.qualified, s.kind, s.first, s.last, s.name_line, s.name_column, "
    "s.container, s.signature, s.doc, s.complexity, s.rest"
)
LINKED_SYMBOLS = (
    "SELECT n.name, s.qualified, s.kind, s.first, s.last, s.name_line, s.name_column, s.container, s.signature, s.rest "
    "FROM symbols s JOIN names n ON n.id = s.name WHERE s.id BETWEEN ? AND ? ORDER BY s.id"
)
"""What linking reads of the symbols of a file."""

ENCODED_SYMBOLS = (
    "SELECT n.name, s.qualified, s.kind, s.first, s.last, s.name_line, s.name_column, s.container, s.complexity, "
    "s.signature, s.doc, s.rest, s.name FROM symbols s JOIN names n ON n.id = s.name WHERE s.id BETWEEN ? AND ? "
    "ORDER BY s.id"
)
ENCODED_CHUNKS = (
    f"SELECT first, last, kind, owner & {TOP}, members, header, at, text, tokens, digest, flags, part, parts "
    "FROM chunks WHERE id BETWEEN ? AND ? ORDER BY id"
)
"""The rows of a file as encode.py makes them; of a symbol the number of its name comes last."""

SYMBOLS_FROM = f"symbols s JOIN names n ON n.id = s.name JOIN files f ON f.id = s.id >> {SHIFT}"
CHUNK = (
    "c.id, f.path, f.language, f.marks, c.first, c.last, c.kind, c.owner, c.members, c.header, c.at, c.text, c.tokens, "
    "c.digest, c.flags, c.part, c.parts, n.name, s.qualified, s.kind, s.complexity, p.qualified"
)
_WITH_SYMBOL = (
    f"chunks c JOIN files f ON f.id = c.id >> {SHIFT} LEFT JOIN symbols s ON s.id = c.owner "
    "LEFT JOIN names n ON n.id = s.name"
)
CHUNKS_FROM = (
    f"{_WITH_SYMBOL} "
    f"LEFT JOIN symbols p ON s.container >= 0 AND p.id = (s.id >> {SHIFT} << {SHIFT}) + s.container"
)
BARE = (
    "c.id, f.path, f.language, f.marks, c.first, c.last, c.kind, c.owner, c.members, c.digest, c.flags, c.part, "
    "c.parts, n.name, s.qualified, s.kind, s.complexity"
)
BARE_FROM = _WITH_SYMBOL

_NOTHING: tuple[Any, ...] = ((), (), (), "")


def file_row(row: Sequence[Any]) -> FileRow:
    """A file of columns FILE."""
    stat = Stat(*map(int, row[11].split())) if row[11] else None
    path, outcome = path_text(row[1]), _outcome(*row[7:10])
    return FileRow(row[0], path, row[2], row[3], row[4], row[5], row[6], outcome, marks_of(row[10]), stat)


def symbol_row(row: Sequence[Any]) -> StoredSymbol:
    """A symbol of columns SYMBOL."""
    bases, decorators, modifiers, receiver = json.loads(row[14]) if row[14] else _NOTHING
    symbol = Symbol._make((*row[3:14], tuple(bases), tuple(decorators), tuple(modifiers), receiver))
    return StoredSymbol(row[2], path_text(row[0]), row[1], symbol, row[2] & ((1 << SHIFT) - 1))


def linked_symbol(row: Sequence[Any]) -> Symbol:
    """A symbol of LINKED_SYMBOLS: without doc and complexity."""
    return tuple.__new__(Symbol, (*row[:9], "", 0, *_rest(row[9])))


@lru_cache(maxsize=10_000)
def _rest(text: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], str]:
    """Bases, decorators, modifiers and receiver: few are many."""
    bases, decorators, modifiers, receiver = json.loads(text) if text else _NOTHING
    return tuple(bases), tuple(decorators), tuple(modifiers), receiver


@lru_cache(maxsize=1024)
def marks_of(text: str) -> frozenset[str]:
    """The marks of a file as they were stored."""
    return frozenset(text.split())


@lru_cache(maxsize=1024)
def _outcome(level: str, reason: str, detail: str) -> Outcome:
    if level == INDEXED.level and not reason and not detail:
        return INDEXED
    return Outcome(Level(level), reason, detail)


class Texts:
    """The texts of files, read by blocks, the last ones kept."""

    _MOST = 256  # blocks: 2 MB

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._kept: dict[tuple[int, int], str] = {}

    def forget(self) -> None:
        """Files have other texts now."""
        self._kept.clear()

    def whole(self, file: int) -> str:
        """The text of a file by its id."""
        data = self._data(file)
        return "".join(inflate_block(data, number) for number in range(block_count(data)))

    def part(self, file: int, at: int, length: int) -> str:
        """``length`` characters of a file from ``at``."""
        if not length:
            return ""
        first, last = at // BLOCK, (at + length - 1) // BLOCK
        text = "".join([self._block(file, number) for number in range(first, last + 1)])
        return text[at - first * BLOCK : at - first * BLOCK + length]

    def _block(self, file: int, number: int) -> str:
        found = self._kept.get((file, number))
        if found is None:
            found = inflate_block(self._data(file), number)
            if len(self._kept) >= self._MOST:
                self._kept.pop(next(iter(self._kept)))
            self._kept[file, number] = found
        return found

    def _data(self, file: int) -> bytes:
        row = self._connection.execute("SELECT text FROM contents WHERE file = ?", (file,)).fetchone()
        return row[0] if row else b""


def chunk_rows(rows: Iterable[Sequence[Any]], texts: Texts) -> Iterator[StoredChunk]:
    """Chunks of columns CHUNK."""
    for row in rows:
        path = path_text(row[1])
        name, qualified, kind, complexity, parent = row[17:22]
        yield StoredChunk(
            row[0],
            path,
            row[2],
            marks_of(row[3]),
            _chunk(row, path, texts),
            name or "",
            qualified or "",
            kind or "",
            complexity or 0,
            parent or "",
        )


def _chunk(row: Sequence[Any], path: str, texts: Texts) -> Chunk:
    first, last, kind, owner, members, header, at, text, tokens, digest, flags, part, parts = row[4:17]
    if at is not None:
        text = texts.part(row[0] >> SHIFT, at, text)
    return Chunk(
        first,
        last,
        kind,
        MODULE if owner is None else owner & _INDEX,
        tuple(map(int, members.split())),
        path + header if flags & HEADER_HAS_PATH else header,
        text,
        tokens,
        digest if isinstance(digest, str) else digest.hex(),
        bool(flags & DERIVED),
        part,
        parts,
    )


def bare_rows(rows: Iterable[Sequence[Any]]) -> Iterator[StoredChunk]:
    """Chunks of columns BARE, without text, tokens, header and parent: what a ranking looks at, hundreds a query."""
    for number, raw, language, marks, first, last, kind, owner, members, digest, flags, *rest in rows:
        part, parts, name, qualified, symbol_kind, complexity = rest
        chunk = Chunk(
            first,
            last,
            kind,
            MODULE if owner is None else owner & _INDEX,
            tuple(map(int, members.split())) if members else (),
            "",
            "",
            0,
            digest if isinstance(digest, str) else digest.hex(),
            bool(flags & DERIVED),
            part,
            parts,
        )
        yield StoredChunk(
            number,
            path_text(raw),
            language,
            marks_of(marks),
            chunk,
            name or "",
            qualified or "",
            symbol_kind or "",
            complexity or 0,
            "",
        )


_INDEX = (1 << SHIFT) - 1
