"""What Lua's names are bound to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.lua.notes import field_notes, type_notes
from trigpoint.languages.lua.places import declares, fallback, named, pairs, required
from trigpoint.languages.syntax import Node, expression, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Parameters, locals and what is assigned to members; types are those of the notes above.

    ``for k, v in pairs(t)`` binds v to ``pairs(t)[1]``.
    """
    return _BINDERS[node.type](node, src, inside)


_VALUES = frozenset({"identifier", "dot_index_expression", "function_call", "method_index_expression"})


def _value(node: Node | None, src: bytes) -> str:
    while node is not None and node.type in ("parenthesized_expression", "binary_expression"):
        if node.type == "binary_expression":
            operator = node.child_by_field_name("operator")
            if operator is None or operator.type != "or":
                return ""
            node = node.child_by_field_name("left")
        else:
            node = node.named_child(0) if node.named_child_count else None
    if node is None or node.type not in _VALUES:
        return ""
    return _WITHOUT_PARENTHESES.sub("()", expression(node, src))


_WITHOUT_PARENTHESES = re.compile(r"""(?:"[^"]*"|'[^']*'|\{\})$""")


def _function(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    parameters, result, _ = type_notes(src, node.start_byte)
    name = node.child_by_field_name("name")
    if name is not None and name.type == "method_index_expression":
        owner = expression(name.child_by_field_name("table"), src)
        yield Binding("self", "param", "", owner, line_of(name))
    yield from _parameters(node, src, parameters)
    if result:
        yield Binding("", "return", "", result, line_of(node))


def _parameters(node: Node, src: bytes, noted: dict[str, str]) -> Iterator[Binding]:
    given = node.child_by_field_name("parameters")
    for one in given.named_children if given is not None else ():
        if one.type == "identifier":
            name = text(one, src)
            yield Binding(name, "param", "", noted.get(name, ""), line_of(one))


def _closure(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """A function that gets its name by assignment or in a table has its notes above that."""
    before = src[max(0, node.start_byte - 8) : node.start_byte].rstrip()
    if before[-1:] != b"=" and not before.endswith(b" or"):
        yield from _parameters(node, src, {})
        return
    parameters, result, _ = type_notes(src, node.start_byte)
    yield from _parameters(node, src, parameters)
    if result:
        yield Binding("", "return", "", result, line_of(node))


def _local(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    first = node.named_child(0)
    if first is not None and first.type == "assignment_statement":
        yield from _assigned(first, src, node.start_byte)
    for name in first.named_children if first is not None and first.type == "variable_list" else ():
        if name.type == "identifier":
            yield Binding(text(name, src), "assign", "", "", line_of(name))


def _assignment(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    return () if declares(node, src) else _assigned(node, src, node.start_byte)


def _assigned(node: Node, src: bytes, start: int) -> Iterator[Binding]:
    noted = fields = None
    both = pairs(node)
    for target, value in both:
        found = named(target, src)
        if found is None or required(value or both[0][1], src):
            continue
        last = fallback(value, src)
        if last is not None and last.type == "function_definition":
            continue
        if noted is None:
            noted, fields = type_notes(src, start)[2], field_notes(src, start)
        kind = "attribute" if found.owner else "assign"
        name = f"{found.owner}.{found.name}" if found.owner else found.name
        yield Binding(name, kind, _value(value, src), noted, line_of(target))
        for field, annotation in fields or ():
            yield Binding(f"{found.name}.{field}", "attribute", "", annotation, line_of(target))


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    if node.type == "for_numeric_clause":
        name = node.child_by_field_name("name")
        yield Binding(text(name, src), "for", "", "", line_of(node))
        return
    lists = node.named_children
    over = lists[1].named_child(0) if len(lists) > 1 and lists[1].named_child_count else None
    value = _value(over, src)
    for index, name in enumerate(lists[0].named_children if lists else ()):
        yield Binding(text(name, src), "for", f"{value}[{index}]" if value else "", "", line_of(name))


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "function_declaration": _function,
    "function_definition": _closure,
    "variable_declaration": _local,
    "assignment_statement": _assignment,
    "for_numeric_clause": _loop,
    "for_generic_clause": _loop,
}
