"""Other trees than the present one."""

from __future__ import annotations

from pathlib import Path


def place(index: Path) -> Path:
    """Where the rows, postings and vectors of the present tree lie."""
    return index
