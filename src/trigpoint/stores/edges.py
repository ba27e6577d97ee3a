"""Edges in plain dictionaries, for the store in memory: slow and obvious."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trigpoint.model import MODULE, Edge, FileRecord, Outline, StoredEdge, StoredSymbol, Symbol
from trigpoint.ports import Link

_SHIFT = 20
_TOP = (1 << _SHIFT) - 1

_Name = tuple[str, int] | None
"""A symbol by its qualified name and its number among its namesakes; None is the top of a file."""


class Kept(NamedTuple):
    """An edge, and the name by which its target is found again in a newer record."""

    edge: Edge
    target: _Name

    def link(self) -> Link:
        """The same for the seam."""
        return Link(self.edge.source, self.edge.line, self.edge.column, (self,))


def taken(link: Link) -> Kept:
    """A kept edge again, where it now leaves its file."""
    kept: Kept = link.rest[0]
    return kept._replace(edge=kept.edge._replace(source=link.source, line=link.line, column=link.column))


def keep(edges: Sequence[Edge], outlines: Mapping[str, Outline]) -> tuple[Kept, ...]:
    """Edges with the names of their targets; those of unknown targets are left out."""
    names: dict[str, list[_Name]] = {}
    found: dict[tuple[object, ...], Kept] = {}
    for edge in edges:
        outline = outlines.get(edge.target_path)
        if outline is None or edge.target >= len(outline.symbols) or edge.kind == "contains":
            continue
        if edge.target_path not in names:
            names[edge.target_path] = [*_names(outline), None]
        key = (edge.source, edge.line, edge.column, edge.kind, edge.target_path, edge.target)
        found.setdefault(key, Kept(edge, names[edge.target_path][edge.target]))
    return tuple(found.values())


def _names(outline: Outline) -> list[_Name]:
    seen: dict[str, int] = {}
    found: list[_Name] = []
    for symbol in outline.symbols:
        number = seen[symbol.qualified] = seen.get(symbol.qualified, -1) + 1
        found.append((symbol.qualified, number))
    return found


class Edges:
    """The edges of one state."""

    def __init__(
        self, files: Mapping[str, tuple[int, FileRecord]], kept: Mapping[str, Sequence[Kept]]
    ) -> None:
        self._files = files
        self._paths = {number: path for path, (number, _) in files.items()}
        names = {path: _places(record.outline) for path, (_, record) in files.items()}
        self._edges = [
            edge._replace(target=names[edge.target_path][target])
            for path in files
            for edge, target in kept.get(path, ())
            if target in names.get(edge.target_path, {})
        ]

    def node(self, path: str, index: int) -> int:
        """The node of a symbol or of the top of a file; 0 when unknown."""
        if path not in self._files:
            return 0
        number, record = self._files[path]
        if not MODULE <= index < len(record.outline.symbols):
            return 0
        return (number << _SHIFT) + (_TOP if index == MODULE else index)

    def nodes(self, ids: Sequence[int]) -> list[StoredSymbol]:
        """Symbols and tops of files by node."""
        return [found for one in ids if (found := self._symbol(one)) is not None]

    def paths_of(self, ids: Iterable[int]) -> list[str]:
        """The files of nodes, in order of the files."""
        numbers = {one >> _SHIFT for one in ids}
        return [path for path, (number, _) in self._files.items() if number in numbers]

    def leaving(self, ids: Sequence[int], kinds: Sequence[str], least: float) -> list[StoredEdge]:
        """Edges that leave nodes."""
        wanted = set(ids)
        found = [edge for edge in self._stored(kinds, least) if edge.source in wanted]
        return sorted(found, key=lambda one: (one.source, one.line, one.column, one.kind, one.target))

    def reaching(self, ids: Sequence[int], kinds: Sequence[str], least: float) -> list[StoredEdge]:
        """Edges that reach nodes."""
        wanted = set(ids)
        found = [edge for edge in self._stored(kinds, least) if edge.target in wanted]
        return sorted(found, key=lambda one: (one.target, one.source, one.line, one.column, one.kind))

    def all(self) -> Iterator[Edge]:
        """Every edge by path, line and column."""
        order = {path: place for place, path in enumerate(self._files)}
        yield from sorted(
            self._edges,
            key=lambda one: (
                order[one.path],
                one.line,
                one.column,
                one.kind,
                one.target_path,
                one.target,
                one.source,
            ),
        )

    def arcs(self, least: float) -> Iterator[tuple[int, int, str, float]]:
        """Ends, kind and confidence of every edge that is at least that sure."""
        for edge in self._stored((), least):
            if edge.kind != "contains":
                yield edge.source, edge.target, edge.kind, edge.confidence

    def _stored(self, kinds: Sequence[str], least: float) -> Iterator[StoredEdge]:
        for edge in (*self._edges, *self._contained()):
            if (not kinds or edge.kind in kinds) and edge.confidence >= least:
                source = self.node(edge.path, edge.source)
                target = self.node(edge.target_path, edge.target)
                yield StoredEdge(source, target, *edge[4:])

    def _contained(self) -> Iterator[Edge]:
        for path, (_, record) in self._files.items():
            for index, symbol in enumerate(record.outline.symbols):
                place = symbol.name_line, symbol.name_column
                yield Edge(path, symbol.container, path, index, "contains", 1.0, *place, "contains")

    def homes(self, ids: Iterable[int]) -> dict[int, str]:
        """The path of the file that each node lies in."""
        return {one: self._paths[one >> _SHIFT] for one in ids if one >> _SHIFT in self._paths}

    def _symbol(self, node: int) -> StoredSymbol | None:
        path = self._paths.get(node >> _SHIFT)
        if path is None:
            return None
        record = self._files[path][1]
        index = node & _TOP
        if index == _TOP:
            name = path.rpartition("/")[2]
            top = Symbol(name, path, "file", 1, max(record.lines, 1), 1, 0)
            return StoredSymbol(node, path, record.language, top, MODULE)
        symbols = record.outline.symbols
        return (
            StoredSymbol(node, path, record.language, symbols[index], index) if index < len(symbols) else None
        )


def _places(outline: Outline) -> dict[_Name, int]:
    return {**{name: index for index, name in enumerate(_names(outline))}, None: MODULE}


class EdgeQuestions(ABC):
    """The questions of ports.Snapshot that edges alone answer."""

    @property
    @abstractmethod
    def _graph(self) -> Edges: ...

    def node(self, path: str, index: int = MODULE) -> int:
        """The node of a symbol or of the top of a file."""
        return self._graph.node(path, index)

    def nodes(self, ids: Sequence[int]) -> Sequence[StoredSymbol]:
        """Symbols and tops of files by node, in the order asked."""
        return self._graph.nodes(ids)

    def paths_of(self, ids: Iterable[int]) -> Sequence[str]:
        """The files that these nodes lie in, each once, sorted."""
        return self._graph.paths_of(ids)

    def homes(self, ids: Iterable[int]) -> Mapping[int, str]:
        """The path of the file that each node lies in."""
        return self._graph.homes(ids)

    def edges_from(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> Sequence[StoredEdge]:
        """Edges that leave these nodes."""
        return self._graph.leaving(ids, kinds, least)

    def edges_to(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> Sequence[StoredEdge]:
        """Edges that reach these nodes."""
        return self._graph.reaching(ids, kinds, least)

    def edges(self) -> Iterator[Edge]:
        """Every edge but ``contains``, by path, line and column."""
        return self._graph.all()

    def arcs(self, least: float = 0.0) -> Iterator[tuple[int, int, str, float]]:
        """Ends, kind and confidence of every edge but ``contains``."""
        return self._graph.arcs(least)
