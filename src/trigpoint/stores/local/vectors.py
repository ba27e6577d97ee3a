"""The vectors of an index: one row a distinct passage, memory-mapped, found by 1-bit signs and rescored by bytes.

A row is kept under a key of its text and its model, so that text which moves, returns or comes twice is embedded once.
Rows are only ever added; a manifest, replaced at once, says how many count and which chunk has which row. A reader that
mapped the former files keeps them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from trigpoint.model import Scored
from trigpoint.stores.local.vector_places import Places, read

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Numbers = NDArray[np.int64]

FOLDER = "vectors"
MANIFEST = "manifest.json"
FORMAT = 2
"""Raised when the files, or what is embedded of a chunk, change: everything is embedded anew."""
KEY_BYTES = 16

EXACT_ROWS = 40_000
"""Up to here every row is scored: 10 ms, and nothing is missed."""
RESCORED = 60
"""Beyond, so many rows for each one wanted are taken by their signs and then scored; recall by depth is in
benchmarks/meaning."""
LEAST_RESCORED = 3_000
FOUND = 10
"""Rows for each one wanted that faiss is asked for, as its bytes are coarser than ours."""
_SIGN_BLOCK = 32_768  # rows whose signs are compared at once: 1 MB
_MATRIX = 4_000_000  # scores held at once: 16 MB
_BLOCK = 8_192  # rows scored at once: 8 MB of floats


PROBE = "where is the configuration read, and what happens when it is missing?"
"""Embedded with every index by a model behind a service: another vector for it tells of another model."""
SAME = 0.98
"""Cosine of two vectors of PROBE by one model: services round, and quantise."""


class Manifest(NamedTuple):
    """What counts of the files beside it."""

    fingerprint: str  # of the embedder
    dimensions: int
    generation: int  # of the rows of the index that it was made for
    epoch: int  # number of the row files; a compaction begins the next
    rows: int
    chunks: str  # name of the file that says which chunk has which row
    recall: float = 1.0  # of the quick search against the exact one, measured when it was made
    model: str = ""  # what a person calls the embedder
    probe: tuple[float, ...] = ()  # the vector of PROBE, of a model that may be exchanged behind its name
    pooled: int = 0  # rows made of several parts, since the text was longer than the model takes
    depth: int = 0  # rows that are scored after the search by signs, at least; set by the recall it gives
    measured: int = 0  # rows that there were when recall was measured
    approximate: int = 0  # the first rows, that an index by faiss holds; 0 without one
    approximate_bytes: int = 0  # of its file: mapping a shorter one would end the process

    @classmethod
    def read(cls, folder: Path) -> Self | None:
        """The manifest of a folder; None when there is none that this version reads."""
        try:
            data: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
            if data.pop("format", 0) != FORMAT:
                return None
            return cls(**data | {"probe": tuple(data.get("probe", ()))})
        except (OSError, ValueError, TypeError):
            return None

    def write(self, folder: Path) -> None:
        """Replace the former one at once."""
        fresh = folder / (MANIFEST + ".new")
        fresh.write_text(json.dumps({"format": FORMAT, **self._asdict()}))
        os.replace(fresh, folder / MANIFEST)


def row_file(folder: Path, kind: str, epoch: int) -> Path:
    """Where one column of the rows lies: codes, scales, signs or keys."""
    return folder / f"{kind}.{epoch}"


def faiss_file(folder: Path, manifest: Manifest) -> Path:
    """Where the index by faiss of a manifest lies."""
    return folder / f"faiss.{manifest.epoch}.{manifest.approximate}"


def packed(vectors: Floats) -> NDArray[np.uint64]:
    """A bit for each number that is above zero, in words of 64."""
    import numpy as np

    bits = np.packbits(vectors > 0, axis=1)
    width = -(-bits.shape[1] // 8) * 8
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, width - bits.shape[1])))).view(np.uint64)


def moved(rows: NDArray[np.int8], far: float = 1.0) -> Floats:
    """Rows at unit length, moved ``far`` in a direction of chance, and that at unit length.

    Asked with a row itself, any search finds what is near: at a million rows faiss seemed to find .98 where it found .94 for questions.
    """
    import numpy as np

    dice = np.random.default_rng(0)
    found = rows.astype(np.float32)
    found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)
    away = dice.standard_normal(found.shape, np.float32)
    found += far * away / np.linalg.norm(away, axis=1, keepdims=True)
    made: Floats = found / np.linalg.norm(found, axis=1, keepdims=True)
    return made


class VectorTable:
    """The rows of one manifest, for reading. ``search`` is a choice of the setting vectors.search."""

    def __init__(self, folder: Path, manifest: Manifest, search: str = "auto") -> None:
        self._folder = folder
        self._search = search
        self.manifest = manifest

    @property
    def way(self) -> str:
        """How the nearest are found: exact, signs or faiss."""
        if self._search == "exact" or (self._search == "auto" and self.manifest.rows <= EXACT_ROWS):
            return "exact"
        return "faiss" if self._search != "signs" and self._approximate is not None else "signs"

    def nearest(self, asked: Floats, limit: int) -> tuple[Scored, ...]:
        """The chunks whose vectors have the largest dot product with a question's, best first, ties by id."""
        rows = {"exact": self._all, "signs": self._by_signs, "faiss": self._by_faiss}[self.way](asked, limit)
        return self._best(rows, self.scores(asked, rows), limit)

    def exact(self, asked: Floats, limit: int) -> tuple[Scored, ...]:
        """The same by scoring every row."""
        return self._best(self.live, self.scores(asked, self.live), limit)

    def exact_many(self, asked: Floats, limit: int) -> list[tuple[Scored, ...]]:
        """The same for many questions, one row each: most of the time goes into making floats of bytes, once for several."""
        import numpy as np

        live = self.live
        found: list[tuple[Scored, ...]] = []
        together = max(1, _MATRIX // max(1, len(live)))
        for first in range(0, len(asked), together):
            some = np.ascontiguousarray(asked[first : first + together].T)
            scores = np.empty((len(live), some.shape[1]), np.float32)
            for start in range(0, len(live), _BLOCK):
                rows = live[start : start + _BLOCK]
                scores[start : start + len(rows)] = self.codes[rows].astype(np.float32) @ some
                self.__dict__.pop("codes")  # mapped anew for the next: what was read does not stay in memory
            scores *= self.scales[live, None]
            found += [self._best(live, one, limit) for one in np.ascontiguousarray(scores.T)]
        return found

    def within(self, asked: Floats, chunks: Sequence[int]) -> dict[int, float]:
        """The dot products of these chunks, those without a vector left out; no other row is looked at."""
        import numpy as np

        wanted = np.asarray(chunks, np.int64)
        ids, rows = self.by_chunk
        if not len(ids) or not len(wanted):
            return {}
        at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
        held = ids[at] == wanted
        scores = self.scores(asked, rows[at[held]])
        return dict(zip(wanted[held].tolist(), scores.tolist(), strict=True))

    def scores(self, asked: Floats, rows: Numbers) -> Floats:
        """The dot products of these rows."""
        import numpy as np

        out = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _BLOCK):
            some = rows[start : start + _BLOCK]
            out[start : start + len(some)] = (self.codes[some].astype(np.float32) @ asked) * self.scales[some]
        return out

    def _all(self, asked: Floats, limit: int) -> Numbers:
        return self.live

    def _by_faiss(self, asked: Floats, limit: int) -> Numbers:
        """The rows that its index finds, and all that came later."""
        import numpy as np

        from trigpoint.stores.local.vector_faiss import near

        found = near(self._approximate, asked, FOUND * limit + self.manifest.rows - len(self.live))
        return np.concatenate([found, np.arange(self.manifest.approximate, self.manifest.rows)])

    def _by_signs(self, asked: Floats, limit: int) -> Numbers:
        """The rows whose signs differ least from those of the question."""
        import numpy as np

        signs = packed(asked[None])[0]
        depth = max(LEAST_RESCORED, self.manifest.depth, RESCORED * limit)
        depth += self.manifest.rows - len(self.live)
        if depth >= self.manifest.rows:
            return self.live
        away = np.empty(self.manifest.rows, np.uint16)
        for start in range(0, self.manifest.rows, _SIGN_BLOCK):
            differ = np.bitwise_count(self.signs[start : start + _SIGN_BLOCK] ^ signs)
            part = away[start : start + len(differ)]
            part[:] = differ[:, 0]
            for column in range(1, differ.shape[1]):
                part += differ[:, column]
        farthest = int(np.searchsorted(np.cumsum(np.bincount(away)), depth))
        return np.flatnonzero(away <= farthest)

    def _best(self, rows: Numbers, scores: Floats, limit: int) -> tuple[Scored, ...]:
        """The chunks of the best rows; a row may have several chunks, or none any more."""
        import numpy as np

        if (
            rows is self.live and len(rows) > limit
        ):  # each of them has a chunk, so the best rows have the best chunks
            some = np.argpartition(-scores, limit)[:limit]
            rows, scores = rows[some], scores[some]
        by_row, ids = self._by_row
        first, last = np.searchsorted(by_row, rows, "left"), np.searchsorted(by_row, rows, "right")
        held = last > first
        first, last, scores = first[held], last[held], scores[held]
        if len(scores) > limit:
            some = np.argpartition(-scores, limit)[:limit]
            first, last, scores = first[some], last[some], scores[some]
        found = [
            Scored(chunk, round(score, 6))
            for start, end, score in zip(first.tolist(), last.tolist(), scores.tolist(), strict=True)
            for chunk in ids[start:end].tolist()
        ]
        return tuple(sorted(found, key=lambda one: (-one.score, one.chunk))[:limit])

    @cached_property
    def _approximate(self) -> Any:
        """The index by faiss; None without one."""
        if not self.manifest.approximate:
            return None
        from trigpoint.stores.local.vector_faiss import opened

        return opened(faiss_file(self._folder, self.manifest), self.manifest.approximate_bytes)

    # columns

    @cached_property
    def codes(self) -> NDArray[np.int8]:
        """Vectors, one row each; to be multiplied by scales."""
        found: NDArray[np.int8] = self._column("codes", "int8", self.manifest.dimensions)
        return found

    @cached_property
    def scales(self) -> Floats:
        """One number a row."""
        found: Floats = self._column("scales", "float32", 1).reshape(-1)
        return found

    @cached_property
    def signs(self) -> NDArray[np.uint64]:
        """A bit for each number of a row: whether it is above zero."""
        found: NDArray[np.uint64] = self._column("signs", "uint64", -(-self.manifest.dimensions // 64))
        return found

    @cached_property
    def keys(self) -> NDArray[np.void]:
        """What each row was made of."""
        found: NDArray[np.void] = self._column("keys", f"V{KEY_BYTES}", 1).reshape(-1)
        return found

    def _column(self, kind: str, of: str, width: int) -> Any:
        import numpy as np

        shape = (self.manifest.rows, width)
        if not self.manifest.rows:
            return np.zeros(shape, of)
        return np.memmap(row_file(self._folder, kind, self.manifest.epoch), of, "r", shape=shape)

    @cached_property
    def places(self) -> Places:
        """Which chunk has which row."""
        import numpy as np

        if not self.manifest.chunks:
            return Places(*[np.zeros(0, np.int64)] * 4)
        return read(self._folder / self.manifest.chunks)

    @cached_property
    def files(self) -> dict[int, int]:
        """The files that have vectors: number and what stands for the texts and names of their chunks."""
        return dict(zip(self.places.files.tolist(), self.places.passages.tolist(), strict=True))

    @cached_property
    def by_chunk(self) -> tuple[Numbers, Numbers]:
        """Chunk ids, sorted, and their rows."""
        return self.places.ids, self.places.rows

    @cached_property
    def _by_row(self) -> tuple[Numbers, Numbers]:
        """Rows, sorted, and their chunks."""
        import numpy as np

        ids, rows = self.by_chunk
        order = np.argsort(rows, kind="stable")
        return rows[order], ids[order]

    @cached_property
    def live(self) -> Numbers:
        """The rows that have a chunk."""
        import numpy as np

        rows, _ = self._by_row  # sorted: np.unique() would import numpy.ma, a tenth of a search
        return rows[np.flatnonzero(np.diff(rows, prepend=-1))]
