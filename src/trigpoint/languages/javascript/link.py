"""How the names of JavaScript, TypeScript and TSX reach their definitions."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence

from trigpoint.languages.facts import VARIABLES, Facts, Slot
from trigpoint.languages.foreign import FOREIGN
from trigpoint.languages.javascript.builtin import GLOBALS
from trigpoint.languages.javascript.objects import bindings_of, is_arrow, symbols_of
from trigpoint.languages.javascript.packages import Modules
from trigpoint.languages.javascript.settings import joined
from trigpoint.languages.javascript.worth import Worth
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Value, module
from trigpoint.model import MODULE, Binding, Import, Symbol

_OWN = "\0"
"""Ends the name of the module that stands for ``module`` in a file of CommonJS."""
_TYPES = frozenset({"interface", "type", "namespace", "module"})


class Linking(Worth):
    """ES modules and CommonJS, lexical scopes, classes and prototypes, TypeScript's declarations."""

    spaces = frozenset({"namespace", "module"})
    sees_class_scope = False
    sees_class_names = True
    plain_scopes = True
    typed_inside = True
    explicit = True
    reads_calls = False
    special_names = frozenset({"this", "super"})
    foreign_methods = FOREIGN["javascript"]
    tells_unions = True
    configured_by = (
        "package.json",
        "tsconfig*.json",
        "jsconfig*.json",
        "pnpm-workspace.yaml",
        "lerna.json",
        "rush.json",
    )
    wide_names = frozenset({"default"})

    @classmethod
    def head(cls, symbol: Symbol) -> Hashable:
        """Whether it has a ``this`` of its own."""
        return is_arrow(symbol)

    @staticmethod
    def read(text: str, symbols: Iterable[Symbol]) -> Hashable:
        """Whether a module may be the one thing that it exports."""
        return "module.exports" in text, "export =" in text

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.modules = Modules(paths, project.text)

    @classmethod
    def moves(cls, path: str, text: Callable[[str], str]) -> bool:
        """An index file, and one that a configuration names."""
        folder, _, file = path.rpartition("/")
        stem = re.escape(file.partition(".")[0])
        if stem == "index":
            return True
        names = re.compile(rf"[/\"]{stem}[./\"*]")
        while True:
            if any(
                names.search(text(joined(folder, one)))
                for one in ("package.json", "tsconfig.json", "jsconfig.json")
            ):
                return True
            if not folder:
                return False
            folder = folder.rpartition("/")[0]

    # names

    def bound(self, item: Import) -> str:
        """What is only handed on binds nothing here."""
        return item.alias if item.kind != "reexport" else ""

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Members of objects are never seen by their bare names."""
        return self.objects(facts).bare(scope, name)

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """Locals of functions are no members."""
        return self.objects(facts).inside(owner, name)

    def imported(self, facts: Facts, item: Import) -> Found:
        """A whole module, what it exports under a name, or for an export list a name of the file itself."""
        head, *rest = item.name.split(".") if item.name else [""]
        if not item.module:
            found = self.project.local(facts, item.scope, head)
        else:
            source = self.modules.imported(facts.path, item.module)
            if not source:
                return OUTSIDE
            if not head:
                return self._whole(facts, item, source)
            found = self.project.exported(Value("module", source), head)
            if found is None and head == "default":
                found = module(source)
        for name in rest:
            found = (
                self.project.member(found.value, name)
                if found is not None and found.value is not None
                else None
            )
        return _through(found) if found is not None else UNKNOWN

    def _whole(self, facts: Facts, item: Import, source: str) -> Found:
        """A module as ``* as name`` and require give it: the latter may be the one function that it exports."""
        target = self.project.facts(source)
        if target is None or not (item.line in self.objects(facts).required or self._exports_equals(target)):
            return module(source)
        found = self.project.exported(Value("module", source), "default")
        value = found.value if found is not None else None
        if found is None or value is None or value.role != "definition" or value.at == MODULE:
            return module(source)
        holder = self.project.facts(value.path)
        if holder is None or holder.symbols[value.at].kind in VARIABLES:
            return module(source)
        return _through(found)

    def _exports_equals(self, facts: Facts) -> bool:
        """Whether the file says ``export = name``."""
        return "default" in self.objects(facts).handed and "export =" in self.project.text(facts.path)

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """What is imported, and the file that it is imported from."""
        if not item.module:
            return
        found = self.project.imported(facts, item) if item.name != "*" else UNKNOWN
        if found.symbol is not None:
            yield found.how, *found.symbol
        source = self.modules.imported(facts.path, item.module)
        if source:
            yield "import", source, MODULE

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """CommonJS's own names, and what every program has."""
        if name == "exports":
            return Found("lexical", Value("module", facts.path))
        if name == "module":
            return Found("lexical", Value("module", facts.path + _OWN))
        return OUTSIDE if name in GLOBALS else None

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """``super`` begins after the class around it, ``this`` is an object of it."""
        if name == "super":
            owner = facts.owner(scope)
            return Found("super", Value("super", facts.path, owner)) if owner != MODULE else UNKNOWN
        return Found("self", self.this(facts, scope))

    def own_name(self, facts: Facts, method: int) -> str:
        """Always this."""
        return "this"

    def made(self, value: Value) -> Found | None:
        """``super()`` runs the class that this one extends."""
        order = self.project.ancestors(Value("definition", value.path, value.at))
        base = order[1] if len(order) > 1 else EXTERNAL
        return Found("super", base, (base.path, base.at)) if base.role == "definition" else None

    # modules and types

    def exported(self, module: Value, name: str) -> Found | None:
        """What a file exports by name or hands on, then by its stars, then members of the one object that it exports."""
        if module.path.endswith(_OWN):
            return Found("lexical", Value("module", module.path[:-1])) if name == "exports" else None
        facts = self.project.facts(module.path)
        if facts is None:
            return None
        found = self._own_export(facts, name) or (self._starred(facts, name) if name != "default" else None)
        if found is not None or name == "default":
            return found
        whole = self.project.exported(module, "default")
        if whole is None or whole.value is None or whole.value.role == "module":
            return None
        return self.project.member(whole.value, name)

    def _own_export(self, facts: Facts, name: str) -> Found | None:
        objects = self.objects(facts)
        found: Found | None = None
        for item in objects.handed.get(name, ()):
            found = self.project.imported(facts, item)
            if found.value is not None or found.symbol is not None:
                return found
        if name in objects.exports:
            return self.project.local(facts, MODULE, name)
        if name == "default":
            if objects.default != MODULE:
                return self.project.local(facts, MODULE, facts.symbols[objects.default].name)
            return self.project.local(facts, MODULE, name) or found
        return found

    def _starred(self, facts: Facts, name: str) -> Found | None:
        first: Found | None = None
        for item in self.objects(facts).stars:
            source = self.modules.imported(facts.path, item.module)
            found = self.project.exported(Value("module", source), name) if source else None
            if found is None or (found.value is None and found.symbol is None):
                continue
            if first is not None and found.symbol != first.symbol:
                return Found("ambiguous", first.value, first.symbol)
            first = first or _through(found)
        return first

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """Assigned to it or its prototype, or declared by what has the same name: interface, namespace, constant."""
        if name == "prototype":
            return Found("lexical", Value("instance", facts.path, owner))
        entries = self.objects(facts).outside.get(owner, {}).get(name)
        if entries:
            return self._assigned(facts, entries)
        if self.is_whole(facts, owner) and name != "default":
            found = self._own_export(facts, name)
            if found is not None:
                return found
        return self._merged(facts, owner, name)

    def _assigned(self, facts: Facts, entries: Sequence[int | Binding]) -> Found:
        symbols = symbols_of(entries)
        code = [at for at in symbols if facts.symbols[at].kind not in VARIABLES]
        if code:
            at = code[-1]
            return Found("lexical", Value("definition", facts.path, at), (facts.path, at))
        symbol = (facts.path, symbols[0]) if symbols else None
        if symbol is not None and self.is_type(facts, symbol[1]):
            return Found("lexical", Value("definition", *symbol), symbol)
        return Found("lexical", self._worth(facts, bindings_of(entries)), symbol)

    def _worth(self, facts: Facts, bindings: Sequence[Binding]) -> Value | None:
        for one in sorted(bindings, key=lambda one: not one.annotation):
            value = self.project.declared(facts, one.scope, one.annotation) if one.annotation else None
            if value is None and one.value:
                found = self.project.evaluate(facts, one.scope, one.value, one.line)
                value = found.value if found is not None else None
            if value is not None:
                return value
        return None

    def _merged(self, facts: Facts, owner: int, name: str) -> Found | None:
        symbol = facts.symbols[owner]
        slot = facts.slot(symbol.container, symbol.name)
        if slot is None or len(slot.symbols) + len(slot.variables) < 2:
            return None
        for other in slot.symbols:
            if (
                other != owner
                and facts.slot(other, name) is not None
                and facts.symbols[other].kind != "function"
            ):
                return self.project.local(facts, other, name)
        if not slot.variables:
            return None
        value = self._worth(facts, [one for one in slot.bindings if one.kind != "alias"])
        return self.project.member(value, name) if value is not None else None

    def stands_back(self, symbol: Symbol) -> bool:
        """Overloads, setters, and what only declares a type beside a value of the name."""
        return "declaration" in symbol.modifiers or "set" in symbol.modifiers or symbol.kind in _TYPES

    def is_property(self, symbol: Symbol) -> bool:
        """Getters."""
        return "get" in symbol.modifiers

    def returns_owner(self, facts: Facts, method: int, declared: str) -> bool:
        """``this`` as a type."""
        return declared == "this"


def _through(found: Found) -> Found:
    """Found in another module: how that is said of it here."""
    if found.how == "lexical":
        return found._replace(how="import")
    return found._replace(how="reexport") if found.how == "import" else found
