"""A language's tables compiled against its grammar: one byte of role per node kind, so that the walk only looks up.

The parser is imported here, inside functions: only processes that parse files pay for it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any

from trigpoint.languages import Language, get
from trigpoint.languages.syntax import Hooks

(
    DEFINE,
    DEFINE_HOOK,
    REFERENCE,
    REFERENCE_HOOK,
    IMPORT,
    BIND,
    DECIDE,
    OPERATOR,
    COMMENT,
    WRAP,
    VALUES,
    SKIP,
) = (1 << bit for bit in range(12))
BIND_INSIDE, DECIDE_FILLED, BARE, REFERENCE_INSIDE, DECIDE_HOOK = (1 << bit for bit in range(12, 17))
"""Roles of a node kind; one kind may have several."""


@dataclass(frozen=True, slots=True)
class Use:
    """How a node kind that refers to something is read."""

    kind: str  # of the Reference
    target: int  # field id of what is named; 0: the first named child
    receiver: int  # field id of a receiver written beside the name; 0: none
    leaves: frozenset[int]  # when set, every leaf of these kinds is a use of its own


@dataclass(frozen=True, slots=True)
class Member:
    """How ``object.name`` is read: field ids of both, 0 for the first or last named child."""

    object: int
    name: int


@dataclass(frozen=True, slots=True)
class Grammar:
    """Everything the walk needs of one language."""

    language: Language
    parser: Any
    roles: list[int]
    define: Mapping[int, str]  # node kind -> symbol kind, for plain definitions
    uses: Mapping[int, Use]
    members: Mapping[int, Member]
    operators: Mapping[int, frozenset[str]]
    values: frozenset[int]  # kinds that count as a value where they stand in a list of values
    value_fields: Mapping[int, int]  # node kind -> the one field whose content is the value
    spread: frozenset[int]  # lists of values that stand where one value may stand: expression_list
    again: frozenset[int]  # kinds of expressions whose value is called: call, subscript
    unwrap: frozenset[int]  # kinds around what is called or made: generic_type, parenthesized_expression
    noise: re.Pattern[str] | None  # what a receiver is written without: the ? of a?.b
    builtin: frozenset[str]  # names of types that no project defines: not recorded as uses
    name_field: int
    body_field: int
    operator_field: int
    docstrings: bool
    once: bool  # whether a name is defined once, by the outermost node that has it
    methods_inside: frozenset[str]
    hooks: Hooks | None = None
    prepare: Callable[[bytes], bytes] | None = None
    kinds: Mapping[str, list[int]] = field(default_factory=dict)


CONTAINERS = frozenset(
    {"class", "interface", "struct", "enum", "trait", "record", "union", "object", "impl", "annotation"}
)
"""Symbol kinds whose functions are methods."""


def load(name: str) -> Grammar:
    """The compiled tables of a language with a grammar; one parser a process."""
    return _load(name)


@cache
def _load(name: str) -> Grammar:
    return compiled(get(name))


def compiled(language: Language) -> Grammar:
    """The tables of a language compiled against the grammar that it names.

    Raises ImportError when that grammar is not installed, ValueError when the two do not fit.
    """
    import tree_sitter

    module, function, *given = language.grammar.split(":")
    made: Any = getattr(import_module(module), function)(*given)
    if not isinstance(made, tree_sitter.Language):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # wheels built years ago give an address
            made = tree_sitter.Language(made)
    syntax: Any = made
    return compile_tables(language, syntax, tree_sitter.Parser(syntax))


def compile_tables(language: Language, syntax: Any, parser: Any) -> Grammar:
    """Compile the tables of ``language`` against a grammar.

    Raises ValueError when a table names a node kind or field that the grammar does not have.
    """
    tables = language.tables
    kinds = _kind_ids(syntax)
    roles = [0] * (syntax.node_kind_count + 1)
    hooks: Any = language.hooks()
    if tables.get("generic"):
        from trigpoint.languages.tail.rules import derived  # 2 ms that other languages do without

        tables, hooks = derived(kinds, tables)

    def mark(names: Any, role: int) -> list[int]:
        ids = [one for name in names for one in _ids(kinds, name, language.name)]
        for one in ids:
            roles[one] |= role
        return ids

    for table, role in _PLAIN_ROLES.items():
        mark(tables.get(table, ()), role)
    define = {one: kind for name, kind in tables.get("define", {}).items() for one in mark([name], DEFINE)}
    uses = {
        one: _use(entry, syntax, kinds, language.name)
        for name, entry in tables.get("reference", {}).items()
        for one in mark([name], REFERENCE)
    }
    members = {
        one: Member(_field(syntax, entry.get("object")), _field(syntax, entry.get("name")))
        for name, entry in tables.get("member", {}).items()
        for one in _ids(kinds, name, language.name)
    }
    decision = tables.get("decision", {})
    mark(decision.get("kinds", ()), DECIDE)
    operators = {
        one: frozenset(words)
        for name, words in decision.get("operators", {}).items()
        for one in mark([name], OPERATOR)
    }
    mark(decision.get("filled", ()), DECIDE_FILLED)
    mark(decision.get("hook", ()), DECIDE_HOOK)
    values = frozenset(
        one for name in tables.get("value_kinds", ()) for one in _ids(kinds, name, language.name)
    )
    spread = frozenset(one for name in tables.get("spread", ()) for one in _ids(kinds, name, language.name))
    again = frozenset(
        one for name in tables.get("called_again", ()) for one in _ids(kinds, name, language.name)
    )
    unwrap = frozenset(one for name in tables.get("unwrap", ()) for one in _ids(kinds, name, language.name))
    value_fields = {
        one: _field(syntax, name)
        for kind, name in tables.get("value_fields", {}).items()
        for one in mark([kind], VALUES)
    }
    return Grammar(
        language=language,
        parser=parser,
        roles=roles,
        define=define,
        uses=uses,
        members=members,
        operators=operators,
        values=values,
        value_fields=value_fields,
        spread=spread,
        again=again,
        unwrap=unwrap,
        noise=re.compile(tables["noise"]) if tables.get("noise") else None,
        builtin=frozenset(tables.get("builtin_types", ())),
        name_field=_field(syntax, tables.get("name_field", "name")),
        body_field=_field(syntax, tables.get("body_field", "body")),
        operator_field=_field(syntax, tables.get("operator_field", "operator")),
        docstrings=bool(tables.get("docstrings")),
        once=bool(tables.get("generic")),
        methods_inside=CONTAINERS,
        hooks=hooks,
        prepare=_prepare(hooks, tables.get("prepare")),
        kinds=kinds,
    )


def _prepare(hooks: Any, named: str | bool | None) -> Callable[[bytes], bytes] | None:
    """The hook that a table names; ``true`` names ``prepare``."""
    return getattr(hooks, named if isinstance(named, str) else "prepare") if named else None


_PLAIN_ROLES: Mapping[str, int] = {
    "define_hook": DEFINE_HOOK,
    "reference_hook": REFERENCE_HOOK,
    "reference_inside": REFERENCE_INSIDE,
    "import": IMPORT,
    "bind_hook": BIND,
    "bind_inside": BIND_INSIDE,
    "bare": BARE,
    "comment": COMMENT,
    "wrap": WRAP,
    "values": VALUES,
    "skip": SKIP,
}
"""Tables of language.toml that are lists of node kinds, and the role each gives."""


def _kind_ids(syntax: Any) -> dict[str, list[int]]:
    ids: dict[str, list[int]] = {}
    for one in range(syntax.node_kind_count):
        if syntax.node_kind_is_named(one):
            ids.setdefault(syntax.node_kind_for_id(one), []).append(one)
    return ids


def _ids(kinds: Mapping[str, list[int]], name: str, language: str) -> list[int]:
    if name.startswith("?"):
        return kinds.get(name[1:], [])  # a kind that only some dialects have
    if name not in kinds:
        raise ValueError(
            f"{language}/language.toml names the node kind {name!r}, which its grammar does not have"
        )
    return kinds[name]


def _field(syntax: Any, name: str | None) -> int:
    return (syntax.field_id_for_name(name) or 0) if name else 0


def _use(entry: Mapping[str, Any], syntax: Any, kinds: Mapping[str, list[int]], language: str) -> Use:
    leaves = frozenset(one for name in entry.get("leaves", ()) for one in _ids(kinds, name, language))
    return Use(
        entry["kind"], _field(syntax, entry.get("target")), _field(syntax, entry.get("receiver")), leaves
    )
