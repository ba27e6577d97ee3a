"""The bodies of Ruby's modules and classes: what they mix in, and the words that their methods stand under."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.languages.ruby.names import CONSTANTS
from trigpoint.languages.syntax import Definition, Node, expression, text

BODIES = ("class", "module", "singleton")
_VISIBILITY = frozenset({"private", "protected", "public", "module_function"})
_MIXES = (b"include", b"extend", b"prepend")


def mixed_in(body: Node | None, src: bytes) -> Iterator[str]:
    """Modules that the body includes, prepends, or extends its own class by."""
    for one in body.named_children if body is not None else ():
        if one.type == "call" and src.startswith(_MIXES, one.start_byte):
            given = one.child_by_field_name("arguments")
            method = text(one.child_by_field_name("method"), src).encode()
            for mixed in given.named_children if given is not None and method in _MIXES else ():
                if mixed.type in CONSTANTS:
                    yield expression(mixed, src)


def regions(body: Node | None, src: bytes, kind: str) -> Iterator[Definition]:
    """Stretches of a body under ``private`` and the like, last first: each ends where the next begins."""
    words = [one for one in body.named_children if _is_word(one, src)] if body is not None else []
    for place in range(len(words) - 1, -1, -1):
        word = text(words[place], src) if words[place].type == "identifier" else "module_function"
        end = words[place + 1] if place + 1 < len(words) else body
        yield Definition("", f"{kind} {word}", words[place], end_node=end)
    if words:
        yield Definition("", kind, words[0], end_node=words[0])


def _is_word(node: Node, src: bytes) -> bool:
    if node.type == "identifier":
        return text(node, src) in _VISIBILITY
    return node.type == "call" and bool(_EXTEND_SELF.match(src, node.start_byte))


_EXTEND_SELF = re.compile(rb"extend[ (]+self\b")
_WORD_BEFORE = re.compile(rb"(\w+)[ \t(]*$")


def words_of(node: Node, src: bytes, inside: str) -> tuple[str, ...]:
    """Modifiers of a definition: by the word before it, else by the one that its stretch of the body stands under."""
    body, _, word = inside.partition(" ")
    word = word_before(node, src) or word
    found = [_AS_MODIFIER[word]] if word in _AS_MODIFIER else []
    if body == "singleton" or word == "private_class_method":
        found.append("static")
    return tuple(found)


_AS_MODIFIER = {
    "private": "private",
    "protected": "protected",
    "module_function": "static",
    "private_class_method": "private",
}


_NEAR = 200
"""Bytes before a definition in which the word is looked for."""


def word_before(node: Node, src: bytes) -> str:
    """The word on the same line that treats a definition: ``private def f``."""
    start = node.start_byte
    line = src[max(0, start - _NEAR) : start].rpartition(b"\n")[2]
    if not line or line.isspace():
        return ""
    found = _WORD_BEFORE.search(line)
    return found[1].decode() if found else ""
