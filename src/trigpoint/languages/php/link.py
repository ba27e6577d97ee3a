"""How PHP's names reach their definitions: by full names, along namespaces, imports, classes and their traits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trigpoint.languages.expressions import CALL, Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.foreign import FOREIGN
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Rules, Value
from trigpoint.languages.php.written import php_steps, php_types
from trigpoint.model import MODULE, Import, Reference, Symbol

Place = tuple[str, int]
"""A path and the index of a symbol in it."""


class Linking(Rules):
    """PHP: classes by full names, functions also from the global space, traits as bases."""

    classes = frozenset({"class", "interface", "trait", "enum"})
    callables = frozenset({"function", "method", "constructor", *classes})
    spaces = frozenset()
    sees_class_scope = False
    reaches = True
    special_names = frozenset({"$this", "self", "static", "parent"})
    foreign_methods = FOREIGN["php"]
    tells_unions = True
    reads_heads = reads_calls = False

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self._all = frozenset(paths)

    # names

    def named(self, use: Reference) -> str:
        """A method is no property of its name."""
        return use.name + CALL if use.kind == "call" and use.receiver else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """A class, a function or a namespace by its full name."""
        full = ".".join(part for part in (_dotted(item.module), item.name) if part)
        found = self._full(facts, full)
        if found is not None:
            return found._replace(how="import") if found.how == "package" else found
        return Found("import", Value("module", full))

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """What is imported, or the file that is included."""
        if item.kind == "include":
            folder = facts.path.rpartition("/")[0]
            for path in (f"{folder}/{item.module}".strip("/"), item.module.lstrip("./")):
                if path in self._all:
                    yield "import", path, MODULE
                    return
            return
        found = self.project.imported(facts, item)
        if found.symbol is not None:
            yield found.how, *found.symbol

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Members have no bare names, namespaces are no values."""
        if scope != MODULE and facts.symbols[scope].kind in self.classes:
            return None
        slot = facts.slot(scope, name)
        if slot is None or not slot.symbols:
            return slot
        slot = slot._replace(
            symbols=tuple(one for one in slot.symbols if facts.symbols[one].kind != "namespace")
        )
        return slot if any(slot) else None

    def reach(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A name as seen from a namespace."""
        symbol = facts.symbols[scope]
        if symbol.kind != "namespace" or name[:1] == "$":
            return None
        if "\\" in name:
            return self._qualified(facts, scope, name)
        return self._full(facts, f"{symbol.qualified}.{name}")

    def _qualified(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A name with backslashes: from the root, from an import, or from the namespace."""
        space = facts.symbols[scope].qualified if scope != MODULE else ""
        head, _, rest = name.strip("\\").partition("\\")
        full = _dotted(name)
        if name[0] != "\\":
            slot = facts.slot(scope, head)
            if head == "namespace":
                full = ".".join(part for part in (space, _dotted(rest)) if part)
            elif slot is not None and slot.imports:
                item = slot.imports[0]
                full = ".".join(part for part in (_dotted(item.module), item.name, _dotted(rest)) if part)
            elif space:
                full = f"{space}.{full}"
        found = self._full(facts, full) if name[-1] != "\\" else None
        return found or Found("import", Value("module", full))

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """Global functions, and for files without a namespace global classes."""
        if "\\" in name:
            return self._qualified(facts, MODULE, name)
        found = self._full(facts, name) if name[:1] != "$" else None
        if found is not None and facts.outline.package and found.symbol is not None:
            holder = self.project.facts(found.symbol[0])
            if holder is not None and holder.symbols[found.symbol[1]].kind in self.classes:
                return OUTSIDE
        if found is None and name[:1].isupper():
            return OUTSIDE
        return found

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The object, its class, and what it extends."""
        owner = self.type_around(facts, scope)
        if owner == MODULE:
            return UNKNOWN
        if name == "$this":
            return Found("self", Value("instance", facts.path, owner))
        if name == "parent":
            return Found("super", Value("super", facts.path, owner))
        return Found("class", Value("definition", facts.path, owner))

    def own_name(self, facts: Facts, method: int) -> str:
        """``$this``."""
        return "$this"

    def exported(self, module: Value, name: str) -> Found | None:
        """What a namespace holds."""
        name = name.removesuffix(CALL)
        full = f"{module.path}.{name}" if module.path else name
        found = None
        for place in self._places(full):
            found = Found("package" if found is None else "ambiguous", Value("definition", *place), place)
        return found

    def _places(self, full: str) -> list[Place]:
        found = []
        for path, index in self.project.named(full.rpartition(".")[2]):
            facts = self.project.facts(path)
            if facts is not None and facts.symbols[index].qualified == full:
                found.append((path, index))
        return [one for one in found if self._kind(one) != "namespace"]

    def _kind(self, place: Place) -> str:
        facts = self.project.facts(place[0])
        return facts.symbols[place[1]].kind if facts is not None else ""

    def _full(self, facts: Facts, full: str) -> Found | None:
        """The definition of a full name; of several the one of the file itself, else none is sure."""
        places = self._places(full)
        if not places:
            return None
        own = [one for one in places if one[0] == facts.path]
        place = (own or places)[0]
        return Found(
            "package" if own or len(places) == 1 else "ambiguous", Value("definition", *place), place
        )

    # types

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """A method when called, else a property or a constant."""
        slot = facts.slot(owner, name.removesuffix(CALL).removeprefix("$"))
        if slot is None or not name.endswith(CALL):
            return slot
        return Slot(symbols=slot.symbols) if slot.symbols else None

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """Traits come before what is extended."""
        return sorted(facts.symbols[index].bases, key=lambda text: not self._is_trait(facts, index, text))

    def _is_trait(self, facts: Facts, index: int, text: str) -> bool:
        found = self.project.evaluate(facts, facts.container(index), text)
        value = found.value if found is not None else None
        return (
            value is not None and value.role == "definition" and self._kind((value.path, value.at)) == "trait"
        )

    def is_property(self, symbol: Symbol) -> bool:
        """There are none that call."""
        return False

    def returns_owner(self, facts: Facts, method: int, declared: str) -> bool:
        """``static`` and ``$this``."""
        return declared.lstrip("?") in ("static", "$this")

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """Names with backslashes are one step."""
        return php_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """PHP's types."""
        return php_types(text)

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """A list keeps what it is made of."""
        if one.head not in ("[]", "array", "iterable", "list"):
            return None
        args = tuple(self.project.of_types(facts, scope, arg) or Value("unknown") for arg in one.args)
        return Value("external", "[]", MODULE, args)

    def iterated(self, value: Value) -> Value | None:
        """An element."""
        return value.args[-1] if value.args and value.args[-1].role != "unknown" else None

    def item(self, value: Value, index: str) -> Value | None:
        """An element."""
        return self.iterated(value)

    def foreign_member(self, value: Value, name: str) -> Value:
        """Unknown."""
        return EXTERNAL


def _dotted(name: str) -> str:
    return name.strip("\\").replace("\\", ".")
