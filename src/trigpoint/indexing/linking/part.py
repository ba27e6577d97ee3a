"""What the parts of the engine know of each other: they answer one question together, each its own side of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from trigpoint.indexing.linking.memory import Memory
from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Found, Rules, Value
from trigpoint.model import MODULE


class Part(ABC):
    """One side of the resolver."""

    rules: Rules
    memory: Memory

    @abstractmethod
    def facts(self, path: str) -> Facts | None:
        """A file of the family."""

    @abstractmethod
    def lookup(self, facts: Facts, scope: int, name: str, line: int = 0) -> Found | None:
        """A bare name as seen from a scope."""

    @abstractmethod
    def evaluate(self, facts: Facts, scope: int, text: str, line: int = 0) -> Found | None:
        """An expression as written."""

    @abstractmethod
    def declared(self, facts: Facts, scope: int, text: str) -> Value | None:
        """What an expression of a type as written is worth."""

    @abstractmethod
    def member(self, value: Value, name: str) -> Found | None:
        """A member of a value."""

    @abstractmethod
    def ancestors(self, value: Value) -> Sequence[Value]:
        """A class and its bases in the order in which members are looked for."""

    @abstractmethod
    def called(self, value: Value, owner: Value | None = None) -> Value | None:
        """What a call of a value gives."""

    def is_class(self, value: Value) -> bool:
        """Whether a definition is a type with members."""
        facts = self.facts(value.path)
        return facts is not None and value.at != MODULE and self.rules.is_type(facts, value.at)
