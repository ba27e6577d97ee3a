"""What Scala's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.scala.words import (
    CLASSES,
    NAMES,
    cast,
    names_of,
    pattern_names,
    plain,
    value,
    written,
)
from trigpoint.languages.syntax import Node, children_of_kind, flat, line_of
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """What names are bound to; ``val (a, b) = f()`` binds a to ``f()[0]``, a pattern with a type says the type."""
    return _BINDERS[node.type](node, src, inside)


def _value(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    kind = "attribute" if inside in CLASSES else "assign"
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    given = node.child_by_field_name("value")
    made = cast(given, src)
    annotation, whole = flat(node.child_by_field_name("type"), src) or made, "" if made else value(given, src)
    if pattern is not None:
        yield from _unpacked(pattern, kind, whole, annotation, src)


def _unpacked(pattern: Node, kind: str, whole: str, annotation: str, src: bytes) -> Iterator[Binding]:
    if pattern.type in NAMES or pattern.type == "identifiers":
        for name in pattern_names(pattern, src, top=True):
            yield Binding(plain(name, src), kind, whole, annotation, line_of(name))
    elif pattern.type == "tuple_pattern":
        for index, one in enumerate(pattern.named_children):
            if one.type == "identifier":
                yield Binding(plain(one, src), kind, f"{whole}[{index}]" if whole else "", "", line_of(one))
            else:
                yield from _matched(one, kind, src)
    else:
        yield from _matched(pattern, kind, src)


def _matched(pattern: Node, kind: str, src: bytes) -> Iterator[Binding]:
    """Names of a pattern; ``x: T`` and ``x @ T(…)`` tell what x is."""
    stack = [pattern]
    while stack:
        current = stack.pop()
        part = current.type
        if part == "typed_pattern" or part == "capture_pattern":
            name = current.child_by_field_name("name" if part == "capture_pattern" else "pattern")
            inner = current.child_by_field_name("pattern") if part == "capture_pattern" else None
            typed = current if inner is None else inner
            if name is not None and name.type == "identifier":
                yield Binding(
                    plain(name, src), kind, "", flat(typed.child_by_field_name("type"), src), line_of(name)
                )
            elif name is not None:
                stack.append(name)
            if inner is not None:
                stack += [one for one in inner.children_by_field_name("pattern") if one.is_named]
        else:
            for name in pattern_names(current, src) if part == "identifier" else ():
                yield Binding(plain(name, src), kind, "", "", line_of(name))
            if part in _NESTED:
                fields = (
                    current.children_by_field_name("pattern")
                    if part == "case_class_pattern"
                    else current.named_children
                )
                stack.extend(one for one in reversed(fields) if one.is_named)


_NESTED = frozenset(
    {"case_class_pattern", "tuple_pattern", "infix_pattern", "alternative_pattern", "named_pattern"}
)


def _case(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        yield from _matched(pattern, "assign", src)


def _generator(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``x <- items`` binds an item, ``x = f()`` the value."""
    parts = [one for one in node.named_children if one.type != "guard" and "comment" not in one.type]
    if len(parts) > 1:
        sign = "assign" if any(one.type == "=" for one in node.children) else "for"
        yield from _unpacked(parts[0], sign, value(parts[1], src), "", src)


def _lambda(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    field = "lambda_start" if node.type == "colon_argument" else "parameters"
    for given in node.children_by_field_name(field):
        if given.type == "identifier":
            yield Binding(plain(given, src), "param", "", "", line_of(given))
        for one in children_of_kind(given, "binding"):
            name = one.child_by_field_name("name")
            if name is not None:
                yield Binding(
                    plain(name, src), "param", "", flat(one.child_by_field_name("type"), src), line_of(name)
                )


def _assigned(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    left = node.child_by_field_name("left")
    if left is None or left.type != "field_expression":
        return ()
    return (
        Binding(
            written(left, src), "attribute", value(node.child_by_field_name("right"), src), "", line_of(node)
        ),
    )


def _self(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``self: Other =>`` names the instance, which is an Other too."""
    name = node.named_child(0) if node.named_child_count else None
    if name is not None and name.type == "identifier" and plain(name, src) != "_":
        typed = flat(node.named_child(1), src) if node.named_child_count > 1 else ""
        called = plain(name, src)
        yield Binding(called, "alias", "this" if called != "this" else "", typed, line_of(name))


def _alias(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name, written = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is not None and written is not None:
        yield Binding(plain(name, src), "alias", "", flat(written, src), line_of(name))


def _given(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    name = node.child_by_field_name("name")
    if name is not None:
        kind = "attribute" if inside in CLASSES else "assign"
        yield Binding(
            plain(name, src), kind, "", flat(node.child_by_field_name("return_type"), src), line_of(name)
        )


def _type(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type and constructor parameters, the fields among them as attributes; each case of an enum is a value of it."""
    yield from _type_parameters(node, src)
    case = node.type == "full_enum_case" or any(one.type == "case" for one in node.children)
    for given in node.children_by_field_name("class_parameters"):
        for one in children_of_kind(given, "class_parameter"):
            name = one.child_by_field_name("name")
            kept = case or any(word.type in ("val", "var") for word in one.children)
            if name is not None:
                typed = flat(one.child_by_field_name("type"), src)
                yield Binding(plain(name, src), "attribute" if kept else "param", "", typed, line_of(name))
        case = False
    if node.type == "enum_definition":
        owner = plain(node.child_by_field_name("name"), src)
        for listed in children_of_kind(node.child_by_field_name("body"), "enum_case_definitions"):
            for one in listed.named_children:
                name = one.child_by_field_name("name")
                if name is not None:
                    yield Binding(plain(name, src), "attribute", "", owner, line_of(name))


def _type_parameters(node: Node, src: bytes) -> Iterator[Binding]:
    for given in children_of_kind(node, "type_parameters"):
        bounds: list[tuple[Node, str]] = []
        for one in given.named_children:
            if one.type == "identifier":
                bounds.append((one, ""))
            elif one.type in ("upper_bound", "context_bound") and bounds:
                bounds[-1] = (bounds[-1][0], flat(one.child_by_field_name("type"), src))
            elif one.type.endswith("variant_type_parameter"):
                bounds += [(name, "") for name in names_of(one)]
        for name, bound in bounds:
            yield Binding(plain(name, src), "param", "", bound, line_of(name))


def _function(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters, parameters of all lists, and what it returns: the declared type, else what its body gives."""
    yield from _type_parameters(node, src)
    for given in children_of_kind(node, "parameters"):
        for one in children_of_kind(given, "parameter"):
            name = one.child_by_field_name("name")
            if name is not None:
                typed = flat(one.child_by_field_name("type"), src)
                yield Binding(plain(name, src), "param", "", typed.removeprefix("=> "), line_of(name))
    if not node.type.startswith("function"):
        return
    result, body = node.child_by_field_name("return_type"), node.child_by_field_name("body")
    if plain(node.child_by_field_name("name"), src) == "this":
        return
    if result is not None:
        yield Binding("", "return", "", flat(result, src), line_of(result))
    elif body is not None and (given_back := value(body, src)):
        yield Binding("", "return", given_back, "", line_of(body))


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "val_definition": _value,
    "var_definition": _value,
    "val_declaration": _value,
    "var_declaration": _value,
    "type_definition": _alias,
    "given_definition": _given,
    "enumerator": _generator,
    "case_clause": _case,
    "catch_clause": _case,
    "lambda_expression": _lambda,
    "colon_argument": _lambda,
    "assignment_expression": _assigned,
    "self_type": _self,
    "class_definition": _type,
    "trait_definition": _type,
    "enum_definition": _type,
    "full_enum_case": _type,
    "function_definition": _function,
    "function_declaration": _function,
    "extension_definition": _function,
}
