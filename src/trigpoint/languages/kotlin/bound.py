"""What Kotlin's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.kotlin.words import BODY, CLASSES, TYPES, cast, extended, name_of, type_of, value
from trigpoint.languages.syntax import Node, children_of_kind, expression, flat, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """What names are bound to; ``val (a, b) = f()`` binds a to ``f()[0]``, ``by lazy { F() }`` to ``F()``."""
    return _BINDERS[node.type](node, src, inside)


def _named(node: Node, src: bytes) -> str:
    name = name_of(node)
    return text(name, src).strip("`") if name is not None else ""


def _property(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """The names of a property; one that extends a type is no name here."""
    if extended(node) is not None:
        return
    kind = "attribute" if inside in CLASSES else "assign"
    children = node.named_children
    last = _assigned(children)
    whole, made = _initial(last, src), cast(last, src)
    for one in children:
        if one.type == "variable_declaration":
            yield _variable(one, src, kind, whole, made)
        elif one.type == "multi_variable_declaration":
            yield from _unpacked(one, src, kind, whole)


def _assigned(children: list[Node]) -> Node | None:
    """The initial value, or what stands for it: the delegate, what the getter gives."""
    for one in reversed(children):
        if one.type == "getter":
            body = next(children_of_kind(one, BODY), None)
            return body.named_child(0) if body is not None and body.named_child_count else None
        if one.type == "variable_declaration" or one.type == "multi_variable_declaration":
            return None
        if one.type not in ("setter", "type_constraints", "line_comment", "block_comment"):
            return one
    return None


def _initial(node: Node | None, src: bytes) -> str:
    if node is None or node.type != "property_delegate":
        return value(node, src)
    call = node.named_child(0) if node.named_child_count else None
    if call is None or call.type != "call_expression":
        return ""
    block = call.named_child(call.named_child_count - 1)
    while block is not None and block.type in ("annotated_lambda", "lambda_literal"):
        block = block.named_child(block.named_child_count - 1) if block.named_child_count else None
    return value(block, src) if block is not None and block.type == "call_expression" else ""


def _variable(node: Node, src: bytes, kind: str, whole: str, made: str = "") -> Binding:
    return Binding(_named(node, src), kind, whole, flat(type_of(node), src) or made, line_of(node))


def _unpacked(node: Node, src: bytes, kind: str, whole: str) -> Iterator[Binding]:
    for index, one in enumerate(node.named_children):
        name = _named(one, src)
        if name and name != "_":
            item = f"{whole}[{index}]" if whole else ""
            yield Binding(name, kind, item, flat(type_of(one), src), line_of(one))


def _class_parameter(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    kept = any(one.type in ("val", "var") for one in node.children)
    types = flat(next(children_of_kind(node, *TYPES), None), src)
    yield Binding(_named(node, src), "attribute" if kept else "param", "", types, line_of(node))


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    parts = [one for one in node.named_children if not one.type.endswith("comment")]
    if len(parts) < 2:
        return
    whole = value(parts[1], src)
    if parts[0].type == "variable_declaration":
        yield _variable(parts[0], src, "for", whole)
    elif parts[0].type == "multi_variable_declaration":
        yield from _unpacked(parts[0], src, "for", whole)


def _caught(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    types = flat(next(children_of_kind(node, *TYPES), None), src)
    yield Binding(_named(node, src), "assign", "", types, line_of(node))


def _subject(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    variable = next(children_of_kind(node, "variable_declaration"), None)
    if variable is not None:
        whole = value(node.named_child(node.named_child_count - 1), src)
        yield _variable(variable, src, "assign", whole)


def _attribute(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    left = node.child_by_field_name("left")
    if left is None or left.type != "navigation_expression":
        return ()
    right = node.child_by_field_name("right")
    return (Binding(expression(left, src), "attribute", value(right, src), cast(right, src), line_of(node)),)


def _lambda(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    for one in node.named_children:
        if one.type == "variable_declaration":
            yield _variable(one, src, "param", "")
        elif one.type == "multi_variable_declaration":
            yield from _unpacked(one, src, "param", "")


def _class(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters; an enum's entries are of its own type."""
    yield from _type_parameters(node, src)
    name = text(node.child_by_field_name("name"), src)
    for entry in children_of_kind(next(children_of_kind(node, "enum_class_body"), None), "enum_entry"):
        yield Binding(_named(entry, src), "attribute", "", name, line_of(entry))


def _type_parameters(node: Node, src: bytes) -> Iterator[Binding]:
    for one in children_of_kind(next(children_of_kind(node, "type_parameters"), None), "type_parameter"):
        yield Binding(_named(one, src), "param", "", flat(type_of(one), src), line_of(one))


def _function(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters, parameters, and what it returns: the declared type, else the expression that is its body."""
    yield from _type_parameters(node, src)
    result = body = None
    given = False
    for one in node.named_children:
        if one.type == "function_value_parameters":
            given = True
            for parameter in children_of_kind(one, "parameter"):
                types = flat(type_of(parameter), src)
                yield Binding(_named(parameter, src), "param", "", types, line_of(parameter))
        elif given and one.type in TYPES:
            result = one
        elif one.type == BODY:
            body = one
    if result is not None:
        yield Binding("", "return", "", flat(result, src), line_of(result))
    elif body is not None and body.named_child_count and body.child(0).type == "=":
        given_back = body.named_child(0)
        whole, made = value(given_back, src), cast(given_back, src)
        if whole or made:
            yield Binding("", "return", whole, made, line_of(given_back))


def _setter(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name = _named(node, src)
    if name:
        yield Binding(name, "param", "", "", line_of(node))


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "property_declaration": _property,
    "class_parameter": _class_parameter,
    "for_statement": _loop,
    "catch_block": _caught,
    "when_subject": _subject,
    "assignment": _attribute,
    "lambda_parameters": _lambda,
    "class_declaration": _class,
    "function_declaration": _function,
    "secondary_constructor": _function,
    "anonymous_function": _function,
    "setter": _setter,
}
