"""Which of several functions of one name and one scope a call means: told by how many arguments it has, then by their types.

The outline keeps no arguments, so the few calls that need it are read from the text again. Types are compared as
written: what is declared beside a name, or said by a literal. Where nothing decides, the first one stands for all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Project
from trigpoint.model import MODULE, Reference

Place = tuple[str, int]
"""A path and the index of a symbol in it."""

_LONGEST = 2000
"""Characters of a call that are read in search of the end of its arguments."""

_KEPT = 64
"""Texts kept at hand."""

_PIECE = re.compile(
    r"""\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|->|::|[()\[\]{}<>,]|[^()\[\]{}<>,\"'\-:]+|.""", re.S
)
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_MARKS = re.compile(
    r"@[\w.]+(?:\([^)]*\))?\s*|\b(?:final|const|struct|volatile|register|typename|this|params|ref|out|in)\s+"
)
_SPACE = re.compile(r"\s+")
_NUMBERS = ("byte", "short", "char", "int", "long", "float", "double")
_NUMBER = frozenset(_NUMBERS) | {"unsigned", "size_t", "bool", "boolean"}
_LITERALS = (
    (re.compile(r"L\""), "WString"),
    (re.compile(r"(?:u8|[uU])?\""), "String"),
    (re.compile(r"'"), "char"),
    (re.compile(r"(?:true|false)$"), "boolean"),
    (re.compile(r"-?\d[\d_]*[lL]$"), "long"),
    (re.compile(r"-?(?:0[xX][\da-fA-F_]+|\d[\d_]*)$"), "int"),
    (re.compile(r"-?[\d_.]+[fF]$"), "float"),
    (re.compile(r"-?\d*\.\d*(?:[eE][+-]?\d+)?[dD]?$"), "double"),
)
_STRINGY = re.compile(r"(?i)str(?:ing|$)|^char$")
_SUM = re.compile(r"^[^\"]*\s[-+*/%]\s*\d+$")
_NAMED = re.compile(r"(?:this(?:\.|->))?(?P<name>\w+)(?P<item>\[[^\]]*\])?")
_MADE = re.compile(r"new\s+([\w.]+)\s*(?:<[^()]*>)?\s*(\[|\()")
_CAST = re.compile(r"\(([\w.]+(?:<[^()]*>)?(?:\[\])*)\)\s*[\w(\"']")


class Overloads:
    """Chooses among overloads; remembers what it read of them."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._texts: dict[str, list[str]] = {}
        self._wanted: dict[Place, tuple[str, ...] | None] = {}

    def chosen(self, facts: Facts, use: Reference, candidates: Sequence[Place]) -> Place:
        """The candidate that fits the arguments of a call best; the first of those that fit alike."""
        given = written_at(self._lines(facts.path), use.line, use.column, use.name)
        if given is None:
            return candidates[0]
        told = [_type_of(facts, use, one) for one in given]
        best, most = candidates[0], -1000
        for place in candidates:
            fit = _fit(told, self._parameters(place))
            if fit > most:
                best, most = place, fit
        return best

    def _lines(self, path: str) -> list[str]:
        if path not in self._texts:
            if len(self._texts) >= _KEPT:
                self._texts.pop(next(iter(self._texts)))
            self._texts[path] = self._project.text(path).split("\n")
        return self._texts[path]

    def _parameters(self, place: Place) -> tuple[str, ...] | None:
        if place not in self._wanted:
            facts = self._project.facts(place[0])
            symbol = facts.symbols[place[1]] if facts is not None else None
            written = (
                written_at(self._lines(place[0]), symbol.name_line, symbol.name_column, symbol.name)
                if symbol is not None
                else None
            )
            self._wanted[place] = parameters(written) if written is not None else None
        return self._wanted[place]


def written_at(lines: Sequence[str], line_number: int, column: int, name: str) -> list[str] | None:
    """What stands in the brackets behind a name, cut at its commas; None when none do."""
    if line_number > len(lines):
        return None
    line = lines[line_number - 1]
    if not line.isascii():
        column = len(line.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))
    rest = line[column + len(name) :]
    at = line_number
    while rest.count("(") > rest.count(")") or "(" not in rest:
        if at >= len(lines) or len(rest) > _LONGEST:
            break
        rest += "\n" + lines[at]
        at += 1
    rest = rest.lstrip()
    if rest[:1] == "<":
        rest = rest[rest.find("(") :]
    return split(rest) if rest[:1] == "(" else None


def parameters(written: Sequence[str]) -> tuple[str, ...]:
    """The types of parameters as they are written with their names, ``...`` at the end of one that takes many."""
    found = []
    for one in written:
        plain = _MARKS.sub("", one).partition("=")[0].strip()
        head, _, last = plain.rpartition(" ")
        bare = last.lstrip("*&")
        is_name = bool(head) and (bare[:1].isalpha() or bare[:1] == "_")
        found.append(_plain(head + "[]" * bare.count("[]") if is_name else plain))
    return tuple(one for one in found if one != "void" or len(found) > 1)


def split(text: str) -> list[str]:
    """What stands between the first bracket of a text and its partner, cut at the commas outside others."""
    found: list[str] = []
    depth, angle, current = 0, 0, ""
    for piece in _PIECE.findall(text[:_LONGEST]):
        if piece in _OPEN:
            depth += 1
            if depth == 1:
                continue
        elif piece in _CLOSE:
            depth -= 1
            if depth == 0:
                break
        elif piece == "<" and current[-1:].isalnum() and current.split()[-1][:1].isupper():
            angle += 1
        elif piece == ">" and angle:
            angle -= 1
        elif piece == "," and depth == 1 and not angle:
            found.append(current.strip())
            current = ""
            continue
        current += piece
    return [*found, current.strip()] if current.strip() or found else []


def _plain(written: str) -> str:
    """A type without arguments, spaces and qualifiers: ``java.util.List<T> []`` -> ``List[]``."""
    many = written.endswith("...")
    written = re.sub(r"<.*>", "", written.removesuffix("..."))
    written = _SPACE.sub("", _MARKS.sub("", written + " "))
    written = re.split(r"\.|::", written)[-1].rstrip("*&")
    return written + ("..." if many else "")


def _type_of(facts: Facts, use: Reference, argument: str) -> str:
    """The type that an argument says or is declared with; "" unknown, ``null`` for a null."""
    if argument in ("null", "nullptr", "NULL"):
        return "null"
    for pattern, name in _LITERALS:
        if pattern.match(argument):
            return name if not name.endswith("String") or argument.endswith('"') else ""
    if _SUM.search(argument):
        return "int"
    made = _MADE.match(argument)
    if made is not None:
        return (
            _plain(made[1]) + ("[]" if made[2] == "[" else "") if argument.endswith((")", "]", "}")) else ""
        )
    cast = _CAST.match(argument)
    if cast is not None:
        return _plain(cast[1])
    named = _NAMED.fullmatch(argument)
    if named is None:
        return ""
    declared = _plain(_declared(facts, use, named["name"]))
    return declared.removesuffix("[]") if named["item"] else declared


def _declared(facts: Facts, use: Reference, name: str) -> str:
    scope = use.scope
    while True:
        slot = facts.slot(scope, name)
        known = (
            [one for one in slot.bindings if one.line <= use.line or scope == MODULE]
            if slot is not None
            else []
        )
        if known:
            return known[-1].annotation
        if scope == MODULE:
            return ""
        scope = facts.symbols[scope].container


def _fit(told: Sequence[str], wanted: tuple[str, ...] | None) -> int:
    """How well arguments fit parameters; far below 0 when their number does not."""
    if wanted is None:
        return -500
    many = bool(wanted) and wanted[-1].endswith("...")
    if len(told) != len(wanted) and not (many and len(told) >= len(wanted) - 1):
        return -900 + (50 if len(told) < len(wanted) else 0)  # defaults may be left out
    total = -1 if many else 0
    for at, one in enumerate(told):
        other = wanted[min(at, len(wanted) - 1)]
        if other.endswith("..."):
            direct = len(told) == len(wanted) and one.endswith("[]")
            other = other[:-3] + ("[]" if direct else "")
        total += _match(one, other)
    return total


def _match(told: str, wanted: str) -> int:
    if not told:
        return 0
    if told == wanted:
        return 10
    if told == "null":
        return -20 if wanted in _NUMBER else 1
    if told in _NUMBERS and wanted in _NUMBERS:
        up = _NUMBERS.index(wanted) - _NUMBERS.index(told)
        return 8 - up if up > 0 else -20
    if told in ("String", "WString") and _STRINGY.search(wanted):
        return 6 if (wanted[:1] == "w") == (told == "WString") else -20
    if (told in _NUMBER) != (wanted in _NUMBER):
        return -3 if wanted in ("Object", "T") else -8
    if told.endswith("[]") != wanted.endswith("[]"):
        return -1 if wanted in ("Object", "T") else -20
    if wanted.endswith("[]"):
        return -1 if len(wanted) <= 3 else -20 if told[:-2] in _NUMBER or wanted[:-2] in _NUMBER else -1
    return 2 if wanted in ("Object", "CharSequence", "T") else -1
