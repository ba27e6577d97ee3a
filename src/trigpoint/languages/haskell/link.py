"""How Haskell's names reach their definitions: locals, the top of the module, and what imports bring from others."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Sequence

from trigpoint.languages.expressions import Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.found import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Value
from trigpoint.languages.fullnames import Place
from trigpoint.languages.haskell.modules import TYPE, Modules, hiding
from trigpoint.languages.linking import Rules
from trigpoint.model import MODULE, Import, Reference, Symbol

_MODULE = "\0module "
"""Before the name of a module as a receiver."""

_FUNCTIONS = frozenset({"function", "method"})


class _Modules(Container[object]):
    """Receivers that are modules."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.startswith(_MODULE)


class Linking(Rules):
    """Haskell: modules that export lists of names; what is bound in a function is unknown and ends the search."""

    classes = frozenset()
    callables = frozenset({"function", "method", "constructor", "field"})
    spaces = frozenset()
    explicit = True
    reads_heads = reads_calls = False
    special_names = _Modules()  # type: ignore[assignment]

    @staticmethod
    def read(text: str, symbols: Iterable[Symbol]) -> Hashable:
        """The imports that hide names."""
        return hiding(text)

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.modules = Modules(project, paths)

    # imports

    def imported(self, facts: Facts, item: Import) -> Found:
        """What a name of a list stands for."""
        path = self.modules.path(item.module, facts.path)
        if not path:
            return OUTSIDE
        return _found(self.modules.exported(path, item.name), "import") or UNKNOWN

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The module, and the type or the function that is named."""
        path = self.modules.path(item.module, facts.path)
        if path:
            yield "import", path, MODULE
            if item.name and item.name != "*" and not item.name.endswith(".*"):
                places = [
                    *self.modules.exported(path, item.name + TYPE),
                    *self.modules.exported(path, item.name),
                ]
                for place in places[:1]:
                    yield "import", *place

    # names

    def named(self, use: Reference) -> str:
        """Types are told apart; a pattern names a constructor in the same way."""
        return use.name + TYPE if use.kind in ("type", "base") else use.name

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Locals of a function; what stands at the top, or in a class or an instance, ``beyond`` tells."""
        if scope == MODULE or facts.symbols[scope].kind not in _FUNCTIONS:
            return None
        return facts.slot(scope, name)

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The module's own names, then what it imports; a type that is none is a constructor."""
        own = self.modules.own(facts, name)
        if own:
            return _found(own, "lexical", self._are_one(own))
        found, outside = self.modules.brought(facts, name)
        if found:
            return _found(found, "import", self._are_one(found))
        if name.endswith(TYPE):
            return self.beyond(facts, scope, name.removesuffix(TYPE))
        return OUTSIDE if outside and name[:1].isupper() else None

    def _are_one(self, places: Sequence[Place]) -> bool:
        """Whether they are one thing: a field of several constructors, or one function for each of several conditions."""
        names = set()
        for path, index in places:
            facts = self.project.facts(path)
            names.add((path, facts.symbols[index].qualified if facts is not None else ""))
        return len(names) == 1

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A module by the name that it is imported by."""
        return Found("import", Value("module", f"{facts.path}{_MODULE}{name.removeprefix(_MODULE)}"))

    def exported(self, module: Value, name: str) -> Found | None:
        """What the modules of one name offer to the file that calls them so."""
        path, _, written = module.path.partition(_MODULE)
        facts = self.project.facts(path)
        if facts is None:
            return None
        found, outside = self.modules.qualified(facts, written, name)
        if found:
            return _found(found, "import", self._are_one(found))
        if name.endswith(TYPE):
            return self.exported(module, name.removesuffix(TYPE))
        return OUTSIDE if outside else None

    def own_name(self, facts: Facts, method: int) -> str:
        """None."""
        return ""

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """The name of a module is one step; of other expressions nothing is known."""
        plain = text.replace(".", "").replace("_", "").replace("'", "")
        return (_MODULE + text,) if text[:1].isupper() and plain.isalnum() else ()

    def types(self, text: str) -> tuple[Type, ...]:
        """Unknown."""
        return ()

    def foreign_member(self, value: Value, name: str) -> Value:
        """Unknown."""
        return EXTERNAL


def _found(places: Sequence[Place], how: str, one: bool | None = None) -> Found | None:
    """What several places stand for: nothing sure, unless they are ``one``."""
    if not places:
        return None
    sure = len(places) == 1 if one is None else one
    return Found(how if sure else "ambiguous", Value("definition", *places[0]), places[0])
