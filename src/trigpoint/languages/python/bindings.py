"""What Python's names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from trigpoint.languages.python.targets import NAMES, TARGETS, bound
from trigpoint.languages.syntax import (
    VALUE_LIMIT,
    Node,
    children_of_kind,
    expression,
    flat,
    leaf_names,
    line_of,
    text,
)
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """What names are bound to.

    An attribute is bound as it is written, ``self.x``; in a class body as the bare name. ``a, b = f()`` binds ``a`` to
    ``f()[0]``. ``except E as e`` and ``case P() as p`` say the type, so it stands as the annotation.
    """
    return _BINDERS[node.type](node, src, inside)


def _assignment(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None:
        return
    while right is not None and right.type == "assignment":
        right = right.child_by_field_name("right")
    kind = left.type
    if kind in TARGETS:
        yield from _unpacked(left, right, src, "attribute" if inside == "class" else "assign")
    elif kind == "identifier" or kind == "attribute":
        declared = node.child_by_field_name("type")
        annotation = flat(declared, src) if declared is not None else ""
        name = text(left, src) if kind == "identifier" else expression(left, src)
        found = "attribute" if kind == "attribute" or inside == "class" else "assign"
        yield Binding(name, found, _value(right, src), annotation, line_of(node))
    elif kind == "subscript":
        yield from _entry(left, right, src)


def _entry(left: Node, right: Node | None, src: bytes) -> Iterator[Binding]:
    """``table["key"] = value``: the key stands as the annotation."""
    holder, key = left.child_by_field_name("value"), left.child_by_field_name("subscript")
    if holder is None or holder.type != "identifier" or key is None:
        return
    written, value = _key(key, src), _value(right, src)
    if written and value:
        yield Binding(text(holder, src), "entry", value, written, line_of(left))


def _augmented(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    left = node.child_by_field_name("left")
    if left is not None and left.type == "identifier":
        yield Binding(text(left, src), "attribute" if inside == "class" else "assign", "", "", line_of(left))


def _unpacked(left: Node, right: Node | None, src: bytes, found: str) -> Iterator[Binding]:
    """Names and values side by side when both are written out, else ``value[i]``."""
    names = left.named_children
    spread = right is not None and right.type in ("expression_list", "tuple", "list")
    values = (
        [one for one in right.named_children if one.type != "comment"] if spread and right is not None else []
    )
    whole = "" if spread else _value(right, src)
    star = next((at for at, one in enumerate(names) if one.type == "list_splat_pattern"), len(names))
    beside = len(values) == len(names) if star == len(names) else len(values) >= len(names) - 1
    for index, one in enumerate(names):
        at = index if index <= star else index - len(names)
        kind = one.type
        if kind == "identifier" or kind == "attribute":
            value = f"{whole}[{at}]" if whole else ""
            if beside:
                value = _value(values[at], src)
            yield Binding(
                expression(one, src), found if kind == "identifier" else "attribute", value, "", line_of(one)
            )
        elif kind in TARGETS and beside:
            yield from _unpacked(one, values[at], src, found)
        else:
            rest = values[star : len(values) - (len(names) - star - 1)] if index == star and beside else []
            for name, leaf in bound(one, src):
                yield Binding(name, found, _listed(rest, src) if rest else "", "", line_of(leaf))


_WRAPPERS = frozenset({"await", "parenthesized_expression"})
_VALUES = frozenset({"identifier", "attribute", "call", "subscript"})
_LITERALS = frozenset({"none", "integer", "string", "true", "false", "list", "dictionary", "tuple"})


def _value(node: Node | None, src: bytes) -> str:
    """The part of a value that tells its type: the call in ``given or Call()``, the first branch of ``a if x else b``."""
    while node is not None:
        kind = node.type
        if kind in _VALUES:
            return expression(node, src)
        if kind in _WRAPPERS and node.named_child_count:
            node = node.named_child(0)
        elif kind == "conditional_expression" and node.named_child_count > 2:
            first = node.named_child(0)
            node = node.named_child(2) if first.type in _LITERALS else first
        elif kind == "boolean_operator":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            node = right if right is not None and right.type == "call" else left
        elif kind == "named_expression":
            node = node.child_by_field_name("value")
        elif kind in _LISTS:
            return _listed(node.named_children, src)
        elif kind == "dictionary":
            return _table(node, src)
        else:
            return ""
    return ""


_LISTS = frozenset({"list", "tuple", "expression_list"})
_MANY = 12
"""Entries of a literal that are looked at: a longer one is data, seldom a table of functions."""


def _listed(nodes: Sequence[Node], src: bytes) -> str:
    """``[a,,b()]`` for a list of which some elements tell a type; "" when none does."""
    found = [_value(one, src) for one in nodes if one.type != "comment"] if len(nodes) <= _MANY else []
    joined = ",".join(found)
    return f"[{joined}]" if any(found) and len(joined) < VALUE_LIMIT else ""


def _table(node: Node, src: bytes) -> str:
    """``{"key":a}`` for a dictionary of which some values tell a type; "" when none does."""
    pairs = node.named_children
    if len(pairs) > _MANY:
        return ""
    found = []
    for one in pairs:
        value = _value(one.child_by_field_name("value"), src) if one.type == "pair" else ""
        if value:
            found.append(f"{_key(one.child_by_field_name('key'), src)}:{value}")
    joined = ",".join(found)
    return f"{{{joined}}}" if found and len(joined) < VALUE_LIMIT else ""


def _key(node: Node, src: bytes) -> str:
    return text(node, src) if node.type in ("string", "integer") else ""


def _signature(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters of a class or function, parameters and result of a function."""
    generics, parameters = node.child_by_field_name("type_parameters"), node.child_by_field_name("parameters")
    for child in generics.named_children if generics is not None else ():
        for name, leaf in leaf_names(child, src, NAMES):
            yield Binding(name, "param", "", text(child, src).partition(":")[2].strip(), line_of(leaf))
            break
    if parameters is not None:
        yield from _parameters(parameters, src, inside)
        returns = node.child_by_field_name("return_type")
        if returns is not None:
            yield Binding("", "return", "", flat(returns, src), line_of(returns))


def _parameters(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    for child in node.named_children:
        kind = child.type
        if kind == "identifier":
            yield Binding(text(child, src), "param", "", "", line_of(child))
            continue
        declared, default = child.child_by_field_name("type"), child.child_by_field_name("value")
        name = child.child_by_field_name("name")
        for found, leaf in leaf_names(name if name is not None else child, src, NAMES):
            annotation = flat(declared, src) if declared is not None else ""
            yield Binding(found, "param", _value(default, src), annotation, line_of(leaf))
            break


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    left = node.child_by_field_name("left")
    if left is None:
        return
    value = _value(node.child_by_field_name("right"), src)
    if left.type == "identifier":
        yield Binding(text(left, src), "for", value, "", line_of(left))
        return
    for index, one in enumerate(left.named_children):
        for name, leaf in bound(one, src):
            item = f"{value}[{index}]" if value and leaf == one else ""
            yield Binding(name, "for", item, "", line_of(leaf))


def _with(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    for pattern in _as_patterns(node):
        value = _value(pattern.named_child(0), src)
        for alias in children_of_kind(pattern, "as_pattern_target"):
            for name, leaf in bound(alias, src):
                yield Binding(name, "with", value if leaf == alias.named_child(0) else "", "", line_of(leaf))


def _except(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    caught = node.named_child(0) if node.named_child_count else None
    if caught is not None and caught.type == "as_pattern":
        for alias in children_of_kind(caught, "as_pattern_target"):
            yield Binding(text(alias, src), "assign", "", flat(caught.named_child(0), src), line_of(alias))


def _as_patterns(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type == "as_pattern":
            yield current
        elif current.type in ("with_item", "parenthesized_expression", "tuple"):
            stack.extend(reversed(current.named_children))


def _case(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Names that the patterns of one case capture."""
    stack = [one for one in node.named_children if one.type == "case_pattern"]
    while stack:
        current = stack.pop()
        children = current.named_children
        if current.type == "dotted_name":
            if len(children) == 1:
                yield Binding(text(current, src), "assign", "", "", line_of(current))
        elif current.type == "as_pattern":
            yield Binding(
                text(children[-1], src), "assign", "", _class_of(children[0], src), line_of(children[-1])
            )
            stack.extend(children[:-1])
        elif current.type == "splat_pattern":
            for name, leaf in leaf_names(current, src, NAMES):
                yield Binding(name, "assign", "", "", line_of(leaf))
        elif current.type == "keyword_pattern":
            stack.extend(children[1:])
        else:
            stack.extend(
                one for one in children if one.type.endswith("pattern") or current.type == "case_pattern"
            )


def _class_of(pattern: Node, src: bytes) -> str:
    while pattern.type == "case_pattern" and pattern.named_child_count:
        pattern = pattern.named_child(0)
    return text(pattern.named_child(0), src) if pattern.type == "class_pattern" else ""


def _walrus(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    value = _value(node.child_by_field_name("value"), src)
    yield Binding(text(node.child_by_field_name("name"), src), "assign", value, "", line_of(node))


def _declared_elsewhere(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    for child in children_of_kind(node, "identifier"):
        yield Binding(text(child, src), node.type.partition("_")[0], "", "", line_of(node))


def _returned(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    value = _value(node.named_child(0), src) if node.named_child_count else ""
    if value:
        yield Binding("", "return", value, "", line_of(node))


def _yielded(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    value = _value(node.named_child(0), src) if node.named_child_count else ""
    if value:
        yield Binding("", "yield", value, "", line_of(node))


def _alias(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    for name, leaf in list(leaf_names(left, src, NAMES))[:1]:
        yield Binding(name, "alias", "", flat(right, src), line_of(leaf))


_BINDERS: dict[str, Callable[[Node, bytes, str], Iterator[Binding]]] = {
    "assignment": _assignment,
    "augmented_assignment": _augmented,
    "function_definition": _signature,
    "class_definition": _signature,
    "lambda_parameters": _parameters,
    "for_statement": _loop,
    "for_in_clause": _loop,
    "with_item": _with,
    "except_clause": _except,
    "case_clause": _case,
    "named_expression": _walrus,
    "global_statement": _declared_elsewhere,
    "nonlocal_statement": _declared_elsewhere,
    "type_alias_statement": _alias,
    "return_statement": _returned,
    "yield": _yielded,
}
