"""How Kotlin's declarations are read: what stands before them, their types and names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.languages.kotlin.annotations import before
from trigpoint.languages.syntax import Node, expression, flat, text

CLASSES = frozenset({"class", "interface", "enum", "annotation", "object"})
"""Kinds of symbols whose properties and functions are members."""

TYPES = frozenset({"user_type", "nullable_type", "function_type", "parenthesized_type", "non_nullable_type"})
VALUES = frozenset({"identifier", "navigation_expression"})
BODY = "function_body"
LITERALS = frozenset({"null", "true", "false"})
"""Words that the grammar takes for names."""


class Head(NamedTuple):
    """What is written before a declaration proper."""

    decorators: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    start: Node | None = None  # where the signature starts, when annotations stand before it
    lead: Node | None = None  # the first annotation


def head(node: Node, src: bytes) -> Head:
    """Annotations and modifiers."""
    decorators, words, start = [], [], None
    first = node.named_child(0) if node.named_child_count else None
    if first is not None and first.type == "modifiers":
        for one in first.named_children:
            if one.type == "annotation":
                decorators.append(expression(one, src).lstrip("@"))
                start = None
            elif not one.type.endswith("comment"):
                words.append(text(one, src))
                start = start or one
        if decorators:
            return Head(tuple(decorators), tuple(words), start or first.next_sibling, node)
    unparsed = before(node, src)
    if unparsed is None:
        return Head((), tuple(words))
    return Head(unparsed.names, tuple(words), node, unparsed.start)


def type_of(node: Node) -> Node | None:
    """The type written right after the name that ``node`` holds, a parameter or a variable."""
    last = node.named_child(node.named_child_count - 1) if node.named_child_count else None
    return last if last is not None and last.type in TYPES else None


def name_of(node: Node) -> Node | None:
    """The first identifier: the name, where the grammar gives it no field."""
    for child in node.named_children:
        if child.type == "identifier":
            return child
    return None


def type_names(node: Node, src: bytes) -> Iterator[tuple[str, Node]]:
    """The parts of ``a.b.Outer.Inner<T>``."""
    for child in node.named_children:
        if child.type == "identifier":
            yield text(child, src), child


def owner_name(node: Node | None, src: bytes) -> str:
    """``List`` of ``List<T>?``: what an extension extends."""
    while node is not None and node.type != "user_type":
        node = node.named_child(0) if node.named_child_count else None
    if node is None:
        return ""
    return ".".join(name for name, _ in type_names(node, src))


def extended(node: Node) -> Node | None:
    """The type before the dot of an extension: ``fun Type.name()``, ``val Type.name``."""
    before = None
    for child in node.children:
        kind = child.type
        if kind == ".":
            return before
        if kind in ("identifier", "variable_declaration", "function_value_parameters"):
            return None
        before = child
    return None


def value(node: Node | None, src: bytes) -> str:
    """The part of a value that tells its type: the call in ``given ?: Call()``, the content of ``(x as T)!!``."""
    while node is not None:
        kind = node.type
        if kind in _FOLLOWED:
            written = expression(node, src)
            return written if written not in LITERALS else ""
        if kind == "unary_expression":
            inner = node.child_by_field_name("argument")
            node = inner if inner is not None and node.child(node.child_count - 1).type == "!!" else None
        elif kind == "parenthesized_expression":
            node = node.named_child(0) if node.named_child_count else None
        elif kind == "binary_expression":
            operator = node.child_by_field_name("operator")
            left = node.child_by_field_name("left")
            node = left if operator is not None and operator.type == "?:" else None
        else:
            return ""
    return ""


_FOLLOWED = VALUES | {"call_expression", "index_expression", "this_expression"}


def cast(node: Node | None, src: bytes) -> str:
    """``T`` of ``x as T``."""
    if node is not None and node.type == "as_expression":
        return flat(node.child_by_field_name("right"), src)
    return ""
