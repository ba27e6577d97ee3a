"""The engine of linking: from a name as written to what it stands for. It knows scopes, flow, types and members;
what only one language does is asked of its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from trigpoint.indexing.linking.members import Members
from trigpoint.indexing.linking.memory import Memory
from trigpoint.indexing.linking.types import MOST_CANDIDATES
from trigpoint.languages.expressions import CALL, LITERAL
from trigpoint.languages.facts import METHOD, Facts
from trigpoint.languages.linking import Found, LinkingClass, Value
from trigpoint.model import MODULE, Outline

Loader = Callable[[str], tuple[str, frozenset[str], Outline] | None]
"""Path -> language, marks and outline of a file; None when it is unknown."""

Finder = Callable[[str], Sequence[tuple[str, int, str]]]
"""Simple name -> path, index and kind of every symbol that has it."""

Names = Callable[[str], Sequence[tuple[str, str]]]
"""Path -> simple name and kind of each symbol."""


class Resolver(Members):
    """languages.linking.Project for the files of one family of languages."""

    def __init__(
        self,
        rules: LinkingClass,
        paths: Sequence[str],
        load: Loader,
        text: Callable[[str], str],
        find: Finder | None = None,
        names: Names | None = None,
    ) -> None:
        """``find`` is told where only few files are linked; without it all of them are read for the first name asked.

        ``names`` reads the names of a file at less cost than ``load``, and keeps no more of it.
        """
        self._names = names
        self._load = load
        self._find = find
        self._methods: dict[str, Sequence[tuple[str, int]]] = {}
        self._all_methods: dict[str, list[tuple[str, int]]] | None = None
        self._places: dict[str, Sequence[tuple[str, int]]] | None = None
        self._files: dict[str, Facts | None] = {}
        self._paths = frozenset(paths)
        self.memory = Memory()
        self.text = text
        self.rules = rules(self, paths)

    def close(self) -> None:
        """Let go of everything: engine, rules and files hold each other, which only the collector would undo."""
        self.rules.__dict__.clear()
        self.__dict__.clear()

    def renewed(self) -> Resolver:
        """The same with no file read yet; where names are is not asked again."""
        made = Resolver(type(self.rules), sorted(self._paths), self._load, self.text, self._find, self._names)
        made._methods, made._places, made._all_methods = self._methods, self._places, self._all_methods
        self.close()
        return made

    @property
    def holds(self) -> int:
        """How many files it has read and keeps."""
        return len(self._files)

    def facts(self, path: str) -> Facts | None:
        """A file of the family."""
        try:
            return self._files[path]
        except KeyError:
            loaded = self._load(path) if path in self._paths else None
            found = self._files[path] = Facts(path, *loaded, self.rules) if loaded else None
            return found

    def named(self, name: str) -> Sequence[tuple[str, int]]:
        """Every symbol of a simple name."""
        if self._places is None:
            self._places = {} if self._find is not None else self._all_places()
        if self._find is not None and name not in self._places:
            self._places[name] = sorted(one[:2] for one in self._find(name) if one[0] in self._paths)
        return self._places.get(name, ())

    def methods(self, name: str) -> Sequence[tuple[str, int]]:
        """Every method of a simple name, when it is no name of built-in ones and there are few; else none."""
        known = self._methods.get(name)
        if known is None:
            foreign = self.rules.foreign_methods
            found = self._methods_named(name) if foreign and name not in foreign else ()
            if len(found) <= 2 * MOST_CANDIDATES:  # at most one declaration for each
                found = self._without_declarations(found)
            known = self._methods[name] = found if len(found) <= MOST_CANDIDATES else ()
        return known

    def _without_declarations(self, places: Sequence[tuple[str, int]]) -> Sequence[tuple[str, int]]:
        """The places without those that only declare what another one of them defines."""
        symbols = {
            place: facts.symbols[place[1]] for place in places if (facts := self.facts(place[0])) is not None
        }
        defined = {one.qualified for one in symbols.values() if "declaration" not in one.modifiers}
        return [
            place
            for place, one in symbols.items()
            if "declaration" not in one.modifiers or one.qualified not in defined
        ]

    def _methods_named(self, name: str) -> Sequence[tuple[str, int]]:
        if self._find is not None:
            return sorted(one[:2] for one in self._find(name) if one[2] == METHOD and one[0] in self._paths)
        if self._all_methods is None:
            self._all_methods = {}
            for path in sorted(self._paths):
                for index, (name_of_it, kind) in enumerate(self._symbols(path)):
                    if kind == METHOD:
                        self._all_methods.setdefault(name_of_it, []).append((path, index))
        return self._all_methods.get(name, ())

    def _all_places(self) -> dict[str, Sequence[tuple[str, int]]]:
        places: dict[str, list[tuple[str, int]]] = {}
        for path in sorted(self._paths):
            for index, (name, _) in enumerate(self._symbols(path)):
                places.setdefault(name, []).append((path, index))
        return dict(places)

    def _symbols(self, path: str) -> Iterable[tuple[str, str]]:
        """Names and kinds of the symbols of a file, which is not kept for them where they can be had without it."""
        if self._names is not None:
            return self._names(path)
        facts = self.facts(path)
        return ((one.name, one.kind) for one in facts.symbols) if facts is not None else ()

    def evaluate(self, facts: Facts, scope: int, text: str, line: int = 0) -> Found | None:
        """An expression as written."""
        steps = self.rules.steps(text)
        if not steps:
            return None
        first = steps[0]
        if first == LITERAL:
            return self.rules.literal(facts, scope, text)
        if self.is_seen_from_top(facts, scope, first):
            scope, line = MODULE, 0
        found = self.lookup(facts, scope, first, line)
        if len(steps) == 1 or found is None:
            return found
        if steps[1][0] == "[" and (put := self._put(facts, scope, steps, line)) is not None:
            return self._follow(put, steps[1:])
        key = (scope, text)
        if key in facts.worth:
            return facts.worth[key]
        result = self._follow(found, steps)
        if (scope, first) in facts.seen and not self.memory.open:
            facts.worth[key] = result
        return result

    def _put(self, facts: Facts, scope: int, steps: Sequence[str], line: int) -> Found | None:
        """What was put last under the key of ``name[key]``, in the scope that holds the name."""
        at = scope
        while at != MODULE and facts.slot(at, steps[0]) is None:
            at = facts.container(at)
        key = steps[1][1:-1].replace("'", '"')
        put = [one for one in facts.entries(at, steps[0]) if one.annotation.replace("'", '"') == key]
        before = [one for one in put if at != scope or not line or one.line < line]
        return self.evaluate(facts, at, before[-1].value, before[-1].line) if before else None

    def _follow(self, found: Found | None, steps: Sequence[str]) -> Found | None:
        """The steps of an expression after its first."""
        owner: Value | None = None
        for step in steps[1:]:
            value = found.value if found is not None else None
            if value is None:
                return None
            if step == CALL:
                value, owner = self.called(value, owner), None
                found = Found("hint", value)
            elif step[0] == "[":
                found, owner = Found("hint", self._item(value, step[1:-1])), None
            elif step[0] == "(":
                found, owner = Found("hint", self.rules.given(value, step[1:-1])), None
            else:
                found, owner = self.member(value, step[1:]), value
        return found

    def _item(self, value: Value, index: str) -> Value | None:
        """``value[index]``; a question like others, since a table may hold what is taken from itself."""
        found: Value | None = self.memory.ask(("item", value, index), lambda: self.rules.item(value, index))
        return found
