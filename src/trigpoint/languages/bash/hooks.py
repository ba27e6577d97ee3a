"""The definitions, sourced files, uses and complexity of shell scripts; bindings are in bindings.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.bash.bindings import bindings
from trigpoint.languages.bash.prepared import prepare
from trigpoint.languages.bash.words import (
    BUILTINS,
    PROGRAM_RUNNERS,
    RUNNERS,
    SOURCES,
    arguments_of,
    command_word,
    is_constant,
    is_name,
    unquoted,
)
from trigpoint.languages.syntax import Definition, Node, Place, Target, line_of, text
from trigpoint.model import Import

__all__ = ["bindings", "decisions", "definition", "imports", "prepare", "reference"]

# definitions


def definition(node: Node, src: bytes, inside: str) -> Iterable[Definition]:
    """Functions, tests of bats, aliases; outside functions what is declared, and variables in capitals."""
    return _DEFINERS[node.type](node, src, inside)


def _function(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return
    word = text(name, src)
    if word.startswith("@test"):
        row, column = name.start_point
        word += src[name.end_byte : name.end_byte + 2].decode(
            "utf-8", "replace"
        )  # the grammar reads () there
        written = word[5:].lstrip()
        quoted = written[:1] in "\"'"
        place = Place((row, column + len(word.encode()) - len(written.encode()) + quoted))
        yield Definition(written[1:-1] if quoted else written, "test", place, body)
    else:
        yield Definition(word, "function", name, body)


_WORDS = {"readonly": ("readonly",), "export": ("export",)}
_FLAGS = {"r": "readonly", "x": "export"}


def _declared(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """``readonly A=1``, ``declare -rx A``; in a function only what is global."""
    word = text(node.child(0), src)
    flags = "".join(text(one, src)[1:] for one in node.named_children if one.type == "word")
    if word == "local" or (inside and not (word in _WORDS or "g" in flags)):
        return
    modifiers = _WORDS.get(word, ()) + tuple(said for flag, said in _FLAGS.items() if flag in flags)
    for one in node.named_children:
        if one.type == "variable_assignment":
            name = one.child_by_field_name("name")
            found = text(name, src)
            kind = "constant" if "readonly" in modifiers or is_constant(found) else "variable"
            yield Definition(
                found, kind, name, modifiers=modifiers, scope=False, start_node=node, end_node=one
            )


def _assigned(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    """A variable in capitals, outside functions; not the environment of one command, nor what a declaration has told."""
    name = node.child_by_field_name("name")
    if (
        inside
        or name is None
        or name.type != "variable_name"
        or src[name.end_byte : name.end_byte + 1] != b"="
    ):
        return
    word = text(name, src)
    if not is_constant(word):
        return
    around = node.parent
    if around is None or around.type not in _NO_STATEMENT:
        yield Definition(word, "constant", name, scope=False)


_NO_STATEMENT = frozenset({"command", "declaration_command", "c_style_for_statement", "ERROR"})


def _alias(node: Node, src: bytes, inside: str) -> Iterator[Definition]:
    if command_word(node, src) == "alias":
        for one in arguments_of(node):
            name, is_set, _ = text(one, src).partition("=")
            if is_set and name:
                yield Definition(name, "alias", one, scope=False, start_node=node, end_node=one)


_DEFINERS: dict[str, Callable[[Node, bytes, str], Iterable[Definition]]] = {
    "function_definition": _function,
    "declaration_command": _declared,
    "variable_assignment": _assigned,
    "command": _alias,
}


# imports


def imports(node: Node, src: bytes) -> Iterator[Import]:
    """``source "$DIR/lib.sh"`` includes that file; variables in the path stay as written."""
    if command_word(node, src) in SOURCES:
        for one in arguments_of(node)[:1]:
            yield Import(unquoted(one, src), "*", "", line_of(node), kind="include")


# uses


def reference(node: Node, src: bytes) -> Iterable[Target]:
    """Commands, those that another runs, and variables in capitals. What only runs programs is their receiver."""
    return _command(node, src) if node.type == "command" else _expanded(node, src)


def _command(node: Node, src: bytes) -> Iterator[Target]:
    name = node.child_by_field_name("name")
    word = command_word(node, src)
    if word and word not in BUILTINS and word not in SOURCES and is_name(word):
        yield Target(word, "", name, "call")
    if word in RUNNERS:
        for one in arguments_of(node):
            given = unquoted(one, src).split()
            if not given or given[0][0] in "-!" or "=" in given[0]:
                continue
            if is_name(given[0]) and given[0] not in BUILTINS:
                runner = word if word in PROGRAM_RUNNERS else ""
                yield Target(given[0], runner, one, "value" if word == "trap" else "call")
            break


def _expanded(node: Node, src: bytes) -> Iterator[Target]:
    for one in node.named_children[:1]:
        if one.type == "subscript":
            one = one.child_by_field_name("name") or one
        word = text(one, src)
        if one.type == "variable_name" and is_constant(word):
            yield Target(word, "", one, "value")


# complexity


def decisions(node: Node, src: bytes) -> int:
    """A case but ``*``, and what ``&&`` or ``||`` makes conditional."""
    if node.type == "list":
        operator = node.child(1)
        return int(operator is not None and operator.type in ("&&", "||"))
    value = node.child_by_field_name("value")
    return int(value is None or src[value.start_byte : value.end_byte] != b"*")
