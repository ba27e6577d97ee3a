"""The files of a tantivy index: those that are torn, and those that a killed writer left."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

_FOOTER = struct.Struct("<II")  # length of the JSON before it, magic number
_MAGIC = 1337


def is_torn(path: Path) -> bool:
    """Whether the content of a segment file differs from its checksum: body, JSON with "crc", _FOOTER."""
    try:
        data = path.read_bytes()
    except OSError:
        return False
    if len(data) < _FOOTER.size or path.name.startswith(".") or path.suffix in (".json", ".lock"):
        return False
    length, magic = _FOOTER.unpack(data[-_FOOTER.size :])
    if magic != _MAGIC or length > len(data):
        return True
    end = len(data) - _FOOTER.size - length
    try:
        told = json.loads(data[end : end + length])["crc"]
    except (ValueError, KeyError, TypeError):
        return True
    return bool(zlib.crc32(data[:end]) != told)


def sweep(folder: Path) -> None:
    """Remove files of deletions that meta.json does not name: of a writer that was killed between the two.

    The next writer counts on from the last commit and would make a file of the same name, which tantivy refuses.
    """
    left = [path for path in folder.glob("*.del") if path.is_file()]
    if not left:
        return
    try:
        segments = json.loads((folder / "meta.json").read_bytes())["segments"]
        named = {
            f"{one['segment_id'].replace('-', '')}.{one['deletes']['opstamp']}.del"
            for one in segments
            if one.get("deletes")
        }
    except (OSError, ValueError, KeyError, TypeError):
        return  # whoever opens the index says what is wrong with it
    for path in left:
        if path.name not in named:
            path.unlink(missing_ok=True)
