"""Rust inside macros is tokens only: what a token tree calls or defines is read off the text before it."""

from __future__ import annotations

import re

from trigpoint.languages.syntax import Definition, Node, Place, Target

_LOOK_BACK = 160
"""Bytes before an argument list in which its callee is sought; longer paths are not written."""
_HEAD = 600
"""Bytes before a body in which its item is sought."""

_ELLAC = re.compile(rb"(?:>[^<>]*<::)?(!?)(\w+)((?:(?:::|\.)(?:>[^<>]*<::)?\w+)*)([.$]?)")
"""A callee read backwards, so that one anchored match finds it: turbofish, bang, name, path, what stands before."""
_NO_CALLEE = frozenset(
    [
        "if",
        "while",
        "for",
        "in",
        "match",
        "return",
        "fn",
        "move",
        "as",
        "pub",
        "where",
        "Fn",
        "FnMut",
        "FnOnce",
    ]
)
_DEFINES = re.compile(rb"\s+nf\b")
_TURBOFISH = re.compile(r"::<.*?>")


def called_before(node: Node, src: bytes) -> tuple[Target, ...]:
    """The call or macro whose arguments this token tree is."""
    start = node.start_byte
    before = src[max(0, start - _LOOK_BACK) : start][::-1]
    found = _ELLAC.match(before)
    if found is None:
        return ()
    bang, name_back, path_back, mark = found.groups()
    name = name_back[::-1].decode("utf-8", "replace")
    called = bang or src[start : start + 1] == b"("
    if (
        not called
        or name in _NO_CALLEE
        or name[0].isdigit()
        or mark == b"$"
        or _DEFINES.match(before, found.end())
    ):
        return ()
    receiver = _TURBOFISH.sub("", path_back[::-1].decode("utf-8", "replace")).rstrip(":.")
    if mark:
        receiver = "()." + receiver if receiver else "()"
    place = _place(node, src, start - found.end(2))
    return (Target(name, receiver, place, "macro" if bang else "call"),)


def _place(node: Node, src: bytes, at: int) -> Place:
    row = node.start_point[0] - src.count(b"\n", at, node.start_byte)
    return Place((row, at - src.rfind(b"\n", 0, at) - 1))


_ITEM = re.compile(rb"\b(fn|impl|trait|struct|enum|mod|union)\b(?:\s*<[^{};]*?>)?\s+([A-Za-z_]\w*(?:::\w+)*)")
_FOR = re.compile(rb"\bfor\s+(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)?([A-Za-z_]\w*(?:::\w+)*)")
_SYMBOL = {b"fn": "function", b"mod": "module"}


def defined_before(node: Node, src: bytes, inside: str) -> Definition | None:
    """The item whose body this token tree is: ``cfg! { fn f() { … } }`` defines f."""
    start = node.start_byte
    if src[start : start + 1] != b"{":
        return None
    low = max(0, start - _HEAD)
    low = max(low, *(src.rfind(mark, low, start) + 1 for mark in (b";", b"}", b"{")))
    found = _ITEM.search(src, low, start)
    if found is None or src.rfind(b"$", found.start(), start) != -1:
        return None
    word, name = found.group(1), found.group(2)
    bases: tuple[str, ...] = ()
    at = found.start(2)
    if word == b"impl" and (target := _FOR.search(src, found.end(), start)):
        bases = (name.decode("utf-8", "replace"),)
        name, at = target.group(1), target.start(1)
    kind = _SYMBOL.get(word, word.decode())
    if kind == "function" and inside in ("impl", "trait"):
        kind = "method"
    head = _sibling_at(node, found.start(1))
    if head is None:
        return None
    last = name.rpartition(b"::")
    place = _place(node, src, at + len(name) - len(last[2]))
    return Definition(last[2].decode("utf-8", "replace"), kind, place, node, bases=bases, start_node=head)


def _sibling_at(node: Node, start: int) -> Node | None:
    """The token before ``node`` that holds this byte."""
    before = node.prev_sibling
    while before is not None and before.start_byte > start:
        before = before.prev_sibling
    return before
