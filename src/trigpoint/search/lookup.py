"""Definitions of one name: what `trig symbol` answers."""

from __future__ import annotations

from collections.abc import Iterable

from trigpoint.model import StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.text.identifiers import fold

_SEPARATORS = ("::", "->", "#", "/")


def parts_of(name: str) -> list[str]:
    """``ns::Outer->inner()`` as its parts: ns, Outer, inner."""
    for separator in _SEPARATORS:
        name = name.replace(separator, ".")
    return [part for part in name.strip().removesuffix("()").split(".") if part]


def definitions(name: str, snapshot: Snapshot, limit: int) -> tuple[StoredSymbol, ...]:
    """Definitions of a simple or qualified name: the exact spelling first, bodies before declarations."""
    asked = parts_of(name)
    if not asked:
        return ()
    exact = [one for one in snapshot.symbols_named(asked[-1], limit=10_000) if _ends(one, asked, exact=True)]
    seen = {one.id for one in exact}
    other = [
        one
        for one in snapshot.symbols_named(asked[-1], fold=True, limit=10_000)
        if one.id not in seen and _ends(one, asked, exact=False)
    ]
    return tuple((sorted(exact, key=_order) + sorted(other, key=_order))[:limit])


def nearest(name: str, found: Iterable[StoredSymbol], limit: int) -> tuple[StoredSymbol, ...]:
    """Definitions out of several code bases, near ones first, as one answer: an exact spelling stands before any other."""
    asked = parts_of(name)
    return tuple(sorted(found, key=lambda one: not _ends(one, asked, exact=True))[:limit])


def _ends(stored: StoredSymbol, asked: list[str], *, exact: bool) -> bool:
    own = stored.symbol.qualified.split(".")
    if not exact:
        own, asked = [fold(part) for part in own], [fold(part) for part in asked]
    return own[-len(asked) :] == asked


def _order(stored: StoredSymbol) -> tuple[bool, str, int]:
    return "declaration" in stored.symbol.modifiers, stored.path, stored.symbol.start
