"""Go's types and receivers as written: the forms that no other language has."""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import Type, steps

LIST, MAP, CHANNEL, FUNCTION, RESULTS = "[]", "map", "chan", "func", "()"
SHAPES = frozenset({LIST, MAP, CHANNEL, FUNCTION, RESULTS})
"""Heads of types that have no name of their own."""

_VERSION = re.compile(r"^v\d+$|\.v\d+$")
_TOKEN = re.compile(r"<-|\.\.\.|[^\W\d]\w*(?:\.[^\W\d]\w*)?|\d+|\S")
_POINTED = re.compile(r"\([&*]+((?:[^\W\d]\w*\.)*[^\W\d]\w*)(?:\[[\w., ]*\])?\)")


def guessed_name(path: str) -> str:
    """The name of the package that an import path most likely leads to: its last part without a version."""
    parts = path.split("/")
    if len(parts) > 1 and _VERSION.match(parts[-1]):
        parts.pop()
    return _VERSION.sub("", parts[-1])


@lru_cache(maxsize=50_000)
def go_steps(text: str) -> tuple[str, ...]:
    """An expression as steps; ``(*T).m`` is a member of T, ``T{}`` makes one like a call, ``x.(T)`` is not followed."""
    if "{" in text:
        text = text.replace("{}", "()")
    if "(&" in text or "(*" in text:
        text = _POINTED.sub(r"\1", text)
    return () if ".()" in text else steps(text)


@lru_cache(maxsize=50_000)
def go_types(text: str) -> tuple[Type, ...]:
    """A type as its one alternative: ``map[K]*V`` -> map of K and V, ``func(A) B`` -> func of B, ``(A, error)`` -> ()."""
    return _Reader(_TOKEN.findall(text[:400])).one(0)


class _Reader:
    """Reads from the left and never fails: what it cannot read ends the type."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def one(self, depth: int) -> tuple[Type, ...]:
        while self.next() in ("*", "&", "~", "<-", "..."):
            self.at += 1
        token = self.next()
        if not token or depth > 8:
            return ()
        self.at += 1
        if token == "[":
            self.past("[", "]")
            return (Type(LIST, (self.one(depth + 1),)),)
        if token == "(":
            return (Type(RESULTS, self.listed(")", depth)),)
        if token == MAP and self.next() == "[":
            self.at += 1
            key = self.one(depth + 1)
            self.past("[", "]")
            return (Type(MAP, (key, self.one(depth + 1))),)
        if token == CHANNEL:
            return (Type(CHANNEL, (self.one(depth + 1),)),)
        if token == FUNCTION and self.next() == "(":
            self.at += 1
            self.past("(", ")")
            return (Type(FUNCTION, (self.one(depth + 1),)),)
        if not token[0].isalpha() and token[0] != "_":
            return ()
        return (Type(token, self.generic(depth)),)

    def generic(self, depth: int) -> tuple[tuple[Type, ...], ...]:
        if self.next() != "[":
            return ()
        self.at += 1
        return self.listed("]", depth)

    def listed(self, closing: str, depth: int) -> tuple[tuple[Type, ...], ...]:
        """The types up to a bracket, with commas between."""
        found: list[tuple[Type, ...]] = []
        while self.next() and self.next() != closing:
            before = self.at
            found.append(self.one(depth + 1))
            while self.next() and self.next() not in (",", closing):
                self.at += 1
            if self.next() == ",":
                self.at += 1
            elif self.at == before:
                break
        self.at += 1
        return tuple(found)

    def past(self, opening: str, closing: str) -> None:
        """Go on behind the bracket that is open."""
        open_ = 1
        while self.next() and open_:
            token = self.next()
            open_ += (token == opening) - (token == closing)
            self.at += 1
