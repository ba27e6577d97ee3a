"""Indexes of other trees: what was checked out before is kept whole, so that going back there costs next to nothing.

An index folder holds one tree itself and others in ``trees/NUMBER``, each with its rows, postings and vectors. The file
``tree`` names the present one and is replaced when a generation of another one has been published: a reader finds the
former tree, whole, until then. Whoever calls what writes here holds the lock of the index.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from trigpoint.errors import StoreError
from trigpoint.ports import KeptTree
from trigpoint.stores.local import database

POINTER = "tree"
TREES = "trees"
ITSELF = "."
"""The name of the tree that lies in the index folder itself."""

_POSTINGS, _VECTORS = "postings", "vectors"
_ROWS = tuple(database.NAME + end for end in ("", "-wal", "-shm", "-journal"))
_SECONDS_A_DAY = 86_400.0


class Keep(NamedTuple):
    """How many other trees are kept, for how long after they were last used, and how large they may be together."""

    trees: int = 4
    days: float = 30.0
    bytes: int = 2_000_000_000


KEEP = Keep()


class Limits(NamedTuple):
    """The same of records that left the index: see records.py. 0 bytes for none."""

    days: float = 30.0
    bytes: int = 200_000_000


LIMITS = Limits()


def place(index: Path) -> Path:
    """Where the rows, postings and vectors of the present tree lie."""
    try:
        name = (index / POINTER).read_bytes().decode("ascii")
    except (
        OSError,
        UnicodeDecodeError,
    ):  # without it, or with a damaged one: the update compares what it finds
        return index
    found = index / TREES / name
    return found if name.isdigit() and (found / database.NAME).exists() else index


def kept(index: Path) -> tuple[KeptTree, ...]:
    """The trees beside the present one that can be used, the one that was used last first."""
    here = place(index)
    found = [(_used(folder), _read(folder, index)) for folder in _folders(index) if folder != here]
    return tuple(tree for _, tree in sorted(found, key=lambda one: -one[0]) if tree is not None)


def beside(index: Path) -> tuple[int, int]:
    """How many trees are kept beside the present one, and their bytes."""
    here = place(index)
    sizes = [_size(folder) for folder in _folders(index) if folder != here]
    return len(sizes), sum(sizes)


def folder_of(index: Path, name: str) -> Path:
    """Where a tree lies."""
    return index if name == ITSELF else index / TREES / name


def next_folder(index: Path) -> Path:
    """Where the next tree will lie."""
    numbers = [int(path.name) for path in (index / TREES).glob("*") if path.name.isdigit()]
    return index / TREES / str(max(numbers, default=0) + 1)


def copied(index: Path) -> Path:
    """A new tree that holds what the present one does. Raises StoreError when there is no room for it."""
    here = place(index)
    there = next_folder(index)
    unfinished = there.with_name(there.name + ".new")
    try:
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        _copy_rows(here, unfinished)
        if (here / _POSTINGS).exists():
            shutil.copytree(here / _POSTINGS, unfinished / _POSTINGS, copy_function=_share)
        if (here / _VECTORS).exists():
            shutil.copytree(here / _VECTORS, unfinished / _VECTORS)  # its files grow in place
        unfinished.rename(there)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise StoreError(f"the index {here} cannot be copied: {error}", "free some space") from error
    return there


def turn(index: Path, folder: Path) -> None:
    """Make the tree in this folder the present one."""
    former = place(index)
    fresh = index / (POINTER + ".new")
    fresh.write_text(ITSELF if folder == index else folder.name)
    os.replace(fresh, index / POINTER)
    with suppress(OSError):
        os.utime(former / database.NAME)  # when it was last used


def forget(index: Path, keep: Keep, now: float) -> tuple[str, ...]:
    """Remove the trees that are not to be kept any longer, least lately used first; says which.

    ``now`` is in seconds since 1970. What a killed process left half made goes too.
    """
    here, gone, total = place(index), [], 0
    for path in (index / TREES).glob("*.new"):
        shutil.rmtree(path, ignore_errors=True)
    folders = sorted((one for one in _folders(index) if one != here), key=_used, reverse=True)
    for number, folder in enumerate(folders):
        total += _size(folder)
        old = now - _used(folder) > keep.days * _SECONDS_A_DAY
        if number >= keep.trees or old or total > keep.bytes:
            _remove(folder, index)
            gone.append(ITSELF if folder == index else folder.name)
    return tuple(gone)


def _folders(index: Path) -> Iterator[Path]:
    for folder in (index, *sorted((index / TREES).glob("*"))):
        if (folder / database.NAME).exists() and (folder == index or folder.name.isdigit()):
            yield folder


def _used(folder: Path) -> float:
    try:
        return os.stat(folder / database.NAME).st_mtime
    except OSError:
        return 0.0


def _read(folder: Path, index: Path) -> KeptTree | None:
    """What the rows say of their tree; None when they cannot be used."""
    try:
        connection = database.open_reader(folder)
    except StoreError:
        return None
    if connection is None:
        return None
    try:
        rows = dict(connection.execute("SELECT key, value FROM meta WHERE key LIKE 'user:%'").fetchall())
    except sqlite3.DatabaseError:
        return None
    finally:
        connection.close()
    meta = {key.removeprefix("user:"): value for key, value in rows.items()}
    return KeptTree(ITSELF if folder == index else folder.name, meta)


def _copy_rows(here: Path, there: Path) -> None:
    """By SQLite's own means: pages that are still in the journal come along."""
    with database.translated(here / database.NAME):
        source = database.open_reader(here)
        if source is None:
            return
        target = sqlite3.connect(there / database.NAME)
        try:
            source.backup(target)
        finally:
            target.close()
            source.close()


def _share(source: str, target: str) -> None:
    """Segments are never written again, so that two trees may have one; what is replaced by name is copied."""
    if source.endswith(".lock"):
        return
    if not source.endswith(".json"):
        with suppress(OSError):
            os.link(source, target)
            return
    shutil.copyfile(source, target)


def _size(folder: Path) -> int:
    """Bytes of its rows, postings and vectors."""
    parts = [str(folder / database.NAME)]
    for part in (_POSTINGS, _VECTORS):
        for inside, _, names in os.walk(folder / part):  # which passes over what goes meanwhile
            parts += [os.path.join(inside, name) for name in names]
    total = 0
    for path in parts:
        with suppress(OSError):
            total += os.stat(path).st_size
    return total


def _remove(folder: Path, index: Path) -> None:
    """A reader that still has it open keeps it; where that prevents removing it, the next time will do."""
    if folder != index:
        shutil.rmtree(folder, ignore_errors=True)
        return
    for name in _ROWS:
        with suppress(OSError):
            (folder / name).unlink()
    for name in (_POSTINGS, _VECTORS):
        shutil.rmtree(folder / name, ignore_errors=True)
