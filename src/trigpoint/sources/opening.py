"""The one way this package opens a file of a tree: never through a link, never waiting, never more than asked."""

from __future__ import annotations

import os
from stat import S_ISREG

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(
        os, "O_NONBLOCK", 0
    )  # a pipe that took the file's place since the listing must not make us wait
    | getattr(os, "O_BINARY", 0)
)


class NotAFileError(OSError):
    """What stands at the path now is no regular file."""


def read_regular(path: str, limit: int) -> bytes:
    """At most ``limit`` bytes of a regular file. Raises OSError (ELOOP for a link), NotAFileError for a pipe etc."""
    descriptor = os.open(path, _FLAGS)
    try:
        if not S_ISREG(os.fstat(descriptor).st_mode):
            raise NotAFileError(f"not a regular file: {os.path.basename(path)}")
        parts: list[bytes] = []
        while limit > 0 and (part := os.read(descriptor, min(limit, 1 << 20))):
            parts.append(part)
            limit -= len(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)


def read_lines(path: str) -> list[str]:
    """The lines of a small control file such as ``.gitignore``; [] when it is missing or no regular file."""
    try:
        data = read_regular(path, 1_000_000)
    except (OSError, ValueError):
        return []
    return os.fsdecode(data.removeprefix(b"\xef\xbb\xbf")).split("\n")
