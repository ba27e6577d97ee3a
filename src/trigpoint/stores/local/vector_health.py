"""Whether the vectors of an index can be read, and why not. They are made of the rows, so that losing them costs time only."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from trigpoint.stores.local import vector_places
from trigpoint.stores.local.vectors import KEY_BYTES, MANIFEST, Manifest, row_file

_RAISED = ("BadZipFile", "ValueError", "KeyError", "EOFError", "IndexError", "TypeError", "error")


def unreadable(error: Exception) -> bool:
    """Whether reading damaged files raises this. No OSError: what may not be read now is not damaged."""
    return type(error).__name__ in _RAISED  # by name, since importing zipfile takes a tenth of a search


FAILURE = "failure.txt"
"""Why the last attempt to make vectors failed; gone after the next that does not."""

_OURS = ("manifest.json", "manifest.json.new", FAILURE)
_KINDS = ("codes", "scales", "signs", "keys", "chunks")


def damage(folder: Path, *, deep: bool = False) -> str:
    """What is damaged in a folder of vectors, in words; "" when nothing is or none are there. ``deep`` reads all of it."""
    try:
        written = (folder / MANIFEST).read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError):
        return ""
    try:
        json.loads(written)
    except ValueError:
        return "their manifest cannot be read"
    found = Manifest.read(folder)
    if found is None:  # of another format
        return ""
    widths = {
        "codes": found.dimensions,
        "scales": 4,
        "signs": -(-found.dimensions // 64) * 8,
        "keys": KEY_BYTES,
    }
    for kind, width in widths.items():
        path = row_file(folder, kind, found.epoch)
        if found.rows and _size(path) < found.rows * width:
            return f"{path.name} is missing or cut short"
    return _damaged_places(folder / found.chunks, deep=deep) if found.chunks else ""


def _damaged_places(path: Path, *, deep: bool) -> str:
    try:
        bad = vector_places.is_damaged(path, deep=deep)
    except FileNotFoundError:
        return f"{path.name} is missing"
    except PermissionError:
        return ""
    except Exception as error:
        bad = unreadable(error) or isinstance(error, OSError)  # shorter than its end
    return f"{path.name} cannot be read" if bad else ""


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def orphans(folder: Path) -> tuple[str, ...]:
    """Files of ours that the manifest does not count on."""
    found = Manifest.read(folder)
    if found is None:
        return ()
    kept = {*_OURS, found.chunks, *(f"{kind}.{found.epoch}" for kind in _KINDS)}
    return tuple(
        path.name
        for path in sorted(folder.iterdir())
        if path.name.partition(".")[0] in _KINDS and path.name not in kept
    )


def start_over(folder: Path) -> None:
    """Remove what is ours, so that all vectors are made anew."""
    for path in list(folder.iterdir()) if folder.is_dir() else ():
        if path.name in _OURS or path.name.partition(".")[0] in _KINDS:
            with suppress(OSError):
                path.unlink()


def remember(folder: Path, fingerprint: str, reason: str) -> None:
    """Leave the reason why an embedder failed beside the vectors, where that can be; "" takes it away."""
    with suppress(OSError):
        if reason:
            folder.mkdir(exist_ok=True)
            (folder / FAILURE).write_text(f"{fingerprint}\n{reason}", "utf-8")
        else:
            (folder / FAILURE).unlink(missing_ok=True)


def failure(folder: Path, fingerprint: str) -> str:
    """Why the last attempt failed, if it was by this embedder; "" when it did not."""
    try:
        by, _, reason = (folder / FAILURE).read_text("utf-8").partition("\n")
    except (OSError, ValueError):
        return ""
    return reason if by == fingerprint else ""
