"""Elixir writes definitions as calls of macros; these are the words that make them, and how their parts are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.languages.syntax import Node, text


class Maker(NamedTuple):
    """What a defining word makes."""

    kind: str
    modifiers: tuple[str, ...] = ()


FUNCTIONS = {
    b"def": Maker("function"),
    b"defp": Maker("function", ("private",)),
    b"defn": Maker("function"),
    b"defnp": Maker("function", ("private",)),
    b"defmacro": Maker("macro"),
    b"defmacrop": Maker("macro", ("private",)),
    b"defguard": Maker("macro", ("guard",)),
    b"defguardp": Maker("macro", ("guard", "private")),
    b"defdelegate": Maker("function", ("delegate",)),
}
MODULES = {b"defmodule": "module", b"defprotocol": "interface", b"defimpl": "impl"}
STRUCTS = frozenset({b"defstruct", b"defexception"})
RECORDS = frozenset({b"defrecord", b"defrecordp"})
TESTS = {b"test": "test", b"property": "test", b"describe": "suite"}
IMPORTS = frozenset({b"alias", b"import", b"require", b"use"})
FORMS = frozenset(
    b"if unless case cond with for receive try quote unquote unquote_splicing fn super raise reraise throw test describe"
    b" property".split()
)
"""Special forms, and macros that every module has: not uses of anything a project defines."""

DEFINING = frozenset(FUNCTIONS) | frozenset(MODULES) | STRUCTS | RECORDS

LEADS = frozenset(b"doc typedoc spec impl deprecated dialyzer tag since".split())
"""Attributes that speak of the definition right after them."""

TYPES = {b"type": (), b"typep": ("private",), b"opaque": ("opaque",)}
CALLBACKS = frozenset({b"callback", b"macrocallback"})
RESERVED = (
    LEADS
    | frozenset(TYPES)
    | CALLBACKS
    | frozenset(
        b"moduledoc behaviour optional_callbacks derive compile before_compile after_compile on_definition on_load"
        b" external_resource enforce_keys file vsn moduletag describetag nifs fallback_to_any after_verify".split()
    )
)
"""Attributes that are no constants of the module."""


def word_of(node: Node, src: bytes) -> bytes:
    """The bare word that a call names: ``def`` of ``def f(x)``, ``defrecord`` of ``Record.defrecord``; else b""."""
    target = node.child(0)
    if target.type == "identifier":
        return src[target.start_byte : target.end_byte]
    if target.type == "dot":
        right = target.child_by_field_name("right")
        found = src[right.start_byte : right.end_byte] if right is not None else b""
        return found if found in RECORDS else b""
    return b""


def arguments_of(node: Node) -> list[Node]:
    """The arguments of a call, without comments and without the block after ``do``."""
    for child in node.named_children[1:2]:
        if child.type == "arguments":
            return [one for one in child.named_children if one.type != "comment"]
    return []


def block_of(node: Node) -> Node | None:
    """The block after ``do``."""
    last = node.child(node.child_count - 1)
    return last if last.type == "do_block" else None


def keyword(arguments: list[Node], key: str, src: bytes) -> Node | None:
    """The pair ``key: value`` among the keywords that end a list of arguments."""
    if arguments and arguments[-1].type == "keywords":
        for pair in arguments[-1].named_children:
            name = pair.child_by_field_name("key")
            if name is not None and key_of(name, src) == key:
                return pair
    return None


def option(arguments: list[Node], key: str, src: bytes) -> Node | None:
    """The value of ``key:`` there."""
    pair = keyword(arguments, key, src)
    return pair.child_by_field_name("value") if pair is not None else None


def key_of(node: Node, src: bytes) -> str:
    """A keyword without its colon."""
    return text(node, src).rstrip(": \t\r\n")


def attribute_of(node: Node, src: bytes) -> tuple[bytes, Node | None]:
    """The name of ``@name value`` and the call that sets it; of ``@name`` alone, None."""
    operand = node.child(node.child_count - 1)
    if node.child_count < 2 or src[node.start_byte : node.start_byte + 1] != b"@":
        return b"", None
    if operand.type == "call" and operand.child(0).type == "identifier":
        return word_of(operand, src), operand
    return (src[operand.start_byte : operand.end_byte], None) if operand.type == "identifier" else (b"", None)


def operator_of(node: Node) -> str:
    """The operator between two operands."""
    found = node.child_by_field_name("operator")
    return found.type if found is not None else ""


def head_of(node: Node) -> Node:
    """``f(x)`` of ``f(x) when x > 0``."""
    while node.type == "binary_operator" and operator_of(node) == "when":
        left = node.child_by_field_name("left")
        if left is None:
            break
        node = left
    return node


def name_of(head: Node) -> tuple[Node, int]:
    """The node of the name that a head defines and how many arguments it takes."""
    if head.type == "call":
        return head.child(0), len(arguments_of(head))
    if head.type in ("binary_operator", "unary_operator"):
        operator = head.child_by_field_name("operator")
        if operator is not None:
            return operator, 2 if head.type == "binary_operator" else 1
    return head, 0


def fields_of(node: Node, src: bytes) -> Iterator[tuple[str, Node]]:
    """The fields that ``defstruct [:name, age: 0]`` gives and where each is written."""
    for given in arguments_of(node):
        for one in given.named_children if given.type == "list" else (given,):
            if one.type == "atom":
                yield text(one, src)[1:], one
            for pair in one.named_children if one.type == "keywords" else ():
                key = pair.child_by_field_name("key")
                if key is not None:
                    yield key_of(key, src), pair
