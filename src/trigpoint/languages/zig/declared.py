"""The parts of what Zig's grammar calls a declaration: those of constants and variables, and plain assignments too."""

from __future__ import annotations

from typing import NamedTuple

from trigpoint.languages.syntax import Node, text

CONTAINERS = {
    "struct_declaration": "struct",
    "enum_declaration": "enum",
    "union_declaration": "union",
    "opaque_declaration": "struct",
    "error_set_declaration": "enum",
}
OWNERS = frozenset({"struct", "enum", "union"})
"""Kinds of symbols whose names are members."""


class Declared(NamedTuple):
    """``pub const name: T = value``; an assignment has no keyword, and its name is whatever it assigns to."""

    name: Node | None
    value: Node | None
    keyword: str
    words: tuple[str, ...]


def declared(node: Node) -> Declared:
    """Take a declaration apart."""
    name = value = None
    keyword, words, assigned = "", [], False
    for child in node.children:
        kind = child.type
        if child.is_named:
            if assigned:
                value = value or child
            elif name is None:
                name = child
        elif kind == "const" or kind == "var":
            keyword, name = kind, None
        elif kind[-1] == "=" and not assigned:
            assigned = True
        elif not keyword and kind.isalpha():
            words.append(kind)
    return Declared(name, value, keyword, tuple(words))


def bare(node: Node | None, src: bytes) -> str:
    """A name without the marks of ``@"odd name"``."""
    word = text(node, src)
    return word[2:-1] if word.startswith('@"') else word


def imported(value: Node | None, src: bytes) -> bool:
    """Whether a value is ``@import(...)`` or a member of one."""
    while value is not None and value.type == "field_expression":
        value = value.child_by_field_name("object")
    return (
        value is not None
        and value.type == "builtin_function"
        and src.startswith((b"@import", b"@cImport"), value.start_byte)
    )


_LEFT_SIDE = frozenset(
    {"catch_expression", "try_expression", "parenthesized_expression", "comptime_expression"}
)


def core(value: Node | None) -> Node | None:
    """The part of a value that tells its type: ``f()`` of ``try f() catch unreachable``."""
    while value is not None:
        if value.type in _LEFT_SIDE and value.named_child_count:
            value = value.named_child(0)
        elif value.type == "binary_expression" and _coalesces(value):
            value = value.child_by_field_name("left")
        elif value.type == "unary_expression":
            value = value.child_by_field_name("argument")
        else:
            break
    return value


def _coalesces(node: Node) -> bool:
    operator = node.child_by_field_name("operator")
    return operator is not None and operator.type == "orelse"
