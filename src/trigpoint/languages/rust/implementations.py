"""What stands in the impl blocks of a package, by the type that they are for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Project
from trigpoint.languages.rust.crates import Crates

Place = tuple[str, int]
"""A path and the index of a symbol in it."""


class Blocks(NamedTuple):
    """The impl blocks of one type."""

    own: tuple[Place, ...]
    of_traits: tuple[Place, ...]


_NONE = Blocks((), ())


class Implementations:
    """Looked up by name first, then told apart by what the name means where the block stands."""

    def __init__(self, project: Project, crates: Crates) -> None:
        self._project = project
        self._crates = crates
        self._named: dict[str, dict[str, list[Place]]] = {}  # package -> last part of the type -> blocks
        self._macros: dict[str, dict[str, list[Place]]] = {}
        self._blocks: dict[Place, Blocks] = {}

    def of(self, facts: Facts, owner: int) -> Blocks:
        """The blocks of a type in its own package."""
        place = (facts.path, owner)
        if place not in self._blocks:
            named = self._package(facts.path)[facts.symbols[owner].name] if self._has(facts, owner) else ()
            self._blocks[place] = _NONE
            self._blocks[place] = self._sorted(place, named)
        return self._blocks[place]

    def _has(self, facts: Facts, owner: int) -> bool:
        return facts.symbols[owner].name in self._package(facts.path)

    def _sorted(self, owner: Place, places: Iterable[Place]) -> Blocks:
        own, traits = [], []
        for path, index in places:
            facts = self._project.facts(path)
            if facts is None:
                continue
            symbol = facts.symbols[index]
            found = self._project.evaluate(facts, symbol.container, symbol.name)
            value = found.value if found is not None else None
            if value is not None and (value.path, value.at) == owner and value.role == "definition":
                (traits if symbol.bases else own).append((path, index))
        return Blocks(tuple(own), tuple(traits))

    def macros(self, path: str, name: str) -> list[Place]:
        """The macros of a package under a name."""
        self._package(path)
        return self._macros[self._crates.package(path)].get(name, [])

    def _package(self, path: str) -> dict[str, list[Place]]:
        package = self._crates.package(path)
        if package not in self._named:
            named: dict[str, list[Place]] = {}
            macros: dict[str, list[Place]] = {}
            self._named[package], self._macros[package] = named, macros
            for one in self._crates.files(path):
                facts = self._project.facts(one)
                for index, symbol in enumerate(facts.symbols if facts is not None else ()):
                    if symbol.kind == "impl":
                        named.setdefault(symbol.name.rpartition("::")[2], []).append((one, index))
                    elif symbol.kind == "macro":
                        macros.setdefault(symbol.name, []).append((one, index))
        return self._named[package]
