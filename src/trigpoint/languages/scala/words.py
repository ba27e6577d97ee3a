"""How Scala's declarations are read: what stands before them, patterns, types and values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.languages.syntax import Node, expression, flat, text

CLASSES = frozenset({"class", "object", "trait", "enum", "given", "extension"})
"""Kinds of symbols whose functions are methods."""

OWNERS = CLASSES | {"package", "constant", ""}
"""Where a ``val`` is a symbol and not a local."""

NAMES = ("identifier", "operator_identifier")
NO_NAMES = frozenset({"this", "super", "_"})
"""Words that the grammar takes for names."""
ANONYMOUS = "<anonymous>"
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_WORD = re.compile(r"\w+(?:\[[\w.]+\])?")


class Head(NamedTuple):
    """What is written before a declaration proper."""

    decorators: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    start: Node | None = None  # where the signature starts, when annotations stand before it
    end: Node | None = None  # where the definition ends


def head(node: Node, src: bytes) -> Head:
    """Annotations and modifiers; ``case`` is one."""
    decorators, words, start = [], [], None
    for one in node.children:
        kind = one.type
        if kind == "annotation":
            decorators.append(expression(one, src).lstrip("@"))
            continue
        if decorators and start is None and "comment" not in kind:
            start = one
        if kind == "modifiers":
            words += _WORD.findall(text(one, src))
        elif kind == "case" or kind == "opaque_modifier":
            words.append(text(one, src))
        elif one.is_named and "comment" not in kind:
            break
    return Head(tuple(decorators), tuple(words), start, end_of(node, src))


def end_of(node: Node, src: bytes) -> Node:
    """What a definition ends with: a body by indentation reaches to the next word, comments before it included."""
    if src[node.end_byte - 1 : node.end_byte].strip():
        return node
    current = node
    while True:
        last = None
        for one in reversed(current.children):
            if one.end_byte > one.start_byte and "comment" not in one.type:
                last = one
                break
        if last is None:
            return current
        current = last


def plain(node: Node | None, src: bytes) -> str:
    """A name without its backticks."""
    return text(node, src).strip("`")


def type_name(node: Node | None, src: bytes) -> str:
    """``Shelf`` of ``Shelf[T]``: what an extension extends."""
    while node is not None and node.type in ("generic_type", "annotated_type", "lazy_parameter_type"):
        node = node.named_child(0) if node.named_child_count else None
    return flat(node, src)


def given_name(node: Node, src: bytes) -> str:
    """The name that the compiler gives an anonymous given: ``given_Show_Int`` of ``given Show[Int]``."""
    own = {plain(one, src) for one in names_of(node.child_by_field_name("type_parameters"))}
    parts: list[str] = []
    stack = [node.child_by_field_name("return_type")]
    while stack:
        current = stack.pop()
        if current is None:
            continue
        if current.type == "type_identifier":
            if (name := text(current, src)) not in own:
                parts.append(name)
        else:
            stack.extend(reversed(current.named_children))
    return "_".join(["given", *parts])


def written(node: Node | None, src: bytes) -> str:
    """An expression without what stands in its calls, and without type arguments."""
    found = expression(node, src)
    while "[" in found:
        shorter = _BRACKETS.sub("", found)
        if shorter == found:
            break
        found = shorter
    return found


def names_of(node: Node | None) -> list[Node]:
    """The names of a node that lists several in one field: type parameters."""
    return [one for one in node.children_by_field_name("name") if one.is_named] if node is not None else []


def pattern_names(node: Node | None, src: bytes, top: bool = False) -> Iterator[Node]:
    """The names that a pattern binds; one that starts upper-case is compared with, unless it is all there is (``val X = 1``)."""
    if node is None:
        return
    if node.type in NAMES:
        if top or not _compared(node, src):
            yield node
        return
    stack = [node]
    while stack:
        current = stack.pop()
        kind = current.type
        if kind == "identifier":
            if node.type == "identifiers" or not _compared(current, src):
                yield current
        elif kind == "typed_pattern" or kind == "case_class_pattern":
            stack.extend(one for one in reversed(current.children_by_field_name("pattern")) if one.is_named)
        elif kind in _PATTERNS:
            stack.extend(reversed(current.named_children))


def _compared(name: Node, src: bytes) -> bool:
    first = text(name, src)[:1]
    return first.isupper() or first == "`"


_PATTERNS = frozenset(
    {
        "tuple_pattern",
        "capture_pattern",
        "infix_pattern",
        "alternative_pattern",
        "identifiers",
        "repeat_pattern",
        "named_pattern",
    }
)


def value(node: Node | None, src: bytes) -> str:
    """The part of a value that tells its type: the last expression of a block, the first branch of an ``if``."""
    while node is not None:
        kind = node.type
        if kind == "instance_expression":
            return f"new {kind}()" if (kind := made(node, src)) else ""
        if kind in _FOLLOWED:
            found = written(node, src)
            return "" if found.startswith("_.") or found in NO_NAMES else found
        if kind == "block" or kind == "indented_block" or kind == "parenthesized_expression":
            node = node.named_child(node.named_child_count - 1) if node.named_child_count else None
        elif kind == "if_expression":
            node = node.child_by_field_name("consequence")
        elif kind == "infix_expression":
            operator = node.child_by_field_name("operator")
            left = node.child_by_field_name("left")
            if operator is None or operator.type != "identifier":
                return ""
            return f"{written(left, src)}.{text(operator, src)}()"
        else:
            return ""
    return ""


_FOLLOWED = frozenset({"identifier", "field_expression", "call_expression", "generic_function"})


def made_type(node: Node) -> Node | None:
    """The type that ``new`` makes; None for ``new { … }``."""
    for first in node.named_children:
        kind = first.type
        if kind in _TYPES:
            return first
        if kind == "compound_type" or kind == "applied_constructor_type":
            base = first.child_by_field_name("base") if kind == "compound_type" else first
            if base is not None and base.type == "applied_constructor_type":
                base = base.named_child(0)
            return base if base is not None and base.type in _TYPES else None
    return None


def made(node: Node, src: bytes) -> str:
    """The type that ``new`` makes, as written."""
    return flat(made_type(node), src)


_TYPES = frozenset({"type_identifier", "generic_type", "stable_type_identifier", "projected_type"})


def cast(node: Node | None, src: bytes) -> str:
    """``T`` of ``x.asInstanceOf[T]``."""
    if node is None or node.type != "generic_function":
        return ""
    called, given = node.child_by_field_name("function"), node.child_by_field_name("type_arguments")
    if called is None or given is None or not text(called, src).endswith(".asInstanceOf"):
        return ""
    return flat(given, src)[1:-1]
