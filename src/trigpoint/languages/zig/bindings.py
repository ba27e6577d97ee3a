"""What Zig's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.syntax import Node, children_of_kind, expression, flat, line_of, text
from trigpoint.languages.zig.declared import CONTAINERS, OWNERS, bare, core, declared, imported
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Parameters, constants and variables, fields, what is captured between bars.

    ``T{}`` and ``@as(T, x)`` say the type, so it stands as the annotation. Members of a container are attributes.
    """
    return _BINDERS[node.type](node, src, inside)


def _variable(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name, value, keyword, _ = declared(node)
    if name is None:
        return
    if not keyword:
        yield from _assigned(name, value, src)
    elif not imported(value, src) and (value is None or value.type not in CONTAINERS):
        written = flat(node.child_by_field_name("type"), src)
        worth, annotation = _worth(value, src)
        kind = "attribute" if inside in OWNERS else "assign"
        word = bare(name, src)
        if word != "_":
            yield Binding(word, kind, worth, written or annotation, line_of(name))


def _worth(value: Node | None, src: bytes) -> tuple[str, str]:
    """A value that can be followed, or a type."""
    told = core(value)
    if told is None:
        return "", ""
    if told.type in ("identifier", "call_expression"):
        return expression(told, src), ""
    if told.type == "field_expression":
        return (expression(told, src), "") if told.child_by_field_name("object") is not None else ("", "")
    if told.type == "struct_initializer":
        return "", flat(told.named_child(0), src)
    if told.type == "builtin_function":
        written = text(told, src)
        if written == "@This()":
            return written, ""
        given = told.named_child(1) if written.startswith("@as(") and told.named_child_count > 1 else None
        return "", flat(given.named_child(0), src) if given is not None and given.named_child_count else ""
    return "", ""


def _assigned(left: Node, value: Node | None, src: bytes) -> Iterator[Binding]:
    if left.type == "field_expression" and left.child_by_field_name("object") is not None:
        worth, annotation = _worth(value, src)
        yield Binding(expression(left, src), "attribute", worth, annotation, line_of(left))


def _assignment(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    left = node.child_by_field_name("left")
    return _assigned(left, node.child_by_field_name("right"), src) if left is not None else ()


def _parameter(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name = node.child_by_field_name("name")
    if name is not None:
        yield Binding(
            bare(name, src), "param", "", flat(node.child_by_field_name("type"), src), line_of(name)
        )


def _field(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name = node.child_by_field_name("name")
    if name is not None and name.type == "identifier" and inside != "enum":
        yield Binding(
            bare(name, src), "attribute", "", flat(node.child_by_field_name("type"), src), line_of(name)
        )


def _captured(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``if (f()) |value|`` binds what is in it; an error that is caught is bound to nothing known."""
    for payload in children_of_kind(node, "payload"):
        told = core(node.child_by_field_name("condition"))
        known = told is not None and told.type in ("identifier", "call_expression", "field_expression")
        for name in children_of_kind(payload, "identifier"):
            yield Binding(
                bare(name, src), "assign", expression(told, src) if known else "", "", line_of(name)
            )


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``for (items, 0..) |item, index|``."""
    over: list[Node] = []
    for child in node.named_children:
        if child.type != "payload":
            over.append(child)
            continue
        for index, name in enumerate(children_of_kind(child, "identifier")):
            value = over[index] if index < len(over) else None
            known = value is not None and value.type in ("identifier", "field_expression", "call_expression")
            yield Binding(bare(name, src), "for", expression(value, src) if known else "", "", line_of(name))
        return


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "variable_declaration": _variable,
    "assignment_expression": _assignment,
    "parameter": _parameter,
    "container_field": _field,
    "if_statement": _captured,
    "if_expression": _captured,
    "while_statement": _captured,
    "while_expression": _captured,
    "else_clause": _captured,
    "catch_expression": _captured,
    "switch_case": _captured,
    "for_statement": _loop,
    "for_expression": _loop,
}
