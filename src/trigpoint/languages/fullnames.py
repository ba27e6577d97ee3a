"""Definitions by their full names: of languages whose names are qualified by packages or namespaces, whatever their files."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Found, Project, Value
from trigpoint.model import MODULE, Symbol

Place = tuple[str, int]
"""A path and the index of a symbol in it."""


class FullNames:
    """Looks definitions up by full names; each simple name is sorted once."""

    def __init__(self, project: Project, kinds: Collection[str], *, packaged: bool = False) -> None:
        """``kinds`` are those that stand under their full names; ``packaged`` puts a file's package before them."""
        self._project = project
        self._kinds = kinds
        self._packaged = packaged
        self._known: dict[str, dict[str, list[Place]]] = {}

    def places(self, full: str) -> Sequence[Place]:
        """Every definition of a full name, in order of paths."""
        name = full.rpartition(".")[2]
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._sorted(name)
        return known.get(full, ())

    def _sorted(self, name: str) -> dict[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for path, index in self._project.named(name):
            facts = self._project.facts(path)
            if facts is not None and facts.symbols[index].kind in self._kinds:
                found.setdefault(self.of(facts, index), []).append((path, index))
        return found

    def of(self, facts: Facts, index: int) -> str:
        """The full name of a symbol; what extends a type stands where it is written."""
        symbol = facts.symbols[index]
        if not self._packaged:
            return symbol.qualified
        outer = symbol.container
        while outer != MODULE and facts.symbols[outer].kind == "extension":
            outer = facts.symbols[outer].container
        around = facts.symbols[outer].qualified if outer != MODULE else ""
        written = f"{around}.{symbol.name}" if symbol.receiver and around else symbol.name
        qualified = written if symbol.receiver else symbol.qualified
        package = facts.outline.package
        return f"{package}.{qualified}" if package else qualified

    def symbol(self, place: Place) -> Symbol | None:
        """The symbol at a place."""
        facts = self._project.facts(place[0])
        return facts.symbols[place[1]] if facts is not None else None

    def at(self, place: Place) -> Symbol:
        """The symbol at a place that is known to exist."""
        symbol = self.symbol(place)
        assert symbol is not None
        return symbol

    def found(self, places: Sequence[Place], path: str, how: str = "package") -> Found | None:
        """What a name stands for that has these definitions: the one in ``path``, else the nearest, else none is sure."""
        if not places:
            return None
        place, sure = nearest(places, path)
        return Found(how if sure else "ambiguous", Value("definition", *place), place)


def nearest(places: Sequence[Place], path: str) -> tuple[Place, bool]:
    """Of several definitions the one whose path shares most with ``path``, and whether no other file's shares as much."""
    if len(places) == 1:
        return places[0], True
    ranked = sorted(places, key=lambda one: (-_shared(one[0], path), one))
    first, others = ranked[0], [one for one in ranked if one[0] != ranked[0][0]]
    return first, not others or _shared(first[0], path) > _shared(others[0][0], path)


def _shared(left: str, right: str) -> int:
    count = 0
    for one, other in zip(left.split("/"), right.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count
