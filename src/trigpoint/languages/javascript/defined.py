"""What JavaScript and TypeScript define, and what its anonymous functions, objects and lists are to what stands inside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.javascript import typed
from trigpoint.languages.javascript.assigned import assignment
from trigpoint.languages.javascript.members import member, pair, parameter_properties
from trigpoint.languages.javascript.modules import pattern_members, required
from trigpoint.languages.javascript.named import Label, class_named, function_named, of_value
from trigpoint.languages.javascript.places import (
    FREEZING,
    FUNCTION_LIKE,
    MODULE_LIKE,
    QUIET,
    export_modifiers,
    is_bound,
    is_called_at_once,
    is_element,
    is_one_of_many,
    only_declarator,
)
from trigpoint.languages.javascript.places import before as bytes_before
from trigpoint.languages.javascript.values import FUNCTIONS, has_methods, literal
from trigpoint.languages.syntax import Definition, Node, leaf_names, text

_NAMES = frozenset({"identifier"})


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Definitions of every form that gives a name: declarations, bound functions, members, exports."""
    return _READERS[node.type](node, src, inside)


def _function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    if name is not None:
        modifiers = export_modifiers(node, src)
        if node.type == "function_signature":
            modifiers = (*modifiers, "declaration")
        yield function_named(Label(text(name, src), name, "function", modifiers), node, src)


def _anonymous(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """A function expression: a definition when it has a name of its own, else a place that opens no symbol."""
    name = node.child_by_field_name("name") if node.type != "arrow_function" else None
    if name is not None and not is_bound(node, src):
        return (function_named(Label(text(name, src), name, "function"), node, src),)
    if inside == "option" or (inside not in FUNCTION_LIKE and not is_called_at_once(node, src)):
        return (Definition("", "callback", node, node.child_by_field_name("body")),)
    return ()


def _class(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    if node.type == "class" and (name is None or is_bound(node, src)):
        yield Definition("", "class", node)  # named by what it is bound to
    elif name is not None:
        yield class_named(Label(text(name, src), name, "class", export_modifiers(node, src)), node, src)


def _declaration(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``const f = …``: with one declarator the whole declaration is the definition."""
    declarator = only_declarator(node)
    if declarator is not None and (inside in MODULE_LIKE or _may_define(declarator, src)):
        return _declared(declarator, node, src, inside)
    return ()


_NEVER_LOCAL = frozenset(
    {
        "identifier", "member_expression", "await_expression", "string", "template_string", "number", "new_expression",
        "array", "binary_expression", "ternary_expression", "subscript_expression", "true", "false", "null", "regex",
    }
)  # fmt: skip


def _may_define(declarator: Node, src: bytes) -> bool:
    """Whether a local could hold a function; most do not."""
    value = declarator.child_by_field_name("value")
    if value is None or (kind := value.type) in _NEVER_LOCAL:
        return False
    return kind != "call_expression" or src.startswith(FREEZING, value.start_byte)


def _declarator(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    if is_one_of_many(node, src) and (declaration := node.parent) is not None:
        return _declared(node, declaration, src, inside)
    return ()


def _declared(declarator: Node, declaration: Node, src: bytes, inside: str) -> Iterable[Definition]:
    if bytes_before(declaration, src).endswith(b"("):
        return ()  # the variable of a for loop is never a symbol
    target = declarator.child_by_field_name("name")
    value = literal(declarator.child_by_field_name("value"), src)
    if target is None or (inside not in MODULE_LIKE and not _is_local_definition(value)):
        return ()
    found = required(value, src)
    if found is not None and found[2]:
        return ()  # an import
    kind = "constant" if src.startswith(b"const", declaration.start_byte) else "variable"
    modifiers = export_modifiers(declaration, src)
    if target.type == "identifier":
        name = text(target, src)
        return of_value(Label(name, target, "constant" if name.isupper() else kind, modifiers), value, src)
    if target.type == "object_pattern":
        leaves = [leaf for _, leaf in pattern_members(target, src)]
    else:
        leaves = [leaf for _, leaf in leaf_names(target, src, _NAMES)]
    return [Definition(text(leaf, src), kind, leaf, modifiers=modifiers, scope=False) for leaf in leaves]


def _is_local_definition(value: Node | None) -> bool:
    """Whether a local is a symbol: a function, a class, an object with methods."""
    if value is None:
        return False
    return value.type in FUNCTIONS or value.type == "class" or (value.type == "object" and has_methods(value))


def _export(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``export default …`` of something without a name is called ``default``."""
    value = literal(node.child_by_field_name("value"), src)
    if value is None or value.type == "identifier":
        return ()
    word = next((child for child in node.children if child.type == "default"), node)
    return of_value(Label("default", word, "constant", ("export", "default")), value, src)


def _object(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    if inside in QUIET or not is_element(node, src):
        return ()
    return (Definition("", "option" if inside in FUNCTION_LIKE else "argument", node),)


def _array(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    return () if inside in _FILLED else (Definition("", "list", node),)


_FILLED = QUIET | FUNCTION_LIKE


_READERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "function_declaration": _function,
    "generator_function_declaration": _function,
    "function_signature": _function,
    "function_expression": _anonymous,
    "generator_function": _anonymous,
    "arrow_function": _anonymous,
    "class_declaration": _class,
    "abstract_class_declaration": _class,
    "class": _class,
    "class_body": parameter_properties,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "variable_declarator": _declarator,
    "assignment_expression": assignment,
    "pair": pair,
    "object": _object,
    "array": _array,
    "export_statement": _export,
    "method_definition": member,
    "method_signature": member,
    "abstract_method_signature": member,
    "field_definition": member,
    "public_field_definition": member,
    "property_signature": typed.property_signature,
    "construct_signature": typed.construct_signature,
    "interface_declaration": typed.interface,
    "enum_declaration": typed.enum,
    "enum_body": typed.enum_members,
    "internal_module": typed.namespace,
    "module": typed.namespace,
    "type_alias_declaration": typed.type_alias,
}
