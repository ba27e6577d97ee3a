"""How Kotlin's names reach their definitions: along packages, imports, classes with their companions, and extensions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trigpoint.languages.expressions import CALL, Type
from trigpoint.languages.extensions import Extensions, held, inherited
from trigpoint.languages.facts import VARIABLES, Facts, Slot
from trigpoint.languages.fullnames import FullNames, Place
from trigpoint.languages.kotlin.choice import FUNCTIONS, Choice
from trigpoint.languages.kotlin.meant import Meant
from trigpoint.languages.kotlin.written import is_a, kotlin_steps, kotlin_types
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Rules, Value, words
from trigpoint.model import MODULE, Import, Reference

_TYPES = frozenset({"class", "interface", "object", "enum", "type"})
_SAME = words(
    "filter filterNotNull sorted sortedBy sortedByDescending reversed distinct distinctBy drop dropLast take takeLast takeWhile"
    " dropWhile toList toMutableList toSet toMutableSet asSequence asIterable asReversed shuffled onEach plus minus also apply"
    " takeIf takeUnless orEmpty"
)
_FIRST = words(
    "first firstOrNull last lastOrNull single singleOrNull find findLast random elementAt removeFirst removeLast removeAt"
    " maxByOrNull minByOrNull maxBy minBy next removeFirstOrNull removeLastOrNull"
)
_LAST = words("get getValue getOrPut getOrNull getOrDefault getOrElse")
_PASSED = frozenset({"also", "apply", "takeIf", "takeUnless"})
"""The library's extensions of everything that give the object itself."""
_STANDARD = words(
    "also apply let run with takeIf takeUnless repeat lazy require requireNotNull check checkNotNull error TODO println print"
    " listOf setOf mapOf map filter forEach first last assertEquals assertTrue assertFalse assertNull assertNotNull fail to"
    " plus minus times get set contains iterator next toString equals hashCode invoke use synchronized arrayOf emptyList"
)
"""Names of the library that are seen without an import: an extension of theirs is not meant by a bare one."""


class Linking(Rules):
    """Kotlin: packages over all files, companions, extensions, bare names on implicit receivers."""

    classes = frozenset({"class", "interface", "object", "enum"})
    callables = frozenset({"function", "method", "constructor", *classes, "type"})
    spaces = frozenset()
    redeclared = True
    reaches = True
    typed_inside = True
    special_names = frozenset({"this", "super", "this()", "super()"})

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.names = FullNames(project, {*FUNCTIONS, *_TYPES, *VARIABLES}, packaged=True)
        self.meant = Meant(project, self.names)
        self.choice = Choice(project, self.names, self.meant)
        self.extensions = Extensions(project, self._extended, self.meant.expected)

    def _extended(self, facts: Facts, index: int) -> str:
        symbol = facts.symbols[index]
        return symbol.receiver if symbol.container == MODULE else ""

    # names

    def named(self, use: Reference) -> str:
        """A function is no property of its name."""
        return use.name + CALL if use.kind == "call" else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """What a full name stands for; a member of an object by the name of the object."""
        found = self._full(item.module, item.name, facts.path, "import")
        if found is not None:
            return found
        package, _, outer = item.module.rpartition(".")
        owner = self._full(package, outer, facts.path) if outer[:1].isupper() else None
        if owner is not None and owner.value is not None:
            member = self.project.member(owner.value, item.name)
            if member is not None and member.symbol is not None:
                return member._replace(how="import")
        return Found("external", Value("external", item.name.removesuffix(CALL)))

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """What is imported."""
        for name in (item.name, item.name + CALL) if item.name != "*" else ():
            found = self.project.imported(facts, item._replace(name=name))
            if found.symbol is not None:
                yield found.how, *found.symbol
                return

    def _full(self, package: str, name: str, path: str, how: str = "package") -> Found | None:
        """The definition of a full name: when called a function, else a class that can be made; else a type or a property."""
        word = name.removesuffix(CALL)
        places = self.names.places(f"{package}.{word}" if package else word)
        if not places:
            return None
        called = name.endswith(CALL)
        if len(places) > 1:
            places = [one for one in places if not self.meant.is_hidden(one)] or places
        places = [one for one in places if self.meant.is_seen(one, path)] if path else places
        wanted = self._callable(places) if called else self._plain(places)
        if not wanted:
            return None
        place, sure = self.meant.nearest(wanted, path)
        value = self._worth(place)
        sure = sure and len({self._receiver(one) for one in wanted}) == 1
        return Found(how if sure else "ambiguous", value, place)

    def _receiver(self, place: Place) -> str:
        return self.names.at(place).receiver

    def _callable(self, places: Sequence[Place]) -> list[Place]:
        """Functions before those that extend a type, and both before classes."""
        kinds = [(self.names.at(one), one) for one in places]
        plain = [one for symbol, one in kinds if symbol.kind in FUNCTIONS and not symbol.receiver]
        made = [one for symbol, one in kinds if symbol.kind in ("class", "enum", "type")]
        extending = [one for symbol, one in kinds if symbol.kind in FUNCTIONS and symbol.receiver]
        if plain and made and not all("expect" in self.names.at(one).modifiers for one in made):
            return [*plain, *made] if len(made) + len(plain) < 2 else plain
        if extending and not plain and not made:
            return extending if self.names.at(extending[0]).name not in _STANDARD else []
        return plain or made

    def _plain(self, places: Sequence[Place]) -> list[Place]:
        kinds = [(self.names.at(one), one) for one in places]
        types = [one for symbol, one in kinds if symbol.kind in _TYPES]
        values = [one for symbol, one in kinds if symbol.kind in VARIABLES and not symbol.receiver]
        return types or values or [one for symbol, one in kinds if symbol.kind in FUNCTIONS]

    def _worth(self, place: Place) -> Value | None:
        symbol = self.names.at(place)
        if symbol.kind not in VARIABLES:
            return Value("definition", *place)
        facts = self.project.facts(place[0])
        found = self.project.local(facts, symbol.container, symbol.name) if facts is not None else None
        return found.value if found is not None else None

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Functions when called, else properties and types; what extends a type has no bare name."""
        called = name.endswith(CALL)
        slot = facts.slot(scope, name.removesuffix(CALL))
        if slot is None:
            return None
        symbols = tuple(
            one
            for one in slot.symbols
            if facts.symbols[one].kind != "constructor" and not facts.symbols[one].receiver
        )
        variables = tuple(one for one in slot.variables if not facts.symbols[one].receiver)
        imports = slot.imports
        if called:
            imports = tuple(one._replace(name=one.name + CALL) for one in imports)
            functions = tuple(one for one in symbols if facts.symbols[one].kind in FUNCTIONS)
            symbols = functions or tuple(
                one for one in symbols if facts.symbols[one].kind in ("class", "enum", "type")
            )
            if symbols:
                return Slot(symbols, (), imports)
        elif variables or slot.bindings:
            symbols = tuple(one for one in symbols if facts.symbols[one].kind not in FUNCTIONS)
        slot = Slot(symbols, variables, imports, slot.bindings)
        return slot if any(slot) else None

    def reach(self, facts: Facts, scope: int, name: str) -> Found | None:
        """What extends a type sees its members."""
        owner = self._implicit(facts, scope)
        if owner is None:
            return None
        found = self.project.member(owner, name)
        if found is None or found.how == "external":
            return None
        return found._replace(how="self") if found.how != "ambiguous" else found

    def _implicit(self, facts: Facts, scope: int) -> Value | None:
        symbol = facts.symbols[scope]
        if not symbol.receiver or symbol.kind not in (*FUNCTIONS, *VARIABLES):
            return None
        return self.project.declared(facts, scope, symbol.receiver)

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The object, what it extends, and constructors of both."""
        owner = scope
        while owner != MODULE and facts.symbols[owner].kind not in self.classes:
            if name == "this" and facts.symbols[owner].receiver:
                value = self._implicit(facts, owner)
                return Found("self", value) if value is not None else UNKNOWN
            owner = facts.symbols[owner].container
        if owner == MODULE:
            return UNKNOWN
        if name == "this":
            return Found("self", Value("instance", facts.path, owner))
        if name == "super":
            return Found("super", Value("super", facts.path, owner))
        itself = Value("definition", facts.path, owner)
        if name == "this()":
            return Found("self", itself, (facts.path, owner))
        for one in self.project.ancestors(itself)[1:]:
            if one.role == "external":
                return OUTSIDE
            if self.names.at((one.path, one.at)).kind == "class":
                return Found("super", one, (one.path, one.at))
        return UNKNOWN

    def own_name(self, facts: Facts, method: int) -> str:
        """``this``."""
        return "this"

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The package, what is imported whole, and the first part of a full name."""
        package = facts.outline.package
        found = self._full(package, name, facts.path)
        if found is not None:
            return found
        for item in facts.wildcards:
            found = self._starred(item.module, name, facts.path)
            if found is not None:
                return found
        if name.endswith(CALL):
            return None
        if package and name == package.partition(".")[0]:
            return Found("import", Value("module", name))
        return Found("external", Value("external", name)) if name[:1].isupper() else None

    def _starred(self, module: str, name: str, path: str) -> Found | None:
        found = self._full(module, name, path)
        if found is not None:
            return found
        package, _, outer = module.rpartition(".")
        owner = self._full(package, outer, path) if outer[:1].isupper() else None
        if owner is None or owner.value is None:
            return None
        member = self.project.member(owner.value, name)
        return member._replace(how="import") if member is not None and member.symbol is not None else None

    def exported(self, module: Value, name: str) -> Found | None:
        """What a package holds, or a package below it."""
        found = self._full(module.path, name, "", "import")
        if found is not None:
            return found
        return Found("import", Value("module", f"{module.path}.{name}")) if not name.endswith(CALL) else None

    # types

    def is_type(self, facts: Facts, index: int) -> bool:
        """Classes and other names for them."""
        return facts.symbols[index].kind in _TYPES

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """What a class extends; what a type alias stands for."""
        symbol = facts.symbols[index]
        if symbol.kind != "type":
            return symbol.bases
        told = symbol.signature.partition("=")[2].strip()
        return (told,) if told else ()

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """A member: a function when called; of a class also those of its companion."""
        slot = self._inside(facts, owner, name)
        if slot is None:
            for one in self._companions(facts, owner):
                slot = self._inside(facts, one, name)
        return slot

    def _companions(self, facts: Facts, owner: int) -> Iterator[int]:
        names = facts.names_in(owner)
        for name in ("Companion", *(one for one in names if one[:1].isupper() and one != "Companion")):
            slot = facts.slot(owner, name) if name in names else None
            for one in slot.symbols if slot is not None else ():
                if "companion" in facts.symbols[one].modifiers:
                    yield one

    def _inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        slot = self.bare(facts, owner, name)
        if slot is None:
            return None
        bindings = tuple(one for one in slot.bindings if one.kind != "param")
        slot = slot._replace(bindings=bindings)
        return slot if any(slot) else None

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """What the companion inherits, else what extends the type."""
        for one in self._companions(facts, owner):
            if facts.symbols[one].bases:
                found = self.project.member(Value("instance", facts.path, one), name)
                if found is not None and found.how != "external":
                    return found
        word = name.removesuffix(CALL)
        if inherited(self.project, facts, owner, lambda part, at: self._inside(part, at, name)):
            return None
        found = self._extending(
            name, self.extensions.of(word, (facts.path, owner), facts.symbols[owner].name)
        )
        if found is not None or word not in _PASSED:
            return found
        return Found("external", Value("external", "*.same", MODULE, (Value("instance", facts.path, owner),)))

    def _extending(self, name: str, found: Found | None) -> Found | None:
        if found is None or found.symbol is None:
            return None
        kind = self.names.at(found.symbol).kind
        if name.endswith(CALL) != (kind in FUNCTIONS):
            return None
        if kind in FUNCTIONS:
            return found
        return found._replace(value=self.project.called(Value("definition", *found.symbol)))

    def foreign_found(self, value: Value, name: str) -> Found | None:
        """What extends a foreign type."""
        if not value.path or value.path[0] == "*":
            return None
        written = value.path.rpartition(".")[2]
        return self._extending(name, self.extensions.of(name.removesuffix(CALL), None, written, is_a))

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place | None:
        """The overload whose parameters fit; none when several do alike."""
        return self.choice.chosen(facts, use, target)

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """Calls are told from properties."""
        return kotlin_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """Kotlin's types."""
        return kotlin_types(text)

    def iterated(self, value: Value) -> Value | None:
        """An element."""
        return held(value, 0) if len(value.args) == 1 else None

    def item(self, value: Value, index: str) -> Value | None:
        """An element; ``get`` of an object is not followed."""
        return held(value, -1) if value.role == "external" else None

    def foreign_member(self, value: Value, name: str) -> Value:
        """Of a container: remembered with its arguments, for the call that follows."""
        word = name.removesuffix(CALL)
        if not value.args:
            return EXTERNAL
        if word in _SAME:
            inner = value if word in _PASSED else Value("external", "*", MODULE, value.args[-1:])
            return Value("external", "*.same", MODULE, (inner,))
        if word in _FIRST or word in _LAST:
            return Value("external", "*.first", MODULE, value.args[:1] if word in _FIRST else value.args[-1:])
        return EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """A getter of a container gives what it holds."""
        return held(value, 0) if value.path in ("*.same", "*.first") else EXTERNAL
