"""C macros: definitions that a macro heads, and the calls in a macro's own text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.languages.syntax import Definition, Node, Place, Target

_ARGUMENTS = re.compile(rb"\(([^;{}]*)\)")
_WORD = re.compile(rb"[A-Za-z_]\w*\Z")
_TEXT = re.compile(rb'"([^"\n]{1,120})"\Z')
_NO_NAME = frozenset({b"void", b"int", b"char", b"const", b"static", b"struct", b"unsigned"})


def macro_definition(node: Node, head: Node, call: Node | None, src: bytes) -> Iterator[Definition]:
    """The function that ``MACRO(arguments) { … }`` defines.

    ``TEST(Suite, Name)`` is Suite.Name; else the first argument that is a name, or a title in quotes, names it.
    """
    end = call.end_byte if call is not None else head.end_byte
    body = node.child_by_field_name("body")
    found = _ARGUMENTS.search(src, head.end_byte, end)
    words: list[tuple[bytes, int]] = []
    at = found.start(1) if found is not None else end
    for raw in found.group(1).split(b",") if found is not None else ():
        stripped = raw.strip()
        words.append((stripped, at + raw.find(stripped)))
        at += len(raw) + 1
    names = [(word, place) for word, place in words if _WORD.match(word) and word not in _NO_NAME]
    prefix = ""
    if len(words) == 2 == len(names) and b"TEST" in src[head.start_byte : head.end_byte]:
        prefix = names[0][0].decode("utf-8", "replace")
        names = names[1:]
    if words and (title := _TEXT.match(words[0][0])):
        names = [(title.group(1), words[0][1] + 1)]
    name, place = names[0] if names else (src[head.start_byte : head.end_byte], head.start_byte)
    yield Definition(
        name.decode("utf-8", "replace"), "function", _place(src, place, head), body, prefix=prefix
    )


def _place(src: bytes, at: int, known: Node) -> Place:
    row = known.start_point[0] + src.count(b"\n", known.start_byte, at)
    return Place((row, at - src.rfind(b"\n", 0, at) - 1))


_CALL = re.compile(
    rb'"(?:[^"\\\n]|\\.)*"|/\*.*?\*/|__attribute__\s*\(\(.*?\)\)'
    rb"|(?<![\w#.])(?<!->)(?<!>::)((?:[A-Za-z_]\w*(?:\.|->|::))*)([A-Za-z_]\w*)\s*\(",
    re.S,
)
_WORDS = re.compile(rb"\w+")
_NO_CALL = frozenset(
    b"if while for switch return sizeof defined do else case alignof typeof __typeof__ __attribute__ decltype static_cast"
    b" reinterpret_cast const_cast dynamic_cast void int char".split()
)


def called_in(node: Node, src: bytes) -> Iterator[Target]:
    """Calls in the text of a macro, which the grammar leaves unparsed."""
    start, end = node.start_byte, node.end_byte
    if b"(" not in src[start:end]:
        return
    parameters = _WORDS.findall(src, src.rfind(b"\n", 0, start) + 1, start)
    for found in _CALL.finditer(src, start, end):
        path, name = found.group(1), found.group(2)
        if name is None or name in _NO_CALL or name in parameters:
            continue
        receiver = path.decode("utf-8", "replace").replace("->", ".").rstrip(".:")
        yield Target(name.decode("utf-8", "replace"), receiver, _place(src, found.start(2), node), "call")
