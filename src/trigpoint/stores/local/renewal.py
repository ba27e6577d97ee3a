"""What differs between the rows that a file has and those of its new record: only that is written.

A file keeps its number, and its n-th symbol and its n-th chunk keep theirs. What hangs on a chunk, its words and its
vector, stays as long as the same chunk stands at the same place of the row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Any, NamedTuple

from trigpoint.stores.local.encode import Encoded
from trigpoint.stores.local.keys import MOST, SHIFT, TOP, name_key
from trigpoint.stores.local.packing import unpack
from trigpoint.stores.local.rows import ENCODED_CHUNKS, ENCODED_SYMBOLS
from trigpoint.stores.uses import used_names

Row = tuple[Any, ...]

_OWNER, _MEMBERS, _HEADER, _DIGEST, _FLAGS, _PART = 3, 4, 5, 9, 10, 11
"""Places among the columns of a chunk."""


class Change(NamedTuple):
    """What is to be written of a file, and to be removed."""

    file: int
    item: Encoded
    symbols: Sequence[int]  # indexes of rows to write,
    moved: Sequence[int]  # and of those that keep their name
    chunks: Sequence[int]
    worded: Sequence[int]  # indexes of chunks whose words are new
    targets: Mapping[int, int]  # key -> node
    uses: Sequence[int]
    path_words: Sequence[str]
    lost_targets: Sequence[int] = ()  # keys
    lost_uses: Sequence[int] = ()
    lost_names: Sequence[int] = ()  # numbers of names of which it has fewer symbols
    unworded: Sequence[int] = ()  # ids of chunks whose words are gone


def addition(file: int, item: Encoded) -> Change:
    """All of a file that the index does not hold."""
    symbols, chunks = range(len(item.symbols)), range(len(item.chunks))
    return Change(file, item, symbols, (), chunks, chunks, targets(file, item), item.uses, item.path_words)


def renewal(connection: sqlite3.Connection, file: int, item: Encoded) -> Change:
    """What a file that the index holds differs in."""
    low, high = file << SHIFT, (file << SHIFT) + MOST - 1
    symbols: list[Row] = connection.execute(ENCODED_SYMBOLS, (low, high)).fetchall()
    chunks: list[Row] = connection.execute(ENCODED_CHUNKS, (low, high)).fetchall()
    fresh, moved = _symbols(symbols, item.symbols)
    worded, gone = _words(chunks, item, _alike(symbols, item.symbols))
    wanted, had = _targets(connection, file, item, symbols)
    uses, lost_uses = _uses(connection, file, item)
    return Change(
        file,
        item,
        fresh,
        moved,
        [at for at, row in enumerate(item.chunks) if at >= len(chunks) or row != chunks[at]],
        worded,
        dict(wanted - had),
        uses,
        (),
        [key for key, _ in had - wanted],
        lost_uses,
        [symbols[at][-1] for at in (*fresh, *range(len(item.symbols), len(symbols))) if at < len(symbols)],
        [low + at for at in gone],
    )


def targets(file: int, item: Encoded) -> dict[int, int]:
    """What edges know the file and its symbols by, each with its node."""
    return {key: (file << SHIFT) + (index or TOP + 1) - 1 for index, key in enumerate(item.keys)}


def words_used(connection: sqlite3.Connection, file: int) -> set[int]:
    """Keys of the names that a file uses, as its rows tell."""
    query = "SELECT imports, refs, bindings FROM contents WHERE file = ?"
    row = connection.execute(query, (file,)).fetchone() or (b"", b"", b"")
    return set(map(name_key, used_names(*map(unpack, row))))


def _symbols(before: Sequence[Row], after: Sequence[Row]) -> tuple[list[int], list[int]]:
    """Indexes of symbols with another name than before, and of those that differ in something else."""
    fresh = {at for at, row in enumerate(after) if at >= len(before) or before[at][0] != row[0]}
    moved = [at for at, row in enumerate(after) if at not in fresh and before[at][:-1] != row]
    return sorted(fresh), moved


def _alike(before: Sequence[Row], after: Sequence[Row]) -> int:
    """How many symbols, from the first, have the names they had."""
    same = map(eq, [row[:2] for row in before], [row[:2] for row in after])
    return sum(1 for _ in takewhile(bool, same))


def _words(before: Sequence[Row], item: Encoded, alike: int) -> tuple[list[int], list[int]]:
    """Indexes of chunks whose words are new, and of chunks whose words are gone."""
    same = {
        at
        for at, (old, new) in enumerate(zip(before, item.chunks, strict=False))
        if _told(old) == _told(new) and (alike >= len(item.symbols) or _highest(new) < alike)
    }
    fresh = [at for at in range(len(item.chunks)) if at not in same]
    return fresh, [at for at in range(len(before)) if at not in same]


def _told(row: Row) -> Row:
    """What the words of a chunk depend on, but the names of its symbols."""
    return row[_OWNER], row[_MEMBERS], row[_HEADER], row[_DIGEST], row[_FLAGS], row[_PART]


def _highest(row: Row) -> int:
    """The last of the symbols whose names are among the words of a chunk."""
    return max([-1 if row[_OWNER] is None else row[_OWNER], *map(int, row[_MEMBERS].split())])


_Targets = set[tuple[int, int]]


def _targets(
    connection: sqlite3.Connection, file: int, item: Encoded, before: Sequence[Row]
) -> tuple[_Targets, _Targets]:
    """What is to be there and what is; nothing of both where the same names stand at the same places."""
    if [row[1] for row in before] == [row[1] for row in item.symbols]:
        return set(), set()
    low = file << SHIFT
    query = "SELECT key, node FROM targets WHERE node BETWEEN ? AND ?"
    return set(targets(file, item).items()), set(connection.execute(query, (low, low + TOP)).fetchall())


def _uses(connection: sqlite3.Connection, file: int, item: Encoded) -> tuple[list[int], list[int]]:
    """Keys of names that are used only now, and only before."""
    query = "SELECT 1 FROM contents WHERE file = ? AND imports = ? AND refs = ? AND bindings = ?"
    if connection.execute(query, (file, *item.contents[1:])).fetchone():
        return [], []
    had, wanted = words_used(connection, file), set(item.uses)
    return sorted(wanted - had), sorted(had - wanted)
