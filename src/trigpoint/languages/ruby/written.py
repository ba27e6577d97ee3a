"""Ruby's expressions as written: every name that is no constant and no variable is called."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import CALL, LITERAL, Type

_STEP = re.compile(
    r"(?P<dot>&?\.|::)?\s*(?P<name>@{0,2}[^\W\d]\w*[?!]?|\$\w+)(?P<call>\(\))?(?P<block>\s*\{\})?|(?P<item>\[[^\[\]]*\])"
)
_LITERAL = re.compile(r"[\[{\"'`:\d%/]|->|lambda\b")
_VARIABLES = frozenset({"self"})


@lru_cache(maxsize=100_000)
def ruby_steps(text: str) -> tuple[str, ...]:
    """An expression as steps: ``A::B.make.x`` -> ("A", ".B", ".make", "()", ".x", "()"); () when it is none of that form."""
    if text == "::":
        return ("::",)
    top = text.startswith("::")
    if top:
        text = text[2:]
    elif _LITERAL.match(text):
        return (LITERAL,)
    found: list[str] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None or (at > 0) == (match["dot"] is None and match["item"] is None):
            return ()
        at = match.end()
        if match["item"]:
            found.append(match["item"])
            continue
        name = match["name"]
        if name == "class" and found == ["self"]:
            found = ["Self"]
            continue
        if name == "class":
            return ()
        found.append(name if len(found) == 0 else "." + name)
        if match["call"] or not (name[0].isupper() or name[0] in "@$" or name in _VARIABLES):
            found.append(CALL)
    if top and found:
        found[0] = "::" + found[0]
    return tuple(found)


@lru_cache(maxsize=20_000)
def ruby_types(text: str) -> tuple[Type, ...]:
    """The classes that a ``rescue`` names, or what a class extends."""
    return tuple(Type(one.strip()) for one in text.split("|") if one.strip())


def is_constant(name: str) -> bool:
    """Whether a name is one of a constant."""
    return name.removeprefix("::")[:1].isupper()
