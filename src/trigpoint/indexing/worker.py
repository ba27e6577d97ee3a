"""A worker process: reads, outlines, chunks and encodes files that the parent names, one answer a file.

Started as a fresh interpreter with pipes, not through multiprocessing: nothing of the parent's
main module is run again, and a file that hangs or crashes a parser costs one worker, not the pool.
"""

from __future__ import annotations

import gc
import pickle
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from struct import Struct
from typing import Any, BinaryIO

from trigpoint.indexing.chunk import ChunkLimits
from trigpoint.indexing.record import make_record
from trigpoint.model import FileRecord, SourceEntry
from trigpoint.ports import Source

_LENGTH = Struct(">I")


@dataclass(frozen=True, slots=True)
class Job:
    """What every file of a run is treated with."""

    source: Source
    encode: Callable[[FileRecord], Any]
    limits: ChunkLimits


@dataclass(frozen=True, slots=True)
class Done:
    """One file's answer: its encoded record, and what the ledger and the report need of it."""

    path: str
    digest: str
    encoded: Any


def run_one(job: Job, entry: SourceEntry) -> Done:
    """Read and encode one file."""
    file = job.source.read(entry)
    record = make_record(file, job.limits, entry.stat)
    return Done(entry.path, record.digest, job.encode(record))


def send(stream: BinaryIO, value: object) -> None:
    """Write one value with its length before it."""
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
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
    """Serve until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the parent's to handle
    gc.disable()  # records are plain trees of tuples; the collector would only walk them
    inbox, outbox = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    job: Job = receive(inbox)
    while True:
        try:
            entries: list[SourceEntry] = receive(inbox)
        except EOFError:
            return
        for entry in entries:
            send(outbox, run_one(job, entry))
