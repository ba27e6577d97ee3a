"""Julia's definitions, imports and uses; bindings are in bindings.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.julia.bindings import bindings
from trigpoint.languages.julia.heads import Head, first, head_of, last, members, type_head
from trigpoint.languages.syntax import (
    Definition,
    Node,
    Target,
    children_of_kind,
    expression,
    leaf_names,
    line_of,
    text,
)
from trigpoint.model import Import

__all__ = ["bindings", "decisions", "definition", "imports", "reference"]

_IDENTIFIERS = frozenset({"identifier"})


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Modules, types and their fields, functions in both forms, macros, and the names of a module."""
    return _DEFINES[node.type](node, src, inside)


def _module(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    if name is not None:
        yield Definition(text(name, src), "module", name)


def _function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    head = head_of(next(children_of_kind(node, "signature"), None), src)
    if head is not None:
        kind = "macro" if node.type == "macro_definition" else _kind(inside)
        yield _code(head, kind, _after(head, node))


def _kind(inside: str) -> str:
    return "constructor" if inside == "struct" else "function"


def _code(head: Head, kind: str, body: Node | None) -> Definition:
    return Definition(
        head.name,
        "method" if head.of_type else kind,
        head.node,
        body,
        prefix=head.owner,
        returns=head.returns,
        modifiers=() if body is not None or kind == "macro" else ("declaration",),
    )


def _after(head: Head, node: Node) -> Node | None:
    """What follows the signature: the first statement of a body."""
    following = [one for one in node.named_children if one.start_byte >= head.end]
    return following[0] if following else None


def _struct(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    head = type_head(node, src)
    if head is None:
        return
    body = next((one for one in node.named_children if one.type != "type_head"), None)
    words = ("mutable",) if src.startswith(b"mutable", node.start_byte) else ()
    yield Definition(head.name, "struct", head.node, body, bases=head.bases, modifiers=words)
    for name, whole in members(node):
        yield Definition(text(name, src), "field", name, scope=False, start_node=whole, end_node=whole)


def _type(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    head = type_head(node, src)
    if head is not None:
        words = ("abstract",) if node.type == "abstract_definition" else ()
        yield Definition(head.name, "type", head.node, bases=head.bases, modifiers=words, scope=False)


def _assignment(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``f(x) = …`` is a function; a name of a module is a variable."""
    left = first(node)
    head = head_of(left, src)
    if head is not None:
        yield _code(head, _kind(inside), last(node))
    elif inside in ("", "module"):
        name = first(left) if left is not None and left.type == "typed_expression" else left
        if name is not None and name.type == "identifier":
            yield Definition(text(name, src), "variable", name, scope=False)


def _constant(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``const X = 3``; the assignment inside defines nothing more, its names being taken."""
    whole = first(node)
    left = first(whole) if whole is not None and whole.type == "assignment" else None
    if left is not None and left.type == "typed_expression":
        left = first(left)
    for name, leaf in leaf_names(left, src, _IDENTIFIERS):
        yield Definition(name, "constant", leaf, scope=False)
    if left is not None:
        yield Definition("", "const", whole)  # what is inside is no variable of the module


def _enumeration(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``@enum Colour red green=2``."""
    word = first(node)
    given = last(node) if text(word, src) == "@enum" and node.named_child_count > 1 else None
    names = [_named(one) for one in given.named_children] if given is not None else []
    known = [one for one in names if one is not None]
    if known:
        yield Definition(text(known[0], src), "enum", known[0], known[1] if len(known) > 1 else None)
        for one in known[1:]:
            yield Definition(text(one, src), "constant", one, scope=False, start_node=one, end_node=one)


def _named(node: Node) -> Node | None:
    while node.type in ("assignment", "typed_expression", "named_argument") and node.named_child_count:
        node = first(node)
    return node if node.type == "identifier" else None


_DEFINES: Mapping[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "module_definition": _module,
    "function_definition": _function,
    "macro_definition": _function,
    "struct_definition": _struct,
    "abstract_definition": _type,
    "primitive_definition": _type,
    "assignment": _assignment,
    "const_statement": _constant,
    "macrocall_expression": _enumeration,
}


def imports(node: Node, src: bytes) -> Iterable[Import]:
    """``using``, ``import``, ``include("file.jl")`` and what a module exports."""
    if node.type == "call_expression":
        return _included(node, src)
    if node.type in ("export_statement", "public_statement"):
        return [Import("", text(one, src), "", line_of(node), kind="export") for one in node.named_children]
    return _imported(node, src)


def _included(node: Node, src: bytes) -> Iterator[Import]:
    if src.startswith(b"include(", node.start_byte):
        path = text(node, src)[len("include(") :].rstrip(") ").strip()
        if path.startswith('"') and path.endswith('"'):
            yield Import(path.strip('"'), "", "", line_of(node), kind="include")


def _imported(node: Node, src: bytes) -> Iterator[Import]:
    whole = node.type == "using_statement"
    for one in node.named_children:
        line = line_of(one)
        if one.type == "selected_import":
            module, *names = one.named_children
            for name in names:
                written, alias = _alias(name, src)
                yield Import(text(module, src), written, alias, line)
            continue
        module, alias = _alias(one, src)
        yield Import(module, "", alias.rpartition(".")[2], line)
        if whole:
            yield Import(module, "*", "", line)


def _alias(node: Node, src: bytes) -> tuple[str, str]:
    if node.type == "import_alias" and node.named_child_count == 2:
        return text(first(node), src), text(node.named_child(1), src)
    return text(node, src), text(node, src)


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, macros and types; the name of a definition is none of them."""
    return _USES[node.type](node, src)


def _head(node: Node, src: bytes) -> Iterator[Target]:
    """The call that a signature looks like is no call."""
    head = head_of(node if node.type == "signature" else first(node), src)
    if head is not None:
        yield Target("", "", head.node)


def _call(node: Node, src: bytes) -> Iterator[Target]:
    called = first(node)
    while called is not None and called.type == "parametrized_type_expression":
        called = first(called)
    if called is not None and called.type == "identifier":
        yield Target(text(called, src), "", called)
    elif called is not None and called.type == "field_expression":
        name = last(called)
        if name is not None:
            yield Target(text(name, src), expression(called.child_by_field_name("value"), src), name)


def _macro(node: Node, src: bytes) -> Iterator[Target]:
    word = next(children_of_kind(node, "macro_identifier"), None)  # Base.@kwdef has a name before it
    for name, leaf in leaf_names(word, src, _IDENTIFIERS):
        yield Target(name, "", leaf, "macro")


def _typed(node: Node, src: bytes) -> Iterator[Target]:
    for name, leaf in leaf_names(last(node), src, _IDENTIFIERS):
        yield Target(name, "", leaf, "type")


_USES: Mapping[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "signature": _head,
    "assignment": _head,
    "call_expression": _call,
    "broadcast_call_expression": _call,
    "macrocall_expression": _macro,
    "typed_expression": _typed,
    "unary_typed_expression": _typed,
}


def decisions(node: Node, src: bytes) -> int:
    """``&&`` and ``||`` are branches."""
    operator = node.child(1)
    return int(operator is not None and src[operator.start_byte : operator.end_byte] in (b"&&", b"||"))
