"""JSON, YAML and TOML by key path: one walk over three grammars, with exact lines and no fear of broken input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import MODULE, Outline

DEPTH = 3
"""Keys inside keys inside keys are symbols; what lies deeper is text."""

SPLITS = 5000
"""Most items of lists that are offered as places to cut."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a grammar writes keys: node types of pairs, of what is only wrapped around, and of list items."""

    module: str
    pairs: frozenset[str]
    around: frozenset[str]
    items: frozenset[str]  # parents of list items


JSON = Shape(
    "tree_sitter_json", frozenset({"pair"}), frozenset({"document", "object", "ERROR"}), frozenset({"array"})
)
YAML = Shape(
    "tree_sitter_yaml",
    frozenset({"block_mapping_pair", "flow_pair"}),
    frozenset({"stream", "document", "block_node", "flow_node", "block_mapping", "flow_mapping", "ERROR"}),
    frozenset({"block_sequence"}),
)
TOML = Shape(
    "tree_sitter_toml",
    frozenset({"pair", "table", "table_array_element"}),
    frozenset({"document", "inline_table", "ERROR"}),
    frozenset({"array"}),
)


@cache
def parser(module: str) -> Callable[[bytes], Any]:
    """Parse bytes with the grammar of that wheel."""
    from tree_sitter import Language, Parser

    return Parser(Language(import_module(module).language())).parse


def outline_json(text: str) -> Outline:
    """Keys of JSON, also with comments."""
    return _outline(text, JSON)


def outline_yaml(text: str) -> Outline:
    """Keys of all documents of a YAML stream."""
    return _outline(text, YAML)


def outline_toml(text: str) -> Outline:
    """Tables and keys of TOML."""
    return _outline(text, TOML)


def _outline(text: str, shape: Shape) -> Outline:
    source = text.encode("utf-8", "replace")
    walk = _Keys(Entries(text), shape, source)
    walk.visit(parser(shape.module)(source).root_node, MODULE, 0, 0)
    return walk.entries.outline()


class _Keys:
    """The walk over one file."""

    def __init__(self, entries: Entries, shape: Shape, source: bytes) -> None:
        self.entries = entries
        self._shape = shape
        self._source = source

    def visit(self, node: Any, container: int, depth: int, nesting: int) -> None:
        """Add the keys below a node. ``depth`` counts keys, ``nesting`` nodes: broken input nests without end."""
        shape = self._shape
        if nesting > 60:
            return
        for child in node.named_children:
            if self.entries.full:
                return
            kind = child.type
            if kind in shape.pairs:
                self._pair(child, container, depth, nesting)
            elif kind in shape.around:
                self.visit(child, container, depth, nesting + 1)
            elif kind in shape.items:
                self._items(child)

    def _pair(self, node: Any, container: int, depth: int, nesting: int) -> None:
        table = node.type in ("table", "table_array_element")
        key = node.named_children[0] if table and node.named_children else node.child_by_field_name("key")
        if key is None:
            key = node.named_children[0] if node.named_children else None
        if key is None or depth >= DEPTH:
            return
        start, end = node.start_point[0] + 1, _last_line(node)
        index = self.entries.add(self._name(key), "key", (start, end), container)
        if index != MODULE:
            self.entries.change(index, name_column=key.start_point[1])
            self.visit(node, index, depth + 1, nesting + 1)

    def _items(self, node: Any) -> None:
        splits = self.entries.splits
        for item in node.named_children:
            if len(splits) >= SPLITS:
                return
            splits.add(item.start_point[0] + 1)

    def _name(self, key: Any) -> str:
        raw = self._source[key.start_byte : key.end_byte].decode("utf-8", "replace")
        return raw.strip().strip("\"'")[:120]


def _last_line(node: Any) -> int:
    row, column = node.end_point
    return max(int(row) + int(column > 0), int(node.start_point[0]) + 1)
