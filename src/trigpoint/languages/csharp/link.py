"""How C#'s names reach their definitions: by full names along namespaces and usings, classes in parts, extension methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from trigpoint.languages.arguments import Style
from trigpoint.languages.csharp.usings import Usings
from trigpoint.languages.csharp.written import TYPE, csharp_steps, csharp_types, first_type, is_a, simple
from trigpoint.languages.expressions import CALL, Type
from trigpoint.languages.extensions import Extensions, held, inherited
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.fullnames import FullNames, Place
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Rules, Value, words
from trigpoint.languages.overloads import Overloads
from trigpoint.model import MODULE, Import, Reference, Symbol

_TYPES = frozenset({"class", "struct", "interface", "record", "enum", "delegate"})
_METHODS = frozenset({"method", "constructor", "function"})
_AWAITED = frozenset({"Task", "ValueTask", "Lazy", "Nullable", "ThreadLocal", "AsyncLocal"})
"""Types whose unknown members are looked for in what they hold: whether it was awaited is not told."""
_SAME = words(
    "Where OrderBy OrderByDescending ThenBy Reverse Skip Take Distinct Concat ToList ToArray AsEnumerable Union Except"
    " Intersect Append Prepend ConfigureAwait GetAwaiter ToHashSet AsReadOnly AsSpan SkipWhile TakeWhile"
)
_FIRST = words(
    "First FirstOrDefault Single SingleOrDefault Last LastOrDefault ElementAt Peek Dequeue Pop Find Result GetResult Value"
)
_LAST = words("GetOrAdd GetValueOrDefault Values")


class Linking(Rules):
    """C#: namespaces over all files, partial classes, extension methods."""

    classes = frozenset({"class", "struct", "interface", "record", "enum"})
    callables = frozenset({"function", "method", "constructor", *classes})
    spaces = frozenset()
    redeclared = True
    reaches = True
    typed_inside = True
    special_names = frozenset({"this", "base", "this()", "base()"})

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.names = FullNames(project, _TYPES)
        self.usings = Usings(project, paths)
        self.overloads = Overloads(project, Style(label=":"))
        self.extensions = Extensions(project, self._first_type)

    # names

    def named(self, use: Reference) -> str:
        """Methods of an object, and types, are told from what else has their name."""
        if use.kind == "call":
            return use.name + CALL if use.receiver or use.name in ("this", "base") else use.name
        return use.name + TYPE if use.kind in ("new", "type", "base") else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """What an alias stands for: a type or a namespace."""
        full = ".".join(part for part in (item.module, item.name) if part)
        for space in (*self.usings.spaces(facts, item.scope), ""):
            found = self._full(f"{space}.{full}" if space else full, facts.path, "import")
            if found is not None:
                return found
        return Found("external", Value("external", full))

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The type that has an alias, or whose static members are taken."""
        found = (
            self._full(item.module, facts.path, "import")
            if item.name == "*"
            else self.project.imported(facts, item)
        )
        if found is not None and found.symbol is not None:
            yield found.how, *found.symbol

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Types where one is written; constructors and namespaces have no bare names."""
        is_type = name[-1:] == TYPE
        slot = facts.slot(scope, simple(name))
        if slot is None:
            return None
        symbols = tuple(
            one for one in slot.symbols if facts.symbols[one].kind not in ("constructor", "namespace")
        )
        if scope != MODULE and facts.symbols[scope].kind == "namespace":
            symbols = ()  # looked for in all its parts
        if is_type:
            symbols = tuple(one for one in symbols if facts.symbols[one].kind in _TYPES)
            generic = tuple(one for one in slot.bindings if one.kind == "param" and one.name[:1].isupper())
            slot = Slot(symbols, (), slot.imports, generic)
        else:
            slot = slot._replace(symbols=symbols)
        return slot if any(slot) else None

    def reach(self, facts: Facts, scope: int, name: str) -> Found | None:
        """From a namespace: its types in all files, those of the namespaces around it, and what it uses."""
        symbol = facts.symbols[scope]
        if symbol.kind != "namespace" or name.endswith(CALL):
            return None
        outer = facts.symbols[symbol.container].qualified if symbol.container != MODULE else ""
        space = symbol.qualified
        while space and space != outer:
            found = self._full(f"{space}.{simple(name)}", facts.path)
            if found is not None:
                return found
            space = space.rpartition(".")[0]
        return self._used(facts, scope, name)

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """Global types, then what is used; what is none may begin the name of a namespace."""
        if name.endswith(CALL):
            return None
        found = self._full(simple(name), facts.path) or self._used(facts, MODULE, name)
        if found is not None:
            return found
        if name == "global":
            return Found("external", Value("external", ""))
        spaces = ",".join(self.usings.spaces(facts, scope))
        return Found("external", Value("external", f"{simple(name)}\0{spaces}"))

    def _used(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A type of a namespace in use, or a member of a type whose static ones are."""
        found: list[Found] = []
        for item in self.usings.seen(facts, scope):
            for one in self._of_using(facts, item, name):
                if all(one.symbol != other.symbol for other in found):
                    found.append(one)
        if len(found) > 1:
            return found[0]._replace(how="ambiguous")
        return found[0] if found else None

    def _of_using(self, facts: Facts, item: Import, name: str) -> Iterator[Found]:
        for space in (*self.usings.spaces(facts, item.scope), ""):
            module = f"{space}.{item.module}" if space else item.module
            found = self._full(f"{module}.{simple(name)}", facts.path)
            if found is not None:
                yield found
                return
            owner = self._full(module, facts.path)
            member = self.project.member(owner.value, name) if owner is not None and owner.value else None
            if member is not None and member.symbol is not None:
                yield member._replace(how="import")
                return

    def _full(self, full: str, path: str, how: str = "package") -> Found | None:
        places = self.names.places(full)
        if len(places) > 1:
            parts = [one for one in places if self._is_partial(one)]
            if len(parts) == len(places):
                own = [one for one in places if one[0] == path]
                place = (own or self._main(places))[0]
                return Found(how, Value("definition", *place), place)
        return self.names.found(places, path, how)

    def _main(self, places: Sequence[Place]) -> Sequence[Place]:
        """Of the parts of a class the one that tells its bases."""
        found = [one for one in places if (symbol := self.names.symbol(one)) is not None and symbol.bases]
        return found or places

    def _is_partial(self, place: Place) -> bool:
        symbol = self.names.symbol(place)
        return symbol is not None and "partial" in symbol.modifiers

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The object, what it extends, and constructors of both."""
        owner = self.type_around(facts, scope)
        if owner == MODULE:
            return UNKNOWN
        if name == "this":
            return Found("self", Value("instance", facts.path, owner))
        if name == "base":
            return Found("super", Value("super", facts.path, owner))
        itself = Value("definition", facts.path, owner)
        order = list(self.project.ancestors(itself))
        owners = order[:1] if name == "this()" else [one for one in order[1:] if self._is_class(one)]
        if not owners or owners[0].role == "external":
            return OUTSIDE
        return self._constructor(owners[0], "self" if name == "this()" else "super") or UNKNOWN

    def _is_class(self, value: Value) -> bool:
        symbol = self.names.symbol((value.path, value.at)) if value.role != "external" else None
        return symbol is None or symbol.kind != "interface"

    def _constructor(self, owner: Value, how: str) -> Found | None:
        for path, at in self._parts(owner.path, owner.at):
            facts = self.project.facts(path)
            slot = facts.slot(at, facts.symbols[at].name) if facts is not None else None
            if facts is None or slot is None:
                continue
            for one in slot.symbols:
                if facts.symbols[one].kind == "constructor" and "static" not in facts.symbols[one].modifiers:
                    return Found(how, Value("definition", path, one), (path, one))
        return None

    def own_name(self, facts: Facts, method: int) -> str:
        """``this``."""
        return "this"

    # types

    def _parts(self, path: str, at: int) -> Iterator[Place]:
        """A class and its other parts."""
        yield path, at
        facts = self.project.facts(path)
        if facts is not None and "partial" in facts.symbols[at].modifiers:
            for place in self.names.places(facts.symbols[at].qualified):
                if place != (path, at) and self._is_partial(place):
                    yield place

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """A member; type parameters and constructors are none."""
        slot = facts.slot(owner, simple(name))
        if slot is None:
            return None
        symbols = tuple(one for one in slot.symbols if facts.symbols[one].kind != "constructor")
        bindings = tuple(one for one in slot.bindings if one.kind != "param")
        if name.endswith(CALL) and (symbols or slot.variables):
            symbols = tuple(one for one in symbols if facts.symbols[one].kind in _METHODS)
            return Slot(symbols) if symbols else slot._replace(symbols=(), bindings=bindings)
        slot = slot._replace(symbols=symbols, bindings=bindings)
        return slot if any(slot) else None

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """A member in another part of the class, else a method that extends the type."""
        for path, at in self._parts(facts.path, owner):
            part = self.project.facts(path)
            if part is None or (path, at) == (facts.path, owner):
                continue
            found = self.project.local(part, at, name)
            slot = self.inside(part, at, name)
            if slot is not None and slot.symbols:
                place = (path, slot.symbols[0])
                return Found("class", Value("definition", *place), place)
            if slot is not None and found is not None:
                return found
        if not name.endswith(CALL) or inherited(
            self.project, facts, owner, lambda part, at: self.inside(part, at, name)
        ):
            return None
        return self.extensions.of(simple(name), (facts.path, owner), facts.symbols[owner].name)

    def _first_type(self, facts: Facts, index: int) -> str:
        """The type that a method extends."""
        symbol = facts.symbols[index]
        if "extension" not in symbol.modifiers:
            return ""
        head = symbol.signature.partition("(this ")[2]
        return (
            head.removeprefix("ref ").removeprefix("in ").rpartition(" ")[0]
            if "," not in head
            else first_type(head)
        )

    def foreign_found(self, value: Value, name: str) -> Found | None:
        """A longer full name, a method that extends a foreign type, or a member of what is awaited."""
        written, _, spaces = value.path.partition("\0")
        if spaces or not value.args:
            for space in ("", *spaces.split(",")):
                full = ".".join(part for part in (space, written, simple(name)) if part)
                found = self._full(full, "") if "." in full else None
                if found is not None:
                    return found
        if (
            value.args
            and written in _AWAITED
            and name.removesuffix(CALL) not in (_SAME | _FIRST | {"ContinueWith"})
        ):
            found = self.project.member(value.args[0], name)
            return found or UNKNOWN
        if name.endswith(CALL) and written and written[0] != "*":
            return self.extensions.of(simple(name), None, written.rpartition(".")[2], is_a)
        return None

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """Those of all parts; what is no interface first."""
        found: dict[str, None] = {}
        for path, at in self._parts(facts.path, index):
            part = self.project.facts(path)
            found.update(dict.fromkeys(part.symbols[at].bases if part is not None else ()))
        return list(found)

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place | None:
        """The overload whose parameters fit, of the class itself, else of its bases; none when several do alike."""
        symbol = self.names.symbol(target)
        if symbol is not None and use.kind == "new":
            return self._type_of_arity(facts, use, target, symbol)
        if symbol is None or symbol.kind not in _METHODS:
            return target
        owner = Value("definition", target[0], symbol.container)
        order = self.project.ancestors(owner) if symbol.kind == "method" else (owner,)
        groups = (self._same(one, symbol) for one in order if one.role != "external")
        if not use.receiver or not self._extends(target) or self._names_class(facts, use):
            return self.overloads.first_fitting(facts, use, groups)
        extending = [
            one for one in self._same(owner, symbol) if self._extended(one) == self._extended(target)
        ]
        return self.overloads.first_fitting(facts, use, (extending,), extending)

    def _type_of_arity(self, facts: Facts, use: Reference, target: Place, symbol: Symbol) -> Place | None:
        """Of types of one name the one with as many type parameters as there are arguments."""
        wanted = self.overloads.generics(facts.path, use.line, use.column, use.name)
        for place in (target, *self.names.places(symbol.qualified)):
            one = self.names.symbol(place)
            if (
                one is not None
                and self.overloads.generics(place[0], one.name_line, one.name_column, one.name) == wanted
            ):
                return place
        return None

    def _extended(self, place: Place) -> str:
        facts = self.project.facts(place[0])
        written = self._first_type(facts, place[1]) if facts is not None else ""
        return written.partition("<")[0].rstrip("?")

    def _same(self, owner: Value, symbol: Symbol) -> list[Place]:
        return [
            (path, one)
            for path, at in self._parts(owner.path, owner.at)
            if (part := self.project.facts(path)) is not None
            and (slot := part.slot(at, symbol.name)) is not None
            for one in slot.symbols
            if part.symbols[one].kind == symbol.kind
        ]

    def _extends(self, place: Place) -> bool:
        symbol = self.names.symbol(place)
        return symbol is not None and "extension" in symbol.modifiers

    def _names_class(self, facts: Facts, use: Reference) -> bool:
        found = self.project.evaluate(facts, use.scope, use.receiver, use.line)
        return found is not None and found.value is not None and found.value.role == "definition"

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """Calls are told from fields."""
        return csharp_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """C#'s types."""
        return csharp_types(text)

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """An array keeps what it is made of."""
        if one.head != "[]":
            return None
        args = tuple(self.project.of_types(facts, scope, arg) or Value("unknown") for arg in one.args)
        return Value("external", "*", MODULE, args)

    def iterated(self, value: Value) -> Value | None:
        """An element of a container."""
        inner = _awaited(value)
        return held(inner, 0) if inner is not None and len(inner.args) == 1 else None

    def item(self, value: Value, index: str) -> Value | None:
        """An element."""
        inner = _awaited(value)
        return held(inner, -1) if inner is not None else None

    def foreign_member(self, value: Value, name: str) -> Value:
        """Of a container: remembered with its arguments, for the call that follows."""
        word = simple(name)
        if not value.args:
            written = value.path.partition("\0")
            return (
                Value("external", f"{written[0]}.{word}\0{written[2]}")
                if written[2] or written[0]
                else EXTERNAL
            )
        if word in _SAME:
            return value if not name.endswith(CALL) else Value("external", "*.same", MODULE, value.args)
        if word in _FIRST or word in _LAST:
            if name.endswith(CALL):
                return Value("external", "*.first", MODULE, value.args)
            return held(value, 0 if word in _FIRST and word != "Value" else -1) or EXTERNAL
        return EXTERNAL

    def foreign_call(self, value: Value) -> Value | None:
        """A getter of a container gives what it holds."""
        if value.path == "*.same":
            return Value("external", "*", MODULE, value.args)
        if value.path == "*.first":
            return held(value, 0)
        return EXTERNAL


def _awaited(value: Value) -> Value | None:
    """What a task gives, else the value itself."""
    return held(value, 0) if value.path in _AWAITED else value
