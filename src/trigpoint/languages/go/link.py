"""How Go's names reach their definitions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trigpoint.languages.expressions import Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.foreign import FOREIGN
from trigpoint.languages.go.packages import Package, Packages, Place, first_file
from trigpoint.languages.go.written import (
    CHANNEL,
    FUNCTION,
    LIST,
    MAP,
    RESULTS,
    SHAPES,
    go_steps,
    go_types,
    guessed_name,
)
from trigpoint.languages.linking import OUTSIDE, Found, Project, Rules, Value, module, words
from trigpoint.model import MODULE, Import, Symbol

_BUILTINS = words("""append cap clear close complex copy delete imag len make max min new panic print println real recover
    any bool byte comparable complex64 complex128 error false float32 float64 int int8 int16 int32 int64 iota nil rune
    string true uint uint8 uint16 uint32 uint64 uintptr""")
_ELEMENT = {LIST: 0, MAP: 1, CHANNEL: 0}


class Linking(Rules):
    """Go: packages are folders, methods stand beside their types, embedded types lend theirs."""

    classes = frozenset({"struct", "interface", "type"})
    callables = frozenset({"function", "method", *classes})
    sees_class_scope = False
    plain_scopes = True
    redeclared = True
    foreign_methods = FOREIGN["go"]
    configured_by = frozenset({"go.mod"})
    reads_heads = reads_calls = False

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.packages = Packages(paths, project.text, project.facts)

    # names

    def bound(self, item: Import) -> str:
        """The name in the package's own clause, when it is in the project and no other is written."""
        if item.alias and item.alias == guessed_name(item.module):
            package = self._package(item.module)
            if package is not None and package.name != "main":
                return package.name
        return item.alias

    def _package(self, path: str) -> Package | None:
        folder = self.packages.imported(path)
        return self.packages.offered(folder) if folder is not None else None

    def imported(self, facts: Facts, item: Import) -> Found:
        """A package: its folder."""
        folder = self.packages.imported(item.module)
        return module(folder) if folder is not None else OUTSIDE

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The file that stands for the package."""
        package = self._package(item.module)
        if package is not None:
            yield "import", first_file(package), MODULE

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Neither methods nor fields have bare names; of a type only its type parameters do."""
        slot = facts.slot(scope, name)
        if slot is None or (scope != MODULE and facts.symbols[scope].kind not in self.classes):
            return slot
        if scope != MODULE:
            given = tuple(one for one in slot.bindings if one.kind == "param")
            return Slot(bindings=given) if given else None
        if not any(facts.symbols[index].receiver for index in slot.symbols):
            return slot
        slot = slot._replace(symbols=tuple(one for one in slot.symbols if not facts.symbols[one].receiver))
        return slot if any(slot) else None

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """Fields, and the methods of interfaces."""
        slot = facts.slot(owner, name)
        return None if slot is None or (slot.bindings and slot.bindings[0].kind == "param") else slot

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The other files of the package, packages imported with a dot, then what is built in."""
        package = self.packages.of(facts)
        found = self._one(self.packages.visible(package.names.get(name, ()), facts.path), name)
        if found is not None:
            return found
        for item in facts.wildcards:
            folder = self.packages.imported(item.module)
            dotted = self.exported(Value("module", folder), name) if folder is not None else None
            if dotted is not None:
                return dotted._replace(how="import") if dotted.how != "ambiguous" else dotted
        return OUTSIDE if name in _BUILTINS else None

    def exported(self, module: Value, name: str) -> Found | None:
        """A capitalised name of one of the package's files; small ones are the package's own."""
        package = self.packages.offered(module.path)
        if package is None or not name[:1].isupper():
            return None
        return self._one(self.packages.visible(package.names.get(name, ()), ""), name)

    def _one(self, places: Sequence[Place], name: str) -> Found | None:
        """The only definition of a name; of several, which builds choose from, none is sure."""
        if not places:
            return None
        path, index = places[0]
        facts = self.project.facts(path)
        found = self.project.local(facts, MODULE, name) if facts is not None else None
        if found is None:
            return None
        if len(places) > 1:
            return Found("ambiguous", found.value, (path, index))
        return found._replace(how="package")

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """A method that has the type as its receiver, in any file of the package."""
        symbol = facts.symbols[owner]
        if symbol.container != MODULE:
            return None
        methods = self.packages.of(facts).methods.get(symbol.name)
        places = self.packages.visible(methods.get(name, ()), facts.path) if methods else ()
        if not places and methods and name in methods:
            places = methods[name]
        if not places:
            return None
        how = "package" if len(places) == 1 else "ambiguous"
        return Found(how, Value("definition", *places[0]), places[0])

    # types

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """Embedded types; an alias is the type that it stands for, and a named type has the fields of its own."""
        symbol = facts.symbols[index]
        if symbol.kind != "type":
            return symbol.bases
        written = self._written(facts, index)
        return (written,) if written and written[0] not in "[(" and "func" not in written[:5] else ()

    def _written(self, facts: Facts, index: int) -> str:
        """What a type is declared as."""
        symbol = facts.symbols[index]
        slot = facts.slot(symbol.container, symbol.name)
        return next((one.annotation for one in slot.bindings if one.kind == "alias"), "") if slot else ""

    def _shape(self, value: Value) -> Value:
        """The unnamed type below a named one: ``type Routes []Route``."""
        for _ in range(4):
            facts = self.project.facts(value.path) if value.role == "instance" else None
            if facts is None or facts.symbols[value.at].kind != "type":
                break
            below = self.project.declared(facts, facts.container(value.at), self._written(facts, value.at))
            if below is None:
                break
            value = below
        return value

    def is_property(self, symbol: Symbol) -> bool:
        """There are none."""
        return False

    def steps(self, text: str) -> tuple[str, ...]:
        """Go's own forms, then those of all."""
        return go_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """Go's types."""
        return go_types(text)

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """Lists, maps, channels, functions and several results keep what they are made of."""
        if one.head not in SHAPES:
            return None
        args = tuple(self.project.of_types(facts, scope, arg) or Value("unknown") for arg in one.args)
        return Value("external", one.head, MODULE, args)

    def iterated(self, value: Value) -> Value | None:
        """An element."""
        shape = self._shape(value)
        return _argument(shape, _ELEMENT[shape.path]) if shape.path in _ELEMENT else None

    def item(self, value: Value, index: str) -> Value | None:
        """An element, one of several results, or a generic function with its types given."""
        if value.role == "definition":
            return value
        shape = self._shape(value)
        if shape.path == RESULTS:
            return _argument(shape, int(index)) if index.isdigit() else None
        return _argument(shape, _ELEMENT[shape.path]) if shape.path in _ELEMENT else _foreign(shape)

    def foreign_call(self, value: Value) -> Value | None:
        """What a function type gives."""
        return _argument(value, 0) if value.path == FUNCTION else _foreign(value)


def _argument(value: Value, at: int) -> Value | None:
    if value.role != "external" or at >= len(value.args) or value.args[at].role == "unknown":
        return None
    return value.args[at]


def _foreign(value: Value) -> Value | None:
    return OUTSIDE.value if value.role == "external" and value.path not in SHAPES else None
