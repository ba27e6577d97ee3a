"""PHP's imports and uses; definitions and bindings are beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.php.bound import bindings
from trigpoint.languages.php.defined import definition
from trigpoint.languages.php.names import NAMES, owner, parted
from trigpoint.languages.syntax import Node, Target, children_of_kind, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "definition", "imports", "reference"]


# imports


def imports(node: Node, src: bytes) -> Iterable[Import]:
    """``use A\\B as C`` takes B from the namespace A; an included file is named from this one's folder: "./x.php"."""
    if node.type == "namespace_definition":
        name = node.child_by_field_name("name")
        return (
            (Import(_joined(name, src), "", "", line_of(node), kind="package"),) if name is not None else ()
        )
    if node.type == "namespace_use_declaration":
        return _uses(node, src)
    return _included(node, src)


def _joined(node: Node | None, src: bytes) -> str:
    return "".join(text(node, src).split()).strip("\\")


def _uses(node: Node, src: bytes) -> Iterator[Import]:
    prefix = _joined(next(children_of_kind(node, "namespace_name"), None), src)
    group = node.child_by_field_name("body")
    for one in children_of_kind(group if group is not None else node, "namespace_use_clause"):
        written = next(children_of_kind(one, *NAMES), None)
        path = "\\".join(part for part in (prefix, _joined(written, src)) if part)
        module, _, name = path.rpartition("\\")
        alias = one.child_by_field_name("alias")
        yield Import(module, name, text(alias, src) or name, line_of(one))


def _included(node: Node, src: bytes) -> Iterable[Import]:
    given = node.named_child(0) if node.named_child_count else None
    while given is not None and given.type == "parenthesized_expression" and given.named_child_count:
        given = given.named_child(0)
    here = False
    if given is not None and given.type == "binary_expression":
        left, given = text(given.child_by_field_name("left"), src), given.child_by_field_name("right")
        here = left == "__DIR__" or left.startswith("dirname(__FILE__")
    if given is None or given.type not in ("string", "encapsed_string") or given.named_child_count != 1:
        return ()
    path = text(given.named_child(0), src)
    return (Import(f"./{path.lstrip('/')}" if here else path, "", "", line_of(node), kind="include"),)


# uses


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, types, constants of classes, and methods named by arrays: ``[$this, 'method']``."""
    return _READERS[node.type](node, src)


def _named(node: Node | None, src: bytes, kind: str) -> Iterable[Target]:
    if node is None or node.type not in NAMES:
        return ()
    name, before, leaf = parted(node, src)
    return (Target(name, before, leaf, kind),)


def _function_call(node: Node, src: bytes) -> Iterable[Target]:
    function = node.child_by_field_name("function")
    if function is not None and function.type == "variable_name":
        return (Target(text(function, src), "", function),)
    return _named(function, src, "call")


def _member_call(node: Node, src: bytes) -> Iterable[Target]:
    name = node.child_by_field_name("name")
    if name is None or name.type != "name":
        return ()
    return (Target(text(name, src), owner(node.child_by_field_name("object"), src), name),)


def _scoped_call(node: Node, src: bytes) -> Iterable[Target]:
    name, scope = node.child_by_field_name("name"), node.child_by_field_name("scope")
    if name is None or name.type != "name":
        return ()
    return (Target(text(name, src), owner(scope, src), name), *_named(scope, src, "type"))


def _made(node: Node, src: bytes) -> Iterable[Target]:
    return _named(next(children_of_kind(node, *NAMES), None), src, "new")


def _first_named(kind: str) -> Callable[[Node, bytes], Iterable[Target]]:
    def read(node: Node, src: bytes) -> Iterable[Target]:
        return _named(node.named_child(0) if node.named_child_count else None, src, kind)

    return read


def _of_class(node: Node, src: bytes) -> Iterator[Target]:
    """``A::B`` is the value B of A and a use of A; ``A::class`` only that."""
    if node.named_child_count < 2:
        return
    scope, name = node.named_child(0), node.named_child(1)
    yield from _named(scope, src, "type")
    said = text(name, src)
    if name.type == "name" and said != "class":
        yield Target(said, owner(scope, src), name, "value")


_MEMBERS = {"member_access_expression": "object", "scoped_property_access_expression": "scope"}


def _argument(node: Node, src: bytes) -> Iterable[Target]:
    """A constant or field that is passed; before it may stand the name of the parameter."""
    last = node.named_child(node.named_child_count - 1) if node.named_child_count else None
    kind = last.type if last is not None else ""
    if kind in NAMES:
        return _named(last, src, "value")
    if last is None or kind not in _MEMBERS:
        return ()
    name = last.child_by_field_name("name")
    return (Target(text(name, src), owner(last.child_by_field_name(_MEMBERS[kind]), src), name, "value"),)


def _tested(node: Node, src: bytes) -> Iterable[Target]:
    operator = node.child_by_field_name("operator")
    if operator is None or operator.type != "instanceof":
        return ()
    return _named(node.child_by_field_name("right"), src, "type")


def _callable_array(node: Node, src: bytes) -> Iterable[Target]:
    if node.named_child_count != 2:
        return ()
    parts = [one.named_child(0) for one in node.named_children if one.named_child_count == 1]
    if len(parts) != 2 or parts[1].type != "string" or parts[1].named_child_count != 1:
        return ()
    who, name = parts[0], parts[1].named_child(0)
    if who.type == "class_constant_access_expression":
        who = who.named_child(0)
    elif who.type != "variable_name" or text(who, src) != "$this":
        return ()
    said = text(name, src)
    return (Target(said, owner(who, src), name, "value"),) if said.isidentifier() else ()


def _traits(node: Node, src: bytes) -> Iterator[Target]:
    """Methods that ``use T { m as n; }`` takes."""
    for listed in children_of_kind(node, "use_list"):
        for clause in listed.named_children:
            first = clause.named_child(0) if clause.named_child_count else None
            if first is not None and first.type == "name":
                yield Target(text(first, src), "", first, "value")


_READERS: Mapping[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "function_call_expression": _function_call,
    "member_call_expression": _member_call,
    "nullsafe_member_call_expression": _member_call,
    "scoped_call_expression": _scoped_call,
    "object_creation_expression": _made,
    "named_type": _first_named("type"),
    "attribute": _first_named("decorator"),
    "class_constant_access_expression": _of_class,
    "binary_expression": _tested,
    "array_creation_expression": _callable_array,
    "use_declaration": _traits,
    "argument": _argument,
}
