"""Swift's definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.swift.words import CLASSES, NAME, bound_names, head, made_by_closure, type_parts
from trigpoint.languages.syntax import Definition, Node, flat, text


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Types, extensions by the extended type, functions, ``init``, ``deinit``, ``subscript``, properties, cases, operators."""
    return _DEFINERS[node.type](node, src, inside)


def _bases(node: Node, src: bytes) -> tuple[str, ...]:
    return tuple(
        flat(one.child_by_field_name("inherits_from"), src)
        for one in node.named_children
        if one.type == "inheritance_specifier"
    )


def _type(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``actor`` is a class; the parts before the last of ``extension Outer.Inner`` qualify it."""
    name, word = node.child_by_field_name("name"), text(node.child_by_field_name("declaration_kind"), src)
    if name is None:
        return ()
    written = head(node, src)
    prefix, words = "", tuple(one for one in written.words if one != word)
    called = text(name, src).strip("`")
    if word == "extension":
        parts = type_parts(name, src)
        if parts:
            called, name = parts[-1]
            prefix = ".".join(one for one, _ in parts[:-1])
    elif word == "actor":
        word, words = "class", (*words, "actor")
    return (
        Definition(
            called,
            word,
            name,
            node.child_by_field_name("body"),
            prefix=prefix,
            bases=_bases(node, src),
            decorators=written.decorators,
            modifiers=words,
            start_node=written.start,
            end_node=node,
            lead_node=node if written.start is not None else None,
        ),
    )


def _callable(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    kind = "method" if inside in CLASSES else "function"
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if node.type == "init_declaration":
        kind = "constructor"
    elif node.type in _KEYWORDS:
        name = next((one for one in node.children if one.type == _KEYWORDS[node.type]), node)
        body = body or next((one for one in node.named_children if one.type == "computed_property"), None)
        kind = "method"
    if name is None:
        return ()
    written = head(node, src)
    bodiless = body is None or inside == "protocol"
    return (
        Definition(
            text(name, src).strip("`"),
            kind,
            name,
            body,
            decorators=written.decorators,
            modifiers=(*written.words, "declaration") if bodiless else written.words,
            start_node=written.start,
            end_node=node,
            lead_node=node if written.start is not None else None,
        ),
    )


_KEYWORDS = {"deinit_declaration": "deinit", "subscript_declaration": "subscript"}


def _property(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``static let`` and ``let`` outside of types are constants."""
    if inside and inside not in CLASSES:
        return
    written = head(node, src)
    constant, code, patterns, made = False, None, [], False
    for one in node.named_children:
        part = one.type
        if part == "value_binding_pattern":
            constant = text(one, src) == "let"
        elif part == "pattern":
            patterns.append(one)
        elif part == "computed_property" or part == "willset_didset_block":
            code = one
        elif part == "lambda_literal" or part == "call_expression":
            made = made or made_by_closure(one)
    if inside:
        constant = constant and ("static" in written.words or "class" in written.words)
    kind = "constant" if constant else "property" if inside else "variable"
    names = [name for pattern in patterns for name in bound_names(pattern)]
    inner = len(names) == 1 and (code is not None or made or node.start_point[0] < node.end_point[0])
    for name in names:
        yield Definition(
            text(name, src).strip("`"),
            kind,
            name,
            code,
            decorators=written.decorators,
            modifiers=written.words,
            scope=inner,
            start_node=written.start,
            end_node=node,
            lead_node=node if written.start is not None else None,
        )


def _required(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    written = head(node, src)
    pattern = node.child_by_field_name("name")
    for name in bound_names(pattern) if pattern is not None else ():
        words = (*written.words, "declaration")
        yield Definition(text(name, src).strip("`"), "property", name, modifiers=words, scope=False)


def _cases(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    written = head(node, src)
    for one in node.children_by_field_name("name"):
        if one.type == NAME:
            yield Definition(
                text(one, src).strip("`"),
                "constant",
                one,
                decorators=written.decorators,
                modifiers=written.words,
                scope=False,
                start_node=written.start,
                end_node=node,
                lead_node=node if written.start is not None else None,
            )


def _alias(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name, written = node.child_by_field_name("name"), head(node, src)
    return (
        (Definition(text(name, src), "type", name, modifiers=written.words, scope=False),)
        if name is not None
        else ()
    )


def _named(kind: str, *names: str) -> Callable[[Node, bytes, str], Iterable[Definition]]:
    """A definition whose name is its first child of these kinds."""

    def define(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
        name = next((one for one in node.named_children if one.type in names), None)
        if name is None:
            return ()
        written = head(node, src)
        return (
            Definition(
                text(name, src),
                kind,
                name,
                node.child_by_field_name("definition"),
                decorators=written.decorators,
                modifiers=written.words,
                scope=kind == "macro",
                start_node=written.start,
                end_node=node,
                lead_node=node if written.start is not None else None,
            ),
        )

    return define


def _block(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Statements in a closure or a branch that no function holds: what they declare is local."""
    return (Definition("", "block", node, node),) if not inside or inside in CLASSES else ()


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "class_declaration": _type,
    "protocol_declaration": _type,
    "function_declaration": _callable,
    "protocol_function_declaration": _callable,
    "init_declaration": _callable,
    "deinit_declaration": _callable,
    "subscript_declaration": _callable,
    "property_declaration": _property,
    "protocol_property_declaration": _required,
    "enum_entry": _cases,
    "typealias_declaration": _alias,
    "associatedtype_declaration": _alias,
    "operator_declaration": _named("operator", "custom_operator"),
    "precedence_group_declaration": _named("type", NAME),
    "macro_declaration": _named("macro", NAME),
    "statements": _block,
}
