"""Who stands directly around some definitions: callers, callees, bases, subtypes, tests. Two reads of edges for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from trigpoint.graph.relation import CERTAIN
from trigpoint.graph.walk import within
from trigpoint.model import StoredEdge, StoredSymbol
from trigpoint.ports import Snapshot

BACKWARD: Mapping[str, str] = {
    "calls": "callers",
    "inherits": "subtypes",
    "implements": "subtypes",
    "tests": "tests",
}
"""What an edge that arrives is called from here."""

FORWARD: Mapping[str, str] = {"calls": "callees", "inherits": "bases", "implements": "bases"}
"""What an edge that leaves is called."""

LOOKED_AT = 60
"""Edges of one relation that are looked at, the surest first: what is shown are a few of them."""


class Neighbour(NamedTuple):
    """One definition beside another, and where one names the other."""

    subject: StoredSymbol
    relation: str  # callers, callees, bases, subtypes, tests
    symbol: StoredSymbol
    path: str  # of the site
    line: int
    confidence: float

    @property
    def certain(self) -> bool:
        """Whether it is a fact; otherwise it is a candidate."""
        return self.confidence >= CERTAIN


class Around(NamedTuple):
    """The neighbours, and how many of each relation there are before the cut."""

    neighbours: tuple[Neighbour, ...] = ()
    totals: tuple[tuple[str, str, int], ...] = ()  # qualified name of the subject, relation, number


def around(subjects: Sequence[StoredSymbol], snapshot: Snapshot, each: int) -> Around:
    """At most ``each`` neighbours of every subject and relation, the surest first. A type speaks for its members too."""
    owners: dict[int, StoredSymbol] = {}
    for subject in subjects:
        for node in within(snapshot, [subject]):
            owners.setdefault(node, subject)
    groups: dict[tuple[int, str], list[tuple[StoredEdge, int]]] = {}
    for edge, near, far in _edges(snapshot, list(owners)):
        if owners[near] is not owners.get(far):
            relation = (BACKWARD if near == edge.target else FORWARD)[edge.kind]
            groups.setdefault((owners[near].id, relation), []).append((edge, far))
    tests = _tests(snapshot, groups)
    found: list[Neighbour] = []
    totals: list[tuple[str, str, int]] = []
    for subject in subjects:
        for relation in ("callers", "callees", "bases", "subtypes", "tests"):
            ends = _ends(groups, subject.id, relation, tests)
            if ends:
                totals.append((subject.symbol.qualified, relation, len(ends)))
                found += _named(subject, relation, dict(list(ends.items())[:each]), snapshot)
    return Around(tuple(found), tuple(totals))


def _edges(snapshot: Snapshot, nodes: Sequence[int]) -> Iterator[tuple[StoredEdge, int, int]]:
    """Each edge with its near and its far end."""
    for edge in snapshot.edges_to(nodes, tuple(BACKWARD)):
        yield edge, edge.target, edge.source
    for edge in snapshot.edges_from(nodes, tuple(FORWARD)):
        yield edge, edge.source, edge.target


def _tests(snapshot: Snapshot, groups: Mapping[tuple[int, str], list[tuple[StoredEdge, int]]]) -> set[int]:
    """The callers that lie in test files."""
    callers = {
        far
        for (_, relation), ends in groups.items()
        if relation == "callers"
        for _, far in sorted(ends, key=_surest)[:LOOKED_AT]
    }
    nodes = snapshot.nodes(sorted(callers))
    rows = {path: snapshot.file(path) for path in {node.path for node in nodes}}
    marked = {path for path, row in rows.items() if row is not None and "test" in row.marks}
    return {node.id for node in nodes if node.path in marked}


def _surest(end: tuple[StoredEdge, int]) -> tuple[float, int, int, int]:
    edge, far = end
    return -edge.confidence, far, edge.line, edge.column


def _ends(
    groups: Mapping[tuple[int, str], list[tuple[StoredEdge, int]]],
    subject: int,
    relation: str,
    tests: set[int],
) -> dict[int, StoredEdge]:
    """The surest edge to each far end; callers in test files count as tests."""
    edges = list(groups.get((subject, relation), ()))
    if relation == "callers":
        edges = [end for end in edges if end[1] not in tests]
    elif relation == "tests":
        edges += [end for end in groups.get((subject, "callers"), ()) if end[1] in tests]
    found: dict[int, StoredEdge] = {}
    for edge, far in sorted(edges, key=_surest):
        found.setdefault(far, edge)
    return found


def _named(
    subject: StoredSymbol, relation: str, ends: Mapping[int, StoredEdge], snapshot: Snapshot
) -> Iterator[Neighbour]:
    known = {one.id: one for one in snapshot.nodes(list(ends))}
    for far, edge in ends.items():
        if far in known:
            path = known[far].path if edge.source == far else subject.path
            yield Neighbour(subject, relation, known[far], path, edge.line, edge.confidence)
