"""The names that a file uses: what must be looked at again when a definition of one of them changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

_WORD = re.compile(r"[^\W\d]\w*")


def used_names(
    imports: Iterable[Sequence[Any]], references: Iterable[Sequence[Any]], bindings: Iterable[Sequence[Any]]
) -> set[str]:
    """Names of references and imports, and every word of receivers, modules, bound values and types.

    Rows are Import, Reference and Binding tuples, or their first fields in that order.
    """
    names: set[str] = set()
    texts: set[str] = set()
    for module, name, *_ in imports:
        names.add(name)
        texts.add(module)
    for name, receiver, *_ in references:
        names.add(name)
        texts.add(receiver)
    for _, _, value, annotation, *_ in bindings:
        texts.add(value)
        texts.add(annotation)
    names.update(_WORD.findall(" ".join(texts)))
    names.discard("")
    return names
