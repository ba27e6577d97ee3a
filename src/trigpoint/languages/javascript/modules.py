"""Imports and exports: ES modules, CommonJS, and TypeScript's ``import x = require()``.

What a module hands on is an Import of kind "reexport" whose alias is the name that others import: ``export { a as b }``
is Import("", "a", "b"), ``module.exports = main`` is Import("", "main", "default").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.javascript.places import before
from trigpoint.languages.javascript.values import core, name_of
from trigpoint.languages.syntax import Node, line_of, text
from trigpoint.model import Import

REEXPORT = "reexport"
_CALLEES = (b"require", b"import")
_STARTS = (*_CALLEES, b"await", b"(")
_WORDS = (*_CALLEES, b"exports")
"""Without one of these a declaration has nothing to do with modules."""
_EXPORTS = (b"exports.", b"module.exports")


def imports(node: Node, src: bytes) -> Iterable[Import]:
    """Imports, re-exports and export lists that this node makes."""
    return _READERS[node.type](node, src)


def _import_statement(node: Node, src: bytes) -> Iterator[Import]:
    line = line_of(node)
    clause = next((child for child in node.named_children if child.type.endswith("_clause")), None)
    if clause is not None and clause.type == "import_require_clause":
        module = name_of(clause.child_by_field_name("source"), src)
        yield Import(module, "", text(clause.named_child(0), src), line)
        return
    module = name_of(node.child_by_field_name("source"), src)
    if clause is None:
        yield Import(module, "", "", line)
        return
    for child in clause.named_children:
        if child.type == "identifier":
            yield Import(module, "default", text(child, src), line_of(child))
        elif child.type == "namespace_import":
            yield Import(module, "", text(child.named_child(0), src), line_of(child))
        elif child.type == "named_imports":
            for name, alias, at in _specifiers(child, src):
                yield Import(module, name, alias, at)


def _specifiers(node: Node, src: bytes) -> Iterator[tuple[str, str, int]]:
    for one in node.named_children:
        if one.type in ("import_specifier", "export_specifier"):
            name = name_of(one.child_by_field_name("name"), src)
            alias = one.child_by_field_name("alias")
            yield name, name_of(alias, src) if alias is not None else name, line_of(one)


def _export_statement(node: Node, src: bytes) -> Iterator[Import]:
    source = node.child_by_field_name("source")
    module = name_of(source, src) if source is not None else ""
    line = line_of(node)
    value = node.child_by_field_name("value")
    if value is not None:
        if value.type == "identifier":
            yield Import("", text(value, src), "default", line, kind=REEXPORT)
        return
    if node.child_by_field_name("declaration") is not None:
        return
    for child in node.children:
        if child.type == "export_clause":
            for name, alias, at in _specifiers(child, src):
                yield Import(module, name, alias, at, kind=REEXPORT)
        elif child.type == "namespace_export":
            yield Import(module, "", name_of(child.named_child(0), src), line, kind=REEXPORT)
        elif child.type == "*" and module:
            yield Import(module, "*", "", line, kind=REEXPORT)
        elif child.type == "identifier" and child.prev_sibling.type == "=":  # export = name
            yield Import("", text(child, src), "default", line, kind=REEXPORT)


# CommonJS


def required(value: Node | None, src: bytes) -> tuple[str, str, bool] | None:
    """Module and member of ``require("m")``, ``require("m").member`` and ``await import("m")``; None for other values.

    The last is False when more is done with the module, as in ``require("debug")("app")``.
    """
    if value is None or not src.startswith(_STARTS, value.start_byte):
        return None
    value, member, whole = core(value), "", True
    while value is not None:
        if value.type == "member_expression":
            if member:
                whole = False
            member = text(value.child_by_field_name("property"), src)
            value = core(value.child_by_field_name("object"))
        elif value.type == "call_expression":
            module = required_module(value, src)
            if module:
                return module, member if whole else "", whole
            whole = False
            value = core(value.child_by_field_name("function"))
        else:
            return None
    return None


def required_module(call: Node, src: bytes) -> str:
    """The module that a call to require or import names as a string; "" for any other call."""
    if not src.startswith(_CALLEES, call.start_byte):
        return ""
    callee = call.child_by_field_name("function")
    if (
        callee is None
        or callee.end_byte - callee.start_byte > 7
        or callee.type not in ("identifier", "import")
    ):
        return ""
    if text(callee, src) not in ("require", "import"):
        return ""
    arguments = call.child_by_field_name("arguments")
    if arguments is None or not arguments.named_child_count:
        return ""
    first = arguments.named_child(0)
    return name_of(first, src) if first.type == "string" else ""


def _call(node: Node, src: bytes) -> Iterable[Import]:
    if not src.startswith(_CALLEES, node.start_byte):
        return ()
    module = required_module(node, src)
    return (Import(module, "", "", line_of(node)),) if module and not _is_bound(node, src) else ()


def _is_bound(call: Node, src: bytes) -> bool:
    before = src[max(0, call.start_byte - 40) : call.start_byte].rstrip()
    if before.endswith(b"await"):
        before = before[:-5].rstrip()
    return before.rstrip(b"( ").endswith(b"=")


def _declaration(node: Node, src: bytes) -> Iterable[Import]:
    start, end = node.start_byte, node.end_byte
    if any(src.find(word, start, end) >= 0 for word in _WORDS):
        return _declarations(node, src)
    return ()


def _declarations(node: Node, src: bytes) -> Iterator[Import]:
    for one in node.named_children:
        if one.type == "variable_declarator":
            yield from _declared(one, src)


def _declared(node: Node, src: bytes) -> Iterator[Import]:
    value = node.child_by_field_name("value")
    if value is None:
        return
    name = node.child_by_field_name("name")
    yield from _bound_module(name, value, src)
    if value.type == "assignment_expression" and name.type == "identifier":
        yield from _chain(text(name, src), value, src)


def _bound_module(name: Node, value: Node, src: bytes) -> Iterator[Import]:
    """``const x = require("m")`` and its destructuring forms."""
    found = required(value, src)
    if found is None:
        return
    module, member, whole = found
    line = line_of(name)
    if not whole:
        yield Import(module, "", "", line)
    elif name.type == "identifier":
        yield Import(module, member, text(name, src), line)
    elif name.type == "object_pattern":
        for exported, leaf in pattern_members(name, src):
            inner = ".".join(part for part in (member, exported) if part)
            yield Import(module, inner, text(leaf, src), line_of(leaf))
    else:
        yield Import(module, "", "", line)


def pattern_members(pattern: Node, src: bytes) -> Iterator[tuple[str, Node]]:
    """Path of members and bound name of each leaf of a destructuring: ``{ a: { b } }`` gives ``a.b`` and b.

    What ``...rest`` binds is taken for the whole.
    """
    stack = [("", child) for child in reversed(pattern.named_children)]
    while stack:
        path, node = stack.pop()
        kind = node.type
        prefix = f"{path}." if path else ""
        if kind == "shorthand_property_identifier_pattern":
            yield prefix + text(node, src), node
        elif kind == "identifier":
            yield path, node
        elif kind == "pair_pattern":
            key = name_of(node.child_by_field_name("key"), src)
            stack.append((prefix + key, node.child_by_field_name("value")))
        elif kind in ("object_assignment_pattern", "assignment_pattern"):
            stack.append((path, node.child_by_field_name("left")))
        elif kind == "rest_pattern":
            stack.extend((path, child) for child in node.named_children)
        elif kind == "object_pattern":
            stack.extend((path, child) for child in reversed(node.named_children))


def export_target(left: Node, src: bytes) -> str | None:
    """What an assignment exports: "default" for module.exports, the name for exports.name; None for other targets."""
    if not src.startswith(_EXPORTS, left.start_byte) or left.type != "member_expression":
        return None
    target = text(left, src)
    if target == "module.exports":
        return "default"
    for prefix in ("exports.", "module.exports."):
        if target.startswith(prefix):
            name = target[len(prefix) :]
            return name if "." not in name else None
    return None


def _assignment(node: Node, src: bytes) -> Iterable[Import]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return ()
    target = export_target(left, src)
    if target is not None:
        return _exported(target, core(right), src, line_of(node))
    if right.type == "assignment_expression":
        outermost = left.type == "identifier" and not before(node, src).endswith(b"=")
        return _chain(text(left, src), right, src) if outermost else ()
    if src.startswith(_STARTS, right.start_byte) and left.type in ("identifier", "object_pattern"):
        return _bound_module(left, right, src)
    return ()


def _chain(name: str, value: Node | None, src: bytes) -> Iterator[Import]:
    """``proto = module.exports = …``: the name is what the module exports."""
    last = core(value)
    if name == "exports" or (last is not None and last.type == "identifier"):
        return  # the inner assignment says it
    while value is not None and value.type == "assignment_expression":
        target = export_target(value.child_by_field_name("left"), src)
        if target is not None:
            yield Import("", name, target, line_of(value), kind=REEXPORT)
        value = value.child_by_field_name("right")


def _exported(target: str, value: Node | None, src: bytes, line: int) -> Iterator[Import]:
    if value is None:
        return
    if value.type == "identifier":
        yield Import("", text(value, src), target, line, kind=REEXPORT)
    elif value.type == "object" and target == "default":
        yield from _exported_members(value, src)
    elif (found := required(value, src)) is not None and found[2]:
        yield Import(found[0], found[1], target, line, kind=REEXPORT)
        if target == "default" and not found[1]:
            yield Import(found[0], "*", "", line, kind=REEXPORT)


def _exported_members(value: Node, src: bytes) -> Iterator[Import]:
    for child in value.named_children:
        line = line_of(child)
        if child.type == "shorthand_property_identifier":
            yield Import("", text(child, src), text(child, src), line, kind=REEXPORT)
        elif child.type == "spread_element" and child.named_child_count:
            found = required(child.named_child(0), src)
            if found is not None and found[2]:
                yield Import(found[0], "*", "", line, kind=REEXPORT)
        elif child.type == "pair":
            member = core(child.child_by_field_name("value"))
            key = name_of(child.child_by_field_name("key"), src)
            if member is not None and member.type in ("identifier", "call_expression", "member_expression"):
                yield from _exported(key, member, src, line)


_READERS: Mapping[str, Callable[[Node, bytes], Iterable[Import]]] = {
    "import_statement": _import_statement,
    "export_statement": _export_statement,
    "call_expression": _call,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "assignment_expression": _assignment,
}
