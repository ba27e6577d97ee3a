"""Which of several functions of one name and one scope a call means: told by how many arguments it has, then by their types.

The outline keeps no arguments, so the few calls that need it are read from the text again. Types are compared as
written: what is declared beside a name, or said by a literal. Where nothing decides, the first one stands for all.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from trigpoint.languages.arguments import (
    SAME_AS,
    Style,
    Written,
    argument,
    behind,
    behind_all,
    generics,
    kind_behind,
    listed,
    opened,
    parameters,
    plain,
)
from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import Project
from trigpoint.model import MODULE, Reference

Place = tuple[str, int]
"""A path and the index of a symbol in it."""

_NO_FIT = -300
"""At or below it, the arguments do not fit."""

_KEPT = 64
"""Texts kept at hand."""

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
_FUNCTION = re.compile(r"\{|(?:async\s+)?(?:\w+|\([^()]*\))\s*=>|(?:static\s+)?delegate\b")
_FUNCTIONAL = re.compile(
    r"=>|->|^(?:Func|Action|Predicate|Expression|Comparison|Function|Supplier|Consumer|Runnable|Callable)|Handler$|Callback$|Delegate$|^[A-Z]$"
)
_INDENTED = re.compile(r":(?:\s*$|\s*\n|[^:=]*=>)")
_WORDS = frozenset({"null", "nil", "true", "false"})
_CONDITION = re.compile(r"^\s*(?:\}\s*)?(?:else\s+)?(?:for|if|while|guard|switch)\b[^{]*$")
_MADE = re.compile(r"new\s+([\w.]+)\s*(?:<[^()]*>)?\s*(\[|\()")
_CAST = re.compile(r"\(([\w.]+(?:<[^()]*>)?(?:\[\])*)\)\s*[\w(\"']")


class Overloads:
    """Chooses among overloads; remembers what it read of them."""

    def __init__(self, project: Project, style: Style | None = None) -> None:
        self._project = project
        self._style = style or Style()
        self._texts: dict[str, list[str]] = {}
        self._wanted: dict[Place, tuple[list[Written] | None, int]] = {}

    def chosen(self, facts: Facts, use: Reference, candidates: Sequence[Place]) -> Place:
        """The candidate that fits the arguments of a call best; the first of those that fit alike."""
        return self._ranked(facts, use, candidates, ())[1][0]

    def best(
        self, facts: Facts, use: Reference, candidates: Sequence[Place], bound: Collection[Place] = ()
    ) -> list[Place]:
        """The candidates that fit best, and alike; of those in ``bound`` the first parameter is the receiver.

        None of them when the number of arguments or their names fit no candidate.
        """
        most, found = self._ranked(facts, use, candidates, bound)
        return found if most > _NO_FIT else []

    def first_fitting(
        self, facts: Facts, use: Reference, groups: Iterable[Sequence[Place]], bound: Collection[Place] = ()
    ) -> Place | None:
        """Of groups of candidates, the nearest first, what fits best in the first in which any does; None when several fit alike."""
        for candidates in groups:
            best = self.best(facts, use, candidates, bound) if candidates else []
            if best:
                return best[0] if len(best) == 1 else None
        return None

    def generics(self, path: str, line: int, column: int, name: str) -> int:
        """How many type arguments or parameters stand behind a name."""
        return generics(behind(self._lines(path), line, column, name))

    def _ranked(
        self, facts: Facts, use: Reference, candidates: Sequence[Place], bound: Collection[Place]
    ) -> tuple[int, list[Place]]:
        rest = behind(self._lines(facts.path), use.line, use.column, use.name)
        given = self._arguments(rest, self._is_condition(facts.path, use))
        if given is None:
            return 0, list(candidates)
        kinds = generics(rest)
        told = [one._replace(text=self._type_of(facts, use, one.text)) for one in given]
        found: list[Place] = []
        most = -2000
        for place in candidates:
            wanted, generic = self._parameters(place)
            if wanted is not None and place in bound:
                wanted = wanted[1:]
            fit = _fit(told, wanted, self._style)
            fit -= 0 if kinds == generic else 400 if kinds else 2
            if fit > most:
                found, most = [], fit
            if fit == most:
                found.append(place)
        return most, found

    def _type_of(self, facts: Facts, use: Reference, argument: str) -> str:
        if self._style.labels and argument[:1] == "[":
            return "[]"
        if not self._style.type_first and argument.isidentifier() and argument not in _WORDS:
            declared = plain(kind_behind(_declared(facts, use, argument)))
            return SAME_AS.get(declared, declared)
        return _type_of(facts, use, argument)

    def _is_condition(self, path: str, use: Reference) -> bool:
        """Whether a use stands between a word like ``if`` and the block that follows."""
        if not self._style.labels:
            return False
        lines = self._lines(path)
        before = lines[use.line - 1][: use.column] if use.line <= len(lines) else ""
        return _CONDITION.match(before) is not None

    def _arguments(self, rest: str, in_condition: bool) -> list[Written] | None:
        style = self._style
        inner = opened(rest)
        given = [argument(one, style.label) for one in listed(inner, style)] if inner else None
        if style.trailing and not in_condition:
            after = behind_all(inner, style) if inner else rest.lstrip(" ")
            if after[:1] == "{" or (style.lists and _INDENTED.match(after)):
                return [*(given or ()), Written("{}", BEHIND)]
        return given

    def _lines(self, path: str) -> list[str]:
        if path not in self._texts:
            if len(self._texts) >= _KEPT:
                self._texts.pop(next(iter(self._texts)))
            self._texts[path] = self._project.text(path).split("\n")
        return self._texts[path]

    def _parameters(self, place: Place) -> tuple[list[Written] | None, int]:
        """The parameters of a definition, None when none are written, and how many type parameters it has."""
        if place not in self._wanted:
            facts = self._project.facts(place[0])
            symbol = facts.symbols[place[1]] if facts is not None else None
            rest = (
                behind(self._lines(place[0]), symbol.name_line, symbol.name_column, symbol.name)
                if symbol is not None
                else ""
            )
            inner = opened(rest)
            self._wanted[place] = (
                parameters(listed(inner, self._style), self._style) if inner else None,
                generics(rest),
            )
        return self._wanted[place]


def _type_of(facts: Facts, use: Reference, argument: str) -> str:
    """The type that an argument says or is declared with; "" unknown, ``null`` for a null."""
    if argument in ("null", "nullptr", "NULL", "nil"):
        return "null"
    if _FUNCTION.match(argument):
        return "=>"
    for pattern, name in _LITERALS:
        if pattern.match(argument):
            return name if not name.endswith("String") or argument.endswith('"') else ""
    if _SUM.search(argument):
        return "int"
    made = _MADE.match(argument)
    if made is not None:
        return plain(made[1]) + ("[]" if made[2] == "[" else "") if argument.endswith((")", "]", "}")) else ""
    cast = _CAST.match(argument)
    if cast is not None:
        return plain(cast[1])
    named = _NAMED.fullmatch(argument)
    if named is None:
        return ""
    declared = plain(_declared(facts, use, named["name"]))
    declared = SAME_AS.get(declared, declared)
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


def _fit(told: Sequence[Written], wanted: Sequence[Written] | None, style: Style) -> int:
    """How well arguments fit parameters; far below 0 when their number or their names do not."""
    if wanted is None:
        return -500
    taken = _by_labels(told, wanted) if style.labels else _by_place(told, wanted)
    if isinstance(taken, int):
        return taken
    used = {id(other) for _, other in taken}
    missing = [other for other in wanted if id(other) not in used and not other.text.endswith("...")]
    total = -sum(other.optional for other in missing)
    if not all(other.optional for other in missing):
        total -= 850  # what is defined elsewhere may have its defaults there
    if wanted and wanted[-1].text.endswith("...") and not style.labels:
        total -= 1
    for one, other in taken:
        direct = len(told) == len(wanted) and one.text.endswith("[]")
        kind = other.text
        if kind.endswith("..."):
            kind = kind[:-3] + ("[]" if direct else "")
        total += _match(one.text, kind)
    return total


BEHIND = "{}"
"""The label of a function that follows the brackets: the last parameter takes it."""

Taken = list[tuple[Written, Written]]


def _by_place(told: Sequence[Written], wanted: Sequence[Written]) -> Taken | int:
    """Arguments with the parameters that they are given for, by their order and the names of some."""
    many = bool(wanted) and wanted[-1].text.endswith("...")
    names = {other.label: other for other in wanted if other.label}
    taken: Taken = []
    for at, one in enumerate(told):
        if one.label == BEHIND:
            if not wanted or wanted[-1].text in _NUMBER or wanted[-1].text == "String":
                return -950
            taken.append((one, wanted[-1]))
        elif one.label:
            if one.label not in names:
                return -950
            taken.append((one, names[one.label]))
        elif at < len(wanted):
            taken.append((one, wanted[at]))
        elif many:
            taken.append((one, wanted[-1]))
        else:
            return -900
    return taken


def _by_labels(told: Sequence[Written], wanted: Sequence[Written]) -> Taken | int:
    """The same where each argument has the label of its parameter; a function behind the brackets needs none."""
    taken: Taken = []
    at = 0
    behind_them = [one for one in told if one.label == BEHIND]
    if behind_them:
        last = next((one for one in reversed(wanted) if _FUNCTIONAL.search(one.text)), None)
        if last is None:
            return -950
        taken.append((behind_them[0], last))
        wanted = [one for one in wanted if one is not last]
        told = [one for one in told if one.label != BEHIND]
    for one in told:
        while at < len(wanted) and wanted[at].label != one.label:
            at += 1
        if at < len(wanted):
            taken.append((one, wanted[at]))
            at += not (wanted[at].text.endswith("...") and not one.label)
        elif taken and taken[-1][1].text.endswith("...") and not one.label:
            taken.append((one, taken[-1][1]))
        else:
            return -900
    return taken


def _match(told: str, wanted: str) -> int:
    if not told:
        return 0
    if told == wanted:
        return 10
    if told == "=>" or wanted == "=>":
        function = bool(_FUNCTIONAL.search(wanted)) and told == "=>"
        return 5 if function else -1 if len(wanted) == 1 or (told != "=>" and told not in _NUMBER) else -20
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
