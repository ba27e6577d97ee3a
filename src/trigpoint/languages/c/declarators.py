"""What a C or C++ declarator declares: the name is inside, wrapped in pointers, arrays and parameter lists."""

from __future__ import annotations

import re
from typing import NamedTuple

from trigpoint.languages.syntax import Node, text


class Declared(NamedTuple):
    """A name taken out of its declarator."""

    name: str
    node: Node
    function: Node | None  # the function_declarator whose parameters are the name's own
    scopes: tuple[str, ...] = ()  # "ns", "Outer" of ns::Outer::name, without template arguments
    pointer: bool = False
    start: int = 0  # byte where the name begins, scopes included


_NAMES = frozenset(
    {"identifier", "field_identifier", "type_identifier", "namespace_identifier", "primitive_type", "this"}
)
_NAMED_INSIDE = frozenset({"template_function", "template_method", "template_type", "dependent_name"})
_POINTERS = frozenset({"pointer_declarator", "reference_declarator", "pointer_type_declarator"})
_VALUES = _POINTERS | {"array_declarator"}
"""A pointer to a function, or an array of them, is a variable."""
_SPACE = re.compile(r"\s+")
_LIMIT = 200
"""Declarators nested deeper than this are no declarators."""


def declared(node: Node | None, src: bytes) -> Declared | None:
    """The name that a declarator (or the name field of a type) declares; None when it names nothing."""
    function: Node | None = None
    scopes: list[str] = []
    pointer = False
    start = -1
    for _ in range(_LIMIT):
        if node is None or node.type == "structured_binding_declarator":
            return None
        kind = node.type
        if name := _own_name(node, kind, src):
            made = node if kind == "operator_cast" else function
            return Declared(
                name, node, made, tuple(scopes), pointer, node.start_byte if start == -1 else start
            )
        if kind == "qualified_identifier":
            start = node.start_byte if start == -1 else start
            scopes += [scope] if (scope := scope_name(node.child_by_field_name("scope"), src)) else []
            node = node.child_by_field_name("name")
        elif kind in _NAMED_INSIDE:
            node = node.child_by_field_name("name") or _first(node)
        else:
            function = node if kind == "function_declarator" else None if kind in _VALUES else function
            pointer = pointer or kind in _POINTERS
            node = node.child_by_field_name("declarator") or _first(node)
    return None


def _own_name(node: Node, kind: str, src: bytes) -> str:
    if kind in _NAMES:
        return text(node, src)
    if kind == "operator_name":
        return _operator(text(node, src))
    if kind == "destructor_name":
        return "".join(text(node, src).split())
    return "operator " + text(node.child_by_field_name("type"), src) if kind == "operator_cast" else ""


def scope_name(node: Node | None, src: bytes) -> str:
    """One part of a qualified name without its template arguments."""
    if node is None:
        return ""
    if node.type in _NAMED_INSIDE:
        node = node.child_by_field_name("name") or node
    return text(node, src).partition("<")[0].strip()


def _operator(raw: str) -> str:
    word = _SPACE.sub(" ", raw).strip()
    after = word.removeprefix("operator").strip()
    return f"operator {after}" if after[:1].isalpha() else f"operator{after.replace(' ', '')}"


def _first(node: Node) -> Node | None:
    for child in node.named_children:
        if child.type.endswith(("declarator", "identifier", "_name")):
            return child
    return node.named_child(0) if node.named_child_count else None


_WORDS = re.compile(
    r"\b(?:static|extern|inline|virtual|explicit|constexpr|consteval|constinit|friend|mutable|thread_local)\b"
)
_AFTER = re.compile(r"\b(?:override|final|const)\b|=\s*(default|delete|0)\b")
_MEANS = {"0": "abstract", "default": "default", "delete": "delete"}
_NO_TYPE = re.compile(
    r"\b(?:static|extern|inline|virtual|explicit|constexpr|consteval|constinit|friend|mutable|thread_local|register|typedef"
    r"|const|volatile|typename|struct|union|enum|class|__inline__|__inline|__extension__)\b|\[\[.*?\]\]|\b__\w+__\s*\(\(.*?\)\)"
    r"|\b[A-Z][A-Z0-9_]*\([^()]*\)"
)
_MACRO = re.compile(r"^[A-Z][A-Z0-9_]{2,}\s+(?=[A-Za-z_])|(?<=\w)\s+(?:[A-Z][A-Z0-9_]{2,}|_\w+)$")


def modifiers(node: Node, found: Declared, src: bytes, end: int) -> tuple[str, ...]:
    """The words around a name that say what it is: ``static`` before it, ``override`` or ``= 0`` after it."""
    before = src[node.start_byte : found.node.start_byte][-200:].decode("utf-8", "replace")
    words = _WORDS.findall(before)
    if found.function is not None:
        parameters = found.function.child_by_field_name("parameters")
        start = parameters.end_byte if parameters is not None else found.node.end_byte
        for one in _AFTER.finditer(
            src[start : min(end, start + 120)].decode("utf-8", "replace").partition("{")[0]
        ):
            words.append(_MEANS[one.group(1)] if one.group(1) else one.group(0))
    return tuple(dict.fromkeys(words))


def type_before(node: Node, found: Declared, src: bytes) -> str:
    """The type written before a name, without storage words, attributes and macros before it."""
    start = node.start_byte
    raw = _SPACE.sub(" ", src[start : min(found.start, start + 300)].decode("utf-8", "replace"))
    raw = _SPACE.sub(" ", _NO_TYPE.sub(" ", raw)).strip(" *&()~")
    raw = _MACRO.sub("", raw).strip()
    return "" if raw == "operator" or raw.startswith(("auto", "decltype")) else raw
