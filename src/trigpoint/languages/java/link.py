"""How Java's names reach their definitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trigpoint.languages.expressions import CALL, Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.foreign import FOREIGN
from trigpoint.languages.fullnames import Place, nearest
from trigpoint.languages.java.packages import Packages
from trigpoint.languages.java.written import java_steps, java_types
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, Found, Project, Rules, Value, words
from trigpoint.languages.overloads import Overloads
from trigpoint.model import MODULE, Import, Reference, Symbol

_METHODS = frozenset({"method", "constructor"})
_PRIMITIVES = frozenset({"boolean", "byte", "char", "double", "float", "int", "long", "short", "void"})
_GIVES = {
    **dict.fromkeys(
        ("get", "getValue", "getOrDefault", "put", "remove", "computeIfAbsent", "call", "join"), -1
    ),
    **dict.fromkeys(
        ("getKey", "next", "orElse", "orElseThrow", "orElseGet", "peek", "poll", "pop", "take"), 0
    ),
    **dict.fromkeys(("element", "first", "last", "getFirst", "getLast", "previous", "removeFirst"), 0),
}
"""Methods of the library's containers that give one of their type arguments."""
_SAME = words(
    "stream parallelStream iterator listIterator filter sorted distinct limit skip entrySet subList"
)
_KEPT = {"values": -1, "keySet": 0}


class Linking(Rules):
    """Java: packages over folders, nested and inherited members, declared types everywhere."""

    classes = frozenset({"class", "interface", "enum", "record", "annotation"})
    callables = frozenset({"method", "constructor", *classes})
    spaces = frozenset()
    redeclared = True
    special_names = frozenset({"this", "super", "this()", "super()"})
    foreign_methods = FOREIGN["java"]

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.packages = Packages(paths, project.facts)
        self.overloads = Overloads(project)

    # names

    def named(self, use: Reference) -> str:
        """A method is no field of its name."""
        return use.name + CALL if use.kind == "call" else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """A type by its package, or a member of a type."""
        found = self._type(item.module, item.name, facts.path) or self._static(item, facts.path)
        return found if found is not None else OUTSIDE

    def _static(self, item: Import, path: str) -> Found | None:
        package, _, name = item.module.rpartition(".")
        owner = self._type(package, name, path)
        if owner is None and package:
            outer, _, outer_name = package.rpartition(".")
            around = self._type(outer, outer_name, path)
            owner = self.project.member(around.value, name) if around is not None and around.value else None
        if owner is None or owner.value is None:
            return None
        found = self.project.member(owner.value, item.name + CALL) or self.project.member(
            owner.value, item.name
        )
        return found._replace(how="import") if found is not None and found.symbol is not None else None

    def _type(self, package: str, name: str, path: str, how: str = "import") -> Found | None:
        places = self.packages.types(package).get(name)
        return _found(places, path, how) if places else None

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The type or member; packages are no files."""
        found = self.project.imported(facts, item)
        if found.symbol is not None:
            yield found.how, *found.symbol

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Methods when called, else variables and types."""
        called = name.endswith(CALL)
        slot = facts.slot(scope, name.removesuffix(CALL))
        if slot is None:
            return None
        if called:
            symbols = tuple(one for one in slot.symbols if facts.symbols[one].kind == "method")
            if slot.imports and not symbols:
                return Slot(imports=slot.imports)
            return Slot(symbols=symbols) if symbols else None
        if not slot.symbols:
            return slot
        slot = slot._replace(
            symbols=tuple(one for one in slot.symbols if facts.symbols[one].kind not in _METHODS)
        )
        return slot if any(slot) else None

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """A member; a method reference has no call, so methods stand in for fields."""
        slot = self.bare(facts, owner, name)
        if slot is not None and slot.bindings and slot.bindings[0].kind == "param":
            return None
        if slot is None and not name.endswith(CALL):
            slot = self.bare(facts, owner, name + CALL)
        return slot

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """``Outer.this``, ``T.class``, and the accessors of a record's components."""
        if name == "this":
            return Found("self", Value("instance", facts.path, owner))
        if name == "class":
            return OUTSIDE
        if name.endswith(CALL) and facts.symbols[owner].kind == "record":
            slot = facts.slot(owner, name[:-2])
            if slot is not None and slot.variables:
                place = (facts.path, slot.variables[0])
                return Found("lexical", Value("definition", *place), place)
        return None

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The object around a scope, its base, and their constructors."""
        owner = self._class_around(facts, scope)
        if owner == MODULE:
            return None
        if name == "this":
            return Found("self", Value("instance", facts.path, owner))
        if name == "super":
            return Found("super", Value("super", facts.path, owner))
        itself = Value("definition", facts.path, owner)
        if name == "this()":
            return self._constructor(itself)
        order = self.project.ancestors(itself)[1:]
        return self._constructor(order[0]) if order and order[0].role == "definition" else OUTSIDE

    def _class_around(self, facts: Facts, scope: int) -> int:
        while scope != MODULE and facts.symbols[scope].kind not in self.classes:
            scope = facts.symbols[scope].container
        return scope

    def _constructor(self, value: Value) -> Found | None:
        """A constructor of a class, else the class."""
        facts = self.project.facts(value.path)
        slot = facts.slot(value.at, facts.symbols[value.at].name) if facts is not None else None
        made = (
            [one for one in slot.symbols if facts and facts.symbols[one].kind == "constructor"]
            if slot
            else []
        )
        place = (value.path, made[0] if made else value.at)
        return Found("self", Value("definition", *place), place)

    def own_name(self, facts: Facts, method: int) -> str:
        """``this``."""
        return "this"

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The package, then wildcards, then the package of a full name; unknown types come from outside."""
        path = facts.path
        called = name.endswith(CALL)
        if not called:
            found = self._type(facts.outline.package, name, path, "package")
            if found is not None:
                return found
        for item in facts.wildcards:
            found = self._starred(item.module, name, path)
            if found is not None:
                return found
        if called:
            return None
        if name[:1].isupper() or name in _PRIMITIVES:
            return OUTSIDE
        if self.packages.known(name):
            return Found("import", Value("module", name))
        return OUTSIDE if name in ("java", "javax") else None

    def _starred(self, source: str, name: str, path: str) -> Found | None:
        """A type of a package, or a member of a type."""
        if not name.endswith(CALL):
            found = self._type(source, name, path)
            if found is not None:
                return found
        package, _, outer = source.rpartition(".")
        owner = self._type(package, outer, path) if outer[:1].isupper() else None
        if owner is None or owner.value is None:
            return None
        found = self.project.member(owner.value, name)
        return found._replace(how="import") if found is not None and found.symbol is not None else None

    def exported(self, module: Value, name: str) -> Found | None:
        """A type of a package, or a package below it."""
        found = self._type(module.path, name, "", "import")
        if found is not None:
            return found
        below = f"{module.path}.{name}"
        return Found("import", Value("module", below)) if self.packages.known(below) else None

    # types

    def is_callable(self, facts: Facts, index: int) -> bool:
        """Methods, and the components of records, which are accessors."""
        symbol = facts.symbols[index]
        if symbol.kind in self.callables:
            return True
        return symbol.kind == "field" and facts.symbols[symbol.container].kind == "record"

    def returned(self, facts: Facts, index: int) -> Value | None:
        """What an accessor gives."""
        symbol = facts.symbols[index]
        if symbol.kind != "field":
            return None
        slot = facts.slot(symbol.container, symbol.name)
        declared = next((one.annotation for one in slot.bindings if one.annotation), "") if slot else ""
        return self.project.declared(facts, symbol.container, declared) if declared else None

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place:
        """The overload whose parameters fit."""
        holder = self.project.facts(target[0])
        kind = holder.symbols[target[1]].kind if holder is not None else ""
        if holder is None or kind not in _METHODS:
            return target
        symbol = holder.symbols[target[1]]
        slot = holder.slot(symbol.container, symbol.name)
        same = [one for one in slot.symbols if holder.symbols[one].kind == kind] if slot is not None else []
        return (
            self.overloads.chosen(facts, use, [(target[0], one) for one in same]) if len(same) > 1 else target
        )

    def is_property(self, symbol: Symbol) -> bool:
        """There are none."""
        return False

    def steps(self, text: str) -> tuple[str, ...]:
        """Calls are told from fields."""
        return java_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """Wildcards are their bounds."""
        return java_types(text)

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """An array keeps what it is made of."""
        if one.head != "[]":
            return None
        args = tuple(self.project.of_types(facts, scope, arg) or Value("unknown") for arg in one.args)
        return Value("external", "[]", MODULE, args)

    def iterated(self, value: Value) -> Value | None:
        """An element of an array or a container."""
        return _known(value, 0)

    def item(self, value: Value, index: str) -> Value | None:
        """An element of an array."""
        return _known(value, 0) if value.path == "[]" else None

    def foreign_member(self, value: Value, name: str) -> Value:
        """Of a container: remembered with its arguments, for the call that follows."""
        word = name.removesuffix(CALL)
        if not value.args or value.path == "[]":
            return EXTERNAL
        if word in _KEPT:
            return Value("external", "*.same", MODULE, (value.args[_KEPT[word]],))
        if word in _SAME:
            return Value("external", "*.same", MODULE, value.args)
        return Value("external", f"*.{word}", MODULE, value.args) if word in _GIVES else EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """A getter of a container gives one of its arguments."""
        word = value.path.removeprefix("*.")
        if word == "same":
            return value
        return _known(value, _GIVES[word]) if value.args and value.path[:2] == "*." else EXTERNAL


def _found(places: Sequence[Place], path: str, how: str) -> Found:
    place, sure = nearest(places, path)
    return Found(how if sure else "ambiguous", Value("definition", *place), place)


def _known(value: Value, at: int) -> Value | None:
    if value.role != "external" or not value.args or value.args[at].role == "unknown":
        return None
    return value.args[at]
