"""SQL by statement: CREATE statements are definitions, tables that are read or written are uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import MODULE, Outline

_DOLLAR = r"|\$(?P<tag>\w*)\$.*?(?:\$(?P=tag)\$|\Z)"
_TOKEN = r"""
    (?P<skip>--[^\n]*|^[ \t]*\#[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^'\\]|\\.|'')*+(?:'|\Z)%s)
    |(?P<delimiter>^[ \t]*DELIMITER[ \t]+\S+[^\n]*)
    |(?P<batch>^[ \t]*(?:GO|/)[ \t]*\r?$)
    |(?P<routine>\bCREATE\b(?:\s+(?!(?:TABLE|VIEW|INDEX|BEGIN|AS)\b)[\w=@`'.%%-]+){0,6}?
       \s+(?:FUNCTION|PROCEDURE|PROC|TRIGGER|EVENT|PACKAGE)\b)
    |(?P<close>\bEND\b(?:\s+(?:IF|LOOP|WHILE|REPEAT|FOR)\b)?)
    |(?P<open>\b(?:BEGIN|CASE)\b(?!\s*(?:;|TRAN)))
    |(?P<end>;|//|\$\$|\|\|)
    """
_FLAGS = re.VERBOSE | re.IGNORECASE | re.DOTALL | re.MULTILINE
_STANDARD = re.compile(_TOKEN % _DOLLAR, _FLAGS)
_DELIMITED = re.compile(_TOKEN % "", _FLAGS)
"""Under another delimiter (MySQL) there are no dollar quotes, and "$$" may be the delimiter itself."""
_NAME = r"""(?:[\w$#@]+|"[^"]+"|`[^`]+`|\[[^\]]+\])"""
_PATH = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_CREATE = re.compile(
    r"\s*CREATE\s+(?:[\w=@`'.%\-]+\s+){0,6}?"
    r"(TABLE|VIEW|FUNCTION|PROCEDURE|PROC|TRIGGER|INDEX|TYPE|SCHEMA|SEQUENCE|DOMAIN|EVENT|POLICY|MACRO|DATABASE|EXTENSION)\s+"
    rf"(?:(?:IF\s+NOT\s+EXISTS|CONCURRENTLY|BODY)\s+)*({_PATH})",
    re.IGNORECASE,
)
_USE = re.compile(
    rf"\b(?:FROM|JOIN|INTO|UPDATE|REFERENCES|TABLE|ON)\s+(?:(?:ONLY|IF\s+EXISTS)\s+)*({_PATH})", re.IGNORECASE
)
_PART = re.compile(_NAME)
_NO_TABLE = frozenset(
    {
        "select",
        "set",
        "conflict",
        "duplicate",
        "delete",
        "update",
        "if",
        "values",
        "only",
        "lateral",
        "commit",
    }
)
_KINDS = {"proc": "procedure"}
_STEPS = {"begin": 1, "case": 1, "end": -1}
"""How the words that open and close the blocks of a routine's body count."""

_USES = 40
"""Most uses that are noted of one statement."""


class Statement(NamedTuple):
    """A statement: where it stands in the text, and itself with comments and strings blanked."""

    start: int
    end: int
    bare: str


def outline_sql(text: str) -> Outline:
    """Definitions by CREATE statement, with the comment above; every statement is a place to cut."""
    entries = Entries(text)
    line, counted = 1, 0
    for statement in statements(text):
        line += text.count("\n", counted, statement.start)
        counted = statement.start
        entries.splits.add(line)
        if not entries.full:
            _define(entries, text, statement, line)
    return entries.outline()


def _define(entries: Entries, text: str, statement: Statement, line: int) -> None:
    last = line + text.count("\n", statement.start, statement.end)
    lead = len(statement.bare) - len(statement.bare.lstrip())
    first = line + statement.bare.count("\n", 0, lead)
    scope, used = MODULE, lead
    if found := _CREATE.match(statement.bare):
        parts = [part.strip('"`[]') for part in _PART.findall(found[2])]
        at = line + statement.bare.count("\n", 0, found.start(2))
        used = found.end()
        kind = _KINDS.get(found[1].lower(), found[1].lower())
        scope = entries.add(parts[-1], kind, (line, last), at=at)
        entries.change(
            scope, qualified=".".join(parts), signature=" ".join(statement.bare[lead : found.end()].split())
        )
    counted = lead
    for use in islice(_USE.finditer(statement.bare, used), _USES):
        first += statement.bare.count("\n", counted, use.start(1))
        counted = use.start(1)
        name = _PART.findall(use[1])[-1].strip('"`[]')
        if name.lower() not in _NO_TABLE and not name[:1].isdigit():
            entries.refer(name, first, scope)


def statements(text: str) -> Iterator[Statement]:
    """The statements in order. Semicolons in strings, comments, dollar quotes and routine bodies end nothing."""
    delimiter, depth, routine = ";", 0, False
    start, at = 0, 0
    bare: list[str] = []
    while token := (_STANDARD if delimiter == ";" else _DELIMITED).search(text, at):
        kind = token.lastgroup
        bare.append(text[at : token.start()])
        at = token.end()
        if kind == "routine":
            routine, depth = True, 0
        elif kind in ("open", "close"):
            depth = max(0, depth + _STEPS.get(token[0].lower(), 0))
        quiet = kind in ("delimiter", "batch") or (
            kind == "skip" and token[0][0] != "$"
        )  # a quoted body has uses
        bare.append(_blank(token[0]) if quiet else token[0])
        inside = delimiter == ";" and routine and depth > 0
        ended = kind in ("delimiter", "batch") or (token[0] == delimiter and not inside)
        if kind == "delimiter":
            delimiter = token[0].split()[1]
        if ended:
            yield from _statement(text, start, at, bare)
            start, bare, routine, depth = at, [], False, 0
    bare.append(text[at:])
    yield from _statement(text, start, len(text), bare)


def _statement(text: str, start: int, end: int, bare: list[str]) -> Iterator[Statement]:
    words = "".join(bare)
    if words.strip(" \t\r\n;/$"):
        lead = len(text[start:end]) - len(text[start:end].lstrip())
        yield Statement(start + lead, end, words[lead:])


def _blank(token: str) -> str:
    """The token as spaces; its lines stay."""
    return re.sub(r"[^\n]", " ", token) if "\n" in token else " " * len(token)
