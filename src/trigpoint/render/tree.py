"""The tree of digests and how two of them differ, for programs and for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trigpoint.render.json import place_of
from trigpoint.render.style import Look, visible_path

if TYPE_CHECKING:
    from trigpoint.indexing.tree import TreeDifference, TreeFile, TreeState

Object = dict[str, Any]

FORMAT = 1
"""Grows when a reader of an older one would take a tree for another."""


def exported(state: TreeState, version: str) -> Object:
    """The whole tree: what `trig tree diff` reads. ``version`` is that of the package."""
    from trigpoint.indexing.merkle import folders_of

    tree = state.tree
    return {
        "tree": FORMAT,
        "version": version,
        "settings": state.settings,
        "root": tree.digest,
        "head": state.head,
        "branch": state.branch,
        "generation": state.generation,
        "indexed_at_ns": state.indexed_at_ns,
        "folders": [{**place_of(path), "digest": digest} for path, digest in folders_of(tree)],
        "files": [_file(file) for file in state.files],
    }


def _file(file: TreeFile) -> Object:
    return {
        **place_of(file.path),
        "digest": file.digest,
        "bytes": file.size,
        "mtime_ns": file.mtime_ns,
        "level": file.level,
        "reason": file.reason,
    }


def differing(found: TreeDifference) -> Object:
    """How two trees differ."""
    files = found.files
    return {
        "before": found.before,
        "after": found.after,
        "added": list(map(place_of, files.added)),
        "modified": list(map(place_of, files.modified)),
        "deleted": list(map(place_of, files.deleted)),
        "renamed": [{"from": place_of(old), "to": place_of(new)} for old, new in files.renamed],
        "unchanged": files.unchanged,
        "unread": found.unread,
    }


def differences(found: TreeDifference, look: Look) -> str:
    """The same, one path a line, as git writes a short status."""
    files = found.files
    rows = [
        *((path, "A", visible_path(path)) for path in files.added),
        *((path, "M", visible_path(path)) for path in files.modified),
        *((path, "D", visible_path(path)) for path in files.deleted),
        *((new, "R", f"{visible_path(old)} -> {visible_path(new)}") for old, new in files.renamed),
    ]
    return "".join(f"{look.paint(letter, 'bold')} {shown}\n" for _, letter, shown in sorted(rows))
