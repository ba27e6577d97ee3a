"""One file's uses become edges."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from operator import itemgetter

from trigpoint.indexing.linking.resolver import Resolver
from trigpoint.languages.facts import VARIABLES, Facts
from trigpoint.languages.linking import CONFIDENCE, Found, Rules, Value
from trigpoint.model import MODULE, Binding, Edge, Reference

_CALLS = frozenset({"call", "new", "macro", "decorator"})
"""Uses that run what they name: a decorator is a call."""

AGAIN = "()"
"""The name of a use that calls what an expression gives: ``f()()``, ``table[key]()``; the expression is its receiver."""

_LOOPS = frozenset({"for", "with"})
_PROMISES = frozenset({"interface", "trait", "protocol"})


def edges_of(project: Resolver, facts: Facts, scopes: Collection[int] | None = None) -> list[Edge]:
    """The edges that leave a file, or some of its scopes, each once, in order of their sites."""
    found = Uses(project, facts).edges(scopes)
    if "test" in facts.marks:
        found += _exercised(project, found)
    found += dict.fromkeys(_import_edges(project, facts, scopes))
    found.sort(key=_PLACE)
    return found


_PLACE = itemgetter(6, 7, 4, 2, 3)  # line, column, kind, target


class Uses:
    """The uses of one file, resolved. Receivers are looked at once a scope and line."""

    def __init__(self, project: Resolver, facts: Facts) -> None:
        self.project = project
        self.facts = facts
        self.receivers: dict[tuple[int, str, int], Found | None] = {}
        rules = type(project.rules)
        self.named = project.rules.named if rules.named is not Rules.named else None
        self.chooses = rules.chosen is not Rules.chosen
        self.targets: dict[Found, tuple[str, tuple[str, int]] | None] = {}

    def edges(self, scopes: Collection[int] | None = None) -> list[Edge]:
        """All of them, or those of some scopes, in order of the uses."""
        made: list[Edge] = []
        for use in self.facts.outline.references:
            if scopes is None or use.scope in scopes:
                self.add_use(made, use)
        for one in self.facts.outline.bindings:
            if one.kind in _LOOPS and (scopes is None or one.scope in scopes):
                self.add_run(made, one)
        return made

    def add_use(self, made: list[Edge], use: Reference) -> None:
        """What a use names, when it is known."""
        found = self.found(use)
        if found is None:
            if use.receiver and use.kind == "call" and use.name != AGAIN:
                self.add_guesses(made, use)
        elif found.how != "external" and (found.symbol or found.value):
            self.add(made, use, found)
            if found.how == "ambiguous" and use.receiver:
                self.add_others(made, use, found)

    def add_guesses(self, made: list[Edge], use: Reference) -> None:
        """The methods of its name that a call on an unknown object may mean, where they are few."""
        receiver = self.receivers[use.scope, use.receiver, use.line]
        if receiver is None or receiver.value is None or receiver.value.role == "unknown":
            places = self.project.methods(use.name)
            how = "guess" if len(places) == 1 else "ambiguous"
            made += [self.edge(use, place, "calls", how) for place in places]

    def add_others(self, made: list[Edge], use: Reference, first: Found) -> None:
        """What the use may mean as well, on the other types that its object may have."""
        receiver = self.receivers.get((use.scope, use.receiver, use.line))
        for other in receiver.value.others if receiver is not None and receiver.value is not None else ():
            found = self.project.member(other, self.project.rules.named(use))
            if found is not None and found.symbol is not None and found.symbol != first.symbol:
                self.add(made, use, found._replace(how="ambiguous"))

    def add_run(self, made: list[Edge], one: Binding) -> None:
        """What a loop or a ``with`` runs on its object."""
        if one.kind not in _LOOPS or not one.value:
            return
        facts = self.facts
        found = self.project.evaluate(facts, one.scope, one.value, one.line)
        if found is None or found.value is None or found.value.role != "instance":
            return
        use = Reference("", "", "call", one.line, 0, one.scope)
        made += [
            self.edge(use, run.symbol, "calls", "hint")
            for run in self.project.rules.runs(found.value, one.kind)
            if run.symbol is not None and self.is_callable(run.symbol)
        ]

    def found(self, use: Reference) -> Found | None:
        """What a use names."""
        facts, project = self.facts, self.project
        scope = facts.container(use.scope) if use.kind == "base" else use.scope
        if use.name == AGAIN:
            return project.evaluate(facts, scope, use.receiver, use.line)
        name = use.name if self.named is None else self.named(use)
        if not use.receiver:
            return project.lookup(facts, scope, name, use.line)
        key = (scope, use.receiver, use.line)
        if key in self.receivers:
            receiver = self.receivers[key]
        else:
            receiver = self.receivers[key] = project.evaluate(facts, scope, use.receiver, use.line)
        if receiver is None or receiver.value is None:
            return None
        found = self.member(receiver.value, name)
        if found is None or found.how in ("external", "ambiguous"):
            return found
        how = self.how(receiver, receiver.value, use)
        return found if how == found.how else Found(how, found.value, found.symbol)

    def member(self, value: Value, name: str) -> Found | None:
        """A member of an object; ambiguous when it may be of several types that have different ones."""
        found = self.project.member(value, name)
        for other in value.others:
            also = self.project.member(other, name)
            if also is None or also.symbol is None:
                continue
            if found is None:
                found = also
            elif found.symbol != also.symbol:
                return found._replace(how="ambiguous")
        return found

    def how(self, receiver: Found, value: Value, use: Reference) -> str:
        """How sure a member is, by what it was taken from."""
        if value.role == "module":
            return "module-attribute"
        if value.role == "super":
            return "super"
        facts = self.facts
        method = facts.method(use.scope)
        if method != MODULE and use.receiver == facts.rules.own_name(facts, method):
            return "self"
        if value.role == "definition":
            return "class" if receiver.how != "hint" else "hint"
        return "self" if receiver.how == "self" else "hint"

    def add(self, made: list[Edge], use: Reference, found: Found) -> None:
        """The edges of one use."""
        kind = use.kind
        if kind in _CALLS:
            if found in self.targets:
                target = self.targets[found]
            else:
                target = self.targets[found] = self.called(found)
            if target is not None:
                meant: tuple[str, int] | None = target[1]
                if self.chooses:
                    meant = self.project.rules.chosen(self.facts, use, target[1])
                made.append(self.edge(use, meant or target[1], "calls", target[0] if meant else "ambiguous"))
            if found.symbol is not None and (target is None or target[1] != found.symbol):
                made.append(self.edge(use, found.symbol, "references", found.how))
            return
        symbol = found.symbol
        if symbol is None and found.value is not None and found.value.role == "definition":
            symbol = (found.value.path, found.value.at)
        if symbol is None:
            return
        made.append(
            self.edge(use, symbol, self.kind(use, symbol) if kind == "base" else "references", found.how)
        )

    def called(self, found: Found) -> tuple[str, tuple[str, int]] | None:
        """How and what a call of the found name runs: the definition behind it, else what holds it."""
        project, value, symbol = self.project, found.value, found.symbol
        how = found.how
        if value is not None and value.role == "super":
            made = project.rules.made(value)
            return (made.how, made.symbol) if made is not None and made.symbol is not None else None
        if value is not None and value.role == "instance" and project.rules.call_member:
            inner = project.member(value, project.rules.call_member)
            value, how = (inner.value if inner is not None else None), "hint"
        if value is not None and value.role == "definition" and self.is_callable((value.path, value.at)):
            target = (value.path, value.at)
            return (how if how == "ambiguous" or symbol == target else "hint"), target
        if symbol is not None and self.is_callable(symbol, VARIABLES):
            return found.how, symbol
        return None

    def is_callable(self, symbol: tuple[str, int], kinds: Collection[str] = ()) -> bool:
        """Whether a call can reach a symbol, which is of one of the kinds when any are given."""
        path, index = symbol
        facts = self.project.facts(path) if index != MODULE else None
        if facts is None or (kinds and facts.symbols[index].kind not in kinds):
            return False
        return self.project.rules.is_callable(facts, index)

    def kind(self, use: Reference, symbol: tuple[str, int]) -> str:
        """Whether a base is a class to take from or a promise to keep."""
        facts = self.project.facts(symbol[0])
        if facts is None or symbol[1] == MODULE or facts.symbols[symbol[1]].kind not in _PROMISES:
            return "inherits"
        own = self.facts.symbols[use.scope].kind if use.scope != MODULE else ""
        return "inherits" if own in _PROMISES else "implements"

    def edge(self, use: Reference, symbol: tuple[str, int], kind: str, how: str) -> Edge:
        """From a use to a symbol."""
        path, (to, at) = self.facts.path, symbol
        return Edge(path, use.scope, to, at, kind, CONFIDENCE[how], use.line, use.column, how)


def _import_edges(project: Resolver, facts: Facts, scopes: Collection[int] | None) -> Iterator[Edge]:
    """To what is imported, and to each module that it is imported from."""
    rules = project.rules
    for item in facts.outline.imports:
        if scopes is not None and item.scope not in scopes:
            continue
        for how, path, index in rules.targets(facts, item):
            if path != facts.path or index != MODULE:
                yield Edge(facts.path, item.scope, path, index, "imports", CONFIDENCE[how], item.line, 0, how)


def _exercised(project: Resolver, found: list[Edge]) -> Iterator[Edge]:
    """What a test calls and is no test itself, once for each caller."""
    seen = set()
    for edge in found:
        key = (edge.source, edge.target_path, edge.target)
        if edge.kind != "calls" or edge.confidence < 0.5 or key in seen:
            continue
        seen.add(key)
        target = project.facts(edge.target_path)
        if target is not None and "test" not in target.marks:
            yield edge._replace(kind="tests")
