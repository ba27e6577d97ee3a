"""How Python's names reach their definitions."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence

from trigpoint.languages.expressions import Type, entries, steps
from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Rules, Value, module
from trigpoint.languages.python.modules import Modules
from trigpoint.model import MODULE, Import, Symbol

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__name__", "reveal_type", "WindowsError"}
_CLASS_METHODS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_TRANSPARENT = frozenset(
    [
        "Optional",
        "Union",
        "Annotated",
        "Final",
        "ClassVar",
        "Required",
        "NotRequired",
        "ReadOnly",
        "Awaitable",
        "TypeGuard",
        "TypeIs",
        "Unpack",
    ]
)
_SECOND = frozenset(
    [
        "dict",
        "Dict",
        "Mapping",
        "MutableMapping",
        "defaultdict",
        "DefaultDict",
        "OrderedDict",
        "ChainMap",
        "items",
    ]
)
"""Containers whose values are their second argument."""
_TUPLES = frozenset({"tuple", "Tuple", "()"})
_GIVES = {"get": 1, "pop": -1, "setdefault": 1, "popleft": 0, "popitem": -1, "__getitem__": -1, "__next__": 0}
"""Methods of built-in containers that give one of the type arguments."""
_SAME = frozenset({"copy", "values", "keys", "items"})
_RUNS = {
    "for": (("__iter__", "__next__"), ("__aiter__", "__anext__")),
    "with": (("__enter__", "__exit__"), ("__aenter__", "__aexit__")),
}
"""What loops and with run on their object, and what after it."""
_SUPER = "(super)"
_SECONDARY = frozenset({"overload", "setter", "deleter"})


class Linking(Rules):
    """Python: modules, packages and re-exports, scopes without class bodies, C3."""

    sees_class_scope = False
    plain_scopes = True
    explicit = True
    asks_by_name = True
    reads_heads = reads_calls = False
    tells_unions = True
    call_member = "__call__"
    special_names = frozenset({"super", "__class__"})
    wide_names = frozenset(
        {call_member, "__getitem__", *(name for ways in _RUNS.values() for way in ways for name in way)}
    )
    foreign_methods = frozenset(
        name
        for one in (str, bytes, list, dict, set, tuple, int, float, Exception, property)
        for name in dir(one)
    ) | {"read", "write", "close", "flush", "seek", "readline", "readlines", "writelines", "fileno"}

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.modules = Modules(paths)

    # names

    def bound(self, item: Import) -> str:
        """``import a.b`` binds ``a``."""
        return item.alias if item.name or item.alias != item.module else item.alias.partition(".")[0]

    def imported(self, facts: Facts, item: Import) -> Found:
        """A module, or what a module offers under a name, or else a module inside it."""
        if not item.name:
            whole = item.alias == item.module
            found = self.modules.imported(facts.path, item.module)
            if whole and "." in item.module:
                top = self.modules.imported(facts.path, item.module.partition(".")[0])
                found = top or found
            return module(found) if found else OUTSIDE
        source = self.modules.imported(facts.path, item.module)
        if not source:
            return OUTSIDE
        offered = self.project.exported(Value("module", source), item.name)
        if offered is None or (offered.value is None and offered.symbol is None):
            below = self.modules.below(source, item.name)
            return module(below) if below else UNKNOWN
        if offered.how in ("lexical", "import"):
            return Found("import" if offered.how == "lexical" else "reexport", offered.value, offered.symbol)
        return offered

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """Each package on the way too: ``import a.b`` runs both."""
        found = self.project.imported(facts, item)
        if item.name and found.symbol is not None:
            yield found.how, *found.symbol
        elif item.name and found.value is not None and found.value.role == "module":
            yield "import", found.value.path, MODULE
        source = self.modules.imported(facts.path, item.module)
        if source:
            yield "import", source, MODULE

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """Star imports, then built-ins."""
        for item in reversed(facts.wildcards):
            source = self.modules.imported(facts.path, item.module)
            found = self._starred(source, name) if source else None
            if found is not None:
                return found
        return OUTSIDE if name in _BUILTINS else None

    def _starred(self, source: str, name: str) -> Found | None:
        facts = self.project.facts(source)
        if facts is None:
            return None
        public = facts.outline.exports
        if name not in public if public else name.startswith("_"):
            return None
        found = self.project.exported(Value("module", source), name)
        if found is not None and found.how in ("lexical", "import"):
            return Found("import" if found.how == "lexical" else "reexport", found.value, found.symbol)
        return found

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """``super`` begins after the class around it; ``__class__`` is that class."""
        owner = facts.owner(scope)
        if owner == MODULE:
            return None
        if name == "super":
            return Found("super", Value("super", facts.path, owner))
        return Found("class", Value("definition", facts.path, owner))

    def own_name(self, facts: Facts, method: int) -> str:
        """The first parameter of a method that is not static."""
        if method == MODULE or "static" in facts.symbols[method].modifiers:
            return ""
        return facts.first_parameter(method)

    def own(self, facts: Facts, method: int) -> Value | None:
        """An instance, or in class methods the class."""
        symbol = facts.symbols[method]
        is_class = "classmethod" in symbol.modifiers or symbol.name in _CLASS_METHODS
        return Value("definition" if is_class else "instance", facts.path, symbol.container)

    # modules and types

    def exported(self, module: Value, name: str) -> Found | None:
        """What a module binds at its top, then the modules inside a package, then its star imports."""
        facts = self.project.facts(module.path)
        found = self.project.local(facts, MODULE, name) if facts is not None else None
        if found is not None and (found.value is not None or found.symbol is not None):
            return found
        below = self.modules.below(module.path, name)
        if below:
            return Found("import", Value("module", below))
        if found is None and facts is not None:
            starred = self.beyond(facts, MODULE, name)
            return starred if starred is not OUTSIDE else None
        return found

    def all_exported(self, module: Value) -> Iterable[str]:
        """``__all__``, or every name without an underscore."""
        facts = self.project.facts(module.path)
        if facts is None:
            return ()
        return facts.outline.exports or [name for name in facts.names_in(MODULE) if not name.startswith("_")]

    @staticmethod
    def offering(path: str) -> Iterable[str]:
        """The packages around a module: ``import a`` is enough for ``a.b.c`` once anything has loaded it."""
        folder = path.rpartition("/")[0]
        while folder:
            yield from (f"{folder}/__init__{suffix}" for suffix in (".py", ".pyi"))
            folder = folder.rpartition("/")[0]

    def linear(self, bases: Sequence[Sequence[Value]]) -> Sequence[Value]:
        """C3; where it has no answer, depth first."""
        rows = [list(order) for order in bases]
        rows.append([order[0] for order in bases])
        found: list[Value] = []
        while rows := [row for row in rows if row]:
            tails = {value for row in rows for value in row[1:]}
            head = next((row[0] for row in rows if row[0] not in tails), None)
            if head is None:
                return super().linear(bases)
            found.append(head)
            rows = [row[1:] if row[0] == head else row for row in rows]
        return found

    def stands_back(self, symbol: Symbol) -> bool:
        """Overload stubs, and the setters and deleters of a property."""
        return any(one in _SECONDARY for one in symbol.modifiers)

    def returns_owner(self, facts: Facts, method: int, declared: str) -> bool:
        """``Self``, or the type variable that the first parameter is declared with."""
        word = declared.strip("\"'").rpartition(".")[2]
        if word == "Self":
            return True
        slot = facts.slot(method, facts.first_parameter(method))
        first = slot.bindings[0].annotation if slot is not None and slot.bindings else ""
        return bool(first) and first in (declared, f"type[{declared}]", f"Type[{declared}]")

    # types

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """Wrappers of a type, the type itself as a value, and type variables' bounds."""
        word = one.head.rpartition(".")[2]
        if word in _TRANSPARENT and one.args:
            return self.project.of_types(facts, scope, [kind for arg in one.args for kind in arg])
        if word == "Coroutine" and len(one.args) == 3:
            return self.project.of_types(facts, scope, one.args[2])
        if word in ("type", "Type") and one.args:
            value = self.project.of_types(facts, scope, one.args[0])
            return (
                Value("definition", value.path, value.at) if value and value.role == "instance" else EXTERNAL
            )
        if word == "()" and one.args:
            return self.project.of_types(facts, scope, [kind for arg in one.args for kind in arg])
        if word == "Self":
            owner = facts.owner(scope)
            return Value("instance", facts.path, owner) if owner != MODULE else None
        return EXTERNAL if word in ("None", "Any") else None

    def steps(self, text: str) -> tuple[str, ...]:
        """``super(A, self)``, kept as ``super<A>()``, is a step from A."""
        if not text.startswith("super<"):
            return steps(text)
        named, _, rest = text[6:].partition(">()")
        return (*steps(named), _SUPER, *steps("super" + rest)[1:])

    def given(self, value: Value, place: str) -> Value | None:
        """What comes after a class in the order of its bases."""
        if value.role == "definition" and self.project.is_class(value):
            return Value("super", value.path, value.at)
        return EXTERNAL if value.role == "external" else None

    def literal(self, facts: Facts, scope: int, text: str) -> Found | None:
        """A list or dictionary is remembered as written, for its entries."""
        if text[0] not in "[{":
            return OUTSIDE
        return Found("hint", Value("literal", facts.path, scope, (Value("text", text),)))

    def _entry(self, value: Value, key: str) -> Value | None:
        """The entry of a literal under a key; the first that is known for no key."""
        facts = self.project.facts(value.path)
        for name, written in entries(value.args[0].path) if facts is not None else ():
            if written and (not key or name == key):
                found = self.project.evaluate(facts, value.at, written) if facts is not None else None
                if found is not None and found.value is not None:
                    return found.value
        return None

    def runs(self, value: Value, kind: str) -> Iterable[Found]:
        """__iter__ and __next__, __enter__ and __exit__, or their asynchronous kin."""
        for first, then in _RUNS.get(kind, ()):
            found = self.project.member(value, first)
            if found is None or found.value is None or found.value.role != "definition":
                continue
            yield found
            on = self.project.called(found.value, value) if kind == "for" else value
            second = self.project.member(on, then) if on is not None else None
            if second is not None:
                yield second
            return

    def iterated(self, value: Value) -> Value | None:
        """The first argument of a built-in container; what __iter__ gives of the project's own."""
        if value.role == "literal":
            return self._entry(value, "")
        if value.role == "external":
            if _word(value) == "items" and len(value.args) == 2:
                return Value("external", "tuple", MODULE, value.args)
            return _known(value.args[0]) if value.args else None
        for name in ("__iter__", "__aiter__"):
            found = self.project.member(value, name)
            if found is not None and found.value is not None and found.value.role == "definition":
                given = self.project.called(found.value, value)
                if given is not None and given.role == "external" and given.args:
                    return _known(given.args[0])
                step = (
                    self.project.member(given, "__next__")
                    if given is not None and given.role == "instance"
                    else None
                )
                return (
                    self.project.called(step.value, given)
                    if step is not None and step.value is not None
                    else None
                )
        return None

    def entered(self, value: Value) -> Value | None:
        """What __enter__ gives; of a generator made a context manager, what it yields."""
        if value.role == "external":
            return _known(value.args[0]) if value.args else value
        for name in ("__enter__", "__aenter__"):
            found = self.project.member(value, name)
            if found is not None and found.value is not None and found.value.role == "definition":
                return self.project.called(found.value, value)
        return value if value.role == "instance" else None

    def item(self, value: Value, index: str) -> Value | None:
        """One of a container."""
        if value.role == "literal":
            count = len(entries(value.args[0].path))
            at = (
                str(count + int(index))
                if index[:1] == "-" and index[1:].isdigit()
                else index.replace("'", '"')
            )
            return self._entry(value, at) if at.isdigit() or at[:1] == '"' else None
        if value.role != "external":
            found = self.project.member(value, "__getitem__")
            return (
                self.project.called(found.value, value)
                if found is not None and found.value is not None
                else None
            )
        if not value.args:
            return EXTERNAL if not value.path else None
        word = _word(value)
        if word in _TUPLES:
            return (
                _known(value.args[int(index)]) if index.isdigit() and int(index) < len(value.args) else None
            )
        return _known(value.args[1 if word in _SECOND and len(value.args) > 1 else 0])

    def foreign_member(self, value: Value, name: str) -> Value:
        """Of a container: remembered with its arguments, for the call that follows."""
        if not value.args:
            return EXTERNAL
        if name == "values":
            return Value("external", "*.values", MODULE, value.args[-1:])
        return (
            Value("external", "*." + name, MODULE, value.args)
            if name in _GIVES or name in _SAME
            else EXTERNAL
        )

    def foreign_call(self, value: Value) -> Value | None:
        """A getter of a container gives one of its arguments."""
        if not value.args:
            return EXTERNAL
        word = _word(value)
        if word in _GIVES:
            at = _GIVES[word]
            return _known(value.args[at if -1 <= at < len(value.args) else -1])
        if word in ("Callable", "type"):
            return _known(value.args[-1])
        return Value("external", word, MODULE, value.args)


def _word(value: Value) -> str:
    return value.path.rpartition(".")[2]


def _known(value: Value) -> Value | None:
    return value if value.role != "unknown" else None
