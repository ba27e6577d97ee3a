"""Methods that stand outside the type they are for: C#'s and Kotlin's extensions, Scala's implicit classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Found, Project, Value

Place = tuple[str, int]
"""A path and the index of a symbol in it."""


class Extensions:
    """Finds them by name and type; ``extended`` gives the type that a symbol extends as written, "" when none."""

    def __init__(
        self,
        project: Project,
        extended: Callable[[Facts, int], str],
        meant: Callable[[Sequence[Place]], Sequence[Place]] | None = None,
    ) -> None:
        """``meant`` leaves out what others of the same name and type stand for."""
        self._project = project
        self._extended = extended
        self._meant = meant
        self._known: dict[str, list[tuple[Place, str]]] = {}

    def of(
        self, name: str, owner: Place | None, written: str, is_a: Callable[[str, str], bool] | None = None
    ) -> Found | None:
        """The extension of a type of the project (``owner``), else of a foreign one, by its simple name.

        ``is_a`` tells whether the foreign type is one of another name as well.
        """
        places = [
            place for place, text in self._named(name) if self._is_for(place, text, owner, written, is_a)
        ]
        if not places:
            return None
        if self._meant is not None and len(places) > 1:
            places = list(self._meant(places))
        same = {self._home(one) for one in places}
        how = "hint" if len(same) == 1 else "ambiguous"
        return Found(how, Value("definition", *places[0]), places[0])

    def _home(self, place: Place) -> tuple[str, int]:
        """Overloads stand together."""
        facts = self._project.facts(place[0])
        return place[0], facts.symbols[place[1]].container if facts is not None else -1

    def _named(self, name: str) -> Sequence[tuple[Place, str]]:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = []
            for path, index in self._project.named(name):
                facts = self._project.facts(path)
                text = self._extended(facts, index) if facts is not None else ""
                if text:
                    known.append(((path, index), text))
        return known

    def _is_for(
        self,
        place: Place,
        text: str,
        owner: Place | None,
        written: str,
        is_a: Callable[[str, str], bool] | None,
    ) -> bool:
        head = text.partition("<")[0].partition("[")[0].rstrip("?! ").rpartition(".")[2]
        if head != written and (is_a is None or not is_a(written, head)):
            return False
        facts = self._project.facts(place[0])
        value = self._project.declared(facts, place[1], text) if facts is not None else None
        if owner is None:
            return value is None or value.role == "external"
        return value is not None and value.role == "instance" and (value.path, value.at) == owner


def inherited(project: Project, facts: Facts, owner: int, inside: Callable[[Facts, int], object]) -> bool:
    """Whether a type has by its bases what ``inside`` finds in one: that goes before what extends it."""
    for base in project.ancestors(Value("definition", facts.path, owner))[1:]:
        holder = project.facts(base.path) if base.role != "external" else None
        if holder is not None and inside(holder, base.at) is not None:
            return True
    return False


def held(value: Value, at: int) -> Value | None:
    """What a container holds, by the place of its type argument."""
    if not value.args or value.args[at].role == "unknown":
        return None
    return value.args[at]
