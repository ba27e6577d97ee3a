"""What PHP's names are bound to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.php.names import NAMES, bare_name, owner
from trigpoint.languages.syntax import Node, children_of_kind, expression, flat, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """What names are bound to; variables keep their ``$``, declared fields have none, ``$this->x`` is ``$this.x``.

    Where no type is declared, the one in the doc comment above stands for it.
    """
    return _BINDERS[node.type](node, src, inside)


_FOLLOWED = frozenset(
    {
        "variable_name", "member_access_expression", "nullsafe_member_access_expression", "member_call_expression",
        "nullsafe_member_call_expression", "scoped_call_expression", "scoped_property_access_expression",
        "function_call_expression", "class_constant_access_expression", "subscript_expression",
    }
)  # fmt: skip
_AROUND = frozenset(
    {"parenthesized_expression", "clone_expression", "silence_expression", "error_suppression_expression"}
)


def _value(node: Node | None, src: bytes) -> str:
    """The part of a value that tells its type: the call in ``$given ?? new Foo()``."""
    while node is not None:
        kind = node.type
        if kind == "object_creation_expression":
            made = next(children_of_kind(node, *NAMES), None)
            return f"new {text(made, src)}()" if made is not None else ""
        if kind in _FOLLOWED:
            return owner(node, src)
        if kind in _AROUND and node.named_child_count:
            node = node.named_child(0)
        elif kind == "binary_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if node.child_by_field_name("operator").type != "??":
                return ""
            node = right if right is not None and right.type in _CALLS else left
        elif kind == "conditional_expression":
            body = node.child_by_field_name("body")
            node = body if body is not None else node.child_by_field_name("condition")
        elif kind in _ASSIGNING:
            node = node.child_by_field_name("right")
        else:
            return ""
    return ""


_CALLS = frozenset(
    {
        "object_creation_expression",
        "function_call_expression",
        "scoped_call_expression",
        "member_call_expression",
    }
)
_ASSIGNING = frozenset(
    {"assignment_expression", "reference_assignment_expression", "augmented_assignment_expression"}
)
_MEMBERS = frozenset({"member_access_expression", "scoped_property_access_expression"})
_LISTS = frozenset({"list_literal", "array_creation_expression"})


def _assignment(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return ()
    kind = left.type
    if kind == "variable_name":
        return (Binding(text(left, src), "assign", _value(right, src), "", line_of(left)),)
    if kind in _MEMBERS:
        return (
            Binding(
                expression(left, src).replace("->", "."), "attribute", _value(right, src), "", line_of(left)
            ),
        )
    return _unpacked(left, _value(right, src), src, "assign") if kind in _LISTS else ()


def _unpacked(left: Node, value: str, src: bytes, kind: str) -> Iterator[Binding]:
    """Each name of a list with its item; items may be left out, and those taken by a key are not followed."""
    index = 0
    for one in left.children:
        if one.type == ",":
            index += 1
            continue
        if one.type == "array_element_initializer" and one.named_child_count:
            one = one.named_child(one.named_child_count - 1)
        if one.type in _LISTS:
            yield from _unpacked(one, "", src, kind)
        elif one.type == "variable_name":
            yield Binding(text(one, src), kind, f"{value}[{index}]" if value else "", "", line_of(one))
        elif one.is_named and one.type != "comment":
            value = ""


# signatures

_DOC_LIMIT = 4000
_PARAM = re.compile(rb"@param\s+([^\s$*][^\s$]*)\s+&?(?:\.\.\.)?(\$\w+)")
_RETURN = re.compile(rb"@return\s+([^\s*]+)")
_VAR = re.compile(rb"@var\s+([^\s*]+)")


def _doc_above(node: Node, src: bytes) -> bytes:
    """The doc comment that ends right above a node, b"" when there is none."""
    before = src[max(0, node.start_byte - _DOC_LIMIT) : node.start_byte].rstrip()
    if not before.endswith(b"*/"):
        return b""
    start = before.rfind(b"/**")
    return before[start:] if start != -1 else b""


def _signature(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    doc = _doc_above(node, src)
    told = (
        {name.decode(): said.decode("utf-8", "replace") for said, name in _PARAM.findall(doc)} if doc else {}
    )
    yield from _parameters(node, src, told)
    if doc and node.child_by_field_name("return_type") is None and (found := _RETURN.search(doc)):
        yield Binding("", "return", "", found[1].decode("utf-8", "replace"), line_of(node))


def _closure(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    return _parameters(node, src, {})


def _parameters(node: Node, src: bytes, told: Mapping[str, str]) -> Iterator[Binding]:
    given = node.child_by_field_name("parameters")
    for one in given.named_children if given is not None else ():
        name = one.child_by_field_name("name")
        if name is None:
            continue
        said, line = f"${text(bare_name(name), src)}", line_of(one)
        annotation = flat(one.child_by_field_name("type"), src) or told.get(said, "")
        if one.type == "variadic_parameter" and annotation:
            annotation += "[]"
        yield Binding(said, "param", "", annotation, line)
        if one.type == "property_promotion_parameter":
            yield Binding(f"$this.{said[1:]}", "attribute", "", annotation, line)


def _properties(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    annotation = flat(node.child_by_field_name("type"), src)
    if not annotation and (found := _VAR.search(_doc_above(node, src))):
        annotation = found[1].decode("utf-8", "replace")
    for one in children_of_kind(node, "property_element"):
        name = bare_name(one.child_by_field_name("name"))
        value = _value(one.child_by_field_name("default_value"), src)
        yield Binding(text(name, src), "attribute", value, annotation, line_of(one))


def _case(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Each case is a constant of the enum's own type."""
    return (Binding(text(node.child_by_field_name("name"), src), "attribute", "", "self", line_of(node)),)


# statements


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    if node.named_child_count < 2:
        return
    value, target = _value(node.named_child(0), src), node.named_child(1)
    parts = target.named_children if target.type == "pair" else [target]
    for place, one in enumerate(parts):
        if one.type == "by_ref" and one.named_child_count:
            one = one.named_child(0)
        if one.type in _LISTS:
            yield from _unpacked(one, "", src, "for")
        elif one.type == "variable_name":
            yield Binding(text(one, src), "for", value if place == len(parts) - 1 else "", "", line_of(one))


def _caught(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    name = node.child_by_field_name("name")
    if name is None:
        return ()
    return (
        Binding(text(name, src), "assign", "", flat(node.child_by_field_name("type"), src), line_of(name)),
    )


def _static(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    return (Binding(text(name, src), "assign", _value(value, src), "", line_of(node)),)


def _global(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    for one in children_of_kind(node, "variable_name"):
        yield Binding(text(one, src), "global", "", "", line_of(one))


_BINDERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "assignment_expression": _assignment,
    "reference_assignment_expression": _assignment,
    "augmented_assignment_expression": _assignment,
    "foreach_statement": _loop,
    "catch_clause": _caught,
    "anonymous_function": _closure,
    "property_hook": _closure,
    "arrow_function": _closure,
    "function_definition": _signature,
    "method_declaration": _signature,
    "property_declaration": _properties,
    "static_variable_declaration": _static,
    "global_declaration": _global,
    "enum_case": _case,
}
