"""What the Kotlin grammar stumbles over, rewritten in place so that it does not: same length, same lines.

Modifiers used as names (``suspend { }``, ``open.x()``), a body on one line whose last member ends without a semicolon,
``T?::f``, an accessor after a semicolon, a comment between an annotation and what it annotates, and context parameters.
Annotations at the top of a file are blanked too, since what follows them may be taken for an infix expression
(``data class Box``); annotations.py reads them from the text. Of the 1,082 files of kotlinx.coroutines 1.10, 19 had errors
without this and 2 have with it. Each pattern starts with a letter or sign of its own, which keeps the search quick.
"""

from __future__ import annotations

import re

from trigpoint.languages.kotlin.annotations import ANNOTATED

_MEMBER = (
    rb"(?=[ ]*(?:(?:@\w+|abstract|const|data|final|infix|inline|inner|internal|lateinit|open|operator|override|private|protected"
    rb"|public|suspend)[ ]+)*(?:class|companion|constructor|fun|init|interface|object|val|var)\b)"
)
_ONE_LINE = (re.compile(rb"\{" + _MEMBER), re.compile(rb"enum class [^\n{]*\{"))
_MARK = rb"@\w+(?:\([^()\n]*\))?"
_RENAMED = (
    (b"suspend", re.compile(rb"suspend(?=[ \t]*(?:[{),.]|=[^=>]))")),
    (b"suspend(", re.compile(rb"suspend(?<=[({;>=\n) ]suspend)(?=\([^()\n]*\)(?![ \t]*->))")),
    *(
        (word, re.compile(word + rb"(?<![\w.@`]" + word + rb")(?=\.\w|\(|[ ]*[=:])"))
        for word in (
            b"external",
            b"final",
            b"infix",
            b"inline",
            b"internal",
            b"open",
            b"out",
            b"private",
            b"public",
            b"vararg",
        )
    ),
)
"""Modifiers that are also used as names, and where they are."""
_BLANKED = (
    (b"@file:", re.compile(rb"@file:\S+[ ]+(?=@file:)")),
    (b"?::", re.compile(rb"\?(?=::)")),
    (b"$$", re.compile(rb'\$\$(?=")')),
    (b"context", re.compile(rb"context[ ]?\([^()\n]*\)(?=[ \t]*\r?\n?[ \t]*(?:@|[a-z]+ ))")),
    (b"et", re.compile(rb";(?=[ ]*(?:(?:internal|private|protected)[ ]+)?[gs]et\b)")),
    (
        b"@",
        re.compile(
            _MARK
            + rb"\s+(?:"
            + _MARK
            + rb"\s+)*(?=(?:(?:inline|internal|private|protected)\s+)*(?:get ?\( ?\)|set ?\())"
        ),
    ),
)
"""What the parser does better without, and the text that a file must hold to be searched for it."""
_NOTE = re.compile(rb"@\w+(?:\([^()\n]*\))?[ \t]*(//[^\n]*)")
_CONSTRUCTOR = re.compile(
    rb"class\s+\w+(?:\s*<[^{}()]*>)?[ \t]*\r?\n[ \t]*((?:"
    + _MARK
    + rb"\s+)+)(?=(?:(?:internal|private|protected|public)\s+)?constructor\b)"
)
_SEEN = re.compile(rb"\S")


def prepare(src: bytes) -> bytes:
    """The source without these stumbling blocks."""
    for word, pattern in _RENAMED:
        if word in src:
            src = pattern.sub(_renamed, src)
    if b"@" in src:
        src = _NOTE.sub(_without_group, src)
    for word, pattern in _BLANKED:
        if word in src:
            src = pattern.sub(_blanked, src)
    if b"[]" in src:
        src = src.replace(b"[]", b"00")  # an empty list
    if b"constructor" in src:
        src = _CONSTRUCTOR.sub(_without_group, src)
    if b"@" in src:
        src = ANNOTATED.sub(_blanked, src)
    return _with_last_semicolons(_without_last_mark(src))


def _without_last_mark(src: bytes) -> bytes:
    """An annotation that the file ends with: the scanner never comes back from one that no line end follows."""
    line = src.rfind(b"\n") + 1
    last = src[line:]
    return src[:line] + last.replace(b"@", b" ", 1) if line and last.lstrip()[:1] == b"@" else src


def _renamed(found: re.Match[bytes]) -> bytes:
    """A name that is no word of the language; what is recorded is read from the source itself."""
    return b"_" + found[0][1:]


def _blanked(found: re.Match[bytes]) -> bytes:
    return _SEEN.sub(b" ", found[0])


def _without_group(found: re.Match[bytes]) -> bytes:
    cut = found.start(1) - found.start()
    return found[0][:cut] + _SEEN.sub(b" ", found[1])


def _with_last_semicolons(src: bytes) -> bytes:
    places = []
    for pattern in _ONE_LINE:
        for found in pattern.finditer(src):
            at = _closing(src, found.end() - 1)
            if at > 0 and src[at - 1] == ord(" ") and not src[found.start() : at].rstrip().endswith(b";"):
                places.append(at - 1)
    if not places:
        return src
    changed = bytearray(src)
    for place in places:
        changed[place] = ord(";")
    return bytes(changed)


def _closing(src: bytes, start: int) -> int:
    """Where the brace that opens at ``start`` closes on its line; -1 when it does not."""
    depth = 0
    end = src.find(b"\n", start)
    for at in range(start, end if end >= 0 else len(src)):
        if src[at] == ord("{"):
            depth += 1
        elif src[at] == ord("}"):
            depth -= 1
            if depth == 0:
                return at
    return -1
