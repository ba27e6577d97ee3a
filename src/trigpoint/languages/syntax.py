"""What a language's hooks receive and return. Hooks are pure: a node and the bytes of its file in, nouns out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from trigpoint.model import Binding, Import

Node = Any
"""A tree-sitter node. Typed as Any because the parser is imported only where files are parsed."""

VALUE_LIMIT = 200
"""Longest text kept of a receiver, value or annotation, in bytes; longer ones cannot be resolved anyway."""


class Definition(NamedTuple):
    """One definition as its language sees it. Nodes carry the places; the walk turns them into a Symbol.

    Without a name it makes no symbol: it only tells hooks, as ``inside``, what the nodes below it stand in.
    """

    name: str
    kind: str
    name_node: Node  # gives name_line and name_column
    body: Node | None = None  # the signature ends where it starts
    receiver: str = ""  # type a method belongs to when written outside it
    prefix: str = ""  # further qualification written in the name itself: "ns.Outer" of "ns::Outer::f"
    bases: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    scope: bool = True  # whether what stands inside belongs to it
    start_node: Node | None = None  # where it begins, when not at the node itself
    end_node: Node | None = None  # where it ends, when not at the node itself
    lead_node: Node | None = (
        None  # what stands before it and belongs to its lines, not to its signature: attributes
    )
    returns: str = ""  # the return type as written
    doc: str = ""  # documentation that is written in code, not in a comment
    joins: str = ""  # another clause right after one with the same word here belongs to that symbol: "area/1"


class Target(NamedTuple):
    """What a call or another use names; without a name, a place where later hooks see no use."""

    name: str
    receiver: str
    name_node: Node
    kind: str = ""  # "" keeps the kind of the table


class Place(NamedTuple):
    """Stands for the node of a name where the grammar gives none, only a place in unparsed text."""

    start_point: tuple[int, int]


class Hooks(Protocol):
    """What a language module `hooks.py` may define; each function is optional and named in language.toml."""

    def definition(self, node: Node, src: bytes, inside: str) -> Iterable[Definition]:
        """Definitions that this node makes; ``inside`` is the kind of the enclosing symbol, "" at module level."""
        ...

    def prepare(self, src: bytes) -> bytes:
        """What the parser reads instead of ``src``, of the same length and with the same line ends."""
        ...

    def imports(self, node: Node, src: bytes) -> Iterable[Import]:
        """Imports that this node makes; the walk adds the scope."""
        ...

    def reference(self, node: Node, src: bytes) -> Iterable[Target]:
        """Uses that this node makes."""
        ...

    def decisions(self, node: Node, src: bytes) -> int:
        """How many branches this node adds to the complexity of the function around it."""
        ...

    def bindings(self, node: Node, src: bytes, inside: str) -> Iterable[Binding]:
        """Names that this node binds; the walk adds the scope."""
        ...


def text(node: Node | None, src: bytes, limit: int = VALUE_LIMIT) -> str:
    """The source of a node, cut at ``limit`` bytes; "" for None."""
    if node is None:
        return ""
    start, end = node.start_byte, node.end_byte
    if end - start > limit:
        end = start + limit
    return src[start:end].decode("utf-8", "replace")


def flat(node: Node | None, src: bytes) -> str:
    """The source of a node in one line, cut like text: a type as it is written."""
    raw = text(node, src)
    return _SPACE.sub(" ", raw) if "\n" in raw else raw


def line_of(node: Node) -> int:
    """First line of a node, 1-based."""
    row: int = node.start_point[0]
    return row + 1


def children_of_kind(node: Node | None, *kinds: str) -> Iterator[Node]:
    """Named children of these kinds, in order."""
    if node is not None:
        for child in node.named_children:
            if child.type in kinds:
                yield child


_SPACE = re.compile(r"\s+")
_LOOSE = re.compile(r"\s+(?=[^\w\s])|(?<=[^\w\s])\s+")
_PIECE = re.compile(r""""(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[(){}]|[^(){}"']+|["']""", re.S)
_LONGEST = 2000
"""Bytes of an expression that are read in search of the end of its argument lists."""


_SUPER = re.compile(r"^super\(\s*([A-Za-z_][\w.]*)\s*,\s*\w+\s*\)")


def expression(node: Node | None, src: bytes) -> str:
    """An expression in one line without what stands in its calls and braces: ``new Foo(a, b) .bar`` -> ``new Foo().bar``."""
    raw = text(node, src, _LONGEST)
    if raw.startswith("super("):
        raw = _SUPER.sub(r"super<\1>()", raw)  # the class that is named decides
    if "{" in raw or ("(" in raw and not (raw.endswith("()") and raw.count("(") == 1)):
        raw = _without_arguments(raw)
    if " " in raw or "\n" in raw or "\t" in raw:
        raw = _SPACE.sub(" ", _LOOSE.sub("", raw)).strip()
    return raw[:VALUE_LIMIT]


def _without_arguments(raw: str) -> str:
    kept: list[str] = []
    depth = 0  # inside arguments; parentheses that only group are kept with what they hold
    for piece in _PIECE.findall(raw):
        if piece == "(" or piece == "{":
            if depth or piece == "{" or (kept and kept[-1][-1] not in _BEFORE_GROUP):
                depth += 1
            if depth <= 1:
                kept.append(piece)
        elif piece == ")" or piece == "}":
            depth -= depth > 0
            if depth == 0:
                kept.append(piece)
        elif depth == 0:
            kept.append(piece)
    return "".join(kept)


_BEFORE_GROUP = frozenset(" \n\t([{,;:=&|+-*/%!<^~")


def leaf_names(node: Node | None, src: bytes, kinds: frozenset[str]) -> Iterator[tuple[str, Node]]:
    """Every leaf of these kinds below a node (a destructuring pattern, say), with its text."""
    stack = [node] if node is not None else []
    while stack:
        current = stack.pop()
        if current.type in kinds:
            yield text(current, src), current
        else:
            stack.extend(reversed(current.named_children))
