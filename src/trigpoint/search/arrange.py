"""The order in which hits are packed, where that is not the order of their scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trigpoint.model import StoredChunk

Chunks = Mapping[int, StoredChunk]
Hops = Mapping[int, int]
"""Chunk -> edges from the subject, in the order in which the walk came by; what is not in it was found otherwise."""


def by_score(order: Sequence[int], hops: Hops, chunks: Chunks) -> list[int]:
    """The best first."""
    return list(order)


def by_layer(order: Sequence[int], hops: Hops, chunks: Chunks) -> list[int]:
    """The subject, then what is one edge away, then two; the best first within each; then the rest."""
    return sorted(order, key=lambda chunk: hops.get(chunk, len(order) + max(hops.values(), default=0)))


def by_walk(order: Sequence[int], hops: Hops, chunks: Chunks) -> list[int]:
    """As the walk came by: nearest first, code before tests, then by file and line; then the rest."""
    places = {chunk: place for place, chunk in enumerate(hops)}
    return sorted(order, key=lambda chunk: places.get(chunk, len(places)))


def by_file(order: Sequence[int], hops: Hops, chunks: Chunks) -> list[int]:
    """As the walk came by, but one of each file before a second of any."""
    seen: dict[str, int] = {}
    numbers: dict[int, int] = {}
    walked = by_walk(order, hops, chunks)
    for chunk in walked:
        path = chunks[chunk].path
        numbers[chunk] = seen[path] = seen.get(path, 0) + 1
    return sorted(walked, key=lambda chunk: (chunk not in hops, numbers[chunk] > 1))


ORDERS: Mapping[str, Callable[[Sequence[int], Hops, Chunks], list[int]]] = {
    "score": by_score,
    "layers": by_layer,
    "walk": by_walk,
    "files": by_file,
}
"""The orders that packing modes name."""
