"""Kotlin's expressions and types as written: functions are told from properties by their calls."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import CALL, Type, steps, types

_CAST = re.compile(r"^\((?:[\w.()@]|\[[^\]]*\])+\s+as\??\s+(?P<type>[\w.]+)(?:<[^()]*>)?\??\)")
_SURE = re.compile(r"!!")
_BLOCK = re.compile(r"(?:\(\))?\{\}")
_SUPER = re.compile(r"^super<(\w+)>(?:@\w+)?")
_VARIANCE = re.compile(r"(?:(?<=<)|(?<=,)|(?<=, ))(?:out|in) |@\w+(?:\([^)]*\))?\s*|\bsuspend\s+")


@lru_cache(maxsize=50_000)
def kotlin_steps(text: str) -> tuple[str, ...]:
    """An expression as steps; what is called has its ``()`` in its name too; a cast makes its type."""
    cast = _CAST.match(text)
    found: list[str] = []
    if cast is not None:
        found = [cast["type"].rpartition(".")[2], CALL]
        text = "x" + text[cast.end() :]
    text = _SUPER.sub("super", _BLOCK.sub(CALL, _SURE.sub("", text)))
    read = list(steps(text))
    if cast is not None:
        if not read:
            return ()
        read = found + read[1:]
    start = 2 if cast is not None else 1
    for at in range(start, len(read)):
        if read[at] == CALL and read[at - 1][-1] not in ")]":
            read[at - 1] += CALL
    return tuple(read)


@lru_cache(maxsize=50_000)
def kotlin_types(text: str) -> tuple[Type, ...]:
    """A type; variance is left out."""
    return types(_VARIANCE.sub("", text))


_LISTS = frozenset({"Iterable", "Collection"})
_BASES = {
    "List": _LISTS,
    "Set": _LISTS,
    "Collection": frozenset({"Iterable"}),
    "MutableList": _LISTS | {"List", "MutableCollection"},
    "MutableSet": _LISTS | {"Set", "MutableCollection"},
    "MutableMap": frozenset({"Map"}),
    "String": frozenset({"CharSequence"}),
}


def is_a(name: str, wanted: str) -> bool:
    """Whether one of the library's types is one of another as well."""
    return wanted in _BASES.get(name, ())
