"""What is defined under a name, whatever gives the name: functions, classes, and values that hold code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.languages.javascript.typed import type_name
from trigpoint.languages.javascript.values import FUNCTIONS, annotation, code_in
from trigpoint.languages.syntax import Definition, Node, children_of_kind, expression


class Label(NamedTuple):
    """The name that something is defined under."""

    name: str
    node: Node  # where the name stands
    kind: str  # what the symbol is when its value is neither a function nor a class
    modifiers: tuple[str, ...] = ()
    receiver: str = ""


def of_value(label: Label, value: Node | None, src: bytes) -> Iterator[Definition]:
    """The definition of a name bound to ``value``: a function or class where it is one, else of the label's kind.

    A call that is given functions, and an object, hold code of their own; plain values do not.
    """
    shape = "" if value is None else value.type
    if shape in FUNCTIONS:
        yield function_named(label, value, src)
    elif shape == "class" and value is not None:
        found = class_named(label, value, src)
        yield found._replace(receiver=label.receiver, start_node=None, lead_node=None)
    elif shape == "object":
        yield _plain(label, value)
    elif shape == "array":
        yield _plain(label, None)
    elif value is not None and (code := code_in(value)) is not None:
        yield _plain(label, code if code.type == "object" else code.child_by_field_name("body"))
        yield Definition("", "call", label.node, end_node=value)
    else:
        yield _plain(label, None)._replace(scope=False)


def _plain(label: Label, body: Node | None) -> Definition:
    return Definition(label.name, label.kind, label.node, body, label.receiver, modifiers=label.modifiers)


def function_named(label: Label, function: Node, src: bytes) -> Definition:
    """A function under the name it is declared with or bound to."""
    modifiers = label.modifiers
    if src.startswith(b"async", function.start_byte):
        modifiers = (*modifiers, "async")
    if function.type.startswith("generator"):
        modifiers = (*modifiers, "generator")
    return Definition(
        label.name,
        "function",
        label.node,
        function.child_by_field_name("body"),
        label.receiver,
        modifiers=modifiers,
        returns=annotation(function.child_by_field_name("return_type"), src),
    )


def class_named(label: Label, node: Node, src: bytes) -> Definition:
    """A class under the name it is declared with or bound to."""
    modifiers = label.modifiers
    if node.type == "abstract_class_declaration" and "abstract" not in modifiers:
        modifiers = (*modifiers, "abstract")
    own, start = leading(node)
    beside = decorators_beside(node) if "export" in modifiers and node.type != "class" else []
    return Definition(
        label.name,
        "class",
        label.node,
        node.child_by_field_name("body"),
        bases=_bases(node, src),
        decorators=tuple(decorator(one, src) for one in beside + own),
        modifiers=modifiers,
        start_node=start if own else None,
        lead_node=node if own else None,
    )


def leading(node: Node) -> tuple[list[Node], Node]:
    """Decorators inside a node, and the first thing after them."""
    found: list[Node] = []
    for child in node.children:
        if child.type == "decorator":
            found.append(child)
        elif child.type != "comment":
            return found, child
    return found, node


def decorators_beside(node: Node) -> list[Node]:
    """Decorators written before a node, in order."""
    found: list[Node] = []
    previous = node.prev_named_sibling
    while previous is not None and previous.type in ("decorator", "comment"):
        if previous.type == "decorator":
            found.append(previous)
        previous = previous.prev_named_sibling
    return found[::-1]


def decorator(node: Node, src: bytes) -> str:
    """A decorator without its marker and arguments."""
    return expression(node, src).lstrip("@")


def _bases(node: Node, src: bytes) -> tuple[str, ...]:
    found: list[str] = []
    for heritage in children_of_kind(node, "class_heritage"):
        for child in heritage.named_children:
            if child.type == "extends_clause":
                found.extend(expression(one, src) for one in child.children_by_field_name("value"))
                found.extend(_mixed(child.child_by_field_name("value"), src))
            elif child.type == "implements_clause":
                found.extend(type_name(one, src) for one in child.named_children if one.type != "comment")
            elif child.type != "comment":
                found.append(expression(child, src))
                found.extend(_mixed(child, src))
    return tuple(found)


def _mixed(node: Node | None, src: bytes) -> Iterator[str]:
    """The classes given to a mixin: ``extends Loud(Bird)`` inherits from Bird too."""
    if node is not None and node.type == "call_expression":
        for one in children_of_kind(node.child_by_field_name("arguments"), "identifier", "member_expression"):
            yield expression(one, src)
