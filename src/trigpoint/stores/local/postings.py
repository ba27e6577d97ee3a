"""What the rows need from a lexical index: two implementers stand beside this file, tantivy and SQLite FTS5.

Rows are the truth. Postings carry the generation they serve and the version of their tokens; where either differs
they are rebuilt from the rows.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from trigpoint.model import Scored, Term


class Document(NamedTuple):
    """A chunk as it is searched: its tokens, joined by spaces."""

    chunk: int
    file: int
    tokens: str


Documents = Callable[[Sequence[int]], Sequence[Document]]
"""The documents of some chunks of one stored file, made again from its rows."""


class PostingsReader(Protocol):
    """The postings of one generation."""

    def search(self, terms: Sequence[Term], limit: int, only: Collection[int] | None) -> Sequence[Scored]:
        """The best chunks by BM25, ties by id; of these ids only, unless None."""
        ...

    def frequency(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """In how many chunks each token stands."""
        ...


class PostingsWriter(Protocol):
    """Changes to the postings, beside a transaction on the rows."""

    def recover(self, generation: int, graves: Sequence[int]) -> bool:
        """Finish or undo what a killed writer left; False when the postings do not serve this generation."""
        ...

    def start_over(self) -> None:
        """Forget everything."""
        ...

    def add(self, documents: Iterable[Document]) -> None:
        """Add chunks that are not there, or were removed before."""
        ...

    def remove(self, chunks: Sequence[int]) -> None:
        """Remove chunks of one file, whose rows still stand."""
        ...

    def remove_all(self, chunks: Sequence[int]) -> None:
        """Remove every chunk."""
        ...

    def prepare(self, generation: int, *, rebuilt: bool = False) -> None:
        """Just before the rows of this generation are committed; from here both it and the one before are served,
        unless ``rebuilt``.
        """
        ...

    def finish(self, generation: int) -> None:
        """Just after the rows of this generation were committed."""
        ...

    def rollback(self) -> None:
        """Undo what was not prepared."""
        ...

    def close(self) -> None:
        """Let go; nothing is pending."""
        ...


class Postings(Protocol):
    """A kind of lexical index, bound to the folder of one store."""

    def reader(self, connection: sqlite3.Connection, generation: int) -> PostingsReader | None:
        """The postings that serve this generation, or None."""
        ...

    def writer(self, connection: sqlite3.Connection, documents: Documents) -> PostingsWriter:
        """For the holder of the lock."""
        ...

    def check(self, connection: sqlite3.Connection) -> Sequence[str]:
        """What is wrong inside, one sentence each."""
        ...


def postings(kind: str, folder: Path) -> Postings:
    """The implementer of this name: ``tantivy`` or ``fts5``. Raises ConfigError for any other."""
    from trigpoint.errors import ConfigError

    if kind == "tantivy":
        from trigpoint.stores.local.postings_tantivy import TantivyPostings

        return TantivyPostings(folder / "postings")
    if kind == "fts5":
        from trigpoint.stores.local.postings_fts5 import Fts5Postings

        return Fts5Postings()
    raise ConfigError(f"lexical = {kind!r} is unknown", 'choose "tantivy" or "fts5"')


class NoPostings:
    """The postings of generation 0, and of what is not published yet."""

    def search(self, *_: object) -> tuple[()]:
        """Nothing."""
        return ()

    def frequency(self, tokens: Sequence[str]) -> dict[str, int]:
        """Nothing stands anywhere."""
        return dict.fromkeys(tokens, 0)
