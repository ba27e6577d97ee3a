"""What Elixir code uses: functions called, captured and piped to, attributes, modules and the types of specifications."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trigpoint.languages.elixir.words import (
    CALLBACKS,
    DEFINING,
    FORMS,
    FUNCTIONS,
    IMPORTS,
    MODULES,
    TYPES,
    arguments_of,
    attribute_of,
    head_of,
    name_of,
    operator_of,
    option,
)
from trigpoint.languages.syntax import Node, Target, expression, text


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls by name or by module; ``&f/1`` and ``plug :f`` as values; a module named anywhere else as a type."""
    kind = node.type
    if kind == "alias":
        return (_module(node, src),)
    if kind == "call":
        return _call(node, src)
    if kind == "binary_operator":
        return _pipe(node, src)
    return _unary(node, src)


def _module(node: Node, src: bytes) -> Target:
    owner, _, name = "".join(text(node, src).split()).rpartition(".")
    return Target(name, owner, node, "type")


def _call(node: Node, src: bytes) -> Iterable[Target]:
    target = node.child(0)
    if target.type == "identifier":
        word = src[target.start_byte : target.end_byte]
        if word in FORMS:
            return ()
        if word in DEFINING or word in IMPORTS:
            return _defining(node, src, word)
        if word in _TAKERS:
            return _handed(node, src, target)
        return (Target(word.decode("utf-8", "replace"), "", target, "call"),)
    return _remote(target, src, "call", node.child_count > 1) if target.type == "dot" else ()


def _remote(target: Node, src: bytes, kind: str, applied: bool) -> Iterable[Target]:
    """``Module.f``; without arguments what is right of a value is a field."""
    owner, name = target.child(0), target.child(target.child_count - 1)
    if name.type != "identifier":
        return ()
    of_module = owner.type in ("alias", "atom")
    if not applied and not of_module and src[owner.start_byte : owner.end_byte] != b"__MODULE__":
        return ()
    receiver = text(owner, src) if of_module else expression(owner, src)
    found = Target(text(name, src), receiver, name, kind)
    return (found, Target("", "", owner)) if of_module else (found,)


def _defining(node: Node, src: bytes, word: bytes) -> Iterator[Target]:
    """What a definition or an import names at its head is no use; what a delegate hands on to is called."""
    arguments = arguments_of(node)
    if word in FUNCTIONS and arguments:
        name, _ = name_of(head_of(arguments[0]))
        yield Target("", "", name)
        if word == b"defdelegate":
            to, renamed = option(arguments, "to", src), option(arguments, "as", src)
            if to is not None and to.type == "alias":
                handed = text(renamed, src).lstrip(":") if renamed is not None else text(name, src)
                yield Target(handed, text(to, src), renamed or to, "call")
    elif word in IMPORTS:
        yield from _muted(arguments)
    elif word in MODULES:
        named = [*arguments[:1], option(arguments, "for", src)]
        yield from _muted([one for one in named if one is not None])


def _muted(nodes: list[Node]) -> Iterator[Target]:
    """The modules named there are no uses."""
    stack = list(nodes)
    while stack:
        current = stack.pop()
        if current.type == "alias":
            yield Target("", "", current)
        stack.extend(current.named_children)


_TAKERS = frozenset({b"plug", b"setup", b"setup_all"})
"""Macros that take the name of a function."""


def _handed(node: Node, src: bytes, target: Node) -> Iterator[Target]:
    yield Target(text(target, src), "", target, "call")
    for given in arguments_of(node)[:1]:
        head = head_of(given)
        if head.type == "atom":
            yield Target(text(head, src).lstrip(":"), "", head, "value")


def _pipe(node: Node, src: bytes) -> Iterable[Target]:
    """``x |> f``, which needs no parentheses."""
    right = node.child(node.child_count - 1)
    if right.type == "identifier" and operator_of(node) == "|>":
        return (Target(text(right, src), "", right, "call"),)
    return ()


def _unary(node: Node, src: bytes) -> Iterable[Target]:
    mark = src[node.start_byte : node.start_byte + 1]
    if mark == b"@":
        return _attribute(node, src)
    operand = node.child(node.child_count - 1)
    if mark == b"&" and operand.type == "binary_operator" and operator_of(operand) == "/":
        return _captured(operand.child(0), src)
    return ()


def _captured(node: Node, src: bytes) -> Iterator[Target]:
    if node.type == "identifier":
        yield Target(text(node, src), "", node, "value")
        return
    target = node.child(0) if node.type == "call" else node
    if target is not None and target.type == "dot":
        yield from _remote(target, src, "value", False)
        yield Target("", "", target.child(target.child_count - 1))


def _attribute(node: Node, src: bytes) -> Iterator[Target]:
    word, setter = attribute_of(node, src)
    if setter is None:
        if word:
            yield Target(word.decode("utf-8", "replace"), "@", node, "value")
        return
    yield Target("", "", setter.child(0))
    if word in TYPES or word in CALLBACKS or word == b"spec":
        for one in arguments_of(setter):
            yield from _types(one, src)


def _types(node: Node, src: bytes) -> Iterator[Target]:
    """``t()`` and ``String.t()`` in a specification; its own name is none."""
    head = head_of(node)
    if operator_of(head) == "::":
        head = head.child_by_field_name("left") or head
    name, _ = name_of(head)
    yield Target("", "", name)
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type == "call":
            target = current.child(0)
            if target.type == "identifier" and target != name:
                yield Target(text(target, src), "", target, "type")
                yield Target("", "", target)
            elif target.type == "dot":
                yield from _remote(target, src, "type", True)
                yield Target("", "", target.child(target.child_count - 1))
        stack.extend(reversed(current.named_children))
