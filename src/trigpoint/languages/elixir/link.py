"""How Elixir's names reach their definitions: modules by full names and aliases, functions by name and number of arguments."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from trigpoint.languages.arguments import behind, opened, split
from trigpoint.languages.expressions import Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.fullnames import FullNames, Place
from trigpoint.languages.linking import EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Rules, Value, words
from trigpoint.model import MODULE, Import, Reference

_MODULES = frozenset({"module", "protocol", "impl", "interface"})
_FUNCTIONS = frozenset({"function", "macro", "method"})
_KERNEL = words(
    "if unless case cond with for fn raise throw exit send self spawn elem hd tl length is_nil is_atom is_binary is_list is_map"
    " is_function is_integer is_tuple inspect to_string apply def defp defmacro defmodule defstruct defdelegate import alias use"
    " require quote unquote super max min abs round trunc put_in get_in update_in reraise tap then dbg"
)


class _Modules(Container[object]):
    """Names of modules."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name[:1].isupper() or name == "__MODULE__")


class Linking(Rules):
    """Elixir: modules over all files, imports, arity."""

    classes = frozenset()
    callables = _FUNCTIONS
    spaces = _MODULES
    redeclared = True
    reaches = True
    special_names = _Modules()  # type: ignore[assignment]

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.names = FullNames(project, _MODULES)
        self._arities: dict[Place, tuple[int, int]] = {}

    # names

    def imported(self, facts: Facts, item: Import) -> Found:
        """The module that has an alias, or a function of one."""
        module = self._module(item.module, facts.path, "import")
        if not item.name or module is None or module.value is None:
            return module or OUTSIDE
        found = self.project.member(module.value, item.name)
        return found._replace(how="import") if found is not None and found.symbol is not None else UNKNOWN

    def _module(self, full: str, path: str, how: str = "package") -> Found | None:
        return self.names.found(self.names.places(full.removeprefix("Elixir.")), path, how)

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The module that is named."""
        found = self._module(item.module, facts.path, "import")
        if found is not None and found.symbol is not None:
            yield found.how, *found.symbol

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Functions of the module around, imports and locals."""
        slot = facts.slot(scope, name)
        if slot is None:
            return None
        functions = tuple(one for one in slot.symbols if facts.symbols[one].kind in _FUNCTIONS)
        imports = tuple(one for one in slot.imports if one.name)
        slot = Slot(functions, (), imports, slot.bindings)
        return slot if any(slot) else None

    def reach(self, facts: Facts, scope: int, name: str) -> Found | None:
        """What is imported whole into a module or a function."""
        found = self._starred(facts, scope, name)
        if found is None and facts.symbols[scope].container != MODULE:
            used = any(item.scope == scope and item.kind == "include" for item in facts.wildcards)
            return UNKNOWN if used else None  # what is used may import the name
        return found

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """What is imported at the top."""
        return self._starred(facts, MODULE, name)

    def _starred(self, facts: Facts, scope: int, name: str) -> Found | None:
        facts.names_in(scope)
        for item in facts.wildcards:
            if item.scope != scope or item.kind != "import" or name in _KERNEL:
                continue
            module = self._module(item.module, facts.path)
            found = self.project.member(module.value, name) if module is not None and module.value else None
            if found is not None and found.symbol is not None and not self._is_private(found.symbol):
                return found._replace(how="import")
        return None

    def _is_private(self, place: Place) -> bool:
        symbol = self.names.symbol(place)
        return symbol is not None and "private" in symbol.modifiers

    def _seen(self, facts: Facts, scope: int, module: str) -> Found | None:
        """A module by an alias, as one that stands in a module around, or by its full name."""
        head, _, rest = module.partition(".")
        at = scope
        while True:
            slot = facts.slot(at, head)
            aliases = [one for one in slot.imports if not one.name] if slot is not None else []
            if aliases:
                full = aliases[-1].module + (f".{rest}" if rest else "")
                return self._module(full, facts.path, "import") or OUTSIDE
            inner = (
                [one for one in slot.symbols if facts.symbols[one].kind in _MODULES]
                if slot is not None
                else []
            )
            if inner and at != MODULE:
                return self._module(
                    facts.symbols[inner[0]].qualified + (f".{rest}" if rest else ""), facts.path
                )
            if at == MODULE:
                return self._module(module, facts.path) or OUTSIDE
            at = facts.symbols[at].container

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A module, or the one around."""
        if name != "__MODULE__":
            return self._seen(facts, scope, name)
        while scope != MODULE and facts.symbols[scope].kind not in _MODULES:
            scope = facts.symbols[scope].container
        return Found("class", Value("definition", facts.path, scope)) if scope != MODULE else UNKNOWN

    def own_name(self, facts: Facts, method: int) -> str:
        """None."""
        return ""

    def exported(self, module: Value, name: str) -> Found | None:
        """Modules are definitions."""
        return None

    def chosen(self, facts: Facts, use: Reference, target: Place) -> Place | None:
        """The function that takes as many arguments; of another module only what it shows."""
        symbol = self.names.symbol(target)
        holder = self.project.facts(target[0])
        if symbol is None or holder is None or symbol.kind not in _FUNCTIONS:
            return target
        slot = holder.slot(symbol.container, symbol.name)
        same = [
            (target[0], one)
            for one in (slot.symbols if slot is not None else ())
            if holder.symbols[one].kind in _FUNCTIONS
        ]
        given = self._given(facts, use)
        fitting = [one for one in same if given is None or self._takes(one, given)]
        if use.receiver and use.receiver != "__MODULE__":
            fitting = [one for one in fitting if not self._is_private(one)]
        return fitting[0] if len(fitting) == 1 else None

    def _given(self, facts: Facts, use: Reference) -> int | None:
        """How many arguments a call has, with what is piped into it; None when it has no brackets."""
        lines = self.project.text(facts.path).split("\n")
        if use.line > len(lines):
            return None
        inner = opened(behind(lines, use.line, use.column, use.name))
        if not inner:
            return None
        before = lines[use.line - 1].encode()[: use.column].decode("utf-8", "replace")
        before = (
            before.rstrip().removesuffix(f"{use.receiver}.").rstrip() if use.receiver else before.rstrip()
        )
        if not before and use.line > 1:
            before = lines[use.line - 2].rstrip()
        return len(split(inner)) + before.endswith("|>")

    def _takes(self, place: Place, given: int) -> bool:
        if place not in self._arities:
            symbol = self.names.symbol(place)
            lines = self.project.text(place[0]).split("\n")
            inner = opened(behind(lines, symbol.name_line, symbol.name_column, symbol.name)) if symbol else ""
            written = split(inner) if inner else []
            optional = sum("\\\\" in one for one in written)
            self._arities[place] = len(written) - optional, len(written)
        least, most = self._arities[place]
        return least <= given <= most

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """The name of a module is one step."""
        return (text,) if text.replace(".", "").replace("_", "").isalnum() else ()

    def types(self, text: str) -> tuple[Type, ...]:
        """Unknown."""
        return ()

    def foreign_member(self, value: Value, name: str) -> Value:
        """Unknown."""
        return EXTERNAL
