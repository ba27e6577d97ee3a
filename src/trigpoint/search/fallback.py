"""What to try when the first result is probably wrong: patterns, paths and other words, each checked against this index.

Nothing is suggested that was not found here: a pattern matches a text that is indexed, a path exists, and every word of
another wording stands in the code.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from trigpoint.model import Fallback, Hit, Query, Read, StoredChunk, Term
from trigpoint.ports import Snapshot
from trigpoint.search.legs import path as by_path
from trigpoint.text.identifiers import fold, split
from trigpoint.text.stems import STEM_MARK, stem

PATTERNS, PATHS, WORDINGS, READS = 3, 3, 2, 4
"""How many of each are suggested."""
LOOKED_AT = 40
"""Chunks that are searched for a pattern: its best by BM25."""
COMMON = 0.2
"""A word in a larger share of all chunks finds too much to be worth a pattern."""
AROUND = 2
"""Words from the code that are added to a question."""


def fallbacks(query: Query, hits: Sequence[Hit], snapshot: Snapshot) -> tuple[Fallback, ...]:
    """Suggestions for a question whose answer is doubtful, best first of each kind."""
    found = [*_take(_patterns(query, snapshot), PATTERNS), *_take(_paths(query, hits, snapshot), PATHS)]
    return (*found, *_take(_wordings(query, hits, snapshot), WORDINGS))


def recommended_reads(hits: Sequence[Hit]) -> tuple[Read, ...]:
    """The ranges that are worth opening to make sure: the best of each of the first files, with the reason."""
    found: dict[str, Read] = {}
    for hit in hits:
        path = hit.chunk.path
        if path not in found:
            best = max(hit.evidence, key=lambda one: one.value, default=None)
            why = f"{hit.name or hit.kind}: {best.note or best.name.partition(':')[2]}" if best else hit.name
            span = hit.symbol.span if hit.symbol and hit.symbol.path == path else hit.chunk.span
            found[path] = Read(span, why)
        if len(found) == READS:
            break
    return tuple(found.values())


def _take(found: Iterator[Fallback], most: int) -> list[Fallback]:
    kept: dict[str, Fallback] = {}
    for one in found:
        kept.setdefault(one.text, one)
        if len(kept) == most:
            break
    return list(kept.values())


# patterns


def _patterns(query: Query, snapshot: Snapshot) -> Iterator[Fallback]:
    """ripgrep patterns, the most particular first: what is quoted, names as written, two rare words on a line, one word."""
    rare = _rare_words(query, snapshot)
    literal = [*query.quoted, *query.identifiers, *query.errors]
    tried = [re.escape(one) for one in dict.fromkeys(literal) if len(one) > 2]
    if len(rare) > 1:
        first, second = (_any_form(word) for word in rare[:2])
        tried.append(f"{first}.*{second}|{second}.*{first}")
    tried += [_any_form(word) for word in rare[:4]]
    for pattern in tried:
        written = pattern if re.search("[A-Z]", pattern) else f"(?i){pattern}"
        places = _matches(written, query, snapshot)
        if places:
            files = len({path for path, _ in places})
            path, line = places[0]
            yield Fallback("pattern", written, f"{files} {'file' if files == 1 else 'files'}, {path}:{line}")


def _any_form(word: str) -> str:
    """A word in any of its endings: retries, retry, retrying."""
    root = stem(word)
    common = root if word.startswith(root) else root[:-1]
    return re.escape(common) if len(common) > 3 else rf"\b{re.escape(word)}"


def _rare_words(query: Query, snapshot: Snapshot) -> list[str]:
    """The words of a question that stand in the code, the rarest first, without those that stand everywhere where others do not."""
    held = _frequencies(query.words, snapshot)
    most = max(3.0, COMMON * snapshot.counts().get("chunks", 0))
    known = sorted(
        (word for word in query.words if held[word] and len(word) > 2), key=lambda word: held[word]
    )
    return [word for word in known if held[word] <= most] or known[:2]


def _frequencies(words: Sequence[str], snapshot: Snapshot) -> Mapping[str, int]:
    """In how many chunks each word stands, in some form."""
    forms = {word: (word, stem(word), STEM_MARK + stem(word)) for word in words}
    held = snapshot.document_frequency(sorted({form for several in forms.values() for form in several}))
    return {word: max(held.get(form, 0) for form in several) for word, several in forms.items()}


def _matches(pattern: str, query: Query, snapshot: Snapshot) -> list[tuple[str, int]]:
    """Where a pattern matches in the chunks that hold its words: path and line, one a file."""
    expression = re.compile(pattern, re.MULTILINE)
    words = [
        fold(part) for part in re.findall(r"[A-Za-z_]\w+", pattern.removeprefix("(?i)").replace("\\b", " "))
    ]
    terms = [
        Term(form, 1.0)
        for word in words
        for form in dict.fromkeys((word, stem(word), STEM_MARK + stem(word)))
    ]
    terms += [Term(part, 1.0) for word in query.words for part in (word, STEM_MARK + stem(word))]
    scored = snapshot.lexical(terms, LOOKED_AT, query.filters._replace(kinds=(), names=(), complexity=()))
    places: dict[str, int] = {}
    for chunk in snapshot.chunks([one.chunk for one in scored]):
        if not chunk.chunk.derived and (line := _first_line(expression, chunk)):
            places.setdefault(chunk.path, line)
    return list(places.items())


def _first_line(expression: re.Pattern[str], chunk: StoredChunk) -> int:
    """The first line of a chunk that an expression matches within; 0 when none does."""
    lines = chunk.chunk.text.split("\n")
    return next(
        (chunk.chunk.start + number for number, line in enumerate(lines) if expression.search(line)), 0
    )


# paths


def _paths(query: Query, hits: Sequence[Hit], snapshot: Snapshot) -> Iterator[Fallback]:
    """Files whose names speak of the question and that are no results, then folders that hold several results."""
    shown = {hit.chunk.path for hit in hits}
    for match in by_path.matches(query, snapshot):
        if match.path not in shown and _is_code(match.path, snapshot):
            yield Fallback("path", match.path, match.note)
    folders = Counter(path.rpartition("/")[0] for path in shown)
    for folder, count in folders.most_common():
        if folder and count > 1:
            yield Fallback("path", folder + "/", f"{count} of the results lie there")


def _is_code(path: str, snapshot: Snapshot) -> bool:
    row = snapshot.file(path)
    return row is not None and not row.marks & {"test", "vendored", "generated", "minified"}


# other words


def _wordings(query: Query, hits: Sequence[Hit], snapshot: Snapshot) -> Iterator[Fallback]:
    """The question with words of this code base: what the best results are called, and near words for unknown ones."""
    held = _frequencies(query.words, snapshot)
    known = [word for word in query.words if held[word]]
    near = {word: other for word in query.words if not held[word] and (other := _near(word, snapshot))}
    if near:
        words = [near.get(word, word) for word in query.words if held[word] or word in near]
        changed = ", ".join(f"{other} for {word}" for word, other in near.items())
        yield Fallback("question", " ".join(dict.fromkeys(words)), changed)
    own = _own_words(query, hits, snapshot)
    if own and known:
        yield Fallback(
            "question", " ".join(dict.fromkeys((*known[:6], *own[:AROUND]))), "words of the best results"
        )
    names = [hit.name for hit in hits if hit.name]
    if names:
        yield Fallback("question", names[0], "the name of the first result")


def _near(word: str, snapshot: Snapshot) -> str:
    """A word of the code that begins as this one does, where this one stands nowhere: authn for authentication."""
    beginnings = [word[:length] for length in range(len(word) - 1, 3, -1)]
    held = snapshot.document_frequency(beginnings)
    return next((one for one in beginnings if held.get(one)), "")


def _own_words(query: Query, hits: Sequence[Hit], snapshot: Snapshot) -> list[str]:
    """Words in the names of several of the first results that the question does not hold, most shared first."""
    asked = {stem(word) for word in query.words}
    counts: Counter[str] = Counter()
    for hit in hits[:8]:
        counts.update(
            {word for word in split(hit.name.replace(".", "_")) if len(word) > 2 and stem(word) not in asked}
        )
    words = [word for word, count in counts.most_common(12) if count > 1] or [
        word for word, _ in counts.most_common(4)
    ]
    held = _frequencies(words, snapshot) if words else {}
    return [word for word in words if held.get(word)]
