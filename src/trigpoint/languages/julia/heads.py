"""Heads of Julia's definitions: what is named, of a function or a type, and what stands around the name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.languages.syntax import Node, children_of_kind, flat, text

DEEPEST = 20
"""Types and ``where`` clauses around the call of a head; more are not written by people."""


def first(node: Node | None) -> Node | None:
    """The first named child; None where a broken text has none."""
    return node.named_child(0) if node is not None and node.named_child_count else None


def last(node: Node | None) -> Node | None:
    """The last named child."""
    return (
        node.named_child(node.named_child_count - 1) if node is not None and node.named_child_count else None
    )


class Head(NamedTuple):
    """The head of a function."""

    name: str
    node: Node
    owner: str  # "Base" of Base.show, which it extends
    returns: str
    parameters: Node | None
    end: int  # byte after it
    of_type: bool = False  # (c::Cart)(x): what an object of that type does when called


def head_of(node: Node | None, src: bytes) -> Head | None:
    """The head of ``f(x)::T where T``; None for what is none, an index or a name that is assigned to."""
    returns, start = "", node
    for _ in range(DEEPEST):
        if node is None:
            return None
        kind = node.type
        if kind == "call_expression":
            assert start is not None
            return _called(node, src, returns, start.end_byte)
        if kind == "identifier" and start is not None and start.type == "signature":
            return Head(text(node, src), node, "", "", None, start.end_byte)  # function f end
        if kind == "typed_expression" and node.named_child_count == 2:
            returns = flat(node.named_child(1), src)
        elif kind not in ("signature", "where_expression"):
            return None
        node = first(node) if node.named_child_count else None
    return None


def _called(node: Node, src: bytes, returns: str, end: int) -> Head | None:
    called = first(node)
    given = next(children_of_kind(node, "argument_list"), None)
    while called is not None and called.type == "parametrized_type_expression":
        called = first(called)
    if called is None:
        return None
    if called.type in ("identifier", "operator"):
        return Head(text(called, src), called, "", returns, given, end)
    if called.type == "field_expression":
        name = last(called)
        while name is not None and name.type not in ("identifier", "operator") and name.named_child_count:
            name = first(name)
        owner = text(called.child_by_field_name("value"), src)
        return Head(text(name, src), name, owner, returns, given, end) if name is not None else None
    if called.type == "parenthesized_expression" and called.named_child_count:
        inner = first(called)
        kind = last(inner) or inner
        while kind is not None and kind.type == "parametrized_type_expression":
            kind = first(kind)
        if (
            kind is not None
            and inner is not None
            and kind.type == "identifier"
            and inner.type in ("typed_expression", "unary_typed_expression")
        ):
            return Head(text(kind, src), kind, "", returns, given, end, of_type=True)
    return None


class TypeHead(NamedTuple):
    """The head of a type: its name, and what it is a subtype of."""

    name: str
    node: Node
    bases: tuple[str, ...]


def type_head(node: Node, src: bytes) -> TypeHead | None:
    """The head of a struct, an abstract or a primitive type."""
    head = next(children_of_kind(node, "type_head"), None)
    inner = first(head) if head is not None and head.named_child_count else None
    bases: tuple[str, ...] = ()
    if inner is not None and inner.type == "binary_expression":
        bases = (flat(last(inner), src),)
        inner = first(inner)
    while inner is not None and inner.type == "parametrized_type_expression":
        inner = first(inner)
    if inner is None or inner.type != "identifier":
        return None
    return TypeHead(text(inner, src), inner, tuple(one.replace("{", "<").replace("}", ">") for one in bases))


def members(node: Node) -> Iterator[tuple[Node, Node]]:
    """The fields of a struct: the name, and the whole with type and default."""
    for whole in node.named_children:
        name = whole
        while name.type in ("const_statement", "assignment", "typed_expression") and name.named_child_count:
            name = first(name)
        if name.type == "identifier":
            yield name, whole
