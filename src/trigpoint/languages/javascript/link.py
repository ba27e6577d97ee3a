"""How the names of JavaScript, TypeScript and TSX reach their definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from trigpoint.languages.expressions import Type, steps
from trigpoint.languages.facts import VARIABLES, Facts, Slot
from trigpoint.languages.javascript import annotations
from trigpoint.languages.javascript.builtin import GLOBALS, GIVES, PRIMITIVES, SAME, TAKES, TRANSPARENT
from trigpoint.languages.javascript.objects import Objects, bindings_of, symbols_of
from trigpoint.languages.javascript.packages import Modules
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Rules, Value, module
from trigpoint.model import MODULE, Binding, Import, Symbol

_OWN = "\0"
"""Ends the name of the module that stands for ``module`` in a file of CommonJS."""
_HANDED = re.compile(r"\(\d+ \d+\)")
_TYPES = frozenset({"interface", "type", "namespace", "module"})


class Linking(Rules):
    """ES modules and CommonJS, lexical scopes, classes and prototypes, TypeScript's declarations."""

    classes = frozenset({"class", "interface", "enum", "type"})
    callables = frozenset(
        {"function", "method", "constructor", "class", "interface", "constant", "variable", "property", "field"}
    )
    spaces = frozenset({"namespace", "module"})
    sees_class_scope = False
    sees_class_names = True
    typed_inside = True
    explicit = True
    special_names = frozenset({"this", "super"})
    configured_by = ("package.json", "tsconfig.json", "jsconfig.json", "tsconfig.base.json", "pnpm-workspace.yaml", "lerna.json", "rush.json")  # fmt: skip

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.modules = Modules(paths, project.text)
        self._objects: dict[str, Objects] = {}

    def objects(self, facts: Facts) -> Objects:
        """The tables of a file that only JavaScript needs."""
        found = self._objects.get(facts.path)
        if found is None:
            found = self._objects[facts.path] = Objects(facts)
        return found

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
            found = self.project.member(found.value, name) if found is not None and found.value is not None else None
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
        return Found("self", self._this(facts, scope))

    def _this(self, facts: Facts, scope: int) -> Value | None:
        at = scope
        while at != MODULE:  # a parameter declares it
            slot = facts.slot(at, "this")
            if slot is not None and slot.bindings and slot.bindings[0].annotation:
                return self.project.declared(facts, facts.container(at), slot.bindings[0].annotation)
            at = facts.container(at)
        owner = self.objects(facts).maker(scope)
        if owner == MODULE:
            return None
        role = "definition" if facts.symbols[owner].kind in VARIABLES else "instance"
        return Value(role, facts.path, owner) if self.is_type(facts, owner) else None

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

    def is_type(self, facts: Facts, index: int) -> bool:
        """Classes, and functions and variables that have members."""
        return facts.symbols[index].kind in self.classes or self.objects(facts).has_members(index)

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """Assigned to it or its prototype, or declared by what has the same name: interface, namespace, constant."""
        if name == "prototype":
            return Found("lexical", Value("instance", facts.path, owner))
        entries = self.objects(facts).outside.get(owner, {}).get(name)
        if entries:
            return self._assigned(facts, entries)
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
            if other != owner and facts.slot(other, name) is not None and facts.symbols[other].kind != "function":
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

    # types

    def types(self, text: str) -> tuple[Type, ...]:
        """TypeScript's own forms."""
        return annotations.types(text)

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """Types that are no plain names, wrappers of a type, and primitives."""
        head = one.head
        if head[0] in "'{[(=":
            return self._structural(facts, scope, one)
        if head[0] == ".":
            base = self.project.of_types(facts, scope, one.args[0])
            return self._key(base, head[1:]) if base is not None else None
        if head == "typeof":
            found = self.project.evaluate(facts, scope, one.args[0][0].head)
            return found.value if found is not None else None
        if head == "this":
            return self._this(facts, scope)
        if head in TRANSPARENT and one.args:
            return self.project.of_types(facts, scope, one.args[0])
        if head in ("InstanceType", "ReturnType") and one.args:
            value = self.project.of_types(facts, scope, one.args[0])
            return self.project.called(value) if value is not None else None
        return EXTERNAL if head in PRIMITIVES else self._named(facts, scope, one)

    def _named(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """What an alias stands for; the type of a name that a function or a constant has too."""
        found = self.project.evaluate(facts, scope, one.head)
        value = found.value if found is not None else None
        if value is None or value.role != "definition" or value.at == MODULE:
            return None
        holder = self.project.facts(value.path)
        if holder is None:
            return None
        symbol = holder.symbols[value.at]
        if symbol.kind == "type":
            told = self._alias(holder, value.at)
            return self.project.declared(holder, value.at, told) if told and not self._has_own(holder, value.at) else None
        slot = holder.slot(symbol.container, symbol.name) if symbol.kind not in self.classes else None
        twins = slot.symbols if slot is not None else ()
        twin = next((at for at in twins if holder.symbols[at].kind in self.classes), MODULE)
        if twin == MODULE:
            return None
        args = tuple(self.project.of_types(facts, scope, arg) or _NOTHING for arg in one.args)
        return Value("instance", value.path, twin, args)

    def _alias(self, facts: Facts, index: int) -> str:
        """The right side of ``type A = B``."""
        symbol = facts.symbols[index]
        slot = facts.slot(symbol.container, symbol.name)
        told = (one.annotation for one in slot.bindings if one.kind == "alias") if slot is not None else ()
        return next(iter(told), "")

    def _has_own(self, facts: Facts, index: int) -> bool:
        return any(isinstance(one, int) for entries in facts.names_in(index).values() for one in entries)

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """Those of a class; what an alias with members of its own adds to them."""
        symbol = facts.symbols[index]
        if symbol.kind != "type":
            return symbol.bases
        told = self._alias(facts, index)
        return (told,) if told else ()

    def _structural(self, facts: Facts, scope: int, one: Type) -> Value:
        args = tuple(self.project.of_types(facts, scope, arg) or _NOTHING for arg in one.args)
        return Value("external", one.head, MODULE, args)

    def _key(self, base: Value, name: str) -> Value | None:
        if not name:
            return self.item(base, "")
        found = self.project.member(base, name)
        return found.value if found is not None else None

    def steps(self, text: str) -> tuple[str, ...]:
        """``register(1 0)`` is what register hands as its first to the function that it is given as its second argument."""
        match = _HANDED.search(text)
        if match is None:
            return steps(text)
        rest = steps("it" + text[match.end() :])
        return (*steps(text[: match.start()]), match[0], *rest[1:])

    def given(self, value: Value, place: str) -> Value | None:
        """By the declared parameters of a function, or what is known of the methods of containers."""
        argument, parameter = (int(one) for one in place.split())
        if value.role == "external":
            return self._given_outside(value, argument, parameter)
        if value.role != "definition" or value.at == MODULE:
            return None
        if self.project.is_class(value):
            found = self.project.member(value, "constructor") or self.project.member(value, "new")
            if found is not None and found.value is not None and found.value.role == "definition":
                value = found.value
        facts = self.project.facts(value.path)
        if facts is None:
            return None
        symbol = facts.symbols[value.at]
        slot = facts.slot(symbol.container, symbol.name)
        values = {self._parameter(facts, at, argument, parameter) for at in (slot.symbols if slot is not None else ())}
        values -= {None}
        return values.pop() if len(values) == 1 else None

    def _given_outside(self, value: Value, argument: int, parameter: int) -> Value | None:
        if value.path == "=>":
            function = value.args[1 + argument] if argument + 1 < len(value.args) else _NOTHING
            return _parameter_of(function, parameter)
        if not value.args:
            return EXTERNAL
        return _known(value.args[-1]) if parameter == TAKES.get(value.path.removeprefix("*."), -1) else None

    def _parameter(self, facts: Facts, function: int, argument: int, parameter: int) -> Value | None:
        parameters = self.objects(facts).parameters(function)
        if argument >= len(parameters):
            return None
        for one in annotations.types(parameters[argument]):
            value = self.project.of_types(facts, function, (one,))
            if value is not None and value.path == "=>":
                return _parameter_of(value, parameter)
        return None

    def iterated(self, value: Value) -> Value | None:
        """What a list holds; the pairs of a map."""
        if value.role != "external" or not value.args:
            return EXTERNAL if value.role == "external" else None
        return Value("external", "()", MODULE, value.args) if len(value.args) == 2 else _known(value.args[0])

    def item(self, value: Value, index: str) -> Value | None:
        """One of a list or a record."""
        if value.role != "external" or not value.args:
            return EXTERNAL if value.role == "external" else None
        if value.path == "()":
            return _known(value.args[int(index)]) if index.isdigit() and int(index) < len(value.args) else None
        if value.path[:1] == "{":
            return self.foreign_member(value, index.strip("\"'"))
        return _known(value.args[-1])

    def foreign_member(self, value: Value, name: str) -> Value:
        """A member of an object type; a method of a container, remembered with what it holds."""
        if value.path[:1] == "{":
            names = value.path[1:].split(",")
            return value.args[names.index(name)] if name in names else EXTERNAL
        if not value.args:
            return EXTERNAL
        known = name in GIVES or name in SAME or name in TAKES
        return Value("external", "*." + name, MODULE, value.args) if known else EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """What a function type returns, what a getter of a container gives."""
        if not value.args:
            return EXTERNAL
        if value.path == "=>":
            return _known(value.args[0])
        word = value.path.removeprefix("*.")
        if word in GIVES:
            return _known(value.args[-1])
        return Value("external", "[]", MODULE, value.args[-1:]) if word in SAME else EXTERNAL


_NOTHING = Value("unknown")


def _through(found: Found) -> Found:
    """Found in another module: how that is said of it here."""
    if found.how == "lexical":
        return found._replace(how="import")
    return found._replace(how="reexport") if found.how == "import" else found


def _parameter_of(function: Value, parameter: int) -> Value | None:
    if function.path != "=>" or parameter + 1 >= len(function.args):
        return None
    return _known(function.args[parameter + 1])


def _known(value: Value) -> Value | None:
    return value if value.role != "unknown" else None
