"""C#'s expressions and types as written: methods are told from fields by their calls, types by their mark."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import CALL, Type, types
from trigpoint.languages.java.written import java_steps

TYPE = "$"
"""Behind a name: only types are meant."""

_CAST = re.compile(r"^\(\(?([\w.]+)(?:<[^()]*>)?\??\)\s*[\w.()\[\]]+\)(?=[.?!\[]|$)")
_AS = re.compile(r"^\([\w.()\[\]]+ as ([\w.]+)(?:<[^()]*>)?\??\)")
_GLOBAL = re.compile(r"\bglobal::")
_LEAD = re.compile(r"^\(await ([\w.()<>?]+)\)")


@lru_cache(maxsize=50_000)
def csharp_steps(text: str) -> tuple[str, ...]:
    """An expression as steps; a cast makes its type."""
    told = _CAST.match(text) or _AS.match(text)
    if told is not None:
        text = f"new {told[1]}(){text[told.end() :]}"
    elif text.startswith("(await "):
        text = _LEAD.sub(r"\1", text)
    return java_steps(_GLOBAL.sub("", text))


@lru_cache(maxsize=50_000)
def csharp_types(text: str) -> tuple[Type, ...]:
    """A type."""
    return types(_GLOBAL.sub("", text))


def simple(name: str) -> str:
    """A name without its marks."""
    return name.removesuffix(CALL).removesuffix(TYPE)


_LISTS = frozenset({"IEnumerable", "ICollection", "IReadOnlyCollection", "IList", "IReadOnlyList"})
_BASES = {
    "*": _LISTS,
    "List": _LISTS,
    "IList": _LISTS,
    "IReadOnlyList": _LISTS,
    "ICollection": frozenset({"IEnumerable"}),
    "HashSet": _LISTS,
    "Dictionary": frozenset({"IDictionary", "IReadOnlyDictionary", *_LISTS}),
    "IDictionary": _LISTS,
    "Task": frozenset(),
}
"""Interfaces of the library's own types."""


def is_a(name: str, wanted: str) -> bool:
    """Whether a foreign type is likely one of an interface's, by their names: ``SqlConnection`` an ``IConnection``."""
    if wanted in _BASES.get(name, ()):
        return True
    return len(wanted) > 4 and wanted[0] == "I" and wanted[1].isupper() and name.endswith(wanted[1:])


def first_type(head: str) -> str:
    """The type of the first parameter, from what follows ``this``."""
    depth = 0
    for at, one in enumerate(head):
        depth += (one in "<([") - (one in ">)]")
        if (one == "," and depth == 0) or depth < 0:
            return head[:at].rpartition(" ")[0]
    return head.rpartition(" ")[0]
