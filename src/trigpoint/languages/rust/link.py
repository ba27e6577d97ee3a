"""How Rust's names reach their definitions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from trigpoint.languages.expressions import CALL, Type
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.foreign import FOREIGN
from trigpoint.languages.linking import (
    OUTSIDE,
    UNKNOWN,
    Found,
    Project,
    Rules,
    Value,
    module,
)
from trigpoint.languages.rust import containers
from trigpoint.languages.rust.crates import Crates, around, written_path
from trigpoint.languages.rust.implementations import Implementations, Place
from trigpoint.languages.rust.written import GIVES, OWN_MODULE, rust_steps, rust_types
from trigpoint.model import MODULE, Binding, Import, Reference, Symbol

_POINTERS = frozenset(
    {"Box", "Arc", "Rc", "Pin", "Cow", "Ref", "RefMut", "MutexGuard", "ManuallyDrop", "NonNull"}
)
"""Types whose members are those of what they point to."""
_ITSELF = frozenset({"clone", "to_owned", "borrow", "borrow_mut", "as_ref", "as_mut", "by_ref"})
"""What a type mostly derives: a call gives the type again."""


class Linking(Rules):
    """Rust: a tree of modules in files, members in impl blocks beside their types, traits."""

    classes = frozenset({"struct", "enum", "union", "trait", "impl"})
    callables = frozenset({"function", "method", "macro", "struct"})
    spaces = frozenset({"module"})
    sees_class_scope = False
    sees_class_names = True
    typed_inside = True
    redeclared = True
    reads_calls = False
    special_names = frozenset({"Self", "crate", "super", OWN_MODULE})
    foreign_methods = FOREIGN["rust"]
    configured_by = frozenset({"Cargo.toml"})

    @classmethod
    def head(cls, symbol: Symbol) -> Hashable:
        """Where a module says that its file is."""
        return symbol.decorators if symbol.kind == "module" else None

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        super().__init__(project, paths)
        self.crates = Crates(paths, project.text, project.facts)
        self.implementations = Implementations(project, self.crates)

    # names

    def named(self, use: Reference) -> str:
        """Macros have names of their own, and so have methods."""
        if use.kind == "macro":
            return use.name + "!"
        return use.name + CALL if use.kind == "call" and use.receiver else use.name

    def imported(self, facts: Facts, item: Import) -> Found:
        """A path from the crate, the module, or a crate's name."""
        parts = [part for part in item.module.split("::") if part]
        if len(parts) == 2 and parts[0] == "self" and not item.name:
            return self._declared_module(facts, item, parts[1])
        if item.name:
            parts.append(item.name)
        found = self._first(facts, item, parts[0])
        foreign = (
            found is not None
            and found.value is not None
            and found.value.path == self.crates.names.get(parts[0])
        )
        for part in parts[1:]:
            if found is None or found.value is None or (foreign and self._private(found.value, part)):
                return found if found is not None and found.value is None else UNKNOWN
            above = part == "super" and found.value.role in ("module", "definition")
            found = self._above(found.value) if above else self.project.member(found.value, part)
        if found is None:
            return UNKNOWN
        return found._replace(how="import") if found.how in ("lexical", "package", "class") else found

    def _private(self, value: Value, name: str) -> bool:
        """Whether a module only imports a name for itself."""
        facts = self.project.facts(value.path) if value.role == "module" else None
        slot = self.bare(facts, MODULE, name) if facts is not None else None
        return (
            slot is not None
            and not slot.symbols
            and bool(slot.imports)
            and all(one.kind != "reexport" for one in slot.imports)
        )

    def _declared_module(self, facts: Facts, item: Import, name: str) -> Found:
        slot = facts.slot(item.scope, name)
        declared = (
            [one for one in slot.symbols if facts.symbols[one].kind == "module"] if slot is not None else []
        )
        if not declared:
            return self.project.member(self._here(facts, item.scope), name) or UNKNOWN
        inner = [facts.symbols[one].name for one in around(facts, item.scope)]
        path = self.crates.child(facts.path, [*reversed(inner), name], written_path(facts, declared[0]))
        return module(path) if path else UNKNOWN

    def _first(self, facts: Facts, item: Import, name: str) -> Found | None:
        """What the first name of a path means: a place in the tree, something declared here, or a crate."""
        if name in ("crate", "super"):
            return self.special(facts, item.scope, name)
        if name == "self":
            return Found("import", self._here(facts, item.scope))
        scope = item.scope
        while True:
            slot = self.bare(facts, scope, name)
            if slot is not None and slot.symbols:
                return self.project.local(facts, scope, name)
            others = (
                [one for one in slot.imports if one != item and one.alias != one.module]
                if slot is not None
                else []
            )
            if others:
                return self.project.imported(facts, others[0])
            if scope == MODULE:
                break
            scope = facts.symbols[scope].container
        root = self.crates.names.get(name)
        return module(root) if root is not None else OUTSIDE

    def _here(self, facts: Facts, scope: int) -> Value:
        """The module around a scope."""
        inner = next(around(facts, scope), MODULE)
        return Value("module", facts.path) if inner == MODULE else Value("definition", facts.path, inner)

    def _above(self, value: Value) -> Found | None:
        """The module around a module."""
        facts = self.project.facts(value.path)
        if facts is None:
            return None
        if value.role == "definition":
            return Found("import", self._here(facts, facts.container(value.at)))
        path = self.crates.parent(value.path)
        found: Found | None = module(path) if path else UNKNOWN
        for name in self.crates.inline(value.path):
            found = (
                self.project.member(found.value, name)
                if found is not None and found.value is not None
                else None
            )
        return found

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """The crate, the module, the module around it, and the type of an impl block."""
        if name == "crate":
            return module(self.crates.root(facts.path))
        if name == OWN_MODULE:
            return Found("import", self._here(facts, scope))
        if name == "super":
            return self._above(self._here(facts, scope))
        value = self._itself(facts, scope)
        return Found("class", value) if value is not None else UNKNOWN

    def _itself(self, facts: Facts, scope: int) -> Value | None:
        """The type that ``Self`` means."""
        while scope != MODULE and facts.symbols[scope].kind not in self.classes:
            scope = facts.symbols[scope].container
        if scope == MODULE:
            return None
        symbol = facts.symbols[scope]
        if symbol.kind != "impl":
            return Value("definition", facts.path, scope)
        found = self.project.evaluate(facts, symbol.container, symbol.name)
        return found.value if found is not None and found.value and found.value.role == "definition" else None

    def own_name(self, facts: Facts, method: int) -> str:
        """``self``."""
        return "self"

    def own(self, facts: Facts, method: int) -> Value | None:
        """An instance of the type of the impl block."""
        value = self._itself(facts, method)
        return Value("instance", value.path, value.at) if value is not None else None

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """Type parameters of blocks and types; elsewhere all but impl blocks, with what a wildcard there brings."""
        name = name.removesuffix(CALL)
        macro = name.endswith("!")
        slot = facts.slot(scope, name[:-1] if macro else name)
        if scope != MODULE and facts.symbols[scope].kind in self.classes:
            return self._parameters(slot)
        if slot is not None:
            slot = self._told_apart(facts, slot, macro)
        if slot is None and scope != MODULE and facts.wildcards:
            return self._wild(facts, scope, name)
        return slot

    def _parameters(self, slot: Slot | None) -> Slot | None:
        given = [one for one in slot.bindings if one.kind == "param"] if slot is not None else []
        if not given:
            return None
        return Slot(bindings=(_joined(given),))

    def _told_apart(self, facts: Facts, slot: Slot, macro: bool) -> Slot | None:
        """Macros from others; blocks and modules in other files, which are imports, are no definitions."""
        symbols = []
        for one in slot.symbols:
            symbol = facts.symbols[one]
            outside = symbol.kind == "module" and "declaration" in symbol.modifiers
            if symbol.kind != "impl" and not outside and (symbol.kind == "macro") == macro:
                symbols.append(one)
        if macro:
            return Slot(symbols=tuple(symbols), imports=slot.imports) if symbols or slot.imports else None
        bindings = slot.bindings
        if (
            len(bindings) > 1
            and bindings[0].name[:1].isupper()
            and all(one.kind == "param" for one in bindings)
        ):
            bindings = (_joined(bindings),)
        slot = Slot(tuple(symbols), slot.variables, slot.imports, bindings)
        return slot if any(slot) else None

    def _wild(self, facts: Facts, scope: int, name: str) -> Slot | None:
        for item in facts.wildcards:
            if item.scope == scope and self._starred(facts, item, name) is not None:
                return Slot(imports=(item._replace(name=name, alias=name),))
        return None

    def _starred(self, facts: Facts, item: Import, name: str) -> Found | None:
        """What a wildcard brings under a name."""
        source = self.project.imported(facts, item._replace(name="", alias="*"))
        if source.value is None or source.value.role not in ("module", "definition"):
            return None
        found = self.project.member(source.value, name)
        return (
            found if found is not None and (found.symbol or found.value) and found.how != "external" else None
        )

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """Wildcards, macros of the package, crates by name; what no file of the project has is from outside."""
        found = self._through(facts, name)
        if found is not None:
            return found
        if name.endswith("!"):
            places = self.implementations.macros(facts.path, name[:-1])
            if not places:
                return OUTSIDE
            return Found(
                "package" if len(places) == 1 else "ambiguous", Value("definition", *places[0]), places[0]
            )
        root = self.crates.names.get(name)
        if root is not None:
            return module(root)
        return OUTSIDE if name[:1].isupper() or name in _CRATES else None

    def _through(self, facts: Facts, name: str) -> Found | None:
        for item in facts.wildcards:
            if item.scope == MODULE:
                found = self._starred(facts, item, name)
                if found is not None:
                    return found._replace(how="import") if found.how in ("lexical", "class") else found
        return None

    def exported(self, module: Value, name: str) -> Found | None:
        """What a file has at its top, or hands on by a wildcard; macros stand at the root of their crate."""
        name = name.removesuffix(CALL)
        facts = self.project.facts(module.path)
        if facts is None:
            return None
        found = self.project.local(facts, MODULE, name)
        if found is None:
            found = self._through(facts, name)
        if found is None and name.endswith("!"):
            found = self.beyond(facts, MODULE, name)
            return None if found is OUTSIDE else found
        return found

    # types

    def is_type(self, facts: Facts, index: int) -> bool:
        """Types, aliases of them, and the variants of enums, which are like types below it."""
        symbol = facts.symbols[index]
        if symbol.kind == "constant":
            return symbol.container != MODULE and facts.symbols[symbol.container].kind == "enum"
        return symbol.kind == "type" or (symbol.kind in self.classes and symbol.kind != "impl")

    def is_callable(self, facts: Facts, index: int) -> bool:
        """Functions, tuple structs, variants."""
        return facts.symbols[index].kind in self.callables or self.is_type(facts, index)

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """Supertraits; the enum of a variant; what an alias stands for."""
        symbol = facts.symbols[index]
        if symbol.kind == "constant":
            return (facts.symbols[symbol.container].name,)
        if symbol.kind != "type":
            return symbol.bases
        slot = facts.slot(symbol.container, symbol.name)
        written = (
            next((one.value for one in slot.bindings if one.kind == "alias"), "") if slot is not None else ""
        )
        return (written,) if written else ()

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """Fields, variants, and the items of traits; a field is never called."""
        slot = facts.slot(owner, name.removeprefix("#").removesuffix(CALL))
        if slot is None or (slot.bindings and slot.bindings[0].kind == "param"):
            return None
        if name.endswith(CALL) and slot.variables and facts.symbols[slot.variables[0]].kind == "field":
            return None
        return slot

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """What an impl block of the type holds, its own before those of traits; else what those traits give by default."""
        if facts.symbols[owner].kind == "trait":
            return None
        name = name.removesuffix(CALL)
        blocks = self.implementations.of(facts, owner)
        for places in blocks:
            found = list(self._in_blocks(places, name))
            if found:
                return Found(
                    "class" if len(found) == 1 else "ambiguous", Value("definition", *found[0]), found[0]
                )
        for path, index in blocks.of_traits:
            default = self._default(path, index, name)
            if default is not None:
                return default
        if name in _ITSELF:
            return Found(
                "external",
                Value("external", containers.ITSELF, MODULE, (Value("instance", facts.path, owner),)),
            )
        return None

    def _in_blocks(self, places: Iterable[Place], name: str) -> Iterator[Place]:
        for path, index in places:
            facts = self.project.facts(path)
            slot = facts.slot(index, name) if facts is not None else None
            if slot is not None and (slot.symbols or slot.variables):
                yield path, (slot.symbols or slot.variables)[0]

    def _default(self, path: str, index: int, name: str) -> Found | None:
        facts = self.project.facts(path)
        if facts is None:
            return None
        symbol = facts.symbols[index]
        trait = self.project.declared(facts, symbol.container, symbol.bases[0])
        if trait is None or trait.role != "instance":
            return None
        found = self.project.member(trait, name + CALL)
        return found if found is not None and found.symbol is not None else None

    def is_property(self, symbol: Symbol) -> bool:
        """There are none."""
        return False

    def returns_owner(self, facts: Facts, method: int, declared: str) -> bool:
        """``Self``, also behind a reference."""
        return declared.rpartition(" ")[2].lstrip("&") == "Self"

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """Rust's paths."""
        return rust_steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """Bounds are alternatives."""
        return rust_types(text)

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """Pointers are what they point to; lists keep what they are made of."""
        if one.head.rpartition("::")[2] in _POINTERS and one.args:
            return self.project.of_types(facts, scope, one.args[-1])
        if one.head in ("[]", "()"):
            args = tuple(self.project.of_types(facts, scope, arg) or Value("unknown") for arg in one.args)
            return Value("external", one.head, MODULE, args)
        return None

    def iterated(self, value: Value) -> Value | None:
        """An element."""
        return containers.argument(value, 0) if value.path not in ("HashMap", "BTreeMap", "()") else None

    def item(self, value: Value, index: str) -> Value | None:
        """What ``?`` opens, or an element."""
        if index == GIVES and value.role != "external":
            return None
        return containers.argument(value, -1 if value.path.endswith("Map") and index != GIVES else 0)

    def foreign_member(self, value: Value, name: str) -> Value:
        """Of a container: remembered with its arguments, for the call that follows."""
        return containers.member(value, name)

    def foreign_call(self, value: Value) -> Value | None:
        """Getters give one of the arguments, perhaps in an Option."""
        return containers.call(value)


_CRATES = frozenset({"std", "core", "alloc", "proc_macro", "test"})


def _joined(given: Sequence[Binding]) -> Binding:
    """One parameter with all its bounds."""
    return given[0]._replace(annotation=" + ".join(one.annotation for one in given if one.annotation))
