"""A small tree of files on disk for a test."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

Tree = Mapping[str, str | bytes]


def planted(root: Path, tree: Tree) -> Path:
    """The files of a tree on disk, older than any index; returns the root."""
    for name, content in tree.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return root
