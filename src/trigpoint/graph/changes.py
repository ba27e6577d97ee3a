"""Changed lines to changed symbols: the innermost definition around each line, of the old text and of the new one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from trigpoint.model import MODULE, Symbol


class Touched(NamedTuple):
    """A changed symbol. ``place`` is its index in the new text, None when it is gone; MODULE is the top of the file."""

    name: str  # qualified; "" is the top of the file
    kind: str
    how: str  # added, modified, deleted
    start: int
    end: int
    place: int | None


class Side(NamedTuple):
    """One text: its symbols, its lines that differ, and whether there is such a text at all."""

    symbols: Sequence[Symbol]
    lines: Collection[int]
    there: bool = True


_Key = tuple[str, int]
"""A qualified name and its number among its namesakes."""


def touched(old: Side, new: Side) -> tuple[Touched, ...]:
    """The symbols that differ, by line; what stands in one text only is added or deleted, with all inside it."""
    before, after = _keys(old.symbols), _keys(new.symbols)
    known_before = {key: index for index, key in enumerate(before)}
    known_after = {key: index for index, key in enumerate(after)}
    found: dict[int, Touched] = {}
    gone: list[Touched] = []
    for index in _innermost(new):
        key = after[index] if index != MODULE else None
        how = "modified" if (key in known_before if key else old.there) else "added"
        found[index] = _touched(new.symbols, index, how)
    for index in _innermost(old):
        key = before[index] if index != MODULE else None
        if key is None and new.there:
            found.setdefault(MODULE, _touched(new.symbols, MODULE, "modified"))
        elif key in known_after:
            found.setdefault(known_after[key], _touched(new.symbols, known_after[key], "modified"))
        else:
            gone.append(_touched(old.symbols, index, "deleted")._replace(place=None))
    return tuple(sorted((*found.values(), *gone), key=lambda one: (one.start, one.how, one.name)))


def _innermost(side: Side) -> Iterator[int]:
    """The symbols directly around the lines, each once; all of them when no lines are given but the text is new or gone."""
    seen: set[int] = set()
    for line in sorted(side.lines):
        around = [index for index, one in enumerate(side.symbols) if one.start <= line <= one.end]
        index = min(
            around, key=lambda one: (side.symbols[one].end - side.symbols[one].start, -one), default=MODULE
        )
        if index not in seen:
            seen.add(index)
            yield index


def _keys(symbols: Sequence[Symbol]) -> list[_Key]:
    counts: dict[str, int] = {}
    keys: list[_Key] = []
    for one in symbols:
        counts[one.qualified] = number = counts.get(one.qualified, -1) + 1
        keys.append((one.qualified, number))
    return keys


def _touched(symbols: Sequence[Symbol], index: int, how: str) -> Touched:
    if index == MODULE:
        return Touched("", "file", how, 1, 1, MODULE)
    one = symbols[index]
    return Touched(one.qualified, one.kind, how, one.start, one.end, index)
