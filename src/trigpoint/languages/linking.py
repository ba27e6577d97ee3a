"""The seam of linking: what a language tells of how its names reach their definitions.

How to add linking for a language
=================================

1. Write ``languages/<folder>/link.py`` with a class ``Linking(Rules)`` and put ``link = true`` into the folder's
   language.toml (dialects share it; ``link = "cpp"`` uses the module of another folder, so that both are linked as one).
2. One ``Linking`` is made for each link run, with the paths of all its files: index there what imports are looked up by
   (module names, package folders, namespaces). ``project.text(path)`` reads a configuration file as it was indexed;
   name such files in ``configured_by``, so that a change of one links everything anew.
3. Answer the questions below, most of which have an answer that fits already. The two that every language needs:

   - ``imported(facts, item)``: what an Import stands for: a ``Found`` with a module (``module(path)``), a definition
     (``project.exported(module, name)``), or ``EXTERNAL`` when it lies outside the project. Never None for a name that
     an import binds: an import that is not found in the project is external.
   - ``beyond(facts, scope, name)``: names that are seen without an import: the package, wildcards, includes, built-ins.

   Then, by need: ``bound`` (the local name of an import), ``own_name`` and ``special`` (self, this, super, Self),
   ``exported`` (what a module offers: a module is any string of yours, its path need not be a file), ``members``
   (further members of a type, when they stand outside it: Go, Rust, C++), ``bases``, ``types`` and ``steps`` (forms of
   their own), ``iterated``, ``entered``, ``called`` (what becomes of values of foreign types).
4. The engine (indexing/linking) does the rest: scopes and shadowing, flow of bindings, annotations, returned values,
   attributes, chains, linearised bases, edges with their confidence, and what must be linked again after a change.
   The outline gives it Symbol, Import, Reference and Binding; nothing is parsed again.
5. What rules read beside the outline must be told, or edges that it decides are kept after a change: a signature or a
   decorator in ``reads_heads`` or ``head``, the arguments of a call in ``reads_calls``, a word anywhere in the text in ``read``.
6. Two rules keep edges honest. No edge is better than an invented one: return None for unknown. A receiver known to be
   foreign is EXTERNAL, which ends the search; only None may ever be guessed at.
7. What several places could mean is ``Found("ambiguous", ...)``: kept with a confidence below .5.

The nouns, and what rules may ask of the engine, are in ``found.py``. What several languages share lies beside:
``fullnames.py`` (definitions by full names, whatever their files), ``extensions.py`` (methods that stand outside their
type), ``overloads.py`` with ``arguments.py`` (which of several functions a call means),
``includes.py`` (files that are seen through includes).
The tests in tests/test_link_python.py show how to state an expectation in one line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import cache
from importlib import import_module

from trigpoint.languages import registry
from trigpoint.languages.expressions import Type, steps, types
from trigpoint.languages.facts import Facts, Slot
from trigpoint.languages.found import CONFIDENCE, EXTERNAL, OUTSIDE, UNKNOWN, Found, Project, Value, module
from trigpoint.model import MODULE, Import, Reference, Symbol

__all__ = [
    "CONFIDENCE", "EXTERNAL", "OUTSIDE", "UNKNOWN", "Found", "LinkingClass", "Project", "Rules", "Value", "family", "linking",
    "module", "words",
]  # fmt: skip


class Rules:
    """What linking asks of a language. Every answer here fits a language with files as modules and lexical scopes."""

    classes: Collection[str] = frozenset(
        {"class", "interface", "struct", "enum", "trait", "record", "union", "object"}
    )
    """Kinds of symbols that have members and instances."""

    callables: Collection[str] = frozenset({"function", "method", "constructor", "macro", *classes})
    """Kinds of symbols that a call can reach."""

    spaces: Collection[str] = frozenset({"module", "namespace", "package"})
    """Kinds of symbols that only hold names."""

    sees_class_scope = True
    """Whether code in a method sees the members of its class by their bare names."""

    sees_class_names = False
    """Whether it sees at least what ``bare`` gives of its class: type parameters."""

    plain_scopes = False
    """Whether scopes see only what is written in them and around them: ``bare`` gives nothing where there is no slot, and
    neither classes nor ``reach`` bring more."""

    typed_inside = False
    """Whether the types that a function is declared with are read inside it, where its type parameters are."""

    redeclared = False
    """Whether each binding of a local declares it anew, so that the nearest one before a use is meant (blocks are no scopes)."""

    reaches = False
    """Whether scopes see names that are not written in them: ``reach`` is asked."""

    explicit = False
    """Whether a file can reach another one only along imports."""

    asks_by_name = False
    """Whether the rules look at another file only by names (``Facts.slot``, ``returns``, ``entries``, through the project),
    and else at its ``exports`` and ``package``: then it is seen which uses depend on a changed name."""

    tells_unions = False
    """Whether an object declared with several types of the project may be any of them; else the first is meant."""

    finds_members = False
    """Whether ``found_member`` is asked for members instead of the search along the bases."""

    special_names: Collection[str] = ()
    """The words that ``special`` knows."""

    call_member = ""
    """The member that makes an instance callable."""

    configured_by: Collection[str] = ()
    """Names of configuration files that change where imports lead; patterns with ``*``."""

    leads_anywhere: Collection[str] = ()
    """Names of files, patterns with ``*``, whose imports may lead to files of every language: they are linked again when any
    file comes or goes."""

    reads_heads = True
    """Whether signatures and decorators are read."""

    reads_calls = True
    """Whether the text around a use may be read: as far behind it as ``arguments.LONGEST`` says, and the line before."""

    wide_names: Collection[str] = ()
    """Names that are imported without being written: a change of one concerns all files that can reach it."""

    foreign_methods: Collection[str] = ()
    """Method names of built-in types: never guessed at. Where there are none, nothing is."""

    def __init__(self, project: Project, paths: Sequence[str]) -> None:
        self.project = project
        self.paths = paths

    @classmethod
    def moves(cls, path: str, text: Callable[[str], str]) -> bool:
        """Whether imports that do not name a file that came or went may lead elsewhere now; ``text`` reads any file."""
        return False

    @classmethod
    def head(cls, symbol: Symbol) -> Hashable:
        """What the rules read of a symbol beside its names, kind, bases, modifiers and receiver."""
        return (symbol.signature, symbol.decorators) if cls.reads_heads else None

    @staticmethod
    def read(text: str, symbols: Iterable[Symbol]) -> Hashable:
        """What the rules read of a text as a whole; what they read around a use is told by ``reads_calls``."""
        return None

    # names

    def named(self, use: Reference) -> str:
        """What a use is looked up by: its name, unless methods and fields of one name are told apart by it."""
        return use.name

    def bound(self, item: Import) -> str:
        """The local name of an import; "" when it binds none."""
        return item.alias

    def imported(self, facts: Facts, item: Import) -> Found:
        """What an import stands for."""
        return OUTSIDE

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """Where an import leads, as (how, path, symbol or MODULE): the definition, and the file it is imported from."""
        found = self.imported(facts, item)
        if found.symbol is not None:
            yield found.how, *found.symbol
        elif found.value is not None and found.value.role == "module":
            yield found.how, found.value.path, MODULE
        if item.name and item.module:
            source = self.imported(facts, item._replace(name="", alias=item.alias or item.name))
            if source.value is not None and source.value.role == "module":
                yield source.how, source.value.path, MODULE

    def beyond(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A name that no scope of the file holds."""
        return None

    def bare(self, facts: Facts, scope: int, name: str) -> Slot | None:
        """What a bare name stands for in exactly this scope."""
        return facts.slot(scope, name)

    def reach(self, facts: Facts, scope: int, name: str) -> Found | None:
        """What a scope sees besides its own names: the class of a method written outside it, other parts of a namespace."""
        return None

    def special(self, facts: Facts, scope: int, name: str) -> Found | None:
        """A word that names something by itself: super, this, Self. Asked before the scopes."""
        return None

    def type_around(self, facts: Facts, scope: int) -> int:
        """The innermost type that a scope is or lies in; MODULE outside of any."""
        owner = scope
        while owner != MODULE and facts.symbols[owner].kind not in self.classes:
            owner = facts.symbols[owner].container
        return owner

    def own_name(self, facts: Facts, method: int) -> str:
        """What a method calls its own object; "" when it has none."""
        return facts.first_parameter(method)

    def own(self, facts: Facts, method: int) -> Value | None:
        """What that name is worth."""
        return Value("instance", facts.path, facts.symbols[method].container)

    # modules and types

    def exported(self, module: Value, name: str) -> Found | None:
        """What a module offers under a name; by default what its file defines or imports at the top."""
        facts = self.project.facts(module.path)
        if facts is None:
            return None
        return self.project.local(facts, MODULE, name)

    def all_exported(self, module: Value) -> Iterable[str]:
        """The names that a wildcard import of the module binds."""
        facts = self.project.facts(module.path)
        return facts.names_in(MODULE) if facts is not None else ()

    def is_type(self, facts: Facts, index: int) -> bool:
        """Whether a symbol has members that are reached through it or its instances."""
        return facts.symbols[index].kind in self.classes

    def is_callable(self, facts: Facts, index: int) -> bool:
        """Whether a call can reach a symbol."""
        return facts.symbols[index].kind in self.callables

    def inside(self, facts: Facts, owner: int, name: str) -> Slot | None:
        """What stands in a type as its member."""
        return facts.slot(owner, name)

    def members(self, facts: Facts, owner: int, name: str) -> Found | None:
        """A member of a type that stands outside it; asked when the type itself has none of that name."""
        return None

    def found_member(self, value: Value, name: str) -> Found | None:
        """A member of a type or an instance, where the rules look for it themselves (``finds_members``)."""
        return None

    def made(self, value: Value) -> Found | None:
        """What a bare call of ``super`` runs."""
        return None

    @staticmethod
    def offering(path: str) -> Iterable[str]:
        """Paths of files that, where they exist, offer this one as a member without importing it: its packages."""
        return ()

    def bases(self, facts: Facts, index: int) -> Sequence[str]:
        """The base types of a class as written."""
        return facts.symbols[index].bases

    def linear(self, bases: Sequence[Sequence[Value]]) -> Sequence[Value]:
        """The order in which members are looked for, of the orders of the bases: depth first, each once."""
        return list(dict.fromkeys(value for order in bases for value in order))

    def is_property(self, symbol: Symbol) -> bool:
        """Whether reading the method gives what it returns."""
        return "property" in symbol.modifiers

    def stands_back(self, symbol: Symbol) -> bool:
        """Whether another definition of the same name in the same scope is meant instead of this one."""
        return "overload" in symbol.modifiers

    def returns_owner(self, facts: Facts, method: int, declared: str) -> bool:
        """Whether a method with this declared return type returns the type of the object it is called on."""
        return declared == "Self"

    def chosen(self, facts: Facts, use: Reference, target: tuple[str, int]) -> tuple[str, int] | None:
        """Which of the definitions that share name and scope with the one found a call means; None when nothing tells."""
        return target

    def returned(self, facts: Facts, index: int) -> Value | None:
        """What a call gives of a definition that tells no result."""
        return None

    # expressions

    def steps(self, text: str) -> tuple[str, ...]:
        """An expression as steps."""
        return steps(text)

    def types(self, text: str) -> tuple[Type, ...]:
        """A type as its alternatives."""
        return types(text)

    def literal(self, facts: Facts, scope: int, text: str) -> Found | None:
        """What a literal is worth."""
        return OUTSIDE

    def typed(self, facts: Facts, scope: int, one: Type) -> Value | None:
        """What an expression of a type with a meaning of its own is worth (Optional[T], Promise<T>); None: look it up."""
        return None

    def iterated(self, value: Value) -> Value | None:
        """What a loop over a value gives."""
        return value.args[0] if value.args else None

    def runs(self, value: Value, kind: str) -> Iterable[Found]:
        """The methods that a loop over an object (``for``) or a ``with`` runs without naming them."""
        return ()

    def entered(self, value: Value) -> Value | None:
        """What ``with value as x`` gives."""
        return value

    def item(self, value: Value, index: str) -> Value | None:
        """``value[index]``."""
        return value.args[-1] if value.args else None

    def given(self, value: Value, place: str) -> Value | None:
        """What a call of a value hands to a function that it is given; for expressions of the language's own form."""
        return None

    def foreign_member(self, value: Value, name: str) -> Value:
        """A member of something external."""
        return EXTERNAL

    def foreign_found(self, value: Value, name: str) -> Found | None:
        """What the project adds to something external: a method for its type; asked before ``foreign_member``."""
        return None

    def foreign_call(self, value: Value) -> Value | None:
        """What a call of something external gives."""
        return EXTERNAL


def words(text: str) -> frozenset[str]:
    """A table of names from one text."""
    return frozenset(text.split())


LinkingClass = type[Rules]


@cache
def family(language: str) -> str:
    """The folder whose link.py links a language; "" when none does."""
    known = registry().get(language)
    told = known.tables.get("link") if known is not None else None
    if not told or known is None:
        return ""
    return told if isinstance(told, str) else known.folder


@cache
def linking(folder: str) -> LinkingClass:
    """The rules in a folder's link.py."""
    made: LinkingClass = import_module(f"trigpoint.languages.{folder}.link").Linking
    return made
