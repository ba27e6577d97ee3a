"""What stands in the impl blocks of a package, by the type that they are for."""

from __future__ import annotations

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


class Implementations:
    """Looked up by name first, then told apart by what the name means where the block stands."""

    def __init__(self, project: Project, crates: Crates) -> None:
        self._project = project
        self._crates = crates
        self._blocks: dict[Place, Blocks] = {}

    def of(self, facts: Facts, owner: int) -> Blocks:
        """The blocks of a type in its own package: a crate can add nothing of its own to the types of another."""
        place = (facts.path, owner)
        if place not in self._blocks:
            self._blocks[place] = Blocks(
                (), ()
            )  # while it is worked out, what a block's name means asks for it again
            self._blocks[place] = self._sorted(place, facts.symbols[owner].name)
        return self._blocks[place]

    def _sorted(self, owner: Place, name: str) -> Blocks:
        own: list[Place] = []
        traits: list[Place] = []
        package = self._crates.package(owner[0])
        for path, index in self._project.named(name):
            facts = self._project.facts(path) if self._crates.package(path) == package else None
            if facts is None or facts.symbols[index].kind != "impl":
                continue
            symbol = facts.symbols[index]
            found = self._project.evaluate(facts, symbol.container, symbol.name)
            value = found.value if found is not None else None
            if value is not None and (value.path, value.at) == owner and value.role == "definition":
                (traits if symbol.bases else own).append((path, index))
        return Blocks(tuple(own), tuple(traits))

    def macros(self, path: str, name: str) -> list[Place]:
        """The macros of a package under a name."""
        package = self._crates.package(path)
        found = []
        for other, index in self._project.named(name):
            facts = self._project.facts(other) if self._crates.package(other) == package else None
            if facts is not None and facts.symbols[index].kind == "macro":
                found.append((other, index))
        return found
