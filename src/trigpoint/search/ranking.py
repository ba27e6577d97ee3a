"""The state of one ranking: candidates with their evidence. Legs and signals add reasons; nothing multiplies a score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from trigpoint.model import Evidence, Query, Scored, StoredChunk


class Vote(NamedTuple):
    """The answer of one leg: chunks, best first, with a note for those it can explain."""

    leg: str
    weight: float
    ranking: tuple[Scored, ...]
    notes: Mapping[int, str] = {}


class Candidates:
    """Chunks that may be the answer, each with its evidence so far. Lives inside one search; grows by add() only."""

    def __init__(
        self, query: Query, chunks: dict[int, StoredChunk], evidence: dict[int, list[Evidence]]
    ) -> None:
        self.query = query
        self.chunks = chunks
        self.evidence = evidence
        self._scores = {chunk: sum(one.value for one in found) for chunk, found in evidence.items()}

    def score(self, chunk: int) -> float:
        """Sum of the evidence so far."""
        return self._scores[chunk]

    def add(self, chunk: int, name: str, value: float, note: str = "") -> None:
        """One more reason; nothing is noted for a value of zero."""
        if value:
            self.evidence[chunk].append(Evidence(name, value, note))
            self._scores[chunk] += value

    def ordered(self) -> list[int]:
        """Chunk ids, best first; ties break on path and line, so that two runs agree."""
        return sorted(self._scores, key=lambda chunk: (-round(self._scores[chunk], 9), self.place(chunk)))

    def place(self, chunk: int) -> tuple[str, int]:
        """Where a chunk stands: the stable key."""
        stored = self.chunks[chunk]
        return stored.path, stored.chunk.start

    def by_file(self, chunks: Iterable[int]) -> dict[str, list[int]]:
        """The chunks grouped by file, both in the order given."""
        files: dict[str, list[int]] = {}
        for chunk in chunks:
            files.setdefault(self.chunks[chunk].path, []).append(chunk)
        return files
