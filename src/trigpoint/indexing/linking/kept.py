"""What of a changed file's edges holds: those of the functions that an edit has left as they were, with their lines moved.

Of a function the rest of its file sees what other files see: its name and head, and what it gives (offers.py). So where an
edit changes nothing of that, only the functions that it touches are linked again. Anything in doubt links the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from trigpoint.indexing.linking.offers import LOCAL
from trigpoint.languages.arguments import LONGEST
from trigpoint.languages.linking import LinkingClass, Rules
from trigpoint.model import MODULE, Symbol
from trigpoint.ports import Link, Said

Row = tuple[Any, ...]

_WORD = re.compile(r"[^\W\d]\w*")
_LOOSE = frozenset({"assign", "for", "with", "inner", "entry"})
"""Kinds of bindings that nobody outside a function sees but through what it gives."""


class Kept(NamedTuple):
    """How the edges of a file are kept."""

    edit: Edit
    again: frozenset[int]  # the scopes whose edges are made anew

    def moved(self, links: Sequence[Link]) -> list[Link] | None:
        """The edges of all other scopes where they are now; None when one stands on a line that is no more."""
        edit, again = self
        if not edit.delta and not again:
            return list(links)
        found = [
            link if link.line <= edit.same else link._replace(line=edit.moved(link.line))
            for link in links
            if link.source not in again
        ]
        return found if all(link.line for link in found) else None


class Edit(NamedTuple):
    """The lines between the first and the last that differ; those around them are the same in both texts."""

    same: int  # so many lines before it
    old: int  # its last line in the former text
    new: int  # and in the later one; ``same`` when it only took lines away

    @property
    def delta(self) -> int:
        """By how much the lines behind it moved."""
        return self.new - self.old

    def moved(self, line: int) -> int:
        """Where a line of the former text is now; 0 when it lies in the edit."""
        if line <= self.same:
            return line
        return line + self.new - self.old if line > self.old else 0


def kept(old: Said, new: Said, texts: Callable[[], tuple[str, str]], rules: LinkingClass) -> Kept | None:
    """What of the edges of a file holds between two states in which all other files are the same; None for nothing.

    Where it is not None, both states are also the same to every other file. ``texts`` gives both texts, when it must.
    """
    if old[:4] != new[:4] or len(old.symbols) != len(new.symbols) or len(old.imports) != len(new.imports):
        return None
    alike = old == new
    if alike and not rules.reads_calls and rules.read is Rules.read:
        return Kept(Edit(0, 0, 0), frozenset())
    before, after = texts()
    if rules.read(before, _symbols(old)) != rules.read(after, _symbols(new)):
        return None
    if alike and (not rules.reads_calls or before.rstrip() == after.rstrip()):
        return Kept(Edit(0, 0, 0), frozenset())
    return _Comparison(old, new, after.split("\n"), edit_of(before, after), rules).result()


def edit_of(before: str, after: str) -> Edit:
    """Where two texts differ."""
    old, new = before.split("\n"), after.split("\n")
    most = min(len(old), len(new))
    same = next((at for at in range(most) if old[at] != new[at]), most)
    most -= same
    end = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    return Edit(same, len(old) - end, len(new) - end)


def _symbols(said: Said) -> Iterator[Symbol]:
    return (Symbol(*row[:9]) for row in said.symbols)


class _Comparison:
    """Two states of a file around one edit."""

    def __init__(self, old: Said, new: Said, lines: Sequence[str], edit: Edit, rules: LinkingClass) -> None:
        self.old = old
        self.new = new
        self.lines = lines
        self.edit = edit
        self.rules = rules

    def result(self) -> Kept | None:
        """What holds; None for nothing."""
        if not self.same_heads() or not self.same_imports():
            return None
        self.units = units_of(self.new.symbols)
        moved = self.edit.moved
        uses = [
            row if row[3] <= self.edit.same else (*row[:3], moved(row[3]), *row[4:])
            for row in self.old.references
        ]
        bindings = [self.moved_binding(row) for row in self.old.bindings]
        other_uses = differing(uses, list(self.new.references))
        other_bindings = differing(bindings, list(self.new.bindings))
        touched = {self.units[row[5]] for rows in (*other_uses, *other_bindings) for row in rows}
        if any(other_bindings) and not self.gives_the_same(bindings, *other_bindings):
            return None
        touched |= self.near()
        return Kept(self.edit, frozenset(at for at, unit in self.units.items() if unit in touched))

    def same_heads(self) -> bool:
        """Whether the definitions are the same, and none of them begins inside the edit."""
        moved, edit = self.edit.moved, self.edit
        for old, new in zip(self.old.symbols, self.new.symbols, strict=True):
            if old[:3] != new[:3] or old[6:] != new[6:]:
                return False
            if moved(old[3]) != new[3] or moved(old[5]) != new[5]:
                return False
            last = moved(old[4])
            if last != new[4] if last else not edit.same < new[4] <= edit.new:
                return False
        return True

    def same_imports(self) -> bool:
        """Whether the imports are the same, and none of them stands inside the edit."""
        moved = self.edit.moved
        return all(
            (*old[:3], moved(old[3]), *old[4:]) == tuple(new)
            for old, new in zip(self.old.imports, self.new.imports, strict=True)
        )

    def moved_binding(self, row: Row) -> Row:
        """A binding where it is now; the last line of an ``inner`` one moves as well."""
        name, kind, value, annotation, line, scope = row
        if kind == "inner":
            value = str(self.edit.moved(int(value)))
        elif line <= self.edit.same:
            return row
        return name, kind, value, annotation, self.edit.moved(line), scope

    def near(self) -> set[int]:
        """The functions that the edit lies in or beside; with rules that read around uses all that may see it."""
        first, last = (
            self.edit.same,
            self.edit.new + 1,
        )  # what stands behind it may look at the line before itself
        if self.rules.reads_calls:
            room = LONGEST
            while first > 0 and room >= 0:
                room -= len(self.lines[first - 1]) + 1
                first -= 1
        found = {
            at
            for at, unit in self.units.items()
            if at == unit != MODULE and self.new.symbols[at][3] <= last and self.new.symbols[at][4] >= first
        }
        if self.rules.reads_calls and any(
            first <= row[3] <= last and self.units[row[5]] == MODULE for row in self.new.references
        ):
            found.add(MODULE)
        return found

    def gives_the_same(self, former: Sequence[Row], old: Sequence[Row], new: Sequence[Row]) -> bool:
        """Whether functions give the same with other locals: none of these is a name that what they give depends on."""
        if any(self.units[row[5]] == MODULE for row in (*old, *new)):
            return False
        firm = [[(*row[:4], row[5]) for row in rows if row[1] not in _LOOSE] for rows in (old, new)]
        if firm[0] != firm[1]:
            return False
        written = [row[0] for row in (*old, *new) if row[1] in _LOOSE]
        names = set(
            _WORD.findall(" ".join(written))
        )  # of ``$x`` it is ``x`` that is found in what others are bound to
        if not all(map(_WORD.search, written)):
            return False
        units = {self.units[row[5]] for row in (*old, *new)}
        inside = [row for row in (*former, *self.new.bindings) if self.units[row[5]] in units]
        words = _words(row for row in inside if row[1] not in _LOOSE)
        loose = [row for row in inside if row[1] in _LOOSE]
        while words.isdisjoint(names):
            more = _words(row for row in loose if not words.isdisjoint(_WORD.findall(row[0])))
            if more <= words:
                return True
            words |= more
        return False


def units_of(symbols: Sequence[Row]) -> dict[int, int]:
    """By scope: the outermost function that it is or lies in; MODULE for what stands in none."""
    found = {MODULE: MODULE}
    for at, row in enumerate(symbols):
        outer = found.get(row[7], MODULE)
        found[at] = at if outer == MODULE and row[2] in LOCAL else outer
    return found


def differing(old: Sequence[Row], new: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row]]:
    """What two sequences hold between what they begin with alike and what they end with alike."""
    most = min(len(old), len(new))
    front = next((at for at in range(most) if old[at] != new[at]), most)
    most -= front
    back = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    return old[front : len(old) - back], new[front : len(new) - back]


def _words(rows: Iterable[Row]) -> set[str]:
    return set(_WORD.findall(" ".join(f"{row[2]} {row[3]}" for row in rows)))
