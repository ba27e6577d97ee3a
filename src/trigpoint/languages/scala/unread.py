"""What the Scala grammar stumbles over, rewritten in place so that it does not: same length, same lines.

Words of Scala 3 that sources in Scala 2 use as names: ``enum.next``, ``inline(call)``. What is recorded is read from the
source itself.
"""

from __future__ import annotations

import re

_NAMES = (
    (b"enum", re.compile(rb"enum(?<![\w`]enum)(?![ \t]+[A-Za-z_`]|\w)")),
    (b"inline(", re.compile(rb"inline(?<![\w`]inline)(?=\()")),
)


def prepare(src: bytes) -> bytes:
    """The source with such names changed."""
    for word, pattern in _NAMES:
        if word in src:
            src = pattern.sub(_renamed, src)
    return src


def _renamed(found: re.Match[bytes]) -> bytes:
    return b"_" + found[0][1:]
