"""What lies beside an index, counted."""

from __future__ import annotations

from pathlib import Path

from trigpoint.model import KeptBeside
from trigpoint.stores.local import records, trees


def kept_beside(index: Path) -> KeptBeside | None:
    """What is kept for when it comes back; None for nothing."""
    found = KeptBeside(*trees.beside(index), records.count(index), records.size(index))
    return found if found.trees or found.records else None
