"""What Go's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trigpoint.languages.go.types import MEMBER_OWNERS, TYPE_KINDS, names_of, type_name
from trigpoint.languages.syntax import Node, children_of_kind, expression, flat, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """What names are bound to.

    ``a, err := f()`` binds ``a`` to ``f()[0]``. Literals, conversions, ``new`` and type assertions say the type, so it
    stands as the annotation. An embedded type is an attribute of its own name.
    """
    return _BINDERS[node.type](node, src, inside)


def _signature(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Receiver, type parameters, parameters and results; those of a function without a name hold until its last line."""
    kind, last = ("inner", str(node.end_point[0] + 1)) if node.type == "func_literal" else ("param", "")
    for field in ("receiver", "type_parameters", "parameters", "result"):
        found = node.child_by_field_name(field)
        if found is None:
            continue
        for one in found.named_children if found.type in ("parameter_list", "type_parameter_list") else ():
            annotation = flat(one.child_by_field_name("type"), src)
            if one.type == "variadic_parameter_declaration":
                annotation = f"[]{annotation}"
            for name in names_of(one):
                yield Binding(text(name, src), kind, last, annotation, line_of(name))
        if field == "result" and node.type != "func_literal":
            yield Binding("", "return", "", results(found, src), line_of(found))


def results(node: Node, src: bytes) -> str:
    """The result types without their names: ``(*Ship, error)``."""
    if node.type != "parameter_list":
        return flat(node, src)
    found: list[str] = []
    for one in children_of_kind(node, "parameter_declaration"):
        found += [flat(one.child_by_field_name("type"), src)] * max(1, len(names_of(one)))
    return f"({', '.join(found)})" if len(found) > 1 else "".join(found)


def _type_parameters(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    for one in children_of_kind(node.child_by_field_name("type_parameters"), "type_parameter_declaration"):
        for name in names_of(one):
            yield Binding(
                text(name, src), "param", "", flat(one.child_by_field_name("type"), src), line_of(name)
            )


def _type_spec(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    written = node.child_by_field_name("type")
    if written is not None and written.type not in TYPE_KINDS:
        name = node.child_by_field_name("name")
        yield Binding(text(name, src), "alias", "", flat(written, src), line_of(name))
    elif inside in ("struct", "interface"):
        yield from _type_parameters(node, src, inside)


def _specification(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    names = names_of(node)
    declared = flat(node.child_by_field_name("type"), src)
    right = node.child_by_field_name("value")
    for name, (value, annotation) in zip(names, _split(right, len(names), src), strict=True):
        if text(name, src) != "_":
            yield Binding(text(name, src), "assign", value, declared or annotation, line_of(name))


def _assigned(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``:=`` declares; ``=`` is taken where it sets a field."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return
    names = left.named_children
    declares = node.type == "short_var_declaration" or node.type == "receive_statement"
    for name, (value, annotation) in zip(names, _split(right, len(names), src), strict=True):
        if declares and name.type == "identifier" and text(name, src) != "_":
            yield Binding(text(name, src), "assign", value, annotation, line_of(name))
        elif name.type == "selector_expression":
            yield Binding(expression(name, src), "attribute", value, annotation, line_of(name))


def _split(right: Node | None, count: int, src: bytes) -> list[tuple[str, str]]:
    """A value and a type for each of ``count`` names."""
    values = right.named_children if right is not None and right.type == "expression_list" else [right]
    if len(values) == count:
        return [_value(one, src) for one in values]
    if len(values) != 1:
        return [("", "")] * count
    value, annotation = _value(values[0], src)
    if values[0] is not None and values[0].type == "call_expression" and value:
        return [(f"{value}[{index}]", "") for index in range(count)]
    return [(value, annotation)] + [("", "")] * (count - 1)  # v, ok := m[key]


_PLAIN_VALUES = frozenset({"identifier", "selector_expression", "call_expression", "index_expression"})
_TYPED = frozenset({"composite_literal", "type_conversion_expression", "type_assertion_expression"})


def _value(node: Node | None, src: bytes) -> tuple[str, str]:
    """The text of a value that can be followed, or the type that it says."""
    pointer = ""
    while node is not None and node.type in ("unary_expression", "parenthesized_expression"):
        if node.type == "unary_expression":
            sign = node.child(0).type
            if sign not in "&*":
                return "", ""
            pointer = sign if sign == "&" else ""
        node = node.named_child(0)
    if node is None:
        return "", ""
    if node.type in _TYPED:
        written = node.child_by_field_name("type")
        if (
            node.type == "type_conversion_expression"
            and written is not None
            and written.type == "generic_type"
        ):
            return f"{text(written.named_child(0), src)}()", ""
        return "", ("*" if pointer else "") + flat(written, src)
    if node.type == "call_expression" and (made := _made(node, src)):
        return "", made
    return (expression(node, src), "") if node.type in _PLAIN_VALUES else ("", "")


def _made(node: Node, src: bytes) -> str:
    """The type that ``new(T)`` or ``make(T)`` gives."""
    function = node.child_by_field_name("function")
    if (
        function is None
        or function.end_byte - function.start_byte > 4
        or text(function, src) not in ("new", "make")
    ):
        return ""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not arguments.named_child_count:
        return ""
    return ("*" if text(function, src) == "new" else "") + flat(arguments.named_child(0), src)


def _range(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Only the second name of ``for i, v := range items`` is one of the items."""
    left = node.child_by_field_name("left")
    if left is None:
        return
    value, _ = _value(node.child_by_field_name("right"), src)
    for index, name in enumerate(left.named_children):
        if name.type == "identifier" and text(name, src) != "_":
            yield Binding(text(name, src), "for", value if index else "", "", line_of(name))


def _type_switch(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``switch x := y.(type)`` binds x again in each case, to the type of the case."""
    alias = node.child_by_field_name("alias")
    if alias is None or not alias.named_child_count:
        return
    name = text(alias.named_child(0), src)
    yield Binding(name, "assign", _value(node.child_by_field_name("value"), src)[0], "", line_of(alias))
    for case in children_of_kind(node, "type_case"):
        types = case.children_by_field_name("type")
        if len(types) == 1:
            yield Binding(name, "assign", "", flat(types[0], src), line_of(case))


def _field(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    if inside not in MEMBER_OWNERS:
        return
    written = node.child_by_field_name("type")
    names = [text(one, src) for one in names_of(node)]
    for name in names or [type_name(written, src).rpartition(".")[2]]:
        yield Binding(name, "attribute", "", flat(written, src), line_of(node))


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterator[Binding]]] = {
    "function_declaration": _signature,
    "method_declaration": _signature,
    "method_elem": _signature,
    "func_literal": _signature,
    "type_spec": _type_spec,
    "type_alias": _type_spec,
    "const_spec": _specification,
    "var_spec": _specification,
    "short_var_declaration": _assigned,
    "assignment_statement": _assigned,
    "receive_statement": _assigned,
    "range_clause": _range,
    "type_switch_statement": _type_switch,
    "field_declaration": _field,
}
