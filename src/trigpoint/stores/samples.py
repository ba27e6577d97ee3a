"""Small records and questions that the conformance checks, and tests of one store, are made of."""

from __future__ import annotations

from hashlib import sha256

from trigpoint.model import (
    INDEXED,
    MODULE,
    Binding,
    Chunk,
    FileRecord,
    Filters,
    Import,
    Outline,
    Reference,
    Stat,
    Symbol,
)
from trigpoint.ports import Snapshot, Store
from trigpoint.text.identifiers import query_terms

ODD_PATHS = (
    "a b/'quote\".py",
    "new\nline.py",
    "back\\slash.py",
    "目录/文件.py",
    "bytes-\udcff\udc80.py",
    "[id]/(x).py",
)


def sample(
    path: str, *functions: str, language: str = "python", body: str = "pass", kind: str = "function"
) -> FileRecord:
    """A record with one two-line function and one chunk a name, and a module chunk for the import line before them."""
    lines = ["import os\n"]
    symbols, chunks = [], [piece_chunk(path, lines[0], 1, 1, MODULE, ())]
    for index, name in enumerate(functions):
        first = len(lines) + 1
        piece = f"def {name}():\n    {body}\n"
        lines += piece.splitlines(keepends=True)
        symbols.append(
            Symbol(
                name,
                f"Box.{name}",
                kind,
                first,
                first + 1,
                first,
                4,
                signature=f"def {name}()",
                complexity=index + 1,
            )
        )
        chunks.append(piece_chunk(path, piece, first, first + 1, index, (index,)))
    outline = Outline(
        symbols=tuple(symbols),
        imports=(Import("os", "", "", 1),),
        references=tuple(
            Reference("call_" + name, "self", "call", 2, 4, index) for index, name in enumerate(functions)
        ),
        bindings=(Binding("x", "assign", "Thing()\x1f", "", 2, 0),),
    )
    return record(path, "".join(lines), outline, tuple(chunks), language)


def record(
    path: str, text: str, outline: Outline, chunks: tuple[Chunk, ...], language: str = "python"
) -> FileRecord:
    """A record of this content."""
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    stat = Stat(len(text), 1, 2, 3)
    marks = frozenset({"test"}) if "test" in path else frozenset()
    count = text.count("\n")
    return FileRecord(
        path, language, digest, len(text), count, "utf-8", INDEXED, marks, outline, chunks, text, stat
    )


def prose(path: str, text: str) -> FileRecord:
    """A record of one chunk without symbols."""
    chunk = piece_chunk(path, text, 1, text.count("\n"), MODULE, ())
    return record(path, text, Outline(), (chunk,), "markdown")


def piece_chunk(path: str, text: str, first: int, last: int, symbol: int, members: tuple[int, ...]) -> Chunk:
    """A chunk of whole lines with the symbols it names."""
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    kind = "module" if symbol == MODULE else "function"
    return Chunk(first, last, kind, symbol, members, f"{path} > piece", text, 9, digest)


def fill(store: Store, *records: FileRecord) -> int:
    """Put and publish."""
    with store.writer(5.0) as writer:
        writer.put(records)
        return writer.publish()


def found(snapshot: Snapshot, words: str, filters: Filters | None = None, limit: int = 50) -> list[str]:
    """What lexical search finds for words or names, best first, as ``path:first line``."""
    names = [word for word in words.split() if not word.islower() or not word.isascii() or "_" in word]
    terms = query_terms([word for word in words.split() if word not in names], names)
    hits = snapshot.lexical(terms, limit, filters or Filters())
    chunks = snapshot.chunks([hit.chunk for hit in hits])
    assert len(chunks) == len(hits), "a hit has no row"
    return [f"{chunk.path}:{chunk.chunk.start}" for chunk in chunks]
