"""An index as one file: the rows, the postings and the vectors of one generation, each with its digest.

A tar archive, packed by gzip, whose first member is a manifest in JSON. Nothing of the machine is in it: no stat data, no
times, no absolute path; so two exports of one generation are the same bytes. Nothing in it is ever executed or unpickled.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, NamedTuple

from trigpoint.errors import NotFoundError, StoreDamagedError, StoreError, StoreFormatError, UsageError
from trigpoint.stores.local import database, trees
from trigpoint.stores.local.checks import IMPORT, foreign_tables
from trigpoint.stores.local.lock import LOCK, hold
from trigpoint.stores.local.postings import postings
from trigpoint.stores.local.vectors import FOLDER as VECTORS
from trigpoint.stores.local.vectors import Manifest as VectorManifest

FORMAT = 1
MANIFEST = "manifest.json"
POSTINGS = "postings"

_NAME = re.compile(rf"{re.escape(database.NAME)}|(?:{POSTINGS}|{VECTORS})/(?!\.\.?\Z)[\w.-]+")
_MANIFEST_MOST = 16_000_000  # bytes; 100 a part
_BLOCK = 1 << 20
_LEVEL = 3
"""Of gzip: the texts inside are deflated already, and level 9 takes five times as long for 2 % less."""


class Part(NamedTuple):
    """A file inside."""

    name: str
    size: int
    sha256: str


class Manifest(NamedTuple):
    """What an exported index says of itself."""

    made_by: str  # version of Trigpoint
    schema: int  # newest migration of the rows
    generation: int
    files: int
    settings: str  # what the records were made with
    root: str  # digest of the tree
    head: str
    branch: str
    parts: tuple[Part, ...] = ()

    def written(self) -> bytes:
        """As JSON, with the digest of all the rest."""
        body = {"format": FORMAT, **self._asdict(), "parts": [part._asdict() for part in self.parts]}
        return _json({**body, "digest": sha256(_json(body)).hexdigest()})

    @classmethod
    def read(cls, data: bytes) -> Manifest:
        """Raises StoreFormatError for a newer format, StoreDamagedError for what is none or was changed."""
        try:
            body: dict[str, Any] = json.loads(data)
            digest, number = body.pop("digest"), body["format"]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _none() from error
        if not isinstance(number, int) or number > FORMAT:
            raise StoreFormatError(
                f"the export has format {number}, this version reads {FORMAT}", "update Trigpoint"
            )
        if sha256(_json(body)).hexdigest() != digest:
            raise _none()
        del body["format"]
        parts = tuple(Part(**part) for part in body.pop("parts"))
        return cls(**body, parts=parts)


def _json(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body, sort_keys=True, separators=(",", ":")).encode()


def _none() -> StoreDamagedError:
    return StoreDamagedError(
        "this is no export of an index, or it was changed", "`trig export FILE` makes one; fetch it again"
    )


# out


def export(index: Path, target: Path, about: Manifest) -> str:
    """Write the generation that ``about`` speaks of to ``target``, at once or not at all; returns the digest of the file.

    Raises UsageError when something else stands there, StoreLockedError while another writes, StoreError when it cannot
    be written.
    """
    _refuse_to_overwrite(target)
    writable = os.access(index, os.W_OK)
    try:
        with (
            hold(index / LOCK, 60.0) if writable else nullcontext(),
            tempfile.TemporaryDirectory(prefix=".trig-export-", dir=target.absolute().parent) as folder,
        ):
            rows = Path(folder) / database.NAME
            here = trees.place(index)
            _copy_rows(here, rows)
            files = [(database.NAME, rows), *_postings(here), *_vectors(here, about.generation)]
            parts = tuple(Part(name, path.stat().st_size, _digest(path)) for name, path in files)
            fresh = Path(folder) / "export"
            _pack(fresh, about._replace(parts=parts).written(), files)
            digest = _digest(fresh)
            fresh.replace(target)
            return digest
    except OSError as error:
        raise StoreError(
            f"{target} cannot be written: {error.strerror or error}",
            "choose another place, or free some space",
        ) from error


def _refuse_to_overwrite(target: Path) -> None:
    try:
        if target.stat().st_size:
            peek(target)
    except FileNotFoundError:
        return
    except (StoreError, OSError) as error:
        raise UsageError(f"{target} is there and no export of an index", "choose another name") from error


def _copy_rows(index: Path, rows: Path) -> None:
    """The rows as one file without what only this machine knows."""
    reader = database.open_reader(index)
    if reader is None:
        raise NotFoundError("nothing is indexed", "run `trig index` first")
    with database.translated(index / database.NAME), closing(reader), closing(_open(rows)) as copy:
        reader.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
        copy.execute("UPDATE files SET stat = ''")
        copy.execute("UPDATE meta SET value = '' WHERE key = 'user:stamp'")
        copy.execute("UPDATE meta SET value = '0' WHERE key = 'user:indexed_at_ns'")
        copy.execute("VACUUM")


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def _postings(index: Path) -> list[tuple[str, Path]]:
    folder = index / POSTINGS
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [(f"{POSTINGS}/{path.name}", path) for path in found if not path.name.endswith(".lock")]


def _vectors(index: Path, generation: int) -> list[tuple[str, Path]]:
    """The vectors, when they are whole and of this generation."""
    folder = index / VECTORS
    manifest = VectorManifest.read(folder)
    if manifest is None or manifest.generation != generation:
        return []
    rest = (f".{manifest.epoch}", "")
    found = sorted(folder.iterdir())
    kept = [
        path
        for path in found
        if path.name in ("manifest.json", manifest.chunks)
        or (path.suffix == rest[0] and path.stem in ("codes", "scales", "signs", "keys"))
    ]
    return [(f"{VECTORS}/{path.name}", path) for path in kept]


def _pack(fresh: Path, manifest: bytes, files: Sequence[tuple[str, Path]]) -> None:
    with (
        open(fresh, "wb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        import io

        archive.addfile(_member(MANIFEST, len(manifest)), io.BytesIO(manifest))
        for name, path in files:
            with open(path, "rb") as content:
                archive.addfile(_member(name, path.stat().st_size), content)


def _member(name: str, size: int) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.size, made.mode = size, 0o644
    return made


def _digest(path: Path) -> str:
    total = sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            total.update(block)
    return total.hexdigest()


# in


def peek(source: Path) -> Manifest:
    """The manifest of an export, without looking at the rest.

    Raises NotFoundError, StoreFormatError, StoreDamagedError.
    """
    with _members(source) as (archive, _):
        return _first(archive)


def unpack(source: Path, folder: Path) -> Manifest:
    """Write the parts of an export into an empty folder, each compared with its digest.

    Raises NotFoundError, StoreFormatError, StoreDamagedError, StoreError when they cannot be written.
    """
    with _members(source) as (archive, packed):
        manifest = _first(archive)
        left = {part.name: part for part in manifest.parts}
        while (member := archive.next()) is not None:
            part = left.pop(member.name, None)
            content = archive.extractfile(member) if member.isreg() else None
            if part is None or content is None or member.size != part.size or not _NAME.fullmatch(part.name):
                raise _none()
            _write(content, folder / part.name, part)
        if left:
            raise _none()
        while packed.read(_BLOCK):  # to its end, where the checksum of all stands
            pass
    _check_schema(folder)
    return manifest


@contextmanager
def _members(source: Path) -> Iterator[tuple[tarfile.TarFile, gzip.GzipFile]]:
    try:
        with (
            open(source, "rb") as raw,
            gzip.open(raw) as packed,
            tarfile.open(fileobj=packed, mode="r|") as archive,
        ):
            yield archive, packed
    except FileNotFoundError as error:
        raise NotFoundError(f"{source} does not exist", "give a file that export wrote") from error
    except (tarfile.TarError, zlib.error, EOFError, gzip.BadGzipFile) as error:
        raise _none() from error


def _first(archive: tarfile.TarFile) -> Manifest:
    member = archive.next()
    content = archive.extractfile(member) if member is not None and member.isreg() else None
    if member is None or content is None or member.name != MANIFEST or member.size > _MANIFEST_MOST:
        raise _none()
    return Manifest.read(content.read())


def _write(content: IO[bytes], path: Path, part: Part) -> None:
    total = sha256()
    try:
        path.parent.mkdir(exist_ok=True)
        with open(path, "xb") as file:
            while block := content.read(_BLOCK):
                total.update(block)
                file.write(block)
    except OSError as error:
        if isinstance(error, (gzip.BadGzipFile, tarfile.TarError)):
            raise
        raise StoreError(
            f"the import needs room in {path.parent}: {error.strerror}",
            "free some space; the former index is intact",
        ) from error
    if total.hexdigest() != part.sha256:
        raise _none()


def _check_schema(folder: Path) -> None:
    """Rows from elsewhere may hold no triggers, views or other tables: they would run with ours."""
    reader = database.open_reader(folder)
    if reader is None:
        raise _none()
    with closing(reader):
        if reader.execute("SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view')").fetchone():
            raise _none()
    with closing(database.open_writer(folder)) as rows:  # brought up to the newest format
        if foreign_tables(rows):
            raise _none()


@contextmanager
def workplace(index: Path) -> Iterator[Path]:
    """A folder on the same file system as an index, gone afterwards, and the index folder too where nothing came of it."""
    there = index.exists()
    try:
        index.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=IMPORT, dir=index))
    except OSError as error:
        raise StoreError(
            f"the index {index} cannot be written: {error.strerror}", "choose another place with --index-dir"
        ) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if not there:
            with suppress(OSError):
                (index / LOCK).unlink(missing_ok=True) if len(list(index.iterdir())) == 1 else None
                index.rmdir()


def install(fresh: Path, index: Path, lexical: str) -> None:
    """Make an unpacked index the present tree of ``index``, at once; readers keep what they see, and the former tree stays
    beside it. Raises StoreLockedError, StoreError.
    """
    with hold(index / LOCK, 60.0):
        here = trees.place(index)
        reader = database.open_reader(here)
        with closing(reader) if reader is not None else nullcontext():
            former = _generation(reader) if reader is not None else 0
        _renumber(fresh, former + 1, lexical)
        if (
            reader is None
        ):  # nothing is replaced; the rows come last, so that a killed import has left nothing
            for name in (POSTINGS, VECTORS, database.NAME):
                if (fresh / name).exists():
                    os.replace(fresh / name, index / name)
            return
        there = trees.next_folder(index)
        there.parent.mkdir(exist_ok=True)
        os.replace(fresh, there)
        trees.turn(index, there)
        trees.forget(index, trees.KEEP, time.time())


def _generation(connection: sqlite3.Connection) -> int:
    row = connection.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()
    return int(row[0]) if row else 0


def _renumber(fresh: Path, least: int, lexical: str) -> None:
    """Give the import a generation that the index never had, so that no part of the former one fits to it."""
    with closing(_open(fresh / database.NAME)) as rows:
        rows.execute("PRAGMA journal_mode=DELETE")
        former = _generation(rows)
        generation = max(least, former)
        words = postings(lexical, fresh)
        if words.reader(rows, former) is not None:
            writer = words.writer(rows, lambda file: ())
            writer.prepare(generation, rebuilt=True)
            writer.finish(generation)
            writer.close()
        rows.execute("UPDATE meta SET value = ? WHERE key = 'generation'", (str(generation),))
    vectors = VectorManifest.read(fresh / VECTORS)
    if vectors is not None and vectors.generation == former:
        vectors._replace(generation=generation).write(fresh / VECTORS)
