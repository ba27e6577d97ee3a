"""What Haskell's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.haskell.names import leaf, pattern_variables
from trigpoint.languages.syntax import Node, children_of_kind, flat, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Parameters of every equation, what patterns bind, locals by their value; fields with their type."""
    return _BINDERS[node.type](node, src, inside)


_OUTER = frozenset({"", "class", "impl"})


def _equation(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    if node.child_by_field_name("match") is None:
        return  # the type of a function
    given = node.child_by_field_name("patterns")
    if given is not None:
        yield from _all(given, src, "param")
    if node.child_by_field_name("name") is None:
        around = node.named_child(0)
        if around.type == "function_head_parens" and around.named_child_count:
            around = around.named_child(0)
        for field in ("left_operand", "right_operand"):
            yield from _all(around.child_by_field_name(field), src, "param")


def _all(pattern: Node | None, src: bytes, kind: str) -> Iterator[Binding]:
    for one in pattern_variables(pattern):
        yield Binding(text(one, src), kind, "", "", line_of(one))


def _bind(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Locals; outside functions only those that a pattern takes apart."""
    pattern = node.child_by_field_name("pattern")
    match = node.child_by_field_name("match")
    written = (match or node).child_by_field_name("expression")
    value = _value(written, src)
    if pattern is None:
        name = leaf(node.child_by_field_name("name"))
        closure = written is not None and written.type.startswith("lambda")  # a function of its own
        if name is not None and inside not in _OUTER and not closure:
            yield Binding(text(name, src), "assign", value, "", line_of(name))
    elif pattern.type == "variable":
        yield Binding(text(pattern, src), "assign", value, "", line_of(pattern))
    else:
        yield from _all(pattern, src, "assign")


def _value(node: Node | None, src: bytes) -> str:
    """A name, or the function that an application calls: ``Map.lookup k m`` -> ``Map.lookup()``."""
    called = ""
    while node is not None and node.type == "apply":
        node, called = node.child_by_field_name("function"), "()"
    if node is None or node.type not in ("variable", "constructor", "qualified"):
        return ""
    return text(node, src) + called


def _patterns(kind: str) -> Callable[[Node, bytes, str], Iterator[Binding]]:
    def bind(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
        for field in ("pattern", "patterns"):
            yield from _all(node.child_by_field_name(field), src, kind)

    return bind


def _field(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    annotation = flat(node.child_by_field_name("type"), src).strip().lstrip("!")
    for name in children_of_kind(node, "field_name"):
        yield Binding(text(name, src), "attribute", "", annotation, line_of(name))


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "function": _equation,
    "bind": _bind,
    "alternative": _patterns("assign"),
    "generator": _patterns("for"),
    "pattern_guard": _patterns("assign"),
    "lambda": _patterns("param"),
    "field": _field,
}
