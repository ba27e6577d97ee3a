"""C#'s conditional directives, which its grammar reads only between whole statements and members."""

from __future__ import annotations

import re

from trigpoint.languages.c.conditionals import settled_among

_NOISE = re.compile(
    rb"//[^\n]*|/\*.*?(?:\*/|\Z)"
    rb'|"""+.*?"""+|\$?@\$?"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"'
    rb"|'(?:[^'\\\n]|\\.){1,8}'"
    rb"|^[ \t]*#[ \t]*(?!if|el|endif)[^\n]*",
    re.S | re.M,
)
"""What holds no code: comments, strings, and directives other than conditionals."""
_ITEMS = re.compile(rb"(?:case\b|default\s*:|\Z)")
"""Cases of a switch, which the grammar does not read between directives."""


def prepare(src: bytes) -> bytes:
    """The source with directives that cut through statements settled: the first branch stays, byte for byte."""
    if b"#if" not in src:
        return src
    return settled_among(src, _NOISE, _ITEMS)
