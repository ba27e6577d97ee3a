"""What Swift's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.swift.words import (
    CLASSES,
    MEMBER,
    NAME,
    bound_names,
    cast,
    let_names,
    type_after,
    value,
)
from trigpoint.languages.syntax import Node, children_of_kind, expression, flat, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """What names are bound to; ``let (a, b) = f()`` binds a to ``f()[0]``, ``if let x`` narrows x to itself."""
    return _BINDERS[node.type](node, src, inside)


def _declared(node: Node | None, src: bytes) -> str:
    return flat(node, src).lstrip(": ") if node is not None else ""


def _bound(pattern: Node, whole: str, annotation: str, kind: str, src: bytes) -> Iterator[Binding]:
    names = list(bound_names(pattern))
    for index, name in enumerate(names):
        part = whole if len(names) == 1 else f"{whole}[{index}]" if whole else ""
        called = text(name, src).strip("`")
        yield Binding(called, kind, part, annotation if len(names) == 1 else "", line_of(name))


def _property(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    kind = "attribute" if inside in CLASSES else "assign"
    pattern, annotation, given = None, "", False
    for one in node.children:
        part = one.type
        if part == "pattern" and not given:
            if pattern is not None:
                yield from _bound(pattern, "", annotation, kind, src)
            pattern, annotation = one, ""
        elif part == "type_annotation":
            annotation = _declared(one, src)
        elif part == "=":
            given = True
        elif given and pattern is not None and "comment" not in part:
            yield from _bound(pattern, value(one, src), annotation or cast(one, src), kind, src)
            pattern, given = None, False
    if pattern is not None:
        yield from _bound(pattern, "", annotation, kind, src)


def _required(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    pattern = node.child_by_field_name("name")
    annotation = _declared(next(children_of_kind(node, "type_annotation"), None), src)
    if pattern is not None:
        yield from _bound(pattern, "", annotation, "attribute", src)


def _alias(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """An associated type is a parameter with a bound, a typealias another name."""
    names = node.children_by_field_name("name")
    if names:
        kind = "alias" if node.type == "typealias_declaration" else "param"
        yield Binding(
            text(names[0], src), kind, "", flat(names[1], src) if len(names) > 1 else "", line_of(names[0])
        )


def _conditions(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """``if let a = f(), case .some(let b) = c``; ``if let a`` alone binds nothing new."""
    names: list[Node] = []
    annotation, let, given, case = "", False, False, False
    for one in node.children:
        kind = one.type
        if kind == "{" or kind == "statements" or kind == "else":
            break
        if kind == "value_binding_pattern":
            let = True
        elif kind == "case":
            case = True
        elif kind == "pattern" and not given:
            names = list(bound_names(one)) if let else list(let_names(one))
        elif kind == NAME and let and not case and not given:
            names = [one]
        elif kind == "type_annotation":
            annotation = _declared(one, src)
        elif kind == "=":
            given = True
        elif given and "comment" not in kind:
            whole = value(one, src) if len(names) == 1 and not case else ""
            for name in names:
                yield Binding(text(name, src), "assign", whole, annotation or cast(one, src), line_of(name))
            names, annotation, let, given, case = [], "", False, False, False


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    item = node.child_by_field_name("item")
    if item is not None:
        yield from _bound(item, value(node.child_by_field_name("collection"), src), "", "for", src)


def _pattern(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Names of one case, and of ``catch let e as E``; without a name a catch binds ``error``."""
    caught = node.type == "catch_block"
    pattern = node.child_by_field_name("error") if caught else node
    if pattern is None:
        yield Binding("error", "assign", "", "", line_of(node))
        return
    whole = pattern if caught else next(children_of_kind(node, "pattern"), None)
    types = flat(whole.child_by_field_name("name"), src) if whole is not None else ""
    for name in let_names(pattern):
        yield Binding(text(name, src), "assign", "", types, line_of(name))


def _closure(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Parameters of a closure, and the values it captures under a name."""
    for item in children_of_kind(node.child_by_field_name("captures"), "capture_list_item"):
        name, given = item.child_by_field_name("name"), item.child_by_field_name("value")
        if name is not None and given is not None:
            yield Binding(text(name, src), "assign", value(given, src), "", line_of(item))
    for listed in children_of_kind(node.child_by_field_name("type"), "lambda_function_type_parameters"):
        for one in children_of_kind(listed, "lambda_parameter"):
            yield from _parameter(one, src)


def _parameter(node: Node, src: bytes) -> Iterator[Binding]:
    name = node.child_by_field_name("name")
    if name is not None and name.type == NAME:
        annotation = flat(type_after(node, "parameter_modifiers"), src)
        if node.child(node.child_count - 1).type == "...":
            annotation = f"[{annotation}]"
        yield Binding(text(name, src).strip("`"), "param", "", annotation, line_of(name))


def _assigned(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    target = node.child_by_field_name("target")
    left = target.named_child(0) if target is not None and target.named_child_count else None
    if left is None or left.type != MEMBER:
        return ()
    right = node.child_by_field_name("result")
    return (Binding(expression(left, src), "attribute", value(right, src), cast(right, src), line_of(node)),)


def _setter(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    name = next(children_of_kind(node, NAME), None)
    return (Binding(text(name, src), "param", "", "", line_of(name)),) if name is not None else ()


def _signature(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters with their bounds, parameters, and the type after the arrow."""
    yield from _type_parameters(node, src)
    arrow = False
    for one in node.children:
        if one.type == "parameter":
            yield from _parameter(one, src)
        elif one.type == "->":
            arrow = True
        elif arrow:
            yield Binding("", "return", "", flat(one, src), line_of(one))
            break


def _type_parameters(node: Node, src: bytes) -> Iterator[Binding]:
    for one in children_of_kind(next(children_of_kind(node, "type_parameters"), None), "type_parameter"):
        name = next(children_of_kind(one, "type_identifier"), None)
        if name is not None:
            yield Binding(
                text(name, src), "param", "", flat(one.child_by_field_name("name"), src), line_of(one)
            )


def _type(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters; each case of an enum is a value of the enum."""
    yield from _type_parameters(node, src)
    body = node.child_by_field_name("body")
    if body is not None and body.type == "enum_class_body":
        owner = text(node.child_by_field_name("name"), src)
        for entry in children_of_kind(body, "enum_entry"):
            for one in entry.children_by_field_name("name"):
                if one.type == NAME:
                    yield Binding(text(one, src).strip("`"), "attribute", "", owner, line_of(one))


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "property_declaration": _property,
    "protocol_property_declaration": _required,
    "typealias_declaration": _alias,
    "associatedtype_declaration": _alias,
    "if_statement": _conditions,
    "guard_statement": _conditions,
    "while_statement": _conditions,
    "for_statement": _loop,
    "catch_block": _pattern,
    "switch_pattern": _pattern,
    "lambda_literal": _closure,
    "assignment": _assigned,
    "computed_setter": _setter,
    "class_declaration": _type,
    "function_declaration": _signature,
    "protocol_function_declaration": _signature,
    "init_declaration": _signature,
    "subscript_declaration": _signature,
    "macro_declaration": _signature,
}
