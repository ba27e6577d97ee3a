"""What is worked out of a whole index and kept beside it for as long as that stays as it is. Losing it costs time only."""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

RANKS = "ranks.bin"
"""File of the ranks of all definitions."""

FILES = (RANKS,)
"""All such files."""


def load(folder: Path, name: str, state: str) -> bytes:
    """What was kept under a name for this state of the index; b"" when there is nothing, or it is of another state."""
    try:
        data = (folder / name).read_bytes()
    except OSError:
        return b""
    head, _, body = data.partition(b"\n")
    return body if head == _head(state, body) else b""


def save(folder: Path, name: str, state: str, body: bytes) -> None:
    """Keep it, at once or not at all: where the folder cannot be written, nothing is."""
    new = folder / f"{name}.{os.getpid()}"
    with suppress(OSError):
        try:
            new.write_bytes(_head(state, body) + b"\n" + body)
            new.replace(folder / name)
        finally:
            new.unlink(missing_ok=True)


def _head(state: str, body: bytes) -> bytes:
    return f"{state} {zlib.crc32(body)}".encode("utf-8", "surrogateescape").replace(b"\n", b" ")
