"""What Haskell code uses: functions applied and composed, operators, constructors made and taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.haskell.names import OPERATORS, leaf, module_of, pattern_uses
from trigpoint.languages.syntax import Node, Target, expression, text

_COMMON = frozenset(
    "$ $! . + - * / ^ ^^ ** == /= < > <= >= && || ++ : <> >>= >> =<< <$> <$ $> <&> & <*> *> <* <|> !! ~ ~~".split()
)
"""Operators of the base library: no project defines them, and half of all operators are one of these."""

_COMPOSE = frozenset("$ $! . =<< >>= >> <$> <$ <&> & <*> *> <* <|> >=> <=< &&& *** <$!> .: ".split())
"""Operators whose operands run."""


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Applied and composed functions are called, constructors make a value or, in patterns, name its type."""
    return _READERS[node.type](node, src)


def _used(node: Node | None, src: bytes, kind: str) -> Iterator[Target]:
    """A name alone as a use; what is more than a name is visited on its own."""
    if node is not None:
        if node.type == "variable":
            yield Target(text(node, src), "", node, kind)
        elif node.type == "constructor":
            yield Target(text(node, src), "", node, "new")


def _apply(node: Node, src: bytes) -> Iterator[Target]:
    yield from _used(node.child_by_field_name("function"), src, "call")
    if node.child_by_field_name("constructor") is None:  # else a type
        yield from _used(node.child_by_field_name("argument"), src, "value")


def _infix(node: Node, src: bytes) -> Iterator[Target]:
    left = node.child_by_field_name("left_operand")
    operator = node.child_by_field_name("operator")
    if left is None or operator is None:
        return  # the head of a type
    word = text(operator, src)
    if word not in _COMMON:
        yield from _operator(operator, src)
    kind = "call" if word in _COMPOSE else "value"
    yield from _used(left, src, kind)
    yield from _used(node.child_by_field_name("right_operand"), src, kind)


def _operator(node: Node, src: bytes) -> Iterator[Target]:
    name = leaf(node)
    if name is not None and text(name, src) not in _COMMON:
        made = name.type.startswith("constructor")
        yield Target(text(name, src), "", name, "new" if made else "call")


def _section(node: Node, src: bytes) -> Iterator[Target]:
    for child in node.named_children:
        if child.type in OPERATORS or child.type == "infix_id":
            yield from _operator(child, src)
        else:
            yield from _used(child, src, "value")


_HEAD = re.compile(rb"\s*(?:::|,\s*\()")


def _prefix(node: Node, src: bytes) -> Iterator[Target]:
    """``(<+>)`` as a value; not where it is declared."""
    start, end = node.start_byte, node.end_byte
    line = src.rfind(b"\n", 0, start) + 1
    if src[line:start].strip() and not _HEAD.match(src, end, end + 40):
        name = leaf(node)
        if name is not None and text(name, src) not in _COMMON:
            yield Target(text(name, src), "", name, "value")


def _record(node: Node, src: bytes) -> Iterator[Target]:
    yield from _used(node.child_by_field_name("expression"), src, "value")


def _update(node: Node, src: bytes) -> Iterator[Target]:
    field = node.child_by_field_name("field")
    if field is not None and field.type == "field_name":
        yield Target(text(field, src), "", field, "value")
    yield from _used(node.child_by_field_name("expression"), src, "value")


def _projection(node: Node, src: bytes) -> Iterator[Target]:
    field = node.child_by_field_name("field")
    if field is not None:
        yield Target(text(field, src), expression(node.child_by_field_name("expression"), src), field, "value")


_APPLIED = re.compile(rb"[ \t]+[\w(\[\"'\\]")


def _qualified(node: Node, src: bytes) -> Iterator[Target]:
    """``Map.lookup``; called when an argument follows."""
    name = node.child_by_field_name("id")
    if name is None:
        return
    kind = {"name": "type", "constructor": "new"}.get(name.type, "value")
    if kind == "value" and _APPLIED.match(src, node.end_byte, node.end_byte + 12):
        kind = "call"
    yield Target(text(name, src), module_of(node.child_by_field_name("module"), src), name, kind)
    yield Target("", "", name)


def _statement(node: Node, src: bytes) -> Iterator[Target]:
    """An expression that stands as a statement runs."""
    return _used(node.named_child(0) if node.named_child_count else None, src, "call")


def _bound(node: Node, src: bytes) -> Iterator[Target]:
    """``pattern <- action``."""
    yield from _pattern(node, src)
    yield from _used(node.child_by_field_name("expression"), src, "call")


def _pattern(node: Node, src: bytes) -> Iterator[Target]:
    pattern = node.child_by_field_name("pattern")
    return _taken_apart(pattern, src) if pattern is not None and pattern.type != "variable" else iter(())


def _patterns(node: Node, src: bytes) -> Iterator[Target]:
    return _taken_apart(node, src)


def _taken_apart(pattern: Node, src: bytes) -> Iterator[Target]:
    for used in pattern_uses(pattern):
        name = leaf(used)
        if name is None or text(name, src) in _COMMON:
            continue
        module = module_of(used.child_by_field_name("module"), src) if used.type == "qualified" else ""
        yield Target(text(name, src), module, name, "call" if name.type == "variable" else "type")
        yield Target("", "", name)


def _head(node: Node, src: bytes) -> Iterator[Target]:
    """The operator that an infix equation or constructor defines is no use."""
    if node.child_by_field_name("name") is None:
        inner = node.named_child(0) if node.named_child_count else None
        if inner is not None and inner.type == "function_head_parens":
            inner = inner.named_child(0)
        if node.type == "data_constructor":
            inner = node.child_by_field_name("constructor")
        name = leaf(inner.child_by_field_name("operator")) if inner is not None else None
        if name is not None:
            yield Target("", "", name)


def _quoted(node: Node, src: bytes) -> Iterator[Target]:
    """``''Foo`` and ``'foo``: names handed to a macro; of a type the leaf is visited."""
    return _used(node.named_child(0) if node.named_child_count else None, src, "value")


_READERS: dict[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "apply": _apply,
    "infix": _infix,
    "left_section": _section,
    "right_section": _section,
    "prefix_id": _prefix,
    "record": _record,
    "field_update": _update,
    "projection": _projection,
    "qualified": _qualified,
    "exp": _statement,
    "bind": _bound,
    "generator": _bound,
    "pattern_guard": _bound,
    "alternative": _pattern,
    "patterns": _patterns,
    "function": _head,
    "data_constructor": _head,
    "th_quoted_name": _quoted,
}
