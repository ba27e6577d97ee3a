"""How Scala's names reach their definitions: along packages, imports in any scope, objects beside classes, and extensions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trigpoint.languages.expressions import Type
from trigpoint.languages.extensions import Extensions, held, inherited
from trigpoint.languages.facts import VARIABLES, Facts, Slot
from trigpoint.languages.fullnames import FullNames, Place
from trigpoint.languages.linking import EXTERNAL, UNKNOWN, Found, Project, Rules, Value
from trigpoint.languages.scala.choice import FUNCTIONS, Choice, made
from trigpoint.languages.scala.written import (
    APPLY,
    FIRST_OF,
    SAME,
    TYPE,
    first_type,
    scala_steps,
    scala_types,
    simple,
)
from trigpoint.model import MODULE, Import, Reference

_TYPES = frozenset({"class", "trait", "enum", "type"})
_TERMS = frozenset({"object", "given", *FUNCTIONS, *VARIABLES})


class Linking(Rules):
    """Scala: packages over all files, terms and types apart, members called without brackets."""

    classes = frozenset({"class", "object", "trait", "enum", "given"})
    callables = frozenset({"function", "method", "constructor", *classes})
    spaces = frozenset({"package"})
    redeclared = True
    reaches = True
    typed_inside = True
    special_names = frozenset({"this", "super"})

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.names = FullNames(project, _TYPES | _TERMS, packaged=True)
        self.choice = Choice(project, self.names, self.classes)
        self.extensions = Extensions(project, self._extended)
        self._owners: dict[tuple[str, int, str], Value | None] = {}

    def _extended(self, facts: Facts, index: int) -> str:
        """The type that a method extends: written before it, or given to the implicit class around it."""
        symbol = facts.symbols[index]
        if symbol.kind not in FUNCTIONS or symbol.container == MODULE:
            return symbol.receiver if symbol.kind in FUNCTIONS else ""
        outer = facts.symbols[symbol.container]
        if outer.kind == "class" and "implicit" in outer.modifiers:
            return first_type(outer.signature)
        return symbol.receiver

    # names

    def named(self, use: Reference) -> str:
        """A type is no term of its name."""
        return use.name + TYPE if use.kind in ("new", "type", "base", "decorator") else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """What a full name stands for, from the packages around too; a member of an object or of a value."""
        for package in (*_packages(facts), ""):
            module = f"{package}.{item.module}" if package else item.module
            found = self._full(f"{module}.{item.name}" if module else item.name, facts.path, "import")
            if found is not None:
                return found
        owner = self._owner(facts, item)
        member = self.project.member(owner, item.name) if owner is not None else None
        if member is not None and member.how != "external":
            return member._replace(how="import")
        if member is None and owner is not None and owner.role != "external":
            return UNKNOWN
        return Found("external", Value("external", simple(item.name)))

    def _owner(self, facts: Facts, item: Import) -> Value | None:
        """What the members of are imported; asked for while it is being found it is unknown."""
        key = (facts.path, item.scope, item.module)
        if key not in self._owners:
            self._owners[key] = None
            self._owners[key] = self._owner_of(facts, item)
        return self._owners[key]

    def _owner_of(self, facts: Facts, item: Import) -> Value | None:
        for package in (*_packages(facts), ""):
            found = self._full(f"{package}.{item.module}" if package else item.module, facts.path)
            if found is not None:
                return found.value
        outer, _, name = item.module.rpartition(".")
        if outer and name[:1].isupper():
            around = self._owner(facts, item._replace(module=outer))
            member = self.project.member(around, name) if around is not None else None
            return member.value if member is not None else None
        return self._local_value(facts, item) if not outer else None

    def _local_value(self, facts: Facts, item: Import) -> Value | None:
        """What a name of the scopes around an import is worth."""
        scope = item.scope
        while True:
            slot = facts.slot(scope, item.module)
            if slot is not None and (slot.bindings or slot.imports or slot.symbols):
                found = self.project.local(facts, scope, item.module)
                return found.value if found is not None else None
            if scope == MODULE:
                found = self._starred(facts, MODULE, item.module) if item.module[:1].isupper() else None
                return found.value if found is not None else None
            scope = facts.symbols[scope].container

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """What is imported: a type and a term of one name, or what a wildcard opens."""
        if item.name in ("*", "given"):
            owner = self._owner(facts, item)
            if owner is not None and owner.path and owner.role in ("definition", "instance"):
                yield "import", owner.path, owner.at
            return
        seen = set()
        for name in (item.name, item.name + TYPE):
            found = self.project.imported(facts, item._replace(name=name))
            if found.symbol is not None and found.symbol not in seen:
                seen.add(found.symbol)
                yield found.how, *found.symbol

    def _full(self, full: str, path: str, how: str = "package") -> Found | None:
        """The definition of a full name: a type when it is marked, else a term, else a class that can be made."""
        is_type = full[-1:] == TYPE
        places = self.names.places(simple(full))
        places = [one for one in places if self._is_seen(one, path)]
        kinds = [(self.names.at(one), one) for one in places]
        if is_type:
            wanted = [one for symbol, one in kinds if symbol.kind in _TYPES]
        else:
            wanted = [
                one
                for symbol, one in kinds
                if symbol.kind in _TERMS and not (symbol.receiver and symbol.kind in FUNCTIONS)
            ]
            wanted = wanted or [one for symbol, one in kinds if symbol.kind in ("class", "enum")]
            wanted = wanted or [one for symbol, one in kinds if symbol.receiver]
        found = self.names.found(wanted, path, how)
        if found is not None and found.symbol is not None:
            symbol = self.names.at(found.symbol)
            if symbol.kind in VARIABLES or symbol.kind == "given":
                facts = self.project.facts(found.symbol[0])
                told = self.project.local(facts, symbol.container, symbol.name) if facts is not None else None
                return found._replace(value=told.value if told is not None else None)
        return found

    def _is_seen(self, place: Place, path: str) -> bool:
        symbol = self.names.at(place)
        return place[0] == path or symbol.container != MODULE or "private" not in symbol.modifiers

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Types where one is written, else terms: an object before the class of its name."""
        is_type = name[-1:] == TYPE
        slot = facts.slot(scope, simple(name))
        if slot is None:
            return None
        kinds = [(facts.symbols[one].kind, one) for one in slot.symbols]
        imports = slot.imports
        if is_type:
            symbols = tuple(one for kind, one in kinds if kind in _TYPES)
            imports = tuple(one._replace(name=one.name + TYPE) for one in imports)
            bindings = tuple(one for one in slot.bindings if one.kind == "alias" or one.name[:1].isupper())
            slot = Slot(symbols, (), imports, () if symbols else bindings)
        else:
            symbols = tuple(one for kind, one in kinds if kind in _TERMS and kind != "given")
            symbols = symbols or tuple(one for kind, one in kinds if kind in ("class", "enum"))
            bindings = tuple(one for one in slot.bindings if one.kind != "alias" or one.value)
            slot = slot._replace(symbols=symbols, bindings=bindings)
        return slot if any(slot) else None

    def reach(self, facts: Facts, scope: int, name: str) -> Found | None:
        """What is imported whole into a block; from a package clause its package."""
        symbol = facts.symbols[scope]
        if symbol.kind == "package":
            package = facts.outline.package
            space = f"{package}.{symbol.qualified}" if package else symbol.qualified
            found = self._full(f"{space}.{name}", facts.path)
            if found is not None:
                return found
        return self._starred(facts, scope, name)

    def _starred(self, facts: Facts, scope: int, name: str) -> Found | None:
        """From what is imported whole into a scope; at the top also into classes, whose scopes are not asked."""
        facts.names_in(scope)
        for item in facts.wildcards:
            in_class = item.scope != MODULE and facts.symbols[item.scope].kind in self.classes
            if item.scope != scope and not (scope == MODULE and in_class):
                continue
            for package in ("", *_packages(facts)):
                module = f"{package}.{item.module}" if package else item.module
                found = self._full(f"{module}.{name}", facts.path)
                if found is not None:
                    return found
            owner = self._owner(facts, item._replace(name=""))
            member = self.project.member(owner, name) if owner is not None else None
            if member is not None and member.symbol is not None:
                return member._replace(how="import")
        return None

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The object and what it extends."""
        owner = self.type_around(facts, scope)
        if owner == MODULE:
            return UNKNOWN
        if name == "this":
            return Found("self", Value("instance", facts.path, owner))
        return Found("super", Value("super", facts.path, owner))

    def own_name(self, facts: Facts, method: int) -> str:
        """``this``."""
        return "this"

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The package, what is imported whole, the packages around, and the first part of a full name."""
        packages = list(_packages(facts))
        found = self._full(f"{packages[0]}.{name}" if packages else name, facts.path)
        found = found or self._starred(facts, MODULE, name)
        for package in packages[1:]:
            found = found or self._full(f"{package}.{name}", facts.path)
        if found is not None:
            return found
        word = simple(name)
        if any(word == package.partition(".")[0] for package in packages):
            return Found("import", Value("module", word))
        for package in packages:
            if self._is_package(f"{package}.{word}"):
                return Found("import", Value("module", f"{package}.{word}"))
        return Found("external", Value("external", word)) if word[:1].isupper() else None

    def _is_package(self, name: str) -> bool:
        inside = f"/{name.replace('.', '/')}/"
        return name[-1:].islower() and any(inside in f"/{path}" for path in self.paths)

    def exported(self, module: Value, name: str) -> Found | None:
        """What a package holds, or a package below it."""
        found = self._full(f"{module.path}.{name}", "", "import")
        below = f"{module.path}.{simple(name)}"
        return found or (Found("import", Value("module", below)) if self._is_package(below) else None)

    # types

    def is_type(self, facts: Facts, index: int) -> bool:
        """Classes and other names for them."""
        return facts.symbols[index].kind in self.classes or facts.symbols[index].kind == "type"

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """What a class extends and what it says itself to be; what a type stands for."""
        symbol = facts.symbols[index]
        if symbol.kind == "type":
            slot = facts.slot(symbol.container, symbol.name)
            told = (
                [one.annotation for one in slot.bindings if one.kind == "alias"] if slot is not None else []
            )
            return told[:1]
        selves = [
            one.annotation
            for name in ("self", "this", "outer")
            if (slot := facts.slot(index, name)) is not None
            for one in slot.bindings
            if one.kind == "alias" and one.value == "this"
        ]
        return (*symbol.bases, *selves)

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """A member."""
        slot = self.bare(facts, owner, name)
        if slot is None:
            return None
        slot = slot._replace(bindings=tuple(one for one in slot.bindings if one.kind != "param"))
        return slot if slot.symbols or slot.variables or slot.bindings else None

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """What makes an object's class; else a method that extends the type."""
        symbol = facts.symbols[owner]
        if name == APPLY:
            found = self.project.member(Value("definition", facts.path, owner), "apply")
            if found is not None and found.symbol is not None:
                return found
            found_class = made(facts, owner)
            return (
                Found("class", Value("definition", *found_class), found_class)
                if found_class is not None
                else None
            )
        if name[-1:] == TYPE or inherited(
            self.project, facts, owner, lambda part, at: self.inside(part, at, name)
        ):
            return None
        return self.extensions.of(name, (facts.path, owner), symbol.name)

    def foreign_found(self, value: Value, name: str) -> Found | None:
        """A method that extends a foreign type."""
        if not value.path or value.path[0] == "*" or name[-1:] == TYPE:
            return None
        return self.extensions.of(name, None, simple(value.path).rpartition(".")[2])

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place | None:
        """The overload whose parameters fit; none when several do alike."""
        return self.choice.chosen(facts, use, target)

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """Methods are called where they are read."""
        return scala_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """Scala's types, marked."""
        return scala_types(text)

    def given(self, value: Value, place: str) -> Value | None:
        """What is read: of a method what it gives."""
        if value.role == "definition":
            symbol = self.names.at((value.path, value.at))
            if symbol.kind in FUNCTIONS:
                return self.project.called(value)
        return value

    def iterated(self, value: Value) -> Value | None:
        """An element, or what a step of a ``for`` gives."""
        return held(value, -1) if len(value.args) <= 2 else None

    def item(self, value: Value, index: str) -> Value | None:
        """Brackets hold types."""
        return value

    def foreign_member(self, value: Value, name: str) -> Value:
        """Of a container: what it holds, or a container of that."""
        if not value.args:
            return EXTERNAL
        if name in SAME:
            return Value("external", "*", MODULE, value.args)
        if name in FIRST_OF:
            return held(value, -1) or EXTERNAL
        return EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """What was given already."""
        return value


def _packages(facts: Facts) -> Iterator[str]:
    """The package of a file and those around it, from the inside."""
    package = facts.outline.package
    while package:
        yield package
        package = package.rpartition(".")[0]
