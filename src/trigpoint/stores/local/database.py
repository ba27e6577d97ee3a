"""Opening the SQLite file: for reading even where nothing may be written, for writing with the newest schema."""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from trigpoint.errors import StoreDamagedError, StoreError, StoreFormatError

APPLICATION = 0x54524947  # "TRIG"
FORMAT = 3
"""The newest migration: PRAGMA user_version of a file that this version writes."""

NAME = "trigpoint.sqlite3"
_BUSY_MS = 5_000
_WRITER_CACHE_KIB = 48 * 1024
_READER_MMAP = 64 * 1024 * 1024  # what is mapped and read counts as the process's own memory


def open_reader(folder: Path) -> sqlite3.Connection | None:
    """A connection that never writes, inside a read transaction; None when nothing was ever written there.

    Raises StoreFormatError for a newer format and StoreDamagedError for what is no index.
    """
    path = folder / NAME
    if not path.exists() or path.stat().st_size == 0:
        return None
    with translated(path):
        connection = _connect_reading(path)
        try:
            version = _version(connection, path)
            if version == 0:
                connection.close()
                return None
            connection.execute(f"PRAGMA mmap_size={_READER_MMAP}")
        except BaseException:
            connection.close()
            raise
        return connection


def open_writer(folder: Path) -> sqlite3.Connection:
    """A connection for the holder of the lock, migrated to FORMAT, outside any transaction."""
    path = folder / NAME
    with translated(path):
        connection = sqlite3.connect(
            path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        try:
            version = _version(connection, path)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(f"PRAGMA cache_size=-{_WRITER_CACHE_KIB}")
            for number, script in _migrations() if version < FORMAT else ():
                if number > version:
                    connection.executescript(f"BEGIN;{script};PRAGMA user_version={number};COMMIT")
        except BaseException:
            connection.close()
            raise
        return connection


def empty() -> sqlite3.Connection:
    """The tables with nothing in them, in memory."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for _, script in _migrations():
        connection.executescript(script)
    return connection


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Errors of SQLite and of what it holds as errors of ours."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise translate(error, path) from error
    except zlib.error as error:
        raise _damaged(path, error) from error


def translate(error: sqlite3.DatabaseError, path: Path) -> StoreError:
    """An error of SQLite as one of ours."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _damaged(path, error)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreError(
            f"the index {path} cannot be opened: {error}", "check who may read and write its folder"
        )
    if code == sqlite3.SQLITE_FULL:
        return StoreError(
            f"the index {path} cannot grow: {error}", "free some space; what was published before is intact"
        )
    return StoreError(f"the index {path} cannot be used: {error}", "`trig doctor` looks closer")


def _damaged(path: Path, error: Exception) -> StoreDamagedError:
    return StoreDamagedError(
        f"the index {path} is damaged: {error}",
        "`trig doctor --repair` builds it anew from the files; nothing was changed",
    )


def _connect_reading(path: Path) -> sqlite3.Connection:
    """Read-only; as immutable where the side files of the journal can be neither found nor made."""
    try:
        return _begin(path, "mode=ro")
    except sqlite3.OperationalError as error:
        journal = path.with_name(path.name + "-wal")
        cannot = getattr(error, "sqlite_errorcode", 0) & 0xFF in (
            sqlite3.SQLITE_CANTOPEN,
            sqlite3.SQLITE_READONLY,
        )
        if not cannot or (journal.exists() and journal.stat().st_size > 0):
            raise
        return _begin(path, "mode=ro&immutable=1")


def _begin(path: Path, options: str) -> sqlite3.Connection:
    address = f"file:{quote(str(path.absolute()))}?{options}"
    connection = sqlite3.connect(
        address, uri=True, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection, path: Path) -> int:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if application not in (0, APPLICATION) or (version and not application):
        raise StoreDamagedError(
            f"{path} is not an index of Trigpoint", "choose another folder with --index-dir"
        )
    if version > FORMAT:
        raise StoreFormatError(
            f"the index {path.parent} has format {version}, this version reads {FORMAT}",
            "update Trigpoint, or `trig clean` and index again",
        )
    return version


def _migrations() -> list[tuple[int, str]]:
    from importlib.resources import files  # 20 ms of imports that no reader needs

    found = []
    for item in files("trigpoint.stores.local").joinpath("migrations").iterdir():
        number = re.fullmatch(r"(\d{3})\.sql", item.name)
        if number:
            found.append((int(number[1]), item.read_text("utf-8")))
    return sorted(found)
