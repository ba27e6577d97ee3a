"""What the edges lead to from the subject of a question: who uses it, what it needs, or the landmarks of the whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from trigpoint.graph.ask import Kind, hidden, rows_of, said_of
from trigpoint.graph.map import Ranks, project_map
from trigpoint.graph.relation import CERTAIN, Row
from trigpoint.graph.unresolved import unresolved
from trigpoint.graph.walk import Reach, walk, within
from trigpoint.model import Scored, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.search.intents import Way

LINES_NAMED = 6
"""Lines of one chunk that are named as places of use."""


class Found(NamedTuple):
    """The answer of the leg: chunks, nearest first; why; the line and the hop of each; what is not known."""

    ranking: tuple[Scored, ...] = ()
    notes: Mapping[int, str] = {}
    lines: Mapping[int, int] = {}
    hops: Mapping[int, int] = {}
    lacks: tuple[str, ...] = ()
    symbols: Mapping[int, StoredSymbol] = {}  # which definition each chunk is there for
    outlines: Mapping[str, tuple[StoredSymbol, ...]] = {}  # of the files on a map, what to show of them


def rank(
    seeds: Sequence[StoredSymbol],
    way: Way,
    snapshot: Snapshot,
    most: int,
    ranks: Callable[[Snapshot], Ranks] | None = None,
) -> Found:
    """Up to ``most`` chunks along the way of an intent; ``ranks`` knows those of the whole graph, for a map."""
    if way.direction == "rank":
        return _landmarks(snapshot, most, ranks(snapshot) if ranks is not None else None)
    if not seeds:
        return Found()
    rows: list[Row] = []
    lacks: list[str] = []
    nodes = within(snapshot, seeds)
    for backward in _BACKWARD[way.direction]:
        reach = Reach(way.kinds, backward, way.hops, CERTAIN, way.fan, loops=way.sites)
        went = walk(snapshot, nodes, reach)
        kind = Kind(
            way.kinds, backward, way.hops, each_site=way.sites, breadth=way.hops == 1 and not way.sites
        )
        rows += rows_of(went, kind, snapshot)
        lacks += said_of(went, reach)
        if count := hidden(snapshot, nodes, reach):
            lacks.append(
                f"{count:,} less certain candidates are left out: `trig impact --guesses` shows them"
            )
    if way.direction != "forward" and (left := unresolved("", seeds, snapshot)).uses:
        lacks.append(f"{left}: {', '.join(f'{site.path}:{site.line}' for site in left.sites)}")
    found = _chunks(rows, snapshot, most)
    if way.direction != "backward":  # what was asked about comes first
        own = snapshot.defining([one.id for one in seeds]).values()
        found = found._replace(hops={**dict.fromkeys(own, 0), **found.hops})
    return found._replace(lacks=tuple(dict.fromkeys(lacks)))


_BACKWARD = {"forward": (False,), "backward": (True,), "both": (True, False)}


def _chunks(rows: Sequence[Row], snapshot: Snapshot, most: int) -> Found:
    """The chunks that hold the rows, each once."""
    by_chunk: dict[int, list[Row]] = {}
    for row in sorted(rows, key=lambda one: one.hop):
        if len(by_chunk) >= most:
            break
        chunk = snapshot.chunk_at(row.symbol.path, row.line)
        if chunk is not None:
            by_chunk.setdefault(chunk.id, []).append(row)
    return Found(
        ranking=tuple(Scored(chunk, 1.0 / (1.0 + place)) for place, chunk in enumerate(by_chunk)),
        notes={chunk: _why(held) for chunk, held in by_chunk.items()},
        lines={chunk: held[0].line for chunk, held in by_chunk.items()},
        hops={chunk: held[0].hop for chunk, held in by_chunk.items()},
        symbols={
            chunk: held[0].symbol for chunk, held in by_chunk.items() if held[0].symbol.symbol.kind != "file"
        },
    )


def _why(held: Sequence[Row]) -> str:
    row = held[0]
    lines = sorted({site.line for one in held for site in one.sites if site.path == one.symbol.path})[
        :LINES_NAMED
    ]
    near = row.near.symbol.qualified
    inward = bool(row.sites) and row.sites[0].path == row.near.path and row.sites[0].path != row.symbol.path
    words = f"{near} {row.kind} it" if inward else f"{row.kind} {near}"
    at = f" at {', '.join(map(str, lines))}" if lines and not inward else ""
    return f"hop {row.hop}, {words}{at}"


def _landmarks(snapshot: Snapshot, most: int, ranks: Ranks | None) -> Found:
    """The files of the map, the most central first, with the definitions that the map shows of each."""
    drawn = project_map(snapshot, (), ranks).first(most).files
    chunks = snapshot.first_chunks([file.path for file in drawn])
    kept = [file for file in drawn if file.path in chunks]
    return Found(
        ranking=tuple(Scored(chunks[file.path], file.rank) for file in kept),
        hops={chunks[file.path]: 0 for file in kept},
        notes={chunks[file.path]: f"{file.rank:.1%} of all uses lead here" for file in kept},
        outlines={file.path: tuple(one.symbol for one in file.landmarks) for file in kept},
    )
