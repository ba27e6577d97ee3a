"""The state of one ranking: candidates with their evidence. Legs and signals add reasons; nothing multiplies a score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

from trigpoint.model import Evidence, Query, Scored, StoredChunk

_made = partial(tuple.__new__, Evidence)
"""Without the function that a named tuple has for its defaults: half of the time."""


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

    def add_all(self, name: str, weight: float, given: Iterable[tuple[int, float, str]]) -> None:
        """The same for many chunks, each with its share of the weight: a thousand a query, hence without add()."""
        scores, evidence = self._scores, self.evidence
        for chunk, share, note in given:
            value = weight * share
            if value:
                evidence[chunk].append(_made((name, value, note)))
                scores[chunk] += value

    def ordered(self) -> list[int]:
        """Chunk ids, best first; ties break on path and line, so that two runs agree."""
        chunks = self.chunks
        rows = [
            (-round(score, 9), chunks[one].path, chunks[one].chunk.start, place, one)
            for place, (one, score) in enumerate(self._scores.items())
        ]
        rows.sort()
        return [row[-1] for row in rows]

    def by_file(self, chunks: Iterable[int]) -> dict[str, list[int]]:
        """The chunks grouped by file, both in the order given."""
        files: dict[str, list[int]] = {}
        for chunk in chunks:
            files.setdefault(self.chunks[chunk].path, []).append(chunk)
        return files
