"""Which nodes belong together, which hold much, and which join what is apart. Deterministic: equal graphs give equal answers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)

Weights = Mapping[tuple[Node, Node], float]
"""Weight of the link between two nodes, in either order or both."""

PASSES = 20
"""Most rounds of moving; ten are enough for graphs of 10,000 nodes."""


def communities(nodes: Sequence[Node], links: Weights[Node]) -> dict[Node, int]:
    """A community number for each node, 0 the largest: modularity by local moves, then the same on what they form
    (Blondel, Guillaume, Lambiotte and Lefebvre, 2008), in the order of the nodes.
    """
    label: dict[Node, Node] = {node: node for node in nodes}
    graph = _both_ways(nodes, links)
    while True:
        moved = _moved(graph)
        if len(set(moved.values())) == len(graph):
            return _numbered(nodes, label)
        label = {node: moved[group] for node, group in label.items()}
        graph = _joined(graph, moved)


_Graph = dict[Node, dict[Node, float]]
"""node -> neighbour -> weight; a node's own entry is the weight inside it, counted twice."""


def _both_ways(nodes: Iterable[Node], links: Weights[Node]) -> _Graph[Node]:
    graph: _Graph[Node] = {node: {} for node in nodes}
    for (first, second), weight in links.items():
        if first != second and first in graph and second in graph:
            graph[first][second] = graph[first].get(second, 0.0) + weight
            graph[second][first] = graph[second].get(first, 0.0) + weight
    return graph


def _moved(graph: _Graph[Node]) -> dict[Node, Node]:
    """Each node in the community of a neighbour for as long as that raises the modularity."""
    order = {node: place for place, node in enumerate(graph)}
    degree = {node: sum(near.values()) for node, near in graph.items()}
    total = sum(degree.values()) or 1.0
    label = {node: node for node in graph}
    mass = dict(degree)
    for _ in range(PASSES):
        changed = False
        for node, near in graph.items():
            home = label[node]
            mass[home] -= degree[node]
            pull: dict[Node, float] = {home: 0.0}
            for other, weight in near.items():
                if other != node:
                    pull[label[other]] = pull.get(label[other], 0.0) + weight
            gains = {group: weight - degree[node] * mass[group] / total for group, weight in pull.items()}
            best = max(gains, key=lambda group: (round(gains[group], 9), group == home, -order[group]))
            label[node] = best
            mass[best] += degree[node]
            changed = changed or best != home
        if not changed:
            break
    return label


def _joined(graph: _Graph[Node], label: Mapping[Node, Node]) -> _Graph[Node]:
    """The communities as nodes, named by one of their members."""
    joined: _Graph[Node] = {}
    for node, near in graph.items():
        mine = joined.setdefault(label[node], {})
        for other, weight in near.items():
            mine[label[other]] = mine.get(label[other], 0.0) + weight
    return joined


def _numbered(nodes: Sequence[Node], label: Mapping[Node, Node]) -> dict[Node, int]:
    sizes: dict[Node, int] = {}
    first: dict[Node, int] = {}
    for place, node in enumerate(nodes):
        group = label[node]
        sizes[group] = sizes.get(group, 0) + 1
        first.setdefault(group, place)
    numbers = {group: at for at, group in enumerate(sorted(sizes, key=lambda one: (-sizes[one], first[one])))}
    return {node: numbers[label[node]] for node in nodes}


def hubs(links: Weights[Node], count: int) -> list[tuple[Node, int]]:
    """The nodes that the most others lead to, with how many: (source, target) pairs count one way only."""
    inward: dict[Node, set[Node]] = {}
    for source, target in links:
        if source != target:
            inward.setdefault(target, set()).add(source)
    found = sorted(inward.items(), key=lambda item: (-len(item[1]), str(item[0])))
    return [(node, len(others)) for node, others in found[:count]]


def bridges(links: Weights[Node], group: Mapping[Node, int], count: int) -> list[tuple[Node, int]]:
    """The nodes that join most other communities to their own, with how many; two make a bridge."""
    joined: dict[Node, set[int]] = {}
    for first, second in links:
        if group[first] != group[second]:
            joined.setdefault(first, set()).add(group[second])
            joined.setdefault(second, set()).add(group[first])
    found = sorted(joined.items(), key=lambda item: (-len(item[1]), str(item[0])))
    return [(node, len(others)) for node, others in found[:count] if len(others) > 1]
