"""Annotations at the top of a file, which the parser does not see (unread.py), read from the text before a declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trigpoint.languages.syntax import Node, Place, Target

_ARGUMENTS = rb"\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*\"|\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*\"|\([^()]*\))*\))*\)"
_ONE = rb"@(?!file:)(?:\w+:)?\w[\w.]*(?:" + _ARGUMENTS + rb")?"
_GAP = rb"[ \t\r\n]+(?://[^\n]*\n[ \t\r\n]*|/\*(?:[^*]|\*(?!/))*\*/[ \t\r\n]*)*"
_WORDS = (
    rb"abstract|actual|annotation|const|data|enum|expect|external|final|infix|inline|internal|lateinit|open|operator|override"
    rb"|private|public|sealed|suspend|tailrec|value"
)

ANNOTATED = re.compile(
    rb"@(?<![^\n]@)(?:"
    + _ONE[1:]
    + _GAP
    + rb")(?:"
    + _ONE
    + _GAP
    + rb")*(?=(?:(?:"
    + _WORDS
    + rb")[ ]+)*(?:class|fun|interface|object|typealias|val|var)\b)"
)
"""Annotations that start a line in the first column and belong to a declaration."""

_BEFORE = re.compile(rb"(?m)^(?:" + _ONE + _GAP + rb")+\Z")
_EACH = re.compile(rb"@(?:\w+:)?(\w[\w.]*)(" + _ARGUMENTS + rb")?")
_STRING = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"")
_USE = re.compile(rb"(?<![\w.])([A-Za-z_][\w.]*)(::class|\(|(?=[ \t\r\n]*[,)\]]))")
_LONGEST = 1500
"""Bytes before a declaration in which its annotations are sought."""


class Start(NamedTuple):
    """Stands for the node of the first annotation."""

    start_byte: int
    start_point: tuple[int, int]


class Annotations(NamedTuple):
    """What stands before a declaration."""

    start: Start
    names: tuple[str, ...]
    text: bytes


def before(node: Node, src: bytes) -> Annotations | None:
    """The annotations before a declaration at the top of the file; None when it has none or the parser saw them."""
    at: int = node.start_byte
    line = src.rfind(b"\n", 0, at) + 1
    if line != at and src[line : line + 1] != b"@":
        return None
    low = max(0, at - _LONGEST)
    head = src[low:at]
    if b"@" not in head or head.rstrip()[-1:] in (b"}", b"{", b";"):
        return None
    found = _BEFORE.search(head)
    if found is None:
        return None
    start = low + found.start()
    row = node.start_point[0] - src.count(b"\n", start, at)
    names = tuple(
        one[1].decode("utf-8", "replace") + ("()" if one[2] else "") for one in _EACH.finditer(found[0])
    )
    return Annotations(Start(start, (row, 0)), names, found[0])


def uses(written: Annotations) -> Iterator[Target]:
    """The annotations, and the types, constants and calls in their arguments."""
    for one in _EACH.finditer(written.text):
        owner, _, name = one[1].decode("utf-8", "replace").rpartition(".")
        yield Target(name, owner, _place(written, one.end(1) - len(name)), "decorator")
        if one[2]:
            plain = _STRING.sub(lambda found: b" " * len(found[0]), one[2])
            for use in _USE.finditer(plain):
                dotted, sign = use[1].decode("utf-8", "replace"), use[2]
                owner, _, name = dotted.rpartition(".")
                kind = "type" if sign == b"::class" else "call" if sign else "value"
                yield Target(name, owner, _place(written, one.start(2) + use.end(1) - len(name)), kind)


def _place(written: Annotations, at: int) -> Place:
    row = written.start.start_point[0] + written.text.count(b"\n", 0, at)
    return Place((row, at - written.text.rfind(b"\n", 0, at) - 1))
