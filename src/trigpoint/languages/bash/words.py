"""Shell commands that do more than run: those that declare, source, alias or run another; and how words are read."""

from __future__ import annotations

import re

from trigpoint.languages.syntax import Node, text

SOURCES = frozenset({"source", ".", "load", "bats_load_library", "load_lib"})
"""Commands that read another file; load is that of bats."""

_RUNNING = (
    "run command builtin exec eval nohup time sudo env trap xargs"
    " nice watch timeout bats_run retry assert refute"
)
RUNNERS = frozenset(_RUNNING.split())
"""Commands whose first word that is no option is a command too."""

PROGRAM_RUNNERS = frozenset(
    {"command", "builtin", "exec", "nohup", "sudo", "env", "xargs", "nice", "watch", "timeout"}
)
"""Those of them that pass functions by."""

_OWN = (
    ": [ [[ alias bg bind break builtin caller cd command compgen complete compopt continue coproc declare dirs disown echo"
    " enable eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd"
    " pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias"
    " unset wait . run sudo time env xargs nohup"
)
BUILTINS = frozenset(_OWN.split())
"""What the shell brings itself: no use of anything that a project defines."""

_NAME = re.compile(r"[^\W\d][\w.:+@-]*\Z")
_CONSTANT = re.compile(r"[A-Z_][A-Z0-9_]+\Z")


def is_name(word: str) -> bool:
    """Whether a word may name a function."""
    return bool(_NAME.match(word))


def is_constant(word: str) -> bool:
    """Whether a variable is written in capitals, as those are that a whole script shares."""
    return bool(_CONSTANT.match(word)) and word.strip("_") != ""


def command_word(node: Node, src: bytes) -> str:
    """The command as written; "" when it is made by an expansion."""
    name = node.child_by_field_name("name")
    first = name.named_child(0) if name is not None and name.named_child_count else None
    return text(first, src) if first is not None and first.type == "word" else ""


def arguments_of(node: Node) -> list[Node]:
    """The words after the command."""
    return list(node.children_by_field_name("argument"))


def unquoted(node: Node, src: bytes) -> str:
    """A word without the quotes around it; expansions in it stay as they are."""
    word = text(node, src)
    return word[1:-1] if len(word) > 1 and word[0] in "\"'" and word[-1] == word[0] else word
