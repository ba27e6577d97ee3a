"""Makefiles: targets with their recipes, variables, includes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import Import, Outline

_VARIABLE = re.compile(
    r" *(?:(?:export|override|private|unexport)\s+)*([\w.\-/$(){}]+)\s*(?:::?:?|\?|\+|!)?="
)
_WORD = r"(?:\$\([^()]*\)|\$\{[^{}]*\}|\\.|[^\s:=#\\])++"
_TARGET = re.compile(rf" *({_WORD}(?:[ \t]++{_WORD})*+)[ \t]*::?(?!=)(.*)$")
_INCLUDE = re.compile(r" *[-s]?include\s+(.+)$")
_DEFINE = re.compile(r" *(?:override\s+)?define\s+(\S+)")
_SPECIAL = frozenset(
    {".PHONY", ".SUFFIXES", ".DEFAULT_GOAL", ".SILENT", ".PRECIOUS", ".SECONDARY", ".INTERMEDIATE"}
)
_NAMES = 20
"""Most targets of one rule."""


def outline_makefile(text: str) -> Outline:
    """Targets from the comment above them to the end of their recipe; prerequisites are uses."""
    entries = Entries(text)
    rows = [row.rstrip("\r") for row in entries.rows]
    for start, end in _logical(rows):
        if entries.full:
            break
        row = rows[start - 1]
        entries.splits.add(start)
        if found := _INCLUDE.match(row):
            entries.imports += [Import(name, "", "", start, kind="include") for name in found[1].split()]
        elif found := _DEFINE.match(row):
            entries.add(found[1], "macro", (start, end))
        elif found := _VARIABLE.match(row):
            entries.add(found[1], "variable", (start, end))
        elif found := _TARGET.match(row[:2000]):
            _rule(entries, found[1], found[2], (start, end))
    return entries.outline()


def _rule(entries: Entries, names: str, rest: str, lines: tuple[int, int]) -> None:
    start, end = lines
    above = start - 1
    while above > 0 and entries.rows[above - 1].startswith("#"):
        above -= 1
    comment = " ".join(row.lstrip("# \t").strip() for row in entries.rows[above : start - 1])
    prerequisites, _, help_text = rest.partition("#")
    index = -1
    for name in names.split()[:_NAMES]:
        if name not in _SPECIAL and name != "&":
            index = entries.add(name, "target", (above + 1, end), at=start)
            entries.change(index, doc=(comment or help_text.strip("# \t"))[:300])
    for name in prerequisites.partition(";")[0].replace("|", " ").split()[:200]:
        if name.isprintable() and name != "\\" and "=" not in name:
            entries.refer(name, start, index, "call")


def _logical(rows: list[str]) -> Iterator[tuple[int, int]]:
    """Lines that begin something, each with the last line that belongs to it: continuations, recipe, define body."""
    at = 1
    while at <= len(rows):
        row = rows[at - 1]
        if not row.strip() or row[0] in "#\t":
            at += 1
            continue
        end = at
        if _DEFINE.match(row):
            while end < len(rows) and not rows[end - 1].lstrip().startswith("endef"):
                end += 1
        else:
            end = _recipe_end(rows, at)
        yield at, end
        at = end + 1


def _recipe_end(rows: list[str], at: int) -> int:
    end = at
    while end < len(rows):
        continued = rows[end - 1].endswith("\\")
        if not continued and not rows[end].startswith("\t"):
            break
        end += 1
    return end
