"""Zig's definitions, imports, uses and complexity; bindings are in bindings.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.syntax import Definition, Node, Place, Target, expression, flat, line_of, text
from trigpoint.languages.zig.bindings import bindings
from trigpoint.languages.zig.declared import CONTAINERS, OWNERS, bare, declared, imported
from trigpoint.model import Import

__all__ = ["bindings", "decisions", "definition", "imports", "reference"]

_CODE = frozenset({"function", "method", "test"})

# definitions


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Functions, containers by the name they are given, fields, constants, tests.

    A container without a name, as one that a function returns, only makes functions in it methods.
    """
    return _DEFINERS[node.type](node, src, inside)


def _variable(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name, value, keyword, words = declared(node)
    if not keyword or name is None or imported(value, src):
        return
    word = bare(name, src)
    kind = CONTAINERS.get(value.type, "") if value is not None else ""
    merged = _merged(value, src)
    if kind or merged:
        yield Definition(word, kind or "enum", name, _first_member(value), modifiers=words, bases=merged)
    elif inside not in _CODE and word != "_" and text(value, src, 10) != "@This()":
        titled = word[:1].isupper() and not word.isupper() and value is not None and value.type in _TYPES
        found = "type" if titled else "constant" if keyword == "const" else "variable"
        yield Definition(word, found, name, modifiers=words, scope=False)


_TYPES = frozenset(
    {
        "identifier", "field_expression", "call_expression", "builtin_type", "pointer_type", "nullable_type", "slice_type",
        "array_type", "function_signature", "error_union_type", "error_type", "if_expression", "switch_expression",
        "builtin_function",
    }
)  # fmt: skip
"""What may stand for a type; the capital of its name then says that it does."""


def _merged(value: Node | None, src: bytes) -> tuple[str, ...]:
    """The sets that ``error{A} || B`` takes in; () for what is no set written out."""
    if value is None or value.type != "binary_expression":
        return ()
    sides = [value.child_by_field_name("left"), value.child_by_field_name("right")]
    if not any(one is not None and one.type == "error_set_declaration" for one in sides):
        return ()
    return tuple(expression(one, src) for one in sides if one is not None and one.type in _NAMES)


_NAMES = frozenset({"identifier", "field_expression"})


def _first_member(container: Node | None) -> Node | None:
    """Where the signature of a container ends."""
    for child in container.children if container is not None else ():
        if child.type == "{":
            return child
    return container


def _container(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    kind = CONTAINERS[node.type]
    yield Definition("", kind, node, node, end_node=node)
    if node.type == "error_set_declaration":
        for one in node.named_children:
            if one.type == "identifier":
                yield Definition(bare(one, src), "constant", one, scope=False, start_node=one, end_node=one)


def _function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return
    words = []
    for child in node.children:
        if child.type == "fn":
            break
        if not child.is_named:
            words.append(child.type)
    if body is None:
        words.append("declaration")
    kind = "method" if inside in OWNERS else "function"
    returns = flat(node.child_by_field_name("type"), src)
    yield Definition(bare(name, src), kind, name, body, modifiers=tuple(words), returns=returns)


def _test(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A test has a sentence, the name of what it documents, or nothing."""
    named = node.named_child(0)
    body = node.named_child(node.named_child_count - 1)
    if named.type == "string":
        row, column = named.start_point
        yield Definition(text(named, src)[1:-1], "test", Place((row, column + 1)), body)
    elif named.type == "identifier":
        yield Definition(bare(named, src), "test", named, body)
    else:
        yield Definition("test", "test", node.child(0), body)


def _field(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    word = bare(name, src)
    if name is not None and name.type == "identifier" and word != "_" and inside not in _CODE:
        written = node.child_by_field_name("type")
        nested = written is not None and written.type in CONTAINERS
        yield Definition(word, "constant" if inside == "enum" else "field", name, scope=nested)


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    **dict.fromkeys(CONTAINERS, _container),
    "variable_declaration": _variable,
    "function_declaration": _function,
    "test_declaration": _test,
    "container_field": _field,
}


# imports

_NAMED = re.compile(
    rb"(?:(pub)\s+)?(?:(?:const|var)\s+(@\"[^\"]+\"|\w+)(?:\s*:[^=]*)?\s*=|(usingnamespace))\s*$"
)
_MEMBERS = re.compile(rb"(?:\.\w+)+(?=\s*;)")
_IMPORTS = {b"@import": "import", b"@cInclude": "include", b"@embedFile": "include"}


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """``const name = @import("x").y`` takes y of x; ``usingnamespace`` takes all; ``pub`` hands it on."""
    found = node.named_child(0)
    kind = _IMPORTS.get(src[found.start_byte : found.end_byte])
    given = node.named_child(1) if node.named_child_count > 1 else None
    if kind is None or given is None or not given.named_child_count:
        return
    module = text(given.named_child(0), src).strip('"')
    line = src.rfind(b"\n", 0, node.start_byte) + 1
    before = _NAMED.search(src, line, node.start_byte)
    if before is None:
        yield Import(module, "", "", line_of(node), kind=kind)
        return
    public, name, everything = before.groups()
    if public:
        kind = "reexport"
    if everything:
        yield Import(module, "*", "", line_of(node), kind=kind)
        return
    members = _MEMBERS.match(src, node.end_byte)
    member = members.group()[1:].decode() if members is not None else ""
    yield Import(module, member, name.decode("utf-8", "replace").strip('@"'), line_of(node), kind=kind)


# uses


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, containers made, the names in types, and names that stand as values; ``.name`` alone is of no known type."""
    return _READERS[node.type](node, src)


def _used(node: Node | None, src: bytes, kind: str) -> tuple[Target, ...]:
    if node is not None:
        if node.type == "identifier":
            return (Target(bare(node, src), "", node, kind),)
        if node.type == "field_expression":
            owner, name = node.child_by_field_name("object"), node.child_by_field_name("member")
            if owner is not None and owner.type in CONTAINERS:
                return (Target(bare(name, src), "", name, kind),)
            if owner is not None and name is not None and not imported(owner, src):
                return (Target(bare(name, src), expression(owner, src), name, kind),)
    return ()


def _call(node: Node, src: bytes) -> Iterator[Target]:
    children = node.named_children
    yield from _used(children[0], src, "call")
    for given in children[1:]:
        yield from _used(given, src, "value")


def _made(node: Node, src: bytes) -> Iterable[Target]:
    return _used(node.named_child(0), src, "new") if node.named_child_count else ()


def _all(node: Node, src: bytes) -> Iterator[Target]:
    for child in node.named_children:
        yield from _used(child, src, "value")


def _right(node: Node, src: bytes) -> Iterable[Target]:
    return _used(node.child_by_field_name("right"), src, "value")


def _typed(node: Node, src: bytes) -> Iterator[Target]:
    """The names in the type of a field, a parameter or a result; a generic one is called."""
    written = node.child_by_field_name("type")
    stack = [written] if written is not None else []
    while stack:
        current = stack.pop()
        if current.type in ("identifier", "field_expression"):
            yield from _used(current, src, "type")
        elif current.type not in CONTAINERS and current.type not in ("call_expression", "builtin_function"):
            stack.extend(reversed(current.named_children))


def _declared(node: Node, src: bytes) -> Iterator[Target]:
    yield from _typed(node, src)
    value = declared(node).value
    if value is not None and not imported(value, src):
        yield from _used(value, src, "value")


_READERS: dict[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "call_expression": _call,
    "struct_initializer": _made,
    "parameter": _typed,
    "container_field": _typed,
    "function_declaration": _typed,
    "variable_declaration": _declared,
    "return_expression": _all,
    "initializer_list": _all,
    "arguments": _all,
    "assignment_expression": _right,
}


# complexity


def decisions(node: Node, src: bytes) -> int:
    """A case of a switch; ``else`` is the last resort."""
    return int(node.child(0).type != "else")
