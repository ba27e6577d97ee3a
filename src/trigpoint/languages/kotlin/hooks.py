"""Kotlin's imports and uses; its definitions and bindings lie beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.kotlin.annotations import before, uses
from trigpoint.languages.kotlin.bound import bindings
from trigpoint.languages.kotlin.defined import definition
from trigpoint.languages.kotlin.unread import prepare
from trigpoint.languages.kotlin.words import BODY, LITERALS, VALUES, type_names
from trigpoint.languages.syntax import Node, Target, children_of_kind, expression, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "decisions", "definition", "imports", "prepare", "reference"]


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """``import a.b.C as D`` takes C from a.b under the name D."""
    line = line_of(node)
    path = next(children_of_kind(node, "qualified_identifier", "identifier"), None)
    dotted = "".join(text(path, src).split())
    if node.type == "package_header":
        yield Import(dotted, "", "", line, kind="package")
        return
    module, _, name = dotted.rpartition(".")
    last = node.child(node.child_count - 1)
    if last.type == "*":
        yield Import(dotted, "*", "", line)
    else:
        renamed = last.type == "identifier" and last != path
        yield Import(module, name, text(last, src) if renamed else name, line)


def decisions(node: Node, src: bytes) -> int:
    """A case of ``when`` is a branch, its ``else`` is none."""
    return int(node.child(0).type != "else")


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Types, annotations, values given and compared, ``::f``, infix calls and calls of another constructor."""
    return _USES[node.type](node, src)


def _type(node: Node, src: bytes) -> Iterable[Target]:
    if node.named_child_count == 1:
        only = node.named_child(0)
        return (Target(text(only, src), "", only, "type"),) if only.type == "identifier" else ()
    names = list(type_names(node, src))
    if not names:
        return ()
    name, leaf = names[-1]
    return (Target(name, ".".join(one for one, _ in names[:-1]), leaf, "type"),)


def _annotation(node: Node, src: bytes) -> Iterator[Target]:
    for one in node.named_children:
        if one.type == "constructor_invocation":
            one = one.named_child(0)
        if one is not None and one.type == "user_type":
            for target in _type(one, src):
                yield target._replace(kind="decorator")


def _as_value(node: Node, src: bytes) -> Iterable[Target]:
    if node.type == "identifier":
        name = text(node, src)
        return (Target(name, "", node, "value"),) if name not in LITERALS else ()
    if node.type != "navigation_expression" or node.child(1).type == "::":
        return ()
    name = node.named_child(node.named_child_count - 1)
    return (Target(text(name, src), expression(node.named_child(0), src), name, "value"),)


def _last(node: Node, src: bytes) -> Iterable[Target]:
    """The value of an argument, which may have a name before it, or of a property."""
    count = node.named_child_count
    last = node.named_child(count - 1) if count else None
    return _as_value(last, src) if last is not None and last.type in VALUES else ()


def _declared(node: Node, src: bytes) -> Iterator[Target]:
    yield from _last(node, src)
    yield from _annotated(node, src)


def _annotated(node: Node, src: bytes) -> Iterable[Target]:
    """Annotations that the parser did not see."""
    unparsed = before(node, src)
    return uses(unparsed) if unparsed is not None else ()


def _values(node: Node, src: bytes) -> Iterator[Target]:
    """Names that a case is compared with, that are returned or listed."""
    for one in node.named_children:
        if one.type in VALUES:
            yield from _as_value(one, src)


def _callable(node: Node, src: bytes) -> Iterable[Target]:
    """``T::f`` is the value f of T; ``T::class`` uses T."""
    if node.child(1).type != "::":
        return ()
    owner, name = node.named_child(0), node.named_child(node.named_child_count - 1)
    if name.type != "identifier" or text(name, src) != "class":
        return (Target(text(name, src), expression(owner, src), name, "value"),)
    whole = expression(owner, src)
    before, _, last = whole.rpartition(".")
    if not last[:1].isupper() or owner.type not in VALUES:
        return ()
    at = owner if owner.type == "identifier" else owner.named_child(owner.named_child_count - 1)
    return (Target(last, before, at, "type"),)


def _bare_callable(node: Node, src: bytes) -> Iterable[Target]:
    parts = [one for one in node.named_children if one.type in ("identifier", "user_type")]
    if not parts:
        return ()
    receiver = expression(parts[0], src) if len(parts) > 1 else ""
    return (Target(text(parts[-1], src), receiver, parts[-1], "value"),)


def _infix(node: Node, src: bytes) -> Iterable[Target]:
    if node.named_child_count != 3:
        return ()
    name = node.named_child(1)
    return (Target(text(name, src), expression(node.named_child(0), src), name, "call"),)


def _delegated(node: Node, src: bytes) -> Iterable[Target]:
    word = node.child(0)
    return (Target(text(word, src), "", word, "call"),)


_USES: dict[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "user_type": _type,
    "annotation": _annotation,
    "value_argument": _last,
    "property_declaration": _declared,
    "class_declaration": _annotated,
    "object_declaration": _annotated,
    "function_declaration": _annotated,
    "type_alias": _annotated,
    **dict.fromkeys(
        (
            "when_entry",
            "return_expression",
            BODY,
            "throw_expression",
            "collection_literal",
            "spread_expression",
        ),
        _values,
    ),
    "navigation_expression": _callable,
    "callable_reference": _bare_callable,
    "infix_expression": _infix,
    "constructor_delegation_call": _delegated,
}
