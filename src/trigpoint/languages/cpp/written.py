"""Expressions and types of C and C++ as written."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import CALL, Type, steps, types

_MADE = re.compile(
    r"(?:std::)?(?:make_(?:unique|shared)|(?:static|dynamic|reinterpret|const)_cast|down_cast|allocate_shared)"
    r"<(?:const\s*)?([\w:]+)(?:<[^()]*>)?[\s*&]*>\(\)"
)
_CAST = re.compile(r"\(\((?:const\s*)?(?:struct\s*)?([\w:]+)\s*\*?\)\s*[\w.]+\)")
_TEMPLATE = re.compile(r"\btemplate\s+")


@lru_cache(maxsize=50_000)
def cpp_steps(text: str) -> tuple[str, ...]:
    """An expression as steps; what is called has its ``()`` in its name too; casts and make_unique make their type."""
    made = text.startswith("new ")
    if "<" in text:
        text = _MADE.sub(r"\1()", _TEMPLATE.sub("", text))
    if text.startswith("(("):
        text = _CAST.sub(r"\1()", text)
    text = text.replace("{}", "()")
    found = list(steps(text.removeprefix("::")))
    for at in range(1, len(found)):
        if found[at] == CALL and found[at - 1][0] == "." and not (made and CALL not in found[:at]):
            found[at - 1] += CALL
    return tuple(found)


@lru_cache(maxsize=50_000)
def cpp_types(text: str) -> tuple[Type, ...]:
    """A type without what is silent in it."""
    return types(text.removeprefix("::"))
