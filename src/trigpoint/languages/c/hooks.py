"""C's definitions, imports, uses and bindings. C++ builds on most of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.c.conditionals import settled
from trigpoint.languages.c.declarators import Declared, declared, modifiers, type_before
from trigpoint.languages.c.macros import called_in, macro_definition
from trigpoint.languages.syntax import VALUE_LIMIT, Definition, Node, Target, expression, line_of, text
from trigpoint.model import Binding, Import

__all__ = ["bindings", "definition", "imports", "prepare", "reference"]

prepare = settled

CONTAINERS = frozenset({"struct", "union", "class", "enum"})
_SPECIFIERS = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "class_specifier": "class",
}
_OUTSIDE = frozenset({"", "namespace", "struct", "union", "class", "field", "variable"})
"""Where a declaration is more than a local."""


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Functions, types and their members, top-level variables, prototypes, macros."""
    return DEFINES[node.type](node, src, inside)


def function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A function with a body. One that a macro heads is named by the macro's argument."""
    body = node.child_by_field_name("body")
    found = declared(node.child_by_field_name("declarator"), src)
    if found is None:
        return
    specifier = node.child_by_field_name("type")
    if found.function is None and specifier is not None and specifier.type in _SPECIFIERS:
        yield Definition(found.name, _SPECIFIERS[specifier.type], found.node, body)  # class MACRO Name { … }
        return
    if specifier is None and not found.scopes and inside not in CONTAINERS and found.name.isupper():
        yield from macro_definition(node, found.node, found.function, src)
        return
    yield signature(node, found, src, inside, body)


def signature(node: Node, found: Declared, src: bytes, inside: str, body: Node | None) -> Definition:
    """The symbol of a function, with or without a body, in its class or outside it."""
    words = modifiers(node, found, src, body.start_byte if body is not None else node.end_byte)
    if src[node.start_byte - 7 : node.start_byte - 1] == b"friend":
        words = ("friend", *words)
    if body is None and "default" not in words and "delete" not in words:
        words += ("declaration",)
    member = (inside in CONTAINERS and "friend" not in words) or bool(found.scopes)
    made = found.scopes[-1] if found.scopes else ""
    kind = "method" if member else "function"
    returns = ""
    if member and node.child_by_field_name("type") is None and found.name[0] != "~" and " " not in found.name:
        kind = "constructor"
    elif found.node.type == "operator_cast":
        returns = found.name.removeprefix("operator ")
    elif found.function is not None:
        returns = trailing_type(found, src) or type_before(node, found, src)
    return Definition(
        found.name,
        kind,
        found.node,
        body,
        receiver=made,
        prefix=".".join(found.scopes),
        modifiers=words,
        returns=returns if returns != "void" else "",
    )


def trailing_type(found: Declared, src: bytes) -> str:
    """The type after ``->``, "" without one."""
    if found.function is None or b"->" not in src[found.function.start_byte : found.function.end_byte]:
        return ""
    for child in found.function.named_children:
        if child.type == "trailing_return_type":
            raw = text(child, src).removeprefix("->").strip()
            return "" if raw.startswith("decltype") else raw
    return ""


def declaration(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Variables and prototypes outside functions, and the fields of a type."""
    return _members(node, src, inside) if inside in _OUTSIDE or node.type == "field_declaration" else ()


def _members(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    opened = None
    for declarator in node.children_by_field_name("declarator"):
        found = declared(declarator, src)
        if found is None or found.node.start_byte == found.node.end_byte:
            continue
        if found.function is not None:
            yield signature(node, found, src, inside, None)
            return
        one = _variable(node, declarator, found, src, inside)
        if one.scope and opened is None:
            opened = one
        else:
            yield one._replace(scope=False)
    if opened is not None:
        yield opened


def _variable(node: Node, declarator: Node, found: Declared, src: bytes, inside: str) -> Definition:
    head = src[node.start_byte : found.node.start_byte]
    words = modifiers(node, found, src, node.end_byte)
    if "extern" in words and declarator.type != "init_declarator":
        words += ("declaration",)
    constant = b"constexpr" in head or (b"const" in head.split() and not found.pointer)
    kind = "constant" if constant else "field" if node.type == "field_declaration" else "variable"
    made = node.child_by_field_name("type")
    nested = made is not None and made.type in _SPECIFIERS and made.child_by_field_name("name") is None
    return Definition(
        found.name,
        kind,
        found.node,
        None,
        receiver=found.scopes[-1] if found.scopes else "",
        prefix=".".join(found.scopes),
        modifiers=words,
        scope=bool(nested and made is not None and made.child_by_field_name("body"))
        or takes_parameters(declarator, src),
    )


def takes_parameters(declarator: Node, src: bytes) -> bool:
    """Whether a declarator that is no function has parameters: a pointer to one. They are to be its own."""
    start = declarator.start_byte
    return (
        src[start : start + 1] in (b"(", b"*")
        and b")(" in src[start : min(declarator.end_byte, start + VALUE_LIMIT)]
    )


def typedef(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``typedef struct { … } name`` is a struct of that name; other names are types."""
    made = node.child_by_field_name("type")
    unnamed = (
        made is not None
        and made.type in _SPECIFIERS
        and made.child_by_field_name("name") is None
        and made.child_by_field_name("body") is not None
    )
    opened = None
    for declarator in node.children_by_field_name("declarator"):
        found = declared(declarator, src)
        if found is None:
            continue
        if unnamed and opened is None and not found.pointer:
            assert made is not None
            opened = Definition(
                found.name, _SPECIFIERS[made.type], found.node, made.child_by_field_name("body")
            )
        elif made is not None and made.child_by_field_name("body") is not None:
            yield Definition(found.name, "type", found.node, scope=False, start_node=declarator)
        elif opened is None and (found.function is not None or takes_parameters(declarator, src)):
            opened = Definition(found.name, "type", found.node)
        else:
            yield Definition(found.name, "type", found.node, scope=False)
    if opened is not None:
        yield opened


def specifier(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A struct, union, enum or class with a body; without one it is only named."""
    body = node.child_by_field_name("body")
    found = declared(node.child_by_field_name("name"), src) if body is not None else None
    if found is None:
        return
    bases: tuple[str, ...] = ()
    if src.find(b":", found.node.end_byte, body.start_byte) != -1:
        clause = next((child for child in node.named_children if child.type == "base_class_clause"), None)
        bases = tuple(
            expression(child, src)
            for child in (clause.named_children if clause is not None else ())
            if child.type in ("type_identifier", "qualified_identifier", "template_type")
        )
    kind = _SPECIFIERS[node.type]
    receiver = found.scopes[-1] if found.scopes else ""
    yield Definition(found.name, kind, found.node, body, receiver, ".".join(found.scopes), bases)


def enumerator(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A member of an enum."""
    name = node.child_by_field_name("name")
    yield Definition(text(name, src), "constant", name, scope=False)


def macro(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """An object-like or function-like macro; what its text calls belongs to it."""
    name = node.child_by_field_name("name")
    yield Definition(text(name, src), "macro", name, None)


def headed_block(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """A block at top level whose head the grammar took for a call: ``DEFINE_HOOK(name) { … }``."""
    return _headed(node, src) if inside in ("", "namespace") else ()


def _headed(node: Node, src: bytes) -> Iterator[Definition]:
    before = node.prev_named_sibling
    if (
        before is None
        or before.type != "expression_statement"
        or src[before.end_byte - 1 : before.end_byte] != b")"
    ):
        return
    call = before.named_child(0)
    if call is not None and call.type == "call_expression":
        head = call.child_by_field_name("function")
        if text(head, src).isupper():
            for one in macro_definition(node, head, call, src):
                yield one._replace(start_node=before, body=node)


DEFINES: Mapping[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "function_definition": function,
    "declaration": declaration,
    "field_declaration": declaration,
    "type_definition": typedef,
    "struct_specifier": specifier,
    "union_specifier": specifier,
    "enum_specifier": specifier,
    "enumerator": enumerator,
    "preproc_def": macro,
    "preproc_function_def": macro,
    "compound_statement": headed_block,
}


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """``#include``, of both kinds."""
    path = node.child_by_field_name("path")
    if path is not None and path.type in ("string_literal", "system_lib_string"):
        yield Import(text(path, src).strip('"<>'), "*", "", line_of(node), kind="include")


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, functions whose address is taken, types, and calls in the text of macros."""
    kind = node.type
    if kind == "type_identifier":
        return (Target(text(node, src), "", node, "type"),)
    if kind == "call_expression":
        return _call(node.child_by_field_name("function"), src)
    if kind == "pointer_expression":
        return address_of(node, src)
    return called_in(node, src)


def _call(node: Node | None, src: bytes) -> Iterable[Target]:
    while node is not None and node.type in ("parenthesized_expression", "pointer_expression"):
        node = node.named_child(node.named_child_count - 1) if node.named_child_count else None
    if node is None:
        return ()
    if node.type == "identifier":
        return (Target(text(node, src), "", node, "call"),)
    if node.type == "field_expression":
        name = node.child_by_field_name("field")
        return (
            Target(text(name, src), member_path(node.child_by_field_name("argument"), src), name, "call"),
        )
    return ()


def member_path(node: Node | None, src: bytes) -> str:
    """An expression with "." for every member access: ``(*a)->b`` -> ``a.b``."""
    found = expression(node, src)
    if "->" in found or "*" in found:
        found = _STARRED.sub(r"\1", found.replace("->", "."))
    return found


_STARRED = re.compile(r"\(\*+([\w.]+)\)")


def address_of(node: Node, src: bytes) -> Iterable[Target]:
    """``&name`` uses name as a value."""
    argument = node.child_by_field_name("argument")
    if (
        argument is not None
        and argument.type == "identifier"
        and src[node.start_byte : node.start_byte + 1] == b"&"
    ):
        return (Target(text(argument, src), "", argument, "value"),)
    return ()


_LITERALS = frozenset(
    {
        "number_literal",
        "string_literal",
        "char_literal",
        "true",
        "false",
        "null",
        "nullptr",
        "initializer_list",
    }
    | {"concatenated_string", "argument_list", "lambda_expression", "raw_string_literal"}
)
_PLAIN_TYPE = re.compile(r"\b(?:const|volatile|struct|union|enum|class|typename|register)\b\s*")


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Variables, fields and parameters with their types; typedefs as aliases."""
    return BINDS[node.type](node, src, inside)


def bind_parameter(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """A parameter; one without a name binds nothing."""
    declarator = node.child_by_field_name("declarator")
    found = declared(declarator, src) if declarator is not None else None
    if found is None:
        return ()
    annotation = plain_type(node.child_by_field_name("type"), src)
    return (Binding(found.name, "param", "", annotation, line_of(found.node)),)


def _bind_alias(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    written = node.child_by_field_name("type")
    if written is None or written.child_by_field_name("body") is not None:
        return ()
    value = text(written, src)
    names = [declared(declarator, src) for declarator in node.children_by_field_name("declarator")]
    return [Binding(found.name, "alias", value, "", line_of(node)) for found in names if found is not None]


def bind_declared(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Each name of a declaration, with its type and the value it starts with."""
    field = node.type == "field_declaration"
    outside = field or inside in _OUTSIDE
    annotation = plain_type(node.child_by_field_name("type"), src)
    bound = []
    for declarator in node.children_by_field_name("declarator"):
        kind = declarator.type
        if outside and kind == "function_declarator":
            continue
        value = ""
        if kind == "init_declarator":
            made = declarator.child_by_field_name("value")
            while made is not None and made.type == "cast_expression":
                made = made.child_by_field_name("value")
            value = "" if made is None or made.type in _LITERALS else member_path(made, src)
        found = declared(declarator, src)
        if found is not None and not (outside and found.function is not None):
            line = line_of(found.node)
            bound.append(Binding(found.name, "attribute" if field else "assign", value, annotation, line))
    return bound


BINDS: Mapping[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    "declaration": bind_declared,
    "field_declaration": bind_declared,
    "parameter_declaration": bind_parameter,
    "type_definition": _bind_alias,
}


def plain_type(node: Node | None, src: bytes) -> str:
    """A type as written without ``struct`` and qualifiers; "" for auto and for a type made on the spot."""
    if node is None:
        return ""
    kind = node.type
    if kind in ("type_identifier", "primitive_type"):
        return text(node, src)
    if kind in _SPECIFIERS:
        return text(node.child_by_field_name("name"), src)
    raw = _PLAIN_TYPE.sub("", text(node, src))
    return "" if raw.startswith(("auto", "decltype")) else " ".join(raw.split())
