"""Java's definitions, imports, uses and bindings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from trigpoint.languages.syntax import (
    Definition,
    Node,
    Target,
    children_of_kind,
    expression,
    flat,
    line_of,
    text,
)
from trigpoint.model import Binding, Import

# definitions

ANONYMOUS = "<anonymous>"
_TYPES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "record",
    "annotation_type_declaration": "annotation",
}
_TYPE_NODES = frozenset({"type_identifier", "generic_type", "scoped_type_identifier", "annotated_type"})
_BASES = frozenset({"superclass", "super_interfaces", "extends_interfaces"})


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Types, methods, constructors, fields, enum constants, record components; an anonymous class is ``<anonymous>``."""
    return _DEFINERS[node.type](node, src, inside)


class _Head(NamedTuple):
    """What is written before a declaration proper."""

    decorators: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    start: Node | None = None  # where the signature starts, when annotations stand before it


def _head(node: Node, src: bytes) -> _Head:
    first = node.named_child(0) if node.named_child_count else None
    if first is None or first.type != "modifiers":
        return _Head()
    if not first.named_child_count:
        return _Head(words=tuple(text(first, src).split()))
    decorators, words, start = [], [], None
    for one in first.children:
        if one.is_named:
            decorators += [expression(one, src).lstrip("@")] if one.type.endswith("annotation") else []
            start = None
        else:
            words.append(one.type)
            start = start or one
    return _Head(tuple(decorators), tuple(words), start or first.next_sibling)


def _declared_as(node: Node, src: bytes, kind: str, bases: tuple[str, ...] = ()) -> Definition:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    decorators, words, start = _head(node, src)
    if body is None and kind == "method":
        words = (*words, "declaration")
    scope = body is not None or kind != "constant"
    lead = node if start is not None else None
    return Definition(
        text(name, src), kind, name, body, "", "", bases, decorators, words, scope, start, None, lead
    )


def _type(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    bases = [
        flat(one, src) for clause in node.named_children if clause.type in _BASES for one in _listed(clause)
    ]
    return (_declared_as(node, src, _TYPES[node.type], tuple(bases)),)


def _listed(clause: Node) -> Iterator[Node]:
    for one in clause.named_children:
        if one.type == "type_list":
            yield from one.named_children
        else:
            yield one


def _callable(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    return (_declared_as(node, src, "constructor" if "constructor" in node.type else "method"),)


def _constant(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    return (_declared_as(node, src, "constant"),)


def _fields(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    decorators, words, start = _head(node, src)
    constant = node.type == "constant_declaration" or ("static" in words and "final" in words)
    kind, lead = "constant" if constant else "field", node if start is not None else None
    for one in children_of_kind(node, "variable_declarator"):
        name = one.child_by_field_name("name")
        made = _makes_code(one.child_by_field_name("value"))
        yield Definition(
            text(name, src), kind, name, None, "", "", (), decorators, words, made, start, one, lead
        )


def _makes_code(value: Node | None) -> bool:
    """Whether a field holds a lambda or an anonymous class, whose calls are then its own."""
    if value is None:
        return False
    if value.type == "lambda_expression":
        return True
    last = value.named_child(value.named_child_count - 1) if value.named_child_count else None
    return last is not None and last.type == "class_body"


def _component(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """A parameter of a record's head is a field of the record."""
    if inside != "record":
        return ()
    owner = (
        node if node.type == "formal_parameter" else next(children_of_kind(node, "variable_declarator"), node)
    )
    name = owner.child_by_field_name("name")
    return (Definition(text(name, src), "field", name, scope=False),)


def _anonymous(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    arguments = node.prev_named_sibling
    if arguments is None or arguments.type != "argument_list":
        return ()
    made = arguments.prev_named_sibling
    if made is None or made.type not in _TYPE_NODES:
        return ()  # the body of an enum constant: its methods belong to the constant
    return (
        Definition(ANONYMOUS, "class", made, node, bases=(flat(made, src),), start_node=made, end_node=node),
    )


def _module(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name = node.child_by_field_name("name")
    return (Definition(text(name, src), "module", name, node.child_by_field_name("body")),)


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    **dict.fromkeys(_TYPES, _type),
    "method_declaration": _callable,
    "constructor_declaration": _callable,
    "compact_constructor_declaration": _callable,
    "annotation_type_element_declaration": _callable,
    "enum_constant": _constant,
    "field_declaration": _fields,
    "constant_declaration": _fields,
    "formal_parameter": _component,
    "spread_parameter": _component,
    "class_body": _anonymous,
    "module_declaration": _module,
}


# imports


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """``import a.b.C`` takes C from a.b; a static import takes the member from its class."""
    line = line_of(node)
    path = next(children_of_kind(node, "scoped_identifier", "identifier"), None)
    dotted = "".join(text(path, src).split())
    if node.type == "package_declaration":
        yield Import(dotted, "", "", line, kind="package")
    elif any(True for _ in children_of_kind(node, "asterisk")):
        yield Import(dotted, "*", "", line)
    else:
        module, _, name = dotted.rpartition(".")
        yield Import(module, name, name, line)


# uses


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """``Foo::bar`` is the value bar of Foo; ``Foo::new`` makes a Foo."""
    owner, last = node.child(0), node.child(node.child_count - 1)
    if last.type == "identifier":
        return (Target(text(last, src), expression(owner, src), last, "value"),)
    if owner.type == "generic_type" and owner.named_child_count:
        owner = owner.named_child(0)
    receiver, _, name = expression(owner, src).rpartition(".")
    return (Target(name, receiver, owner, "new"),) if name.isidentifier() else ()


# bindings


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """What names are bound to; ``var`` is no type, so the value stands for it."""
    return _BINDERS[node.type](node, src, inside)


_FOLLOWED = frozenset(
    {"identifier", "field_access", "method_invocation", "object_creation_expression", "this", "array_access"}
)


def _value(node: Node | None, src: bytes) -> str:
    while node is not None and node.type in ("parenthesized_expression", "cast_expression"):
        if node.type == "cast_expression":
            return ""
        node = node.named_child(0) if node.named_child_count else None
    if node is None or node.type not in _FOLLOWED:
        return ""
    if node.type == "object_creation_expression":
        return f"new {flat(node.child_by_field_name('type'), src)}()"
    return expression(node, src)


def _declared(node: Node, src: bytes) -> str:
    annotation = flat(node.child_by_field_name("type"), src)
    return "" if annotation == "var" else annotation


def _cast(node: Node | None, src: bytes) -> str:
    if node is not None and node.type == "cast_expression":
        return flat(node.child_by_field_name("type"), src)
    return ""


def _variables(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    annotation = _declared(node, src)
    kind = "assign" if node.type == "local_variable_declaration" else "attribute"
    for one in children_of_kind(node, "variable_declarator"):
        name, value = one.child_by_field_name("name"), one.child_by_field_name("value")
        yield Binding(
            text(name, src), kind, _value(value, src), annotation or _cast(value, src), line_of(one)
        )


def _single(kind: str) -> Callable[[Node, bytes, str], Iterator[Binding]]:
    """A node with the fields type, name and perhaps value."""

    def bind(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
        name = node.child_by_field_name("name")
        if name is not None:
            value = _value(node.child_by_field_name("value"), src)
            yield Binding(text(name, src), kind, value, _declared(node, src), line_of(name))

    return bind


def _caught(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name = node.child_by_field_name("name")
    types = flat(next(children_of_kind(node, "catch_type"), None), src)
    yield Binding(text(name, src), "assign", "", types, line_of(node))


def _tested(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name = node.child_by_field_name("name")
    if name is not None:
        yield Binding(
            text(name, src), "assign", "", flat(node.child_by_field_name("right"), src), line_of(name)
        )


def _pattern(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    parts = node.named_children
    if len(parts) > 1 and parts[-1].type == "identifier":
        annotation = flat(parts[-2], src)
        yield Binding(
            text(parts[-1], src), "assign", "", "" if annotation == "var" else annotation, line_of(node)
        )


def _assigned(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    left = node.child_by_field_name("left")
    if left is None or left.type != "field_access":
        return ()
    value = _value(node.child_by_field_name("right"), src)
    return (Binding(expression(left, src), "attribute", value, "", line_of(node)),)


def _lambda(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    given = node.child_by_field_name("parameters")
    last = str(node.end_point[0] + 1)
    if given is not None and given.type == "formal_parameters":
        for one in _parameters(given, src, "inner"):
            yield one._replace(value=last)
    elif given is not None:
        for found in [given] if given.type == "identifier" else children_of_kind(given, "identifier"):
            yield Binding(text(found, src), "inner", last, "", line_of(found))


def _parameters(given: Node, src: bytes, kind: str) -> Iterator[Binding]:
    for one in given.named_children:
        if one.type == "formal_parameter":
            yield Binding(
                text(one.child_by_field_name("name"), src), kind, "", _declared(one, src), line_of(one)
            )
        elif one.type == "spread_parameter":
            parts = [part for part in one.named_children if part.type != "modifiers"]
            name = parts[-1].child_by_field_name("name")
            yield Binding(text(name, src), kind, "", flat(parts[0], src) + "[]", line_of(one))


def _signature(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters, parameters (fields, of a record), and what a method returns."""
    for one in children_of_kind(node.child_by_field_name("type_parameters"), "type_parameter"):
        bound = flat(next(children_of_kind(one, "type_bound"), None), src).removeprefix("extends ")
        name = next(children_of_kind(one, "type_identifier", "identifier"), None)
        yield Binding(text(name, src), "param", "", bound, line_of(one))
    given = node.child_by_field_name("parameters")
    if given is not None:
        yield from _parameters(given, src, "attribute" if node.type == "record_declaration" else "param")
    result = node.child_by_field_name("type")
    if result is not None and result.type != "void_type":
        yield Binding("", "return", "", flat(result, src), line_of(result))


def _enum(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Each constant is a field of the enum's own type."""
    name = text(node.child_by_field_name("name"), src)
    for one in children_of_kind(node.child_by_field_name("body"), "enum_constant"):
        yield Binding(text(one.child_by_field_name("name"), src), "attribute", "", name, line_of(one))


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "local_variable_declaration": _variables,
    "field_declaration": _variables,
    "constant_declaration": _variables,
    "enhanced_for_statement": _single("for"),
    "resource": _single("with"),
    "catch_formal_parameter": _caught,
    "instanceof_expression": _tested,
    "type_pattern": _pattern,
    "record_pattern_component": _pattern,
    "assignment_expression": _assigned,
    "lambda_expression": _lambda,
    "method_declaration": _signature,
    "constructor_declaration": _signature,
    "annotation_type_element_declaration": _signature,
    "record_declaration": _signature,
    "class_declaration": _signature,
    "interface_declaration": _signature,
    "enum_declaration": _enum,
}
