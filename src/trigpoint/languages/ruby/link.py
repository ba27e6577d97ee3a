"""How Ruby's names reach their definitions: constants by nesting and full names, methods along reopened classes and mixins."""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Iterable, Iterator, Sequence

from trigpoint.languages.expressions import Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.fullnames import Place
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Rules, Value, words
from trigpoint.languages.ruby.blocks import is_own, run_for_others
from trigpoint.languages.ruby.constants import SPACES, Constants
from trigpoint.languages.ruby.written import is_constant, ruby_steps, ruby_types
from trigpoint.model import MODULE, Binding, Import, Reference, Symbol

_METHODS = frozenset({"method", "constructor", "function"})
_MEMBERS = _METHODS | {"property"}
_VALUE = "&"
"""Before a name that a symbol gives: a method of the instances, wherever it stands."""
_SUPERCLASS = re.compile(r"<\s*([\w:]+)")
_BUILT_IN = words(
    "String Array Hash Object Module Class Integer Float Symbol Kernel Proc Method Range Time Date DateTime File IO Dir Regexp"
    " Numeric Enumerable Comparable BasicObject Exception StandardError NilClass TrueClass FalseClass Struct Set Thread"
    " Rational Complex BigDecimal Pathname URI Logger ERB Digest Benchmark Delegator SimpleDelegator Data Enumerator Process"
)
"""Classes that have more members than the project writes."""


class _Everything(Container[object]):
    """All names are looked for by the rules."""

    def __contains__(self, name: object) -> bool:
        return True


class Linking(Rules):
    """Ruby: methods of the class that code stands in, of constants, and of what ``new`` made."""

    classes = SPACES
    callables = frozenset({*_MEMBERS, *SPACES})
    spaces = frozenset()
    sees_class_scope = False
    finds_members = True
    reads_calls = False
    special_names = _Everything()  # type: ignore[assignment]

    @classmethod
    def head(cls, symbol: Symbol) -> Hashable:
        """What a class is made of."""
        return symbol.signature if symbol.kind == "class" else None

    @staticmethod
    def read(text: str, symbols: Iterable[Symbol]) -> Hashable:
        """Which methods of modules stand in a block that is run for what includes them."""
        return run_for_others(text, symbols)

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.constants = Constants(project, paths)
        self._variables: dict[tuple[str, int, str], Value | None] = {}
        self._found: dict[tuple[str, int, bool, str, bool], Found | None] = {}
        self._methods: dict[tuple[str, int], list[int]] = {}

    # names

    def named(self, use: Reference) -> str:
        """A symbol names a method."""
        return _VALUE + use.name if use.kind == "value" else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """The constant that is loaded by its name."""
        return self._constant(facts, item.scope, item.name) or OUTSIDE

    def bound(self, item: Import) -> str:
        """Nothing: constants are found by their names."""
        return ""

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The file that is loaded, when no other has the name."""
        found = [one for one in self.constants.loaded(facts.path, item.module) if one != facts.path]
        if len(found) == 1:
            yield "import", found[0], MODULE

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Locals; all else is found by ``special``."""
        if scope != MODULE and facts.symbols[scope].kind in SPACES:
            return None
        slot = facts.slot(scope, name)
        if slot is None or not slot.bindings:
            return None
        return Slot(bindings=slot.bindings)

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A constant, a variable of the object, a method of what ``self`` is; None for a local."""
        if is_constant(name):
            if name == "Self":
                owner = self._owner(facts, scope)
                return Found("self", Value("definition", facts.path, owner)) if owner != MODULE else UNKNOWN
            return self._constant(facts, scope, name)
        if name == "::":
            return Found("lexical", Value("module", ""))
        if name == "self":
            value = self._self(facts, scope)
            return Found("self", value) if value is not None else UNKNOWN
        if name[:1] == "@":
            return Found("self", self._variable(facts, scope, name))
        if name[:1] == _VALUE:
            owner = self._owner(facts, scope)
            return (
                self._own(self._method(Value("instance", facts.path, owner), name[1:]))
                if owner != MODULE
                else None
            )
        if self._is_local(facts, scope, name):
            return None
        return self._bare_method(facts, scope, name)

    def _is_local(self, facts: Facts, scope: int, name: str) -> bool:
        while True:
            slot = facts.slot(scope, name)
            if slot is not None and any(one.kind != "attribute" for one in slot.bindings):
                return True
            if scope == MODULE or facts.symbols[scope].kind in SPACES:
                return False
            scope = facts.symbols[scope].container

    def _bare_method(self, facts: Facts, scope: int, name: str) -> Found | None:
        value = self._self(facts, scope)
        if name == "super":
            method = facts.method(scope)
            if value is None or method == MODULE:
                return UNKNOWN
            found = self._method(value, facts.symbols[method].name, above=True)
            return found._replace(how="super") if found is not None and found.symbol is not None else UNKNOWN
        found = self._own(self.found_member(value, name)) if value is not None else None
        if found is not None:
            return found
        slot = facts.slot(MODULE, name)
        functions = (
            [one for one in slot.symbols if facts.symbols[one].kind == "function"] if slot is not None else []
        )
        if len(functions) == 1:
            place = (facts.path, functions[0])
            return Found("lexical", Value("definition", *place), place)
        return UNKNOWN

    def _own(self, found: Found | None) -> Found | None:
        if found is None or found.symbol is None:
            return None
        return found if found.how == "ambiguous" else found._replace(how="self")

    def _owner(self, facts: Facts, scope: int) -> int:
        return next(self.constants.around(facts, scope), MODULE)

    def _self(self, facts: Facts, scope: int) -> Value | None:
        """What ``self`` is: an instance in a method, else the class."""
        owner = self._owner(facts, scope)
        if owner == MODULE:
            return None
        inner = scope
        while inner != owner:
            symbol = facts.symbols[inner]
            if symbol.container == owner:
                is_instance = symbol.kind in _METHODS and "static" not in symbol.modifiers
                return Value("instance" if is_instance else "definition", facts.path, owner)
            inner = symbol.container
        return Value("definition", facts.path, owner)

    def own_name(self, facts: Facts, method: int) -> str:
        """``self``."""
        return "self"

    # constants

    def _constant(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A constant by the nesting, then by what the innermost class extends, then from the top."""
        if name.startswith("::"):
            return self.constants.full(name[2:], facts.path) or _outside(name[2:])
        spaces = list(self.constants.around(facts, scope))
        for space in spaces:
            found = self.constants.full(f"{facts.symbols[space].qualified}.{name}", facts.path)
            if found is not None:
                return found
        if spaces:
            found = self._inherited_constant(facts, spaces[0], name)
            if found is not None:
                return found
        if name in _BUILT_IN:
            return _outside(name)  # opened again by the project, made elsewhere
        return self.constants.full(name, facts.path) or _outside(name)

    def exported(self, module: Value, name: str) -> Found | None:
        """A constant of the top."""
        return (self.constants.full(name, "") if name not in _BUILT_IN else None) or _outside(name)

    def _inherited_constant(self, facts: Facts, space: int, name: str) -> Found | None:
        for one in self.project.ancestors(Value("definition", facts.path, space))[1:]:
            holder = self.project.facts(one.path) if one.role != "external" else None
            if holder is not None:
                found = self.constants.full(f"{holder.symbols[one.at].qualified}.{name}", facts.path)
                if found is not None:
                    return found
        return None

    # members

    def found_member(self, value: Value, name: str) -> Found | None:
        """A constant of a class or module, or a method."""
        facts = self.project.facts(value.path)
        if facts is None or value.at == MODULE or facts.symbols[value.at].kind not in SPACES:
            return None
        if is_constant(name):
            found = self.constants.full(f"{facts.symbols[value.at].qualified}.{name}", value.path)
            return found or self._inherited_constant(facts, value.at, name)
        if name == "new" and value.role == "definition":
            own = self._method(value, name)
            if own is None or own.symbol is None:
                place = (value.path, value.at)
                return Found("class", Value("definition", *place), place)
            return own
        return self._method(value, name)

    def _method(self, value: Value, name: str, *, above: bool = False) -> Found | None:
        """A method of the instances or of the class, along its parts and what they mix in; ``above`` leaves out the class."""
        if not (self.project.named(name) or (name[-1:] == "=" and self.project.named(name[:-1]))):
            return None
        key = (value.path, value.at, value.role == "definition", name, above)
        if key not in self._found:
            self._found[key] = None
            self._found[key] = self._search(value, name, above)
        return self._found[key]

    def _search(self, value: Value, name: str, above: bool) -> Found | None:
        is_static = value.role == "definition"
        order = self.project.ancestors(Value("definition", value.path, value.at))
        outside = False
        for number, one in enumerate(order):
            if one.role == "external":
                outside = True
            if one.role == "external" or (above and number == 0):
                continue
            places = [
                place
                for part in self.constants.parts(one.path, one.at)
                for place in self._in_part(part, name, is_static, mixed=number > 0)
            ]
            if places:
                first = places[0]
                sure = len({path for path, _ in places}) == 1 or places[0][0] == value.path
                return Found("hint" if sure else "ambiguous", Value("definition", *first), first)
        return OUTSIDE if outside or self._is_built_in(value) else None

    def _is_built_in(self, value: Value) -> bool:
        facts = self.project.facts(value.path)
        return facts is not None and facts.symbols[value.at].qualified in _BUILT_IN

    def _in_part(self, part: Place, name: str, is_static: bool, *, mixed: bool) -> Iterator[Place]:
        facts = self.project.facts(part[0])
        if facts is None:
            return
        symbol = facts.symbols[part[1]]
        found = list(self._standing(facts, part[1], name, is_static))
        if symbol.kind == "module" and is_static and mixed:
            found = [
                one
                for one in found
                if not is_own(self.project.text(part[0]), facts.symbols[part[1]], facts.symbols[one])
            ]
            slot = facts.slot(part[1], "ClassMethods")
            for one in slot.symbols if slot is not None else ():
                found += self._standing(facts, one, name, is_static=False)
        extends = "ActiveSupport::Concern" not in symbol.bases and "Concern" not in symbol.bases
        if not found and symbol.kind == "module" and (not is_static or (mixed and extends)):
            found = list(
                self._standing(facts, part[1], name, not is_static)
            )  # module functions, what extends
        yield from ((part[0], one) for one in found)

    def _standing(self, facts: Facts, owner: int, name: str, is_static: bool) -> Iterator[int]:
        word = name.removesuffix("=")
        for slot in (facts.slot(owner, name), facts.slot(owner, word) if word != name else None):
            if slot is None:
                continue
            for one in (*slot.symbols, *slot.variables):
                symbol = facts.symbols[one]
                if symbol.kind not in _MEMBERS or (
                    slot is not None and symbol.name != name and symbol.kind != "property"
                ):
                    continue
                if ("static" in symbol.modifiers) == is_static:
                    yield one

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """What is mixed in, the last first, then what the class extends; of all its parts."""
        mixins: list[str] = []
        above: list[str] = []
        for path, at in self.constants.parts(facts.path, index):
            part = self.project.facts(path)
            if part is None:
                continue
            symbol = part.symbols[at]
            told = _SUPERCLASS.search(symbol.signature) if symbol.kind == "class" else None
            first = (
                symbol.bases[0]
                if symbol.bases and (told is not None or symbol.bases[0] in ("Struct", "Data"))
                else ""
            )
            space = "::" + symbol.qualified.replace(".", "::")
            for text in symbol.bases:
                if text == symbol.name:
                    above.append(self._outer(part, at, text))
                    continue
                absolute = self._absolute(part, at, text) if path != facts.path else text
                (above if text == first else mixins).append(absolute or f"{space}::{text}")
        return list(dict.fromkeys([*reversed(mixins), *above]))

    def _outer(self, facts: Facts, index: int, text: str) -> str:
        """A base with the name of the class itself: it stands in a space further out."""
        outer = facts.container(index)
        for space in self.constants.around(facts, facts.container(outer)):
            full = f"{facts.symbols[space].qualified}.{text}"
            if self.constants.names.places(full):
                return "::" + full.replace(".", "::")
        return f"::{text}"

    def _absolute(self, facts: Facts, index: int, text: str) -> str:
        """A base of another file's part by its full name."""
        found = self.project.evaluate(facts, facts.container(index), text)
        value = found.value if found is not None else None
        holder = self.project.facts(value.path) if value is not None and value.role == "definition" else None
        if value is None or holder is None:
            return text
        return "::" + holder.symbols[value.at].qualified.replace(".", "::")

    def returned(self, facts: Facts, index: int) -> Value | None:
        """What an attribute reader gives: what the object's variable is."""
        symbol = facts.symbols[index]
        if symbol.kind != "property":
            return None
        return self._variable(facts, index, f"@{symbol.name}")

    def _variable(self, facts: Facts, scope: int, name: str) -> Value | None:
        """What the methods of a class assign to a variable of the object, when they agree."""
        owner = self._owner(facts, scope)
        key = (facts.path, owner, name)
        if owner == MODULE:
            return None
        if key not in self._variables:
            self._variables[key] = None
            self._variables[key] = self._agreed(facts, owner, name)
        return self._variables[key]

    def _agreed(self, facts: Facts, owner: int, name: str) -> Value | None:
        values: set[Value] = set()
        for one in self._assigned(facts, owner, name):
            found = self.project.evaluate(facts, one.scope, one.value, one.line) if one.value else None
            if found is None or found.value is None:
                if one.value not in ("nil", ""):
                    return None
                continue
            values.add(found.value)
        return values.pop() if len(values) == 1 else None

    def _assigned(self, facts: Facts, owner: int, name: str) -> Iterator[Binding]:
        key = (facts.path, owner)
        methods = self._methods.get(key)
        if methods is None:
            methods = self._methods[key] = [
                at
                for at, symbol in enumerate(facts.symbols)
                if symbol.container == owner and symbol.kind in _METHODS
            ]
        for scope in (owner, *methods):
            slot = facts.slot(scope, name)
            yield from (slot.bindings if slot is not None else ())

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """Names are called."""
        return ruby_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """Names of classes."""
        return ruby_types(text)

    def literal(self, facts: Facts, scope: int, text: str) -> Found | None:
        """Of a built-in class."""
        return OUTSIDE

    def foreign_member(self, value: Value, name: str) -> Value:
        """Unknown."""
        return EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """Unknown."""
        return EXTERNAL


def _outside(name: str) -> Found:
    return Found("external", Value("external", name))
