"""Texts as word numbers, in training exactly as in the product: this only wraps trigpoint.embedders.words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The pairs of a file."""
    with open(path) as file:
        for line in file:
            yield json.loads(line)


def is_validation(package: str) -> bool:
    """Whether a package is kept for early stopping: one in 40, by its name."""
    import zlib

    return zlib.crc32(package.encode()) % 40 == 7
