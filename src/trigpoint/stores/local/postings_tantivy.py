"""Postings in tantivy: one field of pre-made tokens, frequencies only.

Rows and postings cannot be committed together, so a marker document says which generations the postings serve:
``version first last removed``. Publishing G+1 goes: add the chunks with new words, born at G+1, and mark "G to G+1";
commit the rows, which tell the chunks whose former words are dead. Those are deleted by the next publication, or at once
when they are many: each commit costs 10 ms. Until then the postings hold more than either generation, never less: a
reader of G leaves out what was born after it, one of G+1 what is dead. A writer killed at any point is finished or undone
by the next.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import tantivy

from trigpoint.errors import StoreError
from trigpoint.model import Scored, Term
from trigpoint.stores.local.keys import SHIFT
from trigpoint.stores.local.postings import Document, Documents
from trigpoint.stores.local.postings_files import is_torn, sweep
from trigpoint.text.identifiers import VERSION

_HEAP = 64 * 1024 * 1024  # bytes for the one indexing thread; more gives fewer segments and a higher peak
_MARKER_FILE = 0  # row ids of files begin at 1
_FEW = (
    1_000  # dead chunks that readers leave out, which takes them less than 1 ms, until the next publication
)
_SPARE = 16  # hits beyond the limit, so that ties at the cut are broken by id


class _State(NamedTuple):
    version: int
    first: int
    last: int
    removed: int  # chunks whose words of ``first`` are still there

    def serves(self, generation: int) -> bool:
        return self.version == VERSION and generation in (self.first, self.last)


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("chunk", indexed=True, fast=True)
    builder.add_unsigned_field("file", indexed=True)
    builder.add_unsigned_field("born", indexed=True)
    builder.add_text_field("state", stored=True, tokenizer_name="raw", index_option="basic")
    return builder.build()


class TantivyPostings:
    """The folder of a tantivy index."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index: tantivy.Index | None = None

    def reader(self, connection: sqlite3.Connection, generation: int) -> TantivyReader | None:
        """The postings that serve this generation, or None."""
        searcher = self._searcher()
        if searcher is None:
            return None
        state = _state(searcher, _schema())
        if state is None or not state.serves(generation):
            return None
        return TantivyReader(searcher, _hidden(state, connection, generation))

    def writer(self, connection: sqlite3.Connection, documents: Documents) -> TantivyWriter:
        """For the holder of the lock."""
        return TantivyWriter(self._folder)

    def check(self, connection: sqlite3.Connection) -> Sequence[str]:
        """tantivy verifies nothing beyond what opening does, so the checksum that ends each of its files is compared here."""
        if self._searcher() is None:
            return ("the postings cannot be opened",)
        torn = [path.name for path in sorted(self._folder.iterdir()) if is_torn(path)]
        return [f"the postings are damaged: the checksum of {name} differs" for name in torn[:5]]

    def _searcher(self) -> tantivy.Searcher | None:
        """A fresh searcher; files may vanish between reading the list and opening them, hence the second try."""
        if not (self._folder / "meta.json").exists():
            return None
        if not os.access(self._folder, os.W_OK):
            return self._searcher_elsewhere()
        for _ in range(3):
            try:
                with _panics_told():
                    if self._index is None:
                        self._index = _open_index(self._folder)
                    self._index.reload()
                    return self._index.searcher()
            except (ValueError, OSError):
                self._index = None
        return None

    def _searcher_elsewhere(self) -> tantivy.Searcher | None:
        """tantivy makes a lock file where it reads; where it may not, it is shown the files in a temporary folder,
        which can go once they are mapped.
        """
        import tempfile

        with tempfile.TemporaryDirectory(prefix="trigpoint-", ignore_cleanup_errors=True) as folder:
            try:
                for path in self._folder.iterdir():
                    if not path.name.endswith(".lock"):
                        _show(path.absolute(), Path(folder) / path.name)
                with _panics_told():
                    return _open_index(Path(folder)).searcher()
            except (ValueError, OSError):
                return None


class TantivyReader:
    """One searcher: the segments as they were when it was made."""

    def __init__(self, searcher: tantivy.Searcher, hidden: tantivy.Query | None) -> None:
        self._searcher = searcher
        self._schema = _schema()
        self._hidden = hidden

    def search(self, terms: Sequence[Term], limit: int, only: Collection[int] | None) -> Sequence[Scored]:
        """The best chunks by BM25, ties by id; of these ids only, unless None."""
        query = self._query(terms, only)
        if query is None or limit < 1:
            return ()
        found = self._searcher.search(query, limit + _SPARE, count=False).hits
        ids = self._searcher.fast_field_values("chunk", [address for _, address in found])
        scored = [Scored(int(chunk or 0), float(score)) for (score, _), chunk in zip(found, ids, strict=True)]
        scored.sort(key=lambda item: (-item.score, item.chunk))
        return scored[:limit]

    def frequency(self, tokens: Sequence[str]) -> Mapping[str, int]:
        """In how many chunks each token stands; chunks on their way out are counted until they are gone."""
        return {token: self._searcher.doc_freq("body", token) for token in tokens}

    def _query(self, terms: Sequence[Term], only: Collection[int] | None) -> tantivy.Query | None:
        wanted = [
            (
                tantivy.Occur.Should,
                _weighted(tantivy.Query.term_query(self._schema, "body", term.text, "freq"), term),
            )
            for term in terms
            if term.text and term.weight > 0
        ]
        if not wanted:
            return None
        parts = [(tantivy.Occur.Must, tantivy.Query.boolean_query(wanted))]
        if only is not None:
            inside = tantivy.Query.term_set_query(self._schema, "chunk", list(only))
            parts.append((tantivy.Occur.Must, tantivy.Query.const_score_query(inside, 0.0)))
        if self._hidden is not None:
            parts.append((tantivy.Occur.MustNot, self._hidden))
        return tantivy.Query.boolean_query(parts) if len(parts) > 1 else parts[0][1]


class TantivyWriter:
    """The index writer, opened when there is something to write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._schema = _schema()
        self._writer: tantivy.IndexWriter | None = None
        self._removed: list[int] = []  # chunks whose words are dead with the next publication
        self._dead: list[int] = []  # those that are dead with the last one, and still there
        self._added: set[int] = set()  # files with chunks added since the last publication
        self._first = self._generation = 0  # what is served; the last of it is what the rows are at
        self._born = 1

    def recover(self, generation: int, graves: Sequence[int]) -> bool:
        """Finish or undo what a killed writer left; False when the postings do not serve this generation."""
        self._first, self._generation, self._born = generation, generation, generation + 1
        state = self._stored_state()
        if state is None:
            return generation == 0 and not (self._folder / "meta.json").exists()
        if not state.serves(generation) or (generation == state.last and state.removed and not graves):
            return False
        if generation < state.last:
            self._delete(_among(self._schema, "born", [self._born]))
            self._mark(generation, generation, 0)
        elif state.removed:
            self._first, self._dead = state.first, list(graves)
        return True

    def start_over(self) -> None:
        """Forget everything; a folder that cannot even be opened is made anew."""
        self._release()
        self._removed.clear()
        self._dead.clear()
        self._born = self._generation  # what is added next is of the rows as they are
        if self._folder.exists():
            import shutil  # 2 ms that no reader needs

            shutil.rmtree(self._folder)
        self._open()

    def add(self, documents: Iterable[Document]) -> None:
        """Add chunks that are not there, or were removed before."""
        writer = self._open()
        with _told(self._folder):
            for document in documents:
                made = tantivy.Document()
                made.add_unsigned("chunk", document.chunk)
                made.add_unsigned("file", document.file)
                made.add_unsigned("born", self._born)
                made.add_text("body", document.tokens)
                writer.add_document(made)
                self._added.add(document.file)

    def remove(self, chunks: Sequence[int]) -> None:
        """Remove chunks of one file, once the rows are committed; what was added of them since, now."""
        self._removed.extend(chunks)
        if chunks and chunks[0] >> SHIFT in self._added:
            self._delete(_both(self._schema, chunks, self._born))

    def remove_all(self, chunks: Sequence[int]) -> None:
        """Remove every chunk."""
        self._removed.extend(chunks)
        if self._added:
            self._delete(_among(self._schema, "born", [self._born]))

    def prepare(self, generation: int, *, rebuilt: bool = False) -> None:
        """Commit what was added; both this generation and the one before are served, unless ``rebuilt``."""
        self._bury(self._first + 1, self._born)
        self._first = generation if rebuilt else self._generation
        self._mark(self._first, generation, len(self._removed))
        self._added.clear()

    def finish(self, generation: int) -> None:
        """What the committed rows no longer hold is dead."""
        self._dead, self._removed = self._removed, []
        if len(self._dead) > _FEW:
            self._bury(self._born)
            self._mark(generation, generation, 0)
            self._first = generation
        self._generation, self._born = generation, generation + 1

    def rollback(self) -> None:
        """Undo what was not prepared."""
        self._removed.clear()
        if self._writer is not None and self._added:
            self._writer.rollback()
        self._added.clear()

    def close(self) -> None:
        """Let go, after running merges are done."""
        self._release()

    def _bury(self, *born: int) -> None:
        """Delete the dead, but chunks with the same ids that were born then."""
        if self._dead:
            self._delete(_dead(self._schema, self._dead, born))
            self._dead = []

    def _mark(self, first: int, last: int, removed: int) -> None:
        writer = self._open()
        self._delete(_among(self._schema, "file", [_MARKER_FILE]))
        marker = tantivy.Document()
        marker.add_unsigned("chunk", 0)
        marker.add_unsigned("file", _MARKER_FILE)
        marker.add_text("state", " ".join(map(str, _State(VERSION, first, last, removed))))
        with _told(self._folder):
            writer.add_document(marker)
            writer.commit()

    def _delete(self, query: tantivy.Query) -> None:
        writer = self._open()
        with _told(self._folder):
            writer.delete_documents_by_query(query)

    def _stored_state(self) -> _State | None:
        searcher = TantivyPostings(self._folder)._searcher()
        return None if searcher is None else _state(searcher, self._schema)

    def _open(self) -> tantivy.IndexWriter:
        if self._writer is None:
            try:
                self._folder.mkdir(exist_ok=True)
                sweep(self._folder)
                with _panics_told():
                    made = tantivy.Index(self._schema, str(self._folder), reuse=True)
                    self._writer = made.writer(_HEAP, 1)
            except (ValueError, OSError) as error:
                raise StoreError(
                    f"the postings in {self._folder} cannot be written: {error}", "`trig doctor`"
                ) from error
        return self._writer

    def _release(self) -> None:
        if self._writer is not None:
            writer, self._writer = self._writer, None
            writer.wait_merging_threads()


@contextmanager
def _panics_told() -> Iterator[None]:
    """A panic of tantivy, which damaged files can cause, as a ValueError: it is no Exception, and nothing handles it."""
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(str(error)) from error


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    """What keeps tantivy from writing as an error of ours; what was published before is not touched by it."""
    try:
        with _panics_told():
            yield
    except (ValueError, OSError) as error:
        if isinstance(error, StoreError):
            raise
        raise StoreError(
            f"the postings in {folder} cannot be written: {error}",
            "free some space; what was published before is intact",
        ) from error


def _among(schema: tantivy.Schema, field: str, values: Collection[int]) -> tantivy.Query:
    """Documents with one of these numbers: of one alone tantivy takes a Python number for a signed one, and finds nothing."""
    return tantivy.Query.term_set_query(schema, field, list(values))


def _both(schema: tantivy.Schema, chunks: Collection[int], born: int) -> tantivy.Query:
    """The words of these chunks that were born then."""
    must = tantivy.Occur.Must
    return tantivy.Query.boolean_query(
        [(must, _among(schema, "chunk", chunks)), (must, _among(schema, "born", [born]))]
    )


def _dead(schema: tantivy.Schema, chunks: Collection[int], born: Collection[int]) -> tantivy.Query:
    """The words of these chunks, but those that were born then."""
    must, never = tantivy.Occur.Must, tantivy.Occur.MustNot
    return tantivy.Query.boolean_query(
        [(must, _among(schema, "chunk", chunks)), (never, _among(schema, "born", born))]
    )


def _hidden(state: _State, connection: sqlite3.Connection, generation: int) -> tantivy.Query | None:
    """What the postings hold beyond a generation that they serve."""
    schema = _schema()
    if generation < state.last:
        return _among(schema, "born", [state.first + 1])
    if not state.removed:
        return None
    graves = [row[0] for row in connection.execute("SELECT rowid FROM graves")]
    return _dead(schema, graves, [state.first + 1])


def _open_index(folder: Path) -> tantivy.Index:
    index = tantivy.Index.open(str(folder))
    index.config_reader("manual", 0)
    index.reload()
    return index


def _show(path: Path, link: Path) -> None:
    try:
        link.symlink_to(path)
    except (OSError, NotImplementedError):  # Windows without the right to make links
        import shutil

        shutil.copyfile(path, link)


def _weighted(query: tantivy.Query, term: Term) -> tantivy.Query:
    return query if term.weight == 1.0 else tantivy.Query.boost_query(query, term.weight)


def _state(searcher: tantivy.Searcher, schema: tantivy.Schema) -> _State | None:
    query = tantivy.Query.term_query(schema, "file", _MARKER_FILE)
    try:
        with _panics_told():
            found = searcher.search(query, 1, count=False).hits
            numbers = str(searcher.doc(found[0][1]).get_first("state")).split() if found else []
    except (ValueError, OSError):
        return None
    return _State(*map(int, numbers)) if len(numbers) == 4 and all(map(str.isdigit, numbers)) else None
