"""One writer at a time: a lock of the operating system on a file, which ends with the process that holds it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trigpoint.errors import StoreError, StoreLockedError

LOCK = "writer.lock"
"""The name of the lock file in the folder of an index."""

_POLL_SECONDS = 0.05


@contextmanager
def hold(path: Path, wait_seconds: float) -> Iterator[None]:
    """Hold the lock of this file; create the file if needed.

    Raises StoreLockedError when another holds it for longer than ``wait_seconds``, StoreError when the folder cannot
    be written.
    """
    handle = _open(path)
    try:
        _acquire(handle, path, time.monotonic() + wait_seconds)
        try:
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
            yield
        finally:
            _unlock(handle)
    finally:
        os.close(handle)


def is_held(path: Path) -> bool:
    """Whether some process, this one included, holds the lock now."""
    try:
        handle = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        if _lock(handle):
            _unlock(handle)
            return False
        return True
    finally:
        os.close(handle)


def _open(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    except OSError as error:
        raise StoreError(
            f"the index {path.parent} cannot be written: {error.strerror}",
            "it can still be searched; to update it, make the folder writable or choose another with --index-dir",
        ) from error


def _acquire(handle: int, path: Path, deadline: float) -> None:
    while not _lock(handle):
        if time.monotonic() >= deadline:
            raise StoreLockedError(
                f"another process{_holder(handle)} is writing the index {path.parent}",
                "wait until it is done; searches go on meanwhile",
            )
        time.sleep(_POLL_SECONDS)


def _holder(handle: int) -> str:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        number = os.read(handle, 20).decode("ascii", "replace").strip()
    except OSError:
        return ""
    return f" ({number})" if number.isdigit() else ""


if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30  # the locked byte lies beyond the text, so that the number stays readable

    def _lock(handle: int) -> bool:
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
