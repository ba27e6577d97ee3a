"""How Swift's names reach their definitions: seen from all files, types with their extensions and protocols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trigpoint.languages.arguments import Style
from trigpoint.languages.expressions import Type
from trigpoint.languages.extensions import held
from trigpoint.languages.facts import VARIABLES, Facts, Slot
from trigpoint.languages.fullnames import FullNames, Place
from trigpoint.languages.linking import EXTERNAL, UNKNOWN, Found, Project, Rules, Value, words
from trigpoint.languages.overloads import Overloads
from trigpoint.languages.swift.written import swift_steps, swift_types
from trigpoint.model import MODULE, Import, Reference, Symbol

_TYPES = frozenset({"class", "struct", "enum", "protocol", "type"})
_FUNCTIONS = frozenset({"function", "method", "constructor"})
_SAME = words(
    "filter sorted reversed dropFirst dropLast prefix suffix shuffled lazy compactMap sorted removingDuplicates values"
)
_FIRST = words(
    "first last popLast removeFirst removeLast randomElement min max get wait next value wrappedValue"
)


class Linking(Rules):
    """Swift: one space of names for all files, types in parts."""

    classes = frozenset({"class", "struct", "enum", "protocol", "extension"})
    callables = frozenset({"function", "method", "constructor", "class", "struct", "enum", "type", "macro"})
    spaces = frozenset()
    redeclared = True
    typed_inside = True
    special_names = frozenset({"self", "Self", "super"})

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.names = FullNames(project, {*_TYPES, *_FUNCTIONS, *VARIABLES, "macro"})
        self.parts = FullNames(project, {"extension"})
        self.overloads = Overloads(project, Style(type_first=False, label=":", labels=True, trailing=True))
        self.modules = frozenset(
            part
            for path in paths
            for before, part in zip(path.split("/"), path.split("/")[1:], strict=False)
            if before in ("Sources", "Source", "Tests")
        )

    # names

    def named(self, use: Reference) -> str:
        """A macro is no function of its name; what marks a definition is seen from outside it."""
        return f"#{use.name}" if use.kind in ("macro", "decorator") else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """A name of another module of the project, or of one outside."""
        found = self._full(item.name, facts.path) if item.module in self.modules else None
        return (
            found._replace(how="import")
            if found is not None
            else Found("external", Value("external", item.name))
        )

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """What is imported by its name."""
        found = self.project.imported(facts, item) if item.name not in ("", "*") else None
        if found is not None and found.symbol is not None:
            yield found.how, *found.symbol

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """What is written in a scope; parts of types have no names, and top-level names are looked for in all files."""
        slot = facts.slot(scope, name)
        if slot is None:
            return None
        symbols = tuple(
            one for one in slot.symbols if facts.symbols[one].kind not in ("extension", "operator")
        )
        if scope == MODULE and len(symbols) > 1:
            symbols = symbols[:1]
        slot = slot._replace(symbols=symbols)
        return slot if any(slot) else None

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A name of any file; a module; what is unknown comes from outside."""
        if name[:1] == "#":
            return self._mark(name[1:], facts.path)
        found = self._full(name, facts.path)
        if found is not None:
            return found
        if name in self.modules:
            return Found("import", Value("module", name))
        return Found("external", Value("external", name)) if name[:1].isupper() else None

    def _mark(self, name: str, path: str) -> Found | None:
        places = [
            one for one in self.names.places(name) if self.names.at(one).kind in ("macro", "struct", "class")
        ]
        return self.names.found(places, path)

    def exported(self, module: Value, name: str) -> Found | None:
        """What a module holds."""
        found = self._full(name, f"Sources/{module.path}/")
        return found._replace(how="import") if found is not None and found.how != "ambiguous" else found

    def _full(self, full: str, path: str) -> Found | None:
        places = [one for one in self.names.places(full) if self._is_seen(one, path)]
        types = [one for one in places if self.names.at(one).kind in _TYPES]
        place = self.names.found(types or places, path)
        if place is None or place.symbol is None:
            return None
        symbol = self.names.at(place.symbol)
        if symbol.kind in VARIABLES:
            facts = self.project.facts(place.symbol[0])
            told = self.project.local(facts, symbol.container, symbol.name) if facts is not None else None
            return place._replace(value=told.value if told is not None else None)
        if place.how == "ambiguous" and symbol.kind in _FUNCTIONS:
            return place._replace(how="package")  # overloads, told apart by their arguments
        return place

    def _is_seen(self, place: Place, path: str) -> bool:
        if place[0] == path:
            return True
        symbol = self.names.at(place)
        return not (symbol.container == MODULE and {"private", "fileprivate"} & {*symbol.modifiers})

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The object, its type, and what it extends."""
        owner = self.type_around(facts, scope)
        if owner == MODULE:
            return UNKNOWN
        whole = self._whole(facts, owner)
        if name == "super":
            return Found("super", whole._replace(role="super")) if whole.role != "external" else None
        if whole.role == "external":
            return Found("self", whole)
        return Found(
            "self" if name == "self" else "class",
            whole._replace(role="instance" if name == "self" else "definition"),
        )

    def _whole(self, facts: Facts, owner: int) -> Value:
        """The type that a scope is of: of an extension what it extends."""
        symbol = facts.symbols[owner]
        if symbol.kind != "extension":
            return Value("instance", facts.path, owner)
        found = self._full(symbol.qualified, facts.path)
        if found is not None and found.symbol is not None and found.how != "ambiguous":
            return Value("instance", *found.symbol)
        return Value("external", symbol.qualified)

    def own_name(self, facts: Facts, method: int) -> str:
        """``self``."""
        return "self"

    # types

    def is_type(self, facts: Facts, index: int) -> bool:
        """Types, their parts, and other names for them."""
        return facts.symbols[index].kind in self.classes or facts.symbols[index].kind == "type"

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """What a type and its extensions take from; what another name stands for."""
        symbol = facts.symbols[index]
        if symbol.kind == "type":
            slot = facts.slot(symbol.container, symbol.name)
            return (
                [one.annotation for one in slot.bindings if one.kind == "alias"][:1]
                if slot is not None
                else ()
            )
        found: list[str] = [symbol.qualified] if symbol.kind == "extension" else []
        written = list(symbol.bases)
        if symbol.kind != "extension":
            for path, at in self.parts.places(symbol.qualified):
                part = self.project.facts(path)
                written += part.symbols[at].bases if part is not None else ()
        for one in written:
            found += [piece.strip() for piece in one.split("&")]
        return list(dict.fromkeys(found))

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """A member."""
        slot = facts.slot(owner, name)
        if slot is None:
            return None
        slot = slot._replace(bindings=tuple(one for one in slot.bindings if one.kind != "param"))
        return slot if any(slot) else None

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """A member in an extension of the type."""
        symbol = facts.symbols[owner]
        if symbol.kind in ("extension", "type"):
            return None
        return self._extending(symbol.qualified, name, facts.path)

    def _extending(self, full: str, name: str, path: str) -> Found | None:
        for place, at in self.parts.places(full):
            part = self.project.facts(place)
            slot = self.inside(part, at, name) if part is not None else None
            if part is None or slot is None:
                continue
            if slot.symbols:
                found = (place, slot.symbols[0])
                return Found("class", Value("definition", *found), found)
            told = self.project.local(part, at, name)
            if told is not None:
                return told
        return None

    def foreign_found(self, value: Value, name: str) -> Found | None:
        """A member in an extension of a foreign type."""
        if not value.path or value.path[0] == "*":
            return None
        return self._extending(_FULL.get(value.path, value.path), name, "")

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place | None:
        """The overload whose labels and types fit; none when several do alike."""
        symbol = self.names.at(target)
        if symbol.kind not in _FUNCTIONS:
            return target
        if symbol.container == MODULE:
            places = [
                one
                for one in self.names.places(symbol.qualified)
                if self.names.at(one).kind in _FUNCTIONS and self._is_seen(one, facts.path)
            ]
            return self.overloads.first_fitting(facts, use, [places])
        groups = (self._same(one, symbol) for one in self._order(target, symbol))
        return self.overloads.first_fitting(facts, use, groups)

    def _order(self, target: Place, symbol: Symbol) -> Iterator[Value]:
        facts = self.project.facts(target[0])
        if facts is None or facts.symbols[symbol.container].kind not in self.classes:
            yield Value("definition", target[0], symbol.container)
            return
        whole = self._whole(facts, symbol.container)
        if whole.role == "external":
            yield Value("definition", target[0], symbol.container)
            return
        yield from (
            one for one in self.project.ancestors(whole._replace(role="definition")) if one.role != "external"
        )

    def _same(self, owner: Value, symbol: Symbol) -> list[Place]:
        """Functions of one name in a type and its extensions; what a protocol asks for after what is there."""
        facts = self.project.facts(owner.path)
        if facts is None:
            return []
        whole = facts.symbols[owner.at]
        parts: list[Place] = [(owner.path, owner.at)]
        if whole.kind in self.classes:
            parts += [one for one in self.parts.places(whole.qualified) if one not in parts]
        found = []
        for path, at in parts:
            part = self.project.facts(path)
            slot = part.slot(at, symbol.name) if part is not None else None
            if part is not None and slot is not None:
                found += [(path, one) for one in slot.symbols if part.symbols[one].kind in _FUNCTIONS]
        real = {
            _labels(self.names.at(one)) for one in found if "declaration" not in self.names.at(one).modifiers
        }
        return [
            one
            for one in found
            if "declaration" not in (asked := self.names.at(one)).modifiers or _labels(asked) not in real
        ]

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """Swift's forms."""
        return swift_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """Swift's types."""
        return swift_types(text)

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """A list keeps what it is made of; an optional is what it holds."""
        if one.head == "Optional" and one.args:
            return self.project.of_types(facts, scope, one.args[0])
        if one.head != "[]":
            return None
        args = tuple(self.project.of_types(facts, scope, arg) or Value("unknown") for arg in one.args)
        return Value("external", "Array", MODULE, args)

    def literal(self, facts: Facts, scope: int, text: str) -> Found | None:
        """A text."""
        return (
            Found("external", Value("external", "String")) if text[:1] == '"' else Found("external", EXTERNAL)
        )

    def iterated(self, value: Value) -> Value | None:
        """An element."""
        return held(value, 0) if len(value.args) == 1 else None

    def item(self, value: Value, index: str) -> Value | None:
        """An element; what a subscript of an own type gives is not followed."""
        return held(value, -1) if value.role == "external" else None

    def foreign_member(self, value: Value, name: str) -> Value:
        """Of a container: what it holds, or a container of that."""
        if not value.args:
            return EXTERNAL
        if name in _SAME:
            return Value("external", "*", MODULE, value.args[-1:])
        return (held(value, -1) or EXTERNAL) if name in _FIRST else EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """What was given already."""
        return value

    def returns_owner(self, facts: Facts, method: int, declared: str) -> bool:
        """``Self``."""
        return declared.rstrip("?!") == "Self"


_FULL = {"*": "", "[]": "Array"}


def _labels(symbol: Symbol) -> str:
    """A signature without modifiers and spaces: what makes two declarations the same function."""
    return symbol.signature.partition("func ")[2].partition("->")[0].replace(" ", "").partition(")")[0]
