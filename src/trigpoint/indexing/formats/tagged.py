"""Code inside other code: templates between ``<% %>``, and strings that are marked as SQL or GraphQL."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from trigpoint.indexing.formats import SIGNS
from trigpoint.indexing.formats.entries import LIMIT
from trigpoint.indexing.formats.markup import Embedded, masked

TEMPLATES: Mapping[str, str] = {"erb": "ruby", "ejs": "javascript", "eex": "elixir"}
"""Template languages, and the language between their marks."""

HOSTS = frozenset(
    {"javascript", "typescript", "tsx", "python", "go", "ruby", "java", "kotlin", "php", "rust", "csharp"}
)
"""Languages whose strings may hold marked code."""

_PART = re.compile(rb"<%(?!%)(#)?[=\-_|]*(.*?)(?:[-_]?%>|\Z)", re.S)
_TAGGED = re.compile(
    rb"(?:\b(gql|graphql|sql)(?:<[^<>`]{0,80}>)?|/\*[ \t]*(gql|graphql|sql)[ \t]*\*/)[ \t]*`((?:[^`\\]|\\.){0,20000}+)`",
    re.I,
)
_MARKED = re.compile(
    rb"(?P<quote>\"\"\"|'''|`|\")\s*(?:--|/\*)[ \t]*sql\b[^\n*]*(?:\*/)?(?P<text>[ \t]*\n?.{0,20000}?)(?P=quote)",
    re.S | re.I,
)
_HEREDOC = re.compile(rb"<<[~-]?['\"]?(SQL|GRAPHQL|GQL)\b['\"]?[^\n]*\n(.{0,20000}?)^[ \t]*\1\b", re.S | re.M)
_GIVEN = re.compile(rb"\$\{[^{}]*\}")
_NAMES = {"gql": "graphql", "graphql": "graphql", "sql": "sql"}


def template_code(text: str, language: str) -> tuple[Embedded, ...]:
    """The code of a template, each piece a statement of its own, so that lines and columns are those of the file."""
    source = text.encode("utf-8", "surrogatepass")
    kept, ends = [], []
    for found in _PART.finditer(source):
        if not found[1] and found[2].strip():
            kept.append(found.span(2))
            ends.append(found.end(2))
    if not kept:
        return ()
    code = bytearray(masked(source, kept).encode("utf-8", "surrogatepass"))
    for end in ends:
        if end < len(code) and code[end : end + 1] == b" ":
            code[end] = ord(";")
    return (Embedded(TEMPLATES[language], code.decode("utf-8", "surrogatepass")),)


def marked_strings(text: str, language: str) -> tuple[Embedded, ...]:
    """SQL and GraphQL in strings that say so: gql`…`, sql`…`, \"\"\"-- sql …\"\"\", <<~SQL; one masked text a language."""
    if language not in HOSTS:
        return ()
    if not any(sign in text for sign in SIGNS):
        return ()
    source = text.encode("utf-8", "surrogatepass")
    spans: dict[str, list[tuple[int, int]]] = {}
    for name, start, end in sorted(_spans(source), key=lambda one: one[1])[:LIMIT]:
        held = spans.setdefault(name, [])
        if not held or held[-1][1] <= start:
            held.append((start, end))
    return tuple(
        Embedded(
            name,
            _GIVEN.sub(_blank, masked(source, kept).encode("utf-8", "surrogatepass")).decode(
                "utf-8", "replace"
            ),
        )
        for name, kept in sorted(spans.items())
    )


def _spans(source: bytes) -> Iterator[tuple[str, int, int]]:
    for found in _TAGGED.finditer(source):
        yield _NAMES[(found[1] or found[2]).decode().lower()], *found.span(3)
    for found in _MARKED.finditer(source):
        yield "sql", *found.span("text")
    for found in _HEREDOC.finditer(source):
        yield _NAMES[found[1].decode().lower()], *found.span(2)


def _blank(found: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\r\n]", b" ", found[0])
