"""Walks along edges: some hops forward or backward, and the shortest way between two symbols.

The edges are read from the index a frontier at a time: two hops cost two questions, and nothing is loaded before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from trigpoint.model import StoredEdge, StoredSymbol

FAN = 200
"""Most neighbours that are followed from one node on the way; hubs with more are reported. The first hop has no such limit."""
FRONTIER = 20_000
"""Nodes after which a search for a way is given up."""

KIND_ORDER: Mapping[str, int] = {
    kind: place
    for place, kind in enumerate(
        ("calls", "inherits", "implements", "tests", "references", "imports", "contains")
    )
}
"""Of several kinds of edge between two nodes the first tells most."""


class Graph(Protocol):
    """What a walk reads; every Snapshot can do it."""

    def nodes(self, ids: Sequence[int]) -> Sequence[StoredSymbol]:
        """Symbols and tops of files by node, in the order asked, unknown ones left out."""
        ...

    def edges_from(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> Sequence[StoredEdge]:
        """Edges that leave these nodes."""
        ...

    def edges_to(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> Sequence[StoredEdge]:
        """Edges that reach these nodes."""
        ...


class Reach(NamedTuple):
    """Where a walk goes: along which edges, which way, how far, and from which confidence on."""

    kinds: tuple[str, ...]
    backward: bool = False
    hops: int = 1
    least: float = 0.0
    fan: int = FAN
    loops: bool = False  # a seed that reaches a seed is a step too: a function that calls itself


class Step(NamedTuple):
    """A node that a walk reached, once, by its shortest way."""

    symbol: StoredSymbol
    hop: int
    near: int  # the node one hop nearer to the start
    edges: tuple[
        StoredEdge, ...
    ]  # between it and ``near``: those that tell most and are surest first, then by line
    sure: float  # least confidence along the way

    @property
    def edge(self) -> StoredEdge:
        """The edge that tells most."""
        return self.edges[0]


class Walk(NamedTuple):
    """The steps by distance, then path and line; what was cut."""

    steps: tuple[Step, ...]
    hubs: tuple[StoredSymbol, ...] = ()  # nodes of which not every neighbour was followed
    more: bool = False  # there is more beyond the last hop


def walk(graph: Graph, seeds: Iterable[int], reach: Reach) -> Walk:
    """Everything within ``reach.hops`` edges of the seeds, each node once; seeds only where they reach each other and
    ``reach.loops`` asks for it.

    A step that comes by several nodes keeps the surest, then the first by place. The top of a file is never walked
    through: whoever imports a file need not use what it uses.
    """
    starts = set(seeds)
    seen = set() if reach.loops else set(starts)
    frontier = dict.fromkeys(sorted(starts), 1.0)
    steps: list[Step] = []
    hubs: list[int] = []
    for hop in range(1, reach.hops + 1):
        ways = _ways(graph, frontier, reach, seen)
        if hop > 1:
            hubs += _cut(graph, ways, reach.fan)
        made = _steps(graph, ways, frontier, hop)
        seen |= ways.keys() | starts
        steps += made
        frontier = {step.symbol.id: step.sure for step in made if step.symbol.symbol.kind != "file"}
        if not frontier:
            break
    more = bool(frontier) and bool(_ways(graph, frontier, reach, seen))
    return Walk(tuple(steps), tuple(graph.nodes(hubs)), more)


_Ways = dict[int, dict[int, list[StoredEdge]]]
"""New node -> node of the frontier -> the edges between them."""


def _ways(graph: Graph, frontier: Mapping[int, float], reach: Reach, seen: Collection[int]) -> _Ways:
    read = graph.edges_to if reach.backward else graph.edges_from
    found: _Ways = {}
    for edge in read(list(frontier), reach.kinds, reach.least):
        new, near = (edge.source, edge.target) if reach.backward else (edge.target, edge.source)
        if new not in seen:
            found.setdefault(new, {}).setdefault(near, []).append(edge)
    return found


def _cut(graph: Graph, ways: _Ways, fan: int) -> list[int]:
    """Leave hubs no more than ``fan`` neighbours, the first by place; say which they are."""
    counts: dict[int, list[int]] = {}
    for new, by_near in ways.items():
        for near in by_near:
            counts.setdefault(near, []).append(new)
    hubs = sorted(near for near, new in counts.items() if len(new) > fan)
    for hub in hubs:
        ordered = sorted(graph.nodes(counts[hub]), key=_place)
        for one in ordered[fan:]:
            del ways[one.id][hub]
    for new in [new for new, by_near in ways.items() if not by_near]:
        del ways[new]
    return hubs


def _steps(graph: Graph, ways: _Ways, frontier: Mapping[int, float], hop: int) -> list[Step]:
    places = {
        one.id: _place(one) for one in graph.nodes(sorted({near for by in ways.values() for near in by}))
    }
    made: list[Step] = []
    for symbol in sorted(graph.nodes(list(ways)), key=_place):
        by_near = ways[symbol.id]
        sure = {
            near: min(frontier[near], max(edge.confidence for edge in edges))
            for near, edges in by_near.items()
        }
        near = min(by_near, key=lambda one: (-sure[one], _worth(by_near[one]), places.get(one, ("", 0))))
        edges = sorted(
            by_near[near], key=lambda edge: (_kind(edge), -edge.confidence, edge.line, edge.column)
        )
        made.append(Step(symbol, hop, near, tuple(edges), sure[near]))
    return made


def _worth(edges: Sequence[StoredEdge]) -> int:
    return min(map(_kind, edges))


def _kind(edge: StoredEdge) -> int:
    return KIND_ORDER.get(edge.kind, len(KIND_ORDER))


def _place(symbol: StoredSymbol) -> tuple[str, int]:
    return symbol.path, symbol.symbol.name_line


def within(graph: Graph, symbols: Iterable[StoredSymbol]) -> list[int]:
    """The nodes of symbols and of all that is defined inside them, at any depth: a class with its methods."""
    found = dict.fromkeys(one.id for one in symbols)
    todo = list(found)
    while todo:
        inner = [edge.target for edge in graph.edges_from(todo, ("contains",)) if edge.target not in found]
        todo = list(dict.fromkeys(inner))
        found.update(dict.fromkeys(todo))
    return list(found)


def shortest(
    graph: Graph, starts: Collection[int], ends: Collection[int], reach: Reach
) -> tuple[StoredEdge, ...] | None:
    """The edges of a shortest way from any start to any end, forward; None when there is none, () when they touch.

    Both sides are searched in turn, the smaller one first. Raises nothing: past FRONTIER nodes there is no way.
    """
    if not set(starts).isdisjoint(ends):
        return ()
    ahead = _Side(graph, starts, reach._replace(backward=False))
    behind = _Side(graph, ends, reach._replace(backward=True))
    while ahead.frontier and behind.frontier and len(ahead.came) + len(behind.came) < FRONTIER:
        side, other = (ahead, behind) if len(ahead.frontier) <= len(behind.frontier) else (behind, ahead)
        met = side.grow(other)
        if met:
            middle = min(graph.nodes(met), key=_place).id
            return (*reversed(ahead.way(middle)), *behind.way(middle))
    return None


class _Side:
    """One of the two searches that meet: how each node was reached."""

    def __init__(self, graph: Graph, seeds: Iterable[int], reach: Reach) -> None:
        self.graph = graph
        self.reach = reach
        self.came: dict[int, StoredEdge | None] = dict.fromkeys(sorted(set(seeds)))
        self.frontier: list[int] = list(self.came)

    def grow(self, other: _Side) -> list[int]:
        """One hop further; the nodes where the other side has been."""
        read = self.graph.edges_to if self.reach.backward else self.graph.edges_from
        found: dict[int, StoredEdge] = {}
        for edge in read(self.frontier, self.reach.kinds, self.reach.least):
            new = edge.source if self.reach.backward else edge.target
            if new not in self.came and (new not in found or _better(edge, found[new])):
                found[new] = edge
        self.came.update(found)
        self.frontier = list(found)
        return [node for node in found if node in other.came]

    def way(self, node: int) -> list[StoredEdge]:
        """The edges from a node back to a seed."""
        edges: list[StoredEdge] = []
        while (edge := self.came[node]) is not None:
            edges.append(edge)
            node = edge.target if self.reach.backward else edge.source
        return edges


def _better(edge: StoredEdge, known: StoredEdge) -> bool:
    return (-edge.confidence, _kind(edge)) < (-known.confidence, _kind(known))
