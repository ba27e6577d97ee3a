"""Files in, answers out in any order, a time limit a file, and quarantine: in this process for a few, else in workers.

The parent knows which file a worker is at (answers come in order), so a file over the limit, or one that kills its
worker, is named and left out, and the rest of its batch goes to a new worker.
"""

from __future__ import annotations

import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from trigpoint.errors import SourceError
from trigpoint.indexing.worker import Done, Failed, Job, crashed, receive, run_one, send
from trigpoint.model import Level, Outcome, SourceEntry

START = "import sys; sys.path.insert(0, sys.argv[1]); from trigpoint.indexing.worker import main; main()"
PACKAGE_FOLDER = str(Path(__file__).parents[2])
BARREN_LIMIT = 3
"""Workers that end before their first answer, with no answer from any other, until it is clear that none can run."""
BATCH = 24
"""Files a message; small enough that a lost worker repeats little, large enough that pipes do not matter."""
CHECK_SECONDS = 0.5
START_SECONDS = 60.0
"""For a worker to import what it needs, on a machine that is busy with other things."""
SERIAL_FILES = 40
SERIAL_BYTES = 1_500_000
"""Up to this much is done in the process itself: starting workers costs as much CPU as reading 1 MB of source."""


Stopped = Callable[[], bool]
"""Whether no more answers are wanted."""


class _Worker:
    """One process and the files it still owes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.owed: deque[SourceEntry] = deque()
        self.given = self.got = 0  # files sent to it, answers that have come back
        self.heard = time.monotonic()  # when it last began on a file, as far as can be told
        self.ready = self.full = self.late = self.ended = False

    def is_late(self, seconds: float) -> bool:
        """Whether it is over the limit with one file; not while it waits for us to take its last answer."""
        limit = seconds if self.ready else max(seconds, START_SECONDS)
        return self.given > self.got and not self.full and time.monotonic() - self.heard > limit


def process_files(
    job: Job, entries: Sequence[SourceEntry], workers: int, seconds: float, stopped: Stopped = lambda: False
) -> Iterator[Done | Failed]:
    """Answers for every entry, in any order, until ``stopped``. ``seconds`` is the limit for one file.

    Raises SourceError when no worker process can run.
    """
    size = sum(one.stat.size for one in entries if one.stat is not None)
    if len(entries) <= SERIAL_FILES and size <= SERIAL_BYTES and _can_limit():
        for entry in entries:
            if stopped():
                return
            yield _limited(job, entry, seconds)
        return
    pool = _Pool(job, entries, max(1, workers), seconds)
    try:
        yield from pool.answers(stopped)
    finally:
        pool.stop()


class _Late(BaseException):  # not an Exception: nothing on the way may take it for a fault of the file
    pass


def _can_limit() -> bool:
    """Whether this thread can be stopped by an alarm that nobody else has set."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return False
    return (
        signal.getsignal(signal.SIGALRM) is signal.SIG_DFL and signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
    )


def _limited(job: Job, entry: SourceEntry, seconds: float) -> Done | Failed:
    try:
        with _alarm(seconds):
            return run_one(job, entry)
    except _Late:
        return Failed(entry, _too_late(seconds))


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(number: int, frame: FrameType | None) -> None:
        raise _Late

    former = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, former)


def _too_late(seconds: float) -> Outcome:
    return Outcome(Level.SKIPPED, "time-limit", f"took longer than {seconds:g} s")


class _Pool:
    def __init__(self, job: Job, entries: Sequence[SourceEntry], workers: int, seconds: float) -> None:
        self.job = job
        self.todo = deque(entries)
        self.seconds = seconds
        self.inbox: queue.Queue[tuple[_Worker, Done | Failed | None]] = queue.Queue(maxsize=256)
        self.answered = self.barren = 0
        self.workers = [self.start() for _ in range(min(workers, 1 + len(entries) // BATCH))]

    def start(self) -> _Worker:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", START, PACKAGE_FOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        worker = _Worker(process)
        threading.Thread(target=self.listen, args=(worker,), daemon=True).start()
        self.give(worker, first=True)
        return worker

    def listen(self, worker: _Worker) -> None:
        assert worker.process.stdout is not None
        try:
            worker.ready = bool(receive(worker.process.stdout))
            while True:
                worker.heard = time.monotonic()
                answer = receive(worker.process.stdout)
                worker.got += 1
                worker.full = True
                self.inbox.put((worker, answer))
                worker.full = False
        except (
            Exception
        ):  # whatever ends the stream, the worker is replaced and the file that it was at is named
            self.inbox.put((worker, None))

    def give(self, worker: _Worker, *, first: bool = False) -> None:
        """Send the next batch; with none left, close the pipe so that the worker ends."""
        assert worker.process.stdin is not None
        batch = [self.todo.popleft() for _ in range(min(BATCH, len(self.todo)))]
        if worker.given == worker.got:
            worker.heard = time.monotonic()
        worker.owed.extend(batch)
        worker.given += len(batch)
        with suppress(OSError):  # it has died: listen() reports it
            if first:
                send(worker.process.stdin, self.job)
            if batch:
                send(worker.process.stdin, batch)
            elif not worker.owed:
                worker.process.stdin.close()

    def answers(self, stopped: Stopped) -> Iterator[Done | Failed]:
        checked = time.monotonic()
        while any(not one.ended for one in self.workers) and not stopped():
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
            if len(worker.owed) <= BATCH // 4:
                self.give(worker)
            yield done

    def stop_late_ones(self) -> None:
        for worker in self.workers:
            if not worker.ended and worker.is_late(self.seconds):
                worker.late = True
                worker.process.kill()

    def bury(self, worker: _Worker) -> Iterator[Failed]:
        """Take the place of a worker that has ended: normally, by the limit, or by a crash."""
        worker.ended = True
        code = worker.process.wait()
        self.barren += 1
        if not self.answered and not worker.late and worker.owed and self.barren >= BARREN_LIMIT:
            raise SourceError(
                f"the worker processes end with {code} before they read a file",
                "see what they print above; set workers = 1 and try `trig index` on a small folder",
            )
        if worker.owed:
            lost = worker.owed.popleft()
            self.todo.extendleft(reversed(worker.owed))
            worker.owed.clear()
            outcome = (
                _too_late(self.seconds)
                if worker.late
                else crashed(f"the process that read it ended with {code}")
            )
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
