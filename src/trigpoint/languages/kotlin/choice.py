"""Which of several Kotlin functions of one name a call means."""

from __future__ import annotations

from collections.abc import Iterable

from trigpoint.languages.arguments import Style
from trigpoint.languages.facts import Facts
from trigpoint.languages.fullnames import FullNames, Place
from trigpoint.languages.kotlin.meant import Meant
from trigpoint.languages.linking import Project, Value
from trigpoint.languages.overloads import Overloads
from trigpoint.model import MODULE, Reference, Symbol

FUNCTIONS = frozenset({"function", "method"})


class Choice:
    """Tells by arguments, among what a file sees."""

    def __init__(self, project: Project, names: FullNames, meant: Meant) -> None:
        self._project = project
        self._names = names
        self._meant = meant
        self._overloads = Overloads(project, Style(type_first=False, label="=", trailing=True))

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place | None:
        """The overload whose parameters fit, of the class itself, else of its bases; none when several do alike."""
        symbol = self._names.at(target)
        if use.name in ("this", "super"):
            return self._constructor(facts, use, target)
        if symbol.kind not in FUNCTIONS:
            return target
        if symbol.receiver and not self._is_imported(facts, target, symbol):
            return None
        if symbol.container == MODULE:
            groups: Iterable[list[Place]] = (self._alike(facts, target, symbol),)
        else:
            owner = Value("definition", target[0], symbol.container)
            groups = (
                [*self._same(one, symbol), *self._extending_too(one, symbol, facts.path)]
                for one in self._project.ancestors(owner)
                if one.role != "external"
            )
        return self._overloads.first_fitting(facts, use, groups)

    def _is_imported(self, facts: Facts, target: Place, symbol: Symbol) -> bool:
        """Whether what extends a type is seen from a file: it is of its package, or imported."""
        holder = self._project.facts(target[0])
        package = holder.outline.package if holder is not None else ""
        if package == facts.outline.package or symbol.container != MODULE:
            return True
        return any(
            item.module == package and item.name in ("*", symbol.name) for item in facts.outline.imports
        )

    def _constructor(self, facts: Facts, use: Reference, target: Place) -> Place:
        holder = self._project.facts(target[0])
        slot = holder.slot(target[1], "constructor") if holder is not None else None
        found = [target, *((target[0], one) for one in (slot.symbols if slot is not None else ()))]
        return self._overloads.chosen(facts, use, found) if len(found) > 1 else target

    def _alike(self, facts: Facts, target: Place, symbol: Symbol) -> list[Place]:
        """Functions of one full name and receiver, of the file of the target or of all when it stands alone there."""
        holder = self._project.facts(target[0])
        full = self._names.of(holder, target[1]) if holder is not None else ""
        same = [
            one
            for one in self._names.places(full)
            if self._names.at(one).kind in FUNCTIONS
            and self._names.at(one).receiver == symbol.receiver
            and not self._meant.is_hidden(one)
            and self._meant.is_seen(one, facts.path)
        ]
        expected = [one for one in same if not {"expect", "actual"} & {*self._names.at(one).modifiers}]
        if len(expected) < len(same):  # the same function for several platforms
            platform = [one for one in same if one[0] == target[0]]
            same = [*platform, *(one for one in expected if one not in platform)]
        return same

    def _same(self, owner: Value, symbol: Symbol) -> list[Place]:
        facts = self._project.facts(owner.path)
        slot = facts.slot(owner.at, symbol.name) if facts is not None else None
        if facts is None or slot is None:
            return []
        return [
            (owner.path, one)
            for one in slot.symbols
            if facts.symbols[one].kind == symbol.kind
            and facts.symbols[one].receiver == symbol.receiver
            and not self._meant.is_hidden((owner.path, one))
        ]

    def _extending_too(self, owner: Value, symbol: Symbol, path: str) -> list[Place]:
        """Functions that extend a class and have the name of a method of it: the arguments tell which is meant."""
        name = self._names.at((owner.path, owner.at)).name
        return [
            place
            for place in self._project.named(symbol.name)
            if (one := self._names.at(place)).receiver == name
            and one.kind == "function"
            and one.container == MODULE
            and not self._meant.is_hidden(place)
            and self._meant.is_seen(place, path)
        ]
