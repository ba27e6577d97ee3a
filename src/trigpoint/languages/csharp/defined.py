"""What C# defines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from trigpoint.languages.csharp.names import place, plain
from trigpoint.languages.syntax import Definition, Node, children_of_kind, expression, flat, text


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Namespaces, types, members, local functions, and the parameters of a record's head.

    A namespace for the whole file reaches to its end. An extension method has the modifier "extension".
    """
    return _DEFINERS[node.type](node, src, inside)


class _Head(NamedTuple):
    """What is written before a declaration proper."""

    decorators: tuple[str, ...]
    words: tuple[str, ...]
    start: Node | None  # where the signature starts, when attributes stand before it


def _head(node: Node, src: bytes) -> _Head:
    decorators: list[str] = []
    words: list[str] = []
    start = None
    for one in node.children:
        kind = one.type
        if kind == "attribute_list":
            decorators += [expression(given, src) for given in children_of_kind(one, "attribute")]
            continue
        if kind == "comment" or kind.startswith("preproc"):
            continue
        if decorators and start is None:
            start = one
        if kind != "modifier":
            break
        words.append(text(one, src))
    return _Head(tuple(decorators), tuple(words), start)


# namespaces and types

_TYPES = {
    "class_declaration": "class",
    "struct_declaration": "struct",
    "interface_declaration": "interface",
    "record_declaration": "record",
    "enum_declaration": "enum",
    "delegate_declaration": "delegate",
}
_BASES = frozenset({"identifier", "generic_name", "qualified_name", "alias_qualified_name"})


def _namespace(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    written = node.child_by_field_name("name")
    if written is None:
        return
    name = written.child_by_field_name("name") if written.type == "qualified_name" else written
    prefix = flat(written.child_by_field_name("qualifier"), src)
    body, end = node.child_by_field_name("body"), node
    if node.type == "file_scoped_namespace_declaration" and node.parent is not None:
        end = node.parent.named_child(node.parent.named_child_count - 1)
    yield Definition(plain(name, src), "namespace", place(name, src), body, prefix=prefix, end_node=end)


def _type(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    listed = next(children_of_kind(node, "base_list"), None)
    bases = [_base(one, src) for one in listed.named_children] if listed is not None else []
    kind = _TYPES[node.type]
    returns = _returned(node.child_by_field_name("type"), src) if kind == "delegate" else ""
    return (_made(node, src, kind)._replace(bases=tuple(one for one in bases if one), returns=returns),)


def _returned(result: Node | None, src: bytes) -> str:
    said = flat(result, src)
    return "" if said == "void" else said


def _base(node: Node, src: bytes) -> str:
    if node.type == "primary_constructor_base_type":
        node = node.child_by_field_name("type")
    return flat(node, src) if node is not None and node.type in _BASES else ""


def _made(node: Node, src: bytes, kind: str, words: tuple[str, ...] = ()) -> Definition:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    decorators, before, start = _head(node, src)
    return Definition(
        plain(name, src), kind, place(name, src) if name is not None else node, body, "", "", (), decorators,
        (*before, *words), True, start, None, node if start is not None else None,
    )  # fmt: skip


# members


def _callable(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    kind = "constructor" if node.type == "constructor_declaration" else "method"
    if node.type == "local_function_statement":
        kind = "function"
    words = []
    if node.child_by_field_name("body") is None:
        words.append("declaration")
    if kind == "method":
        words += (
            [_EXPLICIT] if any(True for _ in children_of_kind(node, "explicit_interface_specifier")) else []
        )
        words += [_EXTENSION] if _extends(node.child_by_field_name("parameters"), src) else []
    result = node.child_by_field_name("returns") or node.child_by_field_name("type")
    yield _made(node, src, kind, tuple(words))._replace(returns=_returned(result, src))


_EXPLICIT = "explicit"
_EXTENSION = "extension"


def _extends(given: Node | None, src: bytes) -> bool:
    first = given.named_child(0) if given is not None and given.named_child_count else None
    return first is not None and any(text(one, src) == "this" for one in children_of_kind(first, "modifier"))


def _operator(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``operator +``, ``operator int``; ``~Foo``."""
    word = next((one for one in node.children if one.type in ("operator", "~")), node)
    if word.type == "~":
        name, returns = f"~{text(node.child_by_field_name('name'), src)}", ""
    else:
        result = node.child_by_field_name("type")
        said = node.child_by_field_name("operator") if node.type == "operator_declaration" else result
        name, returns = f"operator {flat(said, src)}", flat(result, src)
    body, head = node.child_by_field_name("body"), _head(node, src)
    yield Definition(
        name, "method", word, body, "", "", (), head.decorators, head.words, True, head.start, None,
        node if head.start is not None else None, returns,
    )  # fmt: skip


def _property(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    word = next((one for one in node.children if one.type == "this"), None)
    name = node.child_by_field_name("name") or word
    if name is None:
        return
    head = _head(node, src)
    kind = "event" if node.type == "event_declaration" else "property"
    explicit = any(True for _ in children_of_kind(node, "explicit_interface_specifier"))
    yield Definition(
        plain(name, src), kind, place(name, src), node.child_by_field_name("accessors"), "", "", (), head.decorators,
        (*head.words, _EXPLICIT) if explicit else head.words, True, head.start, None,
        node if head.start is not None else None,
    )  # fmt: skip


def _fields(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    decorators, words, start = _head(node, src)
    kind = "event" if node.type == "event_field_declaration" else "field"
    if "const" in words or ("static" in words and "readonly" in words):
        kind = "constant"
    lead = node if start is not None else None
    for declared in children_of_kind(node, "variable_declaration"):
        for one in children_of_kind(declared, "variable_declarator"):
            name = one.child_by_field_name("name")
            if name is not None:
                yield Definition(
                    plain(name, src), kind, place(name, src), None, "", "", (), decorators, words, _makes_code(one),
                    start, one, lead,
                )  # fmt: skip


def _makes_code(declarator: Node) -> bool:
    """Whether a field holds a lambda, whose calls are then its own."""
    last = declarator.named_child(declarator.named_child_count - 1)
    return last.type in ("lambda_expression", "anonymous_method_expression")


def _enum_member(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    decorators, words, start = _head(node, src)
    name = node.child_by_field_name("name")
    if name is not None:
        yield Definition(
            plain(name, src), "constant", place(name, src), None, "", "", (), decorators, words, False, start, None,
            node if start is not None else None,
        )  # fmt: skip


def _component(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """A parameter of a record's head is a property of the record."""
    name = node.child_by_field_name("name")
    if inside != "record" or name is None:
        return ()
    head = _head(node, src)
    return (
        Definition(
            plain(name, src), "property", place(name, src), decorators=head.decorators, scope=False, start_node=head.start,
            end_node=node, lead_node=node if head.start is not None else None,
        ),
    )  # fmt: skip


_DEFINERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    **dict.fromkeys(_TYPES, _type),
    "namespace_declaration": _namespace,
    "file_scoped_namespace_declaration": _namespace,
    "method_declaration": _callable,
    "constructor_declaration": _callable,
    "local_function_statement": _callable,
    "destructor_declaration": _operator,
    "operator_declaration": _operator,
    "conversion_operator_declaration": _operator,
    "property_declaration": _property,
    "indexer_declaration": _property,
    "event_declaration": _property,
    "event_field_declaration": _fields,
    "field_declaration": _fields,
    "enum_member_declaration": _enum_member,
    "parameter": _component,
}
