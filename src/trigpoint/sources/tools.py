"""Folders that belong to a tool and never to the tree."""

from __future__ import annotations

VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".jj", ".bzr", ".trigpoint"})
"""Folders (``.git`` also as a file) that belong to a tool and never to the tree."""


def without_version_control(paths: list[str]) -> list[str]:
    """The paths that have no folder of a version control tool in them."""
    blob = "\0".join(paths)
    if not any(
        name in blob for name in (".hg", ".svn", ".jj", ".bzr", ".trigpoint")
    ):  # git itself never lists .git
        return paths
    return [path for path in paths if VERSION_CONTROL.isdisjoint(path.split("/"))]
