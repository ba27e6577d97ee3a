"""How Ruby names things: constants with their namespaces, symbols and strings that stand for names."""

from __future__ import annotations

from trigpoint.languages.syntax import VALUE_LIMIT, Node, expression, text

CONSTANTS = frozenset({"constant", "scope_resolution"})
_QUOTED = frozenset({"simple_symbol", "string", "delimited_symbol", "hash_key_symbol"})


def parted(node: Node, src: bytes) -> tuple[str, str, Node]:
    """``A::B::C`` as "C", "A::B" and the node of C."""
    if node.type != "scope_resolution":
        return text(node, src), "", node
    name, scope = node.child_by_field_name("name"), node.child_by_field_name("scope")
    return text(name, src), expression(scope, src), name


def as_prefix(namespace: str) -> str:
    """``::A::B`` as "A.B"."""
    return namespace.removeprefix("::").replace("::", ".")


def plain(node: Node | None, src: bytes) -> str:
    """What a symbol or string says, "" when it is computed."""
    if node is None or node.type not in _QUOTED:
        return ""
    if node.type == "simple_symbol":
        return text(node, src)[1:].strip("\"'")
    if node.type == "hash_key_symbol":
        return text(node, src)
    only = node.named_child(0) if node.named_child_count == 1 else None
    return text(only, src) if only is not None and only.type == "string_content" else ""


_SIMPLE = frozenset({"identifier", "constant", "instance_variable", "self", "class_variable"})
_LINKS = 8
"""Calls in a chain that are read one by one; longer chains are cut by their text."""


def chain(node: Node, src: bytes) -> str:
    """An expression without arguments and blocks: ``Foo.new(1).tap do … end`` -> ``Foo.new().tap``."""
    links = ""
    for _ in range(_LINKS):
        if node.type != "call":
            break
        method, receiver = node.child_by_field_name("method"), node.child_by_field_name("receiver")
        if method is None:
            break
        name = src[method.start_byte : method.end_byte].decode("utf-8", "replace")
        if node.child_by_field_name("arguments") is not None:
            name += "()"
        links = f"{name}.{links}" if links else name
        if receiver is None:
            return links[:VALUE_LIMIT]
        node = receiver
    if node.type in _SIMPLE:
        first = src[node.start_byte : node.end_byte].decode("utf-8", "replace")
    else:
        first = expression(node, src).replace("&.", ".")
    return f"{first}.{links}"[:VALUE_LIMIT] if links else first


def name_place(node: Node) -> tuple[int, int]:
    """Where the name of a symbol or string starts: after its colon or quote."""
    row, column = node.start_point
    if node.type == "simple_symbol":
        return row, column + 1
    if node.named_child_count:
        row, column = node.named_child(0).start_point
    return row, column
