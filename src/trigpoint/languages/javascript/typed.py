"""Definitions that only TypeScript has."""

from __future__ import annotations

from collections.abc import Iterator

from trigpoint.languages.javascript.places import export_modifiers, member_modifiers
from trigpoint.languages.javascript.values import annotation, name_of, place_of
from trigpoint.languages.syntax import Definition, Node, text

_MEMBERED = frozenset({"interface", "type", "property", "class"})
"""Insides in which a property is a member of something that has a name, not of a parameter's inline type."""


def property_signature(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A property of an interface or an object type; one with an object type has members of its own."""
    if inside not in _MEMBERED:
        return
    name = node.child_by_field_name("name")
    type_node = node.child_by_field_name("type")
    holds = (
        type_node is not None
        and type_node.named_child_count == 1
        and type_node.named_child(0).type == "object_type"
    )
    yield Definition(
        name_of(name, src),
        "property",
        place_of(name),
        modifiers=member_modifiers(node.start_byte, name, src),
        scope=holds,
    )


def construct_signature(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``new (options: Options): Server`` in an interface is its constructor."""
    if inside in _MEMBERED:
        returns = annotation(node.child_by_field_name("type"), src)
        yield Definition("new", "constructor", node, modifiers=("declaration",), returns=returns)


def interface(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``interface Shape extends Base<T>, ns.Other``."""
    name = node.child_by_field_name("name")
    bases: list[str] = []
    for child in node.named_children:
        if child.type == "extends_type_clause":
            bases.extend(type_name(one, src) for one in child.named_children if one.type != "comment")
    yield Definition(
        text(name, src),
        "interface",
        name,
        node.child_by_field_name("body"),
        bases=tuple(bases),
        modifiers=export_modifiers(node, src),
    )


def type_name(node: Node, src: bytes) -> str:
    """A type without its arguments."""
    if node.type == "generic_type":
        node = node.child_by_field_name("name")
    return text(node, src)


def enum(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``export declare const enum``."""
    name = node.child_by_field_name("name")
    modifiers = export_modifiers(node, src)
    if src.startswith(b"const", node.start_byte):
        modifiers = (*modifiers, "const")
    yield Definition(text(name, src), "enum", name, node.child_by_field_name("body"), modifiers=modifiers)


def enum_members(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """Members with and without a value."""
    for child in node.named_children:
        name = child.child_by_field_name("name") if child.type == "enum_assignment" else child
        if name.type in ("property_identifier", "string"):
            yield Definition(
                name_of(name, src), "constant", place_of(name), scope=False, start_node=child, end_node=child
            )


def namespace(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``namespace A.B`` and ``declare module "name"``."""
    name = node.child_by_field_name("name")
    kind = "namespace" if name.type != "string" else "module"
    written = name_of(name, src)
    prefix, _, last = written.rpartition(".") if kind == "namespace" else ("", "", written)
    last_node = place_of(name) if not prefix else name.named_child(name.named_child_count - 1)
    yield Definition(
        last,
        kind,
        last_node,
        node.child_by_field_name("body"),
        prefix=prefix,
        modifiers=export_modifiers(node, src),
    )


def type_alias(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``type Options = {…}``: the properties of an object type are its members."""
    name = node.child_by_field_name("name")
    yield Definition(text(name, src), "type", name, modifiers=export_modifiers(node, src))
