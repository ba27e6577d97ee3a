"""Named score signals: a table of small functions, each with its weight and the reason that it is there.

Every signal adds evidence; the best fused hit stands at 1.0 when they start, so a weight of 0.5 is half of that.
Weights were set on the tuning repositories only; benchmarks/README.md has the ablation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import mul
from typing import NamedTuple

from trigpoint.model import Query, StoredChunk
from trigpoint.search.ranking import Candidates
from trigpoint.search.words import Words, name_stems, path_share

Given = Iterator[tuple[int, float, str]]
"""What a signal gives: chunk, share of the weight (-1 to 1), note."""


class Facts(NamedTuple):
    """What signals may look at besides the candidates."""

    query: Query
    lexical: Mapping[int, float]  # BM25 by chunk
    files: Mapping[str, float]  # path score by file, 0 to 2
    defines: Mapping[int, float]  # definition score by chunk, 0 to 1
    words: Words
    near: Mapping[int, float] = {}  # likeness in meaning by chunk; {} where no vectors were asked
    boosts: Mapping[int, tuple[float, str]] = {}  # what settings add, and the pattern that says so
    means: Mapping[int, float] = {}  # chunks that define what a name stands for which only imports bind
    held: Mapping[int, frozenset[str]] = {}  # words of the question in each text, where the row weighs them


class Signal(NamedTuple):
    """One row: what it is called, how much it counts, why it is there, and how it is found."""

    name: str
    weight: float
    why: str
    find: Callable[[Candidates, Facts], Given]


def apply(state: Candidates, facts: Facts, table: Sequence[Signal]) -> None:
    """Add the evidence of each signal, in the order of the table."""
    for signal in table:
        if signal.weight:
            state.add_all(f"signal:{signal.name}", signal.weight, signal.find(state, facts))


def weighed(table: Sequence[Signal], weights: Mapping[str, float]) -> tuple[Signal, ...]:
    """The table with the weights of a row of the intent table."""
    return tuple(one._replace(weight=weights.get(one.name, one.weight)) for one in table)


def bm25_share(state: Candidates, facts: Facts) -> Given:
    """BM25 against the best: ranks alone forget by how far the first leads."""
    best = max(facts.lexical.values(), default=0.0)
    if best:
        for chunk in state.evidence:
            yield chunk, facts.lexical.get(chunk, 0.0) / best, ""


def report_bm25(state: Candidates, facts: Facts) -> Given:
    """The same once more for a report: a hundred words, the headline's counting more, order chunks better than names do."""
    if facts.query.headline:
        yield from bm25_share(state, facts)


def covered(state: Candidates, facts: Facts) -> Given:
    """Share of the question's words in the text, rare ones counting more: BM25 takes one word many times for several."""
    for chunk, stems in facts.held.items():
        yield chunk, facts.words.share(stems), ""


def meaning(state: Candidates, facts: Facts) -> Given:
    """Likeness of the vectors of question and chunk, against the best."""
    best = max(facts.near.values(), default=0.0)
    if best > 0:
        for chunk in state.evidence:
            yield chunk, max(0.0, facts.near.get(chunk, 0.0)) / best, ""


def file_meaning(state: Candidates, facts: Facts) -> Given:
    """The file's summed likeness in meaning over its best chunks, against the best file."""
    if facts.near:
        yield from _by_file(state, {chunk: max(0.0, value) for chunk, value in facts.near.items()})


def file_bm25(state: Candidates, facts: Facts) -> Given:
    """The file's summed BM25 over its best chunks, against the best file."""
    yield from _by_file(state, facts.lexical)


def _by_file(state: Candidates, scores: Mapping[int, float]) -> Given:
    totals = {
        path: sum(map(mul, sorted((scores.get(one, 0.0) for one in chunks), reverse=True), FILE_WEIGHTS))
        for path, chunks in state.by_file(state.evidence).items()
    }
    best = max(totals.values(), default=0.0)
    if best > 0:
        for chunk in state.evidence:
            yield chunk, totals[state.chunks[chunk].path] / best, ""


FILE_WEIGHTS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
"""Weights of a file's best chunks, falling: all of them alike would let long files win by length."""


def boost(state: Candidates, facts: Facts) -> Given:
    """The settings of the project add to the files that a pattern names, or take from them."""
    for chunk, (value, pattern) in facts.boosts.items():
        yield chunk, value, pattern


def definition(state: Candidates, facts: Facts) -> Given:
    """The chunk defines a name that the question writes or covers."""
    for chunk in state.evidence:
        share = facts.defines.get(chunk, 0.0)
        if share:
            stored = state.chunks[chunk]
            yield chunk, share * KIND_SHARES.get(stored.symbol_kind, OTHER_KIND), stored.qualified


KIND_SHARES: Mapping[str, float] = dict.fromkeys(
    [
        "class",
        "interface",
        "struct",
        "trait",
        "enum",
        "record",
        "protocol",
        "union",
        "object",
        "function",
        "method",
        "constructor",
        "macro",
        "type",
        "module",
        "namespace",
        "table",
        "message",
        "service",
    ],
    1.0,
)
"""Kinds that people mean when they ask for a name."""
OTHER_KIND = 0.6
"""Share of fields, constants, keys, sections, implementations and of chunks that join several definitions."""


def file_name(state: Candidates, facts: Facts) -> Given:
    """Words of the question in the file's stem, and less so in its folder."""
    memo: dict[str, tuple[float, str]] = {}
    for chunk in state.evidence:
        path = state.chunks[chunk].path
        if path not in memo:
            memo[path] = path_share(path, facts.words)
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
    """Share of the question's words that the symbol's name holds, rare words counting more."""
    for chunk in state.evidence:
        name = state.chunks[chunk].qualified
        if name:
            share = facts.words.share(name_stems(name))
            if share:
                yield chunk, share, name


def header(state: Candidates, facts: Facts) -> Given:
    """A C or C++ header stands back when the file that implements it is a candidate too."""
    paths = {stored.path for stored in state.chunks.values()}
    for chunk in state.evidence:
        base, dot, extension = state.chunks[chunk].path.rpartition(".")
        if extension in HEADERS and any(base + dot + one in paths for one in IMPLEMENTATIONS):
            yield chunk, -max(0.0, state.score(chunk)), "declares what another file implements"


HEADERS = frozenset({"h", "hh", "hpp", "hxx"})
IMPLEMENTATIONS = ("c", "cc", "cpp", "cxx", "m", "mm")


def older_version(state: Candidates, facts: Facts) -> Given:
    """Code under v1/ stands back when v2/ beside it has candidates, unless the question names the version."""
    newest: dict[str, int] = {}
    for stored in state.chunks.values():
        for prefix, version, _ in _versions(stored.path):
            newest[prefix] = max(newest.get(prefix, 0), version)
    for chunk in state.evidence:
        for prefix, version, name in _versions(state.chunks[chunk].path):
            if version < newest[prefix] and name not in facts.query.words:
                yield chunk, -max(0.0, state.score(chunk)), f"{name} is an older version"
                break


_VERSION = re.compile(r"(?:^|/)(v(\d{1,3}))(?=/)")


def _versions(path: str) -> list[tuple[str, int, str]]:
    """Version folders of a path: what stands before, the number, the name."""
    if not path.startswith("v") and "/v" not in path:
        return []
    return [(path[: match.start(1)], int(match[2]), match[1]) for match in _VERSION.finditer(path)]


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


def imported_name(state: Candidates, facts: Facts) -> Given:
    """The chunk defines what the name in the question stands for where it is imported."""
    for chunk in state.evidence:
        if share := facts.means.get(chunk, 0.0):
            yield chunk, share, ""


def named_language(state: Candidates, facts: Facts) -> Given:
    """The question names a language, and this is written in it."""
    if facts.query.languages:
        for chunk in state.evidence:
            language = state.chunks[chunk].language
            if language in facts.query.languages:
                yield chunk, 1.0, language


def named_kind(state: Candidates, facts: Facts) -> Given:
    """The question asks for a class, a function …, and this is one."""
    if facts.query.kinds:
        for chunk in state.evidence:
            kind = state.chunks[chunk].symbol_kind
            if SAME_KIND.get(kind, kind) in facts.query.kinds:
                yield chunk, 1.0, kind


SAME_KIND: Mapping[str, str] = {
    "method": "function",
    "constructor": "function",
    "record": "class",
    "object": "class",
}
"""Kinds that people call by another's name: a method is asked for as a function."""


def wanted(state: Candidates, facts: Facts) -> Given:
    """The question asks for tests, docs or examples by word, and this is one."""
    for chunk in state.evidence:
        hit = state.chunks[chunk].marks & facts.query.wants
        if hit:
            yield chunk, 1.0, ", ".join(sorted(hit))


SIGNALS: tuple[Signal, ...] = (
    Signal("bm25", 0.6, "ranks alone forget by how far the first leads", bm25_share),
    Signal("report-bm25", 1.2, "a report's many words order chunks better than its names do", report_bm25),
    Signal("covered", 0.0, "each word of a task says what has to be there", covered),
    Signal("meaning", 1.0, "questions are asked in other words than the code's", meaning),
    Signal("definition", 0.4, "a question that names a thing wants its definition", definition),
    Signal(
        "imported-name",
        1.5,
        "an alias is repeated where it is used, never where it is defined",
        imported_name,
    ),
    Signal("symbol-words", 0.3, "names say what code does", symbol_words),
    Signal("file-name", 0.8, "people name files after what is in them", file_name),
    Signal("written-path", 1.5, "a path in the question is meant", written_path),
    Signal("file-bm25", 0.8, "a question's words are spread over the file that answers it", file_bm25),
    Signal("file-meaning", 0.3, "what a file is about is spread over its chunks", file_meaning),
    Signal("wanted", 0.3, "tests, docs and examples rank first when they are asked for", wanted),
    Signal("named-language", 0.5, "a language that is named is meant, in a tree of several", named_language),
    Signal("named-kind", 0.2, "a kind that is named is meant", named_kind),
    Signal("header", 0.4, "a header repeats the names of the file that implements it", header),
    Signal("older-version", 0.4, "versions side by side hold the same names", older_version),
    Signal("role", 1.0, "repeated words make tests and docs outrank the code they speak of", role),
    Signal("boost", 1.0, "a project knows which of its folders matter", boost),
)
"""The signals, in the order they are applied; the three before the last take a share of the sum.

A row of the intent table may weigh some otherwise; those of no weight here are for such rows.
"""
