"""What Elixir's names are bound to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trigpoint.languages.elixir.words import (
    FUNCTIONS,
    STRUCTS,
    arguments_of,
    fields_of,
    head_of,
    operator_of,
    word_of,
)
from trigpoint.languages.syntax import Node, expression, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Parameters, what ``=`` and ``<-`` bind; ``%Foo{} = foo`` says the type, so it stands as the annotation."""
    if node.type == "call":
        word = word_of(node, src)
        if word in FUNCTIONS:
            return _parameters(node, src)
        return _fields(node, src) if word in STRUCTS else ()
    operator = node.child_by_field_name("operator")
    if operator is None or operator.type not in ("=", "<-"):
        return ()
    return _matched(node, src, "assign" if operator.type == "=" else "for")


def _parameters(node: Node, src: bytes) -> Iterator[Binding]:
    arguments = arguments_of(node)
    head = head_of(arguments[0]) if arguments else None
    if head is None or head.type == "identifier":
        return
    for one in arguments_of(head) if head.type == "call" else head.named_children:
        yield from _bound(one, src, "param", "")


def _matched(node: Node, src: bytes, kind: str) -> Iterator[Binding]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None:
        value = expression(right, src) if right.type in ("call", "identifier", "alias") else ""
        yield from _bound(left, src, kind, value if left.type == "identifier" else "")


def _bound(pattern: Node, src: bytes, kind: str, value: str) -> Iterator[Binding]:
    """The variables of a pattern; a pinned one, a key and what is called are none."""
    stack = [(pattern, "")]
    while stack:
        node, annotation = stack.pop()
        found = node.type
        if found == "identifier":
            name = text(node, src)
            if name and name[0] != "_":
                yield Binding(name, kind, value, annotation, line_of(node))
        elif found == "binary_operator":
            stack.extend(_sides(node, src))
        elif found == "call":
            stack.extend((one, "") for one in reversed(arguments_of(node)))
        elif found not in ("struct", "unary_operator", "keyword", "string", "alias"):
            stack.extend((one, "") for one in reversed(node.named_children))


def _sides(node: Node, src: bytes) -> list[tuple[Node, str]]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return []
    operator = operator_of(node)
    if operator == "\\\\":
        return [(left, "")]
    if operator == "=":
        return [(right, _struct(left, src)), (left, _struct(right, src))]
    return [(right, ""), (left, "")] if operator != "::" else [(left, "")]


def _struct(node: Node, src: bytes) -> str:
    """Foo of ``%Foo{a: 1}``."""
    for child in node.named_children[:1] if node.type == "map" else ():
        if child.type == "struct":
            return text(child, src)
    return ""


def _fields(node: Node, src: bytes) -> Iterator[Binding]:
    for name, one in fields_of(node, src):
        yield Binding(name, "attribute", "", "", line_of(one))
