"""A record kept as it is, and the rows that readers see of it: for the store in memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b

from trigpoint.model import FileRecord, FileRow, StoredChunk, StoredSymbol

SHIFT = 20
"""Chunk and symbol ids are file id * 2^20 + index, as in the local store."""


@dataclass(frozen=True)
class Stored:
    """A record with its number and the token counts of its chunks."""

    id: int
    record: FileRecord
    bags: tuple[Counter[str], ...]


def file_row(stored: Stored) -> FileRow:
    """A file, without its content."""
    record = stored.record
    return FileRow(
        stored.id,
        record.path,
        record.language,
        record.digest,
        record.size,
        record.lines,
        record.encoding,
        record.outcome,
        record.marks,
        record.stat,
    )


def symbols_of(stored: Stored) -> list[StoredSymbol]:
    """The symbols of a record, in order."""
    record = stored.record
    base = stored.id << SHIFT
    return [
        StoredSymbol(base + index, record.path, record.language, symbol, index)
        for index, symbol in enumerate(record.outline.symbols)
    ]


def passages_of(stored: Stored) -> int:
    """A number that stands for the texts and names of the chunks of a record."""
    found = (chunk_of(stored, index) for index in range(len(stored.record.chunks)))
    told = repr([(one.chunk.digest, one.qualified) for one in found]).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(told, digest_size=8).digest(), "little") >> 1


def chunk_of(stored: Stored, index: int) -> StoredChunk:
    """One chunk with its metadata."""
    record = stored.record
    chunk, symbols = record.chunks[index], record.outline.symbols
    owner = symbols[chunk.symbol] if 0 <= chunk.symbol < len(symbols) else None
    return StoredChunk(
        (stored.id << SHIFT) + index,
        record.path,
        record.language,
        record.marks,
        chunk,
        name=owner.name if owner else "",
        qualified=owner.qualified if owner else "",
        symbol_kind=owner.kind if owner else "",
        complexity=owner.complexity if owner else 0,
        parent=symbols[owner.container].qualified if owner and owner.container >= 0 else "",
    )
