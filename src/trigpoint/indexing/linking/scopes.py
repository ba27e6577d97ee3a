"""Names: the scopes around a use, what is bound in them, and what that is worth by then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from trigpoint.indexing.linking.part import Part
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.linking import UNKNOWN, Found, Value
from trigpoint.model import MODULE, Binding, Import


class Scopes(Part):
    """The side of names."""

    def lookup(self, facts: Facts, scope: int, name: str, line: int = 0) -> Found | None:
        """A bare name as seen from a scope."""
        if self.is_seen_from_top(facts, scope, name):
            scope, line = MODULE, 0
        key = (scope, name)
        known = facts.seen.get(key, facts)
        if known is not facts:
            return known  # type: ignore[return-value]
        found = self._look(facts, scope, name, line)
        slot = facts.slot(scope, name) if line else None
        if (slot is None or self._is_plain(slot)) and not self.memory.open:
            facts.seen[key] = found
        return found

    def is_seen_from_top(self, facts: Facts, scope: int, name: str) -> bool:
        """Whether a name means in a scope what it means at the end of the file: most do, and are looked up once."""
        rules = self.rules
        return (
            scope != MODULE
            and rules.plain_scopes
            and name not in facts.inner
            and name not in rules.special_names
        )

    def _is_plain(self, slot: Slot) -> bool:
        """Whether a name means the same on every line of its scope."""
        if self.rules.redeclared and slot.bindings and slot.bindings[0].kind != "param":
            return False
        return slot.is_plain()

    def _look(self, facts: Facts, scope: int, name: str, line: int) -> Found | None:
        rules = self.rules
        special = rules.special(facts, scope, name) if name in rules.special_names else None
        if special is not None:
            return special
        at, symbols = scope, facts.symbols
        while True:
            if at == MODULE != scope:
                return self.lookup(facts, MODULE, name)  # the same from every scope, so remembered once
            if at != MODULE and symbols[at].kind in rules.classes:
                if at == scope or rules.sees_class_scope or rules.sees_class_names:
                    found = self._in_class(facts, at, scope, name, line)
                    if found is not None:
                        return found
            else:
                slot = rules.bare(facts, at, name)
                if slot is not None and not (
                    line and at == scope and rules.redeclared and _later(slot, line)
                ):
                    if at == MODULE or not _elsewhere(slot):
                        return self._pick(facts, at, name, slot, line if at == scope else 0)
                    if slot.bindings[0].kind == "global":
                        at = MODULE
                        continue
                found = rules.reach(facts, at, name) if rules.reaches and at != MODULE else None
                if found is not None:
                    return found
            if at == MODULE:
                return rules.beyond(facts, scope, name)
            at = symbols[at].container

    def local(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A name of exactly this scope, after everything."""
        slot = self.rules.bare(facts, scope, name)
        return self._pick(facts, scope, name, slot, 0) if slot is not None else None

    def _in_class(self, facts: Facts, at: int, scope: int, name: str, line: int) -> Found | None:
        slot = self.rules.bare(facts, at, name)
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
        value = self._bound_value(facts, at, name, slot, line)
        if symbol is not None and (value is None or value.role == "external"):
            itself = Value("definition", *symbol)
            value = itself if self.is_class(itself) else value
        return Found("lexical", value, symbol)

    def _entry(self, facts: Facts, entry: int | Import) -> Found:
        if isinstance(entry, int):
            return Found("lexical", Value("definition", facts.path, entry), (facts.path, entry))
        return self.imported(facts, entry)

    def imported(self, facts: Facts, item: Import) -> Found:
        """What an import stands for."""
        key = ("import", facts.path, item)
        found: Found | None = self.memory.ask(key, lambda: self.rules.imported(facts, item))
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
        renewed = self.rules.redeclared and at != MODULE and facts.symbols[at].kind not in self.rules.classes
        if renewed or sum([one.kind in _PARAMETERS for one in bindings]) > 1:
            return self._parameter(facts, at, bindings, line)
        declared = [one for one in bindings if one.annotation]
        before = [one for one in reversed(bindings) if one.line < line] if line else []
        after = [one for one in bindings if one.line >= line]
        for one in declared:
            value = self._worth(facts, at, one)
            if value is not None:
                return value
        return self._first_known(facts, at, [*before, *after], nearest=bool(before))

    def _parameter(self, facts: Facts, at: int, bindings: Sequence[Binding], line: int) -> Value | None:
        """What a name is worth that several functions without a name, which are no scopes, have for a parameter."""
        if line:
            known = [one for one in bindings if _stands(one, line)]
            return self._worth(facts, at, known[-1]) if known else None
        values = {self._worth(facts, at, one) for one in bindings}
        return values.pop() if len(values) == 1 else None

    def _first_known(
        self, facts: Facts, at: int, bindings: Iterable[Binding], *, nearest: bool = False
    ) -> Value | None:
        """The first worth inside the project, else the first outside; with ``nearest`` the first of either."""
        outside: Value | None = None
        for one in islice(bindings, _BINDINGS):
            value = self._worth(facts, at, one)
            if value is None:
                continue
            if nearest or value.role != "external":
                return value
            outside = outside or value
        return outside

    def _worth(self, facts: Facts, at: int, one: Binding) -> Value | None:
        if not one.annotation and (not one.value or one.kind == "inner"):
            return None
        key = ("bound", facts.path, at, one)
        found: Value | None = self.memory.ask(key, lambda: self._worth_of(facts, at, one))
        return found

    def _worth_of(self, facts: Facts, at: int, one: Binding) -> Value | None:
        scope = one.scope
        outside = facts.container(at) if one.kind == "param" else scope
        if one.annotation and self.rules.typed_inside:
            value = self.declared(facts, at, one.annotation)
            if one.kind == "alias" and value is not None and value.role == "instance":
                return Value("definition", value.path, value.at)
            if value is not None or not one.value or one.kind == "inner":
                return value
        elif one.annotation:
            if one.kind != "param" and one.annotation.startswith(one.name) and at != MODULE:
                outside = facts.container(at)  # ``date: date`` in a class means the one outside
            value = self.declared(facts, outside, one.annotation)
            if one.kind == "alias" and value is not None and value.role == "instance":
                return Value("definition", value.path, value.at)
            if value is not None or not one.value or one.kind == "inner":
                return value
        found = self.evaluate(facts, outside, one.value, one.line)
        value = found.value if found is not None else None
        if value is None:
            return None
        if one.kind == "for":
            return self.rules.iterated(value)
        return self.rules.entered(value) if one.kind == "with" else value


_PARAMETERS = frozenset({"param", "given"})
_BINDINGS = 32
"""Of a name in one scope, the nearest ones that are looked at until one is known."""


_ELSEWHERE = frozenset({"global", "nonlocal"})


def _later(slot: Slot, line: int) -> bool:
    """Whether a scope declares a name only behind a line (or on it, with what an outer one is worth)."""
    if slot.symbols or slot.variables or slot.imports:
        return False
    return not any(one.kind == "param" or _stands(one, line) for one in slot.bindings)


def _stands(one: Binding, line: int) -> bool:
    """Whether a binding holds on a line; a parameter of a function without a name only does from body to end."""
    if one.kind == "inner":
        last = int(one.value)
        return one.line < line <= last or one.line == line == last
    return one.line < line or (one.line == line and (one.kind in _PARAMETERS or one.name not in one.value))


def _elsewhere(slot: Slot) -> bool:
    """Whether a scope only says that the name belongs to an outer one."""
    if slot.symbols or slot.imports:
        return False
    return not _ELSEWHERE.isdisjoint([one.kind for one in slot.bindings])


def _place(one: tuple[int, int | Import]) -> int:
    return one[0]
