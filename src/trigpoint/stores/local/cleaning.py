"""Removing an index on request: only files that are known to be ours, and only while nobody writes."""

from __future__ import annotations

import shutil
from pathlib import Path

from trigpoint.errors import StoreError
from trigpoint.model import ANSWERS
from trigpoint.stores.local import database, derived
from trigpoint.stores.local.lock import LOCK, hold
from trigpoint.stores.local.records import FILES as RECORDS
from trigpoint.stores.local.trees import POINTER, TREES, place
from trigpoint.stores.local.vectors import FOLDER as VECTORS

_ROWS = (database.NAME, database.NAME + "-wal", database.NAME + "-shm", database.NAME + "-journal")
_FOLDERS = ("postings", VECTORS, TREES)


def remove(folder: Path, *, nested: bool = False) -> tuple[str, ...]:
    """See ``remove`` of the package."""
    if nested:
        found = {path.parent for path in folder.rglob(database.NAME)}
        folders = sorted({path.parent.parent if path.parent.name == TREES else path for path in found})
    else:
        folders = [folder] if (place(folder) / database.NAME).exists() else []
    for each in folders:
        _remove(each)
    return tuple(map(str, folders))


def _remove(folder: Path) -> None:
    try:
        with hold(folder / LOCK, 0.0):
            for name in (*_ROWS, POINTER, *derived.FILES, *RECORDS, ANSWERS):
                (folder / name).unlink(missing_ok=True)
            for name in _FOLDERS:
                if (folder / name).exists():
                    shutil.rmtree(folder / name)
        (folder / LOCK).unlink(missing_ok=True)
        if not any(folder.iterdir()):
            folder.rmdir()
    except OSError as error:
        raise StoreError(
            f"the index {folder} cannot be removed: {error}", "check who may write its folder"
        ) from error
