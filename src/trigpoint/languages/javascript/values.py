"""What the right side of a JavaScript binding is: a function, a class, an object, or an expression to resolve."""

from __future__ import annotations

import re

from trigpoint.languages.javascript.places import FREEZING
from trigpoint.languages.syntax import Node, expression, text

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_AROUND = frozenset(
    {
        "parenthesized_expression",
        "as_expression",
        "satisfies_expression",
        "non_null_expression",
        "await_expression",
    }
)
PLAIN = frozenset(
    {"identifier", "member_expression", "string", "template_string", "number", "true", "false", "null"}
)
"""Values that define nothing."""
_OPAQUE = frozenset({"parenthesized_expression", "await_expression", "non_null_expression"})
_CASTING = _OPAQUE | {"as_expression", "satisfies_expression", "type_assertion"}
_LITERAL = frozenset(
    {"string", "number", "object", "array", "arrow_function", "function_expression", "true", "false", "null"}
)
_RESOLVABLE = frozenset({"identifier", "member_expression", "call_expression", "new_expression", "this"})
_LAYERS = 20
"""Parentheses and the like that are looked through; more of them are made by machines."""
_NOISE = re.compile(r"[?!]+(?=\.)")
_NAMELESS = ("(", "require(", "import(")
_WRAPPERS = 3
"""Calls within calls that are looked through for the function they wrap."""
_CALLS = frozenset({"call_expression", "new_expression"})
_DEFAULTING = frozenset({"||", "??", "&&"})


def core(node: Node | None) -> Node | None:
    """The expression without the parentheses, casts, await and chained assignments around it."""
    for _ in range(_LAYERS):
        if node is None:
            return None
        kind = node.type
        if kind in _AROUND and node.named_child_count:
            node = node.named_child(0)
        elif kind == "type_assertion" and node.named_child_count:
            node = node.named_child(node.named_child_count - 1)
        elif kind == "assignment_expression":
            node = node.child_by_field_name("right")
        else:
            return node
    return node


def literal(node: Node | None, src: bytes) -> Node | None:
    """Like ``core``, and ``Object.freeze({...})`` is the object in it."""
    node = core(node)
    if node is not None and node.type == "call_expression" and src.startswith(FREEZING, node.start_byte):
        arguments = node.child_by_field_name("arguments")
        if arguments is not None and arguments.named_child_count:
            return core(arguments.named_child(0))
    return node


def code_in(value: Node) -> Node | None:
    """The function or object that a call is given, also through further calls: ``memo(forwardRef(() => …))``."""
    for _ in range(_WRAPPERS):
        if value.type not in _CALLS:
            return None
        callee = core(value.child_by_field_name("function"))
        if callee is not None and callee.type in FUNCTIONS:
            return callee
        arguments = value.child_by_field_name("arguments")
        if arguments is None or arguments.type != "arguments":
            return None
        given = arguments.named_children
        if found := next((one for one in given if one.type in FUNCTIONS or one.type == "object"), None):
            return found
        if not (inner := next((one for one in given if one.type == "call_expression"), None)):
            return None
        value = inner
    return None


def is_definition(value: Node | None) -> bool:
    """Whether a value is a symbol under the name it is bound to, so that nothing is left to tell about the name."""
    return value is not None and (value.type in FUNCTIONS or value.type == "class")


def has_methods(value: Node) -> bool:
    """Whether an object has a function among its own members."""
    for child in value.named_children:
        if child.type == "method_definition":
            return True
        if child.type == "pair":
            member = child.child_by_field_name("value")
            if member is not None and member.type in FUNCTIONS:
                return True
    return False


def resolvable(node: Node | None, src: bytes) -> str:
    """The expression as the linker can follow it; "" for literals, functions and whatever else has no name.

    Of ``given || new Foo()`` it is the side that says more: the construction, else the first.
    """
    if node is None or (kind := node.type) in _LITERAL:
        return ""
    node = node if kind in _RESOLVABLE else core(node)
    while node is not None and node.type == "binary_expression":
        operator = node.child_by_field_name("operator")
        if operator is None or operator.type not in _DEFAULTING:
            return ""
        right = core(node.child_by_field_name("right"))
        made = right is not None and right.type in _CALLS
        node = right if made or operator.type == "&&" else core(node.child_by_field_name("left"))
    if node is None or node.type not in _RESOLVABLE:
        return ""
    found = _called(node, src) if node.type == "call_expression" else expression(node, src)
    if "?" in found or "!" in found:
        found = _NOISE.sub("", found)
    return "" if found.startswith(_NAMELESS) else found


def _called(node: Node, src: bytes) -> str:
    """A call without its arguments, which may be whole functions: they are not read."""
    callee = node.child_by_field_name("function")
    if callee is None or node.named_child_count > 2:  # with type arguments
        return expression(node, src)
    return expression(callee, src) + "()"


def cast(node: Node | None, src: bytes) -> str:
    """The type that a cast around the value claims, "" without one and for ``as const``."""
    if node is None or node.type not in _CASTING:
        return ""
    while node is not None and node.type in _OPAQUE:
        node = node.named_child(0) if node.named_child_count else None
    if node is None or node.named_child_count < 2:
        return ""
    if node.type in ("as_expression", "satisfies_expression"):
        return text(node.named_child(1), src)
    if node.type == "type_assertion":
        return text(node.named_child(0), src).strip("<>")
    return ""


def annotation(node: Node | None, src: bytes) -> str:
    """``: Foo`` or ``: x is Foo`` as the type alone."""
    return "" if node is None else " ".join(text(node, src)[1:].split())


def place_of(name: Node) -> Node:
    """Where a name stands: inside the quotes, when it has any."""
    return name.named_child(0) if name.type == "string" and name.named_child_count else name


def name_of(node: Node | None, src: bytes) -> str:
    """A property's name: quotes off, ``[Symbol.iterator]`` and ``#private`` as written."""
    name = text(node, src)
    return name[1:-1] if name[:1] in ("'", '"') else name
