"""What C#'s names are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.csharp.names import owner, plain
from trigpoint.languages.syntax import Node, children_of_kind, expression, flat, line_of, text
from trigpoint.model import Binding

_OWNERS = frozenset({"class", "struct", "record", "interface"})


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """What names are bound to; ``var`` is no type, so the value stands for it.

    Parameters in the head of a class or record are attributes of it.
    """
    return _BINDERS[node.type](node, src, inside)


_FOLLOWED = frozenset(
    {
        "identifier", "member_access_expression", "invocation_expression", "object_creation_expression",
        "element_access_expression", "this", "conditional_access_expression",
    }
)  # fmt: skip
_AROUND = frozenset({"parenthesized_expression", "await_expression", "postfix_unary_expression"})


def _value(node: Node | None, src: bytes) -> str:
    """The part of a value that tells its type: the call in ``given ?? new Foo()``; an awaited call is itself."""
    while node is not None:
        kind = node.type
        if kind == "object_creation_expression":
            return f"new {flat(node.child_by_field_name('type'), src)}()"
        if kind in _FOLLOWED:
            return owner(node, src)
        if kind in _AROUND and node.named_child_count:
            node = node.named_child(0)
        elif kind == "binary_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if node.child_by_field_name("operator").type != "??":
                return ""
            node = right if right is not None and right.type in _CALLS else left
        elif kind == "conditional_expression":
            node = node.child_by_field_name("consequence")
        elif kind == "assignment_expression":
            node = node.child_by_field_name("right")
        else:
            return ""
    return ""


_CALLS = frozenset({"object_creation_expression", "invocation_expression"})


def _declared(node: Node, src: bytes) -> str:
    annotation = flat(node.child_by_field_name("type"), src)
    return "" if annotation in ("var", "ref var") else annotation


def _told(value: Node | None, src: bytes) -> str:
    """The type that a value says: of a cast, or after ``as``."""
    if value is not None and value.type == "cast_expression":
        return flat(value.child_by_field_name("type"), src)
    if value is not None and value.type == "as_expression":
        return flat(value.child_by_field_name("right"), src)
    return ""


def _fields(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    for one in children_of_kind(node, "variable_declaration"):
        yield from _declarators(one, src, "attribute")


def _variables(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    if inside in _OWNERS or (inside in _HOLDERS and node.parent is not None and node.parent.type in _FIELDS):
        return ()  # bound with their field
    return _declarators(node, src, "assign")


_HOLDERS = frozenset({"field", "constant", "event"})
_FIELDS = frozenset({"field_declaration", "event_field_declaration"})


def _declarators(node: Node, src: bytes, kind: str) -> Iterator[Binding]:
    annotation = _declared(node, src)
    for one in children_of_kind(node, "variable_declarator"):
        name, count = one.child_by_field_name("name"), one.named_child_count
        value = one.named_child(count - 1) if count > 1 else None
        if name is not None:
            said = annotation or _told(value, src)
            yield Binding(plain(name, src), kind, _value(value, src), said, line_of(one))
        elif count and one.named_child(0).type == "tuple_pattern":
            yield from _unpacked(one.named_child(0), _value(value, src), src, "assign")


def _unpacked(pattern: Node, value: str, src: bytes, kind: str) -> Iterator[Binding]:
    for index, one in enumerate(pattern.named_children):
        if one.type == "tuple_pattern":
            yield from _unpacked(one, "", src, kind)
        elif one.type == "identifier":
            yield Binding(plain(one, src), kind, f"{value}[{index}]" if value else "", "", line_of(one))


def _parameter(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    name = node.child_by_field_name("name")
    if name is None:
        return ()
    kind = "attribute" if inside in _OWNERS else "param"
    return (Binding(plain(name, src), kind, "", _declared(node, src), line_of(name)),)


def _accessor(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """``set``, ``init``, ``add`` and ``remove`` are given a value."""
    name = node.child_by_field_name("name")
    if name is None or name.type == "get" or node.child_by_field_name("body") is None:
        return ()
    return (Binding("value", "param", "", "", line_of(node)),)


def _lone(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """The parameter of ``x => …``."""
    return (Binding(plain(node, src), "param", "", "", line_of(node)),)


def _generics(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Type parameters with their first bound."""
    bounds = {
        text(clause.named_child(0), src): flat(clause.named_child(1), src)
        for clause in children_of_kind(node, "type_parameter_constraints_clause")
        if clause.named_child_count > 1
    }
    for given in children_of_kind(node, "type_parameter_list"):
        for one in children_of_kind(given, "type_parameter"):
            name = text(one.child_by_field_name("name"), src)
            bound = bounds.get(name, "")
            yield Binding(name, "param", "", "" if bound in _NO_TYPES else bound, line_of(one))


_NO_TYPES = frozenset({"class", "class?", "struct", "notnull", "unmanaged", "new()", "default"})


def _loop(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    left = node.child_by_field_name("left")
    value = _value(node.child_by_field_name("right"), src)
    if left is not None and left.type == "identifier":
        yield Binding(plain(left, src), "for", value, _declared(node, src), line_of(left))
    elif left is not None:
        yield from _unpacked(left, "", src, "for")


def _named(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """A node with a name and perhaps a type: catch, patterns, ``out var x``."""
    name = node.child_by_field_name("name")
    if name is None or name.type != "identifier":
        return ()
    return (Binding(plain(name, src), "assign", "", _declared(node, src), line_of(name)),)


def _assigned(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    left = node.child_by_field_name("left")
    if left is None or left.type != "member_access_expression":
        return ()
    value = _value(node.child_by_field_name("right"), src)
    return (Binding(expression(left, src), "attribute", value, "", line_of(left)),)


def _clause(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """The variable of a query's from, let or join."""
    name = node.child_by_field_name("name") or next(children_of_kind(node, "identifier"), None)
    if name is None:
        return
    count = node.named_child_count
    values = (
        node.named_child(count - 1) if node.type != "join_clause" else node.named_child(min(1, count - 1))
    )
    kind = "assign" if node.type == "let_clause" else "for"
    yield Binding(plain(name, src), kind, _value(values, src), _declared(node, src), line_of(name))


def _member(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    name = node.child_by_field_name("name")
    if name is None:
        return ()
    value = _value(node.child_by_field_name("value"), src)
    return (Binding(plain(name, src), "attribute", value, _declared(node, src), line_of(name)),)


def _enum_member(node: Node, src: bytes, inside: str) -> Iterator[Binding]:
    """Each member is a constant of the enum's own type."""
    listed = node.parent
    around = listed.parent if listed is not None else None
    name = around.child_by_field_name("name") if around is not None else None
    own = node.child_by_field_name("name")
    yield Binding(plain(own, src), "attribute", "", plain(name, src), line_of(node))


_BINDERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "variable_declaration": _variables,
    "field_declaration": _fields,
    "event_field_declaration": _fields,
    "accessor_declaration": _accessor,
    "parameter": _parameter,
    "parameter_list": _parameter,
    "implicit_parameter": _lone,
    "class_declaration": _generics,
    "struct_declaration": _generics,
    "interface_declaration": _generics,
    "record_declaration": _generics,
    "delegate_declaration": _generics,
    "method_declaration": _generics,
    "local_function_statement": _generics,
    "foreach_statement": _loop,
    "catch_declaration": _named,
    "declaration_pattern": _named,
    "recursive_pattern": _named,
    "var_pattern": _named,
    "declaration_expression": _named,
    "assignment_expression": _assigned,
    "from_clause": _clause,
    "let_clause": _clause,
    "join_clause": _clause,
    "property_declaration": _member,
    "event_declaration": _member,
    "enum_member_declaration": _enum_member,
}
