"""Mending an index, part by part, from what is sound: the rows from the files, all else from the rows."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from trigpoint.stores.local import database, trees, vector_health
from trigpoint.stores.local.checks import ASIDE, leftovers
from trigpoint.stores.local.keys import SHIFT
from trigpoint.stores.local.lock import LOCK, hold
from trigpoint.stores.local.vectors import FOLDER as VECTORS

WAIT_SECONDS = 1.0
"""For another writer: who asks for a repair is told at once what is in its way."""

_PARTS = (*(database.NAME + end for end in ("", "-wal", "-shm", "-journal")), "postings", VECTORS)


@contextmanager
def set_aside(index: Path, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Without the present tree, for as long as it is made anew; it comes back when that fails, and goes when it does not.

    Raises StoreLockedError, and StoreError where nothing can be written.
    """
    here = trees.place(index)
    with hold(index / LOCK, wait_seconds):
        aside = Path(tempfile.mkdtemp(prefix=ASIDE, dir=index))
        _move(here, aside)
    try:
        yield
    except BaseException:
        with hold(index / LOCK, wait_seconds):
            for name in _PARTS:
                _remove(here / name)
            _move(aside, here)
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _move(source: Path, target: Path) -> None:
    for name in _PARTS:
        if (source / name).exists():
            os.replace(source / name, target / name)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def clear(index: Path, wait_seconds: float = WAIT_SECONDS) -> list[str]:
    """Remove what killed runs left; says what."""
    with hold(index / LOCK, wait_seconds):
        found = leftovers(index)
        for path in found:
            _remove(path)
    return [f"{path.relative_to(index).as_posix()} was removed" for path in found]


def forget_vectors(index: Path, wait_seconds: float = WAIT_SECONDS) -> None:
    """Let all vectors be made anew."""
    with hold(index / LOCK, wait_seconds):
        vector_health.start_over(trees.place(index) / VECTORS)


def forget_edges(index: Path, wait_seconds: float = WAIT_SECONDS) -> None:
    """Let the next update link every file, and drop the edges that it would not find any more."""
    here = trees.place(index)
    with (
        hold(index / LOCK, wait_seconds),
        database.translated(here / database.NAME),
        closing(database.open_writer(here)) as rows,
    ):
        rows.execute(f"DELETE FROM edges WHERE source >> {SHIFT} NOT IN (SELECT id FROM files)")
        rows.execute("UPDATE meta SET value = '' WHERE key = 'user:linked'")
