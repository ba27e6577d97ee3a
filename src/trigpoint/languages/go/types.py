"""Words on Go's types and names that definitions and bindings share."""

from __future__ import annotations

from trigpoint.languages.syntax import Node, text

TYPE_KINDS = {"struct_type": "struct", "interface_type": "interface"}
MEMBER_OWNERS = frozenset({"struct", "field"})


_AROUND_TYPE = frozenset({"pointer_type", "generic_type", "parenthesized_type"})


def type_name(node: Node | None, src: bytes) -> str:
    """``Shelf`` of ``*Shelf[T]``."""
    while node is not None and node.type in _AROUND_TYPE and node.named_child_count:
        node = node.named_child(0)
    return text(node, src)


def names_of(node: Node) -> list[Node]:
    """The names of a specification; its commas carry the same field."""
    return [one for one in node.children_by_field_name("name") if one.is_named]
