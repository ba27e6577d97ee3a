"""Python's definitions, imports, uses and bindings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.languages.python.bindings import bindings
from trigpoint.languages.python.targets import NAMES, TARGETS, bound
from trigpoint.languages.syntax import (
    Definition,
    Node,
    Target,
    expression,
    leaf_names,
    line_of,
    text,
)
from trigpoint.model import Import

__all__ = ["bindings", "definition", "imports", "reference"]

_MODIFIER_DECORATORS = {
    "staticmethod": "static",
    "classmethod": "classmethod",
    "property": "property",
    "cached_property": "property",
    "functools.cached_property": "property",
    "overload": "overload",
    "typing.overload": "overload",
    "abstractmethod": "abstract",
    "abc.abstractmethod": "abstract",
}


# definitions


def definition(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """Functions, classes, type aliases, names assigned at module or class level, and lambdas that get a name."""
    kind = node.type
    if kind == "assignment":
        yield from _assigned(node, src, inside)
    elif kind == "function_definition":
        yield _function(node, src, inside)
    elif kind == "class_definition":
        yield _class(node, src)
    else:
        left = node.child_by_field_name("left")
        for name, leaf in list(leaf_names(left, src, NAMES))[:1]:
            yield Definition(name, "type", leaf, scope=False)


def _decorators(node: Node, src: bytes) -> tuple[str, ...]:
    before = node.prev_named_sibling
    found = []
    while before is not None and before.type in ("decorator", "comment"):
        if before.type == "decorator":
            found.append(expression(before, src).lstrip("@").strip())
        before = before.prev_named_sibling
    return tuple(reversed(found))


def _function(node: Node, src: bytes, inside: str) -> Definition:
    name = node.child_by_field_name("name")
    decorators = _decorators(node, src)
    modifiers = [_MODIFIER_DECORATORS[one] for one in decorators if one in _MODIFIER_DECORATORS]
    modifiers += [one.rpartition(".")[2] for one in decorators if one.endswith((".setter", ".deleter"))]
    if node.child(0).type == "async":
        modifiers.append("async")
    return Definition(
        text(name, src),
        "method" if inside == "class" else "function",
        name,
        node.child_by_field_name("body"),
        decorators=decorators,
        modifiers=tuple(modifiers),
    )


def _class(node: Node, src: bytes) -> Definition:
    name = node.child_by_field_name("name")
    supers = node.child_by_field_name("superclasses")
    bases = tuple(
        expression(one, src)
        for one in (supers.named_children if supers is not None else ())
        if one.type not in ("comment", "keyword_argument", "list_splat", "dictionary_splat")
    )
    return Definition(
        text(name, src),
        "class",
        name,
        node.child_by_field_name("body"),
        bases=bases,
        decorators=_decorators(node, src),
    )


def _assigned(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    left = node.child_by_field_name("left")
    kind = left.type if left is not None else ""
    if kind == "identifier":
        right = node.child_by_field_name("right")
        if right is not None and right.type == "lambda":
            made = "method" if inside == "class" else "function"
            yield Definition(text(left, src), made, left, right.child_by_field_name("body"))
            return
    elif kind not in TARGETS:
        return
    if inside in ("", "class"):
        for name, leaf in bound(left, src):
            found = "constant" if name.isupper() else "field" if inside else "variable"
            yield Definition(name, found, leaf, scope=False)


# imports


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """``import a.b`` binds "a.b" as it is used; ``from . import x`` has the module "."."""
    line = line_of(node)
    if node.type == "import_statement":
        for child in node.named_children:
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
                yield Import(text(name, src), "", text(alias, src), line)
            elif child.type == "dotted_name":
                yield Import(text(child, src), "", text(child, src), line)
        return
    module_node = node.child_by_field_name("module_name")
    module = "".join(text(module_node, src).split())
    for child in node.named_children[1:]:
        at = line_of(child)
        if child.type == "wildcard_import":
            yield Import(module, "*", "", at)
        elif child.type == "aliased_import":
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            yield Import(module, text(name, src), text(alias, src), at)
        elif child.type == "dotted_name":
            yield Import(module, text(child, src), text(child, src), at)


# uses

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def reference(node: Node, src: bytes) -> Iterator[Target]:
    """Classes and constants named by patterns, and names in annotations that are written as strings."""
    first = node.named_child(0) if node.named_child_count else None
    if first is None or first.type not in ("dotted_name", "string"):
        return
    if first.type == "string":
        if node.type == "type" and not _in_literal(node, src):
            yield from _written(first, src)
        return
    owner, _, name = "".join(text(first, src).split()).rpartition(".")
    if node.type == "class_pattern":
        yield Target(name, owner, first, "type")
    elif owner:
        yield Target(name, owner, first, "value")


def _in_literal(node: Node, src: bytes) -> bool:
    generic = node.parent.parent if node.parent is not None and node.parent.type == "type_parameter" else None
    return generic is not None and text(generic, src, 20).startswith("Literal")


def _written(quoted: Node, src: bytes) -> Iterator[Target]:
    for dotted in _DOTTED.findall(text(quoted, src).strip("\"'")):
        owner, _, name = dotted.rpartition(".")
        yield Target(name, owner, quoted, "type")
