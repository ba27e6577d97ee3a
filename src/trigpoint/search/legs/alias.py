"""Names that live only in import statements, resolved to what they stand for."""

from __future__ import annotations

from trigpoint.graph.aliases import aliases
from trigpoint.model import MODULE, Query, Scored
from trigpoint.ports import Snapshot

MEANT, IMPORTED = 1.0, 0.3
"""Scores: the definition that the alias means; the import itself, where that lies outside the project."""
MOST = 20


def rank(
    query: Query, snapshot: Snapshot, names: tuple[str, ...] = ()
) -> tuple[tuple[Scored, ...], dict[int, str]]:
    """The chunks of the definitions behind the names of the question that imports bind, and why."""
    found: dict[int, float] = {}
    notes: dict[int, str] = {}
    for name in dict.fromkeys((*names, *query.identifiers)):
        if not name.isidentifier():
            continue
        for alias in aliases(name, snapshot)[:MOST]:
            place = f"{name} is {alias.item.name or alias.item.module} in {alias.path}:{alias.item.line}"
            for target in alias.targets:
                line = 1 if target.index == MODULE else target.symbol.name_line
                _put(snapshot, target.path, line, MEANT, place, found, notes)
            if not alias.targets:
                _put(
                    snapshot,
                    alias.path,
                    alias.item.line,
                    IMPORTED,
                    place + ", which lies outside",
                    found,
                    notes,
                )
    ranking = sorted(found, key=lambda chunk: -found[chunk])
    return tuple(Scored(chunk, found[chunk]) for chunk in ranking), notes


def _put(
    snapshot: Snapshot,
    path: str,
    line: int,
    score: float,
    note: str,
    found: dict[int, float],
    notes: dict[int, str],
) -> None:
    chunk = snapshot.chunk_at(path, line)
    if chunk is not None and chunk.id not in found:
        found[chunk.id] = score
        notes[chunk.id] = note
