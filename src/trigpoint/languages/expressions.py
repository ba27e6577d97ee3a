"""Receivers and types as written, taken apart without a grammar: what linking reads of them.

Both are short texts that the walk kept (``np.linalg``, ``Foo().bar``, ``Optional[list[Foo]]``). One reader serves all
languages: the forms hardly differ, and a language that has its own (Go's ``map[K]V``) reads those first.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

LITERAL = "'"
"""The first step of an expression that starts with a literal: a string, a number, a list."""

CALL = "()"

_STEP = re.compile(
    r"(?P<name>(?:[^\W\d]|[$@#])[\w$]*!?)"
    r"|(?P<dot>\?\.|!\.|\.|::|->)"
    r"|(?P<call>\(\))"
    r"|(?P<item>\[[^\[\]]*\])"
    r"|(?P<generic><[^<>()]*(?:<[^<>()]*>[^<>()]*)*>)"
    r"|(?P<sure>!)"
)
_LEAD = re.compile(r"(?:(?:await|new|typeof|yield|mut|ref)\s+|[&*!~+-]+\s*)+")
_LITERAL = re.compile(r"[\[{\"'`\d]|(?:[rbfuRBFU]{1,2}[\"'])")


@lru_cache(maxsize=100_000)
def steps(text: str) -> tuple[str, ...]:
    """An expression as its steps: ``a.b()[0].c`` -> ("a", ".b", "()", "[0]", ".c"); () when it is none of that form.

    ``a::b`` and ``a->b`` are steps like ``a.b``; type arguments are left out; a macro keeps its ``!``.
    """
    lead = _LEAD.match(text)
    at = lead.end() if lead else 0
    if _LITERAL.match(text, at):
        return (LITERAL,)
    found: list[str] = []
    dot = False
    while at < len(text):
        match = _STEP.match(text, at)
        if match is None:
            return ()
        at = match.end()
        kind = match.lastgroup
        if kind == "name":
            if bool(found) != dot:
                return ()
            found.append("." + match[0] if dot else match[0])
            dot = False
        elif kind == "dot":
            dot = True
        elif not found:
            return ()
        elif kind == "call":
            found.append(CALL)
        elif kind == "item":
            found.append(match[0])
    return tuple(found) if not dot else ()


_PIECE = re.compile(r"""\"[^\"]*\"|'[^']*'|[\[\]{}(),:]|[^\[\]{}(),:\"']+""")


@lru_cache(maxsize=20_000)
def entries(text: str) -> tuple[tuple[str, str], ...]:
    """The entries of a literal as written, with their keys: ``[a,,b]`` -> ("0", "a"), ("1", ""), ("2", "b");
    ``{"k":a}`` -> ('"k"', "a").
    """
    found: list[tuple[str, str]] = []
    depth, key, value = 0, "", ""
    for piece in _PIECE.findall(text[1:-1]):
        if piece in "[{(":
            depth += 1
        elif piece in "]})":
            depth -= 1
        elif depth == 0 and piece == ",":
            found.append((key or str(len(found)), value))
            key = value = ""
            continue
        elif depth == 0 and piece == ":" and text[0] == "{":
            key, value = value.replace("'", '"'), ""
            continue
        value += piece
    return (*found, (key or str(len(found)), value)) if value or found else ()


class Type(NamedTuple):
    """One type as written: its dotted head and its arguments, each with its alternatives."""

    head: str  # "" nothing known; "()" a tuple; "[]" a list of its argument
    args: tuple[tuple[Type, ...], ...] = ()


_TYPE_TOKEN = re.compile(
    r"\s*(?:(?P<name>(?:[^\W\d]|\$)[\w$]*(?:(?:\.|::|\\)(?:[^\W\d]|\$)[\w$]*)*)"
    r"|(?P<text>\"[^\"]*\"|'[^']*')"
    r"|(?P<mark>=>|->|[\[\]<>(){},|&*?!.:=-]|\S))"
)
_SILENT = frozenset(
    [
        "&",
        "*",
        "?",
        "!",
        "mut",
        "const",
        "readonly",
        "struct",
        "class",
        "enum",
        "union",
        "dyn",
        "impl",
        "ref",
        "out",
        "in",
        "volatile",
        "static",
        "unsigned",
        "signed",
        "final",
        "typename",
        "keyof",
    ]
)
_CLOSING = {"[": "]", "<": ">", "(": ")"}


@lru_cache(maxsize=50_000)
def types(text: str) -> tuple[Type, ...]:
    """The alternatives of a type as written, in order: ``Optional[A] | B`` -> Optional[A], B; () when none is read."""
    tokens = [_token(match) for match in _TYPE_TOKEN.finditer(text[:400])]
    return _Reader(tokens).alternatives(0)


def _token(match: re.Match[str]) -> str:
    return match["name"] or match["text"] or match["mark"]


class _Reader:
    """Reads tokens from the left and never fails: what it cannot read ends the type."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def alternatives(self, depth: int) -> tuple[Type, ...]:
        found: list[Type] = []
        while True:
            found += self.one(depth)
            if self.next() != "|" or depth > 8:
                return tuple(found)
            self.at += 1

    def one(self, depth: int) -> tuple[Type, ...]:
        while self.next() in _SILENT and self.next():
            self.at += 1
        token = self.next()
        if not token or depth > 8:
            return ()
        if token[0] in "\"'":
            self.at += 1
            return types(token[1:-1])
        if token in ("[", "("):
            head = "[]" if token == "[" else "()"
            args = self.arguments(_CLOSING[token], depth)
            if head == "[]" and not args and self.next()[:1].isalpha():
                args = (self.one(depth + 1),)  # Go's []T
            return self.after(Type(head, args), depth)
        if not (token[0].isalpha() or token[0] in "_$"):
            return ()
        self.at += 1
        given = self.next() in ("[", "<") and self.tokens[self.at : self.at + 2] != ["[", "]"]
        args = self.arguments(_CLOSING[self.next()], depth) if given else ()
        return self.after(Type(token, args), depth)

    def after(self, found: Type, depth: int) -> tuple[Type, ...]:
        """``T[]`` and ``T<A>[]`` are lists; ``T?``, ``T*``, ``T&`` are T."""
        while self.next() in ("[", "?", "*", "&", "!"):
            if self.next() == "[":
                if self.arguments("]", depth):
                    return (found,)
                found = Type("[]", ((found,),))
            else:
                self.at += 1
        return (found,)

    def arguments(self, closing: str, depth: int) -> tuple[tuple[Type, ...], ...]:
        """What stands between brackets, with commas between; each argument with its alternatives."""
        self.at += 1
        found: list[tuple[Type, ...]] = []
        while self.next() and self.next() != closing:
            before = self.at
            found.append(self.alternatives(depth + 1))
            while self.next() and self.next() not in (",", closing):
                self.at += 1
            if self.next() == ",":
                self.at += 1
            elif self.at == before:
                break
        self.at += 1
        return tuple(found)


def forget() -> None:
    """Let go of what was read: the texts of one family of languages say little to the next."""
    for reader in (steps, entries, types):
        reader.cache_clear()
