"""PHP's expressions and types as written."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import CALL, Type, steps

_MADE = re.compile(r"^\(new ([\w\\]+)(?:\(\))?\)")
_FULL = re.compile(r"\\?\w+(?:\\\w+)*\\?|\\")
_GENERIC = re.compile(r"^(?P<head>[\w\\]+)<(?P<args>.*)>$")


@lru_cache(maxsize=50_000)
def php_steps(text: str) -> tuple[str, ...]:
    """An expression as steps; the first may be a name with backslashes, and a member that is called ends in ``()``."""
    text = _MADE.sub(r"\1()", text)
    text = text.removeprefix("new ")
    head = ""
    if "\\" in text:
        match = _FULL.match(text)
        head = match[0] if match is not None else ""
        text = "x" + text[len(head) :] if head else text
    found = list(steps(text))
    if head and found:
        found[0] = head
    for at in range(2, len(found)):
        if found[at] == CALL and found[at - 1][0] == ".":
            found[at - 1] += CALL
    return tuple(found)


@lru_cache(maxsize=50_000)
def php_types(text: str) -> tuple[Type, ...]:
    """A type's alternatives; ``T[]`` and ``array<K, T>`` are lists of T."""
    found: list[Type] = []
    for part in _parts(text, "|&"):
        part = part.strip(" ?()")
        generic = _GENERIC.match(part)
        if part.endswith("[]"):
            found.append(Type("[]", (php_types(part[:-2]),)))
        elif generic is not None:
            found.append(Type(generic["head"], (php_types(_parts(generic["args"], ",")[-1]),)))
        elif part and part.lower() != "null":
            found.append(Type(part))
    return tuple(found)


def _parts(text: str, marks: str) -> list[str]:
    """A text cut at marks outside brackets."""
    found, depth = [""], 0
    for character in text:
        depth += (character in "<({") - (character in ">)}")
        if character in marks and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return found
