"""What can be wrong with an index on disk, and what can be done about it. Looking changes nothing."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from trigpoint.errors import StoreDamagedError, StoreError, StoreFormatError
from trigpoint.model import Finding
from trigpoint.stores.local import database, derived, records, trees, vector_health
from trigpoint.stores.local.keys import SHIFT, path_text
from trigpoint.stores.local.lock import LOCK
from trigpoint.stores.local.packing import block_count, inflate_block, unpack
from trigpoint.stores.local.postings import Postings, postings
from trigpoint.stores.local.vectors import FOLDER as VECTORS

ROWS, POSTINGS, EDGES, MEANING, ORPHANS = "rows", "postings", "edges", "vectors", "orphans"
"""The parts that can be mended, in the order in which that is done."""

ASIDE = "damaged-"
"""How the name of a folder begins that holds damaged parts until they are made anew."""
IMPORT = "import-"
"""The same of one in which an import is at work."""

_MOST = 5  # problems of one kind that are told


def examine(index: Path, lexical: str) -> list[Finding]:
    """All that is wrong with the present tree of an index and with the folder around it; [] when it is sound."""
    here = trees.place(index)
    found = list(_leftovers(index)) if index.is_dir() else []
    try:
        connection = database.open_reader(here)
    except StoreFormatError as error:
        return [Finding(ROWS, error.message, error.hint), *found]
    except StoreDamagedError as error:
        if "damaged" not in error.message:  # another program's file
            return [Finding(ROWS, error.message, error.hint), *found]
        return [Finding(ROWS, error.message, _ANEW, ROWS), *found]
    except StoreError as error:  # locked, or not readable: nothing is known to be wrong
        return [Finding("access", error.message, error.hint)]
    if connection is None:
        lost = [name for name in (POSTINGS, VECTORS) if any((here / name).glob("*"))]
        rows = f"the rows are missing, beside {' and '.join(lost)}"
        return [Finding(ROWS, rows, _ANEW, ROWS), *found] if lost else found
    with closing(connection):
        found += rows_wrong(connection)
        if not any(one.mends == ROWS for one in found):
            found += postings_wrong(connection, postings(lexical, here))
            found += _edges_wrong(connection)
    if damaged := vector_health.damage(here / VECTORS, deep=True):
        found.append(
            Finding(
                MEANING, f"the vectors are damaged: {damaged}", "they are made anew from the rows", MEANING
            )
        )
    return found


_ANEW = "`trig doctor --repair` builds the index anew from the files, and only then removes what is damaged"


def rows_wrong(connection: sqlite3.Connection) -> list[Finding]:
    """What is wrong with the rows themselves."""
    found: list[Finding] = []
    for check in (_pages, _strangers, _counts, _lost_rows, _contents):
        try:
            found += [Finding(ROWS, problem, _ANEW, ROWS) for problem in check(connection)]
        except sqlite3.DatabaseError as error:
            return [*found, Finding(ROWS, f"the rows cannot be read: {error}", _ANEW, ROWS)]
        if found:
            break  # the rest would say the same in other words
    return found


def _pages(connection: sqlite3.Connection) -> Iterator[str]:
    for (text,) in connection.execute(f"PRAGMA integrity_check({_MOST})"):
        if text != "ok":
            yield f"the rows are damaged: {text}"


def _strangers(connection: sqlite3.Connection) -> Iterator[str]:
    if strange := foreign_tables(connection):
        yield f"tables that no version of Trigpoint has made so: {', '.join(strange[:_MOST])}"


def foreign_tables(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Tables, indexes, triggers and views that no version of ours has made, or not so."""
    from trigpoint.stores.local.postings_fts5 import CREATE

    query = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
    with closing(database.empty()) as ours:
        ours.executescript(CREATE)
        known = dict(ours.execute(query).fetchall())
    return tuple(name for name, sql in connection.execute(query).fetchall() if known.get(name) != sql)


def _counts(connection: sqlite3.Connection) -> Iterator[str]:
    for table in ("symbols", "chunks"):
        told, there = connection.execute(
            f"SELECT (SELECT coalesce(sum({table}), 0) FROM files), (SELECT count(*) FROM {table})"
        ).fetchone()
        if told != there:
            yield f"the files tell of {told} {table}, {there} are there"


def _lost_rows(connection: sqlite3.Connection) -> Iterator[str]:
    for table, file in (
        ("contents", "file"),
        ("symbols", f"id >> {SHIFT}"),
        ("chunks", f"id >> {SHIFT}"),
        ("uses", "file"),
        ("path_words", "file"),
    ):
        query = f"SELECT count(*) FROM {table} WHERE {file} NOT IN (SELECT id FROM files)"
        if lost := connection.execute(query).fetchone()[0]:
            yield f"{lost} rows of {table} belong to no file"
    query = "SELECT count(*) FROM files WHERE level != 'skipped' AND id NOT IN (SELECT file FROM contents)"
    if bare := connection.execute(query).fetchone()[0]:
        yield f"{bare} files have no content"


def _contents(connection: sqlite3.Connection) -> Iterator[str]:
    """Texts and uses are deflated, each with a checksum of its own."""
    query = (
        "SELECT f.path, c.text, c.imports, c.refs, c.bindings FROM contents c JOIN files f ON f.id = c.file"
    )
    bad = 0
    for path, text, *packs in connection.execute(query):
        try:
            for number in range(block_count(text)):
                inflate_block(text, number)
            for pack in packs:
                unpack(pack)
        except (zlib.error, ValueError, TypeError, IndexError):
            bad += 1
            if bad <= _MOST:
                yield f"what was read of {path_text(path)} cannot be unpacked"


def postings_wrong(connection: sqlite3.Connection, words: Postings) -> list[Finding]:
    """What is wrong with the word index."""
    row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    generation = int(row[0]) if row else 0
    if not generation:
        return []
    problems = list(words.check(connection))
    try:
        serves = words.reader(connection, generation) is not None
    except Exception:
        serves = False
    if not serves:
        problems = [f"the postings do not serve generation {generation}"]
    return [Finding(POSTINGS, problem, "they are made anew from the rows", POSTINGS) for problem in problems]


def _edges_wrong(connection: sqlite3.Connection) -> Iterator[Finding]:
    query = f"SELECT count(*) FROM edges WHERE source >> {SHIFT} NOT IN (SELECT id FROM files)"
    if lost := connection.execute(query).fetchone()[0]:
        yield Finding(EDGES, f"{lost} edges leave files that are gone", "all files are linked anew", EDGES)


def _leftovers(index: Path) -> Iterator[Finding]:
    """What killed runs left behind. Only told while nobody writes: it may be at work."""
    from trigpoint.stores.local.lock import is_held

    if is_held(index / LOCK):
        return
    if damaged := records.damage(index):
        yield Finding(
            ORPHANS, f"the records kept for later are of no use: {damaged}", "they are removed", ORPHANS
        )
    for path in leftovers(index):
        if path.name in records.FILES:
            continue
        yield Finding(
            ORPHANS,
            f"{path.relative_to(index).as_posix()} is left from a run that was killed",
            "it is removed",
            ORPHANS,
        )


def leftovers(index: Path) -> list[Path]:
    """Files and folders that only we make, and that nothing needs."""
    found = [path for path in index.iterdir() if path.name.startswith((ASIDE, IMPORT))]
    found += (index / trees.TREES).glob("*.new")
    found += (trees.place(index) / "postings").glob(".tmp*")
    found += [path for name in derived.FILES for path in index.glob(f"{name}.*")]
    found += [index / name for name in records.FILES if records.damage(index) and (index / name).exists()]
    folder = trees.place(index) / VECTORS
    found += [folder / name for name in vector_health.orphans(folder)] if folder.is_dir() else []
    return sorted(found)
