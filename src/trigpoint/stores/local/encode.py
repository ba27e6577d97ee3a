"""A record as rows: everything that can be made of one file without the index, so that worker processes make it.

``encode`` is pure and picklable, and so is what it returns; the writer only gives numbers and inserts.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from trigpoint.model import MODULE, Chunk, FileRecord, Stat, Symbol
from trigpoint.stores.document import chunk_document, chunk_names, document
from trigpoint.stores.local.keys import (
    DERIVED,
    HEADER_HAS_PATH,
    MOST,
    name_key,
    path_bytes,
    target_keys,
)
from trigpoint.stores.local.packing import deflate_text, inflate_part, pack
from trigpoint.stores.uses import used_names
from trigpoint.text.identifiers import fold, name_words, path_words
from trigpoint.text.lines import line_starts


class Encoded(NamedTuple):
    """One file, ready to insert. Row tuples follow the columns of migrations/001.sql from the first after the id."""

    path: bytes
    file: tuple[Any, ...]
    contents: tuple[bytes, bytes, bytes, bytes]
    symbols: list[tuple[Any, ...]]  # the name itself where the row holds its number
    chunks: list[tuple[Any, ...]]  # the index of the owner where the row holds its id
    names: list[tuple[str, str, str]]  # distinct symbol names: name, folded, words with a space between
    path_words: tuple[str, ...]
    uses: list[int]
    documents: (
        list[str] | None
    )  # tokens of each chunk, with spaces between; None where few of them may be wanted
    keys: list[int]  # what edges know the file and each of its symbols by


def encode(record: FileRecord, *, known: Collection[str] = ()) -> Encoded:
    """The rows of a record. Raises nothing for odd paths or texts: what UTF-8 cannot hold is replaced in names.

    Of ``known`` paths the documents are left to the writer, which knows the chunks whose words are the same as before.
    """
    outline = record.outline
    symbols, chunks = outline.symbols[:MOST], record.chunks[:MOST]
    rows = [_symbol_row(symbol) for symbol in symbols]
    starts = line_starts(record.text)
    pieces = [_chunk_row(record, chunk, starts) for chunk in chunks]
    uses = used_keys(record)
    plain = _encodable(record)
    if not plain:
        rows = [_clean(row) for row in rows]
        pieces = [_clean(row) for row in pieces]
    names = dict.fromkeys(row[0] for row in rows)
    return Encoded(
        path=path_bytes(record.path),
        file=_file_row(record, len(symbols), len(chunks)),
        contents=(
            deflate_text(record.text),
            pack(outline.imports),
            pack(outline.references),
            pack(outline.bindings),
        ),
        symbols=rows,
        chunks=pieces,
        names=[(name, fold(name), " ".join(name_words(name))) for name in names],
        path_words=words_of_path(record.path),
        uses=uses,
        documents=None
        if plain and record.path in known
        else [chunk_document(chunk, record.path, symbols) for chunk in chunks],
        keys=target_keys(record.path, [row[1] for row in rows]),
    )


def documents_of(item: Encoded, path: str, indexes: Collection[int]) -> list[str]:
    """The documents of some chunks of a file, made of its rows."""
    if item.documents is not None:
        return [item.documents[index] for index in indexes]
    return [document_of(item.chunks[index], path, item.contents[0], item.symbols) for index in indexes]


def document_of(row: Sequence[Any], path: str, text: bytes, symbols: Sequence[tuple[Any, ...]]) -> str:
    """The document of one chunk, given as its row, in the deflated text of its file."""
    _, _, _, owner, members, header, at, own, _, _, flags, part, _ = row
    if at is not None:
        own = inflate_part(text, at, own)
    names = chunk_names(MODULE if owner is None else owner, map(int, members.split()), symbols)
    if flags & HEADER_HAS_PATH:
        header = path + header
    return document(own, path, names, header if part > 1 else "")


def passages_of(item: Encoded) -> int:
    """What files.passages holds: 63 bits of a hash of the text and the name of each chunk."""
    symbols = item.symbols
    told = [(row[9], symbols[row[3]][1] if row[3] is not None else "") for row in item.chunks]
    data = blake2b(repr(told).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(data, "little") >> 1


def words_of_path(path: str) -> tuple[str, ...]:
    """The words a path is found by."""
    return path_words(_replace(path))


def used_keys(record: FileRecord) -> list[int]:
    """Keys of the distinct names that a file refers to or imports, ascending."""
    outline = record.outline
    return sorted(map(name_key, used_names(outline.imports, outline.references, outline.bindings)))


def stat_text(stat: Stat | None) -> str:
    """Stat data as it is stored."""
    return stat.text() if stat else ""


def _file_row(record: FileRecord, symbols: int, chunks: int) -> tuple[Any, ...]:
    outcome, outline = record.outcome, record.outline
    return (
        record.language,
        record.digest,
        record.size,
        record.lines,
        record.encoding,
        outcome.level.value,
        outcome.reason,
        _replace(outcome.detail),
        " ".join(sorted(record.marks)),
        stat_text(record.stat),
        _replace(outline.package),
        json.dumps(outline.exports) if outline.exports else "",
        symbols,
        chunks,
        len(outline.references),
    )


def _symbol_row(symbol: Symbol) -> tuple[Any, ...]:
    rest = ""
    if symbol.bases or symbol.decorators or symbol.modifiers or symbol.receiver:
        rest = json.dumps((symbol.bases, symbol.decorators, symbol.modifiers, symbol.receiver))
    return (
        symbol.name,
        symbol.qualified,
        symbol.kind,
        symbol.start,
        symbol.end,
        symbol.name_line,
        symbol.name_column,
        symbol.container,
        symbol.complexity,
        symbol.signature,
        symbol.doc,
        rest,
    )


def _chunk_row(record: FileRecord, chunk: Chunk, starts: Sequence[int]) -> tuple[Any, ...]:
    flags = DERIVED if chunk.derived else 0
    at, text = _place(record.text, chunk, starts)
    header = chunk.header
    if header.startswith(record.path):
        flags |= HEADER_HAS_PATH
        header = header[len(record.path) :]
    return (
        chunk.start,
        chunk.end,
        chunk.kind,
        chunk.symbol if chunk.symbol > MODULE else None,
        " ".join(map(str, chunk.symbols)),
        header,
        at,
        text,
        chunk.tokens,
        _digest(chunk.digest),
        flags,
        chunk.part,
        chunk.parts,
    )


def _place(whole: str, chunk: Chunk, starts: Sequence[int]) -> tuple[int | None, int | str]:
    """(offset, length) of a text that is a slice of its file, else (None, the text)."""
    at = starts[chunk.start - 1] if 0 < chunk.start < len(starts) else 0
    if chunk.text and whole.startswith(chunk.text, at):
        return at, len(chunk.text)
    return None, chunk.text


def _digest(digest: str) -> bytes | str:
    """Half the bytes for what is lower-case hexadecimal."""
    try:
        data = bytes.fromhex(digest)
    except ValueError:
        return digest
    return data if data.hex() == digest else digest


def _encodable(record: FileRecord) -> bool:
    if record.text.isascii() and record.path.isascii():
        return True
    try:
        record.text.encode()
        record.path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _clean(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_replace(cell) if isinstance(cell, str) else cell for cell in row)


def _replace(text: str) -> str:
    if text.isascii():
        return text
    return text.encode("utf-8", "replace").decode("utf-8")
