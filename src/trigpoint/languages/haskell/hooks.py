"""Haskell's definitions, imports and complexity; uses are in uses.py, bindings in bindings.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.haskell.bindings import bindings
from trigpoint.languages.haskell.names import (
    arrow,
    head,
    leaf,
    listed,
    module_of,
    pattern_variables,
    result,
)
from trigpoint.languages.haskell.prepared import literate, prepare
from trigpoint.languages.haskell.uses import reference
from trigpoint.languages.syntax import Definition, Node, Place, children_of_kind, flat, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "decisions", "definition", "imports", "literate", "prepare", "reference"]

# definitions


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Functions with their signature and all equations, types, constructors, fields, classes, instances, the module."""
    return _DEFINERS[node.type](node, src, inside)


_OUTER = frozenset({"", "class", "impl"})
"""What a definition stands in that is no local."""


def _module(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("module")
    if name is None:
        return
    prefix, dot, last = text(name, src).rpartition(".")
    row, column = name.start_point
    yield Definition(
        last, "module", Place((row, column + len(prefix.encode()) + len(dot))), prefix=prefix, scope=False
    )


def _signature(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """What a signature promises: its equations join it. A local one without arguments is a variable's."""
    names = listed(node)
    if inside not in _OUTER and not arrow(node):
        return
    if src[max(0, node.start_byte - 8) : node.start_byte].rstrip().endswith(b"default"):
        return
    if len(names) > 1 and inside != "class":
        return  # each of them has equations of its own
    kind = "method" if inside in ("class", "impl") else "function"
    for name in names:
        yield Definition(
            text(name, src),
            kind,
            name,
            modifiers=("declaration",),
            scope=len(names) == 1,
            returns=flat(result(node), src),
            joins=text(name, src),
        )


def _function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    body = node.child_by_field_name("match")
    name = head(node) if body is not None else None
    if name is not None:
        word = text(name, src)
        yield Definition(
            word, "method" if inside in ("class", "impl") else "function", name, body, joins=word
        )


_CONSTANTS = frozenset(
    {"literal", "list", "tuple", "record", "constructor", "negation", "arithmetic_sequence"}
)


def _bind(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """An equation without arguments: a constant when it is written out, else it computes, like a function."""
    body = node.child_by_field_name("match")
    if body is None:
        return
    name = leaf(node.child_by_field_name("name"))
    if name is None:
        for one in pattern_variables(node.child_by_field_name("pattern")) if inside in _OUTER else ():
            yield Definition(text(one, src), "constant", one, scope=False)
        return
    word = text(name, src)
    value = body.child_by_field_name("expression")
    kind = value.type if value is not None else ""
    if inside in _OUTER:
        found = "method" if inside else "constant" if kind in _CONSTANTS else "function"
        yield Definition(word, found, name, body, joins=word)
    elif kind in ("lambda", "lambda_case", "lambda_cases") or _promised(node, word, src):
        yield Definition(word, "function", name, body, joins=word)


def _promised(node: Node, word: str, src: bytes) -> bool:
    before = node.prev_named_sibling
    return (
        before is not None
        and before.type == "signature"
        and arrow(before)
        and [text(one, src) for one in listed(before)] == [word]
    )


def _type(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A data type: an enum when it has several constructors or none, else a struct."""
    name = head(node)
    if name is None:
        return
    body = node.child_by_field_name("constructors") or node.child_by_field_name("constructor")
    one = body is not None and (node.type == "newtype" or body.named_child_count == 1)
    derived = tuple(flat(clause, src) for clause in children_of_kind(node, "deriving"))
    yield Definition(text(name, src), "struct" if one else "enum", name, body, decorators=derived)


def _alias(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = head(node)
    if name is not None:
        modifiers = ("alias",) if node.type == "type_synonym" else ("family",)
        yield Definition(text(name, src), "type", name, modifiers=modifiers)


def _constructor(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """Constructors stand in their type; so do the fields that are written inside them."""
    written = node.child_by_field_name("constructor")
    if node.type == "gadt_constructor" or written is None:
        names = listed(node)
    elif written.type == "infix":
        names = [leaf(written.child_by_field_name("operator"))]
    else:
        names = [leaf(written.child_by_field_name("name"))]
    for name in names:
        if name is not None:
            yield Definition(text(name, src), "constructor", name, scope=False)


def _field(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    for name in children_of_kind(node, "field_name"):
        yield Definition(text(name, src), "field", name, scope=False)


def _class(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = head(node)
    if name is not None:
        bases = tuple(_constraints(node.child_by_field_name("context"), src))
        yield Definition(
            text(name, src), "class", name, node.child_by_field_name("declarations"), bases=bases
        )


def _constraints(context: Node | None, src: bytes) -> Iterator[str]:
    """The classes of a context: ``(Monad m, Q.Show a)`` -> Monad, Q.Show."""
    stack = [context] if context is not None else []
    while stack:
        current = stack.pop()
        if current.type in ("name", "qualified"):
            yield text(current, src)
        elif current.type == "apply":
            stack.extend(current.children_by_field_name("constructor"))
        else:
            stack.extend(reversed(current.named_children))


def _instance(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """An instance is named after its type, the last one it is for, so that methods are the type's; the class is its base."""
    of = text(node.child_by_field_name("name"), src)
    patterns = node.child_by_field_name("patterns")
    last = patterns.named_child(patterns.named_child_count - 1) if patterns is not None else None
    if last is None:
        return
    name = _type_head(last)
    word = _BRACKETS.get(name.type) or "".join(text(name, src).split())
    yield Definition(word, "impl", name, node.child_by_field_name("declarations"), bases=(of,))


_BRACKETS = {"list": "[]", "tuple": "(,)", "function": "->", "unit": "()"}


def _type_head(node: Node) -> Node:
    """``(StateT Int m)`` -> the node of StateT."""
    while node.type in ("parens", "apply", "qualified", "strict", "signature"):
        field = {"parens": "type", "apply": "constructor", "qualified": "id"}.get(node.type, "type")
        inner = node.child_by_field_name(field)
        if inner is None:
            return node
        node = inner
    return node


def _pattern(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    for written in children_of_kind(node, "signature", "equation"):
        synonym = written.child_by_field_name("synonym")
        while synonym is not None and synonym.type == "apply":
            synonym = synonym.child_by_field_name("function")
        if synonym is not None and synonym.type in ("infix", "record"):
            synonym = synonym.child_by_field_name("operator") or synonym.child_by_field_name("constructor")
        name = leaf(synonym)
        if name is not None:
            modifiers = ("pattern", "declaration") if written.type == "signature" else ("pattern",)
            word = text(name, src)
            yield Definition(word, "constructor", name, modifiers=modifiers, joins=f"pattern {word}")
            return


def _foreign(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """The signature inside joins it."""
    written = node.child_by_field_name("signature")
    for name in listed(written) if written is not None else ():
        word = text(name, src)
        yield Definition(
            word, "function", name, modifiers=("foreign", "declaration"), scope=False, joins=word
        )


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "header": _module,
    "signature": _signature,
    "function": _function,
    "bind": _bind,
    "data_type": _type,
    "newtype": _type,
    "data_constructor": _constructor,
    "newtype_constructor": _constructor,
    "gadt_constructor": _constructor,
    "field": _field,
    "type_synonym": _alias,
    "type_family": _alias,
    "data_family": _alias,
    "class": _class,
    "instance": _instance,
    "pattern_synonym": _pattern,
    "foreign_import": _foreign,
}


# imports


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """The module and what it exports; what is imported without qualification, and the name modules are used by.

    ``T(..)`` is the name ``T.*``: all constructors or methods of T.
    """
    return _header(node, src) if node.type == "header" else _import(node, src)


def _header(node: Node, src: bytes) -> Iterator[Import]:
    yield Import(text(node.child_by_field_name("module"), src), "", "", line_of(node), kind="package")
    exported = node.child_by_field_name("exports")
    for one in exported.named_children if exported is not None else ():
        if one.type == "module_export":
            yield Import(text(one.child_by_field_name("module"), src), "*", "", line_of(one), kind="reexport")
        elif one.type == "export":
            for name in _names(one, src):
                yield Import("", name, "", line_of(one), kind="export")


def _import(node: Node, src: bytes) -> Iterator[Import]:
    line = line_of(node)
    module = text(node.child_by_field_name("module"), src)
    alias = text(node.child_by_field_name("alias"), src)
    names = node.child_by_field_name("names")
    words = {child.type for child in node.children if not child.is_named}
    qualified, all_but = "qualified" in words, "hiding" in words
    if qualified or alias or names is None:
        yield Import(module, "", alias or module, line)
    if qualified:
        return
    if names is None or all_but:
        yield Import(module, "*", "", line)
        return
    for one in names.named_children:
        if one.type == "import_name":
            for name in _names(one, src):
                yield Import(module, name, "" if name.endswith(".*") else name, line_of(one))
    if not names.named_child_count:
        yield Import(module, "", "", line)  # its instances only


def _names(node: Node, src: bytes) -> Iterator[str]:
    """A name of an export or import list and those of its constructors or methods."""
    name = ""
    for child in node.named_children:
        if child.type == "children":
            for one in child.named_children:
                found = leaf(one)
                if one.type == "all_names":
                    yield f"{name}.*"
                elif found is not None:
                    yield text(found, src)
        elif child.type != "namespace":
            found = leaf(child)
            name = text(found, src)
            module = module_of(child.child_by_field_name("module"), src) if child.type == "qualified" else ""
            yield f"{module}.{name}" if module else name


# complexity

_ALWAYS = frozenset({b"otherwise", b"True", b"_"})
_LOGIC = re.compile(rb"&&|\|\|")


def decisions(node: Node, src: bytes) -> int:
    """Guards but ``otherwise``, alternatives but the last resort, and the logical operators."""
    if node.type == "infix":
        operator = node.child_by_field_name("operator")
        return int(
            operator is not None and bool(_LOGIC.fullmatch(src[operator.start_byte : operator.end_byte]))
        )
    first = node.named_child(0) if node.named_child_count else None
    if first is None or (node.type == "alternative" and first.type in ("variable", "wildcard")):
        return 0
    return int(src[first.start_byte : first.end_byte] not in _ALWAYS)
