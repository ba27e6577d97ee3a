"""Where Lua names things: plain names, members, methods, strings in brackets."""

from __future__ import annotations

import re
from typing import NamedTuple

from trigpoint.languages.syntax import Node, expression, text


class Named(NamedTuple):
    """``M.a.b:c`` taken apart: the name c, its node, the table M.a.b, and whether a colon makes it a method."""

    name: str
    node: Node
    owner: str = ""
    colon: bool = False


def named(node: Node | None, src: bytes) -> Named | None:
    """What a name or a member names; None for ``t[i]`` and the like."""
    if node is None:
        return None
    kind = node.type
    if kind == "identifier":
        return Named(text(node, src), node)
    owner = node.child_by_field_name("table")
    if owner is None or owner.type not in ("identifier", "dot_index_expression"):
        return None
    where = expression(owner, src)
    if kind == "method_index_expression":
        name = node.child_by_field_name("method")
        return Named(text(name, src), name, where, True) if name is not None else None
    name = node.child_by_field_name("field")
    if name is None:
        return None
    if kind == "dot_index_expression":
        return Named(text(name, src), name, where)
    word = string_of(name, src)
    inner = name.child_by_field_name("content") if word else None
    return Named(word, inner, where) if inner is not None else None


def string_of(node: Node, src: bytes) -> str:
    """What a string holds."""
    return text(node.child_by_field_name("content"), src) if node.type == "string" else ""


def pairs(assignment: Node) -> list[tuple[Node, Node | None]]:
    """The targets of an assignment, each with its value where there is one."""
    lists = assignment.named_children
    if not lists:
        return []
    targets = lists[0].children_by_field_name("name")
    values = lists[1].named_children if len(lists) > 1 else []
    return [(one, values[index] if index < len(values) else None) for index, one in enumerate(targets)]


def declares(node: Node, src: bytes) -> bool:
    """Whether the word ``local`` stands before an assignment: the declaration around it tells all then."""
    before = src[max(0, node.start_byte - 12) : node.start_byte].split()
    return bool(before) and before[-1] in (b"local", b"global")


_WRAPPERS = re.compile(
    rb"[\w.:]*(?:wrap|void|async|schedule|debounce|throttle|memoi[sz]e|once)\w*\s*\(\s*function\b", re.I
)


def fallback(value: Node | None, src: bytes) -> Node | None:
    """The function of ``given or function() end`` and of ``vim.schedule_wrap(function() end)``, else the value itself."""
    last = value
    while last is not None and last.type == "binary_expression":
        last = last.child_by_field_name("right")
    if last is not None and last.type == "function_call" and _WRAPPERS.match(src, last.start_byte):
        given = last.child_by_field_name("arguments")
        last = given.named_child(0) if given is not None and given.named_child_count else None
    return last if last is not None and last.type == "function_definition" else value


_REQUIRES = re.compile(rb"(?:require\b|pcall\s*\(\s*require\b)")


def required(value: Node | None, src: bytes) -> bool:
    """Whether a value is a module, or a member of one: its name is an import then."""
    while value is not None and value.type == "dot_index_expression":
        value = value.child_by_field_name("table")
    if value is None or value.type != "function_call":
        return False
    return bool(_REQUIRES.match(src, value.start_byte))
