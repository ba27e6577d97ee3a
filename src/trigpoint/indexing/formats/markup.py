"""HTML and single-file components: elements with an id, top-level blocks, and the scripts inside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from trigpoint.indexing.formats.entries import Entries
from trigpoint.indexing.formats.keys import parser
from trigpoint.model import MODULE, Outline

_SCRIPT = re.compile(
    rb"<!--.*?(?:-->|\Z)|<script\b((?:\"[^\"]{0,2000}\"|'[^']{0,2000}'|[^'\"<>]{1,500}){0,60}+)>(.*?)(?:</script\s*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_FRONT = re.compile(rb"\A\s*---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_ATTRIBUTE = re.compile(rb"(?<![\w:@.-])(lang|type)\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
_LANGUAGES = {
    "ts": "typescript", "typescript": "typescript", "text/typescript": "typescript", "application/typescript": "typescript",
    "tsx": "tsx", "js": "javascript", "javascript": "javascript", "jsx": "javascript", "module": "javascript",
    "text/javascript": "javascript", "application/javascript": "javascript", "text/babel": "javascript",
    "text/jsx": "javascript", "application/ecmascript": "javascript", "text/ecmascript": "javascript",
}  # fmt: skip
"""What a lang or type attribute says; any other value is data, not a script."""

_COMPONENTS = frozenset({"template", "script", "style"})
_NESTING = 400


class Embedded(NamedTuple):
    """Code inside a file of another language: the file's text with all else blanked, so that lines and byte columns
    are those of the file.
    """

    language: str
    text: str


def scripts(text: str, language: str) -> tuple[Embedded, ...]:
    """The scripts of HTML, Vue, Svelte or Astro, those of one language together; () when there are none."""
    source = text.encode("utf-8", "surrogatepass")
    spans: dict[str, list[tuple[int, int]]] = {}
    for name, start, end in _spans(source, language):
        spans.setdefault(name, []).append((start, end))
    return tuple(Embedded(name, masked(source, kept)) for name, kept in sorted(spans.items()))


def _spans(source: bytes, language: str) -> Iterator[tuple[str, int, int]]:
    default = "typescript" if language == "astro" else "javascript"
    if language == "astro" and (front := _FRONT.match(source)):
        yield "typescript", *front.span(1)
    for found in _SCRIPT.finditer(source):
        if found[1] is None or not found[2].strip():
            continue
        said = {
            key.lower(): value.decode("utf-8", "replace").lower()
            for key, value in _ATTRIBUTE.findall(found[1])
        }
        name = _LANGUAGES.get(said.get(b"lang") or said.get(b"type") or "", "" if said else default)
        if name:
            yield name, *found.span(2)


def masked(source: bytes, kept: list[tuple[int, int]]) -> str:
    """The text with all but the kept spans blanked, line ends aside."""
    parts, at = [], 0
    for start, end in kept:
        parts += [re.sub(rb"[^\r\n]", b" ", source[at:start]), source[start:end]]
        at = end
    parts.append(re.sub(rb"[^\r\n]", b" ", source[at:]))
    return b"".join(parts).decode("utf-8", "surrogatepass")


def outline_html(text: str) -> Outline:
    """Elements that have an id."""
    return _outline(text, components=False)


def outline_component(text: str) -> Outline:
    """The top-level blocks of a Vue, Svelte or Astro file, and elements that have an id."""
    return _outline(text, components=True)


def _outline(text: str, components: bool) -> Outline:
    entries = Entries(text)
    source = text.encode("utf-8", "replace")
    _Elements(entries, source, components).visit(parser("tree_sitter_html")(source).root_node, MODULE, 0)
    return entries.outline()


class _Elements:
    """The walk over one file."""

    def __init__(self, entries: Entries, source: bytes, components: bool) -> None:
        self._entries = entries
        self._source = source
        self._components = components

    def visit(self, node: Any, container: int, depth: int) -> None:
        """Add what is named below a node; elements on the top two levels are places to cut."""
        if depth > _NESTING:
            return
        for child in node.named_children:
            if self._entries.full:
                return
            if child.type not in ("element", "script_element", "style_element", "ERROR"):
                continue
            index = self._element(child, container, depth)
            if depth < 3:
                self._entries.splits.add(child.start_point[0] + 1)
            self.visit(child, container if index == MODULE else index, depth + 1)

    def _element(self, node: Any, container: int, depth: int) -> int:
        tag = node.named_children[0] if node.named_children else None
        if tag is None or tag.type not in ("start_tag", "self_closing_tag") or not tag.named_children:
            return MODULE
        lines = (node.start_point[0] + 1, node.end_point[0] + 1)
        names = [self._text(value) for value in _values(tag, b"id")]
        if names and names[0]:
            return self._entries.add(names[0], "element", lines, container)
        word = self._text(tag.named_children[0])
        if self._components and depth == 0 and word in _COMPONENTS:
            return self._entries.add(word, "section", lines, container)
        return MODULE

    def _text(self, node: Any) -> str:
        return (
            self._source[node.start_byte : node.end_byte].decode("utf-8", "replace").strip("\"' \t\r\n")[:120]
        )


def _values(tag: Any, name: bytes) -> Iterator[Any]:
    for attribute in tag.named_children[1:]:
        parts = attribute.named_children
        if attribute.type == "attribute" and len(parts) == 2 and parts[0].text == name:
            yield parts[1]
