"""Swift's expressions and types as written."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.arguments import end_of
from trigpoint.languages.expressions import CALL, Type, steps, types

_CAST = re.compile(
    r"^\((?:try[?!]?\s+)?(?:await\s+)?[\w.()!?\[\]$]+\s+as(?:[?!]\s*|\s+)(?P<type>[\w.]+)(?:<[^()]*>)?[?!]*\)[?!]*"
)
_LEAD = re.compile(r"^(?:try[?!]?\s+)?(?:await\s+)?")
_BLOCK = re.compile(r"(?:\(\))?\{\}")
_MIDDLE = re.compile(r"<[^<>]*>(?=\.)")
_WORDS = re.compile(
    r"(?:^|(?<=[\s(<,:\[]))(?:inout|some|any|consuming|borrowing|__owned|sending|isolated|@\w+(?:\([^)]*\))?)\s+"
)
_NESTED = re.compile(r"<[^<>]*(?:<[^<>]*>[^<>]*)*>")
_TABLE = re.compile(r"\[([^\[\]:]+):\s*((?:[^\[\]]|\[[^\[\]]*\])+)\]")


@lru_cache(maxsize=50_000)
def swift_steps(text: str) -> tuple[str, ...]:
    """An expression as steps; a cast makes its type."""
    cast = _CAST.match(text)
    if cast is not None:
        text = f"{cast['type']}(){text[cast.end() :]}"
    elif text.startswith(("(try", "(await")):
        end = end_of(text)
        text = _LEAD.sub("", text[1 : end - 1]) + text[end:]
    return steps(_BLOCK.sub(CALL, _LEAD.sub("", text)))


@lru_cache(maxsize=50_000)
def swift_types(text: str) -> tuple[Type, ...]:
    """A type; a table of ``[Key: Value]`` is a Dictionary."""
    text = _MIDDLE.sub("", _WORDS.sub("", text))
    if "->" in _NESTED.sub("", text):
        return ()
    return types(_TABLE.sub(r"Dictionary<\1,\2>", text))
