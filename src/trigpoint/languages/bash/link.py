"""How the names of shell scripts reach their definitions: functions of the file, and of the files that it sources."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.languages.bash.words import is_constant
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.found import OUTSIDE, Found, Project, Value, module
from trigpoint.languages.includes import Files
from trigpoint.languages.linking import Rules
from trigpoint.model import MODULE, Import, Reference

_VARIABLE = "$"
"""Before the name of a variable: a function may have the same."""

_EXPANDED = frozenset("$`{}()*\"'~")


class Linking(Rules):
    """Shell scripts: one space of functions, which those of a test stand before, and one of variables."""

    classes = frozenset()
    callables = frozenset({"function"})
    spaces = frozenset()
    explicit = True
    reads_heads = reads_calls = False

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self._files = _Sourced(paths, project.facts)
        self._defined: dict[str, dict[str, list[int]]] = {}

    def named(self, use: Reference) -> str:
        """Variables are told apart from functions."""
        is_variable = use.kind == "value" and is_constant(use.name)
        return _VARIABLE + use.name if is_variable else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """A sourced file."""
        path = self._files.included(facts.path, item.module)
        return module(path) if path else OUTSIDE

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Functions inside this one, and variables that it sets; of a whole file ``beyond`` tells."""
        if scope == MODULE:
            return None
        slot = facts.slot(scope, name.removeprefix(_VARIABLE))
        if slot is None:
            return None
        if name[:1] == _VARIABLE:
            slot = Slot((), slot.variables, (), slot.bindings)
        else:
            slot = Slot(tuple(one for one in slot.symbols if facts.symbols[one].kind == "function"))
        return slot if any(slot) else None

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """What the file defines anywhere but inside a test; else what those define that it sources."""
        own = self._definitions(facts.path).get(name)
        if own:
            return _found("lexical", facts.path, own[-1])
        places = [
            (path, found[-1])
            for path in self._files.seen(facts.path)
            if path != facts.path and (found := self._definitions(path).get(name))
        ]
        return _found("import" if len(places) == 1 else "ambiguous", *places[0]) if places else None

    def _definitions(self, path: str) -> dict[str, list[int]]:
        """The functions of a file by name, and its variables with their mark, those of the top last."""
        known = self._defined.get(path)
        if known is None:
            known = self._defined[path] = {}
            facts = self.project.facts(path)
            symbols = facts.symbols if facts is not None else []
            inside: set[int] = set()
            placed: list[tuple[bool, int]] = []
            for index, symbol in enumerate(symbols):
                if symbol.kind == "test" or symbol.container in inside:
                    inside.add(index)
                elif symbol.kind in ("function", "constant", "variable"):
                    placed.append((symbol.container == MODULE, index))
            for _, index in sorted(placed):
                mark = "" if symbols[index].kind == "function" else _VARIABLE
                known.setdefault(mark + symbols[index].name, []).append(index)
        return known

    def own_name(self, facts: Facts, method: int) -> str:
        """None."""
        return ""

    def steps(self, text: str) -> tuple[str, ...]:
        """Nothing is a member of anything."""
        return ()


class _Sourced(Files):
    """Files by the words that a shell script sources them by."""

    def included(self, path: str, written: str) -> str:
        """A path's end, behind what is expanded; ``load`` leaves the ending out."""
        tail = _end(written)
        return (super().included(path, tail) or super().included(path, f"{tail}.bash")) if tail else ""


def _end(written: str) -> str:
    """``lib/wheel.sh`` of ``$HOME/lib/wheel.sh``; "" when the path is absolute or its end is not written."""
    parts = written.split("/")
    if not parts[0]:
        return ""
    while any(_EXPANDED.intersection(one) for one in parts):
        parts.pop(0)
    return "/".join(parts)


def _found(how: str, path: str, index: int) -> Found:
    return Found(how, Value("definition", path, index), (path, index))
