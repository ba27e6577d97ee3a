"""What Julia's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.julia.heads import first, head_of, last
from trigpoint.languages.syntax import Node, children_of_kind, expression, flat, leaf_names, line_of, text
from trigpoint.model import Binding

_NAMES = frozenset({"identifier"})
_VALUES = frozenset({"call_expression", "identifier", "field_expression"})


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Parameters with their types, locals and what is assigned to members, variables of loops."""
    return _BINDERS[node.type](node, src, inside)


def _function(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    head = head_of(next(children_of_kind(node, "signature"), None), src)
    if head is not None:
        yield from _parameters(head.parameters, src)


def _parameters(given: Node | None, src: bytes, kind: str = "param", end: str = "") -> Iterator[Binding]:
    for one in given.named_children if given is not None else ():
        inner = first(one) if one.type in ("named_argument", "splat_expression") else one
        if inner is not None and inner.type == "typed_expression" and inner.named_child_count == 2:
            name, annotation = first(inner), flat(inner.named_child(1), src)
        else:
            name, annotation = inner, ""
        if name is not None and name.type == "identifier":
            yield Binding(text(name, src), kind, end, annotation, line_of(name))


def _assigned(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    left, right = first(node), last(node)
    if left is None:
        return
    head = head_of(left, src)
    if head is not None:
        yield from _parameters(head.parameters, src)
        return
    annotation = ""
    if left.type == "typed_expression" and left.named_child_count == 2:
        annotation, left = flat(left.named_child(1), src), left.named_child(0)
    value = expression(right, src) if right is not None and right.type in _VALUES else ""
    if left.type == "identifier":
        yield Binding(
            text(left, src), "attribute" if inside == "struct" else "assign", value, annotation, line_of(left)
        )
    elif left.type == "field_expression":
        yield Binding(text(left, src), "attribute", value, annotation, line_of(left))
    elif left.type in ("open_tuple", "tuple_expression"):
        for name, leaf in leaf_names(left, src, _NAMES):
            yield Binding(name, "assign", "", "", line_of(leaf))


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    right = last(node)
    value = expression(right, src) if right is not None and right.type in _VALUES else ""
    for name, leaf in leaf_names(first(node), src, _NAMES):
        yield Binding(name, "for", value, "", line_of(leaf))


def _caught(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name = first(node) if node.named_child_count else None
    if name is not None and name.type == "identifier":
        yield Binding(text(name, src), "assign", "", "", line_of(name))


def _anonymous(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``x -> …`` and ``do x``: parameters that hold until the end of it."""
    given = first(node) if node.named_child_count else None
    end = str(node.end_point[0] + 1)
    if given is not None and given.type == "identifier":
        yield Binding(text(given, src), "inner", end, "", line_of(given))
    else:
        yield from _parameters(given, src, "inner", end)


_BINDERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "function_definition": _function,
    "macro_definition": _function,
    "assignment": _assigned,
    "let_binding": _assigned,
    "for_binding": _loop,
    "catch_clause": _caught,
    "arrow_function_expression": _anonymous,
    "do_clause": _anonymous,
}
