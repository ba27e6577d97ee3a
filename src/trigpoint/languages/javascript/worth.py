"""What expressions and types of JavaScript and TypeScript are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trigpoint.languages.expressions import Type, steps
from trigpoint.languages.facts import VARIABLES, Facts
from trigpoint.languages.javascript.annotations import types
from trigpoint.languages.javascript.builtin import GIVES, PRIMITIVES, SAME, TAKES, TRANSPARENT, VAGUE
from trigpoint.languages.javascript.objects import Objects
from trigpoint.languages.linking import EXTERNAL, Project, Rules, Value
from trigpoint.model import MODULE

_HANDED = re.compile(r"\(\d+ \d+\)")


class Worth(Rules):
    """The side of values and types."""

    classes = frozenset({"class", "interface", "enum", "type"})
    callables = frozenset(
        {
            "function",
            "method",
            "constructor",
            "class",
            "interface",
            "constant",
            "variable",
            "property",
            "field",
        }
    )

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self._objects: dict[str, Objects] = {}

    def objects(self, facts: Facts) -> Objects:
        """The tables of a file that only JavaScript needs."""
        found = self._objects.get(facts.path)
        if found is None:
            found = self._objects[facts.path] = Objects(facts)
        return found

    def is_type(self, facts: Facts, index: int) -> bool:
        """Classes, and functions and variables that have members."""
        if facts.symbols[index].kind in self.classes:
            return True
        return self.objects(facts).has_members(index) or self.is_whole(facts, index)

    def is_whole(self, facts: Facts, index: int) -> bool:
        """Whether a function is what require gives of its file, so that the other exports are its members."""
        objects = self.objects(facts)
        if not objects.exports and len(objects.handed) < 2:
            return False
        if objects.whole is None:
            objects.whole = MODULE
            if objects.default != MODULE or "default" in objects.handed:
                found = self.project.exported(Value("module", facts.path), "default")
                told = (
                    found.symbol
                    if found is not None and "module.exports" in self.project.text(facts.path)
                    else None
                )
                objects.whole = told[1] if told is not None and told[0] == facts.path else MODULE
        return objects.whole == index

    def this(self, facts: Facts, scope: int) -> Value | None:
        """What ``this`` is worth in a scope."""
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

    # types

    def types(self, text: str) -> tuple[Type, ...]:
        """TypeScript's own forms."""
        return types(text)

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
            return self.this(facts, scope)
        if head in TRANSPARENT and one.args:
            return self.project.of_types(facts, scope, one.args[0])
        if head in ("InstanceType", "ReturnType") and one.args:
            value = self.project.of_types(facts, scope, one.args[0])
            return self.project.called(value) if value is not None else None
        if head in VAGUE:
            return _NOTHING
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
            return (
                self.project.declared(holder, value.at, told)
                if told and not self._has_own(holder, value.at)
                else None
            )
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
        return any(one.container == index for one in facts.symbols[index + 1 : index + 2])

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
        values = {
            self._parameter(facts, at, argument, parameter)
            for at in (slot.symbols if slot is not None else ())
        }
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
        for one in types(parameters[argument]):
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
            return (
                _known(value.args[int(index)]) if index.isdigit() and int(index) < len(value.args) else None
            )
        if value.path[:1] == "{":
            return self.foreign_member(value, index.strip("\"'"))
        return _known(value.args[-1])

    def foreign_member(self, value: Value, name: str) -> Value:
        """A member of an object type; a method of a container, remembered with what it holds."""
        if value.path[:1] == "{":
            given = dict(zip(value.path[1:].split(","), value.args, strict=False))
            return given.get(name, EXTERNAL)
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


def _parameter_of(function: Value, parameter: int) -> Value | None:
    if function.path != "=>" or parameter + 1 >= len(function.args):
        return None
    return _known(function.args[parameter + 1])


def _known(value: Value) -> Value | None:
    return value if value.role != "unknown" else None
