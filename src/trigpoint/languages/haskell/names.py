"""How Haskell writes names: in parentheses, in backticks, between operands, behind a module."""

from __future__ import annotations

from collections.abc import Iterator

from trigpoint.languages.syntax import Node, children_of_kind, text

OPERATORS = frozenset({"operator", "constructor_operator"})
LEAVES = frozenset({"variable", "constructor", "name"}) | OPERATORS
_INSIDE = frozenset({"prefix_id", "infix_id", "field_name"})
_AROUND = frozenset({"parens", "function_head_parens"})


def leaf(node: Node | None) -> Node | None:
    """The bare name in ``(<+>)``, ``\\`op\\```, ``Map.lookup``: without its brackets and its module."""
    while node is not None and node.type not in LEAVES:
        if node.type == "qualified":
            node = node.child_by_field_name("id")
        elif node.type in _INSIDE and node.named_child_count:
            node = node.named_child(0)
        else:
            return None
    return node


def head(node: Node) -> Node | None:
    """The name that a declaration gives: its field ``name``, else the operator between its operands."""
    name = node.child_by_field_name("name")
    if name is not None:
        return leaf(name)
    for child in node.named_children[:3]:
        if child.type == "infix":
            return leaf(child.child_by_field_name("operator"))
        if child.type in _AROUND:
            return head(child)
    return None


def listed(node: Node) -> list[Node]:
    """The names before ``::``."""
    names = node.child_by_field_name("names")
    found = (
        [leaf(one) for one in names.named_children]
        if names is not None
        else [leaf(node.child_by_field_name("name"))]
    )
    return [one for one in found if one is not None]


def module_of(node: Node | None, src: bytes) -> str:
    """A module as written, without the dot before what it qualifies."""
    return text(node, src).rstrip(".")


def arrow(node: Node) -> bool:
    """Whether what a signature promises takes arguments."""
    written = inner_type(node.child_by_field_name("type"))
    return written is not None and written.type in ("function", "linear_function")


def inner_type(written: Node | None) -> Node | None:
    """A type without its quantifiers and its context."""
    while written is not None and written.type in ("forall", "context"):
        written = written.child_by_field_name("type")
    return written


def result(node: Node) -> Node | None:
    """What the function of a signature gives in the end."""
    written = inner_type(node.child_by_field_name("type"))
    while written is not None and written.type in ("function", "linear_function"):
        written = inner_type(written.child_by_field_name("result"))
    return written


_PARTS = ("pattern", "element", "argument", "left_operand", "right_operand", "bind", "function")


def pattern_variables(pattern: Node | None) -> Iterator[Node]:
    """The variables that a pattern binds, in order."""
    stack = [pattern] if pattern is not None else []
    while stack:
        current = stack.pop()
        kind = current.type
        if kind == "variable":
            yield current
        elif kind == "view_pattern":
            stack.extend(current.children_by_field_name("pattern"))
        elif kind == "field_pattern":
            inner = current.children_by_field_name("pattern")
            stack.extend(inner or children_of_kind(current, "field_name"))
        elif kind == "field_name":
            stack.extend(current.named_children)
        elif kind == "signature":
            stack.extend(current.children_by_field_name("pattern"))
        elif kind not in ("constructor", "qualified", "wildcard", "literal", "type_application", "infix_id"):
            stack.extend(reversed(current.named_children))


def pattern_uses(pattern: Node | None) -> Iterator[Node]:
    """The constructors that a pattern takes apart, and the functions of its views; each a leaf or a qualified name."""
    stack = [pattern] if pattern is not None else []
    while stack:
        current = stack.pop()
        kind = current.type
        if kind in ("constructor", "qualified", "constructor_operator"):
            yield current
        elif kind == "view_pattern":
            yield from (
                one
                for one in current.children_by_field_name("expression")
                if one.type in ("variable", "qualified")
            )
            stack.extend(current.children_by_field_name("pattern"))
        elif current.named_child_count:
            stack.extend(reversed(current.named_children))
