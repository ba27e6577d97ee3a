"""What the grammar reads instead of a Haskell file: byte for byte as long, so that every place stays where it is."""

from __future__ import annotations

import re

_CPP = re.compile(
    rb"^#[ \t]*(?:if|ifdef|ifndef|else|elif|endif|define|undef|include|error|warning|line|let)\b(?:\\\r?\n|.)*",
    re.M,
)
_CHAR = re.compile(rb"(?<![\w'])'\\(?:'|[^'\s]{1,9})'")
_NOT_END = re.compile(rb"[^\r\n]")


def prepare(src: bytes) -> bytes:
    """All branches of conditional compilation are code; ``'\\\\n'`` becomes digits.

    The grammar leaves out what follows ``#else``, and takes an escaped character to end at the last quote it can find.
    """
    if b"#" in src:
        src = _CPP.sub(_blank, src)
    return _CHAR.sub(_digits, src) if b"'\\" in src else src


def literate(src: bytes) -> bytes:
    """Code stands behind ``>``, or between the lines ``\\\\begin{code}`` and ``\\\\end{code}``; the prose is blanked."""
    kept = []
    inside = False
    for line in src.splitlines(keepends=True):
        if line.startswith((b"\\begin{code}", b"\\end{code}")):
            inside = line.startswith(b"\\begin")
            kept.append(_NOT_END.sub(b" ", line))
        elif inside:
            kept.append(line)
        elif line.startswith(b">"):
            kept.append(b" " + line[1:])
        else:
            kept.append(_NOT_END.sub(b" ", line))
    return prepare(b"".join(kept))


def _blank(found: re.Match[bytes]) -> bytes:
    return _NOT_END.sub(b" ", found.group())


def _digits(found: re.Match[bytes]) -> bytes:
    return b"1" * len(found.group())
