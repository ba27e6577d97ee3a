"""Swift's imports and uses; its definitions and bindings lie beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.swift.bound import bindings
from trigpoint.languages.swift.defined import definition
from trigpoint.languages.swift.unread import prepare
from trigpoint.languages.swift.words import IMPLICIT, MEMBER, NAME, type_parts
from trigpoint.languages.syntax import Node, Target, children_of_kind, expression, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "definition", "imports", "prepare", "reference"]


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """``import M`` brings all that M offers; ``import struct M.T`` the one type; ``@_exported`` hands it on."""
    line = line_of(node)
    path = "".join(text(next(children_of_kind(node, "identifier"), None), src).split())
    marks = text(next(children_of_kind(node, "modifiers"), None), src)
    kind = "reexport" if "_exported" in marks else "import"
    if any(one.type in _ONE_NAME for one in node.children):
        module, _, name = path.rpartition(".")
        yield Import(module, name, name, line, kind=kind)
    else:
        yield Import(path, "*", "", line, kind=kind)


_ONE_NAME = frozenset({"class", "enum", "func", "let", "protocol", "struct", "typealias", "var"})


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, types, attributes, values given, returned and compared, key paths, custom operators.

    ``.member`` of the expected type has the receiver ``.``.
    """
    return _USES[node.type](node, src)


def _called(node: Node, src: bytes) -> Iterable[Target]:
    """``f(x)`` and ``f { }``; ``items[x]``, which the grammar holds for a call too, is a use of items."""
    count = node.named_child_count
    suffix = node.named_child(count - 1) if count > 1 else None
    given = suffix.child(0) if suffix is not None and suffix.child_count else None
    indexed = given is not None and src[given.start_byte : given.start_byte + 1] == b"["
    return _named(node.named_child(0), src, "value" if indexed else "call") if count else ()


def _named(node: Node | None, src: bytes, kind: str) -> Iterable[Target]:
    """A name, ``owner.name`` or ``.name``; anything else is visited on its own."""
    if node is None:
        return ()
    if node.type == NAME:
        name = text(node, src)
        return (Target(name, "", node, kind),) if name[:1] != "$" else ()
    if node.type == MEMBER:
        suffix = node.child_by_field_name("suffix")
        leaf = suffix.child_by_field_name("suffix") if suffix is not None else None
        if leaf is None or leaf.type != NAME:
            return ()
        owner = node.child_by_field_name("target")
        if owner is not None and owner.type == "key_path_expression":
            return ()
        name, receiver = text(leaf, src), expression(owner, src)
        if name == "self" and kind == "value":
            return (Target(receiver, "", owner, "type"),) if receiver.isidentifier() else ()
        if name == "init" and kind == "value" and receiver[:1].isupper():
            before, _, made = receiver.rpartition(".")
            return (Target(made, before, leaf, "new"),)
        return (Target(name, receiver, leaf, kind),)
    if node.type == IMPLICIT and node.child(0).type == ".":
        leaf = node.child_by_field_name("target")
        return (Target(text(leaf, src), ".", leaf, kind),) if leaf is not None and leaf.type == NAME else ()
    return ()


def _constructed(node: Node, src: bytes) -> Iterable[Target]:
    made = node.child_by_field_name("constructed_type")
    return _type(made, src, "call") if made is not None and made.type == "user_type" else ()


def _type(node: Node, src: bytes, kind: str = "type") -> Iterable[Target]:
    parts = type_parts(node, src)
    if not parts:
        return ()
    name, leaf = parts[-1]
    return (Target(name, ".".join(one for one, _ in parts[:-1]), leaf, kind),)


def _attribute(node: Node, src: bytes) -> Iterator[Target]:
    for one in children_of_kind(node, "user_type"):
        yield from _type(one, src, "decorator")
        break


def _in_field(field: str) -> Callable[[Node, bytes], Iterable[Target]]:
    """The value that stands in one field."""

    def read(node: Node, src: bytes) -> Iterable[Target]:
        return _named(node.child_by_field_name(field), src, "value")

    return read


def _each(node: Node, src: bytes) -> Iterator[Target]:
    """Every child that is a name."""
    for one in node.named_children:
        yield from _named(one, src, "value")


def _initial(node: Node, src: bytes) -> Iterator[Target]:
    for one in node.children_by_field_name("value"):
        yield from _named(one, src, "value")


def _condition(node: Node, src: bytes) -> Iterator[Target]:
    """``.some`` of ``if case .some(let x) = y`` is a member of what is expected."""
    before = ""
    for one in node.children_by_field_name("condition"):
        for target in _named(one, src, "value"):
            yield target._replace(receiver=".") if before == "." else target
        before = one.type


def _only(node: Node, src: bytes) -> Iterable[Target]:
    """The one expression of a body is what it gives."""
    return _named(node.named_child(0), src, "value") if node.named_child_count == 1 else ()


def _key_path(node: Node, src: bytes) -> Iterator[Target]:
    """``\\Type.member`` uses the type and the member."""
    owner = "."
    for one in children_of_kind(node, "type_identifier"):
        owner = text(one, src)
        yield Target(owner, "", one, "type")
    suffix = node.next_sibling
    leaf = suffix.child_by_field_name("suffix") if suffix is not None else None
    if leaf is not None and leaf.type == NAME:
        yield Target(text(leaf, src), owner, leaf, "value")


def _selector(node: Node, src: bytes) -> Iterable[Target]:
    return _named(node.named_child(0) if node.named_child_count else None, src, "value")


def _case(node: Node, src: bytes) -> Iterator[Target]:
    """``.fine``, ``Size.fine`` and plain names that a case is compared with."""
    for pattern in children_of_kind(node, "pattern"):
        children = pattern.children
        for index, one in enumerate(children):
            if one.type == NAME and index and children[index - 1].type == ".":
                yield Target(text(one, src), ".", one, "value")
            elif one.type == MEMBER:
                yield from _named(one, src, "value")


def _macro(node: Node, src: bytes) -> Iterator[Target]:
    for name in children_of_kind(node, NAME):
        yield Target(text(name, src), "", name, "macro")
        break


def _operator(node: Node, src: bytes) -> Iterable[Target]:
    sign = node.child_by_field_name("op")
    if sign is None or sign.type != "custom_operator":
        return ()
    name = text(sign, src)
    return (Target(name, "", sign, "call"),) if name not in _STANDARD else ()


_STANDARD = frozenset(
    {
        "!=",
        "==",
        "!==",
        "===",
        "<=",
        ">=",
        "<",
        ">",
        "&+",
        "&-",
        "&*",
        "&>>",
        "&<<",
        "|",
        "&",
        "^",
        "<<",
        ">>",
    }
)


_USES: dict[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "call_expression": _called,
    "constructor_expression": _constructed,
    "user_type": _type,
    "attribute": _attribute,
    "value_argument": _in_field("value"),
    "control_transfer_statement": _in_field("result"),
    "property_declaration": _initial,
    "assignment": _in_field("result"),
    "array_literal": _each,
    "ternary_expression": _each,
    "nil_coalescing_expression": _each,
    "statements": _only,
    "key_path_expression": _key_path,
    "selector_expression": _selector,
    "switch_pattern": _case,
    "macro_invocation": _macro,
    "infix_expression": _operator,
    "if_statement": _condition,
    "guard_statement": _condition,
    "while_statement": _condition,
}
