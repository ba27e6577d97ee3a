"""Ruby's constants: classes and modules by their full names, over all files that open them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from trigpoint.languages.facts import Facts
from trigpoint.languages.fullnames import FullNames, Place, nearest
from trigpoint.languages.linking import Found, Project, Value
from trigpoint.model import MODULE

SPACES = frozenset({"class", "module"})
_CONSTANTS = SPACES | {"constant"}
_TESTS = frozenset({"test", "tests", "spec", "specs"})


class Constants:
    """Where a constant is defined, as seen from a place."""

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        self._project = project
        self.names = FullNames(project, _CONSTANTS)
        self._paths = paths
        self._required: dict[str, frozenset[str]] = {}
        self._parts: dict[Place, Sequence[Place]] = {}
        self._full: dict[tuple[str, str], Found | None] = {}
        self._by_tail: dict[str, list[str]] = {}
        for path in paths:
            self._by_tail.setdefault(path.rpartition("/")[2], []).append(path)

    def around(self, facts: Facts, scope: int) -> Iterator[int]:
        """The classes and modules around a scope, from the inside."""
        while scope != MODULE:
            if facts.symbols[scope].kind in SPACES:
                yield scope
            scope = facts.symbols[scope].container

    def full(self, full: str, path: str) -> Found | None:
        """The constant of a full name: of the file itself, of what it requires, else of the nearest file that can be seen."""
        if not self.names.places(full):
            return None
        key = (full, path)
        if key not in self._full:
            self._full[key] = None
            self._full[key] = self._nearest(full, path)
        return self._full[key]

    def _nearest(self, full: str, path: str) -> Found | None:
        places = self.names.places(full)
        own = [one for one in places if one[0] == path]
        seen = own or [one for one in places if not _is_test_case(one[0])]
        required = [one for one in seen if one[0] in self.required(path)] if len(seen) > 1 and not own else []
        seen = required or seen
        if not seen:
            return None
        place, sure = nearest(seen, path)
        if not sure and len({self._root(one[0]) for one in seen}) == 1 and not any(map(_is_test, seen)):
            sure = True  # parts of one class
        how = "lexical" if own else "package"
        return Found(how if sure else "ambiguous", self.worth(place), place)

    def worth(self, place: Place) -> Value | None:
        """A class is itself; another constant is what it is bound to."""
        facts = self._project.facts(place[0])
        if facts is None or facts.symbols[place[1]].kind in SPACES:
            return Value("definition", *place)
        symbol = facts.symbols[place[1]]
        slot = facts.slot(symbol.container, symbol.name)
        told = [one.value for one in slot.bindings if one.value] if slot is not None else []
        found = self._project.evaluate(facts, symbol.container, told[0]) if len(told) == 1 else None
        return found.value if found is not None else None

    def parts(self, path: str, at: int) -> Sequence[Place]:
        """A class and where it is opened again; classes of one name in different tests are different ones."""
        known = self._parts.get((path, at))
        if known is None:
            known = self._parts[path, at] = tuple(self._opened(path, at))
        return known

    def _opened(self, path: str, at: int) -> Iterator[Place]:
        yield path, at
        facts = self._project.facts(path)
        full = facts.symbols[at].qualified if facts is not None else ""
        for place in self.names.places(full):
            if place == (path, at) or (_is_test(place) and place[0] != path):
                continue
            if "." not in full and self._root(place[0]) != self._root(path):
                continue
            yield place

    @staticmethod
    def _root(path: str) -> str:
        return path.partition("/")[0]

    def required(self, path: str) -> frozenset[str]:
        """The files that a file requires by names that end like their paths."""
        known = self._required.get(path)
        if known is None:
            facts = self._project.facts(path)
            found = {
                one
                for item in (facts.outline.imports if facts is not None else ())
                for one in self.loaded(path, item.module)
            }
            known = self._required[path] = frozenset(found)
        return known

    def loaded(self, path: str, module: str) -> Iterator[str]:
        """The files that ``require`` of a name may load."""
        if module.startswith(("./", "../")):
            folders = path.split("/")[:-1]
            for part in module.split("/"):
                if part == "..":
                    folders = folders[:-1]
                elif part != ".":
                    folders = [*folders, part]
            tail = "/".join(folders)
            yield from (one for one in self._named(tail) if one in (tail, f"{tail}.rb"))
            return
        ending = f"/{module.removesuffix('.rb')}.rb"
        yield from (one for one in self._named(module) if f"/{one}".endswith(ending))

    def _named(self, module: str) -> Sequence[str]:
        name = module.rpartition("/")[2]
        return self._by_tail.get(name if name.endswith(".rb") else f"{name}.rb", ())


@lru_cache(maxsize=20_000)
def _in_tests(path: str) -> bool:
    return not _TESTS.isdisjoint(path.split("/"))


def _is_test(place: Place) -> bool:
    return _in_tests(place[0])


def _is_test_case(path: str) -> bool:
    return path.endswith(("_test.rb", "_spec.rb"))
