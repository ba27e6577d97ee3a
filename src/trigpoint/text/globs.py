"""Patterns of paths and names, the same in a question and in a filter."""

from __future__ import annotations

import re
from functools import lru_cache


def is_glob(pattern: str) -> bool:
    """Whether the pattern holds ``*`` or ``?``; brackets and parentheses are literal."""
    return "*" in pattern or "?" in pattern


@lru_cache(maxsize=512)
def glob_expression(pattern: str) -> re.Pattern[str]:
    """A glob over whole paths: ``**/`` any folders, ``**`` anything, ``*`` and ``?`` within one segment."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            out.append("(?:[^/]+/)*")
            at += 3
        elif pattern.startswith("**", at):
            out.append(".*")
            at += 2
        else:
            out.append({"*": "[^/]*", "?": "[^/]"}.get(pattern[at]) or re.escape(pattern[at]))
            at += 1
    return re.compile("".join(out), re.DOTALL)
