"""Every edge with the names of its ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trigpoint.model import MODULE, Edge, End, NamedEdge, StoredSymbol
from trigpoint.ports import Snapshot


def named_edges(snapshot: Snapshot, kinds: Sequence[str] = (), least: float = 0.0) -> Iterator[NamedEdge]:
    """Edges of these kinds (all when empty), at least that sure, by path and line of the site."""
    files: dict[str, Sequence[StoredSymbol]] = {}

    def end(path: str, index: int) -> End:
        if index == MODULE:
            return End(path, "", 1)
        if path not in files:
            files[path] = snapshot.symbols_of(path)
        symbol = files[path][index].symbol
        return End(path, symbol.qualified, symbol.name_line)

    for edge in snapshot.edges():
        if _wanted(edge, kinds, least):
            yield NamedEdge(end(edge.path, edge.source), end(edge.target_path, edge.target), edge)


def _wanted(edge: Edge, kinds: Sequence[str], least: float) -> bool:
    return (not kinds or edge.kind in kinds) and edge.confidence >= least
