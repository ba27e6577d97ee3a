"""Records that left the index, for when their files are again as they were: after a stash, an undo, a branch and back.

One SQLite file beside the index, used by the holder of its lock only. A record lies under its path, the digest of its
content, and what records depend on, and is as good as a row that was never replaced: it holds what the rows held, and all
that follows from those is worked out anew. Whatever is wrong with the file costs time only; it is then made anew.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from trigpoint.model import SourceEntry
from trigpoint.ports import Snapshot
from trigpoint.stores.local.database import FORMAT as SCHEMA
from trigpoint.stores.local.encode import Encoded, stat_text, words_of_path
from trigpoint.stores.local.keys import SHIFT, TOP, name_key, path_bytes, target_keys
from trigpoint.stores.local.packing import block_count, inflate_block, unpack
from trigpoint.stores.local.rows import ENCODED_CHUNKS, ENCODED_SYMBOLS
from trigpoint.stores.local.snapshot import LocalSnapshot
from trigpoint.stores.local.trees import Limits
from trigpoint.stores.uses import used_names
from trigpoint.text.identifiers import fold, name_words

NAME = "records.sqlite3"
FILES = (NAME, NAME + "-journal")
"""The file, and the one beside it while it is written."""

FORMAT = 1
"""Raised when what is kept, or how, changes: older records are then not found."""
_APPLICATION = 0x54524947  # "TRIG"
_SECONDS_A_DAY = 86_400
_LOW = 0.8  # share of the limit that is left when it was passed, so that not every update has to make room
_LARGEST = 1 / 8  # share of the limit that one record may take
_LEVEL = 1  # of deflating; as in packing.py

_TABLE = """CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    place INTEGER NOT NULL,
    digest BLOB NOT NULL,
    made BLOB NOT NULL,
    used INTEGER NOT NULL,
    size INTEGER NOT NULL,
    rows BLOB NOT NULL,
    text BLOB NOT NULL,
    imports BLOB NOT NULL,
    refs BLOB NOT NULL,
    bindings BLOB NOT NULL,
    proof BLOB NOT NULL
)"""
_BY_PLACE = "CREATE UNIQUE INDEX records_place ON records (place, made, digest)"
_BY_USE = "CREATE INDEX records_used ON records (used, size)"
_SCHEMA = (_TABLE, _BY_PLACE, _BY_USE)

_FILE = (
    "SELECT id, language, digest, size, lines, encoding, level, reason, detail, marks, '', package, exports, symbols, "
    "chunks, refs FROM files WHERE path = ?"
)
_STAT = 9
"""Place of the stat data among the columns of a file,"""
_DIGEST = 9
"""and of the digest among those of a chunk."""


class LocalRecords:
    """ports.Records beside an index, for the holder of its lock. ``settings`` is what records depend on, ``now`` the
    seconds since 1970. Nothing is opened before it is needed, and nothing here ever raises for the file.
    """

    def __init__(self, index: Path, limits: Limits, settings: str, now: float) -> None:
        self._index = index
        self._path = index / NAME
        self._limits = limits
        self._made = blake2b(f"{FORMAT} {SCHEMA} {settings}".encode(), digest_size=8).digest()
        self._now = int(now)
        self._rows: sqlite3.Connection | None = None
        self._useless = not limits.bytes
        self._found: list[int] = []

    def find(self, entry: SourceEntry, digest: Callable[[], str]) -> tuple[Any, str] | None:
        """What encoder() would make of a file, and its digest; ``digest`` is asked only where that may be known."""
        rows = self._open(make=False)
        if rows is None:
            return None
        place = _place(entry.path)
        try:
            known = rows.execute(
                "SELECT 1 FROM records WHERE place = ? AND made = ? LIMIT 1", (place, self._made)
            )
            if known.fetchone() is None or not (content := digest()):
                return None
            row = rows.execute(
                "SELECT id, rows, text, imports, refs, bindings, proof FROM records "
                "WHERE place = ? AND made = ? AND digest = ?",
                (place, self._made, content.encode()),
            ).fetchone()
            if row is None:
                return None
            found = self._restored(entry, content, row)
        except sqlite3.DatabaseError as error:
            self._fail(error)
            return None
        if found is not None:
            self._found.append(row[0])
        return None if found is None else (found, content)

    def keep(self, before: Snapshot, paths: Iterable[str]) -> None:
        """Keep what a snapshot holds of these files."""
        assert isinstance(before, LocalSnapshot)
        names = list(paths)
        for _ in range(2):  # once more with a new file where the old one is damaged
            rows = self._open(make=bool(names))
            if rows is None:
                return
            try:
                with rows:  # one transaction
                    self._note_use(rows)
                    for path in names:
                        self._keep_one(rows, before, path)
                return
            except sqlite3.DatabaseError as error:
                self._fail(error)

    def tidy(self) -> None:
        """Let go of what is too old or too much."""
        rows = self._open(make=False)
        if rows is None:
            return
        try:
            with rows:
                gone = self._let_go(rows)
            if gone:
                rows.executescript("PRAGMA incremental_vacuum")  # execute() would free one page
        except sqlite3.DatabaseError as error:
            self._fail(error)

    def forget(self, paths: Iterable[str]) -> None:
        """Keep nothing of these files any longer."""
        rows = self._open(make=False)
        if rows is None:
            return
        try:
            with rows:
                rows.executemany("DELETE FROM records WHERE place = ?", [(_place(path),) for path in paths])
        except sqlite3.DatabaseError as error:
            self._fail(error)

    def close(self) -> None:
        """Let the file go; where none is wanted, remove it."""
        if self._rows is not None:
            self._rows.close()
            self._rows = None
        if not self._limits.bytes:
            remove(self._index)

    # records

    def _keep_one(self, rows: sqlite3.Connection, before: LocalSnapshot, path: str) -> None:
        run = before.connection.execute
        file = run(_FILE, (path_bytes(path),)).fetchone()
        if file is None or not _is_worth_it(file):
            return
        key = (place, _, digest) = (_place(path), self._made, file[2].encode())
        if rows.execute(
            "UPDATE records SET used = ? WHERE place = ? AND made = ? AND digest = ?", (self._now, *key)
        ).rowcount:
            return
        low = file[0] << SHIFT
        parts = [run(query, (low, low + TOP - 1)).fetchall() for query in (ENCODED_SYMBOLS, ENCODED_CHUNKS)]
        parts[0] = [row[:-1] for row in parts[0]]
        content = run(
            "SELECT text, imports, refs, bindings FROM contents WHERE file = ?", (file[0],)
        ).fetchone()
        if content is None or not all(isinstance(row[_DIGEST], bytes) for row in parts[1]):
            return
        parts[1] = [(*row[:_DIGEST], row[_DIGEST].hex(), *row[_DIGEST + 1 :]) for row in parts[1]]
        body = zlib.compress(json.dumps((file[1:], *parts), separators=(",", ":")).encode(), _LEVEL)
        size = len(body) + sum(map(len, content))
        if size > self._limits.bytes * _LARGEST:
            return
        rows.execute(
            "INSERT OR REPLACE INTO records VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (place, digest, self._made, self._now, size, body, *content, _proof(key, body, *content)),
        )

    def _restored(self, entry: SourceEntry, digest: str, row: tuple[Any, ...]) -> Encoded | None:
        _, body, *content, proof = row
        key = (_place(entry.path), self._made, digest.encode())
        try:
            if proof != _proof(key, body, *content):
                return None
            return _encoded(entry, json.loads(zlib.decompress(body)), cast(_Contents, tuple(content)))
        except (zlib.error, ValueError, TypeError, LookupError):
            return None

    # the file

    def _note_use(self, rows: sqlite3.Connection) -> None:
        rows.executemany(
            "UPDATE records SET used = ? WHERE id = ?", [(self._now, one) for one in self._found]
        )
        self._found.clear()

    def _let_go(self, rows: sqlite3.Connection) -> bool:
        """Delete what is too old, and what was not used for the longest time where all is too much; whether any was."""
        oldest = self._now - self._limits.days * _SECONDS_A_DAY
        gone = rows.execute("DELETE FROM records WHERE used < ?", (oldest,)).rowcount
        if _bytes(rows) <= self._limits.bytes:
            return gone > 0
        (total,) = rows.execute("SELECT sum(size) FROM records").fetchone()
        room = self._limits.bytes * _LOW * total / _bytes(rows)
        for one, size in rows.execute("SELECT id, size FROM records ORDER BY used DESC, id DESC").fetchall():
            room -= size
            if room < 0:
                rows.execute("DELETE FROM records WHERE id = ?", (one,))
        return True

    def _open(self, *, make: bool) -> sqlite3.Connection | None:
        """The file, with ``make`` a new one where there is none that is ours; None where there is nothing to be had."""
        if self._rows is not None or self._useless:
            return self._rows
        if not make and not self._path.exists():
            return None
        try:
            self._rows = _connected(self._path)
        except sqlite3.DatabaseError as error:
            self._fail(error)
        return self._rows

    def _fail(self, error: Exception) -> None:
        """Do without the file from now on; one that is damaged, or none of ours, makes room for another."""
        if self._rows is not None:
            self._rows.close()
            self._rows = None
        self._found.clear()
        if _is_damage(error) and remove(self._index):
            return
        self._useless = True  # no room, no permission, or another program has it open


_Contents = tuple[bytes, bytes, bytes, bytes]


def count(index: Path) -> int:
    """How many records are kept beside an index; 0 where that cannot be told."""
    with suppress(sqlite3.DatabaseError), _looked_at(index) as rows:
        return int(rows.execute("SELECT count(*) FROM records").fetchone()[0]) if rows is not None else 0
    return 0


def size(index: Path) -> int:
    """Bytes on disk."""
    try:
        return (index / NAME).stat().st_size
    except OSError:
        return 0


def damage(index: Path) -> str:
    """Why the file beside an index is of no use; "" where it is sound, or there is none."""
    try:
        with _looked_at(index) as rows:
            if rows is None:
                return ""
            if (told := _schema(rows)) and told != set(_SCHEMA):
                return "it has tables that this version has not made"
            (problem,) = rows.execute("PRAGMA quick_check(1)").fetchone()
            return "" if problem == "ok" else str(problem)
    except sqlite3.DatabaseError as error:
        return str(error) if _is_damage(error) else ""


def remove(index: Path) -> bool:
    """Remove the file; whether that could be done."""
    try:
        for name in FILES:
            (index / name).unlink(missing_ok=True)
    except OSError:
        return False
    return True


@contextmanager
def _looked_at(index: Path) -> Iterator[sqlite3.Connection | None]:
    """The file for reading only."""
    if not (index / NAME).is_file():
        yield None
        return
    with closing(
        sqlite3.connect(f"{(index / NAME).absolute().as_uri()}?mode=ro", uri=True, timeout=0)
    ) as rows:
        rows.execute("PRAGMA trusted_schema=OFF")
        yield rows


def _is_damage(error: Exception) -> bool:
    """Whether an error says that the file is damaged or none of ours: not that it is busy, or cannot be reached."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_NOTADB) & 0xFF
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)


def _schema(rows: sqlite3.Connection) -> set[str]:
    return {sql for (sql,) in rows.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}


def _connected(path: Path) -> sqlite3.Connection:
    """Raises sqlite3.DatabaseError for what is none of ours."""
    rows = sqlite3.connect(path, timeout=0.0)
    try:
        rows.execute("PRAGMA trusted_schema=OFF")
        rows.execute("PRAGMA synchronous=OFF")  # what a power cut damages is made anew
        told = _schema(rows)
        if not told:
            rows.execute("PRAGMA auto_vacuum=INCREMENTAL")
            rows.execute(f"PRAGMA application_id={_APPLICATION}")
            for line in _SCHEMA:
                rows.execute(line)
        elif told != set(_SCHEMA):
            raise sqlite3.DatabaseError("another schema")
    except BaseException:
        rows.close()
        raise
    return rows


def _bytes(rows: sqlite3.Connection) -> int:
    """Bytes that are in use."""
    pages, free, size = (
        int(rows.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _place(path: str) -> int:
    return int.from_bytes(blake2b(path_bytes(path), digest_size=8).digest(), "little") >> 1


def _proof(key: tuple[int, bytes, bytes], *parts: bytes) -> bytes:
    """A checksum of what is kept and of what it is kept under."""
    total = blake2b(f"{key[0]} {key[1].hex()} {key[2].hex()} {[*map(len, parts)]}".encode(), digest_size=8)
    for part in parts:
        total.update(part)
    return total.digest()


def _is_worth_it(file: tuple[Any, ...]) -> bool:
    """Whether a file of columns _FILE was read whole, so that what was made of it is all that can be made of it."""
    digest, level, reason = file[2], file[6], file[7]
    return bool(digest) and level != "skipped" and reason != "not-outlined"


def _encoded(entry: SourceEntry, told: list[Any], contents: _Contents) -> Encoded | None:
    """The record as the writer takes it; None where what the rows hold does not tell all of it."""
    file, symbols, chunks = told
    text = "".join(inflate_block(contents[0], number) for number in range(block_count(contents[0])))
    if not _tells_all(text, entry.path):
        return None
    file[_STAT] = stat_text(entry.stat)
    names = dict.fromkeys(row[0] for row in symbols)
    uses = used_names(*map(unpack, contents[1:]))
    return Encoded(
        path=path_bytes(entry.path),
        file=tuple(file),
        contents=contents,
        symbols=[tuple(row) for row in symbols],
        chunks=[(*row[:_DIGEST], bytes.fromhex(row[_DIGEST]), *row[_DIGEST + 1 :]) for row in chunks],
        names=[(name, fold(name), " ".join(name_words(name))) for name in names],
        path_words=words_of_path(entry.path),
        uses=sorted(map(name_key, uses)),
        documents=None,
        keys=target_keys(entry.path, [row[1] for row in symbols]),
    )


def _tells_all(text: str, path: str) -> bool:
    """Whether rows hold the record unaltered: names that UTF-8 cannot hold are replaced in them."""
    try:
        (path + text).encode()
    except UnicodeEncodeError:
        return False
    return True
