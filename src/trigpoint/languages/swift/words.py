"""How Swift's declarations are read: what stands before them, their types and values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.languages.syntax import Node, expression, flat, text

CLASSES = frozenset({"class", "struct", "enum", "protocol", "extension"})
"""Kinds of symbols whose functions and properties are members."""

NAME = "simple_identifier"
MEMBER = "navigation_expression"
IMPLICIT = "prefix_expression"
"""``.member`` of the type that is expected."""


class Head(NamedTuple):
    """What is written before a declaration proper."""

    decorators: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    start: Node | None = None  # where the signature starts, when attributes stand before it


def head(node: Node, src: bytes) -> Head:
    """Attributes and modifiers, with the words after the name that say how it runs."""
    decorators, words, start, marked = [], [], None, False
    for one in node.children:
        kind = one.type
        if kind == "modifiers":
            for part in one.named_children:
                if part.type == "attribute":
                    decorators.append(expression(part, src).lstrip("@"))
                    marked, start = True, None
                elif "comment" not in part.type:
                    words.append(text(part, src))
                    start = start or part
            start = (start or one.next_sibling) if marked else None
        elif kind in _WORDS:
            words.append(kind)
        elif kind.endswith("body"):
            break
    return Head(tuple(decorators), tuple(words), start)


_WORDS = frozenset({"class", "static", "indirect", "async", "throws", "rethrows"})


def type_parts(node: Node, src: bytes) -> list[tuple[str, Node]]:
    """The names of ``Outer.Inner<T>``."""
    return [(text(one, src), one) for one in node.named_children if one.type == "type_identifier"]


def bound_names(pattern: Node) -> Iterator[Node]:
    """The names that a pattern of a declaration or loop binds, outermost first."""
    stack = [pattern]
    while stack:
        current = stack.pop()
        if current.type == NAME:
            yield current
        elif current.type in ("pattern", "tuple_pattern"):
            stack.extend(reversed(current.named_children))


def type_after(node: Node, name: str) -> Node | None:
    """The type that stands last in a declaration whose name has the same field as its type."""
    last = node.named_child(node.named_child_count - 1) if node.named_child_count > 1 else None
    return last if last is not None and last.type != NAME and last.type != name else None


def let_names(pattern: Node) -> Iterator[Node]:
    """The names that ``let`` or ``var`` binds inside a pattern of a case: mesh of ``.fine(let mesh)``."""
    stack = [(pattern, False)]
    while stack:
        current, binds = stack.pop()
        children = current.named_children
        binds = binds or any(one.type == "value_binding_pattern" for one in children)
        for one in reversed(children):
            if one.type == "pattern":
                stack.append((one, binds))
            elif one.type == NAME and binds and not _is_case(one, children):
                yield one


def _is_case(name: Node, siblings: list[Node]) -> bool:
    """Whether a name is that of an enum case: ``success`` of ``let .success(x)``."""
    before = name.prev_sibling
    after = name.next_sibling
    return (before is not None and before.type == ".") or (after is not None and after.type == "(")


def value(node: Node | None, src: bytes) -> str:
    """The part of a value that tells its type: the call in ``try? f()``, the left of ``a ?? b``, what ``{ f() }()`` gives."""
    while node is not None:
        kind = node.type
        if kind == "call_expression" and node.named_child(0).type == "lambda_literal":
            block = node.named_child(0)
            block = block.named_child(block.named_child_count - 1) if block.named_child_count else None
            node = block.named_child(0) if block is not None and block.named_child_count == 1 else None
        elif kind in _FOLLOWED:
            return expression(node, src)
        elif kind in ("try_expression", "await_expression"):
            node = node.child_by_field_name("expr")
        elif kind == "nil_coalescing_expression":
            node = node.child_by_field_name("value")
        elif kind == "postfix_expression":
            node = node.child_by_field_name("target")
        elif kind == "tuple_expression" and node.named_child_count == 1:
            node = node.named_child(0)
        elif kind == "ternary_expression":
            node = node.child_by_field_name("if_true")
        else:
            return ""
    return ""


_FOLLOWED = frozenset({NAME, MEMBER, "call_expression", "constructor_expression", "self_expression"})


def cast(node: Node | None, src: bytes) -> str:
    """``T`` of ``x as? T``."""
    while node is not None and node.type in ("try_expression", "await_expression"):
        node = node.child_by_field_name("expr")
    if node is not None and node.type == "as_expression":
        return flat(node.child_by_field_name("name"), src)
    return ""


def made_by_closure(node: Node | None) -> bool:
    """Whether a value is a closure, or made by one, called at once or given last: its calls are then the property's."""
    if node is not None and node.type == "call_expression" and node.named_child_count:
        last = node.named_child(node.named_child_count - 1)
        if last.type == "call_suffix" and last.named_child_count:
            last = last.named_child(last.named_child_count - 1)
        if last.type == "lambda_literal":
            return True
        node = node.named_child(0)
    return node is not None and node.type == "lambda_literal"
