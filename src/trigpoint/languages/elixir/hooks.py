"""Elixir's definitions, imports and complexity; uses are in uses.py, bindings in bindings.py."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from trigpoint.languages.elixir.bindings import bindings
from trigpoint.languages.elixir.uses import reference
from trigpoint.languages.elixir.words import (
    CALLBACKS,
    FUNCTIONS,
    IMPORTS,
    LEADS,
    MODULES,
    RECORDS,
    RESERVED,
    STRUCTS,
    TESTS,
    TYPES,
    arguments_of,
    attribute_of,
    block_of,
    fields_of,
    head_of,
    key_of,
    keyword,
    name_of,
    operator_of,
    option,
    word_of,
)
from trigpoint.languages.syntax import Definition, Node, Place, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "decisions", "definition", "imports", "reference"]

# definitions


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Modules, protocols and their implementations, functions and macros, attributes, types, fields, tests."""
    if node.type == "unary_operator":
        return _attribute(node, src, inside)
    word = word_of(node, src)
    if word in FUNCTIONS:
        return _function(node, src, word)
    if word in MODULES:
        return _module(node, src, MODULES[word])
    if word in STRUCTS:
        return _fields(node, src)
    if word in RECORDS:
        return _record(node, src)
    if word in TESTS and inside in ("module", "suite"):
        return _test(node, src, TESTS[word])
    return ()


def _function(node: Node, src: bytes, word: bytes) -> Iterator[Definition]:
    arguments = arguments_of(node)
    if not arguments:
        return
    name, arity = name_of(head_of(arguments[0]))
    made, block = FUNCTIONS[word], block_of(node)
    body = block if block is not None else keyword(arguments, "do", src)
    modifiers = made.modifiers
    if body is None and not {"guard", "delegate"} & set(modifiers):
        modifiers += ("declaration",)
    written = text(name, src)
    lead, doc, decorators = _lead(node, src)
    yield Definition(
        written,
        made.kind,
        name,
        body,
        decorators=decorators,
        modifiers=modifiers,
        lead_node=lead,
        doc=doc,
        joins=f"{written}/{arity}",
    )


_NO_LEAD = re.compile(rb"(?:end|defp?|do)\b")


def _lead(node: Node, src: bytes) -> tuple[Node | None, str, tuple[str, ...]]:
    """The first of the attributes that speak of a definition, its documentation, and the attributes that are marks."""
    end = len(src[max(0, node.start_byte - 2000) : node.start_byte].rstrip()) + max(0, node.start_byte - 2000)
    line = src.rfind(b"\n", 0, end) + 1
    if _NO_LEAD.match(src[line:end].strip()):
        return None, "", ()
    lead, doc, marks = None, "", []
    before = node.prev_named_sibling
    while before is not None and before.type in ("unary_operator", "comment"):
        if before.type == "unary_operator":
            word, setter = attribute_of(before, src)
            if word not in LEADS or setter is None:
                break
            lead = before
            if word in (b"doc", b"typedoc"):
                doc = _documentation(setter, src) or doc
            elif word not in (b"spec", b"dialyzer", b"since"):
                marks.append(" ".join(text(setter, src).split()))
        before = before.prev_named_sibling
    return lead, doc, tuple(reversed(marks))


_QUOTES = re.compile(r"^~\w|\"\"\"|'''|^[\"']|[\"']$")


def _documentation(setter: Node, src: bytes) -> str:
    """The first paragraph of ``@doc "..."``."""
    written = arguments_of(setter)
    if not written or written[0].type not in ("string", "sigil"):
        return ""
    paragraph = _QUOTES.sub("", text(written[0], src, 1200)).strip().split("\n\n", 1)[0]
    return " ".join(paragraph.split())[:600]


def _module(node: Node, src: bytes, kind: str) -> Iterator[Definition]:
    """``My.App.Foo`` is named Foo; an implementation is named after what it is for, in the protocol."""
    arguments = arguments_of(node)
    if not arguments:
        return
    named, prefix = arguments[0], ""
    bases: tuple[str, ...] = ()
    block = block_of(node)
    if kind == "impl":
        bases = (text(named, src),)
        target = option(arguments, "for", src)
        if target is not None:
            prefix = text(named, src)
            named = target.named_child(0) if target.type == "list" and target.named_child_count else target
    else:
        bases = tuple(_behaviours(block, src))
    written = "".join(text(named, src).split())
    before, dot, last = written.rpartition(".")
    row, column = named.start_point
    yield Definition(
        last,
        kind,
        Place((row, column + len(before.encode()) + len(dot))),
        block,
        prefix=".".join(part for part in (prefix, before) if part),
        bases=bases,
        doc=_moduledoc(block, src),
    )


def _behaviours(block: Node | None, src: bytes) -> Iterator[str]:
    """The modules that a module uses and the behaviours it has."""
    for one in block.named_children if block is not None else ():
        setter = one
        if one.type == "unary_operator":
            word, found = attribute_of(one, src)
            if word != b"behaviour" or found is None:
                continue
            setter = found
        elif one.type != "call" or word_of(one, src) != b"use":
            continue
        for given in arguments_of(setter)[:1]:
            if given.type == "alias":
                yield text(given, src)


def _moduledoc(block: Node | None, src: bytes) -> str:
    for one in block.named_children[:4] if block is not None else ():
        if one.type == "unary_operator":
            word, setter = attribute_of(one, src)
            if word == b"moduledoc" and setter is not None:
                return _documentation(setter, src)
    return ""


def _fields(node: Node, src: bytes) -> Iterator[Definition]:
    for name, one in fields_of(node, src):
        row, column = one.start_point
        place = Place((row, column + (one.type == "atom")))
        yield Definition(name, "field", place, scope=False, start_node=one, end_node=one)


def _record(node: Node, src: bytes) -> Iterator[Definition]:
    for given in arguments_of(node)[:1]:
        if given.type == "atom":
            row, column = given.start_point
            yield Definition(text(given, src)[1:], "record", Place((row, column + 1)), scope=False)


def _test(node: Node, src: bytes, kind: str) -> Iterator[Definition]:
    arguments, block = arguments_of(node), block_of(node)
    if arguments and arguments[0].type == "string":
        quoted = arguments[0]
        row, column = quoted.start_point
        lead, _, decorators = _lead(node, src)
        name = text(quoted, src).strip('"')
        modifiers = () if block is not None else ("declaration",)
        yield Definition(
            name,
            kind,
            Place((row, column + 1)),
            block,
            decorators=decorators,
            modifiers=modifiers,
            lead_node=lead,
        )


_INNER = frozenset({"function", "macro", "test"})


def _attribute(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """Types, callbacks, and the constants of a module."""
    word, setter = attribute_of(node, src)
    if setter is None or inside in _INNER:
        return
    given = arguments_of(setter)
    if len(given) != 1:
        return
    if word in TYPES or word in CALLBACKS:
        head = head_of(given[0])
        if operator_of(head) == "::":
            head = head.child_by_field_name("left") or head
        name, _ = name_of(head)
        lead, doc, _ = _lead(node, src)
        kind = "type" if word in TYPES else "macro" if word == b"macrocallback" else "function"
        modifiers: tuple[str, ...] = TYPES.get(word, ("callback", "declaration"))
        yield Definition(text(name, src), kind, name, modifiers=modifiers, lead_node=lead, doc=doc)
    elif word not in RESERVED:
        name = setter.child(0)
        yield Definition(text(name, src), "constant", name, scope=False)


# imports


def imports(node: Node, src: bytes) -> Iterable[Import]:
    """``alias A.{B, C}`` is an import each; ``import M`` takes all or ``only:`` some; ``use M`` includes what M makes."""
    word = word_of(node, src)
    return _imported(node, src, word) if word in IMPORTS else ()


def _imported(node: Node, src: bytes, word: bytes) -> Iterator[Import]:
    arguments = arguments_of(node)
    renamed = text(option(arguments, "as", src), src)
    only = option(arguments, "only", src)
    for module, place in _modules(arguments[0], src) if arguments else ():
        line = line_of(place)
        if word == b"use":
            yield Import(module, "*", "", line, kind="include")
        elif word == b"import":
            names = list(_names(only, src)) if only is not None else ["*"]
            for name in names or ["*"]:
                yield Import(module, name, "" if name == "*" else name, line)
        elif word == b"alias":
            yield Import(module, "", renamed or module.rpartition(".")[2], line)
        else:
            yield Import(module, "", renamed, line)


def _modules(node: Node, src: bytes) -> Iterator[tuple[str, Node]]:
    """``A.B`` is itself; ``A.{B, C.D}`` is A.B and A.C.D."""
    right = node.child_by_field_name("right") if node.type == "dot" else None
    if right is not None and right.type == "tuple":
        outer = text(node.child_by_field_name("left"), src)
        for one in right.named_children:
            if one.type != "comment":
                yield f"{outer}.{text(one, src)}", one
    elif node.type in ("alias", "dot", "atom", "identifier"):
        yield text(node, src), node


def _names(only: Node, src: bytes) -> Iterator[str]:
    for keywords in only.named_children if only.type == "list" else ():
        for pair in keywords.named_children:
            key = pair.child_by_field_name("key")
            if key is not None:
                yield key_of(key, src)


# complexity

_BRANCHES = frozenset({b"if", b"unless", b"while"})
_ALWAYS = frozenset({b"_", b"true"})


def decisions(node: Node, src: bytes) -> int:
    """``if`` and ``unless``, and the clauses of case, cond, receive, rescue … but the last resort; ``fn`` has one for free."""
    kind = node.type
    if kind == "call":
        return int(word_of(node, src) in _BRANCHES)
    if kind == "anonymous_function":
        first = next((one for one in node.named_children if one.type == "stab_clause"), None)
        return -decisions(first, src) if first is not None else 0
    left = node.child(0)
    return int(src[left.start_byte : left.end_byte] not in _ALWAYS)
