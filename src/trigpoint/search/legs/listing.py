"""What passes the filters, for a question that has nothing else: "path:src", "kind:class lang:go"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trigpoint.model import Filters, Query, Scored, StoredChunk, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.search.legs.symbol import Match
from trigpoint.search.legs.symbol import rank as by_definition

MOST = 1_000
"""Chunks listed at most: past that a reader wants a narrower filter, not a longer list."""


def is_listing(query: Query) -> bool:
    """Whether a question is its filters and nothing else."""
    return bool(query.filters) and not (query.words or query.identifiers or query.paths or query.quoted)


def rank(query: Query, snapshot: Snapshot) -> tuple[tuple[Scored, ...], dict[int, StoredSymbol]]:
    """Files that pass, each by its first chunk; where kinds, names or complexity are asked for, every chunk that passes,
    with the definition that it is there for.
    """
    filters = query.filters
    found = dict(_named(filters, snapshot) if filters.names else _walked(filters, snapshot))
    ranking = tuple(Scored(chunk, 1.0) for chunk in list(found)[:MOST])
    return ranking, {chunk: symbol for chunk, symbol in found.items() if symbol is not None}


_Listed = Iterator[tuple[int, StoredSymbol | None]]


def _named(filters: Filters, snapshot: Snapshot) -> _Listed:
    symbols = [one for name in filters.names for one in snapshot.symbols_named(name, limit=MOST)]
    found = by_definition((Match(one, 1.0, "") for one in symbols), snapshot)
    kept = snapshot.passing([one.chunk for one in found.ranking], filters)
    yield from ((one.chunk, found.symbols[one.chunk]) for one in found.ranking if one.chunk in kept)


def _walked(filters: Filters, snapshot: Snapshot) -> _Listed:
    firsts = snapshot.first_chunks([row.path for row in snapshot.files()])
    inside = snapshot.passing(list(firsts.values()), filters._replace(kinds=(), complexity=()))
    paths = sorted(path for path, chunk in firsts.items() if chunk in inside)
    if not (filters.kinds or filters.complexity):
        yield from ((firsts[path], None) for path in paths)
        return
    given = 0
    for path in paths:
        chunks = [one for one in snapshot.chunks_of(path) if not one.chunk.derived]
        kept = snapshot.passing([one.id for one in chunks], filters)
        if not kept:
            continue
        symbols = snapshot.symbols_of(path)
        for one in chunks:
            if one.id in kept:
                yield one.id, _of_kind(one, symbols, filters)
        given += len(kept)
        if given >= MOST:
            return


def _of_kind(chunk: StoredChunk, symbols: Sequence[StoredSymbol], filters: Filters) -> StoredSymbol | None:
    """The first definition in a chunk that is of a kind asked for."""
    inside = [symbols[index] for index in chunk.chunk.symbols if index < len(symbols)]
    return next((one for one in inside if one.symbol.kind in filters.kinds), None)
