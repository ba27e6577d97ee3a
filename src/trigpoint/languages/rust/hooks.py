"""Rust's definitions, imports and uses; bindings are in bindings.py."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.rust.bindings import bindings
from trigpoint.languages.rust.unparsed import called_before, defined_before
from trigpoint.languages.syntax import Definition, Node, Target, expression, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "definition", "imports", "reference"]

_KINDS = {
    "struct_item": "struct",
    "union_item": "union",
    "enum_item": "enum",
    "enum_variant": "constant",
    "field_declaration": "field",
    "trait_item": "trait",
    "mod_item": "module",
    "type_item": "type",
    "associated_type": "type",
    "const_item": "constant",
    "static_item": "variable",
    "macro_definition": "macro",
}
_SCOPES = frozenset({"struct", "union", "enum", "trait", "module", "macro"})
_LOCAL = frozenset({"const_item", "static_item", "type_item"})
"""What is a symbol only outside functions."""
_FUNCTIONS = frozenset({"function", "method"})
_TAKES_SELF = re.compile(rb"\(\s*(?:&\s*(?:'\w+\s+)?)?(?:mut\s+)?self\b")
_BUILT_IN = frozenset(
    [
        "allow",
        "automatically_derived",
        "cfg",
        "cfg_attr",
        "cold",
        "deny",
        "deprecated",
        "doc",
        "expect",
        "export_name",
        "forbid",
        "ignore",
        "inline",
        "link",
        "link_name",
        "macro_export",
        "macro_use",
        "must_use",
        "no_mangle",
        "non_exhaustive",
        "path",
        "repr",
        "should_panic",
        "test",
        "track_caller",
        "warn",
    ]
)
"""Attributes that no code of a project defines."""


def definition(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """Items, fields, variants and associated items; those in the token trees of macros too."""
    kind = node.type
    if kind == "token_tree":
        if inside != "macro" and (found := defined_before(node, src, inside)) is not None:
            yield found
    elif kind == "impl_item":
        yield _implementation(node, src)
    elif kind in ("function_item", "function_signature_item"):
        yield _function(node, src, inside)
    elif not (kind in _LOCAL and inside in _FUNCTIONS):
        yield from _item(node, src, kind)


def _item(node: Node, src: bytes, kind: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    if name is None or src[name.start_byte : name.end_byte] == b"_":
        return
    body = node.child_by_field_name("body")
    modifiers = _visibility(node, src)
    if kind == "static_item" and any(child.type == "mutable_specifier" for child in node.named_children[:2]):
        modifiers += ("mut",)
    if (kind == "mod_item" and body is None) or kind == "associated_type":
        modifiers += ("declaration",)
    decorators, lead = _attributes(node, src)
    found = _KINDS[kind]
    scope = found in _SCOPES or (kind == "enum_variant" and body is not None)
    bases = _bounds(node.child_by_field_name("bounds"), src) if kind == "trait_item" else ()
    yield Definition(
        text(name, src),
        found,
        name,
        body,
        bases=bases,
        decorators=decorators,
        modifiers=modifiers,
        scope=scope and not (kind == "mod_item" and body is None),
        lead_node=lead,
    )


def _function(node: Node, src: bytes, inside: str) -> Definition:
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    modifiers = _visibility(node, src)
    for child in node.named_children[:2]:
        if child.type == "function_modifiers":
            modifiers += tuple(word for word in text(child, src).split() if not word.startswith('"'))
    if body is None:
        modifiers += ("declaration",)
    method = inside in ("impl", "trait")
    if method and not _TAKES_SELF.match(src, node.child_by_field_name("parameters").start_byte):
        modifiers += ("static",)
    decorators, lead = _attributes(node, src)
    return Definition(
        text(name, src),
        "method" if method else "function",
        name,
        body,
        decorators=decorators,
        modifiers=modifiers,
        lead_node=lead,
    )


def _implementation(node: Node, src: bytes) -> Definition:
    """An impl block is named after its type, so that methods are the type's; the trait is its base."""
    head = _type_head(node.child_by_field_name("type"))
    trait = node.child_by_field_name("trait")
    positive = trait is not None and src[trait.start_byte - 1 : trait.start_byte] != b"!"
    decorators, lead = _attributes(node, src)
    return Definition(
        expression(head, src) if head.type == "type_identifier" else "".join(text(head, src).split()),
        "impl",
        head,
        node.child_by_field_name("body"),
        bases=(expression(trait, src),) if positive else (),
        decorators=decorators,
        lead_node=lead,
    )


_INNER_TYPE = {
    "generic_type": "type",
    "reference_type": "type",
    "pointer_type": "type",
    "scoped_type_identifier": "name",
    "dynamic_type": "trait",
    "abstract_type": "trait",
}


def _type_head(node: Node) -> Node:
    """``&mut ns::Foo<T>`` -> the node of Foo; slices, tuples and function types stay whole."""
    current = node
    while current is not None:
        inner = _INNER_TYPE.get(current.type)
        if inner is None:
            if current.type != "bounded_type":
                return current
            following = current.named_child(0)
        else:
            following = current.child_by_field_name(inner)
        if following is None:
            return current
        current = following
    return node


def _bounds(node: Node | None, src: bytes) -> tuple[str, ...]:
    if node is None:
        return ()
    left_out = ("lifetime", "removed_trait_bound", "line_comment", "block_comment")
    return tuple(expression(child, src) for child in node.named_children if child.type not in left_out)


def _visibility(node: Node, src: bytes) -> tuple[str, ...]:
    first = node.child(0)
    return (text(first, src),) if first.type == "visibility_modifier" else ()


_SPACE = b" \t\r\n"
_CLOSING = ord("]")


def _attributes(node: Node, src: bytes) -> tuple[tuple[str, ...], Node | None]:
    """The attributes right before an item and the first of them; comments may stand between."""
    end = node.start_byte
    while True:
        stripped = end - 1
        while stripped >= 0 and src[stripped] in _SPACE:
            stripped -= 1
        if stripped < 0:
            return (), None
        if src[stripped] == _CLOSING:
            break
        line = src.rfind(b"\n", 0, stripped) + 1
        if not src[line : line + 80].lstrip().startswith(b"//"):
            return (), None
        end = line
    found = []
    lead = None
    before = node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        if before.type == "attribute_item":
            lead = before
            found.append(text(before, src).strip()[2:-1].strip())
        before = before.prev_named_sibling
    return tuple(reversed(found)), lead


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """One import a leaf of a ``use`` tree; ``mod x;`` imports the module "self::x"."""
    kind = node.type
    line = line_of(node)
    if kind == "mod_item":
        if node.child_by_field_name("body") is None:
            name = text(node.child_by_field_name("name"), src)
            yield Import(
                "self::" + name, "", name, line, kind="reexport" if _visibility(node, src) else "import"
            )
    elif kind == "extern_crate_declaration":
        name = text(node.child_by_field_name("name"), src)
        yield Import(name, "", text(node.child_by_field_name("alias"), src) or name, line)
    else:
        found = "reexport" if _visibility(node, src) else "import"
        yield from _use_tree(node.child_by_field_name("argument"), src, found)


def _use_tree(argument: Node | None, src: bytes, kind: str) -> Iterator[Import]:
    stack = [(argument, "")]
    while stack:
        node, outer = stack.pop()
        if node is None:
            continue
        if node.type in ("scoped_use_list", "use_list"):
            path = (
                _join(outer, text(node.child_by_field_name("path"), src))
                if node.type != "use_list"
                else outer
            )
            listed = node.child_by_field_name("list") if node.type != "use_list" else node
            stack += [(child, path) for child in reversed(listed.named_children)]
        elif node.type == "use_wildcard":
            path = text(node.named_child(0), src) if node.named_child_count else ""
            yield Import(_join(outer, path), "*", "", line_of(node), kind=kind)
        elif node.type == "use_as_clause":
            alias = text(node.child_by_field_name("alias"), src)
            path = _join(outer, text(node.child_by_field_name("path"), src))
            yield _leaf(path, "" if alias == "_" else alias, line_of(node), kind)
        elif node.type not in ("line_comment", "block_comment"):
            path = _join(outer, text(node, src))
            yield _leaf(path, path.removesuffix("::self").rpartition("::")[2], line_of(node), kind)


def _join(outer: str, path: str) -> str:
    path = "".join(path.split())
    return f"{outer}::{path}" if outer and path else outer or path


def _leaf(path: str, alias: str, line: int, kind: str) -> Import:
    module, _, name = path.rpartition("::")
    if name == "self" and module:
        return Import(module, "", alias, line, kind=kind)
    return (
        Import(module, name, alias, line, kind=kind) if module else Import(name, "", alias, line, kind=kind)
    )


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, struct literals, macros, attributes, and paths that stand as values."""
    return _USES[node.type](node, src)


def _call(node: Node, src: bytes) -> Iterable[Target]:
    function = node.child_by_field_name("function")
    while function is not None and function.type in _AROUND:
        inner = function.child_by_field_name("function")
        function = inner if inner is not None else function.named_child(0)
    kind = function.type if function is not None else ""
    if kind == "identifier":
        return (Target(text(function, src), "", function, "call"),)
    if kind == "field_expression":
        name = function.child_by_field_name("field")
        return (Target(text(name, src), plain(function.child_by_field_name("value"), src), name, "call"),)
    return _scoped(function, src, "call") if kind == "scoped_identifier" else ()


_AROUND = frozenset({"generic_function", "parenthesized_expression"})


def _scoped(node: Node, src: bytes, kind: str) -> tuple[Target]:
    name = node.child_by_field_name("name")
    return (Target(text(name, src), plain(node.child_by_field_name("path"), src), name, kind),)


def _path_value(node: Node, src: bytes) -> Iterable[Target]:
    after = src[node.end_byte : node.end_byte + 1]
    return () if after in _CALLED else _scoped(node, src, "value")


_CALLED = (b"(", b":", b"!")
"""What follows a path that is no value: arguments, more of the path or a turbofish, the bang of a macro."""


def _macro(node: Node, src: bytes) -> Iterable[Target]:
    macro = node.child_by_field_name("macro")
    if src[macro.end_byte + 1 : macro.end_byte + 2] in (b"(", b"["):
        return ()  # its token tree says it
    if macro.type == "scoped_identifier":
        return _scoped(macro, src, "macro")
    return (Target(text(macro, src), "", macro, "macro"),)


def _struct(node: Node, src: bytes) -> Iterable[Target]:
    name = node.child_by_field_name("name")
    while name is not None and name.type in ("generic_type", "generic_type_with_turbofish"):
        name = name.child_by_field_name("type")
    if name is None:
        return ()
    if name.type in ("scoped_type_identifier", "scoped_identifier"):
        return _scoped(name, src, "new")
    return (Target(text(name, src), "", name, "new"),)


def _variant_pattern(node: Node, src: bytes) -> Iterable[Target]:
    head = node.child_by_field_name("type")
    return _scoped(head, src, "value") if head.type == "scoped_identifier" else ()


_GENERICS = re.compile(r"(?:::)?<[^<>]*>")


def plain(node: Node | None, src: bytes) -> str:
    """A receiver without type arguments: ``Cell::<u8>`` -> ``Cell``; ``<T as Trait>`` stays."""
    if node is None:
        return ""
    if node.type == "bracketed_type":
        inner = node.named_child(0)
        if inner.type == "qualified_type":
            return f"<{' as '.join(plain(child, src) for child in inner.named_children)}>"
        return plain(inner, src)
    found = expression(node, src)
    if "<" in found and ">" in found:
        previous = ""
        while previous != found:
            previous, found = found, _GENERICS.sub("", found)
    return found


def _attribute(node: Node, src: bytes) -> Iterable[Target]:
    """``#[tokio::main]`` uses main of tokio, ``#[derive(A)]`` uses A."""
    attribute = node.named_child(0) if node.named_child_count else None
    path = attribute.named_child(0) if attribute is not None and attribute.named_child_count else None
    if attribute is None or path is None:
        return ()
    if path.type == "scoped_identifier":
        return _scoped(path, src, "decorator")
    name = text(path, src)
    if name == "derive":
        arguments = attribute.child_by_field_name("arguments")
        return [
            Target(text(child, src), "", child, "decorator")
            for child in (arguments.named_children if arguments is not None else ())
            if child.type == "identifier" and src[child.end_byte : child.end_byte + 1] != b":"
        ]
    return () if name in _BUILT_IN else (Target(name, "", path, "decorator"),)


_USES: Mapping[str, Callable[[Node, bytes], Iterable[Target]]] = {
    "call_expression": _call,
    "token_tree": called_before,
    "scoped_identifier": _path_value,
    "macro_invocation": _macro,
    "struct_expression": _struct,
    "tuple_struct_pattern": _variant_pattern,
    "attribute_item": _attribute,
}
