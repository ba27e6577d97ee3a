"""The graph as nodes and links, for files that other programs read and for the picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from trigpoint.graph.communities import bridges, communities, hubs
from trigpoint.graph.map import ranked
from trigpoint.graph.relation import CERTAIN, UNKNOWN
from trigpoint.model import MODULE, Freshness, StoredSymbol
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


_Key = tuple[str, int]
"""A node before it has a place: path and index, MODULE for a file."""


def drawing(snapshot: Snapshot, wanted: Wanted) -> Drawing:
    """The most central nodes and every link between them."""
    ranks, _ = ranked(snapshot)
    arcs = list(snapshot.arcs(0.0 if wanted.guesses else CERTAIN))
    symbols = {one.id: one for one in snapshot.nodes(sorted({node for arc in arcs for node in arc[:2]}))}
    keys = {
        node: _key(one, wanted.level)
        for node, one in symbols.items()
        if wanted.paths is None or one.path in wanted.paths
    }
    weight: dict[_Key, float] = {}
    for node, key in keys.items():
        weight[key] = weight.get(key, 0.0) + ranks.get(node, 0.0)
    order = sorted(weight, key=lambda key: (-round(weight[key], 12), key))
    kept = {key: place for place, key in enumerate(order[: wanted.limit])}
    groups = _communities(arcs, symbols)
    shown = _shown(symbols, keys, snapshot)
    tests = {row.path for row in snapshot.files() if "test" in row.marks}
    nodes = tuple(_node(shown[key], key, weight[key], groups.get(key[0], 0), key[0] in tests) for key in kept)
    links = _links(arcs, keys, kept)
    pairs = {
        (link.source, link.target): 1.0 for link in links if link.kind != "imports" or wanted.level == "file"
    }
    group = {place: node.community for place, node in enumerate(nodes)}
    return Drawing(
        wanted.level, nodes, links, len(weight), tuple(hubs(pairs, HUBS)), tuple(bridges(pairs, group, HUBS))
    )


def _key(one: StoredSymbol, level: str) -> _Key:
    return one.path, MODULE if level == "file" else one.index


def _communities(
    arcs: Iterable[tuple[int, int, str, float]], symbols: Mapping[int, StoredSymbol]
) -> dict[str, int]:
    """Files that use each other much, by number."""
    links: dict[tuple[str, str], float] = {}
    for source, target, _, _ in arcs:
        pair = symbols[source].path, symbols[target].path
        if pair[0] != pair[1]:
            links[pair] = links.get(pair, 0.0) + 1.0
    return communities(sorted({one.path for one in symbols.values()}), links)


def _shown(
    symbols: Mapping[int, StoredSymbol], keys: Mapping[int, _Key], snapshot: Snapshot
) -> dict[_Key, StoredSymbol]:
    shown = {key: symbols[node] for node, key in keys.items() if symbols[node].index == key[1]}
    lacking = sorted(set(keys.values()) - shown.keys())
    tops = snapshot.nodes([snapshot.node(path, MODULE) for path, _ in lacking])
    return shown | {(one.path, MODULE): one for one in tops}


def _node(one: StoredSymbol, key: _Key, rank: float, community: int, test: bool) -> Node:
    symbol = one.symbol
    return Node(
        key[0], symbol.qualified, symbol.kind, symbol.name_line, symbol.signature, rank, community, test
    )


def _links(
    arcs: Iterable[tuple[int, int, str, float]], keys: Mapping[int, _Key], kept: Mapping[_Key, int]
) -> tuple[Link, ...]:
    found: dict[tuple[int, int, str], tuple[float, int]] = {}
    for source, target, kind, confidence in arcs:
        first, second = kept.get(keys.get(source, ("", 0)), -1), kept.get(keys.get(target, ("", 0)), -1)
        if first < 0 or second < 0 or first == second:
            continue
        sure, count = found.get((first, second, kind), (0.0, 0))
        found[first, second, kind] = max(sure, confidence), count + 1
    return tuple(Link(*ends, *found[ends]) for ends in sorted(found))
