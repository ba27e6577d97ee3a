"""Named score signals: a table of small functions, each with its weight and the reason that it is there.

Every signal adds evidence; the best fused hit stands at 1.0 when they start, so a weight of 0.5 is half of that.
Weights were set on the tuning repositories only; benchmarks/README.md has the ablation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from trigpoint.model import Query, StoredChunk
from trigpoint.search.legs.path import path_overlap
from trigpoint.search.ranking import Candidates
from trigpoint.text.identifiers import split
from trigpoint.text.stems import stem

Given = Iterator[tuple[int, float, str]]
"""What a signal gives: chunk, share of the weight (-1 to 1), note."""


@dataclass(frozen=True)
class Facts:
    """What signals may look at besides the candidates."""

    query: Query
    lexical: Mapping[int, float]  # BM25 by chunk
    files: Mapping[str, float]  # path score by file, 0 to 2
    defines: Mapping[int, float] = field(default_factory=dict)  # definition score by chunk, 0 to 1

    @cached_property
    def asked(self) -> frozenset[str]:
        """Stems of the words of the question."""
        return frozenset(stem(word) for word in self.query.words)


@dataclass(frozen=True, slots=True)
class Signal:
    """One row: what it is called, how much it counts, why it is there, and how it is found."""

    name: str
    weight: float
    why: str
    find: Callable[[Candidates, Facts], Given]


def apply(state: Candidates, facts: Facts, table: Sequence[Signal]) -> None:
    """Add the evidence of each signal, in the order of the table."""
    for signal in table:
        for chunk, share, note in signal.find(state, facts):
            state.add(chunk, f"signal:{signal.name}", signal.weight * share, note)


def bm25_share(state: Candidates, facts: Facts) -> Given:
    """BM25 against the best: ranks alone forget by how far the first leads."""
    best = max(facts.lexical.values(), default=0.0)
    if best:
        for chunk in state.evidence:
            yield chunk, facts.lexical.get(chunk, 0.0) / best, ""


def file_agreement(state: Candidates, facts: Facts) -> Given:
    """The file's summed score over its best chunks, against the best file."""
    scores = {chunk: state.score(chunk) for chunk in state.evidence}
    totals = {
        path: sum(sorted((scores[one] for one in chunks), reverse=True)[:FILE_CHUNKS])
        for path, chunks in state.by_file(state.evidence).items()
    }
    best = max(totals.values(), default=0.0)
    if best:
        for chunk in state.evidence:
            yield chunk, totals[state.chunks[chunk].path] / best, ""


FILE_CHUNKS = 6
"""Chunks of one file whose scores are summed: more would let long files win by length."""


def definition(state: Candidates, facts: Facts) -> Given:
    """The chunk defines a name that the question writes or covers."""
    for chunk in state.evidence:
        share = facts.defines.get(chunk, 0.0)
        if share:
            yield chunk, share, state.chunks[chunk].qualified


def file_name(state: Candidates, facts: Facts) -> Given:
    """Words of the question in the file's stem, and less so in its folder."""
    memo: dict[str, tuple[float, str]] = {}
    for chunk in state.evidence:
        path = state.chunks[chunk].path
        if path not in memo:
            memo[path] = path_overlap(path, facts.asked)
        share, note = memo[path]
        if share:
            yield chunk, share, note


def written_path(state: Candidates, facts: Facts) -> Given:
    """The question or its stack trace names the file."""
    for chunk in state.evidence:
        share = facts.files.get(state.chunks[chunk].path, 0.0)
        if share > 1.0:
            yield chunk, min(1.0, share - 1.0), "named in the question"


def symbol_words(state: Candidates, facts: Facts) -> Given:
    """Share of the question's words that the symbol's name holds."""
    if not facts.asked:
        return
    for chunk in state.evidence:
        name = state.chunks[chunk].qualified
        if name:
            words = {stem(part) for part in split(name.replace(".", "_"))}
            share = len(words & facts.asked) / len(facts.asked)
            if share:
                yield chunk, share, name


def role(state: Candidates, facts: Facts) -> Given:
    """Tests, docs, examples, vendored, generated and stub files stand back, unless the question asks for them."""
    for chunk in state.evidence:
        stored = state.chunks[chunk]
        share, mark = standing(stored, facts.query)
        if share:
            yield chunk, -share * max(0.0, state.score(chunk)), f"{mark} file"


ROLE_SHARES: Mapping[str, float] = {
    "test": 0.6,
    "example": 0.5,
    "doc": 0.5,
    "vendored": 0.6,
    "generated": 0.6,
    "minified": 0.8,
    "type-stub": 0.3,
    "legacy": 0.4,
    "config": 0.3,
    "data": 0.5,
}
"""Share of its score that a file of each role loses."""


def standing(stored: StoredChunk, query: Query) -> tuple[float, str]:
    """The largest share that the marks of a file cost it, and the mark; (0, "") when it is what is asked for."""
    marks = stored.marks
    if marks & query.wants:
        return 0.0, ""
    found = [(ROLE_SHARES[mark], mark) for mark in sorted(marks) if mark in ROLE_SHARES]
    return max(found, default=(0.0, ""))


def wanted(state: Candidates, facts: Facts) -> Given:
    """The question asks for tests, docs or examples by word, and this is one."""
    for chunk in state.evidence:
        hit = state.chunks[chunk].marks & facts.query.wants
        if hit:
            yield chunk, 1.0, ", ".join(sorted(hit))


SIGNALS: tuple[Signal, ...] = (
    Signal("bm25", 0.5, "ranks alone forget by how far the first leads", bm25_share),
    Signal("definition", 0.8, "a question that names a thing wants its definition", definition),
    Signal("symbol-words", 0.3, "names say what code does", symbol_words),
    Signal("file-name", 0.8, "people name files after what is in them", file_name),
    Signal("written-path", 1.5, "a path in the question is meant", written_path),
    Signal("agreement", 0.5, "several good chunks in a file confirm each other", file_agreement),
    Signal("wanted", 0.3, "tests, docs and examples rank first when they are asked for", wanted),
    Signal("role", 1.0, "repeated words make tests and docs outrank the code they speak of", role),
)
"""The signals, in the order they are applied; role comes last since it takes a share of the sum."""
