"""Kotlin's definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.kotlin.words import BODY, CLASSES, Head, extended, head, name_of, owner_name, type_of
from trigpoint.languages.syntax import Definition, Node, flat, text

ANONYMOUS = "<anonymous>"


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Types, functions, constructors, members and top-level properties, enum entries; extensions by their receiver.

    A companion is ``Companion`` unless it has a name, a constructor ``constructor``, an object expression ``<anonymous>``.
    """
    return _DEFINERS[node.type](node, src, inside)


def _bases(node: Node, src: bytes) -> tuple[str, ...]:
    found = []
    for clause in node.named_children:
        if clause.type == "delegation_specifiers":
            for one in clause.named_children:
                inner = one.named_child(0) if one.named_child_count else None
                if inner is not None and inner.type in ("constructor_invocation", "explicit_delegation"):
                    inner = inner.named_child(0)
                if inner is not None and inner.type == "user_type":
                    found.append(flat(inner, src))
    return tuple(found)


def _body(node: Node, *kinds: str) -> Node | None:
    last = node.named_child(node.named_child_count - 1) if node.named_child_count else None
    return last if last is not None and last.type in kinds else None


def _class(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name = node.child_by_field_name("name")
    if name is None:
        return ()
    written = head(node, src)
    words = written.words
    kind = "class"
    if "enum" in words or "annotation" in words:
        kind = "enum" if "enum" in words else "annotation"
        words = tuple(one for one in words if one != kind)
    else:
        for one in node.children:
            if one.type == "interface":
                kind = "interface"
            elif one.type == "fun":
                words = (*words, "fun")
            elif one.type == "identifier":
                break
    return (_made(node, src, name, kind, written._replace(words=words)),)


def _made(node: Node, src: bytes, name: Node, kind: str, written: Head) -> Definition:
    return Definition(
        text(name, src).strip("`") if name.type == "identifier" else "Companion",
        kind,
        name,
        _body(node, "class_body", "enum_class_body"),
        bases=_bases(node, src),
        decorators=written.decorators,
        modifiers=written.words,
        start_node=written.start,
        end_node=node,
        lead_node=written.lead,
    )


def _object(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name, written = node.child_by_field_name("name"), head(node, src)
    if node.type == "companion_object":
        written = written._replace(words=(*written.words, "companion"))
        name = name or next((one for one in node.children if one.type == "companion"), node)
    return (_made(node, src, name, "object", written),) if name is not None else ()


def _function(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name = node.child_by_field_name("name")
    if name is None:
        return ()
    written = head(node, src)
    body = _body(node, BODY)
    words = written.words if body is not None else (*written.words, "declaration")
    return (
        Definition(
            text(name, src).strip("`"),
            "method" if inside in CLASSES or inside == "constant" else "function",
            name,
            body,
            owner_name(extended(node), src),
            decorators=written.decorators,
            modifiers=words,
            start_node=written.start,
            end_node=node,
            lead_node=written.lead,
        ),
    )


def _constructor(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    written = head(node, src)
    keyword = next((one for one in node.children if one.type == "constructor"), node)
    return (
        Definition(
            "constructor",
            "constructor",
            keyword,
            _body(node, "block"),
            decorators=written.decorators,
            modifiers=written.words,
            start_node=written.start,
            end_node=node,
            lead_node=written.lead,
        ),
    )


_RUNS = frozenset(
    {"getter", "setter", "property_delegate", "lambda_literal", "anonymous_function", "object_literal"}
)
"""What makes a property a scope of its own: it holds code."""


def _property(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    if inside and inside not in CLASSES and inside != "constant":
        return
    written = head(node, src)
    children = node.named_children
    code = next((one for one in children if one.type in _RUNS or _takes_lambda(one)), None)
    body = code if code is not None and code.type in ("getter", "setter", "property_delegate") else None
    owner = extended(node)
    receiver = owner_name(owner, src)
    variables = list(_variables(children))
    inner = len(variables) == 1 and (code is not None or node.start_point[0] < node.end_point[0])
    for variable in variables:
        name = name_of(variable)
        if name is None:
            continue
        called = text(name, src).strip("`")
        constant = "const" in written.words or (inside != "class" and called.isupper())
        yield Definition(
            called if called != "_" else "",
            "constant" if constant else "property" if inside else "variable",
            name,
            body,
            receiver,
            decorators=written.decorators,
            modifiers=written.words,
            scope=inner,
            start_node=written.start,
            end_node=node,
            lead_node=written.lead,
            returns=flat(type_of(variable), src) if owner is not None else "",
        )


def _takes_lambda(node: Node) -> bool:
    """``build { … }``."""
    if node.type != "call_expression":
        return False
    last: str = node.named_child(node.named_child_count - 1).type
    return last == "annotated_lambda"


def _variables(children: list[Node]) -> Iterator[Node]:
    for one in children:
        if one.type == "variable_declaration":
            yield one
        elif one.type == "multi_variable_declaration":
            yield from one.named_children


def _parameter(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """A parameter of the primary constructor with ``val`` or ``var`` is a property."""
    if not any(one.type in ("val", "var") for one in node.children):
        return ()
    name, written = name_of(node), head(node, src)
    if name is None:
        return ()
    return (
        Definition(
            text(name, src).strip("`"),
            "property",
            name,
            decorators=written.decorators,
            modifiers=written.words,
            scope=False,
        ),
    )


def _entry(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name, body = name_of(node), _body(node, "class_body")
    if name is None:
        return ()
    written = head(node, src)
    return (
        Definition(
            text(name, src),
            "constant",
            name,
            body,
            decorators=written.decorators,
            scope=body is not None,
            start_node=name if written.lead is not None else None,
            end_node=node,
            lead_node=written.lead,
        ),
    )


def _alias(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name, written = node.child_by_field_name("type"), head(node, src)
    if name is None:
        return ()
    return (
        Definition(
            text(name, src),
            "type",
            name,
            decorators=written.decorators,
            modifiers=written.words,
            scope=False,
            start_node=written.start,
            end_node=node,
            lead_node=written.lead,
        ),
    )


def _block(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Statements in a class or script: ``init { }``, a lambda, a branch; what they declare is local."""
    if inside and inside not in CLASSES and inside != "constant":
        return ()
    return (Definition("", "block", node, node),)


def _anonymous(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    return (Definition(ANONYMOUS, "class", node, _body(node, "class_body"), bases=_bases(node, src)),)


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "class_declaration": _class,
    "object_declaration": _object,
    "companion_object": _object,
    "function_declaration": _function,
    "secondary_constructor": _constructor,
    "property_declaration": _property,
    "class_parameter": _parameter,
    "enum_entry": _entry,
    "type_alias": _alias,
    "object_literal": _anonymous,
    "block": _block,
    "lambda_literal": _block,
}
