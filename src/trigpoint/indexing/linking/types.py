"""Types: what a declaration, a call and a return are worth."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.indexing.linking.scopes import Scopes
from trigpoint.languages.expressions import Type
from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Value
from trigpoint.model import MODULE

MOST_CANDIDATES = 5
"""So many definitions are named where one of several is meant; of what has more in a project, none is."""


class Types(Scopes):
    """The side of types."""

    def declared(self, facts: Facts, scope: int, text: str) -> Value | None:
        """What an expression of a type as written is worth: of alternatives the first inside the project."""
        key = ("type", facts.path, scope, text)
        found: Value | None = self.memory.ask(
            key, lambda: self._of_types(facts, scope, self.rules.types(text))
        )
        return found

    def _of_types(self, facts: Facts, scope: int, alternatives: Sequence[Type]) -> Value | None:
        outside: Value | None = None
        inside: list[Value] = []
        for one in alternatives:
            value = self._of_type(facts, scope, one)
            if value is not None and value.role != "external":
                if value.role != "instance" or not self.rules.tells_unions:
                    return inside[0] if inside else value
                inside.append(value)
            elif value is not None and (outside is None or (value.args and not outside.args)):
                outside = value
        if len(inside) > 1:
            first, *others = dict.fromkeys(inside)
            return first._replace(others=tuple(others[: MOST_CANDIDATES - 1]))
        return inside[0] if inside else outside

    def _of_type(self, facts: Facts, scope: int, one: Type) -> Value | None:
        special = self.rules.typed(facts, scope, one)
        if special is not None:
            return special
        found = self.evaluate(facts, scope, one.head)
        value = found.value if found is not None else None
        if value is None:
            return None
        args = tuple(self._of_types(facts, scope, arg) or Value("unknown") for arg in one.args)
        if value.role == "external":
            return Value("external", value.path or one.head, MODULE, args)
        if value.role == "definition" and self.is_class(value):
            return Value("instance", value.path, value.at, args)
        return value if value.role in ("instance", "definition") else None

    def of_types(self, facts: Facts, scope: int, alternatives: Sequence[Type]) -> Value | None:
        """The same for a type that was read already; for rules that unwrap one."""
        return self._of_types(facts, scope, alternatives)

    def called(self, value: Value, owner: Value | None = None) -> Value | None:
        """What a call of a value gives."""
        if value.role == "external":
            return self.rules.foreign_call(value)
        if value.role == "super":
            return value
        if value.role == "definition":
            is_class = self.is_class(value)
            if is_class and not self._is_function(value):
                return Value("instance", value.path, value.at, value.args)
            found: Value | None = self.memory.ask(
                ("call", value, owner), lambda: self._returned(value, owner)
            )
            if found is None and is_class:
                return Value("instance", value.path, value.at)
            return found
        if value.role == "instance":
            inner = self.member(value, self.rules.call_member) if self.rules.call_member else None
            if inner is not None and inner.value is not None and inner.value != value:
                return self.called(inner.value, value)
        return None

    def _is_function(self, value: Value) -> bool:
        """Whether a type is made by a function that may as well return something else."""
        facts = self.facts(value.path)
        return facts is not None and facts.symbols[value.at].kind not in self.rules.classes

    def _returned(self, value: Value, owner: Value | None) -> Value | None:
        facts = self.facts(value.path)
        if facts is None:
            return None
        told = facts.returns(value.at)
        if not told:
            return self.rules.returned(facts, value.at)
        declared = next((one.annotation for one in told if one.annotation), "")
        if declared:
            if owner is not None and self.rules.returns_owner(facts, value.at, declared):
                return (
                    owner if owner.role == "instance" else Value("instance", owner.path, owner.at, owner.args)
                )
            inside = value.at if self.rules.typed_inside else facts.container(value.at)
            return self.declared(facts, inside, declared)
        yielded = [one for one in told if one.kind == "yield"]
        if yielded:
            given = self._first_known(facts, value.at, yielded)
            return Value("external", "Generator", MODULE, (given,)) if given is not None else None
        own = self.rules.own_name(facts, value.at) if owner is not None else ""
        if own and any(one.value == own for one in told):
            return owner
        return self._first_known(facts, value.at, told)
