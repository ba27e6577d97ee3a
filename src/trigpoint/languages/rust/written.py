"""Rust's paths, receivers and types as written."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import CALL, Type, steps, types

OWN_MODULE = "self_module"
"""The first step of a path in the module itself, which is another self than that of methods."""
GIVES = "?"
"""The index that stands for the operator ``?``."""

_AS = re.compile(r"^<[^<>]*(?:<[^<>]*>)?[^<>]* as ([\w:]+)(?:<[^<>]*>)?>")
_FIELD = re.compile(r"\.(\d+)\b")
_AWAIT = re.compile(r"\.await\b")
_LIFETIME = re.compile(r"'\w+\s*,?\s*|\bfor\s*<[^<>]*>\s*|\?Sized\s*\+?\s*")
_TURBOFISH = re.compile(r"::<[^<>()]*(?:<[^<>()]*>[^<>()]*)*>")


@lru_cache(maxsize=50_000)
def rust_steps(text: str) -> tuple[str, ...]:
    """An expression as steps: ``a.0?`` -> ("a", ".#0", "[?]"); ``<T as Trait>::m`` is a member of the trait.

    A member that is called has its ``()`` in its name too, which tells a method from a field.
    """
    text = _AWAIT.sub("", text)
    if "::<" in text:
        text = _TURBOFISH.sub("", text)
    text = _AS.sub(r"\1", text)
    if "?" in text:
        text = text.replace("?", "[?]")
    if text.startswith("self::"):
        text = OWN_MODULE + text[4:]
    if text.endswith("{}"):
        text = text[:-2] + "()"
    found = list(steps(_FIELD.sub(r".#\1", text))) if text else []
    for at in range(2, len(found)):
        if found[at] == CALL and found[at - 1][0] == ".":
            found[at - 1] += CALL
    return tuple(found)


@lru_cache(maxsize=50_000)
def rust_types(text: str) -> tuple[Type, ...]:
    """A type; of several bounds each is an alternative."""
    text = _LIFETIME.sub("", text)
    text = _AS.sub(r"\1", text)
    return types(text.replace("+", "|"))
