"""A tree of digests: a folder's digest is made of its children's, so equal roots mean equal trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from trigpoint.model import FileRow, SourceEntry, Stat

Node = dict[str, "Node | str"]


def root_of(digests: Mapping[str, str]) -> str:
    """The digest of the tree that these files (path -> digest of the content) make, hex; "" for no files."""
    if not digests:
        return ""
    tree: Node = {}
    for path, digest in digests.items():
        *folders, name = path.split("/")
        node = tree
        for folder in folders:
            below = node.setdefault(folder + "/", {})
            assert isinstance(below, dict)
            node = below
        node[name] = digest
    return _digest(tree)


def _digest(node: Node) -> str:
    total = sha256()
    for name in sorted(node):
        below = node[name]
        value = below if isinstance(below, str) else _digest(below)
        total.update(f"{name}\0{value}\0".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


@dataclass(frozen=True, slots=True)
class Changes:
    """How a listing differs from what is indexed. ``look`` must be read to know: new, or other stat data."""

    look: tuple[SourceEntry, ...]
    deleted: tuple[str, ...]
    unchanged: int

    def __len__(self) -> int:
        return len(self.look) + len(self.deleted)


RACY_NS = 2_000_000_000
"""A file written this close to the time of indexing may change again within the timestamp's grain (git's racy rule)."""


def compare(entries: Iterable[SourceEntry], known: Mapping[str, FileRow], indexed_at_ns: int) -> Changes:
    """What must be looked at. ``indexed_at_ns`` is when the known rows were read, by the clock of their file system."""
    look: list[SourceEntry] = []
    seen = 0
    left = set(known)
    for entry in entries:
        left.discard(entry.path)
        if _same(entry, known.get(entry.path), indexed_at_ns):
            seen += 1
        else:
            look.append(entry)
    return Changes(tuple(look), tuple(sorted(left)), seen)


def _same(entry: SourceEntry, row: FileRow | None, indexed_at_ns: int) -> bool:
    if row is None:
        return False
    if entry.refused is not None:
        return row.outcome == entry.refused
    return row.stat is not None and row.stat == entry.stat and not _racy(row.stat, indexed_at_ns)


def _racy(stat: Stat, indexed_at_ns: int) -> bool:
    return stat.mtime_ns >= indexed_at_ns - RACY_NS
