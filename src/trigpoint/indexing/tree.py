"""The state of a tree as it was indexed: what can be written down, carried elsewhere and compared."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from trigpoint.indexing.freshness import SETTINGS, TIME
from trigpoint.indexing.merkle import Difference, Folder, differences, tree_of
from trigpoint.model import FileRow
from trigpoint.ports import Snapshot


class TreeFile(NamedTuple):
    """A file of a tree. What was not read has no digest, and is told apart by its size alone."""

    path: str
    digest: str
    size: int
    mtime_ns: int  # 0 where it is unknown
    level: str
    reason: str


class TreeState(NamedTuple):
    """A whole tree, files sorted by path."""

    files: tuple[TreeFile, ...]
    head: str = ""
    branch: str = ""
    generation: int = 0
    indexed_at_ns: int = 0
    settings: str = ""  # what the records were made with: settings, and the version of each language

    @property
    def tree(self) -> Folder:
        """The tree of digests of the files that were read."""
        return tree_of({file.path: file.digest for file in self.files if file.digest})


class TreeDifference(NamedTuple):
    """How two states differ."""

    before: str  # digests of the roots
    after: str
    files: Difference
    unread: int  # files without a digest on either side, compared by their size


def state_of(snapshot: Snapshot, head: str, branch: str) -> TreeState:
    """The state that a snapshot was made from."""
    return TreeState(
        tuple(map(_file, snapshot.files())),
        head,
        branch,
        snapshot.generation,
        int(snapshot.meta(TIME) or 0),
        snapshot.meta(SETTINGS),
    )


def _file(row: FileRow) -> TreeFile:
    mtime_ns = row.stat.mtime_ns if row.stat is not None else 0
    return TreeFile(row.path, row.digest, row.size, mtime_ns, row.outcome.level.value, row.outcome.reason)


def compare_states(before: TreeState, after: TreeState) -> TreeDifference:
    """What happened between two states; only folders whose digests differ are looked into."""
    first, second = before.tree, after.tree
    read = differences(first, second)
    old, new = _unread(before.files), _unread(after.files)
    known = {file.path for file in before.files}, {file.path for file in after.files}
    both = old.keys() & new.keys()
    resized = [path for path in both if old[path] != new[path]]
    was_read = {file.path for file in before.files if file.digest}
    now_read = {file.path for file in after.files if file.digest}
    turned = {path for path in known[0] & known[1] if (path in was_read) != (path in now_read)}
    merged = Difference(
        _sorted(set(read.added) - turned, new.keys() - known[0]),
        _sorted(read.modified, resized, turned),
        _sorted(set(read.deleted) - turned, old.keys() - known[1]),
        read.renamed,
        read.unchanged + len(both) - len(resized),
    )
    return TreeDifference(first.digest, second.digest, merged, len(old.keys() | new.keys()))


def _unread(files: Iterable[TreeFile]) -> Mapping[str, int]:
    return {file.path: file.size for file in files if not file.digest}


def _sorted(*parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({path for part in parts for path in part}))
