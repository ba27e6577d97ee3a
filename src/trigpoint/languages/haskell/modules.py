"""Haskell's modules: what each defines, exports and hands on, by name; values and types are two spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from trigpoint.languages.facts import Facts
from trigpoint.languages.found import Project
from trigpoint.languages.fullnames import Place, nearest
from trigpoint.model import MODULE, Import, Symbol

TYPE = "\0type"
"""Behind the name of a type: a constructor may have the same."""

_TYPES = frozenset({"enum", "struct", "class", "type"})
_VALUES = frozenset({"function", "constant", "constructor", "field", "method"})
_ENDINGS = (".hs", ".lhs", ".hsc", ".hs-boot")
_LONGEST = 100
"""Lines of an import that are read."""

_IMPORT = re.compile(r"[^\n]*(?:\n(?:[ \t][^\n]*)?(?=\n|$))*")
_HIDING = re.compile(r"[^(]*\bhiding\s*\(")
_NAMES = re.compile(r"[^\s,()]+")

Outside = bool
"""Whether a name may come from a module that is not in the project."""


def ending(path: str) -> str:
    """The ending of a source file; "" of another."""
    return next((one for one in _ENDINGS if path.endswith(one)), "")


class Modules:
    """All modules of a tree; tables are made when a module is first asked for a name."""

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        self._project = project
        self._by_name: dict[str, list[str]] = {}
        self._own: dict[str, dict[str, list[int]]] = {}
        self._exports: dict[str, dict[str, list[str]]] = {}
        self._opened: dict[str, dict[str, list[str]]] = {}
        self._hidden: dict[tuple[str, int], frozenset[str]] = {}
        self._paths: dict[tuple[str, str], str] = {}
        self._known: dict[tuple[str, str], list[Place]] = {}
        self._asked: set[tuple[str, str]] = set()
        self._cut = False  # whether modules that import each other ended a search
        self._held: dict[str, list[Place]] = {}
        for path in paths:
            name = path.removesuffix(ending(path)).rpartition("/")[2]
            self._by_name.setdefault(name, []).append(path)

    def path(self, name: str, seen_from: str) -> str:
        """The file of a module; of several the nearest; "" when there is none."""
        key = (name, seen_from.rpartition("/")[0])
        if key not in self._paths:
            self._paths[key] = self._nearest(name, seen_from)
        return self._paths[key]

    def _nearest(self, name: str, seen_from: str) -> str:
        found = [path for path in self._by_name.get(name.rpartition(".")[2], ()) if self._is(path, name)]
        whole = [path for path in found if not path.endswith("-boot")]
        places = [(path, 0) for path in whole or found]
        place, sure = nearest(places, seen_from) if places else (("", 0), True)
        return place[0] if sure else ""

    def _is(self, path: str, name: str) -> bool:
        """Whether a file is the module of a name, which may be the end of another's."""
        if not f"/{path.removesuffix(ending(path))}".endswith("/" + name.replace(".", "/")):
            return False
        facts = self._project.facts(path)
        return facts is not None and facts.outline.package == name

    def own(self, facts: Facts, name: str) -> list[Place]:
        """What a module defines at its top under a name: constructors, fields and methods of classes too."""
        table = self._own.get(facts.path)
        if table is None:
            table = self._own[facts.path] = {}
            for index, symbol in enumerate(facts.symbols):
                if self._is_at_top(facts, symbol):
                    for key in self._keys(symbol):
                        table.setdefault(key, []).append(index)
        return [(facts.path, index) for index in table.get(name, ())]

    def _is_at_top(self, facts: Facts, symbol: Symbol) -> bool:
        return symbol.container == MODULE or (
            facts.symbols[symbol.container].kind in _TYPES
            and facts.symbols[symbol.container].container == MODULE
        )

    def _keys(self, symbol: Symbol) -> Iterator[str]:
        if symbol.kind in _TYPES:
            yield symbol.name + TYPE
        elif symbol.kind in _VALUES:
            yield symbol.name

    def exported(self, path: str, name: str) -> list[Place]:
        """What a module gives to those that import it."""
        key = (path, name)
        if key in self._known:
            return self._known[key]
        facts = self._project.facts(path)
        if facts is None or key in self._asked:
            self._cut = self._cut or facts is not None
            return []
        self._asked.add(key)
        found = self._exported(facts, name)
        self._asked.remove(key)
        if not self._asked:
            self._cut = False
        if not self._cut:
            self._known[key] = found
        return found

    def _exported(self, facts: Facts, name: str) -> list[Place]:
        handed = [item for item in facts.outline.imports if item.kind == "reexport"]
        listed = self._listed(facts)
        own = self.own(facts, name)
        if not facts.outline.exports and not handed:
            return own
        if own:
            whole = any(item.module == facts.outline.package for item in handed)
            return own if whole or self._is_listed(facts, name, own[0]) else []
        found: list[Place] = []
        for module in listed.get(name.removesuffix(TYPE), ()):
            found += self._seen(facts, module, name)
        if not found and not name.endswith(TYPE):
            found = self._inside(self._types(facts), name)
        for item in handed if not found else ():
            found += self._brought_by(facts, _named(facts, item.module, whole=True), name)[0]
        return _once(found)

    def _listed(self, facts: Facts) -> Mapping[str, Sequence[str]]:
        """The names that a module exports, each with the modules that it is qualified by; of ``T (..)`` T is told apart."""
        known = self._exports.get(facts.path)
        if known is None:
            known = self._exports[facts.path] = {}
            opened = self._opened[facts.path] = {}
            for one in facts.outline.exports:
                module, name = _QUALIFIED.fullmatch(one).groups("")  # type: ignore[union-attr]
                table = opened if name.endswith(".*") else known
                table.setdefault(name.removesuffix(".*"), []).append(module.rstrip("."))
        return known

    def _is_listed(self, facts: Facts, name: str, place: Place) -> bool:
        listed = self._listed(facts)
        outer = _outer(facts, place[1])
        return name.removesuffix(TYPE) in listed or (outer != "" and outer in self._opened[facts.path])

    def _seen(self, facts: Facts, module: str, name: str) -> list[Place]:
        return (self.qualified(facts, module, name) if module else self.brought(facts, name))[0]

    def _types(self, facts: Facts) -> list[Place]:
        """The types of other modules that a module exports with all that is in them."""
        if facts.path not in self._held:
            self._held[facts.path] = []
            found = [
                place
                for name, modules in self._opened[facts.path].items()
                if not self.own(facts, name + TYPE)
                for module in modules
                for place in self._seen(facts, module, name + TYPE)
            ]
            self._held[facts.path] = found
        return self._held[facts.path]

    def _inside(self, types: Iterable[Place], name: str) -> list[Place]:
        """What has a name among the constructors, fields or methods of types."""
        return [
            place
            for path, index in types
            if (facts := self._project.facts(path)) is not None
            for place in self.own(facts, name)
            if _outer(facts, place[1]) == facts.symbols[index].name
        ]

    def brought(self, facts: Facts, name: str) -> tuple[list[Place], Outside]:
        """What the imports of a module bring in under a bare name."""
        return self._brought_by(facts, _bare(facts), name)

    def qualified(self, facts: Facts, module: str, name: str) -> tuple[list[Place], Outside]:
        """What stands behind a name that a module is imported by."""
        items = [
            item._replace(name="*")
            for item in facts.outline.imports
            if not item.name and item.alias == module
        ]
        if not items:
            items = _named(facts, module, whole=False)
        found = self._brought_by(facts, items, name)
        if not found[0] and module == facts.outline.package:
            return self.own(facts, name), False
        return found

    def _brought_by(self, facts: Facts, items: Iterable[Import], name: str) -> tuple[list[Place], Outside]:
        found: list[Place] = []
        outside = False
        plain = name.removesuffix(TYPE)
        for item in items:
            path = self.path(item.module, facts.path)
            if item.name == "*":
                if plain in self._without(facts, item):
                    continue
                found += self.exported(path, name) if path else []
            elif item.name.endswith(".*"):
                if path:
                    found += [
                        place
                        for place in self.exported(path, name)
                        if (holder := self._project.facts(place[0])) is not None
                        and _outer(holder, place[1]) == item.name[:-2]
                    ]
            elif item.name == plain:
                found += self.exported(path, name) if path else []
            else:
                continue
            outside = outside or not path
        return _once(found), outside

    def _without(self, facts: Facts, item: Import) -> frozenset[str]:
        """The names that an import hides."""
        key = (facts.path, item.line)
        if key not in self._hidden:
            text = "\n".join(self._project.text(facts.path).split("\n")[item.line - 1 : item.line + _LONGEST])
            written = _IMPORT.match(text)[0]  # type: ignore[index]
            start = _HIDING.match(written)
            self._hidden[key] = frozenset(_NAMES.findall(written, start.end())) if start else frozenset()
        return self._hidden[key]


def hiding(text: str) -> Sequence[str]:
    """The imports of a text that hide names, as written."""
    lines = text.split("\n") if "hiding" in text else []
    found = ["\n".join(lines[at : at + 1 + _LONGEST]) for at, line in enumerate(lines) if _BEGUN.match(line)]
    written = [_IMPORT.match(one)[0] for one in found]  # type: ignore[index]
    return tuple(" ".join(one.split()) for one in written if "hiding" in one)


_BEGUN = re.compile(r"\s*import\b")
_QUALIFIED = re.compile(r"((?:[A-Z][\w']*\.)+(?!\*$))?(.*)")


def _bare(facts: Facts) -> list[Import]:
    """The imports that bring names in without their module."""
    return [item for item in facts.outline.imports if item.name and item.kind == "import"]


def _named(facts: Facts, module: str, *, whole: bool) -> list[Import]:
    """Those of a module, by its name or another; ``whole`` only when its names are seen bare too."""
    aliases = {
        item.module for item in facts.outline.imports if not item.name and item.alias == module and whole
    }
    return [item for item in _bare(facts) if item.module == module or item.module in aliases]


def _outer(facts: Facts, index: int) -> str:
    outer = facts.symbols[index].container
    return facts.symbols[outer].name if outer != MODULE else ""


def _once(places: Iterable[Place]) -> list[Place]:
    return list(dict.fromkeys(places))
