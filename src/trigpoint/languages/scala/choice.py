"""Which of several Scala functions of one name a call means, and what ``Name(...)`` makes."""

from __future__ import annotations

from collections.abc import Collection

from trigpoint.languages.arguments import Style
from trigpoint.languages.facts import Facts
from trigpoint.languages.fullnames import FullNames, Place
from trigpoint.languages.linking import Project, Value
from trigpoint.languages.overloads import Overloads
from trigpoint.languages.scala.written import APPLY
from trigpoint.model import MODULE, Reference, Symbol

FUNCTIONS = frozenset({"function", "method"})


class Choice:
    """Tells by arguments, those of all lists."""

    def __init__(self, project: Project, names: FullNames, classes: Collection[str]) -> None:
        self._project = project
        self._names = names
        self._classes = classes
        self._overloads = Overloads(project, Style(type_first=False, label="=", lists=True, trailing=True))

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place | None:
        """The overload whose parameters fit, of the class itself, else of its bases; none when several do alike."""
        symbol = self._names.at(target)
        holder = self._project.facts(target[0])
        if symbol.kind == "object" and holder is not None:
            return self._applied(facts, use, target, holder)
        if symbol.kind not in FUNCTIONS or holder is None:
            return target
        if symbol.container == MODULE or holder.symbols[symbol.container].kind not in self._classes:
            return self._overloads.first_fitting(
                facts, use, [self._same(Value("definition", *target), symbol)]
            )
        owner = Value("definition", target[0], symbol.container)
        groups = [self._same(one, symbol) for one in self._project.ancestors(owner) if one.role != "external"]
        return self._overloads.first_fitting(facts, use, groups)

    def _applied(self, facts: Facts, use: Reference, target: Place, holder: Facts) -> Place | None:
        """``Name(...)`` of an object: its ``apply``, else the class beside it."""
        found = self._project.member(Value("definition", *target), APPLY)
        if found is None or found.symbol is None:
            return None
        maker = self._names.at(found.symbol)
        if maker.kind not in FUNCTIONS:
            return found.symbol
        groups = [self._same(Value("definition", found.symbol[0], maker.container), maker)]
        beside = made(holder, target[1])
        if beside is not None and "case" in self._names.at(beside).modifiers:
            groups.append([beside])
        return self._overloads.first_fitting(facts, use, groups)

    def _same(self, owner: Value, symbol: Symbol) -> list[Place]:
        """Functions of one name in one scope; those at the top of a package in all its files."""
        facts = self._project.facts(owner.path)
        if facts is None:
            return []
        if symbol.container == MODULE:
            full = self._names.of(facts, owner.at)
            places = self._names.places(full)
            return [
                one
                for one in places
                if self._names.at(one).kind in FUNCTIONS and self._names.at(one).receiver == symbol.receiver
            ]
        scope = owner.at if facts.symbols[owner.at].kind in self._classes else symbol.container
        slot = facts.slot(scope, symbol.name)
        return [
            (owner.path, one)
            for one in (slot.symbols if slot is not None else ())
            if facts.symbols[one].kind in FUNCTIONS
        ]


def made(facts: Facts, owner: int) -> Place | None:
    """The class that ``Name(...)`` makes when nothing says how."""
    symbol = facts.symbols[owner]
    if symbol.kind in ("class", "enum"):
        return facts.path, owner
    slot = facts.slot(symbol.container, symbol.name) if symbol.kind == "object" else None
    for one in slot.symbols if slot is not None else ():
        if facts.symbols[one].kind == "class":
            return facts.path, one
    return None
