"""Targets of Python's assignments, which definitions and bindings both read."""

from __future__ import annotations

from collections.abc import Iterator

from trigpoint.languages.syntax import Node, text

NAMES = frozenset({"identifier"})
TARGETS = frozenset({"pattern_list", "tuple_pattern", "list_pattern"})


def bound(target: Node, src: bytes) -> Iterator[tuple[str, Node]]:
    """Names that a target binds: not the owners of attributes and items in it."""
    stack = [target]
    while stack:
        node = stack.pop()
        if node.type == "identifier":
            yield text(node, src), node
        elif node.type not in ("attribute", "subscript"):
            stack.extend(reversed(node.named_children))
