"""What Ruby's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.ruby.names import chain
from trigpoint.languages.syntax import Node, expression, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """What names are bound to; ``@x`` and ``self.x`` are attributes as written.

    ``a, b = f`` binds a to ``f[0]``. ``rescue E => e`` says the type. What a method ends with is what it returns.
    """
    return _BINDERS[node.type](node, src, inside)


_NAMES = frozenset({"identifier"})
_ATTRIBUTES = frozenset({"instance_variable", "class_variable", "global_variable"})
_FOLLOWED = frozenset(
    {
        "identifier",
        "constant",
        "scope_resolution",
        "call",
        "instance_variable",
        "class_variable",
        "element_reference",
        "self",
    }
)


def _value(node: Node | None, src: bytes) -> str:
    """The part of a value that tells its type: the call in ``given || Foo.new``."""
    while node is not None:
        kind = node.type
        if kind in _FOLLOWED:
            return chain(node, src)
        if kind == "binary":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if node.child_by_field_name("operator").type not in ("||", "or"):
                return ""
            node = right if right is not None and right.type == "call" else left
        elif kind in _AROUND and node.named_child_count:
            node = node.named_child(0)
        elif kind in ("assignment", "operator_assignment"):
            node = node.child_by_field_name("right")
        elif kind == "conditional":
            node = node.child_by_field_name("consequence")
        else:
            return ""
    return ""


_BUILDERS = ("Class.new", "Module.new", "Struct.new", "Data.define")
"""Values that make the constant a class."""
_AROUND = frozenset({"parenthesized_statements", "rescue_modifier", "if_modifier", "unless_modifier"})


def _assignment(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    left = node.child_by_field_name("left")
    if left is None:
        return ()
    right = node.child_by_field_name("right")
    if left.type == "left_assignment_list":
        return _unpacked(left, right, src)
    while right is not None and right.type == "assignment":
        right = right.child_by_field_name("right")
    return _bound(left, _value(right, src), src)


def _bound(left: Node, value: str, src: bytes) -> Iterable[Binding]:
    kind = left.type
    if kind == "identifier":
        return (Binding(text(left, src), "assign", value, "", line_of(left)),)
    if kind in _ATTRIBUTES or kind == "call":
        return (Binding(chain(left, src), "attribute", value, "", line_of(left)),)
    if kind == "constant":
        told = value and not value.startswith(_BUILDERS)
        return (Binding(text(left, src), "attribute", value, "", line_of(left)),) if told else ()
    return ()


def _unpacked(left: Node, right: Node | None, src: bytes) -> Iterator[Binding]:
    names = left.named_children
    values = right.named_children if right is not None and right.type == "right_assignment_list" else []
    whole = _value(right, src) if not values else ""
    for index, one in enumerate(names):
        if one.type in ("splat_argument", "rest_assignment", "destructured_left_assignment"):
            yield from _leaves(one, src, "assign")
            continue
        value = _value(values[index], src) if len(values) == len(names) else ""
        yield from _bound(one, f"{whole}[{index}]" if whole else value, src)


def _leaves(node: Node, src: bytes, kind: str) -> Iterator[Binding]:
    stack = [node]
    while stack:
        one = stack.pop()
        if one.type == "identifier":
            yield Binding(text(one, src), kind, "", "", line_of(one))
        elif one.type not in ("call", "element_reference"):
            stack.extend(reversed(one.named_children))


def _parameters(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    for one in node.named_children:
        kind = one.type
        if kind == "identifier":
            yield Binding(text(one, src), "param", "", "", line_of(one))
        elif kind == "destructured_parameter":
            yield from _leaves(one, src, "param")
        else:
            name = one.child_by_field_name("name")
            if name is not None:
                value = _value(one.child_by_field_name("value"), src)
                yield Binding(text(name, src), "param", value, "", line_of(name))


def _signature(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Parameters, and the value that the body ends with."""
    given, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    if given is not None:
        yield from _parameters(given, src, inside)
    if body is None or text(node.child_by_field_name("name"), src) == "initialize":
        return
    if body.type == "body_statement" and body.named_child_count:
        body = body.named_child(body.named_child_count - 1)
    if body.type == "return" and body.named_child_count:
        body = body.named_child(0)
        body = body.named_child(0) if body.named_child_count == 1 else None
    value = _value(body, src)
    if value:
        yield Binding("", "return", value, "", line_of(node))


def _rescued(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    variable, caught = node.child_by_field_name("variable"), node.child_by_field_name("exceptions")
    types = " | ".join(expression(one, src) for one in caught.named_children) if caught is not None else ""
    for one in variable.named_children if variable is not None else ():
        for found in _bound(one, "", src):
            yield found._replace(annotation=types)


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    pattern, values = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    value = _value(values.named_child(0), src) if values is not None and values.named_child_count else ""
    if pattern is not None and pattern.type == "identifier":
        yield Binding(text(pattern, src), "for", value, "", line_of(pattern))
    elif pattern is not None:
        yield from _leaves(pattern, src, "for")


def _matched(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Names that a pattern captures; ``Foo => x`` says the type."""
    stack = [node.child_by_field_name("pattern")]
    while stack:
        one = stack.pop()
        if one is None:
            continue
        kind = one.type
        if kind == "identifier":
            yield Binding(text(one, src), "assign", "", "", line_of(one))
        elif kind == "as_pattern":
            name, value = one.child_by_field_name("name"), one.child_by_field_name("value")
            said = (
                expression(value, src)
                if value is not None and value.type in ("constant", "scope_resolution")
                else ""
            )
            yield Binding(text(name, src), "assign", "", said, line_of(one))
            stack.append(value)
        elif kind == "keyword_pattern" and one.child_by_field_name("value") is None:
            yield Binding(text(one.child_by_field_name("key"), src), "assign", "", "", line_of(one))
        elif kind not in (
            "call",
            "variable_reference_pattern",
            "expression_reference_pattern",
            "scope_resolution",
        ):
            stack.extend(reversed(one.named_children))


def _aliased(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name, old = node.child_by_field_name("name"), node.child_by_field_name("alias")
    yield Binding(text(name, src).lstrip(":"), "alias", text(old, src).lstrip(":"), "", line_of(node))


_BINDERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "assignment": _assignment,
    "operator_assignment": _assignment,
    "block_parameters": _parameters,
    "lambda_parameters": _parameters,
    "method": _signature,
    "singleton_method": _signature,
    "rescue": _rescued,
    "for": _loop,
    "in_clause": _matched,
    "match_pattern": _matched,
    "test_pattern": _matched,
    "alias": _aliased,
}
