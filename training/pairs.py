"""One source file to (what its documentation says, its code without that documentation) pairs, by the product's own outlines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.indexing.record import outline_of
from trigpoint.languages import detect, registry
from trigpoint.model import Symbol
from trigpoint.sources.marks import marks_of

WANTED_LEVELS = ("full", "outline")
LEFT_OUT = frozenset({"test", "vendored", "generated", "minified", "example", "benchmark", "doc"})
FUNCTIONS = frozenset(["function", "method", "constructor", "macro", "property", "operator"])
TYPES = frozenset(
    [
        "class",
        "interface",
        "struct",
        "trait",
        "enum",
        "record",
        "protocol",
        "object",
        "module",
        "type",
        "union",
        "message",
    ]
)
LEAST_LINES, MOST_CHARACTERS = 3, 4_000

_DOC_LINE = re.compile(
    r"\s*(?://|/\*|\*|#(?!\[|!\[|define|if|el|end|include|undef|pragma)|--|;;|\{-|-\}|<!--|%)"
)
_PYTHON_DOC = re.compile(r"(:[^\S\n]*(?:#[^\n]*)?\n\s*)[rRuUbB]{0,2}(\"\"\"|''')[\s\S]*?\2")
_ELIXIR_DOC = re.compile(
    r"^\s*@(?:doc|moduledoc|typedoc)\s+(?:~[sS])?(?:\"\"\"[\s\S]*?\"\"\"|\"[^\n]*\")\s*\n", re.M
)
_BLOCK = re.compile(r"\A\s*/\*[\s\S]*?\*/|\A\s*\{-[\s\S]*?-\}")
_NOISE = re.compile(
    r"copyright|licen[sc]e|all rights|@generated|auto-?generated|deprecated|\btodo\b|\bfixme\b|eslint|pylint|noqa|lint:|inheritdoc|^see ",
    re.I,
)


class Pair(NamedTuple):
    """A question-like sentence and the code it speaks of."""

    language: str
    path: str
    name: str  # qualified
    kind: str
    doc: str  # first sentence
    more: str  # first paragraph
    body: str
    digest: str  # of the code without spaces, punctuation and case


def pairs_of(path: str, data: bytes) -> Iterator[Pair]:
    """The pairs of one file; none for tests, vendored and generated files and for languages without an outline."""
    if LEFT_OUT & set(marks_of(path)) or b"\0" in data[:8000]:
        return
    text = data.decode("utf-8", "replace")
    language = detect(path, text[:20_000])
    known = registry().get(language)
    if known is None or known.level not in WANTED_LEVELS or _minified(text):
        return
    lines = text.split("\n")
    for symbol in outline_of(text, language).symbols:
        if symbol.doc and (symbol.kind in FUNCTIONS or symbol.kind in TYPES):
            found = _pair(path, language, symbol, lines)
            if found is not None:
                yield found


def digests_of(path: str, data: bytes) -> Iterator[str]:
    """Digests of all functions and types of a file, documented or not: what must not be trained on."""
    text = data.decode("utf-8", "replace")
    language = detect(path, text[:20_000])
    known = registry().get(language)
    if known is None or known.level not in WANTED_LEVELS:
        return
    lines = text.split("\n")
    for symbol in outline_of(text, language).symbols:
        if symbol.end - symbol.name_line + 1 >= LEAST_LINES:
            yield digest(bare(lines, symbol, language))


def _pair(path: str, language: str, symbol: Symbol, lines: list[str]) -> Pair | None:
    more = plain(symbol.doc)
    doc = first_sentence(more)
    if doc.startswith("@") or len(doc.split()) < 3 or not doc.isascii() or _NOISE.search(doc):
        return None
    body = bare(lines, symbol, language)
    if body.count("\n") + 1 < LEAST_LINES or len(body) > 5 * MOST_CHARACTERS or doc[:-1] in body:
        return None
    return Pair(
        language, path, symbol.qualified, symbol.kind, doc, more[:600], body[:MOST_CHARACTERS], digest(body)
    )


def bare(lines: list[str], symbol: Symbol, language: str) -> str:
    """The code of a symbol without the comment above it and without its docstring."""
    head = list(lines[symbol.start - 1 : symbol.name_line - 1])
    top = "\n".join(head)
    top = _ELIXIR_DOC.sub("", top + "\n") if language == "elixir" else _BLOCK.sub("", top)
    kept = [line for line in top.split("\n") if line.strip() and not _DOC_LINE.match(line)]
    code = "\n".join([*kept, *lines[symbol.name_line - 1 : symbol.end]])
    if language == "python":
        code = _PYTHON_DOC.sub(r"\1", code, count=1)
    return code


def digest(body: str) -> str:
    """What two texts share that differ in layout only: the first 16 hex digits over letters, digits and underscores."""
    return hashlib.sha256(re.sub(r"\W+", "", body).lower().encode("utf-8", "replace")).hexdigest()[:16]


def plain(doc: str) -> str:
    """The first paragraph of a documentation text without markup."""
    text = re.split(
        r"\n\s*\n|\n\s*(?:@|:param|\\param|Args?:|Arguments:|Parameters|Returns?:|Raises:|Example|>>>|# )",
        doc.strip(),
    )[0]
    text = re.sub(r"^[@\\](?:brief|summary|desc\w*|classdesc|doc)\s*", "", text)
    text = re.sub(r"</?[A-Za-z][^>\n]{0,80}>", " ", text)
    text = re.sub(r"\{@\w+\s+([^}]*)\}", r"\1", text)
    text = re.sub(r":\w+(?::\w+)?:`~?([^`<]*)[^`]*`", r"\1", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"[`*]+|^[\s/*#!-]+", "", text)).strip()


def first_sentence(text: str) -> str:
    """Up to the first full stop."""
    match = re.match(r"(.{12,}?[.!?])(?:\s|$)", text)
    return (match[1] if match else text)[:300]


def _minified(text: str) -> bool:
    return len(text) > 2000 and len(text) / (text.count("\n") + 1) > 200
