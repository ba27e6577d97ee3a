"""Whether what a file uses depends on definitions that have changed: a resolver that notices when it comes by them.

Two states of a tree give the same answer to a question unless working it out looks at something that differs; up to the
first such look both run alike. So one state is enough to tell, and no answer of the other need be known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any

from trigpoint.indexing.linking.edges import Uses
from trigpoint.indexing.linking.memory import Memory
from trigpoint.indexing.linking.resolver import Loader, Resolver
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.linking import LinkingClass, Value
from trigpoint.model import MODULE, Binding


class _Mark:
    """Set when something changed was looked at."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        self.seen = False


class _Forgetful(dict[Any, Any]):
    """Remembers nothing: what is found on the way to something changed must be found anew."""

    def __setitem__(self, key: Any, value: Any) -> None:
        pass


class _Changed(Facts):
    """A file that has changed, and the names in it that have."""

    names: Collection[str] = ()
    mark: _Mark

    def slot(self, scope: int, name: str) -> Slot | None:
        if name in self.names:
            self.mark.seen = True
        return super().slot(scope, name)

    def names_in(self, scope: int) -> Collection[str]:
        self.mark.seen = True
        return super().names_in(scope)

    def returns(self, scope: int) -> list[Binding]:
        self.look_at(scope)
        return super().returns(scope)

    def entries(self, scope: int, name: str) -> list[Binding]:
        if name in self.names:
            self.mark.seen = True
        return super().entries(scope, name)

    def look_at(self, index: int) -> None:
        """Something about a symbol itself is asked."""
        if index != MODULE and self.symbols[index].name in self.names:
            self.mark.seen = True


class _Tainted(Memory):
    """Remembers of each answer, too, whether something changed was looked at for it."""

    def __init__(self, mark: _Mark) -> None:
        super().__init__()
        self._mark = mark
        self._tainted: set[Hashable] = set()

    def ask(self, key: Hashable, answer: Callable[[], Any]) -> Any:
        mark = self._mark
        before, mark.seen = mark.seen, False
        found = super().ask(key, answer)
        if mark.seen:
            self._tainted.add(key)
        mark.seen = before or mark.seen or key in self._tainted
        return found


class Watch(Resolver):
    """Answers ``meets``: whether the uses of a name in a file depend on one of the changed definitions.

    ``changed`` is path -> names that differ in that file; nothing else may differ between the two states.
    """

    def __init__(
        self,
        rules: LinkingClass,
        paths: Sequence[str],
        load: Loader,
        text: Callable[[str], str],
        changed: Mapping[str, Collection[str]],
    ) -> None:
        self._changed = changed
        super().__init__(rules, paths, load, text)
        self._mark = _Mark()
        self.memory = _Tainted(self._mark)

    def facts(self, path: str) -> Facts | None:
        """A file; one that changed notices what is asked of it."""
        if path not in self._files:
            loaded = self._load(path) if path in self._paths else None
            made: Facts | None = None
            if loaded and path in self._changed:
                changed = made = _Changed(path, *loaded, self.rules)
                changed.names, changed.mark = self._changed[path], self._mark
            elif loaded:
                made = Facts(path, *loaded, self.rules)
            if made is not None:
                made.seen, made.worth = _Forgetful(), _Forgetful()
            self._files[path] = made
        return self._files[path]

    def methods(self, name: str) -> Sequence[tuple[str, int]]:
        """Nothing: guesses are followed by the names of methods alone."""
        return ()

    def _ancestors(self, value: Value) -> Sequence[Value]:
        facts = self.facts(value.path)
        if isinstance(facts, _Changed):
            facts.look_at(value.at)
        return super()._ancestors(value)

    def meets(self, path: str, name: str) -> bool:
        """Whether anything in a file that mentions the name is worth what it is by way of something changed."""
        facts = self.facts(path)
        if facts is None or isinstance(facts, _Changed):
            return facts is not None
        self._mark.seen = False
        for ask in (self._ask_imports, self._ask_uses, self._ask_bindings):
            for _ in ask(facts, name):
                if self._mark.seen:
                    return True
        return False

    def _ask_imports(self, facts: Facts, name: str) -> Iterator[None]:
        for item in facts.outline.imports:
            if name in (item.name, item.alias) or name in item.module:
                yield from (None for _ in self.rules.targets(facts, item))
                yield

    def _ask_uses(self, facts: Facts, name: str) -> Iterator[None]:
        uses = Uses(self, facts)
        word = _word(name)
        for use in facts.outline.references:
            if use.name == name or (name in use.receiver and word.search(use.receiver)):
                uses.add_use([], use)
                yield

    def _ask_bindings(self, facts: Facts, name: str) -> Iterator[None]:
        """What is bound, and what loops and ``with`` run on it."""
        uses = Uses(self, facts)
        word = _word(name)
        for one in facts.outline.bindings:
            text = one.value if name in one.value else one.annotation
            if name in text and word.search(f"{one.value} {one.annotation}"):
                self._worth(facts, one.scope, one)
                uses.add_run([], one)
                yield


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
