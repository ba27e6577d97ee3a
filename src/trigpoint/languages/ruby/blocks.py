"""Where in a Ruby module a method stands: in its body, or in a block that is run for what includes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from trigpoint.model import MODULE, Symbol

_FOR_OTHERS = re.compile(r"\b(?:included|class_methods|prepended|class_eval|instance_eval)\b.*(?:\bdo\b|\{)")


def is_own(text: str, module: Symbol, method: Symbol) -> bool:
    """Whether a module keeps a method of its own to itself, by the lines around it that are indented less."""
    lines = text.split("\n")
    at = method.name_line - 1
    if at >= len(lines):
        return False
    depth = _indent(lines[at])
    while at > module.name_line:
        at -= 1
        line = lines[at]
        if line.strip() and _indent(line) < depth:
            depth = _indent(line)
            if _FOR_OTHERS.search(line):
                return False
    return True


def run_for_others(text: str, symbols: Iterable[Symbol]) -> frozenset[tuple[str, int]]:
    """What modules hold for others: qualified names, each with its number among its namesakes."""
    if not _FOR_OTHERS.search(text):
        return frozenset()
    known = list(symbols)
    seen: Counter[str] = Counter()
    found = set()
    for one in known:
        seen[one.qualified] += 1
        module = known[one.container] if one.container != MODULE else None
        if module is not None and module.kind == "module" and not is_own(text, module, one):
            found.add((one.qualified, seen[one.qualified]))
    return frozenset(found)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
