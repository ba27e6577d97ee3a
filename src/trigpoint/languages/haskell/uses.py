"""What Haskell code uses: functions applied and composed, operators, constructors made and taken apart.

Applications are every tenth node of a file, so what is asked of each is little, and lists are built, not generators.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from trigpoint.languages.haskell.names import OPERATORS, leaf, module_of, pattern_uses, pattern_variables
from trigpoint.languages.syntax import Node, Target, expression, text

_BASE = (
    "$ $! . + - * / ^ ^^ ** == /= < > <= >= && || ++ : <> >>= >> =<< <$> <$ $> <&> & <*> *> <* <|> !! ~ ~~"
)
_COMMON = frozenset(_BASE.split())
"""Operators of the base library: no project defines them, and half of all operators are one of these."""

_RUNNING = "$ $! . =<< >>= >> <$> <$ <&> & <*> *> <* <|> >=> <=< &&& *** <$!> .:"
_COMPOSE = frozenset(_RUNNING.split())
"""Operators whose operands run, but for what is only given."""

_GIVEN_LEFT, _GIVEN_RIGHT = frozenset({"&", "<&>"}), frozenset({"$", "$!"})


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Applied and composed functions are called, constructors make a value or, in patterns, name its type."""
    return _READERS[node.type](node, src)


def _of_types(node: Node) -> bool:
    """Whether a list, tuple, application or operator stands in a type: the grammar has one kind for all three of them.

    Types, expressions and patterns each have a rule of their own there, and the kind is named after the first.
    """
    return bool(node.grammar_id == node.kind_id)


def _used(node: Node, src: bytes, kind: str) -> Sequence[Target]:
    """A name alone as a use; what is more is visited on its own. A value named by one letter is a local."""
    found = node.type
    if found == "variable":
        start, end = node.start_byte, node.end_byte
        if kind != "value" or end - start > 1:
            name = src[start:end].decode("utf-8", "replace")
            if name != "otherwise":
                return (Target(name, "", node, kind),)
    elif found == "constructor":
        return (Target(text(node, src), "", node, "new"),)
    return ()


def _apply(node: Node, src: bytes) -> Sequence[Target]:
    if _of_types(node):
        return ()
    function, argument = node.child(0), node.child(node.child_count - 1)
    used = _used(argument, src, "value")
    return used if function.type == "apply" else (*_used(function, src, "call"), *used)


def _elements(node: Node, src: bytes) -> Sequence[Target]:
    return () if _of_types(node) else _each(node, src)


def _infix(node: Node, src: bytes) -> Sequence[Target]:
    operator, left = node.child_by_field_name("operator"), node.child_by_field_name("left_operand")
    if operator is None or left is None or _of_types(node):
        return ()
    word = text(operator, src)
    runs = word in _COMPOSE
    found = [
        *_used(left, src, "call" if runs and word not in _GIVEN_LEFT else "value"),
        *_used(
            node.child(node.child_count - 1), src, "call" if runs and word not in _GIVEN_RIGHT else "value"
        ),
    ]
    if word not in _COMMON:
        found += _operator(operator, src)
    return found


def _operator(node: Node, src: bytes) -> Sequence[Target]:
    name = leaf(node)
    word = text(name, src)
    if name is None or word in _COMMON:
        return ()
    return (Target(word, "", name, "new" if name.type.startswith("constructor") else "call"),)


def _section(node: Node, src: bytes) -> Sequence[Target]:
    found: list[Target] = []
    for child in node.named_children:
        if child.type in OPERATORS or child.type == "infix_id":
            found += _operator(child, src)
        else:
            found += _used(child, src, "value")
    return found


_HEAD = re.compile(rb"\s*(?:::|,\s*\()")


def _prefix(node: Node, src: bytes) -> Sequence[Target]:
    """``(<+>)`` as a value; not where it is declared."""
    start, end = node.start_byte, node.end_byte
    line = src.rfind(b"\n", 0, start) + 1
    name = leaf(node)
    if name is None or not src[line:start].strip() or _HEAD.match(src, end, end + 40):
        return ()
    word = text(name, src)
    return () if word in _COMMON else (Target(word, "", name, "value"),)


def _expression(node: Node, src: bytes) -> Sequence[Target]:
    value = node.child_by_field_name("expression")
    return _used(value, src, "value") if value is not None else ()


def _each(node: Node, src: bytes) -> Sequence[Target]:
    return [one for child in node.named_children for one in _used(child, src, "value")]


def _update(node: Node, src: bytes) -> Sequence[Target]:
    field, value = node.child_by_field_name("field"), node.child_by_field_name("expression")
    named = field is not None and field.type == "field_name"
    found = [Target(text(field, src), "", field, "value")] if named else []
    return [*found, *(_used(value, src, "value") if value is not None else ())]


def _projection(node: Node, src: bytes) -> Sequence[Target]:
    field = node.child_by_field_name("field")
    if field is None:
        return ()
    return (
        Target(text(field, src), expression(node.child_by_field_name("expression"), src), field, "value"),
    )


_APPLIED = re.compile(rb"[ \t]+[\w(\[\"'\\]")


def _qualified(node: Node, src: bytes) -> Sequence[Target]:
    """``Map.lookup``; called when an argument follows."""
    name = node.child_by_field_name("id")
    if name is None:
        return ()
    kind = {"name": "type", "constructor": "new"}.get(name.type, "value")
    if kind == "value" and _APPLIED.match(src, node.end_byte, node.end_byte + 12):
        kind = "call"
    return (Target(text(name, src), module_of(node.child_by_field_name("module"), src), name, kind),)


def _statement(node: Node, src: bytes) -> Sequence[Target]:
    """An expression that stands as a statement runs."""
    return _used(node.named_child(0), src, "call") if node.named_child_count else ()


def _bound(node: Node, src: bytes) -> Sequence[Target]:
    """``pattern <- action``: in a block it runs."""
    value = node.child_by_field_name("expression")
    kind = "call" if node.type == "bind" else "value"
    if value is None:  # not an action but an equation
        pattern = node.child_by_field_name("pattern")
        return [*_pattern(node, src), *(Target("", "", one) for one in pattern_variables(pattern))]
    return [*_pattern(node, src), *_used(value, src, kind)]


_SIMPLE = frozenset({"variable", "wildcard", "literal"})


def _pattern(node: Node, src: bytes) -> Sequence[Target]:
    pattern = node.child_by_field_name("pattern")
    return _patterns(pattern, src) if pattern is not None and pattern.type not in _SIMPLE else ()


def _patterns(node: Node, src: bytes) -> Sequence[Target]:
    """What a pattern takes apart; the places are then no more uses."""
    found: list[Target] = []
    for used in pattern_uses(node):
        name = leaf(used)
        word = text(name, src)
        if name is not None and word not in _COMMON:
            module = module_of(used.child_by_field_name("module"), src) if used.type == "qualified" else ""
            found.append(Target(word, module, name, "call" if name.type == "variable" else "type"))
            found.append(Target("", "", name))
    return found


def _head(node: Node, src: bytes) -> Sequence[Target]:
    """The operator that an infix equation or constructor defines is no use, nor is what stands beside it."""
    inner = node.child(0)
    if inner is None or inner.type == "variable":
        return ()
    if node.type == "data_constructor":
        inner = node.child_by_field_name("constructor")
    elif not inner.is_named:  # the word data, type or class
        inner = next((child for child in node.named_children[:3] if child.type in _AROUND), inner)
    if inner is not None and inner.type in _BRACKETED and inner.named_child_count:
        inner = inner.named_child(0)
    if inner is None or inner.type != "infix":
        return ()
    return [Target("", "", leaf(child) or child) for child in inner.named_children]


_BRACKETED = frozenset({"function_head_parens", "parens"})
_AROUND = _BRACKETED | {"infix"}


def _quoted(node: Node, src: bytes) -> Sequence[Target]:
    """``''Foo`` and ``'foo``: names handed to a macro; of a type the leaf is visited."""
    return _used(node.named_child(0), src, "value") if node.named_child_count else ()


_READERS: dict[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "apply": _apply,
    "infix": _infix,
    "list": _elements,
    "tuple": _elements,
    "left_section": _section,
    "right_section": _section,
    "prefix_id": _prefix,
    "record": _expression,
    "match": _expression,
    "let_in": _expression,
    "lambda": _expression,
    "list_comprehension": _expression,
    "boolean": _each,
    "conditional": _each,
    "case": _each,
    "negation": _each,
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
    "data_type": _head,
    "newtype": _head,
    "type_synonym": _head,
    "class": _head,
    "th_quoted_name": _quoted,
}
