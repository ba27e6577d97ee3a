"""Which chunk has which row of the vectors: columns of numbers in one file, with a checksum.

Plain bytes, since an archive of numpy costs each search 20 ms for what it imports.
"""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_HEAD = struct.Struct("<8sQQI4x")  # magic, numbers of chunks and of files, checksum of what follows
_MAGIC = b"trigrows"
_WIDTH = 8
FORMER = ".npz"
"""How the name of a file ends that earlier versions wrote."""


class Places(NamedTuple):
    """Chunks in ascending order, and the row of each; files, and what stands for the texts and names of their chunks."""

    ids: Numbers
    rows: Numbers
    files: Numbers
    passages: Numbers


def write(path: Path, places: Places) -> None:
    """Write the columns."""
    import numpy as np

    body = b"".join(column.astype(np.int64, copy=False).tobytes() for column in places)
    path.write_bytes(_HEAD.pack(_MAGIC, len(places.ids), len(places.files), zlib.crc32(body)) + body)


def read(path: Path) -> Places:
    """Read them. Raises ValueError for a file that is cut short or none of ours."""
    import numpy as np

    if path.name.endswith(FORMER):
        with open(path, "rb") as file, np.load(file) as held:
            files = held["files"]  # another number after each change: it says what the file holds
            return Places(held["ids"], held["rows"], files, held.get("passages", files))
    data = path.read_bytes()
    chunks, files, _ = _told(data[: _HEAD.size], len(data))
    columns = np.frombuffer(data, np.int64, offset=_HEAD.size)
    ends = (chunks, 2 * chunks, 2 * chunks + files)
    return Places(*np.split(columns, ends))


def is_damaged(path: Path, *, deep: bool) -> bool:
    """Whether a file is cut short or none of ours, or with ``deep`` differs from its checksum. Raises OSError."""
    if path.name.endswith(FORMER):
        return _is_damaged_archive(path, deep=deep)
    with open(path, "rb") as file:
        try:
            *_, checksum = _told(file.read(_HEAD.size), os.fstat(file.fileno()).st_size)
        except ValueError:
            return True
        return deep and zlib.crc32(file.read()) != checksum


def _told(head: bytes, size: int) -> tuple[int, int, int]:
    if len(head) < _HEAD.size:
        raise ValueError("cut short")
    magic, chunks, files, checksum = _HEAD.unpack(head)
    if magic != _MAGIC or size != _HEAD.size + 2 * _WIDTH * (chunks + files):
        raise ValueError("of another length than its head says")
    return chunks, files, checksum


_END, _END_SIZE = b"PK\5\6", 22


def _is_damaged_archive(path: Path, *, deep: bool) -> bool:
    with open(path, "rb") as file:
        file.seek(-_END_SIZE, os.SEEK_END)
        if not file.read().startswith(_END):
            return True
    if not deep:
        return False
    import zipfile

    with zipfile.ZipFile(path) as held:
        return bool(held.testzip())
