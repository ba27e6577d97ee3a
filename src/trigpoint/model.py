"""The nouns: what the rest of the package talks about. Nothing here imports anything of ours.

Lines are 1-based and inclusive and end at LF only. Columns are 0-based bytes inside; surfaces show 1-based
characters. Paths are relative to the root, ``/``-separated, and bytes-safe (``surrogateescape``).

They are named tuples: as immutable as frozen dataclasses, five times cheaper to create and to send between processes,
and eight times cheaper to define (.1 ms each), which every command pays at its start. Annotations are evaluated here,
not deferred by ``from __future__``: a named tuple compiles each deferred one, which doubles the cost of this module.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple, Self

MODULE = -1
"""The scope or container of what stands at the top level of a file."""


class Span(NamedTuple):
    """A run of whole lines of one file."""

    path: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.path}:{self.start}-{self.end}"


class Symbol(NamedTuple):
    """A definition. ``container`` is the index of the enclosing symbol in its record, or MODULE."""

    name: str
    qualified: str  # Outer.inner, with "." between levels in every language
    kind: str  # function method class interface struct enum trait module type constant variable macro section key …
    start: int  # first line, with decorators and leading doc comment
    end: int
    name_line: int
    name_column: int  # 0-based bytes
    container: int = MODULE
    signature: str = ""  # one line, without the body
    doc: str = ""  # first paragraph of the docstring or doc comment
    complexity: int = 0  # cyclomatic; 0 for what has no control flow of its own
    bases: tuple[str, ...] = ()  # base types as written
    decorators: tuple[str, ...] = ()  # decorators, annotations or attributes as written, without the marker
    modifiers: tuple[str, ...] = ()  # e.g. static, abstract, async, export, default, private, property
    receiver: str = ""  # the type a method belongs to when it is written outside it (Go, Rust impl, C++ ::)


class Import(NamedTuple):
    """One imported name. ``from a import b as c`` is Import("a", "b", "c"); ``import a.b as m`` is ("a.b", "", "m")."""

    module: str  # as written: "..pkg", "./util", "std::fmt", "stdio.h", "a.b"
    name: str  # "" the module itself, "*" everything, "default" a default export, else the exported name
    alias: str  # the name bound here; "" when nothing is bound
    line: int
    scope: int = MODULE
    kind: str = "import"  # import, reexport, include, package; of build files dependency and entry


class Reference(NamedTuple):
    """A use as written, before linking. ``scope`` is the index of the enclosing symbol, or MODULE."""

    name: str  # "()" calls what the receiver gives: f()(), table[key]()
    receiver: str  # text before the name: "self", "np.linalg", "Foo()", "" when bare
    kind: str  # call, new, type, base, decorator, value, macro
    line: int
    column: int  # 0-based bytes, of the name
    scope: int = MODULE


class Binding(NamedTuple):
    """What a name is bound to in a scope: the receiver hints that linking needs, taken in the same walk.

    ``inner`` is a parameter of a function without a name, which is no scope: it holds until the line in ``value``.
    """

    name: str  # "x", or "self.x" for an attribute
    kind: str  # assign, param, inner, attribute, return, yield, with, for, alias, entry (name[annotation] = value)
    value: str  # the bound expression as written, cut at 200 characters, "" when none; of inner the last line (below)
    annotation: str  # the declared type as written; "" when none
    line: int
    scope: int = MODULE


class Edge(NamedTuple):
    """A use that is known to reach a definition: ``source`` in ``path`` -> ``target`` in ``target_path``.

    Both ends are indexes of symbols in the records of their files, or MODULE for what stands at the top level of a
    file. What lies outside the project has no edge: unknown is unknown.
    """

    path: str
    source: int
    target_path: str
    target: int
    kind: str  # one of EDGE_KINDS
    confidence: float  # 1.0 exact .. 0.0; below 0.5 it is a candidate, not a fact
    line: int  # of the site, in ``path``
    column: int  # 0-based bytes
    resolved_by: str  # one of RESOLVED_BY


RESOLVED_BY = (
    "lexical", "import", "reexport", "module-attribute", "self", "super", "class", "hint", "package", "ambiguous", "guess", "contains",
)  # fmt: skip
"""How the target of an edge was found; languages/linking.py says how sure each is."""

EDGE_KINDS = ("calls", "imports", "inherits", "implements", "references", "tests", "contains")
"""What an edge can say. ``contains`` follows from the symbols and is never stored."""


class Chunk(NamedTuple):
    """A run of whole lines that is searched and shown as one. Chunks that are not derived tile the file."""

    start: int
    end: int
    kind: str  # function, method, class, skeleton, module, section, cell, statement, key, window, part …
    symbol: int  # index of the symbol it holds or belongs to, or MODULE
    symbols: tuple[int, ...]  # indexes of the symbols whose name line it holds
    header: str  # "path > Class > signature"; searched, not counted in the lines
    text: str
    tokens: int  # estimate; exact counts are made when packing
    digest: str  # of the text: moved or renamed code keeps its vector
    derived: bool = False  # a skeleton repeats lines that other chunks hold
    part: int = 0  # 1..parts for the pieces of something too big for one chunk
    parts: int = 0


class Passage(NamedTuple):
    """What an embedder reads of a chunk."""

    text: str
    name: str  # qualified name of its symbol, after the words of its file and folder; "" where it has neither


class Scored(NamedTuple):
    """One vote of a leg: a chunk and how well it did there."""

    chunk: int
    score: float


class Term(NamedTuple):
    """One query token and its weight in BM25."""

    text: str
    weight: float


class Level(StrEnum):
    """How much of a file is in the index."""

    INDEXED = "indexed"
    PARTIAL = "partial"
    SKIPPED = "skipped"


class Outcome(NamedTuple):
    """The ledger entry of one file: nothing is lost silently. ``reason`` is a word, ``detail`` a sentence."""

    level: Level
    reason: str = (
        ""  # binary, too-large, minified, generated, secrets, unreadable, symlink, submodule, time-limit …
    )
    detail: str = ""


INDEXED = Outcome(Level.INDEXED)


class Stat(NamedTuple):
    """What the file system says without reading: the safe shortcut of an unchanged check."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    def text(self) -> str:
        """Equal for equal stat data, and made of a stat result in half the time."""
        return f"{self.size} {self.mtime_ns} {self.ctime_ns} {self.inode}"


class SourceEntry(NamedTuple):
    """A file that a source lists, not read yet. ``refused`` says why it will not be read at all."""

    path: str
    stat: Stat | None
    refused: Outcome | None = None
    marks: frozenset[str] = frozenset()  # vendored, …


class SourceFile(NamedTuple):
    """The only noun that holds a whole file. ``text`` has LF ends only where the file has; nothing is normalised."""

    path: str
    language: str  # a name of the language registry; "text" when nothing fits, "" when refused
    digest: str  # sha256 of the bytes, hex
    text: str
    encoding: str  # utf-8, utf-8-sig, utf-16-le, latin-1 …
    size: int
    marks: frozenset[str] = (
        frozenset()
    )  # test, doc, example, config, data, vendored, generated, minified, guessed-encoding
    outcome: Outcome = INDEXED


class Outline(NamedTuple):
    """What the parser alone tells of one file."""

    symbols: tuple[Symbol, ...] = ()
    imports: tuple[Import, ...] = ()
    references: tuple[Reference, ...] = ()
    bindings: tuple[Binding, ...] = ()
    package: str = ""  # Java package, Go package, PHP/C# namespace, Rust crate path when written in the file
    exports: tuple[str, ...] = ()  # names of __all__ or of an export list, where the file has one
    splits: tuple[int, ...] = ()  # first lines of statements inside big bodies, where a chunk may be cut
    errors: int = 0  # syntax errors the parser recovered from


class FileRecord(NamedTuple):
    """All that one file alone tells. What needs two files is in link."""

    path: str
    language: str
    digest: str
    size: int
    lines: int
    encoding: str
    outcome: Outcome
    marks: frozenset[str]
    outline: Outline
    chunks: tuple[Chunk, ...]
    text: str  # "" when skipped
    stat: Stat | None = None


class FileRow(NamedTuple):
    """A file as the store knows it, without its content."""

    id: int
    path: str
    language: str
    digest: str
    size: int
    lines: int
    encoding: str
    outcome: Outcome
    marks: frozenset[str]
    stat: Stat | None


class StoredSymbol(NamedTuple):
    """A symbol with its place in the store."""

    id: int
    path: str
    language: str
    symbol: Symbol
    index: int  # type: ignore[assignment]  # in its record; takes the place of tuple.index

    @property
    def span(self) -> Span:
        """The lines of the definition."""
        return Span(self.path, self.symbol.start, self.symbol.end)


class End(NamedTuple):
    """One end of an edge, for people and programs outside."""

    path: str
    name: str  # qualified; "" is the top level of the file
    line: int  # of the name


class NamedEdge(NamedTuple):
    """An edge with the names of its ends."""

    source: End
    target: End
    edge: Edge


class StoredEdge(NamedTuple):
    """An edge between nodes: ids of symbols, or of a file's top level (Snapshot.node)."""

    source: int
    target: int
    kind: str
    confidence: float
    line: int  # of the site, in the file of the source
    column: int
    resolved_by: str


class StoredChunk(NamedTuple):
    """A chunk with its place in the store and its filterable metadata."""

    id: int
    path: str
    language: str
    marks: frozenset[str]
    chunk: Chunk
    name: str  # of its symbol, "" at module level
    qualified: str
    symbol_kind: str
    complexity: int
    parent: str  # qualified name of the container, "" at module level

    @property
    def span(self) -> Span:
        """The lines of the chunk."""
        return Span(self.path, self.chunk.start, self.chunk.end)


class Filters(NamedTuple):
    """What a query leaves in or out. Empty means no restriction; several values of one key mean any of them."""

    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()  # a literal file or folder, else a glob
    not_paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    complexity: tuple[str, ...] = ()  # ">10", "<=3", "5"

    def __bool__(self) -> bool:
        return any((self.languages, self.kinds, self.paths, self.not_paths, self.names, self.complexity))


class Frame(NamedTuple):
    """One frame of a stack trace, as written."""

    path: str
    line: int
    function: str


class Query(NamedTuple):
    """A question, understood: pure data taken from its text."""

    text: str  # as given
    words: tuple[str, ...] = ()  # natural-language words, in order, lower case, without stop words
    identifiers: tuple[str, ...] = ()  # names as written: parseConfig, A.b, f()
    paths: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    errors: tuple[str, ...] = ()  # exception names and error messages
    filters: Filters = Filters()
    wants: frozenset[str] = frozenset()  # test, doc, config, example: what the question asks for by word
    cut: bool = False  # the text was longer than what is read
    refuses: frozenset[str] = frozenset()  # marks it does not want to see: "not in tests"
    languages: frozenset[str] = frozenset()  # named in words: "in python", "the Go code"
    kinds: frozenset[str] = frozenset()  # kinds of definition named in words: "which class"
    headline: tuple[str, ...] = ()  # words and names of the first line of a report


class Evidence(NamedTuple):
    """One named reason for a score."""

    name: str  # leg:lexical, signal:definition …
    value: float
    note: str = ""


class Hit(NamedTuple):
    """One ranked answer. The score is the sum of its evidence: computed, never stored."""

    chunk: StoredChunk
    evidence: tuple[Evidence, ...]
    line: int  # the line to open: the name line, or the best matching line
    copies: tuple[str, ...] = ()  # other paths that hold the same text
    symbol: StoredSymbol | None = None  # the definition that the question names, when the chunk holds it

    @property
    def name(self) -> str:
        """Qualified name of the definition that is meant, else of the chunk's own symbol; "" at module level."""
        return self.symbol.symbol.qualified if self.symbol else self.chunk.qualified or self.chunk.name

    @property
    def kind(self) -> str:
        """Kind of what ``name`` names, else of the chunk."""
        return self.symbol.symbol.kind if self.symbol else self.chunk.symbol_kind or self.chunk.chunk.kind

    @property
    def score(self) -> float:
        """Sum of the evidence."""
        return sum(item.value for item in self.evidence)


class Window(NamedTuple):
    """Lines of a file as they are shown. ``elided`` are the ranges left out inside it."""

    span: Span
    text: str
    elided: tuple[Span, ...] = ()
    verified: bool = True  # equal to the file as it is now
    outline: bool = False  # signatures of the file, each after its own line number, in place of those lines


class PackedHit(NamedTuple):
    """A hit and what of it fits the budget; ``window`` is None when it is only listed."""

    rank: int
    hit: Hit
    window: Window | None


class Freshness(NamedTuple):
    """How the index stands to the tree at the time of the answer."""

    state: str  # fresh, updated, stale, unknown
    generation: int
    files: int
    stale: int = 0
    head: str = ""
    branch: str = ""
    root: str = ""  # Merkle root of the indexed tree
    note: str = ""


class Stage(NamedTuple):
    """A step of a plan that ran, with its time in milliseconds."""

    name: str
    detail: str
    milliseconds: float = 0.0


HIGH, FAIR = 0.8, 0.5
"""From HIGH on an answer can be worked from; from FAIR on it wants one confirming look; below it wants another way in."""

ANSWERS = "answers.log"
"""The file beside an index in which answers are counted."""


class Fallback(NamedTuple):
    """What to try when the first result is probably wrong; it was checked against the index."""

    kind: str  # pattern (ripgrep syntax), path, question
    text: str
    note: str = ""  # what was found there, or why


class Read(NamedTuple):
    """A range that is worth opening, and why."""

    span: Span
    why: str


class Pack(NamedTuple):
    """A whole answer, within its token budget."""

    query: Query
    intent: str
    plan: str
    rationale: str
    hits: tuple[PackedHit, ...]
    total: int  # hits before the cut
    budget: int
    tokenizer: str
    freshness: Freshness
    stages: tuple[Stage, ...] = ()
    notes: tuple[str, ...] = ()  # what the answer lacks: stale files, missing legs, cut results, a cut query
    reads: tuple[Span, ...] = ()  # ranges worth opening next
    confidence: float | None = (
        None  # probability that the first result lies in the right file; None: not fitted
    )
    fallbacks: tuple[Fallback, ...] = ()  # only where that is below a half
    recommended_reads: tuple[Read, ...] = ()  # what one confirming look should take in, unless it is high

    @property
    def band(self) -> str:
        """high: answer from it; fair: one confirming look; low: another way in; "" where there is no confidence."""
        if self.confidence is None:
            return ""
        return "high" if self.confidence >= HIGH else "fair" if self.confidence >= FAIR else "low"


class Progress(NamedTuple):
    """One progress event of an index run."""

    phase: str  # list, read, write, publish
    done: int
    total: int
    path: str = ""


class Definitions(tuple[StoredSymbol, ...]):
    """The definitions that were asked for, and how the index stood to the files when it gave them."""

    freshness: Freshness

    @classmethod
    def of(cls, symbols: Iterable[StoredSymbol], freshness: Freshness) -> Self:
        """These definitions, as of then."""
        made = cls(symbols)
        made.freshness = freshness
        return made


class IndexReport(NamedTuple):
    """What an index run did. ``skipped`` and ``partial`` count files by reason."""

    root: str
    generation: int
    files: int
    added: int
    modified: int
    deleted: int
    unchanged: int
    skipped: Mapping[str, int]
    partial: Mapping[str, int]
    symbols: int
    chunks: int
    languages: Mapping[str, int]
    seconds: float
    interrupted: bool = False
    note: str = ""  # why nothing was indexed, when nothing was
    renamed: int = 0  # the same content under another path: neither added nor deleted
    reused: int = 0  # of those that came or changed: as they once were, so that their kept records were taken


class Finding(NamedTuple):
    """Something that is wrong with an index."""

    part: str  # rows, postings, edges, vectors, orphans, access
    problem: str
    remedy: str  # what becomes of it, or what a person can do
    mends: str = ""  # the part that a repair makes anew; "" where there is nothing to be repaired

    def __str__(self) -> str:
        return f"{self.problem}; {self.remedy}"


class Checkup(NamedTuple):
    """What was found wrong with an index, what was mended, and what is still wrong."""

    findings: tuple[Finding, ...]
    mended: tuple[str, ...] = ()
    left: tuple[Finding, ...] = ()


class Exported(NamedTuple):
    """An index that was written into a file."""

    file: str
    size: int
    digest: str  # sha256 of the file, hex
    files: int
    generation: int
    root: str  # Merkle root of the tree it was made of
    head: str


class Imported(NamedTuple):
    """An index that was taken from a file."""

    file: str
    files: int  # in the export
    same: int  # files here that are as they were there
    head: str  # the commit that it was made at
    report: IndexReport  # of the update that brought in what differs


class Watched(NamedTuple):
    """One event of a watch, after the update that it led to."""

    kind: str  # ready, update, failed, gone, polling
    report: IndexReport | None = None  # of the update; None where none was made
    paths: tuple[str, ...] = ()  # the first few files that were read
    note: str = ""


class KeptBeside(NamedTuple):
    """What lies beside an index for when it comes back: whole indexes of other branches, and records of single files."""

    trees: int
    trees_size: int  # bytes
    records: int
    records_size: int  # bytes


class Status(NamedTuple):
    """What is indexed, and what is not, with the reasons."""

    root: str
    index: str  # type: ignore[assignment]  # its folder; takes the place of tuple.index
    state: str  # absent, empty, ready, stale
    generation: int
    files: int
    symbols: int
    chunks: int
    references: int
    languages: Mapping[str, int]
    levels: Mapping[str, int]
    reasons: Mapping[str, int]
    views: Mapping[str, str]  # lexical, symbols, … -> fresh, building, stale, failed
    size: int  # bytes on disk
    freshness: Freshness
    files_detail: tuple[FileRow, ...] = ()
    note: str = ""
    view_reasons: Mapping[str, str] = {}  # of the views that are not fresh
    kept: KeptBeside | None = None
