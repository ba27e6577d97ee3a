"""The reference: a store in plain dictionaries, slow and obvious, for tests and for trees held in memory."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property

from trigpoint.errors import StoreLockedError
from trigpoint.model import (
    Binding,
    Edge,
    FileRecord,
    FileRow,
    Filters,
    Import,
    Level,
    Outline,
    Reference,
    Scored,
    SourceEntry,
    Stat,
    StoredChunk,
    StoredSymbol,
    Term,
)
from trigpoint.ports import Base, Link, Said, Snapshot, Tally
from trigpoint.stores.document import chunk_document
from trigpoint.stores.edges import EdgeQuestions, Edges, Kept, keep, taken
from trigpoint.stores.filters import compares, folded, matching_names, matching_paths
from trigpoint.stores.kept import SHIFT, Stored, chunk_of, file_row, passages_of, symbols_of
from trigpoint.stores.uses import used_names
from trigpoint.text.identifiers import fold as folded_name
from trigpoint.text.identifiers import name_words, path_words

_K1 = 1.2
_B = 0.75
"""The constants of BM25 that tantivy and FTS5 have built in."""


@dataclass(frozen=True)
class _State:
    generation: int = 0
    files: Mapping[str, Stored] = field(default_factory=dict)  # by path, sorted by its bytes
    meta: Mapping[str, str] = field(default_factory=dict)
    edges: Mapping[str, tuple[Kept, ...]] = field(default_factory=dict)  # by the path that they leave


class MemoryStore:
    """ports.Store in this process."""

    def __init__(self) -> None:
        self._state = _State()
        self._lock = threading.Lock()
        self._next_file = 1
        self._left: Left = {}

    def encoder(self, known: Collection[str] = ()) -> Callable[[FileRecord], FileRecord]:
        """Nothing is worth doing elsewhere: the record itself."""
        return _itself

    def snapshot(self) -> MemorySnapshot:
        """The last published generation."""
        return MemorySnapshot(self._state)

    @contextmanager
    def writer(self, wait_seconds: float = 60.0, base: Base | None = None) -> Iterator[MemoryWriter]:
        """The writer's place; raises StoreLockedError after ``wait_seconds``."""
        if not self._lock.acquire(timeout=wait_seconds):
            raise StoreLockedError("another thread is writing the index", "wait until it is done")
        try:
            yield MemoryWriter(self)
        finally:
            self._lock.release()

    @contextmanager
    def records(self, settings: str) -> Iterator[MemoryRecords]:
        """Those that left the index, all of them."""
        yield MemoryRecords(self._left, settings)

    def tidy(self) -> None:
        """All is kept as long as the process lives."""

    def is_locked(self) -> bool:
        """Whether a thread is writing now."""
        return self._lock.locked()

    def check(self) -> Sequence[str]:
        """Nothing can be wrong."""
        return ()

    def repair(self) -> Sequence[str]:
        """Nothing to mend."""
        return ()

    def size(self) -> int:
        """Bytes on disk: none."""
        return 0

    def close(self) -> None:
        """Nothing is held."""


Left = dict[str, dict[tuple[str, str], FileRecord]]
"""By path, then by digest and settings."""


class MemoryRecords:
    """ports.Records over a dictionary."""

    def __init__(self, left: Left, settings: str) -> None:
        self._left = left
        self._settings = settings

    def find(self, entry: SourceEntry, digest: Callable[[], str]) -> tuple[FileRecord, str] | None:
        """The record with the stat data of now."""
        content = digest() if entry.path in self._left else ""
        record = self._left.get(entry.path, {}).get((content, self._settings))
        return (record._replace(stat=entry.stat), content) if record is not None else None

    def keep(self, before: Snapshot, paths: Iterable[str]) -> None:
        """Keep those that were read whole."""
        assert isinstance(before, MemorySnapshot)
        for path in paths:
            stored = before._state.files.get(path)
            record = stored.record if stored is not None else None
            if record is not None and record.digest and record.outcome.level is not Level.SKIPPED:
                self._left.setdefault(path, {})[record.digest, self._settings] = record

    def forget(self, paths: Iterable[str]) -> None:
        """Keep nothing of these files."""
        for path in paths:
            self._left.pop(path, None)


class MemoryWriter:
    """A copy of the state that publish() puts in place."""

    turned = False  # other trees are not kept

    def __init__(self, store: MemoryStore) -> None:
        self._store = store
        self._files = dict(store._state.files)
        self._meta = dict(store._state.meta)
        self._edges = dict(store._state.edges)

    def put(self, records: Iterable[FileRecord]) -> None:
        """Insert or replace the records of these paths."""
        for record in records:
            bags = tuple(Counter(_tokens(record, index)) for index in range(len(record.chunks)))
            self._files[record.path] = Stored(self._store._next_file, record, bags)
            self._edges.pop(record.path, None)
            self._store._next_file += 1

    def put_encoded(self, items: Iterable[FileRecord]) -> None:
        """The same: encoded records are records."""
        self.put(items)

    def base(self) -> MemorySnapshot:
        """What was published last."""
        return self._store.snapshot()

    def touch(self, stats: Mapping[str, Stat]) -> None:
        """New stat data for files whose content is unchanged."""
        for path, stat in stats.items():
            if path in self._files:
                stored = self._files[path]
                self._files[path] = replace(stored, record=stored.record._replace(stat=stat))

    def delete(self, paths: Iterable[str]) -> None:
        """Forget these paths; unknown ones are ignored."""
        for path in paths:
            self._files.pop(path, None)
            self._edges.pop(path, None)

    def clear(self) -> None:
        """Forget everything."""
        self._files.clear()
        self._edges.clear()
        self._meta.clear()

    def put_edges(self, path: str, edges: Sequence[Edge], kept: Sequence[Link] = ()) -> None:
        """Replace the edges that leave a file."""
        if path in self._files:
            outlines = {name: stored.record.outline for name, stored in self._files.items()}
            self._edges[path] = (*keep(edges, outlines), *map(taken, kept))

    def reading(self) -> MemorySnapshot:
        """What would be published now."""
        return MemorySnapshot(self._made())

    def set_meta(self, key: str, value: str) -> None:
        """Leave a small value beside the rows."""
        self._meta[key] = value

    def publish(self) -> int:
        """Make all changes visible at once and return the new generation."""
        self._store._state = self._made()
        return self._store._state.generation

    def _made(self) -> _State:
        files = dict(sorted(self._files.items(), key=lambda item: item[0].encode("utf-8", "surrogateescape")))
        return _State(self._store._state.generation + 1, files, dict(self._meta), dict(self._edges))


class MemorySnapshot(EdgeQuestions):
    """One state, never changed."""

    def __init__(self, state: _State) -> None:
        self._state = state
        self._by_id = {stored.id: stored for stored in state.files.values()}

    @property
    def generation(self) -> int:
        """The number of this publication."""
        return self._state.generation

    def close(self) -> None:
        """Nothing is held."""

    def tallies(self) -> Sequence[Tally]:
        """The files counted by language, level and reason."""
        alike = Counter(
            (one.record.language, one.record.outcome.level.value, one.record.outcome.reason)
            for one in self._state.files.values()
        )
        return [Tally(*key, files) for key, files in sorted(alike.items())]

    def counts(self) -> Mapping[str, int]:
        """Numbers of files, symbols, chunks, references."""
        records = [stored.record for stored in self._state.files.values()]
        return {
            "files": len(records),
            "symbols": sum(len(record.outline.symbols) for record in records),
            "chunks": sum(len(record.chunks) for record in records),
            "references": sum(len(record.outline.references) for record in records),
        }

    def failures(self) -> Mapping[str, str]:
        """Nothing can fail."""
        return {}

    def meta(self, key: str) -> str:
        """A value that a writer left; "" when there is none."""
        return self._state.meta.get(key, "")

    def files(self) -> Iterator[FileRow]:
        """Every file, sorted by the bytes of its path."""
        return map(file_row, self._state.files.values())

    def languages(self) -> Iterator[tuple[str, str, frozenset[str]]]:
        """Path, language and marks of every file, in the same order."""
        return ((row.path, row.language, row.marks) for row in self.files())

    def stats(self) -> Mapping[str, str]:
        """Path and stat data of every file, as Stat.text() has them."""
        return {row.path: row.stat.text() if row.stat else "" for row in self.files()}

    def contents(self) -> dict[str, str]:
        """Path and digest of every file that was read."""
        return {row.path: row.digest for row in self.files() if row.digest}

    def inside(self, folder: str) -> Mapping[str, str]:
        """Name and digest of every file that was read and lies directly in a folder."""
        found = {
            path[len(folder) :]: digest for path, digest in self.contents().items() if path.startswith(folder)
        }
        return {name: digest for name, digest in found.items() if "/" not in name}

    def passages(self) -> Mapping[int, int]:
        """Number of every file that was read, and what stands for the texts and names of its chunks."""
        return {one.id: passages_of(one) for one in self._state.files.values() if one.record.digest}

    def file(self, path: str) -> FileRow | None:
        """One file by its exact path."""
        stored = self._state.files.get(path)
        return file_row(stored) if stored else None

    def text(self, path: str) -> str:
        """The text as it was indexed."""
        stored = self._state.files.get(path)
        return stored.record.text if stored else ""

    def paths_with(self, word: str, limit: int) -> Sequence[str]:
        """Paths that have this word among their words."""
        return [path for path in self._state.files if word in path_words(path)][:limit]

    def symbols_of(self, path: str) -> Sequence[StoredSymbol]:
        """The outline of a file in order of its record."""
        stored = self._state.files.get(path)
        return symbols_of(stored) if stored else []

    def symbols_named(self, name: str, *, fold: bool = False, limit: int = 1000) -> Sequence[StoredSymbol]:
        """Definitions of this simple name, by file and place."""
        wanted = folded_name(name) if fold else name
        return [
            symbol
            for stored in self._by_id.values()
            for symbol in symbols_of(stored)
            if (folded_name(symbol.symbol.name) if fold else symbol.symbol.name) == wanted
        ][:limit]

    def places(self, name: str, limit: int) -> Sequence[tuple[str, int, str]]:
        """Path, index and kind of the definitions of this simple name."""
        return [(one.path, one.index, one.symbol.kind) for one in self.symbols_named(name, limit=limit)]

    def names_in(self, path: str) -> Sequence[tuple[str, str]]:
        """Simple name and kind of each symbol of a file."""
        return [(one.symbol.name, one.symbol.kind) for one in self.symbols_of(path)]

    def definitions(self, names: Sequence[str], each: int) -> Sequence[StoredSymbol]:
        """Definitions of these simple names, at most ``each`` of one, in the order of the names."""
        return [symbol for name in dict.fromkeys(names) for symbol in self.symbols_named(name, limit=each)]

    def symbols_with(self, words: Sequence[str], limit: int) -> Sequence[tuple[str, int]]:
        """Distinct simple names by how many of the words they hold, then the shortest, then by name."""
        names = {symbol.name for stored in self._by_id.values() for symbol in stored.record.outline.symbols}
        wanted = set(words)
        held = {name: len(wanted.intersection(name_words(name))) for name in names}
        found = sorted((-count, len(name), name) for name, count in held.items() if count)
        return [(name, -count) for count, _, name in found[:limit]]

    def imports_of(self, path: str) -> Sequence[Import]:
        """The imports of a file, in order."""
        stored = self._state.files.get(path)
        return stored.record.outline.imports if stored else ()

    def references_of(self, path: str) -> Sequence[Reference]:
        """The uses in a file, in order."""
        stored = self._state.files.get(path)
        return stored.record.outline.references if stored else ()

    def bindings_of(self, path: str) -> Sequence[Binding]:
        """The bindings in a file, in order."""
        stored = self._state.files.get(path)
        return stored.record.outline.bindings if stored else ()

    def files_referring(self, name: str, limit: int = 10_000) -> Sequence[str]:
        """Paths of files with a Reference or Import of exactly this name, sorted."""
        return [path for path, stored in self._state.files.items() if name and name in _used(stored.record)][
            :limit
        ]

    def outline_of(self, path: str) -> Outline | None:
        """All that linking reads of a file."""
        return self._state.files[path].record.outline if path in self._state.files else None

    def said(self, path: str) -> Said | None:
        """What a file says, to be compared with what it said in another state."""
        if path not in self._state.files:
            return None
        record = self._state.files[path].record
        outline = record.outline
        symbols = [(*one[:9], *one[11:]) for one in outline.symbols]
        told = outline.imports, outline.references, outline.bindings
        return Said(record.language, record.marks, outline.package, outline.exports, symbols, *told)

    def links_of(self, path: str) -> Sequence[Link]:
        """The edges that leave a file, as put_edges() takes them again."""
        return [one.link() for one in self._state.edges.get(path, ())]

    @cached_property
    def _graph(self) -> Edges:
        files = {path: (stored.id, stored.record) for path, stored in self._state.files.items()}
        return Edges(files, self._state.edges)

    def chunks(self, ids: Sequence[int], *, text: bool = True) -> Sequence[StoredChunk]:
        """Chunks by id, in the order asked, unknown ids left out."""
        found = []
        for number in ids:
            stored = self._by_id.get(number >> SHIFT)
            index = number & ((1 << SHIFT) - 1)
            if stored and index < len(stored.record.chunks):
                found.append(chunk_of(stored, index))
        return found if text else [_bare(item) for item in found]

    def chunks_of(self, path: str, *, text: bool = True) -> Sequence[StoredChunk]:
        """The chunks of a file by their first line, derived ones last."""
        stored = self._state.files.get(path)
        found = [chunk_of(stored, index) for index in range(len(stored.record.chunks))] if stored else []
        found = found if text else [_bare(item) for item in found]
        return sorted(found, key=lambda item: (item.chunk.derived, item.chunk.start, item.id))

    def chunk_at(self, path: str, line: int) -> StoredChunk | None:
        """The chunk that is not derived and holds the line."""
        for item in self.chunks_of(path):
            if not item.chunk.derived and item.chunk.start <= line <= item.chunk.end:
                return item
        return None

    def defining(self, symbols: Sequence[int]) -> Mapping[int, int]:
        """By symbol id: the chunk that is not derived and holds the line of its name."""
        found: dict[int, int] = {}
        for number in symbols:
            stored = self._by_id.get(number >> SHIFT)
            index = number & ((1 << SHIFT) - 1)
            if stored and index < len(stored.record.outline.symbols):
                line = stored.record.outline.symbols[index].name_line
                chunk = self.chunk_at(stored.record.path, line)
                if chunk is not None:
                    found[number] = chunk.id
        return found

    def first_chunks(self, paths: Sequence[str]) -> Mapping[str, int]:
        """By path: the chunk with the first line."""
        return {path: chunks[0].id for path in paths if (chunks := self.chunks_of(path))}

    def lexical(self, terms: Sequence[Term], limit: int, filters: Filters) -> Sequence[Scored]:
        """BM25 over the chunks that pass the filters, best first, ties by id."""
        bags = self._bags()
        total = len(bags)
        average = sum(map(Counter.total, bags.values())) / total if total else 1.0
        frequency = self.document_frequency([term.text for term in terms])
        scores: dict[int, float] = {}
        for chunk, bag in bags.items():
            norm = _K1 * (1 - _B + _B * bag.total() / average)
            score = sum(
                term.weight
                * _rarity(frequency[term.text], total)
                * bag[term.text]
                * (_K1 + 1)
                / (bag[term.text] + norm)
                for term in terms
                if bag[term.text]
            )
            if score > 0:
                scores[chunk] = score
        allowed = self._passing(scores, filters) if filters else scores
        ranked = sorted(((chunk, scores[chunk]) for chunk in allowed), key=lambda item: (-item[1], item[0]))
        return [Scored(*item) for item in ranked[:limit]]

    def document_frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many chunks each token stands."""
        bags = self._bags().values()
        return {term: sum(term in bag for bag in bags) for term in terms}

    def passing(self, ids: Sequence[int], filters: Filters) -> frozenset[int]:
        """Those of these chunks that pass the filters."""
        return frozenset(self._passing(ids, filters) if filters else ids)

    def selected(self, filters: Filters, most: int) -> Sequence[int] | None:
        """The ids of all chunks that pass the filters; None when there are more than ``most``."""
        found = self._passing(self._bags(), filters)
        return sorted(found) if len(found) <= most else None

    def passes(self, chunk: StoredChunk, filters: Filters) -> bool:
        """Whether a chunk passes the filters."""
        return not filters or chunk.id in self._passing((chunk.id,), filters)

    def _bags(self) -> dict[int, Counter[str]]:
        return {
            (stored.id << SHIFT) + index: bag
            for stored in self._by_id.values()
            for index, bag in enumerate(stored.bags)
        }

    def _passing(self, ids: Iterable[int], filters: Filters) -> set[int]:
        paths = self._paths(filters)
        return {
            item.id
            for item in self.chunks(list(ids))
            if item.path in paths and _passes(item, filters, self._by_id)
        }

    def _paths(self, filters: Filters) -> set[str]:
        known = list(self._state.files)
        kept = set(known) if not filters.paths else set()
        for pattern in filters.paths:
            kept |= matching_paths(pattern, known)
        for pattern in filters.not_paths:
            kept -= matching_paths(pattern, known, widest=True)
        return kept


def _bare(item: StoredChunk) -> StoredChunk:
    return item._replace(chunk=item.chunk._replace(text="", header="", tokens=0), parent="")


def _passes(item: StoredChunk, filters: Filters, files: Mapping[int, Stored]) -> bool:
    """Kind, name and complexity are asked of one symbol together: of the chunk's own, or of any that it holds."""
    if filters.languages and item.language.lower() not in folded(filters.languages):
        return False
    held = map(files[item.id >> SHIFT].record.outline.symbols.__getitem__, item.chunk.symbols)
    return _meant(
        filters, {item.chunk.kind, item.symbol_kind}, (item.name, item.qualified), item.complexity
    ) or any(_meant(filters, {one.kind}, (one.name, one.qualified), one.complexity) for one in held)


def _meant(filters: Filters, kinds: set[str], names: tuple[str, str], complexity: int) -> bool:
    return (
        (not filters.kinds or not folded(filters.kinds).isdisjoint(folded(tuple(kinds))))
        and (
            not filters.names
            or (names[0] != "" and any(matching_names(one)(*names) for one in filters.names))
        )
        and all(compares(complexity, text) for text in filters.complexity)
    )


def _tokens(record: FileRecord, index: int) -> list[str]:
    return chunk_document(record.chunks[index], record.path, record.outline.symbols).split()


def _used(record: FileRecord) -> set[str]:
    return used_names(record.outline.imports, record.outline.references, record.outline.bindings)


def _rarity(frequency: int, total: int) -> float:
    return math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def _itself(record: FileRecord) -> FileRecord:
    return record
