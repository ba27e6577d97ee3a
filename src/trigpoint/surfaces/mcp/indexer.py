"""Indexing in a process of its own: calls are answered meanwhile at full speed, and it ends when the server does.

The server writes the root and the settings as one line of JSON to its standard input and keeps that open; the child writes one
line of JSON a progress event and one at the end.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from trigpoint.model import Progress

START = "import sys; sys.path.insert(0, sys.argv[1]); from trigpoint.surfaces.mcp.indexer import main; main()"
PACKAGE_FOLDER = str(Path(__file__).parents[3])
LAST_SECONDS = 3.0
"""For publishing what is done when the server ends: sessions too short for a whole index add up to one."""
EVERY_SECONDS = 0.2
"""Between two progress lines of one phase."""


class Indexing(NamedTuple):
    """How far a run is. ``error`` says why it failed."""

    phase: str = "start"
    done: int = 0
    total: int = 0
    ended: bool = False
    error: str = ""

    def __str__(self) -> str:
        share = f" ({100 * self.done // self.total} %)" if self.total else ""
        of = f" of {self.total:,}" if self.total else ""
        return f"{self.phase} {self.done:,}{of} files{share}" if self.done else self.phase


class Run:
    """One indexing process, watched by a thread."""

    def __init__(self, root: Path, settings: dict[str, Any]) -> None:
        self.state = Indexing()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, PACKAGE_FOLDER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdin is not None
        order = json.dumps({"root": os.fsdecode(root), "settings": settings})
        self._process.stdin.write(order.encode() + b"\n")
        self._process.stdin.flush()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as told:
            for line in told:
                self.state = Indexing(**json.loads(line))
        code = self._process.wait()
        if not self.state.ended:
            self.state = self.state._replace(ended=True, error=self.state.error or f"it ended with {code}")

    def stop(self) -> None:
        """End the process, which publishes what it has first, if it can do so soon: the next run goes on from there."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(LAST_SECONDS + 1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._thread.join(LAST_SECONDS)


class _Teller:
    """Writes progress events as lines, not more often than a reader can use."""

    def __init__(self) -> None:
        self._phase = ""
        self._told = 0.0

    def __call__(self, event: Progress) -> None:
        now = time.monotonic()
        if event.phase == self._phase and now - self._told < EVERY_SECONDS:
            return
        self._phase, self._told = event.phase, now
        tell(Indexing(event.phase, event.done, event.total))


def tell(state: Indexing) -> None:
    """One line for the server, if it is still there."""
    with suppress(OSError):
        sys.stdout.write(json.dumps(state._asdict()) + "\n")
        sys.stdout.flush()


def _end_with_server() -> None:
    """A first interrupt publishes what is done; what takes longer is given up."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(LAST_SECONDS)
    os._exit(0)


def main() -> None:
    """Index as the first line of standard input says, and end when that is closed."""
    from trigpoint.config import load
    from trigpoint.engine import Engine
    from trigpoint.errors import TrigpointError

    order = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_server, daemon=True).start()
    root = Path(order["root"])
    try:
        os.nice(5)  # whoever waits for an answer comes first
        with Engine(root, load(root, order["settings"])) as engine:
            report = engine.index(progress=_Teller())
        note = report.note if not report.chunks else ""
        tell(Indexing("done", report.files, report.files, ended=True, error=note))
    except TrigpointError as error:
        tell(Indexing(ended=True, error=error.message))
    except KeyboardInterrupt:  # the server is gone, and there was nothing to publish
        pass
    os._exit(0)
