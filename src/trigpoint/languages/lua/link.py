"""How Lua's names reach their definitions: functions of tables, and of what a file that is required returns."""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterable, Sequence

from trigpoint.languages.expressions import Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.fullnames import nearest
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Rules, Value
from trigpoint.model import MODULE, Import, Reference, Symbol

_FUNCTIONS = frozenset({"function", "method"})
_RETURNED = re.compile(r"^return\s+(?:setmetatable\(\s*)?([A-Za-z_]\w*)\s*(?:[,;)].*)?$", re.M)
_OF = "\0"
"""Between the path of a file and the name of a table in it."""


class _Anything(Container[object]):
    """Any name may be one of a table."""

    def __contains__(self, name: object) -> bool:
        return True


class Linking(Rules):
    """Lua: tables that hold functions, files that return one."""

    classes = frozenset()
    callables = _FUNCTIONS
    spaces = frozenset()
    redeclared = True
    reads_heads = reads_calls = False
    special_names = _Anything()  # type: ignore[assignment]

    @staticmethod
    def read(text: str, symbols: Iterable[Symbol]) -> Hashable:
        """The table that the file returns."""
        return _returned(text)

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self._by_name: dict[str, list[str]] = {}
        self._tables: dict[str, dict[str, dict[str, list[int]]]] = {}
        self._given: dict[str, str] = {}
        for path in paths:
            stem = path.removesuffix(".lua").removesuffix("/init")
            self._by_name.setdefault(stem.rpartition("/")[2], []).append(path)

    # names

    def imported(self, facts: Facts, item: Import) -> Found:
        """What a required file returns, or a function of it."""
        path = self._file(facts.path, item.module)
        if not path:
            return OUTSIDE
        table = Value("module", f"{path}{_OF}{self._returned(path)}")
        if not item.name:
            return Found("import", table)
        found = self.exported(table, item.name)
        return found._replace(how="import") if found is not None else UNKNOWN

    def _file(self, path: str, module: str) -> str:
        tail = module.replace(".", "/")
        found = [
            (one, 0)
            for one in self._by_name.get(tail.rpartition("/")[2], ())
            if f"/{one.removesuffix('.lua').removesuffix('/init')}".endswith(f"/{tail}")
        ]
        if not found:
            return ""
        place, sure = nearest(found, path)
        return place[0] if sure else ""

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The required file, and the function that is taken from it."""
        path = self._file(facts.path, item.module)
        if path:
            yield "import", path, MODULE
        found = self.project.imported(facts, item) if item.name else None
        if found is not None and found.symbol is not None:
            yield found.how, *found.symbol

    def _returned(self, path: str) -> str:
        """The table that a file returns at its end; "" when it has no name."""
        if path not in self._given:
            self._given[path] = _returned(self.project.text(path))
        return self._given[path]

    def _table(self, path: str, name: str) -> dict[str, list[int]]:
        """The functions of a table of a file."""
        known = self._tables.get(path)
        if known is None:
            known = self._tables[path] = {}
            facts = self.project.facts(path)
            for index, symbol in enumerate(facts.symbols if facts is not None else ()):
                table = symbol.qualified.removesuffix(symbol.name).rstrip(".")
                if symbol.kind in _FUNCTIONS and table and symbol.container == MODULE:
                    known.setdefault(table, {}).setdefault(symbol.name, []).append(index)
        return known.get(name, {})

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A table of the file that holds functions; ``self`` is the one that a method is of."""
        at = scope
        while at != MODULE:
            symbol = facts.symbols[at]
            if name == "self" and symbol.kind == "method":
                table = symbol.qualified.removesuffix(symbol.name).rstrip(".")
                return Found("self", Value("module", f"{facts.path}{_OF}{table}"))
            slot = facts.slot(at, name)
            if slot is not None and (slot.bindings or slot.imports or slot.symbols):
                return None
            at = symbol.container
        return (
            Found("lexical", Value("module", f"{facts.path}{_OF}{name}"))
            if self._table(facts.path, name)
            else None
        )

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """What stands in a scope under its bare name: functions of tables do not."""
        slot = facts.slot(scope, name)
        if slot is None:
            return None
        symbols = tuple(
            one for one in slot.symbols if scope != MODULE or facts.symbols[one].qualified == name
        )
        slot = slot._replace(symbols=symbols)
        return slot if any(slot) else None

    def own_name(self, facts: Facts, method: int) -> str:
        """``self``, which ``special`` knows."""
        return ""

    def exported(self, module: Value, name: str) -> Found | None:
        """A function of a table, or a table in it."""
        path, _, table = module.path.partition(_OF)
        found = self._table(path, table).get(name, ())
        if len(found) == 1:
            place = (path, found[0])
            return Found("module-attribute", Value("definition", *place), place)
        if found:
            return Found("ambiguous", Value("definition", path, found[0]), (path, found[0]))
        inner = f"{table}.{name}"
        return Found("lexical", Value("module", f"{path}{_OF}{inner}")) if self._table(path, inner) else None

    def returned(self, facts: Facts, index: int) -> Value | None:
        """What ``new`` of a table gives is of that table."""
        symbol = facts.symbols[index]
        table = symbol.qualified.removesuffix(symbol.name).rstrip(".")
        if symbol.name not in ("new", "_new") or not table:
            return None
        return Value("module", f"{facts.path}{_OF}{table}")

    # expressions

    def named(self, use: Reference) -> str:
        """The name."""
        return use.name

    def types(self, text: str) -> tuple[Type, ...]:
        """Types of annotations are not followed."""
        return ()

    def foreign_member(self, value: Value, name: str) -> Value:
        """Unknown."""
        return EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """A required file, or unknown."""
        return EXTERNAL


def _returned(text: str) -> str:
    found = _RETURNED.findall(text)
    return str(found[-1]) if found else ""
