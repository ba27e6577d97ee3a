"""How the names of C and C++ reach their definitions: by their full names, told apart by what a file includes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trigpoint.languages.cpp.definitions import (
    CLASSES,
    SEEN_FROM,
    TYPES,
    Definitions,
    full_name,
    is_declared,
    pairs,
    space_as_seen,
)
from trigpoint.languages.cpp.written import cpp_steps, cpp_types
from trigpoint.languages.expressions import CALL, Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.foreign import FOREIGN
from trigpoint.languages.includes import Files
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, Found, Project, Rules, Value, words
from trigpoint.languages.overloads import Overloads, Place
from trigpoint.model import MODULE, Import, Reference, Symbol

_POINTERS = words(
    "unique_ptr shared_ptr weak_ptr optional reference_wrapper atomic observer_ptr not_null scoped_refptr"
)
"""Types whose members, behind an arrow, are those of what they hold."""
_GIVES = words("front back at get value top value_or begin end find data lock load emplace_back operator*")
"""Methods of the library's containers that give an element, or what points to one."""


class Linking(Rules):
    """C and C++: one space of full names, classes with bases, members written outside their class."""

    classes = CLASSES
    callables = frozenset({"function", "method", "constructor", "macro", "class", "struct", "type"})
    spaces = frozenset()
    redeclared = True
    reaches = True
    typed_inside = True
    special_names = frozenset({"this"})
    foreign_methods = FOREIGN["cpp"]

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.files = Files(paths, project.facts)
        self.overloads = Overloads(project)
        self.names = Definitions(project, self.files)

    # names

    def named(self, use: Reference) -> str:
        """A method is no field of its name."""
        return use.name + CALL if use.kind == "call" and use.receiver else use.name

    def bound(self, item: Import) -> str:
        """What a using-declaration or a namespace alias binds; includes and whole namespaces bind no name."""
        return item.alias

    def imported(self, facts: Facts, item: Import) -> Found:
        """A full name, as seen from the namespaces around."""
        written = ".".join(part for part in (item.module.replace("::", "."), item.name) if part)
        for space in (*self._spaces(facts, item.scope), ""):
            full = f"{space}.{written}" if space else written
            found = self.names.full(facts, full)
            if found is not None:
                return found._replace(how="import") if found.how == "package" else found
        return OUTSIDE

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The included file."""
        if item.kind == "include":
            path = self.files.included(facts.path, item.module)
            if path:
                yield "import", path, MODULE

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """What is written in a scope, but for members of classes elsewhere, namespaces, constructors and mere declarations."""
        slot = facts.slot(scope, name)
        if slot is None or not (slot.symbols or slot.variables):
            return slot
        symbols = tuple(one for one in slot.symbols if self._stands(facts, one))
        if symbols and all(is_declared(facts.symbols[one]) for one in symbols):
            in_class = scope != MODULE and facts.symbols[scope].kind in self.classes
            symbols = symbols if in_class and not self._outside(facts, scope, name) else ()
        variables = slot.variables
        if variables and scope == MODULE and all(is_declared(facts.symbols[one]) for one in variables):
            variables = () if self._elsewhere(facts, variables[0]) else variables
        if len(symbols) > 1:
            symbols = self._first_kind(facts, symbols)
        slot = Slot(symbols, variables, slot.imports, slot.bindings)
        return slot if symbols or variables or slot.imports or slot.bindings else None

    def _stands(self, facts: Facts, index: int) -> bool:
        """Whether a definition has a bare name where it is written: members elsewhere, tests and namespaces do not."""
        symbol = facts.symbols[index]
        if symbol.receiver or symbol.kind in ("namespace", "constructor"):
            return False
        outer = symbol.container
        return len(symbol.qualified) == len(symbol.name) + (
            0 if outer == MODULE else len(facts.symbols[outer].qualified) + 1
        )

    def _first_kind(self, facts: Facts, symbols: tuple[int, ...]) -> tuple[int, ...]:
        """Of a typedef and its struct the struct; of specialisations of one class the first."""
        types = [one for one in symbols if facts.symbols[one].kind in TYPES]
        if not types:
            return symbols
        return (next((one for one in types if facts.symbols[one].kind != "type"), types[0]),)

    def _elsewhere(self, facts: Facts, index: int) -> bool:
        qualified = facts.symbols[index].qualified
        return any(
            not is_declared(one)
            for one in self.names.symbols(self.names.places(facts.symbols[index].name, qualified))
        )

    def reach(self, facts: Facts, scope: int, name: str) -> Found | None:
        """From a member outside its class: the class. From a namespace: its parts in other files."""
        symbol = facts.symbols[scope]
        if symbol.kind in ("method", "constructor") and symbol.receiver:
            owner = self._owner(facts, scope)
            if owner is not None:
                found = self.project.member(owner, name)
                if found is not None and found.how != "external":
                    return found._replace(how="self") if found.how != "ambiguous" else found
        elif symbol.kind != "namespace":
            return None
        return self._in_spaces(facts, scope, name)

    def _in_spaces(self, facts: Facts, scope: int, name: str) -> Found | None:
        if not self.names.named(name):
            return None
        for space in self._spaces(facts, scope, own=True):
            found = self.names.full(facts, f"{space}.{name}")
            if found is not None:
                return found
        return None

    def _spaces(self, facts: Facts, scope: int, *, own: bool = False) -> Iterable[str]:
        """The full names around a scope that its container does not have, from the inside; without ``own`` all."""
        if scope == MODULE:
            return
        symbol = facts.symbols[scope]
        outer = facts.symbols[symbol.container].qualified if own and symbol.container != MODULE else ""
        full = symbol.qualified if symbol.kind == "namespace" else symbol.qualified.rpartition(".")[0]
        while full and full != outer:
            yield full
            full = full.rpartition(".")[0]

    def _owner(self, facts: Facts, scope: int) -> Value | None:
        """An instance of the class of a member written outside it."""
        qualified = facts.symbols[scope].qualified.rpartition(".")[0]
        places = [
            one for one in self.names.places(qualified.rpartition(".")[2], qualified) if self._is_class(one)
        ]
        place = self.names.pick(facts, places)
        return Value("instance", *place[0]) if place is not None else None

    def _is_class(self, place: Place) -> bool:
        facts = self.project.facts(place[0])
        return facts is not None and facts.symbols[place[1]].kind in self.classes

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """``this``."""
        while scope != MODULE:
            symbol = facts.symbols[scope]
            if symbol.kind in self.classes:
                return Found("self", Value("instance", facts.path, scope))
            if symbol.receiver and symbol.kind in ("method", "constructor"):
                owner = self._owner(facts, scope)
                return Found("self", owner) if owner is not None else None
            scope = symbol.container
        return None

    def own_name(self, facts: Facts, method: int) -> str:
        """``this``."""
        return "this"

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """Global names, then those of namespaces in use; a name that is none may begin a full one."""
        found = self.names.full(facts, name.removesuffix(CALL))
        if found is not None:
            return found
        for item in facts.wildcards:
            if item.kind != "include":
                found = self.names.full(facts, f"{item.module.replace('::', '.')}.{name}")
                if found is not None:
                    return found
        return Found("package", space_as_seen(name, facts.path)) if facts.language == "cpp" else None

    def exported(self, module: Value, name: str) -> Found | None:
        """A full name; what is none may begin a longer one."""
        space, _, path = module.path.partition(SEEN_FROM)
        facts = self.project.facts(path)
        full = f"{space}.{name.removesuffix(CALL)}"
        found = self.names.full(facts, full) if facts is not None else None
        if found is not None:
            return found._replace(how="import") if found.how == "package" else found
        return Found("package", space_as_seen(full, path)) if not name.endswith(CALL) else None

    # members

    def is_type(self, facts: Facts, index: int) -> bool:
        """Types and names for them."""
        return facts.symbols[index].kind in TYPES

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """A member; one that is only declared in the class stands outside it."""
        called = name.endswith(CALL)
        slot = facts.slot(owner, name.removesuffix(CALL))
        if slot is None or (slot.bindings and slot.bindings[0].kind == "param"):
            return None
        symbols = tuple(
            one for one in slot.symbols if facts.symbols[one].kind not in ("constructor", "namespace")
        )
        if called and slot.variables and not symbols:
            return slot
        if (
            symbols
            and all(is_declared(facts.symbols[one]) for one in symbols)
            and self._outside(facts, owner, name)
        ):
            return None
        slot = slot._replace(symbols=symbols)
        return slot if any(slot) else None

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """A member that stands outside its class."""
        places = self._outside(facts, owner, name)
        if not places:
            return None
        picked = (
            (places[0], True) if len({path for path, _ in places}) == 1 else self.names.pick(facts, places)
        )
        if picked is None:
            return None
        return Found("class" if picked[1] else "ambiguous", Value("definition", *picked[0]), picked[0])

    def _outside(self, facts: Facts, owner: int, name: str) -> list[Place]:
        name = name.removesuffix(CALL)
        full = f"{full_name(facts, owner)}.{name}"
        return [
            place
            for place, symbol in pairs(self.names.places(name, full), self.project)
            if symbol.receiver and not is_declared(symbol)
        ]

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """Base classes; what a typedef stands for."""
        symbol = facts.symbols[index]
        if symbol.kind != "type":
            return symbol.bases
        slot = facts.slot(symbol.container, symbol.name)
        written = (
            next((one.value for one in slot.bindings if one.kind == "alias"), "") if slot is not None else ""
        )
        return (written,) if written and written.rpartition(" ")[2] != symbol.name else ()

    def stands_back(self, symbol: Symbol) -> bool:
        """Declarations."""
        return is_declared(symbol)

    def is_property(self, symbol: Symbol) -> bool:
        """There are none."""
        return False

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place:
        """The overload whose parameters fit."""
        holder = self.project.facts(target[0])
        if facts.language != "cpp" or holder is None or use.kind != "call":
            return target
        symbol = holder.symbols[target[1]]
        if symbol.kind not in ("function", "method"):
            return target
        seen = self.files.seen(facts.path)
        same = [
            place
            for place, one in pairs(
                self.names.places(symbol.name, full_name(holder, target[1])), self.project
            )
            if one.kind == symbol.kind
            and is_declared(one) == is_declared(symbol)
            and (place[0] == target[0] or place[0] in seen)
        ]
        return self.overloads.chosen(facts, use, same) if len(same) > 1 else target

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """Casts make their type."""
        return cpp_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """Types."""
        return cpp_types(text)

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """Pointers are what they hold."""
        if one.head.rpartition("::")[2] in _POINTERS and one.args:
            return self.project.of_types(facts, scope, one.args[0])
        if one.head.startswith("std::"):
            args = tuple(self.project.of_types(facts, scope, arg) or Value("unknown") for arg in one.args)
            return Value("external", one.head, MODULE, args)
        return None

    def iterated(self, value: Value) -> Value | None:
        """An element; of a map a pair."""
        return _known(value, 0) if len(value.args) == 1 else None

    def item(self, value: Value, index: str) -> Value | None:
        """An element; pointers and arrays are written like what they point to."""
        return value if value.role == "instance" else _known(value, -1)

    def foreign_member(self, value: Value, name: str) -> Value:
        """Of a container: remembered with its arguments, for the call that follows."""
        known = value.args and name.removesuffix(CALL) in _GIVES
        return Value("external", "*.give", MODULE, value.args) if known else EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """A getter of a container gives an element."""
        return _known(value, -1) if value.path == "*.give" else EXTERNAL


def _known(value: Value, at: int) -> Value | None:
    if value.role != "external" or not value.args or value.args[at].role == "unknown":
        return None
    return value.args[at]
