"""Lua's definitions and imports; bindings are in bindings.py, notes of the language server in notes.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.lua.bindings import bindings
from trigpoint.languages.lua.notes import class_note
from trigpoint.languages.lua.places import Named, declares, fallback, named, pairs, required, string_of
from trigpoint.languages.syntax import Definition, Node, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "definition", "imports"]

# definitions


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Functions by every way of naming them, tables that hold functions, classes, and the names of the file."""
    return _DEFINERS[node.type](node, src, inside)


def _local(node: Node) -> tuple[str, ...]:
    return ("local",) if node.child(0).type == "local" else ()


def _function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``function M.a.b:c()`` is the method c of M.a.b."""
    found = named(node.child_by_field_name("name"), src)
    if found is not None:
        yield _code(found, node.child_by_field_name("body"), _local(node), node)


def _code(
    found: Named, body: Node | None, modifiers: tuple[str, ...], start: Node, end: Node | None = None
) -> Definition:
    return Definition(
        found.name,
        "method" if found.colon else "function",
        found.node,
        body,
        prefix=found.owner,
        modifiers=modifiers,
        start_node=start,
        end_node=end or start,
    )


def _declaration(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``local x = ...`` is an assignment with a word before it."""
    first = node.named_child(0)
    if first is not None and first.type == "assignment_statement":
        yield from _assigned(first, src, inside, node)
    elif not inside:
        for name in first.named_children if first is not None and first.type == "variable_list" else ():
            if name.type == "identifier":
                yield Definition(text(name, src), "variable", name, modifiers=("local",), scope=False)


def _assignment(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    return () if declares(node, src) else _assigned(node, src, inside, node)


def _assigned(node: Node, src: bytes, inside: str, start: Node) -> Iterator[Definition]:
    modifiers = ("local",) if start is not node else ()
    both = pairs(node)
    for target, value in both:
        found = named(target, src)
        if found is None:
            continue
        value = fallback(value, src)
        kind = value.type if value is not None else ""
        alone = len(both) == 1
        if value is not None and kind == "function_definition":
            yield _code(
                found, value.child_by_field_name("body"), modifiers, start if alone else target, value
            )
        elif kind == "table_constructor" and alone and _holds_code(value, src):
            yield _table(found, value, modifiers, start, src)
        elif (
            not inside
            and "." not in found.owner
            and not required(value or both[0][1], src)
            and not found.name.startswith("__")
        ):
            yield _variable(found, value, modifiers, start, src)


def _holds_code(table: Node, src: bytes) -> bool:
    return src.find(b"function", table.start_byte, table.end_byte) != -1


def _table(found: Named, value: Node, modifiers: tuple[str, ...], start: Node, src: bytes) -> Definition:
    bases = class_note(src, start.start_byte, found.name)
    kind = "class" if bases is not None else "variable"
    return Definition(
        found.name,
        kind,
        found.node,
        value,
        prefix=found.owner,
        bases=bases or (),
        modifiers=modifiers,
        start_node=start,
        end_node=start,
    )


_MAKES_CLASS = re.compile(r"(?:^|[.:_])(?:class|extend|subclass|derive|inherit)s?$", re.I)


def _variable(
    found: Named, value: Node | None, modifiers: tuple[str, ...], start: Node, src: bytes
) -> Definition:
    """A class when it is noted as one, or made by a function for that, or by ``setmetatable`` with ``__index``."""
    bases = class_note(src, start.start_byte, found.name)
    if bases is None:
        bases = _made_class(value, src)
    constant = (found.name.isupper() and len(found.name) > 1) or "<const>" in text(start, src, 80).partition(
        "="
    )[0]
    kind = (
        "class" if bases is not None else "constant" if constant else "field" if found.owner else "variable"
    )
    return Definition(
        found.name,
        kind,
        found.node,
        None,
        prefix=found.owner,
        bases=bases or (),
        modifiers=modifiers,
        scope=False,
        start_node=start,
        end_node=start,
    )


def _made_class(value: Node | None, src: bytes) -> tuple[str, ...] | None:
    if value is None or value.type != "function_call":
        return None
    called = text(value.child_by_field_name("name"), src)
    given = value.child_by_field_name("arguments")
    arguments = given.named_children if given is not None else []
    if called == "setmetatable":
        for field in arguments[1].named_children if len(arguments) > 1 else ():
            if text(field.child_by_field_name("name"), src) == "__index":
                base = field.child_by_field_name("value")
                return (text(base, src),) if base is not None and base.type in _NAMES else None
        return None
    if not _MAKES_CLASS.search(called):
        return None
    owner = called.rpartition(":")[0]
    return (owner,) if owner else tuple(text(one, src) for one in arguments if one.type in _NAMES)


_NAMES = frozenset({"identifier", "dot_index_expression"})


def _field(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``name = function`` in a table, and a table in a table that holds some."""
    name, value = node.child_by_field_name("name"), fallback(node.child_by_field_name("value"), src)
    if name is None or value is None:
        return
    word = text(name, src) if name.type == "identifier" else string_of(name, src)
    if not word or name.type not in ("identifier", "string"):
        return
    if value.type == "function_definition":
        yield Definition(word, "function", name, value.child_by_field_name("body"))
    elif value.type == "table_constructor" and _holds_code(value, src):
        yield Definition(word, "field", name, value)


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "function_declaration": _function,
    "variable_declaration": _declaration,
    "assignment_statement": _assignment,
    "field": _field,
}


# imports

_LOADERS = {b"require": "import", b"dofile": "include", b"loadfile": "include"}
_BOUND = re.compile(rb"(?:local\s+)?([\w\s,<>.]+?)\s*=\s*((?:[^=]*,\s*)?)(?:pcall\s*\(\s*)?$")
_MEMBER = re.compile(rb"[ \t]*\.(\w+)(?![ \t]*[\w.:(\[{\"'])")


def imports(node: Node, src: bytes) -> Iterable[Import]:
    """``local x = require "m"`` binds m as x, ``require("m").y`` takes y of it; so does what ``pcall`` requires."""
    called = node.child_by_field_name("name")
    if called is None or called.type != "identifier":
        return ()
    kind = _LOADERS.get(src[called.start_byte : called.end_byte])
    guarded = src.startswith(b"pcall", called.start_byte)
    if kind is None and not guarded:
        return ()
    given = node.child_by_field_name("arguments")
    arguments = given.named_children if given is not None else []
    if guarded:
        if len(arguments) < 2 or text(arguments[0], src) != "require":
            return ()
        arguments, kind = arguments[1:], "import"
    if not arguments or arguments[0].type != "string" or kind is None:
        return ()
    return (_import(node, src, kind, string_of(arguments[0], src)),)


def _import(node: Node, src: bytes, kind: str, module: str) -> Import:
    line = src.rfind(b"\n", 0, node.start_byte) + 1
    bound = _BOUND.search(src, line, node.start_byte)
    alias = ""
    if bound is not None:
        names = [
            name.split(b"<")[0].strip().decode("utf-8", "replace") for name in bound.group(1).split(b",")
        ]
        index = bound.group(2).count(b",") + src.startswith(b"pcall", node.start_byte)
        alias = names[index] if index < len(names) else ""
    member = _MEMBER.match(src, node.end_byte)
    name = member.group(1).decode("utf-8", "replace") if member is not None and alias else ""
    return Import(module, name, alias, line_of(node), kind=kind)
