"""Scala's definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.scala.words import (
    ANONYMOUS,
    CLASSES,
    OWNERS,
    Head,
    end_of,
    given_name,
    head,
    made,
    pattern_names,
    plain,
    type_name,
)
from trigpoint.languages.syntax import Definition, Node, children_of_kind, flat, text


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Types, objects, functions, vals and vars outside of functions, givens, extensions by their type, anonymous classes.

    A second constructor is ``this``, an anonymous given has the name that the compiler gives it.
    """
    return _DEFINERS[node.type](node, src, inside)


def _made(node: Node, name: Node, called: str, kind: str, written: Head) -> Definition:
    return Definition(
        called,
        kind,
        name,
        node.child_by_field_name("body"),
        decorators=written.decorators,
        modifiers=written.words,
        start_node=written.start,
        end_node=written.end,
        lead_node=node if written.start is not None else None,
    )


def _bases(node: Node, src: bytes) -> tuple[str, ...]:
    clause = node.child_by_field_name("extend")
    found = [] if clause is None else [one for one in clause.children_by_field_name("type") if one.is_named]
    flattened = []
    for one in found:
        parts = one.named_children if one.type == "compound_type" else [one]
        flattened += [
            part.named_child(0) if part.type == "applied_constructor_type" else part for part in parts
        ]
    return tuple(flat(one, src) for one in flattened if one.type != "refinement")


def _type(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A type, and the fields that its constructor makes: those with val or var, and all of a case class."""
    name, written = node.child_by_field_name("name"), head(node, src)
    if name is None:
        return
    kind = _TYPES[node.type]
    if node.type == "package_object":
        written = written._replace(words=(*written.words, "package"))
    yield _made(node, name, plain(name, src), kind, written)._replace(bases=_bases(node, src))
    yield from _fields(node, src, "case" in written.words or node.type == "full_enum_case")


_TYPES = {
    "class_definition": "class",
    "object_definition": "object",
    "package_object": "object",
    "trait_definition": "trait",
    "enum_definition": "enum",
    "simple_enum_case": "constant",
    "full_enum_case": "constant",
}


def _fields(node: Node, src: bytes, case: bool) -> Iterator[Definition]:
    for given in node.children_by_field_name("class_parameters"):
        for one in children_of_kind(given, "class_parameter"):
            name = one.child_by_field_name("name")
            if name is not None and (case or any(word.type in ("val", "var") for word in one.children)):
                words = head(one, src).words
                yield Definition(
                    plain(name, src),
                    "field",
                    name,
                    modifiers=words,
                    scope=False,
                    start_node=one,
                    end_node=one,
                )
        case = False  # only the first list


def _function(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name, written = node.child_by_field_name("name"), head(node, src)
    if name is None:
        return ()
    kind = "method" if inside in CLASSES or inside == "constant" else "function"
    called = plain(name, src)
    if called == "this":
        kind = "constructor"
    if node.type == "function_declaration":
        written = written._replace(words=(*written.words, "declaration"))
    return (_made(node, name, called, kind, written),)


_RUNS = frozenset(
    {"lambda_expression", "case_block", "block", "indented_block", "instance_expression", "match_expression"}
)
"""Values that hold code, whose calls are then those of the val."""


def _value(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    if inside not in OWNERS:
        return
    written = head(node, src)
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    given = node.child_by_field_name("value")
    runs = given is not None and (
        given.type in _RUNS or (given.type == "call_expression" and _takes_code(given))
    )
    body = given if given is not None and given.type in ("block", "indented_block", "case_block") else None
    fixed = "val" in node.type and inside in ("object", "")
    names = [one for one in pattern_names(pattern, src, top=True) if one.end_byte > one.start_byte]
    inner = len(names) == 1 and (runs or node.start_point[0] < node.end_point[0])
    for name in names:
        called = plain(name, src)
        constant = fixed and called[0].isupper()
        kind = "constant" if constant else "field" if inside else "variable"
        yield _made(node, name, called, kind, written)._replace(body=body, scope=inner)


def _takes_code(call: Node) -> bool:
    arguments = call.child_by_field_name("arguments")
    return arguments is not None and arguments.type in ("block", "case_block", "colon_argument")


def _alias(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name = node.child_by_field_name("name")
    if name is None or inside not in OWNERS:
        return ()
    return (_made(node, name, plain(name, src), "type", head(node, src))._replace(scope=False),)


def _given(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    name, result = node.child_by_field_name("name"), node.child_by_field_name("return_type")
    body = node.child_by_field_name("body")
    called = plain(name, src) if name is not None else given_name(node, src)
    place = name or result
    if place is None:
        return ()
    bases = (
        (flat(result, src),)
        if result is not None and body is not None and body.type == "with_template_body"
        else ()
    )
    return (_made(node, place, called, "given", head(node, src))._replace(bases=bases),)


def _extension(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    for given in node.children_by_field_name("parameters"):
        for one in children_of_kind(given, "parameter"):
            extended = one.child_by_field_name("type")
            body = node.child_by_field_name("body")
            owner, _, called = type_name(extended, src).rpartition(".")
            if extended is not None and called:
                return (
                    Definition(called, "extension", extended, body, prefix=owner, end_node=end_of(node, src)),
                )
            return ()
    return ()


def _anonymous(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``new Foo with Bar { … }``."""
    body = next(children_of_kind(node, "template_body", "early_defs"), None)
    if body is None or not body.named_child_count:
        return ()
    bases = [made(node, src)]
    for joined in children_of_kind(node, "compound_type"):
        bases += [flat(one, src) for one in joined.children_by_field_name("extra")]
    return (
        Definition(
            ANONYMOUS,
            "class",
            node,
            body,
            bases=tuple(one for one in bases if one),
            end_node=end_of(node, src),
        ),
    )


def _block(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Statements that stand in a type, as in most tests: their vals are locals."""
    return (Definition("", "block", node, node),) if inside in OWNERS else ()


def _package(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``package a { … }``; without braces the whole file is in it."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None or body is None:
        return ()
    return (Definition("".join(text(name, src).split()), "package", name, body, end_node=end_of(node, src)),)


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    **dict.fromkeys(_TYPES, _type),
    **dict.fromkeys(("block", "indented_block", "case_block", "indented_cases", "colon_argument"), _block),
    "package_clause": _package,
    "function_definition": _function,
    "function_declaration": _function,
    "val_definition": _value,
    "var_definition": _value,
    "val_declaration": _value,
    "var_declaration": _value,
    "type_definition": _alias,
    "given_definition": _given,
    "extension_definition": _extension,
    "instance_expression": _anonymous,
}
