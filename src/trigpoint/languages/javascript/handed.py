"""What functions are handed to: the calls that tell the types of their parameters, and what they give back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.languages.javascript.places import before, is_bound, is_called_at_once
from trigpoint.languages.javascript.values import FUNCTIONS, cast, resolvable
from trigpoint.languages.syntax import Node, expression
from trigpoint.model import Binding

GIVEN = "given"
"""Kind of a binding: a parameter of a function that is an argument; its value is what the call hands to it."""
_HEAD = re.compile(rb"(?:async\s*)?(?:function\s*\*?\s*[\w$]*\s*)?$")
_LONGEST = 150
_NAMED = frozenset({"function_declaration", "generator_function_declaration", "method_definition"})
_HOLDERS = frozenset(
    {
        "variable_declarator", "pair", "assignment_expression", "field_definition", "public_field_definition",
        "export_statement",
    }
)  # fmt: skip
"""What gives an arrow function a name."""
_VAGUE = frozenset({"any", "unknown", "const", "never"})


def given(node: Node, src: bytes) -> str:
    """For the parameters of a function that is an argument: the call and which argument, ``register(1``; else ""."""
    start = node.start_byte
    head = src[max(0, start - 60) : start]
    head = head[: _HEAD.search(head).start()].rstrip()  # type: ignore[union-attr]
    if not head.endswith((b"(", b",")):
        return ""
    function = node.parent if node.type == "formal_parameters" else node
    arguments = function.parent if function is not None else None
    if function is None or arguments is None or arguments.type != "arguments":
        return ""
    call = arguments.parent
    callee = call.child_by_field_name("function") or call.child_by_field_name("constructor")
    if callee is None or callee.type not in ("identifier", "member_expression"):
        return ""
    called = expression(callee, src).replace("?.", ".").replace("!.", ".")
    if len(called) > _LONGEST or called[:1] == "(":
        return ""
    at = next((at for at, one in enumerate(arguments.named_children) if one.id == function.id), -1)
    return f"{called}({at}" if at >= 0 else ""


def returned(node: Node, src: bytes, line: int) -> Iterator[Binding]:
    """What a ``return`` gives, when the function around it is a symbol."""
    value = node.named_child(0) if node.named_child_count else None
    if value is None:
        return
    found = resolvable(value, src)
    if found and _is_of_symbol(node, src):
        yield Binding("", "return", found, _claimed(value, src), line)


def body(arrow: Node, src: bytes, line: int) -> Iterator[Binding]:
    """What ``name = () => value`` gives."""
    value = arrow.child_by_field_name("body")
    if value is None or value.type == "statement_block":
        return
    found = resolvable(value, src)
    if not found or not _names(arrow, src):
        return
    if arrow.child_by_field_name("return_type") is None:
        yield Binding("", "return", found, _claimed(value, src), line)


def _names(arrow: Node, src: bytes) -> bool:
    """Whether an arrow function has a name, also through parentheses."""
    if is_bound(arrow, src):
        return arrow.parent.type in _HOLDERS
    tail = before(arrow, src)
    return tail.rstrip(b"( ").endswith((b"=", b":", b"default")) and not is_called_at_once(arrow, src)


def _claimed(value: Node, src: bytes) -> str:
    told = cast(value, src)
    return "" if told in _VAGUE else told


def _is_of_symbol(node: Node, src: bytes) -> bool:
    """Whether the function around a ``return`` is a symbol that does not declare what it returns."""
    around = node.parent
    while around is not None and around.type not in _NAMED and around.type not in FUNCTIONS:
        around = around.parent
    if around is None or around.child_by_field_name("return_type") is not None:
        return False
    if around.type in _NAMED or is_bound(around, src):
        return True
    return around.type != "arrow_function" and around.child_by_field_name("name") is not None
