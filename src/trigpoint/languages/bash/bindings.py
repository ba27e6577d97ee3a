"""What the variables of shell scripts are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from trigpoint.languages.bash.words import arguments_of, command_word, is_name
from trigpoint.languages.syntax import Node, line_of, text
from trigpoint.model import Binding


def bindings(node: Node, src: bytes, inside: str) -> Iterable[Binding]:
    """Variables assigned, declared, looped over and read into; a value is the command that ``$(...)`` runs."""
    return _BINDERS[node.type](node, src)


def _value(node: Node | None, src: bytes) -> str:
    """``f()`` of ``"$(f a b)"``."""
    while (
        node is not None and node.type in ("string", "command_substitution") and node.named_child_count == 1
    ):
        node = node.named_child(0)
    if node is None or node.type != "command":
        return ""
    word = command_word(node, src)
    return f"{word}()" if is_name(word) else ""


def _assigned(node: Node, src: bytes) -> Iterator[Binding]:
    name = node.child_by_field_name("name")
    if name is not None and name.type == "variable_name":
        yield Binding(
            text(name, src), "assign", _value(node.child_by_field_name("value"), src), "", line_of(name)
        )


def _declared(node: Node, src: bytes) -> Iterator[Binding]:
    """Names that are declared without a value; assignments in it are visited on their own."""
    for one in node.named_children:
        if one.type == "variable_name":
            yield Binding(text(one, src), "assign", "", "", line_of(one))


def _loop(node: Node, src: bytes) -> Iterator[Binding]:
    name = node.child_by_field_name("variable")
    if name is not None:
        yield Binding(text(name, src), "for", "", "", line_of(name))


_READERS = frozenset({"read", "mapfile", "readarray"})


def _read(node: Node, src: bytes) -> Iterator[Binding]:
    if command_word(node, src) in _READERS:
        for one in arguments_of(node):
            word = text(one, src)
            if one.type == "word" and word.isidentifier():
                yield Binding(word, "assign", "", "", line_of(one))


_BINDERS: dict[str, Callable[[Node, bytes], Iterable[Binding]]] = {
    "variable_assignment": _assigned,
    "declaration_command": _declared,
    "for_statement": _loop,
    "command": _read,
}
