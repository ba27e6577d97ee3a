"""TypeScript's types as written, taken apart without a grammar: what linking reads of them.

Beside names with arguments there are heads of their own: "[]" a list of its argument, "()" a tuple, "=>" a function with
what it returns and then its parameters, "." a member of a type (``T["key"]``), "typeof", "{" an object type whose members'
names follow in the head, ``{a,b``, and "'" a literal.
"""

from __future__ import annotations

import re
from functools import lru_cache

from trigpoint.languages.expressions import Type

_TOKEN = re.compile(
    r"\s*(?:(?P<name>(?:[^\W\d]|\$)[\w$]*(?:\s*\.\s*(?:[^\W\d]|\$)[\w$]*)*)"
    r"|(?P<text>\"[^\"]*\"?|'[^']*'?|`[^`]*`?|-?\d[\w.]*)"
    r"|(?P<mark>=>|\.\.\.|\S))"
)
_SILENT = frozenset(["readonly", "unique", "abstract", "asserts", "new", "infer", "const", "in", "out"])
_VALUES = frozenset(["keyof"])
"""Operators whose result has no members of the project."""
LITERAL = Type("'")
_CLOSING = {"[": "]", "<": ">", "(": ")", "{": "}"}
_DEEPEST = 10


@lru_cache(maxsize=50_000)
def types(text: str) -> tuple[Type, ...]:
    """The alternatives of a type as written, in order; () when nothing is read. ``A & B`` is taken for alternatives."""
    return _Reader([found[0].strip() for found in _TOKEN.finditer(text)]).alternatives(0)


class _Reader:
    """Reads tokens from the left and never fails: what it cannot read ends the type."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def next(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        if self.next() != token:
            return False
        self.at += 1
        return True

    def alternatives(self, depth: int) -> tuple[Type, ...]:
        found: list[Type] = []
        self.take("|") or self.take("&")
        while depth <= _DEEPEST:
            found += self.one(depth)
            if self.next() == "is":  # ``x is Foo`` is a boolean
                self.at += 1
                self.one(depth)
                found = [LITERAL]
            if self.next() == "extends":
                found = self.conditional(depth)
            if self.next() not in ("|", "&"):
                break
            self.at += 1
        return tuple(found)

    def conditional(self, depth: int) -> list[Type]:
        """``A extends B ? C : D`` is C or D."""
        self.at += 1
        self.alternatives(depth + 1)
        if not self.take("?"):
            return []
        found = list(self.alternatives(depth + 1))
        if self.take(":"):
            found += self.alternatives(depth + 1)
        return found

    def one(self, depth: int) -> tuple[Type, ...]:
        while self.next() in _SILENT and self.next(1) not in ("", "|", "&", ",", ">", ")"):
            self.at += 1
        token = self.next()
        if not token or depth > _DEEPEST:
            return ()
        if token in ("typeof", "import"):
            return self.after((self.value(),), depth)
        if token in _VALUES:
            self.at += 1
            self.one(depth + 1)
            return (LITERAL,)
        if token == "(":
            return self.group(depth)
        if token == "<":  # the parameters of a generic function type
            self.arguments(">", depth)
            return self.one(depth)
        if token == "{":
            return self.after((self.object(depth),), depth)
        if token == "[":
            return self.after((Type("()", self.arguments("]", depth)),), depth)
        if token[0] in "\"'`" or token[0].isdigit() or token[0] == "-":
            self.at += 1
            return self.after((LITERAL,), depth)
        if not (token[0].isalpha() or token[0] in "_$"):
            return ()
        self.at += 1
        head = re.sub(r"\s", "", token)
        args = self.arguments(">", depth) if self.next() == "<" else ()
        return self.after((Type(head, args),), depth)

    def value(self) -> Type:
        """``typeof a.b`` and ``import("m").T``."""
        self.at += 1
        name = re.sub(r"\s", "", self.next())
        self.at += 1
        if name == "(":
            while self.next() and not self.take(")"):
                self.at += 1
            while self.next() == ".":
                self.at += 2
            return LITERAL
        if self.next() == "<":
            self.arguments(">", _DEEPEST)
        return Type("typeof", ((Type(name),),))

    def group(self, depth: int) -> tuple[Type, ...]:
        """Parentheses around a type, or the parameters of a function type."""
        start = self.at
        close = self.closing()
        if self.tokens[close + 1 : close + 2] == ["=>"]:
            parameters = self.parameters(close, depth)
            self.at = close + 2
            returned = self.alternatives(depth + 1)
            return (Type("=>", (returned, *parameters)),)
        self.at = start + 1
        found = self.alternatives(depth + 1)
        self.at = close + 1
        return self.after(found, depth)

    def closing(self) -> int:
        """Where the bracket that opens here closes."""
        depth = 0
        for at in range(self.at, len(self.tokens)):
            token = self.tokens[at]
            if token in _CLOSING:
                depth += 1
            elif token in (")", "]", "}", ">"):
                depth -= 1
                if depth == 0:
                    return at
        return len(self.tokens)

    def parameters(self, close: int, depth: int) -> list[tuple[Type, ...]]:
        """The types of parameters between here and a closing bracket."""
        found: list[tuple[Type, ...]] = []
        self.at += 1
        while self.at < close:
            name = self.next()
            if name in ("{", "["):
                self.at = self.closing() + 1
            else:
                self.at += 1 + (name == "...")
            self.take("?")
            kinds = self.alternatives(depth + 1) if self.take(":") else ()
            if name != "this":
                found.append(kinds)
            while self.at < close and not self.take(","):
                self.at = self.closing() + 1 if self.next() in _CLOSING else self.at + 1
        return found

    def object(self, depth: int) -> Type:
        """An object type: its plain members by name."""
        close = self.closing()
        names: list[str] = []
        kinds: list[tuple[Type, ...]] = []
        self.at += 1
        while self.at < close:
            if self.next() == "readonly" and self.next(1) not in (":", "?"):
                self.at += 1
            if self.next() == "<":  # a generic signature
                self.at = self.closing() + 1
            name = self.next()
            self.at += name != "("
            self.take("?")
            if self.next() == "<":
                self.at = self.closing() + 1
            if self.take(":"):
                names.append(name)
                kinds.append(self.alternatives(depth + 1))
            elif self.next() == "(":
                end = self.closing()
                parameters = self.parameters(end, depth)
                self.at = end + 1
                returned = self.alternatives(depth + 1) if self.take(":") else ()
                names.append(name)
                kinds.append((Type("=>", (returned, *parameters)),))
            while self.at < close and self.next() not in (";", ","):
                self.at = self.closing() + 1 if self.next() in _CLOSING else self.at + 1
            self.at += 1
        self.at = close + 1
        return Type("{" + ",".join(names), tuple(kinds))

    def after(self, found: tuple[Type, ...], depth: int) -> tuple[Type, ...]:
        """``T[]`` is a list, ``T["key"]`` a member."""
        while self.next() == "[":
            if self.next(1) == "]":
                self.at += 2
                found = (Type("[]", (found,)),)
                continue
            keys = self.arguments("]", depth)
            found = (Type(".", (found, *keys)),)
            if self.tokens[self.at - 2][:1] in "\"'":
                key = self.tokens[self.at - 2].strip("\"'")
                found = (Type("." + key, found[0].args[:1]),)
        return found

    def arguments(self, closing: str, depth: int) -> tuple[tuple[Type, ...], ...]:
        """What stands between brackets, with commas between; each argument with its alternatives."""
        end = self.closing()
        self.at += 1
        found: list[tuple[Type, ...]] = []
        while self.at < end:
            if self.next() == "...":
                self.at += 1
            if self.next(1) == ":":  # a named element of a tuple
                self.at += 2
            elif self.next(1) == "?" and self.next(2) == ":":
                self.at += 3
            found.append(self.alternatives(depth + 1))
            while self.at < end and self.next() != ",":
                self.at = self.closing() + 1 if self.next() in _CLOSING else self.at + 1
            self.take(",")
        self.at = end + 1
        return tuple(found)
