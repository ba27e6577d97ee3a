"""A running `trig watch` for tests: its events as they come."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from cases_runner import Trig
from moments import PATIENCE, hears_ctrl_c, until


class Watch:
    """The process, and its events in a queue."""

    def __init__(self, trig: Trig, *flags: str) -> None:
        self.trig = trig
        self.process = subprocess.Popen(
            trig.line("watch", "--jsonl", *flags),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=hears_ctrl_c,
        )
        self._events: queue.Queue[dict[str, Any]] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._events.put(json.loads(line))

    def event(self, kind: str) -> dict[str, Any]:
        """The next event, which must be of this kind."""
        return self.event_of(kind)

    def event_of(self, *kinds: str) -> dict[str, Any]:
        """The next event, which must be of one of these kinds."""
        found = self._events.get(timeout=PATIENCE)
        assert found["type"] in kinds, found
        return found

    def quiet(self, seconds: float) -> None:
        """Nothing may be said for so long."""
        time.sleep(seconds)
        assert self._events.empty(), self._events.get()

    def settled(self) -> None:
        """Wait until the index is up to the tree; on a machine that does nothing else that may take 5 s."""
        before = self._cpu_seconds()
        until(lambda: self.trig.ask("status", "--json").json["state"] == "ready", "the watch does not follow")
        assert self._cpu_seconds() - before < 5.0

    def _cpu_seconds(self) -> float:
        """What the process has used so far; 0 where the system does not tell."""
        try:
            told = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return sum(map(int, told[11:15])) / os.sysconf("SC_CLK_TCK")

    def stop(self, how: int = signal.SIGTERM) -> int:
        """Its exit status, after a signal; nothing may have been said on standard error."""
        self.process.send_signal(how)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.kill(self.process.pid, signal.SIGKILL)
            raise
        assert self.process.stdout is not None and self.process.stderr is not None
        err = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        assert err == b"", err.decode()
        return self.process.returncode
