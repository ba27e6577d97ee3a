"""C#'s imports and uses; definitions and bindings are beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.csharp.bound import bindings
from trigpoint.languages.csharp.conditionals import prepare
from trigpoint.languages.csharp.defined import definition
from trigpoint.languages.csharp.names import leaf, owner, plain, used_type
from trigpoint.languages.syntax import Node, Target, children_of_kind, flat, line_of
from trigpoint.model import Import

__all__ = ["bindings", "definition", "imports", "prepare", "reference"]


# imports


def imports(node: Node, src: bytes) -> Iterable[Import]:
    """``using A.B`` and ``using static A.B`` take everything in it; an alias names one thing.

    A ``global using`` is of the kind reexport: every file of the project sees it.
    """
    if node.type != "using_directive":
        return (Import(flat(node.child_by_field_name("name"), src), "", "", line_of(node), kind="package"),)
    if not node.named_child_count:
        return ()
    last = node.named_child(node.named_child_count - 1)
    path = flat(last, src).partition("<")[0].removeprefix("global::")
    kind = "reexport" if node.child(0).type == "global" else "import"
    alias = node.child_by_field_name("name")
    if alias is None or last == alias:
        return (Import(path, "*", "", line_of(node), kind=kind),)
    module, _, name = path.rpartition(".")
    return (Import(module, name, plain(alias, src), line_of(node), kind=kind),)


# uses


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, what is made, types where they are written, names passed as values."""
    return _READERS[node.type](node, src)


_NAMES = frozenset({"identifier", "generic_name"})


def _call(node: Node, src: bytes) -> Iterable[Target]:
    function = node.child_by_field_name("function")
    if function is None:
        return ()
    kind, before, name = function.type, None, function
    if kind == "member_access_expression":
        name, before = function.child_by_field_name("name"), function.child_by_field_name("expression")
    elif kind == "conditional_access_expression":
        bound = function.named_child(function.named_child_count - 1)
        name, before = bound.child_by_field_name("name"), function.child_by_field_name("condition")
    elif kind in ("member_binding_expression", "alias_qualified_name"):
        name = function.child_by_field_name("name")
    if name is None or name.type not in _NAMES:
        return ()
    name = leaf(name)
    said = plain(name, src)
    return (Target(said, owner(before, src), name),) if before is not None or said != "nameof" else ()


def _new(node: Node, src: bytes) -> Iterable[Target]:
    return used_type(node.child_by_field_name("type"), src, "new")


def _initializer(node: Node, src: bytes) -> Iterator[Target]:
    """``: base(…)`` and ``: this(…)``."""
    for one in node.children:
        if one.type in ("base", "this"):
            yield Target(one.type, "", one, "call")


def _argument(node: Node, src: bytes) -> Iterable[Target]:
    count = node.named_child_count
    last = node.named_child(count - 1) if count else None
    return _value(last, src) if last is not None and last.type in _VALUES else ()


_VALUES = frozenset({"identifier", "member_access_expression"})


def _value(node: Node | None, src: bytes) -> Iterable[Target]:
    if node is None:
        return ()
    if node.type == "identifier":
        return (Target(plain(node, src), "", node, "value"),)
    if node.type == "member_access_expression":
        name = node.child_by_field_name("name")
        if name is not None:
            before = owner(node.child_by_field_name("expression"), src)
            return (Target(plain(leaf(name), src), before, leaf(name), "value"),)
    return ()


def _variables(node: Node, src: bytes) -> Iterator[Target]:
    """The declared type, which ``new()`` makes; names as values."""
    declared = node.child_by_field_name("type")
    declarators = [one for one in children_of_kind(node, "variable_declarator") if one.named_child_count > 1]
    values = [one.named_child(one.named_child_count - 1) for one in declarators]
    made = any(one.type == "implicit_object_creation_expression" for one in values)
    yield from used_type(declared, src, "new" if made else "type")
    for one in values:
        yield from _value(one, src)


def _typed(*fields: str) -> Callable[[Node, bytes], Iterable[Target]]:
    """A node with a type in the first of these fields that it has."""

    def read(node: Node, src: bytes) -> Iterable[Target]:
        for name in fields:
            found = node.child_by_field_name(name)
            if found is not None:
                return used_type(found, src)
        return ()

    return read


def _listed(node: Node, src: bytes) -> Iterator[Target]:
    for one in node.named_children:
        yield from used_type(one, src)


def _constant(node: Node, src: bytes) -> Iterable[Target]:
    """``x is Foo`` reads like a constant; a member is one."""
    only = node.named_child(0) if node.named_child_count else None
    if only is not None and only.type == "identifier":
        return used_type(only, src)
    return _value(only, src)


def _property(node: Node, src: bytes) -> Iterable[Target]:
    value = node.child_by_field_name("value")
    made = value is not None and value.type == "implicit_object_creation_expression"
    return used_type(node.child_by_field_name("type"), src, "new" if made else "type")


_TYPE = _typed("type")
_READERS: Mapping[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "invocation_expression": _call,
    "object_creation_expression": _new,
    "array_creation_expression": _TYPE,
    "constructor_initializer": _initializer,
    "argument": _argument,
    "variable_declaration": _variables,
    "parameter": _TYPE,
    "parameter_list": _TYPE,
    "catch_declaration": _TYPE,
    "foreach_statement": _TYPE,
    "cast_expression": _TYPE,
    "typeof_expression": _TYPE,
    "default_expression": _TYPE,
    "declaration_pattern": _TYPE,
    "recursive_pattern": _TYPE,
    "type_pattern": _TYPE,
    "declaration_expression": _TYPE,
    "tuple_element": _TYPE,
    "type_parameter_constraint": _TYPE,
    "constant_pattern": _constant,
    "is_expression": _typed("right"),
    "as_expression": _typed("right"),
    "type_argument_list": _listed,
    "explicit_interface_specifier": _listed,
    "method_declaration": _typed("returns"),
    "local_function_statement": _TYPE,
    "property_declaration": _property,
    "indexer_declaration": _TYPE,
    "event_declaration": _TYPE,
    "delegate_declaration": _TYPE,
    "operator_declaration": _TYPE,
    "conversion_operator_declaration": _TYPE,
}
