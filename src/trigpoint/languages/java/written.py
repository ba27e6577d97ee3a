"""Java's expressions and types as written: a method and a field of one name are told apart by the call."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import CALL, Type, steps, types

_CAST = re.compile(r"\(\((?P<type>[\w.]+)(?:<[^()]*>)?\)[^()]*(?:\(\))?[^()]*\)")
_BOUND = re.compile(r"\?\s*(?:extends|super)\s+|@[\w.]+(?:\([^)]*\))?\s*|\bfinal\s+")


@lru_cache(maxsize=50_000)
def java_steps(text: str) -> tuple[str, ...]:
    """An expression as steps; what is called has its ``()`` in its name too: ``a.b()`` -> ("a", ".b()", "()")."""
    made = text.startswith("new ")
    cast = _CAST.match(text)
    if cast is not None:
        made = True
        text = f"{cast['type']}(){text[cast.end() :]}"
    found = list(steps(text))
    for at in range(1, len(found)):
        if found[at] == CALL and found[at - 1][-1] not in ")]":
            if made:
                made = False  # what stands before the first call is the type that is made
            else:
                found[at - 1] += CALL
    return tuple(found)


@lru_cache(maxsize=50_000)
def java_types(text: str) -> tuple[Type, ...]:
    """A type; a wildcard is its bound."""
    return types(_BOUND.sub("", text))
