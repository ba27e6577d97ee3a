"""What Ruby defines: modules, classes, methods, constants, and what its macros define by symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.ruby.bodies import BODIES, mixed_in, regions, word_before, words_of
from trigpoint.languages.ruby.macros import WITH_FIELDS, built_by, called, fields_named
from trigpoint.languages.ruby.names import CONSTANTS, as_prefix, name_place, parted
from trigpoint.languages.syntax import Definition, Node, Place, expression, text


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Definitions of every form that gives a name.

    ``inside`` is "", "method", or the kind of a body with the word that its methods stand under: "class private".
    """
    kind = node.type
    if inside in _IN_METHODS and kind in _FOR_BODIES and not src.startswith(_ANYWHERE, node.start_byte):
        return ()
    return _DEFINERS[kind](node, src, inside)


_IN_METHODS = frozenset({"method", "function", "constructor"})
_FOR_BODIES = frozenset({"call", "assignment", "operator_assignment"})
_ANYWHERE = (
    b"Class.new",
    b"Module.new",
    b"Struct.new",
    b"Data.define",
    b"define_method",
    b"define_singleton_method",
)
"""Starts of calls that may define something inside a method."""


# modules and classes


def _container(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    written = node.child_by_field_name("name")
    if written is None:
        return
    name, prefix, leaf = parted(written, src)
    kind, body = node.type, node.child_by_field_name("body")
    above = node.child_by_field_name("superclass")
    made = above.named_child(0) if above is not None and above.named_child_count else None
    built = built_by(made, src)
    bases = [built[1]] if built else [expression(made, src)] if made is not None else []
    bases += mixed_in(body, src)
    yield Definition(name, kind, leaf, body, prefix=as_prefix(prefix), bases=tuple(bases))
    if built and built[1] in WITH_FIELDS:
        yield from fields_named(made, src)
    yield from regions(body, src, kind)


def _singleton(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``class << self``: its methods are those of the class around it."""
    yield Definition("", "singleton", node)
    yield from regions(node.child_by_field_name("body"), src, "singleton")


# methods


def _method(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    if name is None:
        return
    owner = node.child_by_field_name("object")
    words = words_of(node, src, inside)
    receiver = ""
    if owner is not None:
        written = text(owner, src)
        if owner.type == "self" or (owner.type == "constant" and _is_class_around(node, written, src)):
            kept = [one for one in words if one != "private" or word_before(node, src)]
            words = (*kept, "static")
        else:
            words, receiver = (*words, "static"), written
    said = text(name, src)
    kind = "constructor" if said == "initialize" and inside and not receiver else "method"
    if not inside and owner is None:
        kind = "function"
    body = node.child_by_field_name("body")
    yield Definition(said, kind, name, body, receiver, modifiers=tuple(dict.fromkeys(words)))


def _is_class_around(node: Node, name: str, src: bytes) -> bool:
    around = node.parent.parent if node.parent is not None else None
    written = around.child_by_field_name("name") if around is not None else None
    return written is not None and parted(written, src)[0] == name


# constants and variables

_OWN_VARIABLES = frozenset({"class_variable", "instance_variable"})


def _assigned(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    left = node.child_by_field_name("left")
    kind = left.type if left is not None else ""
    if kind in CONSTANTS:
        return _constant(node, left, src)
    if kind == "left_assignment_list":
        return [
            _plain(text(one, src), "constant", one, node)
            for one in left.named_children
            if one.type == "constant"
        ]
    if kind == "global_variable" and (not inside or inside.startswith(BODIES)):
        return (_plain(text(left, src), "variable", left, node),)
    if kind in _OWN_VARIABLES and inside.startswith(BODIES) and _stands_in_body(node):
        return (_plain(text(left, src), "field", left, node),)
    return ()


def _plain(name: str, kind: str, leaf: Node, node: Node) -> Definition:
    return Definition(name, kind, leaf, scope=False, end_node=_with_heredoc(node))


def _stands_in_body(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "body_statement"


def _with_heredoc(node: Node) -> Node:
    """Where a statement ends: the texts of its heredocs stand after it."""
    after = node.next_named_sibling
    while after is not None and after.type == "heredoc_body":
        node, after = after, after.next_named_sibling
    return node


def _constant(node: Node, left: Node, src: bytes) -> Iterator[Definition]:
    name, prefix, leaf = parted(left, src)
    if leaf.type != "constant":
        return
    right = node.child_by_field_name("right")
    built = built_by(right, src)
    if not built:
        scope = right is not None and (right.type == "lambda" or _has_block(right))
        yield Definition(
            name, "constant", leaf, prefix=as_prefix(prefix), scope=scope, end_node=_with_heredoc(node)
        )
        return
    kind, base = built
    block = right.child_by_field_name("block")
    body = block.child_by_field_name("body") if block is not None else None
    bases = (*([base] if base else []), *mixed_in(body, src))
    yield Definition(name, kind, leaf, body, prefix=as_prefix(prefix), bases=bases)
    if base in WITH_FIELDS:
        yield from fields_named(right, src)
    yield from regions(body, src, kind)


def _has_block(node: Node) -> bool:
    return node.type == "call" and node.child_by_field_name("block") is not None


def _aliased(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    said = text(name, src)
    if name is not None and not said.startswith("$"):
        leaf = Place(name_place(name)) if said.startswith(":") else name
        yield Definition(said.lstrip(":"), "method", leaf, scope=False, modifiers=words_of(node, src, inside))


_DEFINERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "module": _container,
    "class": _container,
    "singleton_class": _singleton,
    "method": _method,
    "singleton_method": _method,
    "assignment": _assigned,
    "operator_assignment": _assigned,
    "alias": _aliased,
    "call": called,
}
