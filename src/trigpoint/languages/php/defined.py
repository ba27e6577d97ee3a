"""What PHP defines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.languages.php.names import NAMES, bare_name, dotted
from trigpoint.languages.syntax import Definition, Node, children_of_kind, expression, flat, text

ANONYMOUS = "<anonymous>"


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Namespaces, types, functions, members, promoted parameters, constants, global variables, closures with a name.

    Fields are named without ``$`` as they are used, variables with it. A trait that a class uses is one of its bases.
    """
    return _DEFINERS[node.type](node, src, inside)


# namespaces and types

_TYPES = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "trait_declaration": "trait",
    "enum_declaration": "enum",
}


def _namespace(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """Without braces it reaches to the next one, or to the end."""
    written = node.child_by_field_name("name")
    if written is None:
        return
    prefix, name = dotted(text(written, src))
    leaf = written.named_child(written.named_child_count - 1) if written.named_child_count else written
    body = node.child_by_field_name("body")
    end = node if body is not None else _last_of(node)
    yield Definition(name, "namespace", leaf, body, prefix=prefix, end_node=end)


def _last_of(node: Node) -> Node:
    """The last statement before the next namespace."""
    last = node
    for one in node.parent.named_children if node.parent is not None else ():
        if one.start_byte <= node.start_byte:
            continue
        if one.type == "namespace_definition":
            break
        last = one
    return last


def _type(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    decorators, words, start = _head(node, src)
    yield Definition(
        text(name, src), _TYPES[node.type], name, body, "", "", tuple(_bases(node, body, src)), decorators, words,
        start_node=start, lead_node=node if start is not None else None,
    )  # fmt: skip
    yield from _promoted(body, src)


def _anonymous(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    body = node.child_by_field_name("body")
    word = next((one for one in node.children if one.type == "class"), node)
    yield Definition(ANONYMOUS, "class", word, body, bases=tuple(_bases(node, body, src)))
    yield from _promoted(body, src)


def _bases(node: Node, body: Node | None, src: bytes) -> Iterator[str]:
    for clause in children_of_kind(node, "base_clause", "class_interface_clause"):
        for one in children_of_kind(clause, *NAMES):
            yield text(one, src)
    for clause in children_of_kind(body, "use_declaration"):
        for one in children_of_kind(clause, *NAMES):
            yield text(one, src)


def _promoted(body: Node | None, src: bytes) -> Iterator[Definition]:
    """Parameters of the constructor that are fields."""
    for one in children_of_kind(body, "method_declaration"):
        if text(one.child_by_field_name("name"), src) != "__construct":
            continue
        for given in children_of_kind(one.child_by_field_name("parameters"), "property_promotion_parameter"):
            name = bare_name(given.child_by_field_name("name"))
            decorators, words, start = _head(given, src)
            if name is not None:
                yield Definition(
                    text(name, src), "property", name, None, "", "", (), decorators, words, False, start or given, given,
                    given if start is not None else None,
                )  # fmt: skip


def _head(node: Node, src: bytes) -> tuple[tuple[str, ...], tuple[str, ...], Node | None]:
    """Attributes, modifiers, and where the signature starts when attributes stand before it."""
    decorators: list[str] = []
    words: list[str] = []
    start = None
    for one in node.children:
        kind = one.type
        if kind == "attribute_list":
            for group in one.named_children:
                decorators += [expression(given, src) for given in children_of_kind(group, "attribute")]
            continue
        if decorators and start is None and kind != "comment":
            start = one
        if kind.endswith("_modifier"):
            words += [] if kind == "reference_modifier" else [text(one, src)]
        elif kind != "comment":
            break
    return tuple(decorators), tuple(words), start


# functions and members


def _function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return
    decorators, words, start = _head(node, src)
    said, kind = text(name, src), "function"
    if node.type == "method_declaration":
        kind = "constructor" if said == "__construct" else "method"
        words = words if body is not None else (*words, "declaration")
    result = node.child_by_field_name("return_type")
    yield Definition(
        said, kind, name, body, "", "", (), decorators, words, True, start, None, node if start is not None else None,
        flat(result, src) if result is not None else "",
    )  # fmt: skip


def _properties(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    decorators, words, start = _head(node, src)
    hooked = (
        node.named_child_count and node.named_child(node.named_child_count - 1).type == "property_hook_list"
    )
    for one in children_of_kind(node, "property_element"):
        name = bare_name(one.child_by_field_name("name"))
        if name is not None:
            yield Definition(
                text(name, src), "property", name, None, "", "", (), decorators, words, bool(hooked), start,
                node if hooked else one, node if start is not None else None,
            )  # fmt: skip


def _constants(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    decorators, words, start = _head(node, src)
    for one in children_of_kind(node, "const_element"):
        name = one.named_child(0)
        yield Definition(
            text(name, src), "constant", name, None, "", "", (), decorators, words, False, start, one,
            node if start is not None else None,
        )  # fmt: skip


def _case(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    decorators, words, start = _head(node, src)
    yield Definition(
        text(name, src), "constant", name, None, "", "", (), decorators, words, False, start, None,
        node if start is not None else None,
    )  # fmt: skip


def _trait_alias(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``use T { m as protected n; }`` gives the class a method n."""
    last = node.named_child(node.named_child_count - 1) if node.named_child_count > 1 else None
    if last is not None and last.type == "name":
        words = tuple(text(one, src) for one in children_of_kind(node, "visibility_modifier"))
        yield Definition(text(last, src), "method", last, modifiers=words, scope=False)


# variables

_CLOSURES = frozenset({"anonymous_function", "arrow_function"})
_TOP = frozenset({"", "namespace"})


def _assigned(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None or left.type != "variable_name":
        return ()
    if right.type == "anonymous_function" or (right.type == "arrow_function" and inside in _TOP):
        body = right.child_by_field_name("body")
        result = right.child_by_field_name("return_type")
        returns = flat(result, src) if result is not None else ""
        return (Definition(text(left, src), "function", left, body, end_node=right, returns=returns),)
    if inside in _TOP:
        return (Definition(text(left, src), "variable", left, scope=False),)
    return ()


def _defined(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """``define('NAME', …)``."""
    if not src.startswith(b"define(", node.start_byte):
        return ()
    given = node.child_by_field_name("arguments")
    first = given.named_child(0) if given is not None and given.named_child_count else None
    said = first.named_child(0) if first is not None and first.named_child_count else None
    if said is None or said.type not in ("string", "encapsed_string") or said.named_child_count != 1:
        return ()
    name = said.named_child(0)
    return (
        (Definition(text(name, src), "constant", name, scope=False),) if name.type == "string_content" else ()
    )


_DEFINERS: Mapping[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    **dict.fromkeys(_TYPES, _type),
    "namespace_definition": _namespace,
    "anonymous_class": _anonymous,
    "function_definition": _function,
    "method_declaration": _function,
    "property_declaration": _properties,
    "const_declaration": _constants,
    "enum_case": _case,
    "use_as_clause": _trait_alias,
    "assignment_expression": _assigned,
    "function_call_expression": _defined,
}
