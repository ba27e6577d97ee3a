"""Uses of a name that lead nowhere: what a list of callers must not be silent about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from trigpoint.graph.relation import Site, Unresolved
from trigpoint.model import Reference, StoredSymbol
from trigpoint.ports import Snapshot

FILES = 40
"""Files that are looked at: a name that more of them use is common, and the count is said to be a least one."""
SHOWN = 3
_USES = frozenset({"call", "new", "macro", "decorator"})
_KINDS = ("calls", "references", "inherits", "implements")
_LAST = re.compile(r"[^\s.:>#/\\]+\Z")


def unresolved(name: str, targets: Sequence[StoredSymbol], snapshot: Snapshot) -> Unresolved:
    """The calls of a name, in files that use it, from which no edge leads anywhere."""
    simple = targets[0].symbol.name if targets else _simple(name)
    if not simple or (targets and targets[0].symbol.kind == "file"):
        return Unresolved()
    paths = snapshot.files_referring(simple, FILES + 1)
    sites = [site for path in paths[:FILES] for site in _sites(path, simple, snapshot)]
    return Unresolved(simple, len(sites), len(paths) <= FILES, tuple(sites[:SHOWN]))


def _simple(name: str) -> str:
    match = _LAST.search(name.strip().removesuffix("()"))
    return match[0] if match else ""


def _sites(path: str, name: str, snapshot: Snapshot) -> Iterator[Site]:
    uses = [one for one in snapshot.references_of(path) if one.name == name and one.kind in _USES]
    if not uses:
        return
    scopes = {scope: snapshot.node(path, scope) for scope in {one.scope for one in uses}}
    edges = snapshot.edges_from([node for node in scopes.values() if node], _KINDS)
    known = {(edge.source, edge.line, edge.column) for edge in edges}
    for use in uses:
        if not _leads(use, scopes[use.scope], known):
            yield Site(path, use.line, use.column)


def _leads(use: Reference, node: int, known: set[tuple[int, int, int]]) -> bool:
    return (node, use.line, use.column) in known
