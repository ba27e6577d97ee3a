"""The pool of worker processes: files in, answers out in any order, a time limit a file, and quarantine.

The parent knows which file a worker is at (answers come in order), so a file over the limit, or one that kills its
worker, is named and left out, and the rest of its batch goes to a new worker.
"""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from trigpoint.errors import SourceError
from trigpoint.indexing.worker import Done, Job, receive, run_one, send
from trigpoint.model import Level, Outcome, SourceEntry

START = "import sys; sys.path.insert(0, sys.argv[1]); from trigpoint.indexing.worker import main; main()"
PACKAGE_FOLDER = str(Path(__file__).parents[2])
BARREN_LIMIT = 3
"""Workers that end before their first answer, with no answer from any other, until it is clear that none can run."""
BATCH = 24
"""Files a message; small enough that a lost worker repeats little, large enough that pipes do not matter."""
CHECK_SECONDS = 0.5
SERIAL_FILES = 40
SERIAL_BYTES = 1_500_000
"""Up to this much is done in the process itself: starting workers costs as much CPU as reading 1 MB of source."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A file that no worker could finish."""

    entry: SourceEntry
    outcome: Outcome


@dataclass(slots=True)
class _Worker:
    """One process and the files it still owes."""

    process: subprocess.Popen[bytes]
    owed: deque[SourceEntry] = field(default_factory=deque)
    since: float = 0.0
    ended: bool = False


def process_files(job: Job, entries: Sequence[SourceEntry], workers: int, seconds: float) -> Iterator[Done | Failed]:
    """Answers for every entry, in any order. ``seconds`` is the limit for one file."""
    size = sum(one.stat.size for one in entries if one.stat is not None)
    if len(entries) <= SERIAL_FILES and size <= SERIAL_BYTES:
        for entry in entries:
            yield run_one(job, entry)
        return
    pool = _Pool(job, entries, max(1, workers), seconds)
    try:
        yield from pool.answers()
    finally:
        pool.stop()


class _Pool:
    def __init__(self, job: Job, entries: Sequence[SourceEntry], workers: int, seconds: float) -> None:
        self.job = job
        self.todo = deque(entries)
        self.seconds = seconds
        self.inbox: queue.Queue[tuple[_Worker, Done | None]] = queue.Queue(maxsize=256)
        self.answered = self.barren = 0
        self.workers = [self.start() for _ in range(min(workers, 1 + len(entries) // BATCH))]

    def start(self) -> _Worker:
        process = subprocess.Popen(
            [sys.executable, "-c", START, PACKAGE_FOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        worker = _Worker(process)
        threading.Thread(target=self.listen, args=(worker,), daemon=True).start()
        self.give(worker, first=True)
        return worker

    def listen(self, worker: _Worker) -> None:
        assert worker.process.stdout is not None
        try:
            while True:
                self.inbox.put((worker, receive(worker.process.stdout)))
        except Exception:  # whatever ends the stream, the worker is replaced and the file that it was at is named
            self.inbox.put((worker, None))

    def give(self, worker: _Worker, *, first: bool = False) -> None:
        """Send the next batch; with none left, close the pipe so that the worker ends."""
        assert worker.process.stdin is not None
        batch = [self.todo.popleft() for _ in range(min(BATCH, len(self.todo)))]
        worker.owed.extend(batch)
        worker.since = time.monotonic()
        with suppress(OSError):  # it has died: listen() reports it
            if first:
                send(worker.process.stdin, self.job)
            if batch:
                send(worker.process.stdin, batch)
            elif not worker.owed:
                worker.process.stdin.close()

    def answers(self) -> Iterator[Done | Failed]:
        checked = time.monotonic()
        while any(not one.ended for one in self.workers):
            if time.monotonic() - checked > CHECK_SECONDS:
                checked = time.monotonic()
                self.stop_late_ones()
            try:
                worker, done = self.inbox.get(timeout=CHECK_SECONDS)
            except queue.Empty:
                continue
            if done is None:
                yield from self.bury(worker)
                continue
            self.answered += 1
            worker.owed.popleft()
            worker.since = time.monotonic()
            if len(worker.owed) <= BATCH // 4:
                self.give(worker)
            yield done

    def stop_late_ones(self) -> None:
        now = time.monotonic()
        for worker in self.workers:
            if worker.owed and not worker.ended and now - worker.since > self.seconds:
                worker.process.kill()

    def bury(self, worker: _Worker) -> Iterator[Failed]:
        """Take the place of a worker that has ended: normally, by the limit, or by a crash."""
        worker.ended = True
        late = time.monotonic() - worker.since > self.seconds
        code = worker.process.wait()
        self.barren += 1
        if not self.answered and not late and worker.owed and self.barren >= BARREN_LIMIT:
            raise SourceError(
                f"the worker processes end with {code} before they read a file",
                "see what they print above; set workers = 1 and try `trig index` on a small folder",
            )
        if worker.owed:
            lost = worker.owed.popleft()
            self.todo.extendleft(reversed(worker.owed))
            worker.owed.clear()
            if late:
                outcome = Outcome(Level.SKIPPED, "time-limit", f"took longer than {self.seconds:g} s")
            else:
                outcome = Outcome(Level.SKIPPED, "crashed", f"the parser process ended with {code}")
            yield Failed(lost, outcome)
        if self.todo:
            self.workers.append(self.start())

    def stop(self) -> None:
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.process.kill()
            worker.process.wait()
            for stream in (worker.process.stdin, worker.process.stdout):
                if stream is not None:
                    with suppress(OSError):  # what was not sent to a killed worker
                        stream.close()
