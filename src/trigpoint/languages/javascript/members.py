"""Members of classes, interfaces and objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trigpoint.languages.javascript.bound import is_parameter_property
from trigpoint.languages.javascript.modules import required
from trigpoint.languages.javascript.named import Label, decorator, decorators_beside, leading, of_value
from trigpoint.languages.javascript.places import OBJECT_LIKE, QUIET, before, member_modifiers
from trigpoint.languages.javascript.values import (
    FUNCTIONS,
    PLAIN,
    annotation,
    has_methods,
    literal,
    name_of,
    place_of,
)
from trigpoint.languages.syntax import Definition, Node, children_of_kind, text

_DECLARED = frozenset({"method_signature", "abstract_method_signature"})
_FIELDS = frozenset({"field_definition", "public_field_definition"})


def member(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A method, accessor or field of a class, an object or an interface."""
    name_node = node.child_by_field_name("name") or node.child_by_field_name("property")
    if name_node is None:
        return
    name, name_node = name_of(name_node, src), place_of(name_node)
    own, start = leading(node)
    decorators = own or (decorators_beside(node) if before(node, src, 8)[-1:] not in _NO_DECORATOR else [])
    modifiers = member_modifiers(start.start_byte, name_node, src)
    shell = Definition(
        name,
        "method",
        name_node,
        decorators=tuple(decorator(one, src) for one in decorators),
        modifiers=modifiers,
        start_node=start if own else None,
        lead_node=node if own else decorators[0] if decorators else None,
    )
    if node.type in _FIELDS:
        yield from _field(shell, node.child_by_field_name("value"), src)
        return
    if node.type in _DECLARED:
        shell = shell._replace(modifiers=(*modifiers, "declaration"))
    elif name == "constructor" and inside == "class":
        shell = shell._replace(kind="constructor")
    if inside == "exports":
        shell = shell._replace(kind="function", modifiers=(*modifiers, "export"))
    yield shell._replace(
        body=node.child_by_field_name("body"),
        returns=annotation(node.child_by_field_name("return_type"), src),
    )


_NO_DECORATOR = frozenset({b"{", b"}", b";", b",", b"/", b""})
"""What stands before most members: then there is no need to look for decorators."""


def _field(shell: Definition, value: Node | None, src: bytes) -> Iterator[Definition]:
    for one in of_value(Label(shell.name, shell.name_node, "field"), literal(value, src), src):
        if one.name:
            yield one._replace(
                kind="method" if one.kind == "function" else one.kind,
                decorators=shell.decorators,
                modifiers=shell.modifiers + one.modifiers,
                start_node=shell.start_node,
                lead_node=shell.lead_node,
            )
        else:
            yield one


def parameter_properties(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``constructor(private repo: Repo)`` in a class body: the parameter is a field of the class."""
    for child in children_of_kind(node, "method_definition"):
        if text(child.child_by_field_name("name"), src) == "constructor":
            parameters = child.child_by_field_name("parameters")
            for one in children_of_kind(parameters, "required_parameter", "optional_parameter"):
                if is_parameter_property(one):
                    yield from _parameter_property(one, src)


def _parameter_property(node: Node, src: bytes) -> Iterator[Definition]:
    pattern = node.child_by_field_name("pattern")
    if pattern is not None and pattern.type == "identifier":
        modifiers = member_modifiers(node.start_byte, pattern, src)
        name = text(pattern, src)
        yield Definition(
            name, "field", pattern, modifiers=modifiers, scope=False, start_node=node, end_node=node
        )


def pair(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``load: async () => …`` in an object; plain values count where the object has a name."""
    value = node.child_by_field_name("value")
    named = inside in OBJECT_LIKE
    if value is None or (not named and value.type in PLAIN):
        return ()
    value = literal(value, src)
    if value is None or (not named and not _defines(value, inside)):
        return ()
    key = node.child_by_field_name("key")
    if (
        key is None
        or key.type == "number"
        or (key.type == "computed_property_name" and value.type not in FUNCTIONS)
    ):
        return ()
    return _pair(key, value, src, exported=inside == "exports")


def _defines(value: Node, inside: str) -> bool:
    """Whether a pair of an object without a name is a definition: where it holds a function, and is no mere option."""
    kind: str = value.type
    if inside in QUIET:
        return kind in ("function_expression", "generator_function")
    return kind in FUNCTIONS or kind == "class" or (kind == "object" and has_methods(value))


def _pair(key: Node, value: Node, src: bytes, exported: bool) -> Iterator[Definition]:
    if exported and (value.type == "identifier" or required(value, src) is not None):
        return  # a re-export
    label = Label(name_of(key, src), place_of(key), "constant" if exported else "property")
    for one in of_value(label, value, src):
        if one.kind == "function" and not exported:
            yield one._replace(kind="method")
        elif one.name and exported:
            yield one._replace(modifiers=("export", *one.modifiers))
        else:
            yield one
