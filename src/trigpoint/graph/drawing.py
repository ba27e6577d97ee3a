"""The graph as nodes and links, for files that other programs read and for the picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from trigpoint.graph.communities import bridges, communities, hubs
from trigpoint.graph.map import Ranks, ranked
from trigpoint.graph.relation import CERTAIN, UNKNOWN
from trigpoint.model import Freshness, StoredSymbol
from trigpoint.ports import Snapshot

HUBS = 20
"""Hubs and bridges that are named."""


class Node(NamedTuple):
    """A symbol, or a file."""

    path: str
    name: str  # qualified; of the top of a file and of a file its path
    kind: str
    line: int
    signature: str
    rank: float  # of all nodes of the project, that sum to 1
    community: int  # of its file; 0 is the largest
    test: bool


class Link(NamedTuple):
    """All edges of one kind between two nodes, which are given by their places."""

    source: int
    target: int
    kind: str
    confidence: float  # the largest
    uses: int


class Drawing(NamedTuple):
    """Nodes by rank, links by their ends; ``hubs`` and ``bridges`` are (place, how many)."""

    level: str
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    total: int  # nodes before the cut
    hubs: tuple[tuple[int, int], ...]
    bridges: tuple[tuple[int, int], ...]
    freshness: Freshness = UNKNOWN


class Wanted(NamedTuple):
    """What is to be drawn."""

    level: str = "symbol"
    limit: int | None = None
    paths: Collection[str] | None = None  # None is all files
    guesses: bool = False


def drawing(snapshot: Snapshot, wanted: Wanted, known: Ranks | None = None) -> Drawing:
    """The most central nodes and every link between them. ``known`` are the ranks of this very snapshot, if at hand."""
    ranks = ranked(snapshot) if known is None else known
    arcs = list(snapshot.arcs(0.0 if wanted.guesses else CERTAIN))
    homes = snapshot.homes({node for arc in arcs for node in arc[:2]})
    keys = _keys(homes, wanted, snapshot)
    weight: dict[int, float] = {}
    for node, key in keys.items():
        weight[key] = weight.get(key, 0.0) + ranks.ranks.get(node, 0.0)
    order = sorted(weight, key=lambda key: (-round(weight[key], 12), key))[: wanted.limit]
    groups = _communities(arcs, homes)
    tests = {row.path for row in snapshot.files() if "test" in row.marks}
    symbols = snapshot.nodes(order)
    places = {one.id: place for place, one in enumerate(symbols)}
    nodes = tuple(_node(one, weight[one.id], groups.get(one.path, 0), one.path in tests) for one in symbols)
    links = _links(arcs, {node: places[key] for node, key in keys.items() if key in places})
    counted = [link for link in links if link.kind != "imports" or wanted.level == "file"]
    pairs = {(link.source, link.target): 1.0 for link in counted}
    group = {place: node.community for place, node in enumerate(nodes)}
    found = tuple(hubs(pairs, HUBS)), tuple(bridges(pairs, group, HUBS))
    return Drawing(wanted.level, nodes, links, len(weight), *found)


def _keys(homes: Mapping[int, str], wanted: Wanted, snapshot: Snapshot) -> dict[int, int]:
    """Node -> the node that stands for it in the drawing: itself, or the top of its file."""
    inside = {node: path for node, path in homes.items() if wanted.paths is None or path in wanted.paths}
    if wanted.level != "file":
        return {node: node for node in inside}
    tops = {path: snapshot.node(path) for path in set(inside.values())}
    return {node: tops[path] for node, path in inside.items()}


def _communities(arcs: Iterable[tuple[int, int, str, float]], homes: Mapping[int, str]) -> dict[str, int]:
    """Files that use each other much, by number."""
    links: dict[tuple[str, str], float] = {}
    for source, target, _, _ in arcs:
        pair = homes[source], homes[target]
        if pair[0] != pair[1]:
            links[pair] = links.get(pair, 0.0) + 1.0
    return communities(sorted(set(homes.values())), links)


def _node(one: StoredSymbol, rank: float, community: int, test: bool) -> Node:
    symbol = one.symbol
    return Node(
        one.path, symbol.qualified, symbol.kind, symbol.name_line, symbol.signature, rank, community, test
    )


def _links(arcs: Iterable[tuple[int, int, str, float]], places: Mapping[int, int]) -> tuple[Link, ...]:
    found: dict[tuple[int, int, str], tuple[float, int]] = {}
    for source, target, kind, confidence in arcs:
        first, second = places.get(source, -1), places.get(target, -1)
        if first < 0 or second < 0 or first == second:
            continue
        sure, count = found.get((first, second, kind), (0.0, 0))
        found[first, second, kind] = max(sure, confidence), count + 1
    return tuple(Link(*ends, *found[ends]) for ends in sorted(found))
