"""What linking sees of one file: its outline, with the names of each scope at hand. Nothing here knows a language."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from trigpoint.model import MODULE, Binding, Import, Outline

if TYPE_CHECKING:
    from trigpoint.languages.linking import Found, Rules

VARIABLES = frozenset({"variable", "constant", "field", "property"})
"""Kinds of symbols that hold a value: what they are worth is told by their bindings."""

METHOD = "method"
"""The kind of symbols that a call on an unknown object may mean."""

_DOTTED = ".", "->"


class Slot(NamedTuple):
    """All that one name stands for in one scope, each in order of lines."""

    symbols: tuple[int, ...] = ()  # functions, types and other definitions that are no variables
    variables: tuple[int, ...] = ()
    imports: tuple[Import, ...] = ()
    bindings: tuple[Binding, ...] = ()

    def is_plain(self) -> bool:
        """Whether it means the same on every line of its scope."""
        return (
            len(self.symbols)
            + len(self.imports)
            + (len(self.bindings) if not (self.symbols or self.imports) else 0)
            < 2
        )


class Facts:
    """One file. The tables are made when first asked for; what a file uses itself is in ``outline.references``."""

    def __init__(
        self, path: str, language: str, marks: frozenset[str], outline: Outline, rules: Rules
    ) -> None:
        self.path = path
        self.language = language
        self.marks = marks
        self.outline = outline
        self.symbols = outline.symbols
        self.rules = rules
        self.seen: dict[tuple[int, str], Found | None] = {}  # (scope, name) that means the same on every line
        self.worth: dict[
            tuple[int, str], Found | None
        ] = {}  # (scope, expression) whose first name is such a one
        self._tables: dict[int, dict[str, Any]] | None = (
            None  # what a name stands for is sorted when first asked
        )
        self._attributes: dict[int, dict[str, list[Binding]]] = {}
        self._returns: dict[int, list[Binding]] = {}
        self._entries: dict[tuple[int, str], list[Binding]] = {}
        self._first: dict[int, str] = {}
        self.wildcards: list[Import] = []

    @property
    def tables(self) -> dict[int, dict[str, Any]]:
        """scope -> name -> what is defined, imported or bound there under the name."""
        if self._tables is None:
            self._fill()
        assert self._tables is not None
        return self._tables

    @cached_property
    def inner(self) -> frozenset[str]:
        """Every name that a scope inside the file holds: of all others, each scope sees what the top does."""
        inside = [names for scope, names in self.tables.items() if scope != MODULE]
        return frozenset().union(*inside)

    def slot(self, scope: int, name: str) -> Slot | None:
        """What a name stands for in exactly this scope."""
        names = (self._tables or self.tables).get(scope)
        if names is None:
            return None
        entries = names.get(name)
        if entries is None or entries.__class__ is Slot:
            return entries
        found = names[name] = self._sorted(entries)
        return found

    def names_in(self, scope: int) -> Collection[str]:
        """Every name of a scope."""
        return self.tables.get(scope, _NOTHING).keys()

    def attributes(self, owner: int) -> Mapping[str, list[Binding]]:
        """What the methods of a class assign to attributes of their receiver, by the attribute's name."""
        if self._tables is None:
            self._fill()
        return self._attributes.get(owner, _NO_BINDINGS)

    def returns(self, scope: int) -> list[Binding]:
        """The declared and the returned values of a function."""
        if self._tables is None:
            self._fill()
        return self._returns.get(scope, [])

    def entries(self, scope: int, name: str) -> list[Binding]:
        """What is put under a key into what a name holds, in order: each with its key as annotation."""
        if self._tables is None:
            self._fill()
        return self._entries.get((scope, name), _NO_ENTRIES)

    def first_parameter(self, scope: int) -> str:
        """The name of a function's first parameter; "" when it has none."""
        if self._tables is None:
            self._fill()
        return self._first.get(scope, "")

    def forget_uses(self) -> None:
        """Let the references go, the largest part of a file, once they are edges."""
        self.outline = self.outline._replace(references=())

    def container(self, scope: int) -> int:
        """The scope around a scope."""
        return self.symbols[scope].container if scope != MODULE else MODULE

    def owner(self, scope: int) -> int:
        """The class whose method holds a scope: of the nearest function that stands directly in a class; else MODULE."""
        while scope != MODULE:
            outer = self.symbols[scope].container
            if outer != MODULE and self.symbols[outer].kind in self.rules.classes:
                return outer
            scope = outer
        return MODULE

    def method(self, scope: int) -> int:
        """The nearest function around or at a scope that stands directly in a class; else MODULE."""
        while scope != MODULE:
            outer = self.symbols[scope].container
            if outer != MODULE and self.symbols[outer].kind in self.rules.classes:
                return scope
            scope = outer
        return MODULE

    def ordinals(self) -> list[int]:
        """For each symbol, how many before it in the file have the same qualified name."""
        seen: dict[str, int] = {}
        found = []
        for symbol in self.symbols:
            count = seen.get(symbol.qualified, 0)
            seen[symbol.qualified] = count + 1
            found.append(count)
        return found

    def _fill(self) -> None:
        tables: dict[int, dict[str, Any]] = {}
        self._tables = tables
        for index, symbol in enumerate(self.symbols):
            tables.setdefault(symbol.container, {}).setdefault(symbol.name, []).append(index)
        bound = self.rules.bound
        for item in self.outline.imports:
            if item.name == "*":
                self.wildcards.append(item)
            elif name := bound(item):
                tables.setdefault(item.scope, {}).setdefault(name, []).append(item)
        dotted = [one for one in self.outline.bindings if self._place(one, tables)]
        for one in dotted:
            self._add_attribute(one)

    def _place(self, one: Binding, tables: dict[int, dict[str, Any]]) -> bool:
        """Put a binding where it is looked for; whether it is one of an attribute, for which all others must be placed."""
        kind, name, scope = one.kind, one.name, one.scope
        if kind in _ASIDE:
            if kind == "entry":
                self._entries.setdefault((scope, name), []).append(one)
                return False
            if kind != "attribute":
                self._returns.setdefault(scope, []).append(one)
                return False
            if "." in name:
                return True
        elif kind == "param" and scope not in self._first:
            self._first[scope] = name
        names = tables.get(scope)
        if names is None:
            names = tables[scope] = {}
        entries = names.get(name)
        if entries is None:
            names[name] = [one]
        else:
            entries.append(one)
        return False

    def _add_attribute(self, one: Binding) -> None:
        receiver, _, name = one.name.partition(".")
        method = self.method(one.scope)
        if method == MODULE or "." in name or receiver != self.rules.own_name(self, method):
            return
        owner = self.symbols[method].container
        self._attributes.setdefault(owner, {}).setdefault(name, []).append(one)

    def _sorted(self, entries: list[int | Import | Binding]) -> Slot:
        symbols: list[int] = []
        variables: list[int] = []
        imports: list[Import] = []
        bindings: list[Binding] = []
        for entry in entries:
            if isinstance(entry, int):
                (variables if self.symbols[entry].kind in VARIABLES else symbols).append(entry)
            elif isinstance(entry, Import):
                imports.append(entry)
            else:
                bindings.append(entry)
        return Slot(tuple(symbols), tuple(variables), tuple(imports), tuple(bindings))


_NOTHING: dict[str, Any] = {}
_ASIDE = frozenset({"return", "yield", "entry", "attribute"})
"""Kinds of bindings that are no names of their scope, or not always."""

_NO_ENTRIES: list[Binding] = []
_NO_BINDINGS: dict[str, list[Binding]] = {}
