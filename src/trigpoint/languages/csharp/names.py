"""C#'s names and types as they are written."""

from __future__ import annotations

from collections.abc import Iterator

from trigpoint.languages.syntax import Node, Place, Target, expression, text

_WITH_TYPE = frozenset({"nullable_type", "array_type", "pointer_type", "ref_type", "scoped_type"})


def plain(node: Node | None, src: bytes) -> str:
    """A name; ``@event`` is event."""
    return text(node, src).removeprefix("@")


def place(node: Node, src: bytes) -> Node | Place:
    """Where a name starts: after its ``@``."""
    if src[node.start_byte : node.start_byte + 1] != b"@":
        return node
    row, column = node.start_point
    return Place((row, column + 1))


def leaf(node: Node) -> Node:
    """``Foo`` of ``Foo<int>``."""
    return node.named_child(0) if node.type == "generic_name" and node.named_child_count else node


def owner(node: Node | None, src: bytes) -> str:
    """What stands before a dot: without ``?`` and ``!``, which change no type."""
    if node is None:
        return ""
    if node.type == "identifier":
        return plain(node, src)
    raw = expression(node, src)
    return raw.replace("?.", ".").replace("!.", ".").rstrip("!") if "?" in raw or "!" in raw else raw


def used_type(node: Node | None, src: bytes, kind: str = "type") -> Iterator[Target]:
    """The name of a type; its type arguments are visited on their own."""
    while node is not None and node.type in _WITH_TYPE:
        node = node.child_by_field_name("type")
    if node is None:
        return
    if node.type in ("identifier", "generic_name"):
        name = leaf(node)
        yield Target(plain(name, src), "", name, kind)
    elif node.type in ("qualified_name", "alias_qualified_name", "member_access_expression"):
        name = node.child_by_field_name("name")
        if name is not None:
            before = node.child_by_field_name("qualifier") or node.child_by_field_name("expression")
            yield Target(plain(leaf(name), src), owner(before, src), leaf(name), kind)
