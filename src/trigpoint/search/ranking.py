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


class Candidates(NamedTuple):
    """Chunks that may be the answer, each with its evidence so far. Lives inside one search."""

    query: Query
    chunks: dict[int, StoredChunk]
    evidence: dict[int, list[Evidence]]

    def score(self, chunk: int) -> float:
        """Sum of the evidence so far."""
        return sum(one.value for one in self.evidence[chunk])

    def add(self, chunk: int, name: str, value: float, note: str = "") -> None:
        """One more reason; nothing is noted for a value of zero."""
        if value:
            self.evidence[chunk].append(Evidence(name, value, note))

    def ordered(self) -> list[int]:
        """Chunk ids, best first; ties break on path and line, so that two runs agree."""
        scores = {chunk: self.score(chunk) for chunk in self.evidence}
        return sorted(scores, key=lambda chunk: (-round(scores[chunk], 9), self.place(chunk)))

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
