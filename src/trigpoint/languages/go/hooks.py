"""Go's definitions, imports, uses and bindings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.go.bindings import bindings, results
from trigpoint.languages.go.types import MEMBER_OWNERS, TYPE_KINDS, names_of, type_name
from trigpoint.languages.go.written import guessed_name
from trigpoint.languages.syntax import (
    Definition,
    Node,
    Target,
    children_of_kind,
    expression,
    line_of,
    text,
)
from trigpoint.model import Import

__all__ = ["bindings", "definition", "imports", "reference"]

# definitions


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Functions, methods by their receiver's type, types with fields and methods, package-level names, named closures."""
    return _DEFINERS[node.type](node, src, inside)


def _function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    modifiers = () if body is not None else ("declaration",)
    yield Definition(text(name, src), "function", name, body, modifiers=modifiers)


def _method(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    receiver = next(children_of_kind(node.child_by_field_name("receiver"), "parameter_declaration"), None)
    owner = type_name(receiver.child_by_field_name("type"), src) if receiver is not None else ""
    yield Definition(text(name, src), "method", name, body, receiver=owner)


def _interface_method(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    if inside == "interface":
        name = node.child_by_field_name("name")
        yield Definition(text(name, src), "method", name, modifiers=("declaration",))


def _type(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name, written = node.child_by_field_name("name"), node.child_by_field_name("type")
    kind = TYPE_KINDS.get(written.type, "type") if written is not None else "type"
    yield Definition(
        text(name, src),
        kind,
        name,
        _body(written, kind),
        bases=tuple(_embedded(written, kind, src)),
        modifiers=("alias",) if node.type == "type_alias" else (),
        scope=kind != "type",
        start_node=_keyword(node, "type"),
        end_node=node,
    )


def _body(written: Node | None, kind: str) -> Node | None:
    if kind == "struct":
        return next(children_of_kind(written, "field_declaration_list"), None)
    return (
        written.child(1) if kind == "interface" and written is not None and written.child_count > 1 else None
    )


def _keyword(node: Node, word: str) -> Node | None:
    """The ``type``, ``var`` or ``const`` before a specification that stands alone, for the signature."""
    before = node.prev_sibling
    return before if before is not None and before.type == word else None


def _embedded(written: Node | None, kind: str, src: bytes) -> Iterator[str]:
    if kind == "struct":
        for fields in children_of_kind(written, "field_declaration_list"):
            for one in children_of_kind(fields, "field_declaration"):
                if one.child_by_field_name("name") is None:
                    yield type_name(one.child_by_field_name("type"), src)
    elif kind == "interface":
        for one in children_of_kind(written, "type_elem"):
            only = one.named_child(0) if one.named_child_count == 1 else None
            if only is not None and only.type in ("type_identifier", "qualified_type", "generic_type"):
                yield type_name(only, src)


def _values(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    if inside and b"func" not in src[node.start_byte : node.start_byte + _NEAR]:
        return
    names = names_of(node)
    closure = _closure(node.child_by_field_name("value")) if len(names) == 1 else None
    kind = "constant" if node.type == "const_spec" else "variable"
    if closure is not None:
        yield _named_closure(names[0], closure, src, _keyword(node, "var"))
    elif not inside:
        for name in names:
            word = _keyword(node, "const" if kind == "constant" else "var")
            yield Definition(_plain(text(name, src)), kind, name, scope=False, start_node=word, end_node=node)


def _plain(name: str) -> str:
    return "" if name == "_" else name


def _closure(values: Node | None) -> Node | None:
    if values is None or values.named_child_count != 1:
        return None
    only = values.named_child(0)
    return only if only.type == "func_literal" else None


def _named_closure(name: Node, closure: Node, src: bytes, start: Node | None) -> Definition:
    body = closure.child_by_field_name("body")
    result = closure.child_by_field_name("result")
    returns = results(result, src) if result is not None else ""
    word = _plain(text(name, src))
    return Definition(word, "function", name, body, start_node=start, end_node=closure, returns=returns)


_NEAR = 120
"""Bytes of an assignment in which the word ``func`` must stand if it names a closure: most do not, and are many."""


def _short(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    start = node.start_byte
    if b":= func(" not in src[start : start + _NEAR]:
        return ()
    closure = _closure(node.child_by_field_name("right"))
    left = node.child_by_field_name("left")
    if closure is None or left is None or left.named_child_count != 1:
        return ()
    return (_named_closure(left.named_child(0), closure, src, None),)


def _fields(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    if inside in MEMBER_OWNERS:
        written = node.child_by_field_name("type")
        nested = written is not None and written.type == "struct_type"
        for name in names_of(node):
            yield Definition(_plain(text(name, src)), "field", name, scope=nested)


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "function_declaration": _function,
    "method_declaration": _method,
    "method_elem": _interface_method,
    "type_spec": _type,
    "type_alias": _type,
    "const_spec": _values,
    "var_spec": _values,
    "short_var_declaration": _short,
    "field_declaration": _fields,
}


# imports


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """The package clause, and one import a path; without an alias the bound name is the path's last part, no version."""
    line = line_of(node)
    if node.type == "package_clause":
        yield Import(text(node.named_child(0), src), "", "", line, kind="package")
        return
    path = text(node.child_by_field_name("path"), src).strip('"`')
    alias = node.child_by_field_name("name")
    if alias is None:
        yield Import(path, "", guessed_name(path), line)
    elif alias.type == "dot":
        yield Import(path, "*", "", line)
    else:
        yield Import(path, "", _plain(text(alias, src)), line)


# uses


def reference(node: Node, src: bytes) -> Iterator[Target]:
    """``T{}`` makes a T and uses the values in it, not its keys; ``f[int](x)``, which reads like a conversion, calls f."""
    if node.type == "literal_value":
        yield from _elements(node, src)
        return
    kind = "new" if node.type == "composite_literal" else "call"
    written = node.child_by_field_name("type")
    if written is None or (kind == "call" and written.type != "generic_type"):
        return
    while written.type == "generic_type" and written.named_child_count:
        written = written.named_child(0)
    if written.type == "qualified_type":
        name = written.child_by_field_name("name")
        yield Target(text(name, src), text(written.child_by_field_name("package"), src), name, kind)
    elif written.type == "type_identifier":
        yield Target(text(written, src), "", written, kind)


def _elements(node: Node, src: bytes) -> Iterator[Target]:
    for one in node.named_children:
        element = one.child_by_field_name("value") if one.type == "keyed_element" else one
        value = element.named_child(0) if element is not None and element.named_child_count else None
        if value is not None and value.type == "identifier":
            yield Target(text(value, src), "", value, "value")
        elif value is not None and value.type == "selector_expression":
            name = value.child_by_field_name("field")
            yield Target(
                text(name, src), expression(value.child_by_field_name("operand"), src), name, "value"
            )
