"""What objects of JavaScript have that is written outside them, and what their scopes hide: one file's side of linking."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from trigpoint.languages.facts import VARIABLES, Facts, Slot
from trigpoint.model import MODULE, Binding, Import, Symbol

MEMBERS = frozenset({"method", "property", "field", "constructor"})
"""Kinds of symbols that are reached through an object, never by their bare names."""
FUNCTIONS = frozenset({"function", "method", "constructor"})
_PROTOTYPE = re.compile(r"([\w$]+)\.prototype")
_NO_ENTRIES: dict[str, list[int | Binding]] = {}


class Objects:
    """Tables of one file."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._bare: dict[tuple[int, str], Slot | None] = {}
        self._inside: dict[tuple[int, str], Slot | None] = {}
        self._outside: dict[int, dict[str, list[int | Binding]]] | None = None
        self._parameters: dict[int, list[str]] | None = None
        self._put: set[tuple[int, str, int]] | None = None
        self.handed: dict[str, list[Import]] = {}
        self.stars: list[Import] = []
        self.exports: dict[str, int] = {}
        self.default = MODULE
        self.whole: int | None = None  # the function that the module is, once it was looked for
        self.required: set[int] = set()
        self._fill_exports()

    def _fill_exports(self) -> None:
        for item in self.facts.outline.imports:
            if item.kind == "reexport":
                if item.name == "*" and not item.alias:
                    self.stars.append(item)
                else:
                    self.handed.setdefault(item.alias, []).append(item)
        for index, symbol in enumerate(self.facts.symbols):
            if "export" in symbol.modifiers and symbol.container == MODULE:
                self.exports[symbol.name] = index
                if "default" in symbol.modifiers:
                    self.default = index
        self.required = {
            one.line for one in self.facts.outline.references if one.name == "require" and not one.receiver
        }

    # scopes

    def bare(self, scope: int, name: str) -> Slot | None:
        """What a bare name stands for in a scope: not the members that objects in it have."""
        key = (scope, name)
        if key not in self._bare:
            slot = self.facts.slot(scope, name)
            self._bare[key] = self._without_members(slot) if slot is not None else None
        return self._bare[key]

    def _without_members(self, slot: Slot) -> Slot | None:
        symbols = self.facts.symbols
        if not any(_is_member(symbols[at]) for at in (*slot.symbols, *slot.variables)) and not any(
            one.kind == "attribute" for one in slot.bindings
        ):
            return slot
        kept = Slot(
            tuple(at for at in slot.symbols if not _is_member(symbols[at])),
            tuple(at for at in slot.variables if not _is_member(symbols[at])),
            slot.imports,
            tuple(one for one in slot.bindings if one.kind != "attribute"),
        )
        return kept if any(kept) else None

    def inside(self, owner: int, name: str) -> Slot | None:
        """The members of a name that stand in a symbol: of a function or a constant that holds code, no locals."""
        key = (owner, name)
        if key not in self._inside:
            slot = self.facts.slot(owner, name)
            if slot is not None and self.facts.symbols[owner].kind not in self.facts.rules.classes:
                slot = self._only_members(slot, owner)
            self._inside[key] = slot
        return self._inside[key]

    def _only_members(self, slot: Slot, owner: int) -> Slot | None:
        symbols = self.facts.symbols
        if symbols[owner].kind in FUNCTIONS:
            return None  # what is assigned to ``this`` in it is among what stands outside
        kept = Slot(
            tuple(at for at in slot.symbols if symbols[at].kind in MEMBERS),
            tuple(at for at in slot.variables if symbols[at].kind in MEMBERS),
            (),
            tuple(one for one in slot.bindings if one.kind == "attribute"),
        )
        return kept if kept.symbols or kept.variables else None

    def parameters(self, function: int) -> list[str]:
        """The declared types of a function's parameters; a destructured one counts once."""
        if self._parameters is None:
            self._parameters = {}
            for one in self.facts.outline.bindings:
                if one.kind == "param" and one.name != "this":
                    self._parameters.setdefault(one.scope, []).append(one.annotation)
        found = self._parameters.get(function, [])
        taken = [_whole(one) for one in found]
        return [one for at, one in enumerate(taken) if not (at and one == taken[at - 1] and found[at] != one)]

    # members that stand elsewhere

    def has_members(self, index: int) -> bool:
        """Whether a function or a variable has members."""
        return index in self.outside

    @property
    def outside(self) -> Mapping[int, Mapping[str, list[int | Binding]]]:
        """Owner -> name -> symbols and bindings: assigned to it, to its prototype, or to ``this`` in its functions."""
        if self._outside is None:
            self._outside = {}
            for index, symbol in enumerate(self.facts.symbols):
                self._place(index, symbol)
            for one in self.facts.outline.bindings:
                if one.kind == "attribute" and "." in one.name:
                    self._place_binding(one)
        return self._outside

    def _place(self, index: int, symbol: Symbol) -> None:
        symbols = self.facts.symbols
        if symbol.receiver:
            self._add(self._receiver(symbol.receiver, symbol.container), symbol.name, index)
            return
        outer = symbol.container
        if outer == MODULE or symbol.kind not in MEMBERS:
            return
        around = symbols[outer]
        if around.kind in FUNCTIONS:
            if self._is_put(symbol):
                self._add(self.maker(outer), symbol.name, index)
        elif around.kind in VARIABLES:
            owner = self._receiver(around.receiver, around.container) if around.name == "prototype" else outer
            self._add(owner, symbol.name, index)

    def _is_put(self, symbol: Symbol) -> bool:
        """Whether a method in a function is ``this.name = function``, and not of an object that is handed on."""
        if self._put is None:
            self._put = {
                (one.scope, one.name, one.line)
                for one in self.facts.outline.bindings
                if one.kind == "attribute" and one.name.startswith("this.")
            }
        return (symbol.container, f"this.{symbol.name}", symbol.name_line) in self._put

    def _place_binding(self, one: Binding) -> None:
        receiver, _, name = one.name.rpartition(".")
        if receiver == "this":
            self._add(self.maker(one.scope), name, one)
        elif receiver:
            self._add(self._receiver(receiver.removesuffix(".prototype"), one.scope), name, one)

    def _add(self, owner: int, name: str, entry: int | Binding) -> None:
        if owner != MODULE and self._outside is not None:
            self._outside.setdefault(owner, {}).setdefault(name, []).append(entry)

    def _receiver(self, text: str, scope: int) -> int:
        """The function, class or variable of this file that a receiver names; MODULE when it is none."""
        for _ in range(3):
            slot = self.bare(scope, text)
            while slot is None and scope != MODULE:
                scope = self.facts.container(scope)
                slot = self.bare(scope, text)
            if slot is None or slot.symbols:
                return slot.symbols[-1] if slot is not None else MODULE
            alias = next(
                (found[1] for one in slot.bindings if (found := _PROTOTYPE.fullmatch(one.value))), ""
            )
            if not alias:
                return slot.variables[-1] if slot.variables else MODULE
            text = alias
        return MODULE

    def maker(self, scope: int) -> int:
        """The class, function or variable whose object ``this`` is in a scope; MODULE when that is not known."""
        symbols = self.facts.symbols
        at = scope
        while at != MODULE:
            symbol = symbols[at]
            outer = symbol.container
            if symbol.kind in self.facts.rules.classes:
                return at
            if symbol.kind in FUNCTIONS and not is_arrow(symbol):
                return self._maker_of(at, symbol, outer)
            at = outer
        return MODULE

    def _maker_of(self, at: int, symbol: Symbol, outer: int) -> int:
        if symbol.receiver:
            return self._receiver(symbol.receiver, outer)
        around = self.facts.symbols[outer] if outer != MODULE else None
        if around is not None and around.kind in self.facts.rules.classes:
            return outer
        if around is not None and symbol.kind != "function":
            if around.kind in FUNCTIONS:
                return self.maker(outer) if self._is_put(symbol) else MODULE
            if around.name == "prototype" and around.receiver:
                return self._receiver(around.receiver, around.container)
            return outer if around.kind in VARIABLES else MODULE
        return at if symbol.kind == "function" else MODULE


def is_arrow(symbol: Symbol) -> bool:
    """Whether a function has no ``this`` of its own."""
    return symbol.signature.endswith("=>")


def _is_member(symbol: Symbol) -> bool:
    return symbol.kind in MEMBERS or bool(symbol.receiver)


def _whole(annotation: str) -> str:
    return annotation.partition('["')[0] if annotation.endswith('"]') else annotation


def symbols_of(entries: Iterable[int | Binding]) -> list[int]:
    """The symbols among entries."""
    return [one for one in entries if isinstance(one, int)]


def bindings_of(entries: Iterable[int | Binding]) -> list[Binding]:
    """The bindings among entries."""
    return [one for one in entries if not isinstance(one, int)]
