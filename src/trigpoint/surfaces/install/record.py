"""What was put where, so that it can be taken back byte for byte: no copy of a file, only the bytes of ours and of theirs
that they replaced.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple


class Put(NamedTuple):
    """One change of one file: at byte ``at``, ``inserted`` stands where ``replaced`` stood."""

    path: str
    owners: tuple[str, ...]  # CLIENT:SCOPE; several share a section
    existed: bool
    at: int
    replaced: str
    inserted: str
    before: str  # digest of the whole file, "" where there was none
    after: str
    folders: tuple[str, ...] = ()  # that were made for it, innermost last


def digest(data: bytes | None) -> str:
    """SHA-256, "" of no file."""
    return "" if data is None else sha256(data).hexdigest()


def put(path: Path, owners: Sequence[str], before: bytes | None, after: bytes) -> Put:
    """The record of a change from ``before`` (None: no file) to ``after``."""
    old = before or b""
    start = _common(old, after)
    end = _common(old[start:][::-1], after[start:][::-1])
    missing = [one for one in reversed(path.parents) if not one.exists()]
    return Put(
        str(path),
        tuple(owners),
        before is not None,
        start,
        _text(old[start : len(old) - end]),
        _text(after[start : len(after) - end]),
        digest(before),
        digest(after),
        tuple(map(str, missing)),
    )


def _common(one: bytes, other: bytes) -> int:
    least = min(len(one), len(other))
    return next((at for at in range(least) if one[at] != other[at]), least)


def _text(data: bytes) -> str:
    """Bytes as JSON can hold them; a character may be cut in two."""
    return data.decode("latin-1")


def undone(one: Put, data: bytes) -> bytes | None:
    """The file as it was before, None for none; only for the very bytes that were written."""
    end = one.at + len(one.inserted)
    before = data[: one.at] + one.replaced.encode("latin-1") + data[end:]
    return before if one.existed else None


def load(path: Path) -> dict[str, Put]:
    """All changes by path; none where the record is missing or damaged: then our entries are found by their names."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["put"]
        return {
            row["path"]: Put(**{**row, "owners": tuple(row["owners"]), "folders": tuple(row["folders"])})
            for row in rows
        }
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def written(puts: dict[str, Put]) -> bytes | None:
    """The record as a file; None when there is nothing to remember."""
    if not puts:
        return None
    rows = [puts[path]._asdict() for path in sorted(puts)]
    return (json.dumps({"version": 1, "put": rows}, indent=1) + "\n").encode()


def remove_folders(folders: Sequence[str]) -> None:
    """Those that are empty again."""
    for folder in reversed(folders):
        with suppress(OSError):
            Path(folder).rmdir()
