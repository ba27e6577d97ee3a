"""A NAME as people write it, to the definitions that it means.

``parse``, ``Parser.parse``, ``ns::Parser::parse``, ``pkg.module.parse``, ``path:line``, ``path#A.b``, ``path A.b``, or a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from trigpoint.graph.aliases import aliases
from trigpoint.model import MODULE, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.text.identifiers import fold

_AT_LINE = re.compile(r"(?P<path>.+):(?P<line>\d{1,9})\Z", re.DOTALL)
_IN_FILE = re.compile(r"(?P<path>\S+\.\w+)(?:#|\s+)(?P<name>\S+)\Z")
_SEPARATOR = re.compile(r"::|->|[.\\/]|(?<=[^.])#")  # a "#" behind a dot begins a private name of JavaScript
_MANY = 2_000
"""Namesakes that are looked at: of more, nobody can mean one by its bare name."""


class Meant(NamedTuple):
    """The definitions of a name, and what is to be said of them. ``file`` is true when a whole file was meant."""

    symbols: tuple[StoredSymbol, ...]
    file: bool = False
    note: str = ""


def meant(name: str, snapshot: Snapshot) -> Meant:
    """The definitions that a name stands for, the best first; none when nothing is called so.

    Of a qualified name only the closest are taken, of a bare one all; another spelling only when nothing is written so.
    """
    text = name.strip()
    if match := _AT_LINE.match(text):
        return Meant(_at_line(match["path"], int(match["line"]), snapshot))
    if snapshot.file(text) is not None:
        return Meant(_nodes([snapshot.node(text, MODULE)], snapshot), file=True)
    if (match := _IN_FILE.match(text)) and snapshot.file(match["path"]) is not None:
        inside = _parts(match["name"])
        found = [one for one in snapshot.symbols_of(match["path"]) if _tail(one, inside)]
        return Meant(tuple(_closest(found, inside)))
    return _by_name(_parts(text), snapshot)


def _by_name(asked: list[str], snapshot: Snapshot) -> Meant:
    if not asked:
        return Meant(())
    exact = snapshot.symbols_named(asked[-1], limit=_MANY)
    found = [one for one in exact if _tail(one, asked)]
    if found:
        return Meant(tuple(_closest(found, asked) if len(asked) > 1 else sorted(found, key=_order)))
    for places in (_folders, partial(_package, snapshot)):
        placed = [(depth, one) for one in exact if (depth := _placed(one, asked, places))[1]]
        if placed:
            best = max(depth for depth, _ in placed)
            return Meant(tuple(sorted((one for depth, one in placed if depth == best), key=_order)))
    if len(asked) == 1 and (known := _behind(asked[0], snapshot)):
        return Meant(known, note=f"{asked[0]} is a name of {known[0].symbol.qualified} in imports")
    folded = [
        one
        for one in snapshot.symbols_named(asked[-1], fold=True, limit=_MANY)
        if _tail(one, asked, folded=True)
    ]
    note = f"nothing is called {'.'.join(asked)}: another spelling was taken" if folded else ""
    return Meant(tuple(sorted(folded, key=_order)), note=note)


def _behind(name: str, snapshot: Snapshot) -> tuple[StoredSymbol, ...]:
    """What a name stands for that only imports bind."""
    return tuple({one.id: one for alias in aliases(name, snapshot) for one in alias.targets}.values())


def _parts(name: str) -> list[str]:
    return [part for part in _SEPARATOR.split(name.strip().removesuffix("()")) if part]


def _tail(stored: StoredSymbol, asked: Sequence[str], *, folded: bool = False) -> bool:
    """Whether the qualified name ends with what was asked for."""
    own = _SEPARATOR.split(stored.symbol.qualified)
    if folded:
        return [fold(part) for part in own[-len(asked) :]] == [fold(part) for part in asked]
    return own[-len(asked) :] == list(asked)


def _closest(found: Sequence[StoredSymbol], asked: Sequence[str]) -> list[StoredSymbol]:
    """Those whose whole name was asked for, if there are any."""
    whole = [one for one in found if _SEPARATOR.split(one.symbol.qualified) == list(asked)]
    return sorted(whole or found, key=_order)


def _placed(
    stored: StoredSymbol, asked: Sequence[str], places: Callable[[str], Iterator[list[str]]]
) -> tuple[bool, int]:
    """Whether the whole name was asked for, and how many parts it and, before it, a place of its file make up.

    The second is 0 when what was asked is not made of these.
    """
    own = _SEPARATOR.split(stored.symbol.qualified)
    for kept in range(min(len(own), len(asked) - 1), 0, -1):
        if own[-kept:] != list(asked[-kept:]):
            continue
        before = list(asked[:-kept])
        for place in places(stored.path):
            if place[-len(before) :] == before:
                return kept == len(own), kept + len(before)
    return False, 0


def _folders(path: str) -> Iterator[list[str]]:
    """The names by which most code speaks of what a file holds: its module, its folder."""
    *folders, file = path.split("/")
    stem = file.partition(".")[0]
    yield [*folders, stem]
    yield folders


def _package(snapshot: Snapshot, path: str) -> Iterator[list[str]]:
    """The package or namespace that a file declares; this costs more, so it comes last."""
    outline = snapshot.outline_of(path)
    if outline is not None and outline.package:
        yield _parts(outline.package)


def _at_line(path: str, line: int, snapshot: Snapshot) -> tuple[StoredSymbol, ...]:
    """The innermost definition around a line, or the top of the file."""
    around = [one for one in snapshot.symbols_of(path) if one.symbol.start <= line <= one.symbol.end]
    if around:
        return (min(around, key=lambda one: (one.symbol.end - one.symbol.start, -one.index)),)
    return _nodes([snapshot.node(path, MODULE)], snapshot)


def _nodes(ids: Sequence[int], snapshot: Snapshot) -> tuple[StoredSymbol, ...]:
    return tuple(snapshot.nodes([one for one in ids if one]))


def _order(stored: StoredSymbol) -> tuple[bool, int, str, int]:
    """Bodies before declarations, outer names before inner ones."""
    symbol = stored.symbol
    return "declaration" in symbol.modifiers, symbol.qualified.count("."), stored.path, symbol.start
