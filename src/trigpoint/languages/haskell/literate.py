"""Literate Haskell: the prose around the code is blanked, byte for byte, so that every place stays where it is."""

from __future__ import annotations

import re

_NOT_END = re.compile(rb"[^\r\n]")


def prepare(src: bytes) -> bytes:
    """Code stands behind ``>``, or between the lines ``\\\\begin{code}`` and ``\\\\end{code}``."""
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
    return b"".join(kept)
