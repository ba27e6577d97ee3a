"""Bringing the vectors up to a snapshot: embed what has no row yet, in batches, then replace the manifest."""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from operator import mul
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from trigpoint.errors import ProviderError, TrigpointError
from trigpoint.model import Passage, Scored
from trigpoint.ports import Embedder, Snapshot
from trigpoint.stores.local import vector_places
from trigpoint.stores.local.keys import SHIFT
from trigpoint.stores.local.vector_keys import KnownKeys
from trigpoint.stores.local.vector_places import Places
from trigpoint.stores.local.vectors import (
    EXACT_ROWS,
    KEY_BYTES,
    PROBE,
    SAME,
    Manifest,
    VectorTable,
    faiss_file,
    moved,
    packed,
    row_file,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]

PLACE = 2
"""Parts of the path that belong to a chunk's name, the file's stem the last: worth .005 NDCG@10 on the tuning repositories."""
LONGEST = 2.0  # a vector of code may hold that of a name beside it
_FRESH = 100_000  # keys kept as objects: 15 MB
_WASTE = 2  # so many rows for each that is used are kept: they are what other branches need
_LEAST_COMPACTED = 10_000
_PROBES, _WANTED = 64, 10  # rows that recall is measured with, and the nearest of each
ENOUGH = 0.98
"""Share of the exactly nearest that is to be found; a depth that finds less is doubled and more."""
DEPTHS = (3_000, 10_000, 30_000)
_GROWTH = 1.1
"""Recall is measured again when the rows have grown by this factor: one file moves nothing."""

Tell = Callable[[int], None]
"""Told of the chunks done."""


class _Rows(NamedTuple):
    """Chunks and their rows, and the files they are of."""

    ids: array[int]
    rows: array[int]
    files: dict[int, int]  # and what stands for their texts and names


def refresh(
    folder: Path,
    snapshot: Snapshot,
    embedder: Embedder,
    tell: Tell = lambda done: None,
    search: str = "auto",
) -> Manifest:
    """Make the vectors fit a snapshot; returns their manifest. The caller is the one writer.

    Raises ProviderError when an embedder fails or breaks its promise; what was embedded until then is kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    found = Manifest.read(folder)
    if found is not None and _is_of(found, snapshot, embedder):  # most runs: nothing has changed
        ready = findable(folder, found, search)
        if ready != found:
            ready.write(folder)
        return ready
    wanted = snapshot.passages()
    probe = _probe(folder, wanted, embedder)
    before = _fitting(folder, embedder, probe)
    if before.files == wanted and before.manifest.generation:
        manifest = findable(folder, before.manifest, search)._replace(generation=snapshot.generation)
        if manifest != before.manifest:
            manifest.write(folder)
        return manifest
    made = _Writer(folder, before, embedder)
    new = sorted(file for file, made_of in wanted.items() if made_of != before.files.get(file))
    made.keep(wanted.keys() - set(new))
    homes = snapshot.homes(file << SHIFT for file in new)
    for file in new:
        made.add(file, wanted[file], snapshot, homes[file << SHIFT])
        tell(len(made.held.ids))
    return made.finish(snapshot.generation, search)


def _probe(folder: Path, wanted: Mapping[int, int], embedder: Embedder) -> tuple[float, ...]:
    """The vector of PROBE now; () for a model that cannot be exchanged behind its name.

    That of the manifest where the service does not answer and nothing is to be embedded anyway.
    """
    if not embedder.changeable:
        return ()
    try:
        embedder.encode_documents([Passage(PROBE, "")])  # with more patience than there is for a question
        return tuple(embedder.encode_queries([PROBE])[0].tolist())
    except ProviderError:
        found = Manifest.read(folder)
        if found is None or found.fingerprint != embedder.fingerprint or not found.generation:
            raise
        if VectorTable(folder, found).files != wanted:
            raise
        return found.probe


def refresh_or_start_over(
    folder: Path,
    snapshot: Snapshot,
    embedder: Embedder,
    tell: Tell = lambda done: None,
    search: str = "auto",
) -> Manifest:
    """The same where files may be damaged: they are made of the rows, and are then made anew."""
    from trigpoint.stores.local.vector_health import damage, start_over, unreadable

    if damage(folder):
        start_over(folder)
    try:
        return refresh(folder, snapshot, embedder, tell, search)
    except Exception as error:
        if isinstance(error, TrigpointError) or not unreadable(error) or not damage(folder, deep=True):
            raise
    start_over(folder)
    return refresh(folder, snapshot, embedder, tell, search)


def _is_of(manifest: Manifest, snapshot: Snapshot, embedder: Embedder) -> bool:
    """Whether vectors were made for this very generation by this model."""
    made = manifest.fingerprint == embedder.fingerprint and manifest.generation == snapshot.generation
    return made and not embedder.changeable


def _fitting(folder: Path, embedder: Embedder, probe: tuple[float, ...]) -> VectorTable:
    """The table that is there, or an empty one of the next epoch when it was made by another model."""
    found = Manifest.read(folder)
    if found is None or found.fingerprint != embedder.fingerprint or not is_same(found, probe, embedder):
        epoch = found.epoch + 1 if found else 1
        empty = Manifest(embedder.fingerprint, embedder.dimensions, 0, epoch, 0, "")
        found = empty._replace(model=embedder.name, probe=tuple(round(one, 6) for one in probe))
    return VectorTable(folder, found)


def is_same(manifest: Manifest, probe: Sequence[float], embedder: Embedder) -> bool:
    """Whether the vectors of a manifest are of the model that made this vector of PROBE."""
    if not embedder.changeable:
        return manifest.dimensions == embedder.dimensions
    if len(probe) != len(manifest.probe):
        return False
    return math.fsum(map(mul, probe, manifest.probe)) >= SAME


def _named(snapshot: Snapshot, path: str, fingerprint: str) -> Iterator[tuple[int, bytes, str]]:
    """Each chunk of a file, the key of its row, and the name that is embedded with its text."""
    place = " ".join(path.rsplit(".", 1)[0].split("/")[-PLACE:])
    for stored in snapshot.chunks_of(path, text=False):
        name = f"{place} {stored.qualified}".strip()
        made_of = "\0".join((fingerprint, stored.chunk.digest, name))
        yield (
            stored.id,
            blake2b(made_of.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).digest(),
            name,
        )


class _Writer:
    """One refresh."""

    def __init__(self, folder: Path, before: VectorTable, embedder: Embedder) -> None:
        self.folder, self.before, self.embedder = folder, before, embedder
        self.manifest = before.manifest
        self.known = KnownKeys(before.keys)
        self.fresh: dict[bytes, int] = {}  # rows of keys that are not among the known ones
        self.held = _Rows(array("q"), array("q"), {})
        self.waiting: list[tuple[bytes, Passage]] = []
        self.count = self.made = self.manifest.rows  # rows given away, and those that are written
        self.rows_before = self.manifest.rows
        self._cut()

    def _cut(self) -> None:
        """Rows that a killed run left behind what counts go: the next ones must stand there."""
        epoch, rows, size = self.manifest.epoch, self.manifest.rows, self.embedder.dimensions
        for kind, width in {
            "codes": size,
            "scales": 4,
            "signs": -(-size // 64) * 8,
            "keys": KEY_BYTES,
        }.items():
            path = row_file(self.folder, kind, epoch)
            path.touch()
            os.truncate(path, rows * width)

    def keep(self, files: set[int]) -> None:
        """The chunks of these files stay as they are."""
        import numpy as np

        if not files:
            return
        ids, rows = self.before.by_chunk
        rest = self.before.files.keys() - files  # mostly few, which takes a tenth of looking for many
        some = np.isin(ids >> SHIFT, np.fromiter(rest, np.int64, len(rest)), invert=True)
        self.held.ids.frombytes(ids[some].astype(np.int64).tobytes())
        self.held.rows.frombytes(rows[some].astype(np.int64).tobytes())
        self.held.files.update((file, self.before.files[file]) for file in files)

    def add(self, file: int, made_of: int, snapshot: Snapshot, path: str) -> None:
        """The chunks of one file; what has no row waits to be embedded."""
        self.held.files[file] = made_of
        new: dict[int, tuple[bytes, str]] = {}
        for chunk, key, name in _named(snapshot, path, self.embedder.fingerprint):
            row = self.fresh.get(key)
            if row is None:
                row = self.known.row(key)
            if row is None:
                row = self.fresh[key] = self.count
                self.count += 1
                new[chunk] = (key, name)
            self.held.ids.append(chunk)
            self.held.rows.append(row)
        for stored in snapshot.chunks(list(new)) if new else ():
            key, name = new[stored.id]
            self.waiting.append((key, Passage(stored.chunk.text, name)))
        while len(self.waiting) >= self.embedder.batch:
            self._embed()

    def _embed(self) -> None:
        """Rows for the first of what waits; they are kept from then on, whatever happens."""
        import numpy as np

        some, self.waiting = self.waiting[: self.embedder.batch], self.waiting[self.embedder.batch :]
        keys, passages = [key for key, _ in some], [passage for _, passage in some]
        parts = self.embedder.pooled
        vectors = checked(self.embedder.encode_documents(passages), len(passages), self.embedder)
        scales = np.maximum(np.abs(vectors).max(1), 1e-9) / 127
        self._append("codes", np.rint(vectors / scales[:, None]).astype(np.int8))
        self._append("scales", scales.astype(np.float32))
        self._append("signs", packed(vectors))
        self._append("keys", np.frombuffer(b"".join(keys), np.uint8))
        self.made += len(some)
        if len(self.fresh) > _FRESH and not self.waiting:  # what is written is looked up where it lies
            self.known, self.fresh = (
                KnownKeys(VectorTable(self.folder, self.manifest._replace(rows=self.made)).keys),
                {},
            )
        pooled = self.manifest.pooled + self.embedder.pooled - parts
        self.manifest = self.manifest._replace(rows=self.made, pooled=pooled)
        self.manifest.write(self.folder)

    def _append(self, kind: str, values: NDArray[np.generic]) -> None:
        with open(row_file(self.folder, kind, self.manifest.epoch), "ab") as file:
            file.write(values.tobytes())

    def finish(self, generation: int, search: str) -> Manifest:
        """Write what chunk has what row, replace the manifest, clear away the former files."""
        import numpy as np

        while self.waiting:
            self._embed()
        ids, rows = np.frombuffer(self.held.ids, np.int64), np.frombuffer(self.held.rows, np.int64)
        order = np.argsort(ids, kind="stable")
        name = f"chunks.{self.manifest.epoch}.{generation}"
        files = np.fromiter(self.held.files, np.int64, len(self.held.files))
        passages = np.fromiter(self.held.files.values(), np.int64, len(files))
        vector_places.write(self.folder / name, Places(ids[order], rows[order], files, passages))
        manifest = self.manifest._replace(generation=generation, rows=self.count, chunks=name)
        manifest.write(self.folder)
        if len(rows) and self.count > _LEAST_COMPACTED and self.count > (1 + _WASTE) * _distinct(rows):
            manifest = compact(self.folder, manifest)
        if (ready := findable(self.folder, manifest, search)) != manifest:
            manifest = ready
            manifest.write(self.folder)
        _clear(self.folder, manifest)
        return manifest


def _distinct(rows: Numbers) -> int:
    """How many rows these are, without sorting them."""
    import numpy as np

    return int(np.count_nonzero(np.bincount(rows)))


def findable(folder: Path, manifest: Manifest, search: str) -> Manifest:
    """The manifest after what makes the search quick was built, and measured, where the rows have grown enough."""
    from trigpoint.stores.local import vector_faiss

    if (
        vector_faiss.is_wanted(search, manifest.rows)
        and manifest.rows > vector_faiss.GROWTH * manifest.approximate
    ):
        manifest = vector_faiss.built(folder, manifest)._replace(measured=0)
    if manifest.rows <= EXACT_ROWS or manifest.rows <= _GROWTH * manifest.measured:
        return manifest
    asked = probes(VectorTable(folder, manifest))
    right = VectorTable(folder, manifest).exact_many(asked, _WANTED)
    for depth in DEPTHS:
        tried = manifest._replace(depth=depth)
        table = VectorTable(folder, tried, search)
        found = _share(table, asked, right)
        if found >= ENOUGH or table.way != "signs":
            break
    return tried._replace(recall=found, measured=manifest.rows)


def compact(folder: Path, manifest: Manifest) -> Manifest:
    """Copy the rows that have a chunk to the next epoch, and point to them."""
    import numpy as np

    table = VectorTable(folder, manifest)
    live, rows = table.live, table.places.rows
    epoch = manifest.epoch + 1
    for kind in ("codes", "scales", "signs", "keys"):
        row_file(folder, kind, epoch).write_bytes(getattr(table, kind)[live].tobytes())
    name = f"chunks.{epoch}.{manifest.generation}"
    places = table.places._replace(rows=np.searchsorted(live, rows))
    vector_places.write(folder / name, places)
    compacted = manifest._replace(epoch=epoch, rows=len(live), chunks=name, approximate=0, measured=0)
    compacted.write(folder)
    return compacted


def probes(table: VectorTable) -> Floats:
    """Questions to measure with: the vectors of some rows, evenly chosen, moved by their own length, as a question is no chunk."""
    some = table.live[:: max(1, len(table.live) // _PROBES)][:_PROBES]
    return moved(table.codes[some])


def recall(table: VectorTable) -> float:
    """Share of the exactly nearest chunks that the table's way finds, asked with some rows' own vectors."""
    asked = probes(table)
    return _share(table, asked, table.exact_many(asked, _WANTED))


def _share(table: VectorTable, asked: Floats, right: Sequence[Sequence[Scored]]) -> float:
    found = total = 0
    for one, exact in zip(asked, right, strict=True):
        near = {hit.chunk for hit in table.nearest(one, _WANTED)}
        found += sum(hit.chunk in near for hit in exact)
        total += len(exact)
    return round(found / total, 4) if total else 1.0


def checked(vectors: Floats, count: int, embedder: Embedder) -> Floats:
    """The vectors of one batch, when they are what was promised.

    Raises ProviderError for another number, another size, or numbers that are none.
    """
    import numpy as np

    problem = ""
    if vectors.shape != (count, embedder.dimensions):
        problem = f"{vectors.shape} numbers for {count} passages of {embedder.dimensions} dimensions"
    elif not np.isfinite(vectors).all():
        problem = "numbers that are not finite"
    elif count and float(np.linalg.norm(vectors, axis=1).max()) > LONGEST:
        problem = f"vectors longer than {LONGEST}"
    if problem:
        raise ProviderError(
            f"the embedder {embedder.name} gave {problem}", 'set `embedder = "none"` to do without'
        )
    return vectors


def _clear(folder: Path, manifest: Manifest) -> None:
    """Files of former manifests; a reader that has them open keeps them."""
    for path in folder.iterdir():
        kind = path.name.partition(".")[0]
        current = {"chunks": manifest.chunks, "faiss": faiss_file(folder, manifest).name}
        former = path.name != current.get(kind, f"{kind}.{manifest.epoch}")
        if kind in ("chunks", "faiss", "codes", "scales", "signs", "keys") and former:
            with suppress(OSError):  # another system may hold on to a mapped file; the next run tries again
                path.unlink()


__all__: Sequence[str] = ("checked", "compact", "recall", "refresh")
