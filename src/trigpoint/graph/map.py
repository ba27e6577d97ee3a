"""The map of a project: its files and definitions by how much else rests on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from trigpoint.graph.rank import KIND_WEIGHTS, central, csr
from trigpoint.graph.relation import CERTAIN, UNKNOWN
from trigpoint.model import MODULE, Freshness, StoredSymbol
from trigpoint.ports import Snapshot

ASIDE = frozenset({"test", "vendored", "generated", "minified", "example", "doc"})
"""Marks of files that are no landmarks themselves, and whose uses count less."""
ASIDE_SHARE = 0.1
"""How much a use in such a file counts."""

MOST = 4_000
"""Definitions that a map can hold: more fit no budget."""

LEFT_OUT = frozenset(
    {"variable", "constant", "field", "parameter", "section", "key", "property", "enum-member"}
)
"""Kinds that a map has no room for, as it has none for what is defined inside a function."""

CODE = frozenset({"function", "method", "constructor", "macro"})


class Landmark(NamedTuple):
    """A definition on the map."""

    symbol: StoredSymbol
    rank: float


class MapFile(NamedTuple):
    """A file on the map with its definitions by line."""

    path: str
    rank: float  # of the whole file, so that all files of the project sum to 1
    landmarks: tuple[Landmark, ...]


class Ranks(NamedTuple):
    """PageRank of every node that has an edge, the highest first, and the file that it lies in."""

    ranks: Mapping[int, float]
    homes: Mapping[int, str]
    aside: frozenset[str]  # files that are no landmarks

    def of_files(self) -> dict[str, float]:
        """The rank of each file: the sum of its nodes."""
        found: dict[str, float] = {}
        for node, path in self.homes.items():
            found[path] = found.get(path, 0.0) + self.ranks.get(node, 0.0)
        return found


class ProjectMap(NamedTuple):
    """The files by rank. ``landmarks`` are the definitions, the most central first, up to MOST."""

    files: tuple[MapFile, ...]
    landmarks: tuple[Landmark, ...]
    ranks: Mapping[str, float]
    total: int  # definitions in the index
    freshness: Freshness = UNKNOWN

    def first(self, count: int) -> ProjectMap:
        """The map with the most central definitions only, each with the ones around it."""
        return self._replace(files=drawn(self.landmarks[:count], self.landmarks, self.ranks))

    def lacks(self) -> tuple[str, ...]:
        """What is not on it."""
        shown = sum(len(file.landmarks) for file in self.files)
        if shown >= len(self.landmarks):
            return ()
        return (
            f"{shown:,} of {self.total:,} definitions, in {len(self.files):,} of {len(self.ranks):,} files: "
            "more with a larger --tokens",
        )


def ranked(snapshot: Snapshot) -> Ranks:
    """PageRank of the whole project; uses in tests and the like count a tenth. A second or two for 500,000 edges."""
    arcs = [
        (source, target, KIND_WEIGHTS[kind])
        for source, target, kind, _ in snapshot.arcs(CERTAIN)
        if kind in KIND_WEIGHTS
    ]
    homes = snapshot.homes({node for arc in arcs for node in arc[:2]})
    aside = frozenset(row.path for row in snapshot.files() if row.marks & ASIDE)
    light = {node for node, path in homes.items() if path in aside}
    graph = csr(
        [
            (source, target, weight * ASIDE_SHARE if source in light else weight)
            for source, target, weight in arcs
        ]
    )
    mass = {node: ASIDE_SHARE if node in light else 1.0 for node in graph.nodes}
    found = central(graph, mass)
    order = sorted(homes, key=lambda node: (-round(found.get(node, 0.0), 12), node))
    return Ranks({node: found.get(node, 0.0) for node in order}, {node: homes[node] for node in order}, aside)


def project_map(snapshot: Snapshot, paths: Collection[str] = (), known: Ranks | None = None) -> ProjectMap:
    """The map of the files in the index, or of those in ``paths``; the ranks are those of the whole project.

    ``known`` are the ranks of this very snapshot, where they are at hand.
    """
    ranks = ranked(snapshot) if known is None else known
    shown = {
        path: rank
        for path, rank in ranks.of_files().items()
        if path not in ranks.aside and (not paths or path in paths)
    }
    nodes = (node for node, path in ranks.homes.items() if path in shown)
    symbols = snapshot.nodes(list(islice(nodes, 2 * MOST)))
    kinds = {(one.path, one.index): one.symbol.kind for one in symbols}
    wanted = [
        Landmark(one, ranks.ranks.get(one.id, 0.0))
        for one in symbols
        if one.index != MODULE
        and one.symbol.kind not in LEFT_OUT
        and kinds.get((one.path, one.symbol.container)) not in CODE
    ]
    wanted.sort(key=lambda one: (-round(one.rank, 12), one.symbol.path, one.symbol.symbol.start))
    landmarks = tuple(wanted[:MOST])
    return ProjectMap(drawn(landmarks, landmarks, shown), landmarks, shown, snapshot.counts()["symbols"])


def drawn(
    chosen: Sequence[Landmark], known: Sequence[Landmark], ranks: Mapping[str, float]
) -> tuple[MapFile, ...]:
    """The chosen definitions and those around them, by file and line; the files by rank."""
    by_place = {(one.symbol.path, one.symbol.index): one for one in known}
    files: dict[str, dict[int, Landmark]] = {}
    for one in chosen:
        inside = files.setdefault(one.symbol.path, {})
        around: Landmark | None = one
        while around is not None:
            inside[around.symbol.index] = around
            around = by_place.get((one.symbol.path, around.symbol.symbol.container))
    order = sorted(files, key=lambda path: (-round(ranks.get(path, 0.0), 12), path))
    return tuple(
        MapFile(
            path,
            ranks.get(path, 0.0),
            tuple(sorted(files[path].values(), key=lambda one: one.symbol.symbol.start)),
        )
        for path in order
    )
