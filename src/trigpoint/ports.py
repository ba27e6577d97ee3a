"""The seams. Each has at least two implementers and a conformance suite; no word of a database stands here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from trigpoint.model import (
    Binding,
    Edge,
    FileRecord,
    FileRow,
    Filters,
    Freshness,
    Import,
    Outline,
    Passage,
    Reference,
    Scored,
    SourceEntry,
    SourceFile,
    Stat,
    StoredChunk,
    StoredEdge,
    StoredSymbol,
    Term,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


class Listing(Protocol):
    """A tree as it was listed once."""

    @property
    def stamp(self) -> str:
        """A digest of all that entries() tells: equal stamps mean equal entries. "" where it would tell less."""
        ...

    def entries(self) -> Iterator[SourceEntry]:
        """Every file of the tree, sorted by path, refused ones included with their reason."""
        ...

    def paths(self) -> Set[str]:
        """The paths of all entries."""
        ...

    def differing(self, known: Mapping[str, str], before_ns: int) -> Sequence[SourceEntry]:
        """The entries but those of files whose stat data (Stat.text()) are the known ones and older than ``before_ns``, at a fifth of
        what entries() costs.
        """
        ...


@runtime_checkable
class Source(Protocol):
    """Where files come from. Listing is cheap; reading is one file at a time and never raises for one bad file."""

    @property
    def name(self) -> str:
        """What a person would call it: the folder, the revision."""
        ...

    def entries(self) -> Iterator[SourceEntry]:
        """Every file of the tree, sorted by path, refused ones included with their reason.

        Raises SourceError when the tree itself cannot be listed.
        """
        ...

    def listing(self) -> Listing:
        """The tree as it is now; its stamp costs much less than its entries.

        Raises SourceError when the tree itself cannot be listed.
        """
        ...

    def digest(self, entry: SourceEntry) -> str:
        """The digest that read() would give; "" for a file that cannot be read now."""
        ...

    def read(self, entry: SourceEntry) -> SourceFile:
        """The file, decoded; an unreadable or refused one comes back with an outcome and an empty text."""
        ...


class Tally(NamedTuple):
    """How many files are alike in the ledger."""

    language: str
    level: str  # a value of model.Level
    reason: str
    files: int


class Snapshot(Protocol):
    """One published generation, frozen: a writer never changes what it sees."""

    @property
    def generation(self) -> int:
        """Grows by one with each publication; 0 means nothing was published yet."""
        ...

    def close(self) -> None:
        """Let the generation go."""
        ...

    def counts(self) -> Mapping[str, int]:
        """Numbers of files, symbols, chunks, references."""
        ...

    def tallies(self) -> Sequence[Tally]:
        """The files counted by language, level and reason, sorted by these; costs a tenth of files()."""
        ...

    def meta(self, key: str) -> str:
        """A value that a writer left with set_meta; "" when there is none."""
        ...

    def failures(self) -> Mapping[str, str]:
        """Views (lexical, symbols, edges) that cannot be read, each with the reason; the others answer without them."""
        ...

    # files
    def files(self) -> Iterator[FileRow]:
        """Every file, sorted by path, skipped ones included."""
        ...

    def languages(self) -> Iterator[tuple[str, str, frozenset[str]]]:
        """Path, language and marks of every file, sorted by path, at a third of what files() costs."""
        ...

    def stats(self) -> Mapping[str, str]:
        """Path and stat data of every file, as Stat.text() has them, "" when unknown; at a fifth of what files() costs."""
        ...

    def contents(self) -> dict[str, str]:
        """Path and digest of every file that was read, at a fifth of what files() costs; the caller's own."""
        ...

    def inside(self, folder: str) -> Mapping[str, str]:
        """Name and digest of every file that was read and lies directly in a folder, given with its last slash or as ""."""
        ...

    def passages(self) -> Mapping[int, int]:
        """Number of every file that was read, and 63 bits that stand for the texts and names of its chunks, at a
        tenth of what files() costs. Numbers are never given twice.
        """
        ...

    def file(self, path: str) -> FileRow | None:
        """One file by its exact path."""
        ...

    def text(self, path: str) -> str:
        """The text as it was indexed; "" when the file is unknown or was skipped."""
        ...

    def paths_with(self, word: str, limit: int) -> Sequence[str]:
        """Paths that have this lower-case word among their words (segments and stems split as identifiers), sorted."""
        ...

    # symbols
    def symbols_of(self, path: str) -> Sequence[StoredSymbol]:
        """The outline of a file in order of its record; () when unknown."""
        ...

    def symbols_named(self, name: str, *, fold: bool = False, limit: int = 1000) -> Sequence[StoredSymbol]:
        """Definitions of exactly this simple name; with ``fold``, compared without case and underscores."""
        ...

    def places(self, name: str, limit: int) -> Sequence[tuple[str, int, str]]:
        """Path, index and kind of the definitions of exactly this simple name, at a third of what symbols_named() costs."""
        ...

    def names_in(self, path: str) -> Sequence[tuple[str, str]]:
        """Simple name and kind of each symbol of a file, in order of its record."""
        ...

    def definitions(self, names: Sequence[str], each: int) -> Sequence[StoredSymbol]:
        """Definitions of exactly these simple names, at most ``each`` of one, in the order of the names."""
        ...

    def symbols_with(self, words: Sequence[str], limit: int) -> Sequence[tuple[str, int]]:
        """Distinct simple names that hold at least one of the words as a part, with how many of them they hold,
        most first, then shortest name, then by name. ``words`` are lower-case identifier parts.
        """
        ...

    # what a file says of others
    def imports_of(self, path: str) -> Sequence[Import]:
        """The imports of a file, in order."""
        ...

    def references_of(self, path: str) -> Sequence[Reference]:
        """The uses in a file, in order."""
        ...

    def bindings_of(self, path: str) -> Sequence[Binding]:
        """The bindings in a file, in order."""
        ...

    def outline_of(self, path: str) -> Outline | None:
        """All that linking reads of a file, in one go: an Outline without docs and splits; None when unknown."""
        ...

    def said(self, path: str) -> Said | None:
        """What a file says, to be compared with what it said in another state, at a third of what outline_of() costs."""
        ...

    def files_referring(self, name: str, limit: int = 10_000) -> Sequence[str]:
        """Paths of files that use exactly this name, sorted: in a Reference or before its dot, in an Import, in what
        a name is bound to.
        """
        ...

    # edges
    def node(self, path: str, index: int = -1) -> int:
        """The node of a symbol, which is its id, or with MODULE the node of a file's top level; 0 when unknown."""
        ...

    def nodes(self, ids: Sequence[int]) -> Sequence[StoredSymbol]:
        """Symbols by node, in the order asked, unknown ones left out. The top level of a file comes as a symbol of kind
        "file" with index MODULE, named by the last part of its path, over all its lines.
        """
        ...

    def paths_of(self, ids: Iterable[int]) -> Sequence[str]:
        """The files that these nodes lie in, each once, sorted."""
        ...

    def homes(self, ids: Iterable[int]) -> Mapping[int, str]:
        """The path of the file that each node lies in, at a tenth of what nodes() costs; unknown ones left out."""
        ...

    def links_of(self, path: str) -> Sequence[Link]:
        """The edges that leave a file, in any order, as put_edges() of the same store takes them again."""
        ...

    def edges_from(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> Sequence[StoredEdge]:
        """Edges that leave these nodes, of these kinds (all when empty), at least that sure; by source, line, column.

        ``contains`` leads to the symbols directly inside.
        """
        ...

    def edges_to(
        self, ids: Sequence[int], kinds: Sequence[str] = (), least: float = 0.0
    ) -> Sequence[StoredEdge]:
        """Edges that reach these nodes; by target, then source, line, column."""
        ...

    def edges(self) -> Iterator[Edge]:
        """Every edge but ``contains``, by path, line and column. Its order within one place is the same for equal indexes."""
        ...

    def arcs(self, least: float = 0.0) -> Iterator[tuple[int, int, str, float]]:
        """Source, target, kind and confidence of every edge but ``contains`` that is at least that sure: the whole graph
        at once, without sites, in any order.
        """
        ...

    # chunks
    def chunks(self, ids: Sequence[int], *, text: bool = True) -> Sequence[StoredChunk]:
        """Chunks by id, in the order asked, unknown ids left out.

        Without ``text`` they cost a tenth, and have no text, tokens, header and parent: what a ranking looks at.
        """
        ...

    def chunks_of(self, path: str, *, text: bool = True) -> Sequence[StoredChunk]:
        """The chunks of a file by their first line, derived ones last; ``text`` as in chunks()."""
        ...

    def chunk_at(self, path: str, line: int) -> StoredChunk | None:
        """The chunk that is not derived and holds the line."""
        ...

    def defining(self, symbols: Sequence[int]) -> Mapping[int, int]:
        """By symbol id: the id of the chunk that is not derived and holds the line of its name."""
        ...

    def first_chunks(self, paths: Sequence[str]) -> Mapping[str, int]:
        """By path: the id of the chunk with the first line of the file; files without chunks are left out."""
        ...

    def lexical(self, terms: Sequence[Term], limit: int, filters: Filters) -> Sequence[Scored]:
        """BM25 over the chunks that pass the filters, best first, ties by id. Unknown terms are ignored."""
        ...

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many chunks each token stands; lately replaced chunks may still be counted."""
        ...

    def passing(self, ids: Sequence[int], filters: Filters) -> frozenset[int]:
        """Those of these chunks that pass the filters."""
        ...

    def selected(self, filters: Filters, most: int) -> Sequence[int] | None:
        """The ids of all chunks that pass the filters; None when there are more than ``most``."""
        ...

    def passes(self, chunk: StoredChunk, filters: Filters) -> bool:
        """Whether a chunk passes the filters: the same answer that lexical() gives."""
        ...


class Link(NamedTuple):
    """An edge as its store keeps it, so that it can be kept when the file that it leaves is written anew."""

    source: int  # index of the symbol, or MODULE
    line: int
    column: int
    rest: tuple[Any, ...]  # known to the store alone


class Said(NamedTuple):
    """What the outline of a file says: rows that are equal in two states of one store where the outlines are."""

    language: str
    marks: frozenset[str]
    package: str
    exports: object
    symbols: Sequence[
        tuple[Any, ...]
    ]  # the fields of Symbol up to ``signature``, then all others but doc and complexity
    imports: Sequence[tuple[Any, ...]]  # these and the next two: the fields of their nouns
    references: Sequence[tuple[Any, ...]]
    bindings: Sequence[tuple[Any, ...]]


class KeptTree(NamedTuple):
    """An index of another tree that a store keeps beside the present one: its name, and what set_meta() left with it."""

    name: str
    meta: Mapping[str, str]


COPY = "copy"
"""As a base: a copy of what is there."""

Base = Callable[[Sequence[KeptTree]], str]
"""Chooses what a writer goes on from, once nobody else writes: "" for the present tree, the name of a kept one, COPY."""


class Writer(Protocol):
    """The one writer of an index: changes are invisible until publish()."""

    def put(self, records: Iterable[FileRecord]) -> None:
        """Insert or replace the records of these paths."""
        ...

    def put_encoded(self, items: Iterable[Any]) -> None:
        """The same for what the store's encoder() made of records, in this process or another."""
        ...

    def touch(self, stats: Mapping[str, Stat]) -> None:
        """New stat data for files whose content is unchanged."""
        ...

    def delete(self, paths: Iterable[str]) -> None:
        """Forget these paths; unknown ones are ignored."""
        ...

    def clear(self) -> None:
        """Forget everything: the next publication starts anew."""
        ...

    def put_edges(self, path: str, edges: Sequence[Edge], kept: Sequence[Link] = ()) -> None:
        """Replace the edges that leave a file; ``kept`` are some that it had before. Their targets are remembered by name,
        so that they outlive a new record of the target's file; one that goes takes the edge out of sight. A new record of
        ``path`` itself drops its edges.
        """
        ...

    @property
    def turned(self) -> bool:
        """Whether it goes on from another tree than the present one, which readers see until publish()."""
        ...

    def base(self) -> Snapshot:
        """What it goes on from."""
        ...

    def reading(self) -> Snapshot:
        """What would be published now, without lexical search; to be used before the next change."""
        ...

    def set_meta(self, key: str, value: str) -> None:
        """Leave a small value beside the rows, published with them."""
        ...

    def publish(self) -> int:
        """Make all changes visible at once and return the new generation."""
        ...


class Records(Protocol):
    """Records that left an index, for when their files are again as they were. It may know none; what it gives is what
    encoder() would make anew, so that losing it costs time only.
    """

    def find(self, entry: SourceEntry, digest: Callable[[], str]) -> tuple[Any, str] | None:
        """What encoder() would make of a file, and its digest; None when that is not kept. ``digest`` is that of the
        file's content as it is now, "" when it cannot be read, and is asked only where it may be known.
        """
        ...

    def keep(self, before: Snapshot, paths: Iterable[str]) -> None:
        """Keep what a snapshot of this store holds of these files."""
        ...

    def forget(self, paths: Iterable[str]) -> None:
        """Keep nothing of these files any longer."""
        ...


class Store(Protocol):
    """An index: any number of readers, one writer at a time, the former generation readable meanwhile."""

    def encoder(self, known: Collection[str] = ()) -> Callable[[FileRecord], Any]:
        """A pure, picklable function that does the costly part of put() in another process; what it returns is
        opaque and for Writer.put_encoded() of the same kind of store. Of ``known`` paths the index holds a former record,
        from which the writer may take what is the same.
        """
        ...

    def snapshot(self) -> Snapshot:
        """The last published generation; generation 0 and empty when there is none."""
        ...

    def writer(self, wait_seconds: float = 60.0, base: Base | None = None) -> AbstractContextManager[Writer]:
        """The writer's place. On leaving without publish() the unpublished changes are rolled back.

        With ``base`` a store that keeps indexes of other trees lets one of them become the present one; a store without
        such goes on from the present one.

        Raises StoreLockedError when another writer holds it for longer than ``wait_seconds``.
        """
        ...

    def records(self, settings: str) -> AbstractContextManager[Records]:
        """Records that left the index, made with these settings; for whoever has the writer's place."""
        ...

    def tidy(self) -> None:
        """Let go of what is kept for later and is too old, or too much; for whoever has the writer's place, and has
        published what there was.
        """
        ...

    def is_locked(self) -> bool:
        """Whether a writer is at work now, in any process."""
        ...

    def check(self) -> Sequence[str]:
        """What is wrong with the index, one sentence each; () when it is sound."""
        ...

    def repair(self) -> Sequence[str]:
        """Mend what check() found, from what is sound; says what was done."""
        ...

    def size(self) -> int:
        """Bytes on disk."""
        ...

    def close(self) -> None:
        """Let all resources go."""
        ...


class Embedder(Protocol):
    """Texts to vectors whose dot products say how near they are in meaning."""

    @property
    def name(self) -> str:
        """What a person would call it."""
        ...

    @property
    def fingerprint(self) -> str:
        """Differs whenever the vectors would: of the model, its dimensions and its prompts. Stored beside the vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""
        ...

    @property
    def batch(self) -> int:
        """Passages worth handing over at once; what is embedded is kept after each such batch."""
        ...

    @property
    def changeable(self) -> bool:
        """Whether another model may answer under the same fingerprint tomorrow, as behind a service."""
        ...

    @property
    def pooled(self) -> int:
        """Passages so far that were too long, and were embedded in parts."""
        ...

    def encode_documents(self, passages: Sequence[Passage]) -> Floats:
        """One row a passage, in order, finite, no longer than 2; zeros for a passage without anything known.

        Raises ProviderError when the model cannot be had or does not keep this promise.
        """
        ...

    def encode_queries(self, texts: Sequence[str]) -> Floats:
        """One row of unit length a question, in order; zeros for one without anything known. Raises ProviderError."""
        ...


class Reranker(Protocol):
    """A model that reads a question and passages together, to order the best of a ranking."""

    @property
    def name(self) -> str:
        """What a person would call it."""
        ...

    def scores(
        self, question: str, passages: Sequence[Passage], left: Callable[[], float]
    ) -> Sequence[float]:
        """One number a passage, in order, higher for a better answer; only their order and distances within one call count.

        ``left`` tells the seconds that are left. Raises ProviderError when they do not suffice, or the model fails.
        """
        ...


class Vectors(Protocol):
    """The vector view of one published generation. It is made after the rest and may be missing."""

    def nearest(self, question: str, limit: int) -> Sequence[Scored]:
        """The chunks nearest to a question, best first; the score is the dot product. May name chunks that are gone."""
        ...

    def within(self, question: str, chunks: Sequence[int]) -> Mapping[int, float]:
        """The dot products of these chunks only, those without a vector left out."""
        ...

    @property
    def trouble(self) -> str:
        """Why the last question could not be embedded, in words for a person; "" when it was."""
        ...


class Reading(NamedTuple):
    """A frozen state of the index, its vectors where there are any, and how it stands to the files."""

    snapshot: Snapshot
    vectors: Vectors | None
    freshness: Freshness
