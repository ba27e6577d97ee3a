"""What a file offers to others, item by item: names with a fingerprint of all that decides what they stand for.

Two records of a file with equal offers are the same to every other file, whatever their lines and bodies.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from trigpoint.languages.facts import METHOD, VARIABLES
from trigpoint.languages.linking import LinkingClass
from trigpoint.model import MODULE, Binding, Outline

_WORD = re.compile(r"[^\W\d]\w*")
_RESULTS = frozenset({"return", "yield"})
LOCAL = frozenset({"function", "method", "constructor", "macro"})


class Offer(NamedTuple):
    """One name and everything in its file that decides what it is worth, in order."""

    name: str
    parts: tuple[object, ...]

    def words(self) -> set[str]:
        """The names that it depends on."""
        return set(_WORD.findall(" ".join(_texts(self.parts))))


Offers = Mapping[tuple[str, str], Offer]
"""By the scope, as its qualified name and number, and the name in it."""


def offers(outline: Outline, rules: LinkingClass) -> Offers:
    """All that other files can see of a file."""
    return _Gathering(outline, rules).result()


def changed_names(before: Outline | None, after: Outline | None, rules: LinkingClass) -> set[str]:
    """Names that another file may have to look at again; both sides of a file that came or went are all its names."""
    if before is not None and after is not None and _told(before) == _told(after):
        return set()  # a tenth of the time, and nothing but comments and bodies has changed in many files
    old = offers(before, rules) if before is not None else {}
    new = offers(after, rules) if after is not None else {}
    names = {
        (old.get(key) or new[key]).name for key in old.keys() | new.keys() if old.get(key) != new.get(key)
    }
    left = set(before.exports) if before is not None else set()
    right = set(after.exports) if after is not None else set()
    names |= left ^ right
    packages = [one.package for one in (before, after) if one is not None]
    if bool(left) != bool(right) or len(set(packages)) > 1:
        names |= {offer.name for offer in (*old.values(), *new.values())}
    return names


def _told(outline: Outline) -> tuple[object, ...]:
    """All that offers are made of."""
    return outline.symbols, outline.imports, outline.bindings, outline.package, outline.exports


def changed_methods(before: Outline | None, after: Outline | None) -> set[str]:
    """Names of methods that came or went, in this file, at some place in it."""
    old, new = (
        Counter((one.name, one.qualified) for one in state.symbols if one.kind == METHOD)
        if state
        else Counter()
        for state in (before, after)
    )
    return {name for name, _ in old.keys() | new.keys() if old[name, _] != new[name, _]}


class _Gathering:
    """One pass over an outline."""

    def __init__(self, outline: Outline, rules: LinkingClass) -> None:
        self.outline = outline
        self.rules = rules
        self.lines: dict[
            tuple[int, str], list[int]
        ] = {}  # of a scope and name, where it comes to mean something
        self.scopes = [""]  # by index + 1
        self.locals: dict[int, dict[str, list[Binding]]] = {}
        self.found: dict[tuple[str, str], list[object]] = {}
        self.names: dict[tuple[str, str], str] = {}
        self.twins: set[str] = set()
        """Full names that several definitions have: which of them a call means, their parameters decide."""

    def result(self) -> Offers:
        self.take_symbols()
        self.take_lines()
        for item in self.outline.imports:
            name = item.alias or "*" + item.module
            self.add(
                item.scope, name.partition(".")[0], (item.line, "import", item.module, item.name, item.kind)
            )
        late = [one for one in self.outline.bindings if not self.keep_local(one)]
        for one in late:
            self.take_binding(one)
        return {
            key: Offer(self.names[key], tuple(part[1:] for part in sorted(parts, key=_line)))  # type: ignore[index]
            for key, parts in self.found.items()
        }

    def add(self, scope: int, name: str, part: tuple[object, ...], key: str = "") -> None:
        place = (self.scopes[scope + 1], key or name)
        self.found.setdefault(place, []).append(part)
        self.names[place] = name

    def take_symbols(self) -> None:
        seen: dict[str, int] = {}
        for symbol in self.outline.symbols:
            number = seen[symbol.qualified] = seen.get(symbol.qualified, -1) + 1
            if number:
                self.twins.add(symbol.qualified)
            self.scopes.append(f"{symbol.qualified}\0{number}")
        for symbol in self.outline.symbols:
            kind = "variable" if symbol.kind in VARIABLES else symbol.kind
            head = frozenset((self.rules.head(symbol),))  # told, but its words name nothing that it is worth
            part = (symbol.name_line, "symbol", kind, symbol.bases, symbol.modifiers, symbol.receiver, head)
            self.add(symbol.container, symbol.name, part)
            if "default" in symbol.modifiers and symbol.name != "default":
                self.add(symbol.container, "default", (*part, symbol.name))

    def take_lines(self) -> None:
        outline, lines = self.outline, self.lines
        for symbol in outline.symbols:
            lines.setdefault((symbol.container, _word(symbol.name)), []).append(symbol.name_line)
        for item in outline.imports:
            lines.setdefault((item.scope, _word(item.alias)), []).append(item.line)
        for one in outline.bindings:
            lines.setdefault((one.scope, _word(one.name)), []).append(one.line)
        for found in lines.values():
            found.sort()

    def before(self, one: Binding) -> tuple[int, ...]:
        """How often each name of a bound expression was bound in its scope before: the last one is meant."""
        known = [self.lines.get((one.scope, word)) for word in _WORD.findall(one.value)]
        return tuple(bisect_left(lines, one.line) for lines in known if lines)

    def keep_local(self, one: Binding) -> bool:
        """Bindings of a function's own names are seen from elsewhere only through what it returns or assigns."""
        if one.scope == MODULE or one.kind in _RESULTS or (one.kind == "attribute" and "." in one.name):
            return False
        if self.outline.symbols[one.scope].kind not in LOCAL:
            return False
        self.locals.setdefault(one.scope, {}).setdefault(_word(one.name), []).append(one)
        twin = self.outline.symbols[one.scope].qualified in self.twins
        if one.kind == "param" and (twin or "=>" in one.annotation):
            self.offer_parameter(one)
        return True

    def offer_parameter(self, one: Binding) -> None:
        """A parameter that is a function tells what is handed to the functions that are given for it."""
        symbol = self.outline.symbols[one.scope]
        if symbol.kind == "constructor" and symbol.container != MODULE:
            symbol = self.outline.symbols[symbol.container]
        self.add(symbol.container, symbol.name, (one.line, one.kind, one.annotation), key=symbol.name + "(")

    def take_binding(self, one: Binding) -> None:
        symbols = self.outline.symbols
        told = self.deep(one.scope, one.value)
        part = (one.line, one.kind, one.value, one.annotation, self.before(one), *told)
        if one.kind in _RESULTS:
            name = symbols[one.scope].name if one.scope != MODULE else ""
            first = next(iter(self.locals.get(one.scope, {}).values()), [])
            self.add(one.scope, name, (*part, *(binding.annotation for binding in first[:1])), key="()")
        elif one.kind == "attribute" and "." in one.name:
            scope = one.scope
            while scope != MODULE and symbols[scope].kind in LOCAL:
                scope = symbols[scope].container
            self.add(scope, one.name.partition(".")[2], (*part, one.name.partition(".")[0]), key=one.name)
        else:
            self.add(one.scope, one.name, part)

    def deep(self, scope: int, text: str) -> tuple[object, ...]:
        """What the local names of an expression are bound to, and what those depend on."""
        found: list[object] = []
        seen: set[str] = set()
        todo = _WORD.findall(text)
        while todo:
            word = todo.pop()
            if word in seen:
                continue
            seen.add(word)
            for one in self.visible(scope, word):
                found.append((one.kind, one.name, one.value, one.annotation, self.before(one)))
                todo += _WORD.findall(one.value)
        return tuple(found)

    def visible(self, scope: int, name: str) -> Iterable[Binding]:
        while scope != MODULE:
            found = self.locals.get(scope, {}).get(name)
            if found:
                return found
            scope = self.outline.symbols[scope].container
        return ()


def _word(name: str) -> str:
    """What of a name is found among the words of an expression: of ``$x`` it is ``x``."""
    if name.isidentifier():
        return name
    found = _WORD.search(name)
    return found[0] if found is not None else name


def _line(part: object) -> int:
    return part[0]  # type: ignore[index,no-any-return]


def _texts(parts: Iterable[object]) -> Iterable[str]:
    for part in parts:
        if isinstance(part, str):
            yield part
        elif isinstance(part, tuple):
            yield from _texts(part)
