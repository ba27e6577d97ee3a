"""What the Kotlin grammar stumbles over, rewritten in place so that it does not: same length, same lines.

Modifiers used as names (``suspend { }``, ``open.x()``), a body on one line whose last member ends without a semicolon,
``T?::f``, an accessor after a semicolon, a comment between an annotation and what it annotates, and context parameters.
"""

from __future__ import annotations

import re

_SUSPEND = re.compile(rb"\bsuspend(?=[ \t]*(?:[{),.]|=[^=>]))|(?<=[({;>=\n)])[ \t]*\bsuspend(?=\([^()\n]*\)(?![ \t]*->))")
_MODIFIER = re.compile(
    rb"(?<![\w.@`])(?:abstract|external|final|infix|inline|internal|lateinit|noinline|open|out|override"
    rb"|private|public|sealed|tailrec|vararg)(?=\.\w|\()"
)
_ONE_LINE = re.compile(
    rb"(?<=enum class )[^\n{]*\{|\{(?=[ ]*(?:(?:@\w+|abstract|const|data|final|infix|inline|inner|internal|lateinit|open|operator"
    rb"|override|private|protected|public|suspend)[ ]+)*(?:class|companion|constructor|fun|init|interface|object|val|var)\b)"
)
_TOP = re.compile(
    rb"(?m)^(?:@\w[\w.]*(?:\([^()\n]*\))?[ ]+)*((?:(?:abstract|actual|annotation|data|enum|expect|external|final|infix|inline|inner"
    rb"|internal|open|operator|override|private|public|sealed|suspend|tailrec|value)[ ]+)+)(?=(?:class|fun|interface|object)\b)"
)
_WORD = re.compile(rb"\w(?=\w)(?<!\w\w)")
_NULLABLE_OWNER = re.compile(rb"(?<=\w)\?(?=::)")
_ACCESSOR = re.compile(rb";(?=[ ]*(?:(?:internal|private|protected)[ ]+)?[gs]et\b)")
_NOTE = re.compile(rb"(?m)^([ \t]*@\w+(?:\([^()\n]*\))?[ \t]*)(//[^\n]*)")
_MARKED_ACCESSOR = re.compile(
    rb"(?m)^[ \t]*(?:@\w+(?:\([^()\n]*\))?\s+)+(?=(?:(?:inline|internal|private|protected)\s+)*(?:get[ ]?\([ ]?\)|set[ ]?\())"
)
_MARKED_CONSTRUCTOR = re.compile(
    rb"(\bclass\s+\w+(?:\s*<[^{}()]*>)?[ \t]*\r?\n[ \t]*)((?:@\w+(?:\([^()\n]*\))?\s+)+)"
    rb"(?=(?:(?:internal|private|protected|public)\s+)?constructor\b)"
)
_CONTEXT = re.compile(rb"(?m)^[ \t]*context[ ]?\([^()\n]*\)(?=[ \t]*\r?\n?[ \t]*(?:@|[a-z]))")


def prepare(src: bytes) -> bytes:
    """The source without these stumbling blocks."""
    if b"suspend" in src:
        src = _SUSPEND.sub(_renamed, src)
    if b"?::" in src:
        src = _NULLABLE_OWNER.sub(b" ", src)
    if b"$$" in src:
        src = src.replace(b'$$"', b'  "')
    if b"context" in src:
        src = _CONTEXT.sub(_blanked, src)
    src = _TOP.sub(_as_annotations, src)
    src = _MODIFIER.sub(_renamed, src)
    src = _ACCESSOR.sub(b" ", src)
    src = _NOTE.sub(lambda found: found[1] + b" " * len(found[2]), src)
    src = _MARKED_ACCESSOR.sub(_blanked, src)
    src = _MARKED_CONSTRUCTOR.sub(lambda found: found[1] + _SEEN.sub(b" ", found[2]), src)
    return _with_last_semicolons(src)


def _renamed(found: re.Match[bytes]) -> bytes:
    """A name that is no word of the language; what is recorded is read from the source itself."""
    word = found[0].lstrip()
    return found[0][: len(found[0]) - len(word)] + b"_" + word[1:]


def _as_annotations(found: re.Match[bytes]) -> bytes:
    """``data class`` as ``@ata class``: after an annotation the grammar may take modifiers for an infix expression."""
    return found[0][: found.start(1) - found.start()] + _WORD.sub(b"@", found[1])


def _blanked(found: re.Match[bytes]) -> bytes:
    return _SEEN.sub(b" ", found[0])


_SEEN = re.compile(rb"\S")


def _with_last_semicolons(src: bytes) -> bytes:
    changed = bytearray(src)
    for found in _ONE_LINE.finditer(src):
        at = _closing(src, found.end() - 1)
        if at > 0 and src[at - 1] == ord(" ") and not src[:at].rstrip().endswith(b";"):
            changed[at - 1] = ord(";")
    return bytes(changed)


def _closing(src: bytes, start: int) -> int:
    """Where the brace that opens at ``start`` closes on its line; -1 when it does not."""
    depth = 0
    for at in range(start, len(src)):
        if src[at] == ord("\n"):
            break
        if src[at] == ord("{"):
            depth += 1
        elif src[at] == ord("}"):
            depth -= 1
            if depth == 0:
                return at
    return -1
