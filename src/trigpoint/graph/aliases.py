"""Names that live only in import statements: ``np``, ``import x as C``, ``export { a as b }``. They mean what is imported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.model import Import, StoredSymbol
from trigpoint.ports import Snapshot

FILES = 60
"""Files whose imports are looked at: an alias that more use is the same one nearly everywhere."""


class Alias(NamedTuple):
    """Where a name is bound by an import, and the definitions that it stands for there; none when they lie outside."""

    path: str
    item: Import
    targets: tuple[StoredSymbol, ...]


def aliases(name: str, snapshot: Snapshot) -> list[Alias]:
    """The imports that bind a name which is not that of what they lead to, each meaning once, by path and line.

    The name may have been given further on, where a module exports it: ``export { a as b }``.
    """
    found: dict[object, Alias] = {}
    for path in snapshot.files_referring(name, FILES):
        for item in snapshot.imports_of(path):
            if name not in (item.alias, item.name):
                continue
            targets = tuple(one for one in _targets(path, item, snapshot) if one.symbol.name != name)
            if targets or (item.alias == name and name not in (item.name, item.module)):
                meaning = tuple(one.id for one in targets) or (item.module, item.name)
                found.setdefault(meaning, Alias(path, item, targets))
    return list(found.values())


def _targets(path: str, item: Import, snapshot: Snapshot) -> Iterator[StoredSymbol]:
    """What the edges of an import lead to: of ``from m import a as b`` the definition, not the module."""
    node = snapshot.node(path, item.scope)
    edges = [edge for edge in snapshot.edges_from([node], ("imports",)) if edge.line == item.line]
    reached = snapshot.nodes(list(dict.fromkeys(edge.target for edge in edges)))
    beside = {one.name for one in snapshot.imports_of(path) if one.line == item.line and one != item}
    named = [one for one in reached if one.symbol.name == item.name]
    other = [one for one in reached if one.symbol.kind != "file" and one.symbol.name not in beside]
    yield from (
        named or other or [one for one in reached if one.symbol.kind == "file" and _is_module(one.path, item)]
    )


def _is_module(path: str, item: Import) -> bool:
    """Whether a file is what the import names last."""
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    stem = parts[-1].partition(".")[0]
    last = [
        part for part in (item.name or item.module).replace("/", ".").replace("::", ".").split(".") if part
    ][-1:]
    return last in ([stem], parts[-2:-1])
