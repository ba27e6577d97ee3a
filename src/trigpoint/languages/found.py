"""The nouns of linking: what a name is worth, how it was found, and what the rules of a language may ask of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from trigpoint.languages.expressions import Type
from trigpoint.languages.facts import Facts
from trigpoint.model import MODULE, Import

CONFIDENCE: Mapping[str, float] = {
    "lexical": 1.0,  # defined in a scope around the use
    "import": 0.95,  # followed through an import
    "reexport": 0.95,  # and through what another module hands on
    "module-attribute": 0.95,  # np.array, pkg::f
    "self": 0.9,  # on the method's own object, along the bases
    "super": 0.9,
    "class": 0.9,  # on a class by its name
    "hint": 0.85,  # on an object whose type is declared, constructed or returned
    "package": 0.8,  # seen without an import: same package, namespace, included file
    "ambiguous": 0.45,  # one of several
    "guess": 0.4,  # the only definition of that name
}
"""How sure an edge is, by the way it was found; measured in benchmarks/edges."""


class Value(NamedTuple):
    """What an expression is worth to linking."""

    role: str  # definition, instance, super, module, external
    path: str = (
        ""  # of the file; of a module also any name its rules give it; of something external its dotted name
    )
    at: int = MODULE  # index of the symbol
    args: tuple[Value, ...] = ()  # type arguments of an instance or of something external
    others: tuple[Value, ...] = ()  # instances that it may as well be: the other types of a union


EXTERNAL = Value("external")


class Found(NamedTuple):
    """The answer to "what is this name": how it was found, what it is worth, and which symbol carries it.

    A bound name of unknown worth has neither value nor symbol; it still ends the search.
    """

    how: str  # a key of CONFIDENCE, or "external"
    value: Value | None = None
    symbol: tuple[str, int] | None = None


OUTSIDE = Found("external", EXTERNAL)
UNKNOWN = Found("lexical")


class Project(Protocol):
    """What rules may ask of the engine. All answers are remembered for the run."""

    def facts(self, path: str) -> Facts | None:
        """A file of the same rules; None when it is unknown."""

    def text(self, path: str) -> str:
        """A file's text as indexed; "" when unknown."""

    def named(self, name: str) -> Sequence[tuple[str, int]]:
        """Path and index of every symbol of this simple name in the files of the same rules, in their order."""
        ...

    def lookup(self, facts: Facts, scope: int, name: str, line: int = 0) -> Found | None:
        """A bare name as seen from a scope; ``line`` 0 means after everything."""

    def local(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A name of exactly this scope, imports followed."""

    def evaluate(self, facts: Facts, scope: int, text: str, line: int = 0) -> Found | None:
        """An expression as written."""

    def declared(self, facts: Facts, scope: int, text: str) -> Value | None:
        """What an expression of a type as written is worth: mostly an instance."""

    def imported(self, facts: Facts, item: Import) -> Found:
        """What an import stands for, remembered."""
        ...

    def exported(self, module: Value, name: str) -> Found | None:
        """A name that a module offers."""
        ...

    def member(self, value: Value, name: str) -> Found | None:
        """A member of a value."""
        ...

    def ancestors(self, value: Value) -> Sequence[Value]:
        """A class and its bases in the order in which members are looked for."""
        ...

    def called(self, value: Value, owner: Value | None = None) -> Value | None:
        """What a call of a value gives; ``owner`` is the object that a method was taken from."""
        ...

    def of_types(self, facts: Facts, scope: int, alternatives: Sequence[Type]) -> Value | None:
        """``declared`` for a type that was read already."""
        ...

    def is_class(self, value: Value) -> bool:
        """Whether a definition is a type with members."""
        ...


def module(path: str, how: str = "import") -> Found:
    """A module as what an import found."""
    return Found(how, Value("module", path))
