"""The vectors of one generation, asked in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trigpoint.errors import ProviderError, TrigpointError
from trigpoint.model import Scored
from trigpoint.ports import Embedder
from trigpoint.stores.local.vector_health import damage, failure, unreadable
from trigpoint.stores.local.vectors import FOLDER, PROBE, Manifest, VectorTable

if TYPE_CHECKING:
    from trigpoint.ports import Floats

REMEMBERED = 16
"""Questions whose vectors are kept."""


class LocalVectors:
    """ports.Vectors over the files of an index. A model that fails gives no answers, and ``trouble`` says why."""

    def __init__(self, table: VectorTable, embedder: Embedder) -> None:
        self._table = table
        self._embedder = embedder
        self._known: dict[str, tuple[Floats | None, str]] = {}
        self._lost = ""
        self.trouble = ""

    def nearest(self, question: str, limit: int) -> Sequence[Scored]:
        """The chunks nearest to a question, best first; () for a question without a known word."""
        try:
            asked = self._asked(question)
            return self._table.nearest(asked, limit) if asked is not None and asked.any() else ()
        except Exception as error:
            self._lose(error)
            return ()

    def within(self, question: str, chunks: Sequence[int]) -> Mapping[int, float]:
        """The dot products of these chunks."""
        try:
            asked = self._asked(question)
            return self._table.within(asked, chunks) if asked is not None and asked.any() else {}
        except Exception as error:
            self._lose(error)
            return {}

    def _lose(self, error: Exception) -> None:
        """Answer by words from here on, and say so. Raises what is no matter of the files."""
        if not (unreadable(error) or isinstance(error, OSError)) or isinstance(error, TrigpointError):
            raise error
        what = f"the vectors or their model cannot be read ({type(error).__name__}: {error})"
        self._lost = self.trouble = f"answered by words alone: {what}; `trig doctor --repair` makes them anew"

    def _asked(self, question: str) -> Floats | None:
        """The vector of a question; None when there is none that fits. A failure is remembered: it took its time."""
        if question not in self._known:
            if len(self._known) >= REMEMBERED:
                self._known.pop(next(iter(self._known)))
            try:
                self._known[question] = self._encoded(question)
            except ProviderError as error:
                self._known[question] = None, f"answered by words alone: {error.message}"
        row, trouble = self._known[question]
        self.trouble = self._lost or trouble
        return row

    def _encoded(self, question: str) -> tuple[Floats | None, str]:
        if not self._embedder.changeable:
            return self._embedder.encode_queries([question])[0], ""
        from trigpoint.stores.local.vector_writer import is_same

        rows = self._embedder.encode_queries([question, PROBE])
        manifest = self._table.manifest
        if is_same(manifest, rows[1].tolist(), self._embedder):
            return rows[0], ""
        now = f"{self._embedder.name} of {rows.shape[1]} numbers"
        return None, another(manifest, now)


def another(manifest: Manifest, now: str) -> str:
    """That an index was embedded by another model, in words."""
    then = f"{manifest.model or manifest.fingerprint} of {manifest.dimensions} numbers"
    if then == now:
        return f"answered by words alone: another model than that of the index answers as {now}; run `trig index`"
    return (
        f"answered by words alone: the index was made with {then}, another model than {now}; run `trig index`"
    )


def state(index: Path, embedder: Embedder | None, generation: int) -> str:
    """How the vectors of an index folder stand: off, absent, partial, stale, failed, fresh. Reads only the manifest."""
    if embedder is None:
        return "off"
    if why_failed(index, embedder):
        return "failed"
    found = Manifest.read(index / FOLDER)
    if found is None:
        return "absent"
    if found.fingerprint == embedder.fingerprint and not found.generation:
        return "partial"
    fits = (found.fingerprint, found.generation) == (embedder.fingerprint, generation)
    return "fresh" if fits else "stale"


def why_failed(index: Path, embedder: Embedder) -> str:
    """What keeps the vectors from being read, or this embedder from having made them; "" for nothing."""
    if damaged := damage(index / FOLDER):
        return f"{damaged}; `trig doctor --repair` makes the vectors anew"
    return failure(index / FOLDER, embedder.fingerprint)


def lacking(index: Path, embedder: Embedder | None, generation: int) -> str:
    """Why there are no vectors to ask, in words for a person; "" where there are, or where none are wanted."""
    if embedder is None or not generation:
        return ""
    if failed := why_failed(index, embedder):
        return f"answered by words alone: {failed}"
    found = Manifest.read(index / FOLDER)
    if found is not None and found.fingerprint != embedder.fingerprint:
        return another(found, embedder.name)
    now = state(index, embedder, generation)
    told = {
        "absent": "answered by words alone: there are no vectors yet; `trig index` makes them",
        "partial": "answered by words alone: vectors are missing; `trig index` goes on from there",
        "stale": "answered by words alone: the vectors are of an older state; `trig index` brings them up to date",
    }
    return told.get(now, "")


def told(index: Path, embedder: Embedder | None) -> str:
    """What else is to be said of the vectors of an index; "" for nothing."""
    found = Manifest.read(index / FOLDER) if embedder is not None else None
    if found is None:
        return ""
    said = []
    if found.pooled:
        said.append(f"{found.pooled} chunks are longer than {found.model} takes and were embedded in parts")
    if found.measured:
        said.append(f"{found.recall:.1%} of the nearest vectors are found without looking at all")
    return "; ".join(said)


QUICK = 1_000
"""An embedder that wants batches of this size takes seconds for a whole index."""


def is_slow_and_new(index: Path, embedder: Embedder | None) -> bool:
    """Whether there is an index that a slow embedder has not embedded."""
    if embedder is None or embedder.batch >= QUICK:
        return False
    found = Manifest.read(index / FOLDER)
    return found is not None and found.fingerprint != embedder.fingerprint


def open_vectors(
    index: Path, embedder: Embedder | None, generation: int, search: str = "auto"
) -> LocalVectors | None:
    """The vectors of an index folder, when they are of this generation and this model; None otherwise."""
    found = Manifest.read(index / FOLDER)
    if embedder is None or found is None or state(index, embedder, generation) != "fresh":
        return None
    return LocalVectors(VectorTable(index / FOLDER, found, search), embedder)
