"""Waiting for a moment of another process, however busy the machine is: conditions, not times."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from trigpoint.stores.local.lock import LOCK, is_held

PATIENCE = 120.0
"""Seconds until a test gives up: a condition that holds on an idle machine at once may take long on one that is not."""


def hears_ctrl_c() -> None:
    """For ``preexec_fn``: a shell lets what it runs in the background ignore Ctrl-C, and all that comes of it too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def until(condition: Callable[[], object], what: str) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def until_it_writes(process: subprocess.Popen, caches: Path) -> None:
    """Wait until an index somewhere below this folder is being written, or the process has ended."""

    def writes() -> bool:
        return process.poll() is not None or any(is_held(lock) for lock in caches.rglob(LOCK))

    until(writes, "nothing is written")
