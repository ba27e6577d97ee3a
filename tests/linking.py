"""Trees as text, linked, and the edges as lines that a person can read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from textwrap import dedent

from trigpoint.indexing.link import link
from trigpoint.indexing.record import outline_of
from trigpoint.indexing.run import Options, update
from trigpoint.languages import detect
from trigpoint.model import MODULE, Edge, Outline
from trigpoint.ports import Snapshot, Store
from trigpoint.sources.memory import MemorySource

Tree = Mapping[str, str]


def tree(text: str) -> dict[str, str]:
    """Files from one text: each begins with a line ``# path`` whose last part has a dot."""
    found: dict[str, str] = {}
    path = ""
    for line in dedent(text).strip("\n").split("\n"):
        head, _, name = line.partition(" ")
        if head in ("#", "//", "--") and "." in name.rpartition("/")[2] and " " not in name:
            path = name
            found[path] = ""
        else:
            found[path] += line + "\n"
    return found


def linked(files: Tree, marks: Mapping[str, Collection[str]] | None = None) -> list[Edge]:
    """The edges of a tree."""
    known: dict[str, tuple[str, frozenset[str], Outline]] = {}
    for path, text in files.items():
        language = detect(path, text)
        known[path] = (language, frozenset((marks or {}).get(path, ())), outline_of(text, language, path))
    languages = {path: one[0] for path, one in known.items()}
    return [
        edge for _, edges in link(languages, known.get, lambda path: files.get(path, "")) for edge in edges
    ]


def lines(files: Tree, kinds: Collection[str] = ("calls",), least: float = 0.8) -> list[str]:
    """Edges as ``path:line caller -> callee in path`` (in path left out within one file), in order."""
    names = {path: outline_of(text, detect(path, text), path).symbols for path, text in files.items()}

    def name(path: str, index: int) -> str:
        return names[path][index].qualified if index != MODULE else "<module>"

    found = []
    for edge in linked(files):
        if edge.kind in kinds and edge.confidence >= least:
            where = f" in {edge.target_path}" if edge.target_path != edge.path else ""
            source, target = name(edge.path, edge.source), name(edge.target_path, edge.target)
            found.append(f"{edge.path}:{edge.line} {source} -> {target}{where}")
    return sorted(found)


def ways(files: Tree, kinds: Collection[str] = ("calls",)) -> dict[int, str]:
    """line -> how its last edge was resolved, over all files."""
    return {edge.line: edge.resolved_by for edge in linked(files) if edge.kind in kinds}


def index(store: Store, files: Mapping[str, str | bytes]) -> Snapshot:
    """Bring a store up to a tree and read it."""
    update(MemorySource(files), store, Options())
    return store.snapshot()


def dump(snapshot: Snapshot) -> list[tuple[object, ...]]:
    """Every edge with the names of its ends."""
    names = {
        row.path: [one.symbol.qualified for one in snapshot.symbols_of(row.path)] for row in snapshot.files()
    }
    return [
        (
            edge.path,
            names[edge.path][edge.source] if edge.source != MODULE else "",
            edge.target_path,
            names[edge.target_path][edge.target] if edge.target != MODULE else "",
            edge.target,
            *edge[4:],
        )
        for edge in snapshot.edges()
    ]


def sites(
    snapshot: Snapshot, path: str, qualified: str, kinds: tuple[str, ...] = ("calls",)
) -> Iterator[tuple[str, str, int]]:
    """(path, caller, line) of each sure edge that reaches a symbol."""
    nodes = [one.id for one in snapshot.symbols_of(path) if one.symbol.qualified == qualified]
    edges = snapshot.edges_to(nodes, kinds, 0.8)
    callers = {one.id: one for one in snapshot.nodes([edge.source for edge in edges])}
    for edge in edges:
        caller = callers[edge.source]
        yield caller.path, caller.symbol.qualified if caller.index != MODULE else "<module>", edge.line
