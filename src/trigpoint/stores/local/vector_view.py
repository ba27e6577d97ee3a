"""The vectors of one generation, asked in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from trigpoint.model import Scored
from trigpoint.ports import Embedder
from trigpoint.stores.local.vectors import FOLDER, Manifest, VectorTable

if TYPE_CHECKING:
    from trigpoint.ports import Floats


class LocalVectors:
    """ports.Vectors over the files of an index."""

    def __init__(self, table: VectorTable, embedder: Embedder) -> None:
        self._table = table
        self._embedder = embedder
        self._asked = lru_cache(maxsize=16)(self._encode)

    def nearest(self, question: str, limit: int) -> Sequence[Scored]:
        """The chunks nearest to a question, best first; () for a question without a known word."""
        asked = self._asked(question)
        return self._table.nearest(asked, limit) if asked.any() else ()

    def within(self, question: str, chunks: Sequence[int]) -> Mapping[int, float]:
        """The dot products of these chunks."""
        asked = self._asked(question)
        return self._table.within(asked, chunks) if asked.any() else {}

    def _encode(self, question: str) -> Floats:
        row: Floats = self._embedder.encode_queries([question])[0]
        return row


def state(index: Path, embedder: Embedder | None, generation: int) -> str:
    """How the vectors of an index folder stand: off, absent, stale, fresh. Reads only the manifest."""
    if embedder is None:
        return "off"
    found = Manifest.read(index / FOLDER)
    if found is None:
        return "absent"
    fits = (found.fingerprint, found.generation) == (embedder.fingerprint, generation)
    return "fresh" if fits else "stale"


def open_vectors(index: Path, embedder: Embedder | None, generation: int) -> LocalVectors | None:
    """The vectors of an index folder, when they are of this generation and this model; None otherwise."""
    found = Manifest.read(index / FOLDER)
    if embedder is None or found is None or state(index, embedder, generation) != "fresh":
        return None
    return LocalVectors(VectorTable(index / FOLDER, found), embedder)
