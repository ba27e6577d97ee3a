"""Filters, the same in every store: what a path, a name or a comparison matches. Pure."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence

from trigpoint.errors import UsageError
from trigpoint.text.globs import glob_expression, is_glob

_COMPARISON = re.compile(r"\s*(>=|<=|==|=|>|<)?\s*(\d{1,9})\s*")
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
}


def comparison(text: str) -> tuple[str, int]:
    """(operator, number) of ``>10``, ``<=3`` or ``5``. Raises UsageError for anything else."""
    found = _COMPARISON.fullmatch(text)
    if found is None:
        raise UsageError(
            f"complexity:{text} is no comparison", "write complexity:>10, complexity:<=3 or complexity:5"
        )
    sign = found[1] or "="
    return ("=" if sign == "==" else sign), int(found[2])


def compares(value: int, text: str) -> bool:
    """Whether the number passes the comparison."""
    sign, number = comparison(text)
    return _COMPARE[sign](value, number)


def matching_paths(pattern: str, paths: Iterable[str], *, widest: bool = False) -> set[str]:
    """The paths that a filter means, by the first rule that finds something; with ``widest`` (for exclusion, so that
    ``-path:tests`` drops every folder of that name) a single segment also counts anywhere else.

    1. an existing file or folder, literally (then with ``\\`` as ``/``, without ``./`` and a trailing ``/``);
    2. with ``*`` or ``?``: a glob over the whole path, or over any one segment when it holds no ``/``;
    3. a run of whole segments anywhere, the last one with or without its suffix, in any case.
    """
    known = paths if isinstance(paths, (list, tuple, set, frozenset)) else list(paths)
    plain = _plain(pattern)
    for literal in dict.fromkeys((pattern, plain)):
        found = _under(literal, known)
        if found:
            return found | _segments(plain.lower(), known) if widest and "/" not in plain else found
    if not plain:
        return set(known)
    if is_glob(plain):
        return _globbed(plain, known)
    return _segments(plain.lower(), known)


def matching_names(pattern: str) -> Callable[[str, str], bool]:
    """Whether a symbol (simple name, qualified name) is meant: exact, or a glob when the pattern holds ``*`` or ``?``."""
    if not is_glob(pattern):
        return lambda name, qualified: pattern in (name, qualified)
    full = glob_expression(pattern).fullmatch
    return lambda name, qualified: bool(full(name) or full(qualified))


def folded(names: Sequence[str]) -> frozenset[str]:
    """The words of a filter without case."""
    return frozenset(name.lower() for name in names)


def _plain(pattern: str) -> str:
    plain = re.sub("/+", "/", pattern.replace("\\", "/"))
    while plain.startswith("./"):
        plain = plain[2:]
    return "" if plain in (".", "/") else plain.rstrip("/")


def _under(literal: str, paths: Iterable[str]) -> set[str]:
    if not literal:
        return set()
    folder = literal if literal.endswith("/") else literal + "/"
    return {path for path in paths if path == literal or path.startswith(folder)}


def _globbed(pattern: str, paths: Iterable[str]) -> set[str]:
    full = glob_expression(pattern).fullmatch
    if "/" in pattern:
        return {path for path in paths if full(path)}
    if pattern == "**":
        return set(paths)
    return {path for path in paths if any(full(segment) for segment in path.split("/"))}


def _segments(run: str, paths: Iterable[str]) -> set[str]:
    middle = f"/{run}/"
    found = set()
    for path in paths:
        bounded = f"/{path.lower()}/"
        if middle in bounded or f"/{_stem(path.lower())}/".endswith(middle):
            found.add(path)
    return found


def _stem(path: str) -> str:
    head, slash, last = path.rpartition("/")
    return head + slash + (last[: last.find(".", 1)] if "." in last[1:] else last)


__all__ = [
    "compares",
    "comparison",
    "folded",
    "glob_expression",
    "is_glob",
    "matching_names",
    "matching_paths",
]
