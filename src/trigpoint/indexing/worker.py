"""A worker process: reads, outlines, chunks and encodes files that the parent names, one answer a file.

Started as a fresh interpreter with pipes, not through multiprocessing: nothing of the parent's
main module is run again, and a file that hangs or crashes a parser costs one worker, not the pool.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from struct import Struct
from typing import IO, Any, NamedTuple

from trigpoint.indexing.chunk import ChunkLimits
from trigpoint.indexing.record import make_record
from trigpoint.model import FileRecord, Level, Outcome, SourceEntry
from trigpoint.ports import Source

_LENGTH = Struct(">I")


class Job(NamedTuple):
    """What every file of a run is treated with."""

    source: Source
    encode: Callable[[FileRecord], Any]
    limits: ChunkLimits


class Done(NamedTuple):
    """One file's answer: its encoded record, and what the ledger and the report need of it."""

    path: str
    digest: str
    encoded: Any


class Failed(NamedTuple):
    """A file that could not be finished."""

    entry: SourceEntry
    outcome: Outcome


def run_one(job: Job, entry: SourceEntry) -> Done | Failed:
    """Read and encode one file. Whatever goes wrong costs that file only."""
    try:
        file = job.source.read(entry)
        record = make_record(file, job.limits, entry.stat)
        return Done(entry.path, record.digest, job.encode(record))
    except Exception as error:
        return Failed(entry, crashed(f"{type(error).__name__}: {error}"))


def crashed(how: str) -> Outcome:
    """The ledger entry of a file that broke what was to read it."""
    return Outcome(Level.SKIPPED, "crashed", f"a fault of ours, please report it: {how[:200]}")


def send(stream: IO[bytes], value: object) -> None:
    """Write one value with its length before it."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one value. Raises EOFError at the end of the stream."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)


def main() -> None:
    """Serve until the parent closes the pipe, or is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to handle
    gc.disable()  # records are plain trees of tuples; the collector would only walk them
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    with suppress(EOFError, BrokenPipeError):  # the parent has closed its end, or has died
        job: Job = receive(inbox)
        send(outbox, True)
        while True:
            entries: list[SourceEntry] = receive(inbox)
            for entry in entries:
                send(outbox, run_one(job, entry))
    os._exit(0)  # what is left in a buffer has no reader
