"""C++: what it has beyond C. Out-of-line members are qualified by their class and its namespaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.c import hooks as c
from trigpoint.languages.c.conditionals import settled
from trigpoint.languages.c.declarators import scope_name
from trigpoint.languages.c.macros import called_in
from trigpoint.languages.syntax import Definition, Node, Target, leaf_names, line_of, text
from trigpoint.model import Binding, Import

__all__ = ["bindings", "definition", "imports", "prepare", "reference"]

prepare = settled

_NAMES = frozenset({"identifier"})
_NAMESPACES = frozenset({"namespace_identifier"})
_CASTS = frozenset({"static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"})


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """What C defines, and namespaces, aliases and concepts."""
    return _DEFINES[node.type](node, src, inside)


def _namespace(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``namespace a::b`` is b within a; an anonymous one is no symbol."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    parts = list(leaf_names(name, src, _NAMESPACES))
    last, leaf = parts[-1] if parts else (text(name, src), name)
    prefix = ".".join(part for part, _ in parts[:-1])
    words = ("inline",) if src.startswith(b"inline", node.start_byte) else ()
    yield Definition(
        last, "namespace", leaf, node.child_by_field_name("body"), prefix=prefix, modifiers=words
    )


def _alias(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    yield Definition(text(name, src), "type", name, scope=False)


def _concept(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    yield Definition(text(name, src), "concept", name, None)


_DEFINES: Mapping[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    **c.DEFINES,
    "class_specifier": c.specifier,
    "namespace_definition": _namespace,
    "alias_declaration": _alias,
    "concept_definition": _concept,
}


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """Includes, using-declarations and namespace aliases."""
    kind = node.type
    if kind == "preproc_include":
        yield from c.imports(node, src)
        return
    line = line_of(node)
    if kind == "namespace_alias_definition":
        name = text(node.child_by_field_name("name"), src)
        target = text(node.named_child(node.named_child_count - 1), src)
        yield Import("".join(target.split()), "", name, line)
        return
    raw = text(node, src).removeprefix("using").strip(" ;\n")
    for word in ("namespace ", "enum "):
        if raw.startswith(word):
            yield Import("".join(raw[len(word) :].split()), "*", "", line)
            return
    for one in raw.split(","):
        module, _, name = "".join(one.removeprefix("typename ").split()).rpartition("::")
        yield Import(module.partition("<")[0], name, name, line)


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, new objects, types, qualified names that stand as values, and calls in the text of macros."""
    return _USES[node.type](node, src)


def _type(node: Node, src: bytes) -> Iterable[Target]:
    start = node.start_byte
    if src[start - 2 : start] == b"::" and src[start - 3 : start - 2].strip():
        return ()  # the qualified name says it
    return (Target(text(node, src), "", node, "type"),)


def _qualified(node: Node, src: bytes) -> Iterable[Target]:
    start = node.start_byte
    if src[start - 2 : start] == b"::":
        return ()  # part of a longer one
    last, receiver = _parts(node, src)
    if last is None:
        return ()
    if last.type == "type_identifier":
        return (Target(text(last, src), receiver, last, "type"),) if receiver else ()
    if last.type == "identifier" and src[node.end_byte : node.end_byte + 1] not in (b"(", b"{"):
        return (Target(text(last, src), receiver, last, "value"),)
    return ()


def _parts(node: Node | None, src: bytes) -> tuple[Node | None, str]:
    """The last name of ``a::B<T>::c`` and "a::B"."""
    scopes: list[str] = []
    while node is not None:
        kind = node.type
        if kind == "qualified_identifier":
            scopes.append(scope_name(node.child_by_field_name("scope"), src))
            node = node.child_by_field_name("name")
        elif kind in ("template_function", "template_type", "template_method"):
            node = node.child_by_field_name("name")
        elif kind == "dependent_name":
            node = node.named_child(0)
        else:
            break
    return node, "::".join(scopes)


def _call(node: Node, src: bytes) -> Iterable[Target]:
    function = node.child_by_field_name("function")
    while function is not None and function.type in ("parenthesized_expression", "pointer_expression"):
        function = (
            function.named_child(function.named_child_count - 1) if function.named_child_count else None
        )
    if function is None:
        return ()
    kind = function.type
    if kind == "identifier":
        return (Target(text(function, src), "", function, "call"),)
    if kind == "field_expression":
        name, scopes = _parts(function.child_by_field_name("field"), src)
        receiver = c.member_path(function.child_by_field_name("argument"), src)
        return (Target(text(name, src), scopes or receiver, name, "call"),) if name is not None else ()
    if kind in ("qualified_identifier", "template_function"):
        name, receiver = _parts(function, src)
        if name is not None and (receiver or text(name, src) not in _CASTS):
            return (Target(text(name, src), receiver, name, "call"),)
    return ()


def _made(node: Node, src: bytes) -> Iterable[Target]:
    """``new ns::Foo(…)`` and ``Foo{…}``."""
    name, receiver = _parts(node.child_by_field_name("type"), src)
    if name is not None and name.type in ("type_identifier", "identifier"):
        return (Target(text(name, src), receiver, name, "new"),)
    return ()


_USES: Mapping[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "call_expression": _call,
    "pointer_expression": c.address_of,
    "preproc_arg": called_in,
    "type_identifier": _type,
    "qualified_identifier": _qualified,
    "new_expression": _made,
    "compound_literal_expression": _made,
}


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """What C binds, and loop variables, structured bindings, aliases and template parameters."""
    return _BINDS[node.type](node, src, inside)


def _bind_loop(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    annotation = c.plain_type(node.child_by_field_name("type"), src)
    value = c.member_path(node.child_by_field_name("right"), src)
    names = leaf_names(node.child_by_field_name("declarator"), src, _NAMES)
    return [Binding(name, "for", value, annotation, line_of(leaf)) for name, leaf in names]


def _bind_alias(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    value = text(node.child_by_field_name("type"), src)
    return (Binding(text(node.child_by_field_name("name"), src), "alias", value, "", line_of(node)),)


def _bind_type_parameter(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    if not node.named_child_count:
        return ()
    name = node.child_by_field_name("name") or node.named_child(0)
    return (Binding(text(name, src), "param", "", "", line_of(node)),)


def _bind_declared(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """``auto [a, b] = f()`` binds a and b; the rest is as in C."""
    bound = list(c.bind_declared(node, src, inside))
    if not bound and b"[" in src[node.start_byte : node.start_byte + 40]:
        for declarator in node.children_by_field_name("declarator"):
            inner = (
                declarator.child_by_field_name("declarator")
                if declarator.type == "init_declarator"
                else declarator
            )
            if inner is not None and inner.type == "structured_binding_declarator":
                names = leaf_names(inner, src, _NAMES)
                bound += [Binding(name, "assign", "", "", line_of(leaf)) for name, leaf in names]
    return bound


_BINDS: Mapping[str, Callable[[Node, bytes, str], Iterable[Binding]]] = {
    **c.BINDS,
    "declaration": _bind_declared,
    "optional_parameter_declaration": c.bind_parameter,
    "variadic_parameter_declaration": c.bind_parameter,
    "alias_declaration": _bind_alias,
    "for_range_loop": _bind_loop,
    "type_parameter_declaration": _bind_type_parameter,
    "optional_type_parameter_declaration": _bind_type_parameter,
}
