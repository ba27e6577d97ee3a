"""How Ruby names things: constants with their namespaces, symbols and strings that stand for names."""

from __future__ import annotations

from trigpoint.languages.syntax import Node, expression, text

CONSTANTS = frozenset({"constant", "scope_resolution"})
_QUOTED = frozenset({"simple_symbol", "string", "delimited_symbol", "hash_key_symbol"})


def parted(node: Node, src: bytes) -> tuple[str, str, Node]:
    """``A::B::C`` as "C", "A::B" and the node of C."""
    if node.type != "scope_resolution":
        return text(node, src), "", node
    name, scope = node.child_by_field_name("name"), node.child_by_field_name("scope")
    return text(name, src), expression(scope, src), name


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


def name_place(node: Node) -> tuple[int, int]:
    """Where the name of a symbol or string starts: after its colon or quote."""
    row, column = node.start_point
    if node.type == "simple_symbol":
        return row, column + 1
    if node.named_child_count:
        row, column = node.named_child(0).start_point
    return row, column
