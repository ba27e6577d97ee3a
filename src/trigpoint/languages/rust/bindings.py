"""What names are bound to in Rust."""

from __future__ import annotations

from collections.abc import Iterator

from trigpoint.languages.syntax import Node, expression, line_of, text
from trigpoint.model import Binding

_LITERALS = frozenset(
    {
        "integer_literal",
        "float_literal",
        "string_literal",
        "char_literal",
        "boolean_literal",
        "raw_string_literal",
        "closure_expression",
    }
)
_UNWRAPS = frozenset({b"Some", b"Ok"})


def bindings(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Lets, parameters, fields, loops and patterns; ``Some(x) = f()`` binds x to ``f()?``."""
    kind = node.type
    if kind == "parameters":
        yield from _parameters(node, src)
    elif kind == "closure_parameters":
        last = str((node.parent or node).end_point[0] + 1)
        for child in node.named_children:
            for one in _parameter(child, src):
                yield one._replace(kind="inner", value=last)
    elif kind in ("let_declaration", "let_condition"):
        yield from _let(node, src)
    elif kind == "match_pattern":
        for name, line in _pattern_names(node, src):
            yield Binding(name, "assign", "", "", line)
    elif kind == "for_expression":
        value = value_of(node.child_by_field_name("value"), src)
        for name, line in _pattern_names(node.child_by_field_name("pattern"), src):
            yield Binding(name, "for", value, "", line)
    elif kind == "assignment_expression":
        yield from _assignment(node, src)
    else:
        yield from _declared(node, src, kind)


def _declared(node: Node, src: bytes, kind: str) -> Iterator[Binding]:
    line = line_of(node)
    if kind == "field_declaration":
        annotation = text(node.child_by_field_name("type"), src)
        yield Binding(text(node.child_by_field_name("name"), src), "attribute", "", annotation, line)
    elif kind == "ordered_field_declaration_list":
        for index, child in enumerate(node.children_by_field_name("type")):
            yield Binding(str(index), "attribute", "", text(child, src), line_of(child))
    elif kind in ("const_item", "static_item"):
        annotation = text(node.child_by_field_name("type"), src)
        value = value_of(node.child_by_field_name("value"), src)
        yield Binding(text(node.child_by_field_name("name"), src), "assign", value, annotation, line)
    elif kind == "type_item":
        value = text(node.child_by_field_name("type"), src)
        yield Binding(text(node.child_by_field_name("name"), src), "alias", value, "", line)
    else:
        yield from _bounded(node, src, kind)


def _bounded(node: Node, src: bytes, kind: str) -> Iterator[Binding]:
    """``T: Trait`` says what can be called on a T."""
    bounds = node.child_by_field_name("bounds")
    name = node.child_by_field_name("name" if kind == "type_parameter" else "left")
    if name is not None and (bounds is not None or kind == "type_parameter"):
        yield Binding(text(name, src), "param", "", text(bounds, src).lstrip(": "), line_of(node))


def _let(node: Node, src: bytes) -> Iterator[Binding]:
    pattern = node.child_by_field_name("pattern")
    value = value_of(node.child_by_field_name("value"), src)
    if pattern is None:
        return
    if pattern.type == "identifier":
        annotation = text(node.child_by_field_name("type"), src)
        yield Binding(text(pattern, src), "assign", value, annotation, line_of(node))
        return
    unwrapped = ""
    if pattern.type == "tuple_struct_pattern" and value:
        head = pattern.child_by_field_name("type")
        if src[head.start_byte : head.end_byte] in _UNWRAPS and pattern.named_child_count == 2:
            unwrapped = value + "?" if pattern.named_child(1).type in ("identifier", "mut_pattern") else ""
    for name, line in _pattern_names(pattern, src):
        yield Binding(name, "assign", unwrapped, "", line)


def _parameters(node: Node, src: bytes) -> Iterator[Binding]:
    before = node.prev_sibling
    if before is None or before.type not in ("identifier", "type_parameters", "metavariable"):
        return  # of a function type
    for child in node.named_children:
        yield from _parameter(child, src)
    following = node.next_sibling
    if following is not None and following.type == "->":
        returns = following.next_sibling
        yield Binding("", "return", "", text(returns, src), line_of(node))


def _parameter(node: Node, src: bytes) -> Iterator[Binding]:
    if node.type == "self_parameter":
        yield Binding("self", "param", "", "Self", line_of(node))
        return
    pattern, annotation = node, ""
    if node.type == "parameter":
        pattern = node.child_by_field_name("pattern")
        annotation = text(node.child_by_field_name("type"), src)
    if pattern.type in ("identifier", "self"):
        yield Binding(text(pattern, src), "param", "", annotation, line_of(node))
        return
    for name, line in _pattern_names(pattern, src):
        yield Binding(name, "param", "", "", line)


def _assignment(node: Node, src: bytes) -> Iterator[Binding]:
    left = node.child_by_field_name("left")
    value = value_of(node.child_by_field_name("right"), src)
    if value and left is not None:
        if left.type == "field_expression":
            yield Binding(expression(left, src), "attribute", value, "", line_of(node))
        elif left.type == "identifier":
            yield Binding(text(left, src), "assign", value, "", line_of(node))


def value_of(node: Node | None, src: bytes) -> str:
    """A bound expression without leading borrows; "" for literals and closures."""
    while node is not None and node.type == "reference_expression":
        node = node.child_by_field_name("value")
    if node is None or node.type in _LITERALS:
        return ""
    return expression(node, src)


_SKIPPED = frozenset(
    {"scoped_identifier", "scoped_type_identifier", "type_identifier", "macro_invocation", "call_expression"}
)


def _pattern_names(pattern: Node | None, src: bytes) -> Iterator[tuple[str, int]]:
    """Names that a pattern binds; constants and variants in it begin with a capital."""
    stack = [pattern] if pattern is not None else []
    while stack:
        node = stack.pop()
        kind = node.type
        if kind in ("identifier", "shorthand_field_identifier"):
            name = text(node, src)
            if name and not name[0].isupper():
                yield name, line_of(node)
        elif kind == "match_pattern":
            if node.named_child_count:
                stack.append(node.named_child(0))
        elif kind == "field_pattern":
            inner = node.child_by_field_name("pattern") or node.child_by_field_name("name")
            stack.append(inner)
        elif kind not in _SKIPPED:
            stack.extend(reversed(node.named_children))
