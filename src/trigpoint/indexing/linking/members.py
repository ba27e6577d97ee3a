"""Members: of modules, of namespaces, of types along their bases."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.indexing.linking.types import Types
from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Value
from trigpoint.model import MODULE, Binding

_OWNERS = frozenset({"instance", "definition", "super"})


class Members(Types):
    """The side of members."""

    def exported(self, module: Value, name: str) -> Found | None:
        """A name that a module offers."""
        key = ("export", module.path, name)
        found: Found | None = self.memory.ask(key, lambda: self.rules.exported(module, name))
        return found

    def member(self, value: Value, name: str) -> Found | None:
        """A member of a value."""
        role = value.role
        if role == "module":
            return self.exported(value, name)
        if role == "external":
            added = self.rules.foreign_found(value, name)
            if added is not None:
                return added
            other = self.rules.foreign_member(value, name)
            return OUTSIDE if other is EXTERNAL else Found("external", other)
        if role not in _OWNERS:
            return None
        key = ("member", value, name)
        found: Found | None = self.memory.ask(key, lambda: self._member(value, name))
        return found

    def _member(self, value: Value, name: str) -> Found | None:
        if self.rules.finds_members:
            return self.rules.found_member(value, name)
        if value.role == "definition" and not self.is_class(value):
            facts = self.facts(value.path)
            if facts is None or facts.symbols[value.at].kind not in self.rules.spaces:
                return None
            return self.local(facts, value.at, name)
        order = self.ancestors(value)
        for owner in order[1:] if value.role == "super" else order:
            facts = self.facts(owner.path) if owner.role != "external" else None
            found = self._own_member(facts, owner.at, value, name) if facts is not None else None
            if found is not None:
                return found
        return OUTSIDE if any(one.role == "external" for one in order) else None

    def _own_member(self, facts: Facts, owner: int, value: Value, name: str) -> Found | None:
        """A member that a class itself has: defined in it, assigned by its methods, or standing outside it."""
        slot = self.rules.inside(facts, owner, name)
        given = facts.attributes(owner).get(name)
        if slot is not None:
            found = self._pick(facts, owner, name, slot, 0)
            if found.value is None and given:
                return found._replace(value=self._attribute(facts, given))
            return self._read(facts, found, value)
        worth = self._attribute(facts, given) if given else None
        if worth is not None:
            return Found("lexical", worth)
        return self.rules.members(facts, owner, name) or (UNKNOWN if given else None)

    def _read(self, facts: Facts, found: Found, owner: Value) -> Found:
        """A property that is read from an object is worth what it returns."""
        symbol = found.symbol
        if (
            owner.role == "definition"
            or symbol is None
            or found.value is None
            or found.value.role != "definition"
        ):
            return found
        holder = self.facts(symbol[0])
        if holder is None or not self.rules.is_property(holder.symbols[symbol[1]]):
            return found
        return found._replace(value=self.called(found.value, owner))

    def _attribute(self, facts: Facts, given: Sequence[Binding]) -> Value | None:
        declared = [one for one in given if one.annotation]
        return self._first_known(facts, MODULE, [*declared, *given])

    def ancestors(self, value: Value) -> Sequence[Value]:
        """A class and its bases in the order in which members are looked for."""
        key = ("bases", value.path, value.at)
        found: Sequence[Value] | None = self.memory.ask(key, lambda: self._ancestors(value))
        return found or (Value("definition", value.path, value.at),)

    def _ancestors(self, value: Value) -> Sequence[Value]:
        facts = self.facts(value.path)
        itself = Value("definition", value.path, value.at)
        if facts is None:
            return (itself,)
        outer = facts.container(value.at)
        orders: list[Sequence[Value]] = []
        for text in self.rules.bases(facts, value.at):
            base = self.declared(facts, outer, text)
            if base is None or base.role == "external":
                orders.append((Value("external"),))
            elif base.role in ("instance", "definition"):
                orders.append(self.ancestors(Value("definition", base.path, base.at)))
        return (itself, *self.rules.linear(orders))
