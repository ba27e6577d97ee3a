"""The engine of linking: from a name as written to what it stands for. It knows scopes, flow, types and members;
what only one language does is asked of its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from trigpoint.indexing.linking.memory import Memory
from trigpoint.languages.expressions import CALL, Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.linking import OUTSIDE, UNKNOWN, Found, LinkingClass, Rules, Value
from trigpoint.model import MODULE, Binding, Import, Outline

Loader = Callable[[str], tuple[str, frozenset[str], Outline] | None]
"""Path -> language, marks and outline of a file; None when it is unknown."""


class Resolver:
    """languages.linking.Project for the files of one family of languages."""

    def __init__(
        self, rules: LinkingClass, paths: Sequence[str], load: Loader, text: Callable[[str], str]
    ) -> None:
        self._load = load
        self._files: dict[str, Facts | None] = {}
        self._paths = frozenset(paths)
        self._memory = Memory()
        self.text = text
        self.rules: Rules = rules(self, paths)

    def facts(self, path: str) -> Facts | None:
        """A file of the family."""
        if path not in self._files:
            loaded = self._load(path) if path in self._paths else None
            self._files[path] = Facts(path, *loaded, self.rules) if loaded else None
        return self._files[path]

    # names

    def lookup(self, facts: Facts, scope: int, name: str, line: int = 0) -> Found | None:
        """A bare name as seen from a scope."""
        rules = self.rules
        special = rules.special(facts, scope, name)
        if special is not None:
            return special
        at, symbols = scope, facts.symbols
        while True:
            if at != MODULE and symbols[at].kind in rules.classes:
                if at == scope or rules.sees_class_scope:
                    found = self._in_class(facts, at, scope, name, line)
                    if found is not None:
                        return found
            else:
                slot = facts.slot(at, name)
                if slot is not None:
                    if at == MODULE or not _elsewhere(slot):
                        return self._pick(facts, at, name, slot, line if at == scope else 0)
                    if slot.bindings[0].kind == "global":
                        at = MODULE
                        continue
            if at == MODULE:
                return rules.beyond(facts, scope, name)
            at = symbols[at].container

    def local(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A name of exactly this scope, after everything."""
        slot = facts.slot(scope, name)
        return self._pick(facts, scope, name, slot, 0) if slot is not None else None

    def _in_class(self, facts: Facts, at: int, scope: int, name: str, line: int) -> Found | None:
        slot = facts.slot(at, name)
        if slot is not None:
            return self._pick(facts, at, name, slot, line if at == scope else 0)
        if not self.rules.sees_class_scope:
            return None
        found = self.member(Value("instance", facts.path, at), name)
        return found._replace(how="self") if found is not None and found.how != "external" else None

    def _pick(self, facts: Facts, at: int, name: str, slot: Slot, line: int) -> Found:
        """What a name stands for among all that it is bound to in one scope."""
        if len(slot.symbols) + len(slot.imports) == 1:
            return self._entry(facts, slot.symbols[0] if slot.symbols else slot.imports[0])
        if slot.symbols or slot.imports:
            return self._definition(facts, slot, line)
        symbol = (facts.path, slot.variables[0]) if slot.variables else None
        return Found("lexical", self._bound_value(facts, at, name, slot, line), symbol)

    def _entry(self, facts: Facts, entry: int | Import) -> Found:
        if isinstance(entry, int):
            return Found("lexical", Value("definition", facts.path, entry), (facts.path, entry))
        return self.imported(facts, entry)

    def imported(self, facts: Facts, item: Import) -> Found:
        """What an import stands for."""
        key = ("import", facts.path, item)
        found: Found | None = self._memory.ask(key, lambda: self.rules.imported(facts, item))
        return found if found is not None else UNKNOWN

    def _definition(self, facts: Facts, slot: Slot, line: int) -> Found:
        """Of several definitions or imports the last one before the use; what reaches the project goes before what does not."""
        symbols = facts.symbols
        placed: list[tuple[int, int | Import]] = [(symbols[index].name_line, index) for index in slot.symbols]
        front = [one for one in placed if not self.rules.stands_back(symbols[one[1]])]  # type: ignore[index]
        placed = front or placed
        placed += [(item.line, item) for item in slot.imports]
        placed.sort(key=_place)
        before = [entry for at, entry in placed if at < line] if line else []
        rest = (
            [entry for at, entry in placed if at >= line]
            if line
            else [entry for _, entry in reversed(placed)]
        )
        fallback = UNKNOWN
        for entry in (*reversed(before), *rest):
            found = self._entry(facts, entry)
            if found.value is not None and found.value.role != "external":
                return found
            if fallback is UNKNOWN:
                fallback = found
        return fallback

    # values of bound names

    def _bound_value(self, facts: Facts, at: int, name: str, slot: Slot, line: int) -> Value | None:
        bindings = slot.bindings
        if not bindings:
            return None
        if at != MODULE and bindings[0].kind == "param" and name == self.rules.own_name(facts, at):
            outer = facts.symbols[at].container
            if outer != MODULE and facts.symbols[outer].kind in self.rules.classes:
                return self.rules.own(facts, at)
        if len(bindings) == 1:
            return self._worth(facts, at, bindings[0])
        declared = [one for one in bindings if one.annotation]
        before = [one for one in reversed(bindings) if one.line < line] if line else []
        after = [one for one in bindings if one.line >= line]
        for one in declared:
            value = self._worth(facts, at, one)
            if value is not None:
                return value
        return self._first_known(facts, at, [*before, *after], nearest=bool(before))

    def _first_known(
        self, facts: Facts, at: int, bindings: Iterable[Binding], *, nearest: bool = False
    ) -> Value | None:
        """The first worth inside the project, else the first outside; with ``nearest`` the first of either."""
        outside: Value | None = None
        for one in bindings:
            value = self._worth(facts, at, one)
            if value is None:
                continue
            if nearest or value.role != "external":
                return value
            outside = outside or value
        return outside

    def _worth(self, facts: Facts, at: int, one: Binding) -> Value | None:
        if not one.value and not one.annotation:
            return None
        key = ("bound", facts.path, at, one)
        found: Value | None = self._memory.ask(key, lambda: self._worth_of(facts, at, one))
        return found

    def _worth_of(self, facts: Facts, at: int, one: Binding) -> Value | None:
        scope = one.scope
        outside = facts.container(at) if one.kind == "param" else scope
        if one.annotation:
            if one.kind != "param" and one.annotation.startswith(one.name) and at != MODULE:
                outside = facts.container(at)  # ``date: date`` in a class means the one outside
            value = self.declared(facts, outside, one.annotation)
            if one.kind == "alias" and value is not None and value.role == "instance":
                return Value("definition", value.path, value.at)
            if value is not None or not one.value:
                return value
        found = self.evaluate(facts, outside, one.value, one.line)
        value = found.value if found is not None else None
        if value is None:
            return None
        if one.kind == "for":
            return self.rules.iterated(value)
        return self.rules.entered(value) if one.kind == "with" else value

    # types

    def declared(self, facts: Facts, scope: int, text: str) -> Value | None:
        """What an expression of a type as written is worth: of alternatives the first inside the project."""
        key = ("type", facts.path, scope, text)
        found: Value | None = self._memory.ask(
            key, lambda: self._of_types(facts, scope, self.rules.types(text))
        )
        return found

    def _of_types(self, facts: Facts, scope: int, alternatives: Sequence[Type]) -> Value | None:
        outside: Value | None = None
        for one in alternatives:
            value = self._of_type(facts, scope, one)
            if value is not None and value.role != "external":
                return value
            if value is not None and (outside is None or (value.args and not outside.args)):
                outside = value
        return outside

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

    def is_class(self, value: Value) -> bool:
        """Whether a definition is a type with members."""
        facts = self.facts(value.path)
        return facts is not None and value.at != MODULE and facts.symbols[value.at].kind in self.rules.classes

    # expressions

    def evaluate(self, facts: Facts, scope: int, text: str, line: int = 0) -> Found | None:
        """An expression as written."""
        steps = self.rules.steps(text)
        if not steps:
            return None
        found = self.rules.literal(steps[0]) or self.lookup(facts, scope, steps[0], line)
        owner: Value | None = None
        for step in steps[1:]:
            value = found.value if found is not None else None
            if value is None:
                return None
            if step == CALL:
                value, owner = self.called(value, owner), None
                found = Found("hint", value)
            elif step[0] == "[":
                found, owner = Found("hint", self.rules.item(value, step[1:-1])), None
            else:
                found, owner = self.member(value, step[1:]), value
        return found

    def called(self, value: Value, owner: Value | None = None) -> Value | None:
        """What a call of a value gives."""
        if value.role == "external":
            return self.rules.foreign_call(value)
        if value.role == "super":
            return value
        if value.role == "definition":
            if self.is_class(value):
                return Value("instance", value.path, value.at, value.args)
            found: Value | None = self._memory.ask(
                ("call", value, owner), lambda: self._returned(value, owner)
            )
            return found
        if value.role == "instance":
            inner = self.member(value, self.rules.call_member) if self.rules.call_member else None
            if inner is not None and inner.value is not None and inner.value != value:
                return self.called(inner.value, value)
        return None

    def _returned(self, value: Value, owner: Value | None) -> Value | None:
        facts = self.facts(value.path)
        if facts is None:
            return None
        told = facts.returns(value.at)
        declared = next((one.annotation for one in told if one.annotation), "")
        if declared:
            if owner is not None and self.rules.returns_owner(facts, value.at, declared):
                return (
                    owner if owner.role == "instance" else Value("instance", owner.path, owner.at, owner.args)
                )
            return self.declared(facts, facts.container(value.at), declared)
        own = self.rules.own_name(facts, value.at) if owner is not None else ""
        if own and any(one.value == own for one in told):
            return owner
        return self._first_known(facts, value.at, told)

    # members

    def exported(self, module: Value, name: str) -> Found | None:
        """A name that a module offers."""
        found: Found | None = self._memory.ask(
            ("export", module.path, name), lambda: self.rules.exported(module, name)
        )
        return found

    def member(self, value: Value, name: str) -> Found | None:
        """A member of a value."""
        role = value.role
        if role == "module":
            return self.exported(value, name)
        if role == "external":
            return Found("external", self.rules.foreign_member(value, name))
        if role not in ("instance", "definition", "super"):
            return None
        found: Found | None = self._memory.ask(("member", value, name), lambda: self._member(value, name))
        return found

    def _member(self, value: Value, name: str) -> Found | None:
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
        slot = facts.slot(owner, name)
        given = facts.attributes(owner).get(name)
        if slot is not None:
            found = self._pick(facts, owner, name, slot, 0)
            if found.value is None and given:
                return found._replace(value=self._attribute(facts, given))
            return self._read(facts, found, value)
        if given:
            return Found("lexical", self._attribute(facts, given))
        return self.rules.members(facts, owner, name)

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
        found: Sequence[Value] | None = self._memory.ask(key, lambda: self._ancestors(value))
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


def _elsewhere(slot: Slot) -> bool:
    """Whether a scope only says that the name belongs to an outer one."""
    return (
        not slot.symbols
        and not slot.imports
        and any(one.kind in ("global", "nonlocal") for one in slot.bindings)
    )


def _place(one: tuple[int, int | Import]) -> int:
    return one[0]


Resolvers = Mapping[str, Resolver]
