"""The lexical document of a chunk: one weighted bag of tokens, the same in every store.

One bag with repeated name and path tokens ranked better than separate boosted fields (MRR .967 against .955 on
issue texts, .36 against .06 on keywords): path tokens repeat over a whole file and swamp a sum of fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from trigpoint.model import Chunk
from trigpoint.text.identifiers import index_text

NAME_REPEATS = 4
PATH_REPEATS = 2


def document(text: str, path: str, names: Iterable[str], header: str = "") -> str:
    """Tokens joined by spaces: of the text once, of the names NAME_REPEATS times, of the path PATH_REPEATS times.

    ``header`` is given for the later parts of something big: it adds the signature that they do not hold.
    """
    parts = [index_text(text), header and index_text(header.removeprefix(path)), _path_tokens(path)]
    named = index_text(" ".join(names))
    if named:
        parts += [named] * NAME_REPEATS
    return " ".join(filter(None, parts))


def chunk_document(chunk: Chunk, path: str, symbols: Sequence[tuple[Any, ...]]) -> str:
    """The document of a chunk; ``symbols`` are those of its file, each beginning with name and qualified name."""
    names = chunk_names(chunk.symbol, chunk.symbols, symbols)
    return document(chunk.text, path, names, chunk.header if chunk.part > 1 else "")


@lru_cache(maxsize=16)
def _path_tokens(path: str) -> str:
    return " ".join([index_text(path)] * PATH_REPEATS)


def chunk_names(owner: int, members: Iterable[int], symbols: Sequence[tuple[Any, ...]]) -> Iterable[str]:
    """The names that count for a chunk, once each: the qualified one of its symbol, the simple ones it defines.

    ``symbols`` are those of the file, each beginning with its name and its qualified name.
    """
    found: dict[str, None] = {}
    if 0 <= owner < len(symbols):
        found[symbols[owner][1]] = None
    for index in members:
        if index != owner and 0 <= index < len(symbols):
            found[symbols[index][0]] = None
    return found
