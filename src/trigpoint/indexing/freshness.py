"""How an index stands to its tree: what the next run would do. Light, since every search asks it first.

Three steps, each only where the one before could not tell: the stamp of the listing, the stat data of each file, the
digest of each file whose stat data differ or prove nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trigpoint.indexing.merkle import COARSE_GRAIN_NS, Changes, compare, is_young
from trigpoint.model import FileRow, SourceEntry, Stat
from trigpoint.ports import Snapshot, Source

TIME = "indexed_at_ns"
ROOT = "merkle_root"
FOLDERS = "folders"
SETTINGS = "settings"
STAMP = "stamp"
UNFINISHED = "unfinished"
LINKED = "linked"
UNLINKED = "unlinked"
LINK_FAULT = "link_fault"
"""Keys of the small values beside the rows."""


FEW = 500
"""Files whose rows are read one by one; those of more are found sooner by reading all."""


class Wanted(NamedTuple):
    """What an index is compared by. ``settings`` is what its records depend on: words that concern every file, and
    ``language=version``, which concerns the files of that language.
    """

    settings: str = ""
    full: bool = False  # read every file anew
    verify: bool = False  # compare every file by its digest, whatever its stat data say


def pending(source: Source, snapshot: Snapshot, wanted: Wanted, began_ns: int) -> Changes:
    """What differs between the tree and a snapshot. ``began_ns`` is the time before this was called.

    Raises SourceError when the tree cannot be listed.
    """
    fits = snapshot.generation > 0 and snapshot.meta(SETTINGS) == wanted.settings
    listing = source.listing()
    stamp, last = listing.stamp, snapshot.meta(STAMP)
    if fits and stamp and stamp == last and not (wanted.full or wanted.verify):
        return Changes(unchanged=snapshot.counts()["files"], stamp=stamp)
    shortcut = fits and not (wanted.full or wanted.verify)
    indexed = 0 if wanted.verify else int(snapshot.meta(TIME) or 0)
    stats = snapshot.stats() if shortcut else {}
    entries = listing.differing(stats, min(indexed, began_ns) - COARSE_GRAIN_NS)
    paths = listing.paths()
    if shortcut and len(entries) <= FEW:
        rows = {one.path: row for one in entries if (row := snapshot.file(one.path)) is not None}
    else:
        rows = {row.path: row for row in snapshot.files()}
    known = _usable(rows, snapshot, wanted)
    if any(one.stat is not None and is_young(one.stat, began_ns) for one in entries):
        stamp = ""
    changes = compare(entries, known, indexed)
    gone = tuple(sorted((stats or rows).keys() - paths))
    look, touched = _by_digest(source, changes.look, known)
    return Changes(
        look,
        gone,
        len(paths) - len(look),
        touched,
        stamp,
        news=bool(touched) or (bool(stamp) and stamp != last),
        rows=rows,
    )


_READ_BY_OTHERS = frozenset(["text", "ipynb", "html", "vue", "svelte", "astro"])
"""What may hold code of another language, and what another language may lay claim to when its version is raised."""


def outdated(made: str, wanted: str) -> frozenset[str] | None:
    """The languages whose files must be read again, by the settings they were read with; None for every file."""
    if made == wanted:
        return frozenset()
    (before, old), (now, new) = _settings(made), _settings(wanted)
    if before != now or old.keys() != new.keys():
        return None
    return frozenset(name for name, version in new.items() if old[name] != version) | _READ_BY_OTHERS


def _settings(text: str) -> tuple[list[str], dict[str, str]]:
    """What concerns every file, and the version of each language."""
    words = text.split()
    return [one for one in words if "=" not in one], dict(one.split("=", 1) for one in words if "=" in one)


def _usable(rows: Mapping[str, FileRow], snapshot: Snapshot, wanted: Wanted) -> Mapping[str, FileRow]:
    """The files whose records need not be made again as long as their bytes are the same."""
    stale = outdated(snapshot.meta(SETTINGS), wanted.settings)
    if wanted.full or not snapshot.generation or stale is None:
        return {}
    return rows if not stale else {path: row for path, row in rows.items() if row.language not in stale}


def _by_digest(
    source: Source, look: Sequence[SourceEntry], known: Mapping[str, FileRow]
) -> tuple[tuple[SourceEntry, ...], dict[str, Stat]]:
    """Those whose bytes differ from what is indexed, and the new stat data of the others."""
    differ: list[SourceEntry] = []
    touched: dict[str, Stat] = {}
    for entry in look:
        row = known.get(entry.path)
        if (
            row is None
            or entry.refused is not None
            or not _may_be_equal(entry, row)
            or source.digest(entry) != row.digest
        ):
            differ.append(entry)
        elif entry.stat is not None and entry.stat != row.stat:
            touched[entry.path] = entry.stat
    return tuple(differ), touched


def _may_be_equal(entry: SourceEntry, row: FileRow) -> bool:
    return bool(row.digest) and (entry.stat is None or entry.stat.size == row.size)
