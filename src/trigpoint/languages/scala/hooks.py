"""Scala's imports and uses; its definitions and bindings lie beside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.scala.bound import bindings
from trigpoint.languages.scala.defined import definition
from trigpoint.languages.scala.unread import prepare
from trigpoint.languages.scala.words import NO_NAMES, made_type, plain, value, written
from trigpoint.languages.syntax import Node, Target, children_of_kind, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "decisions", "definition", "imports", "prepare", "reference"]


# imports


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """``import a.{b => c, d}``; several package clauses in a row are one package; an export hands on."""
    if node.type == "package_clause":
        yield Import(_package(node, src), "", "", line_of(node), kind="package")
        return
    kind = "reexport" if node.type == "export_declaration" else "import"
    path: list[str] = []
    for one in node.children:
        if one.type == ",":
            yield from _ended(path, kind, line_of(one))
            path = []
        elif one.type in ("identifier", "type_identifier", "operator_identifier"):
            path.append(plain(one, src))
        elif one.is_named and "comment" not in one.type:
            for selector in one.named_children if one.type == "namespace_selectors" else (one,):
                yield from _selected(selector, ".".join(path), kind, src)
            path = []
    yield from _ended(path, kind, line_of(node))


def _package(node: Node, src: bytes) -> str:
    parts = []
    current = node
    while current is not None and current.type == "package_clause":
        parts.append("".join(text(current.child_by_field_name("name"), src).split()))
        current = current.next_named_sibling if current.child_by_field_name("body") is None else None
    return ".".join(parts)


def _ended(path: list[str], kind: str, line: int) -> Iterator[Import]:
    if path:
        yield Import(".".join(path[:-1]), path[-1], path[-1], line, kind=kind)


def _selected(node: Node, module: str, kind: str, src: bytes) -> Iterator[Import]:
    line = line_of(node)
    if node.type == "namespace_wildcard":
        given = text(node, src) == "given"
        yield Import(module, "given" if given else "*", "", line, kind=kind)
    elif node.type.endswith("renamed_identifier"):
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        if alias is not None and alias.type != "wildcard":
            yield Import(module, plain(name, src), plain(alias, src), line, kind=kind)
    elif node.type in ("identifier", "type_identifier", "operator_identifier"):
        yield Import(module, plain(node, src), plain(node, src), line, kind=kind)


# complexity


def decisions(node: Node, src: bytes) -> int:
    """A case is a branch unless it takes everything; so are a handler of one line and ``&&``, ``||``."""
    if node.type == "infix_expression":
        operator = node.child_by_field_name("operator")
        return int(operator is not None and src[operator.start_byte : operator.end_byte] in (b"&&", b"||"))
    pattern = node.child_by_field_name("pattern")
    if node.type == "catch_clause":
        return int(pattern is not None)
    return int(
        pattern is not None
        and (pattern.type != "wildcard" or any(True for _ in children_of_kind(node, "guard")))
    )


# uses


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Calls, with or without parentheses, infix and postfix ones; what is made, annotated, compared with or given."""
    return _USES[node.type](node, src)


def _called(node: Node, src: bytes) -> Iterable[Target]:
    target = node.child_by_field_name("function")
    if target is not None and target.type == "generic_function":
        target = target.child_by_field_name("function")
    if target is None:
        return ()
    if target.type == "identifier":
        return (Target(plain(target, src), "", target, "call"), Target("", "", target))
    if target.type != "field_expression":
        return ()
    return _member(target, src, "call")


def _member(node: Node, src: bytes, kind: str) -> tuple[Target, ...]:
    """A member, and that nothing more is to be seen in its place."""
    leaf = node.child_by_field_name("field")
    if leaf is None:
        return ()
    owner = written(node.child_by_field_name("value"), src)
    return (Target(plain(leaf, src), owner, leaf, kind), Target("", "", leaf))


def _field(node: Node, src: bytes) -> Iterable[Target]:
    """``a.b`` may be a call; an upper-case name is a value or an object."""
    leaf = node.child_by_field_name("field")
    if leaf is None:
        return ()
    name = plain(leaf, src)
    if name in NO_NAMES:
        return ()
    owner = written(node.child_by_field_name("value"), src)
    return (Target(name, owner, leaf, "value" if name[:1].isupper() else "call"),)


def _stable(node: Node, src: bytes) -> Iterable[Target]:
    """``Keys.Main`` as a pattern."""
    first, leaf = node.named_child(0), node.named_child(node.named_child_count - 1)
    if leaf is None or leaf == first:
        return ()
    return (Target(plain(leaf, src), written(first, src), leaf, "value"),)


def _new(node: Node, src: bytes) -> Iterable[Target]:
    made = made_type(node)
    if made is not None and made.type == "generic_type":
        made = made.named_child(0)
    if made is None or made.type not in ("type_identifier", "stable_type_identifier"):
        return ()
    return _type(made, src, "new")


def _type(node: Node, src: bytes, kind: str) -> Iterable[Target]:
    if node.type == "type_identifier":
        return (Target(plain(node, src), "", node, kind),)
    leaf = node.named_child(node.named_child_count - 1)
    return (Target(plain(leaf, src), written(node.named_child(0), src), leaf, kind),)


def _annotation(node: Node, src: bytes) -> Iterable[Target]:
    name = node.child_by_field_name("name")
    while name is not None and name.type == "generic_type":
        name = name.named_child(0)
    if name is None or name.type not in ("type_identifier", "stable_type_identifier"):
        return ()
    return _type(name, src, "decorator")


_STANDARD = frozenset(
    [
        "+",
        "-",
        "*",
        "/",
        "%",
        "&",
        "|",
        "^",
        "&&",
        "||",
        "==",
        "!=",
        "<",
        ">",
        "<=",
        ">=",
        "eq",
        "ne",
        "<<",
        ">>",
        ">>>",
        "->",
        "=",
        "+=",
        "-=",
        "*=",
        "/=",
        "::",
        "++",
        ":+",
        "+:",
        ":::",
        ":::",
    ]
)
"""Operators that mostly mean those of the standard library."""


def _infix(node: Node, src: bytes) -> Iterator[Target]:
    operator, left = node.child_by_field_name("operator"), node.child_by_field_name("left")
    if operator is None:
        return
    name = plain(operator, src)
    if name not in _STANDARD:
        yield Target(name, value(left, src) or written(left, src), operator, "call")
        right = node.child_by_field_name("right")
        if right is not None and right.type == "identifier":
            yield Target(plain(right, src), "", right, "value")


def _postfix(node: Node, src: bytes) -> Iterable[Target]:
    if node.named_child_count != 2:
        return ()
    owner, name = node.named_children
    return (Target(plain(name, src), written(owner, src), name, "call"),)


def _values(node: Node, src: bytes) -> Iterator[Target]:
    """Names that are given, returned, listed or tested."""
    for one in node.named_children:
        if one.type == "identifier" and (name := plain(one, src)) not in NO_NAMES:
            yield Target(name, "", one, "value")


def _given_in(node: Node, src: bytes) -> Iterator[Target]:
    """The collection of a generator, the result of a lambda."""
    last = node.named_child(node.named_child_count - 1) if node.named_child_count > 1 else None
    if last is not None and last.type == "guard" and node.named_child_count > 2:
        last = node.named_child(node.named_child_count - 2)
    if last is not None and last.type == "identifier":
        yield Target(plain(last, src), "", last, "value")


def _case(node: Node, src: bytes) -> Iterator[Target]:
    """Upper-case names that a case is compared with, and its result."""
    stack = [one for one in node.children_by_field_name("pattern") if one.is_named]
    while stack:
        current = stack.pop()
        if current.type == "identifier":
            if (first := text(current, src)[:1]).isupper() or first == "`":
                yield Target(plain(current, src), "", current, "value")
        elif current.type in ("case_class_pattern", "typed_pattern"):
            stack += [one for one in current.children_by_field_name("pattern") if one.is_named]
        elif current.type in ("alternative_pattern", "tuple_pattern", "infix_pattern", "capture_pattern"):
            stack += current.named_children
    for result in node.children_by_field_name("body"):
        if result.type == "identifier":
            yield Target(plain(result, src), "", result, "value")


def _body(node: Node, src: bytes) -> Iterable[Target]:
    """``def size = count`` uses count."""
    body = node.child_by_field_name("body")
    return (
        (Target(plain(body, src), "", body, "value"),)
        if body is not None and body.type == "identifier"
        else ()
    )


def _set(node: Node, src: bytes) -> Iterable[Target]:
    """A member that is assigned to is not called."""
    left = node.child_by_field_name("left")
    leaf = left.child_by_field_name("field") if left is not None and left.type == "field_expression" else None
    return (Target("", "", leaf),) if leaf is not None else ()


_USES: dict[str, Callable[[Node, bytes], Iterable[Target]]] = {
    **dict.fromkeys(
        (
            "arguments",
            "tuple_expression",
            "return_expression",
            "throw_expression",
            "block",
            "indented_block",
            "if_expression",
            "match_expression",
            "method_value",
        ),
        _values,
    ),
    "call_expression": _called,
    "generic_function": _called,
    "field_expression": _field,
    "instance_expression": _new,
    "annotation": _annotation,
    "infix_expression": _infix,
    "postfix_expression": _postfix,
    "stable_identifier": _stable,
    "enumerator": _given_in,
    "lambda_expression": _given_in,
    "case_clause": _case,
    "assignment_expression": _set,
    "function_definition": _body,
    "given_definition": _body,
}
