"""A tree of digests: a folder's digest is made of its children's, so equal roots mean equal trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

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


class Changes(NamedTuple):
    """What differs between a tree and what is indexed. ``look`` must be read: it is new, or its bytes may differ."""

    look: tuple[SourceEntry, ...] = ()
    deleted: tuple[str, ...] = ()
    unchanged: int = 0
    touched: Mapping[str, Stat] = {}  # unchanged files with other stat data
    stamp: str = ""  # of the listing; "" when a file is so young that equal stamps would prove nothing
    news: bool = False  # nothing has changed, but the next check is cheaper once this one is written down

    @property
    def files(self) -> int:
        """How many files have changed."""
        return len(self.look) + len(self.deleted)

    def __bool__(self) -> bool:
        return bool(self.look or self.deleted)


FINE_GRAIN_NS = 20_000_000
"""Two writes closer than this can have the same time where a file system keeps parts of seconds: it takes the time of
the kernel's last tick, which comes every 1 to 10 ms.
"""
COARSE_GRAIN_NS = 2_000_000_000
"""The same where it keeps whole seconds (ext3, HFS+) or even ones (FAT)."""
_SECOND = 1_000_000_000


def is_young(stat: Stat, began_ns: int) -> bool:
    """Whether a file was last changed so shortly before ``began_ns`` that a later change may leave the same stat data.

    Both times are new after a change, so that the older one decides.
    """
    fine = stat.mtime_ns % _SECOND or stat.ctime_ns % _SECOND
    grain = FINE_GRAIN_NS if fine else COARSE_GRAIN_NS
    return min(stat.mtime_ns, stat.ctime_ns) >= began_ns - grain


def compare(entries: Iterable[SourceEntry], known: Mapping[str, FileRow], indexed_at_ns: int) -> Changes:
    """What must be looked at. ``indexed_at_ns`` is when the run that made the known rows began, by the clock of their
    file system.
    """
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
    return row.stat is not None and row.stat == entry.stat and not is_young(row.stat, indexed_at_ns)
