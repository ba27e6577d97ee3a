"""Zig's types and expressions as they are written, made ready for the reader that all languages share."""

from __future__ import annotations

import re

from trigpoint.languages.arguments import end_of
from trigpoint.languages.expressions import Type, steps

THIS = "$This"
"""What ``@This()`` is read as."""

_BEFORE = re.compile(
    r"\s*(?:[?*&!]|(?:const|var|volatile|allowzero|comptime|noalias)\b|(?:align|addrspace)\([^()]*\))"
)
_LIST = re.compile(r"\s*\[[^\[\]]*\]")
_NAME = re.compile(r"\s*(\$This|[A-Za-z_]\w*)")
_BUILT_IN = frozenset(
    {"struct", "union", "enum", "opaque", "fn", "packed", "extern", "anytype", "type", "if", "switch"}
)
_UNWRAPPED = re.compile(r"\.[?*]")
_LEAD = re.compile(r"(?:(?:try|comptime|return)\s+)+")


def zig_types(text: str) -> tuple[Type, ...]:
    """The type behind pointers, options and errors: ``Error!?*const List(u8).Node`` is List.Node; ``[]T`` a list of T."""
    rest = text.replace("@This()", THIS)
    while found := _BEFORE.match(rest):
        rest = rest[found.end() :]
    listed = _LIST.match(rest)
    if listed is not None:
        return (Type("[]", (zig_types(rest[listed.end() :]),)),)
    parts: list[str] = []
    while (name := _NAME.match(rest)) is not None:
        parts.append(name[1])
        rest = rest[name.end() :].lstrip()
        if rest[:1] in ("(", "{"):
            rest = rest[end_of(rest) :].lstrip()
        if rest[:1] != ".":
            break
        rest = rest[1:]
    if rest[:1] == "!":
        return zig_types(rest[1:])
    return (Type(".".join(parts)),) if parts and parts[0] not in _BUILT_IN else ()


def zig_steps(text: str) -> tuple[str, ...]:
    """An expression as steps: what is unwrapped or followed is the same thing."""
    lead = _LEAD.match(text)
    text = text[lead.end() :] if lead is not None else text
    return steps(_UNWRAPPED.sub("", text.replace("@This()", THIS)))
