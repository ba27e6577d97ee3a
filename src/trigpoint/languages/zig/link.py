"""How Zig's names reach their definitions: files and containers are alike, types are values, functions make types."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import normpath

from trigpoint.languages.expressions import Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.found import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Value, module
from trigpoint.languages.fullnames import nearest
from trigpoint.languages.linking import Rules
from trigpoint.languages.zig.written import THIS, zig_steps, zig_types
from trigpoint.model import MODULE, Import


class Linking(Rules):
    """Zig: containers see what stands around them, fields only behind a dot."""

    classes = frozenset({"struct", "enum", "union"})
    callables = frozenset({"function", "method", *classes})
    spaces = frozenset()
    sees_class_scope = False
    sees_class_names = True
    redeclared = True
    explicit = True
    reads_heads = reads_calls = False
    special_names = frozenset({THIS})

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self._all = frozenset(paths)
        self._by_file: dict[str, list[str]] = {}
        for path in paths:
            self._by_file.setdefault(path.rpartition("/")[2], []).append(path)

    # imports

    def imported(self, facts: Facts, item: Import) -> Found:
        """A file, or what is taken from it."""
        path = self._file(facts.path, item.module) if item.kind != "include" else ""
        if not path:
            return OUTSIDE
        found: Found | None = module(path)
        for name in item.name.split(".") if item.name not in ("", "*") else ():
            value = found.value if found is not None else None
            found = self.project.member(value, name) if value is not None else None
        if found is None:
            return UNKNOWN
        return found._replace(how="import") if found.how != "external" else found

    def _file(self, path: str, written: str) -> str:
        """A path beside the file; a package is the file of its name."""
        if written.endswith((".zig", ".zon")):
            beside = normpath(f"{path.rpartition('/')[0] or '.'}/{written}")
            return beside if beside in self._all else ""
        places = [(one, 0) for one in self._by_file.get(f"{written}.zig", ())]
        place, sure = nearest(places, path) if places else (("", 0), False)
        return place[0] if sure else ""

    def exported(self, module: Value, name: str) -> Found | None:
        """What a file defines, hands on, or has as a field where it is a struct itself."""
        facts = self.project.facts(module.path)
        if facts is None:
            return None
        return (
            self.project.local(facts, MODULE, name)
            or self._field(facts, name)
            or self._opened(facts, MODULE, name, handed_on=True)
        )

    def _field(self, facts: Facts, name: str) -> Found | None:
        slot = self.inside(facts, MODULE, name)
        if slot is None or not slot.variables:
            return None
        told = next((one.annotation for one in slot.bindings if one.annotation), "")
        return Found("hint", self.project.declared(facts, MODULE, told), (facts.path, slot.variables[0]))

    def _opened(self, facts: Facts, scope: int, name: str, *, handed_on: bool = False) -> Found | None:
        """What ``usingnamespace`` of a file brings to a scope."""
        facts.names_in(scope)
        for item in facts.wildcards:
            if item.scope == scope and not (handed_on and item.kind != "reexport"):
                source = self.project.imported(facts, item).value
                found = self.project.member(source, name) if source is not None else None
                if found is not None and found.symbol is not None:
                    return found._replace(how="reexport")
        return None

    # names

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """What a bare name means: no field, no test, and no function of a struct that has no name."""
        slot = _slot(facts, scope, name)
        if slot is None:
            return None
        kinds = {one: facts.symbols[one].kind for one in (*slot.symbols, *slot.variables)}
        if "field" in kinds.values():
            slot = slot._replace(
                variables=tuple(one for one in slot.variables if kinds[one] != "field"),
                bindings=tuple(one for one in slot.bindings if one.kind != "attribute"),
            )
        if scope != MODULE and not self.is_type(facts, scope):
            slot = slot._replace(symbols=tuple(one for one in slot.symbols if kinds[one] != "method"))
        return slot if any(slot) else None

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """A member; a parameter of a function that gives a type is none."""
        slot = _slot(facts, owner, name)
        if slot is None:
            return None
        slot = slot._replace(bindings=tuple(one for one in slot.bindings if one.kind != "param"))
        return slot if any(slot) else None

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """What is opened around."""
        while True:
            found = self._opened(facts, scope, name)
            if found is not None or scope == MODULE:
                return found
            scope = facts.symbols[scope].container

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """``@This()``: the container around, perhaps the file."""
        while scope != MODULE and not self.is_type(facts, scope):
            scope = facts.symbols[scope].container
        if scope == MODULE:
            return Found("class", Value("module", facts.path))
        return Found("class", Value("definition", facts.path, scope))

    def own_name(self, facts: Facts, method: int) -> str:
        """``self``, when that is what a method calls its first parameter."""
        name = facts.first_parameter(method)
        return name if name == "self" else ""

    # types

    def is_type(self, facts: Facts, index: int) -> bool:
        """Containers, and functions that give a type."""
        return facts.symbols[index].kind in self.classes or _makes(facts, index)

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """Of a function that gives a type: what the one container in it has."""
        inner = [
            index
            for index, symbol in enumerate(facts.symbols)
            if symbol.container == owner and symbol.kind in self.classes
        ]
        if len(inner) != 1 or facts.symbols[owner].kind in self.classes:
            return None
        return self.project.member(Value("instance", facts.path, inner[0]), name)

    def returns_owner(self, facts: Facts, method: int, declared: str) -> bool:
        """Self is looked up like any name."""
        return False

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """Lists; files that are structs."""
        if one.head == "[]":
            held = self.project.of_types(facts, scope, one.args[0]) if one.args else None
            return Value("external", "[]", MODULE, (held or Value("unknown"),))
        found = self.project.evaluate(facts, scope, one.head)
        value = found.value if found is not None else None
        return value if value is not None and value.role == "module" else None

    def item(self, value: Value, index: str) -> Value | None:
        """One of a list; a slice is a list."""
        return value if ".." in index else super().item(value, index)

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """An expression."""
        return zig_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """A type."""
        return zig_types(text)

    def foreign_member(self, value: Value, name: str) -> Value:
        """Unknown."""
        return EXTERNAL


def _makes(facts: Facts, index: int) -> bool:
    """Whether a function gives a type."""
    return facts.symbols[index].kind in ("function", "method") and any(
        one.annotation == "type" for one in facts.returns(index)
    )


def _slot(facts: Facts, scope: int, name: str) -> Slot | None:
    """What stands in a scope but tests; a type is a constant that is worth what it stands for."""
    slot = facts.slot(scope, name)
    if slot is None or not slot.symbols:
        return slot
    kinds = [(facts.symbols[one].kind, one) for one in slot.symbols]
    types = tuple(one for kind, one in kinds if kind == "type")
    symbols = tuple(one for kind, one in kinds if kind not in ("type", "test"))
    return slot._replace(symbols=symbols, variables=(*slot.variables, *types))
