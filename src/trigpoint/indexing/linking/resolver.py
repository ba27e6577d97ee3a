"""The engine of linking: from a name as written to what it stands for. It knows scopes, flow, types and members;
what only one language does is asked of its rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trigpoint.indexing.linking.members import Members
from trigpoint.indexing.linking.memory import Memory
from trigpoint.languages.expressions import CALL
from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Found, LinkingClass, Value
from trigpoint.model import Outline

Loader = Callable[[str], tuple[str, frozenset[str], Outline] | None]
"""Path -> language, marks and outline of a file; None when it is unknown."""


class Resolver(Members):
    """languages.linking.Project for the files of one family of languages."""

    def __init__(
        self, rules: LinkingClass, paths: Sequence[str], load: Loader, text: Callable[[str], str]
    ) -> None:
        self._load = load
        self._files: dict[str, Facts | None] = {}
        self._paths = frozenset(paths)
        self.memory = Memory()
        self.text = text
        self.rules = rules(self, paths)

    def facts(self, path: str) -> Facts | None:
        """A file of the family."""
        if path not in self._files:
            loaded = self._load(path) if path in self._paths else None
            self._files[path] = Facts(path, *loaded, self.rules) if loaded else None
        return self._files[path]

    def evaluate(self, facts: Facts, scope: int, text: str, line: int = 0) -> Found | None:
        """An expression as written."""
        steps = self.rules.steps(text)
        if not steps:
            return None
        found = self.rules.literal(steps[0]) or self.lookup(facts, scope, steps[0], line)
        if len(steps) == 1 or found is None:
            return found
        key = (scope, text)
        if key in facts.worth:
            return facts.worth[key]
        result = self._follow(found, steps)
        if (scope, steps[0]) in facts.seen and not self.memory.open:
            facts.worth[key] = result
        return result

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
                found, owner = Found("hint", self.rules.item(value, step[1:-1])), None
            elif step[0] == "(":
                found, owner = Found("hint", self.rules.given(value, step[1:-1])), None
            else:
                found, owner = self.member(value, step[1:]), value
        return found
