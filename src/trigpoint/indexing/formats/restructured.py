"""reStructuredText and AsciiDoc by section."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.indexing.formats.entries import Entries
from trigpoint.indexing.formats.sections import Heading, nest_sections
from trigpoint.model import Outline

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*$")
_ASCIIDOC = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)$")
_BLOCK = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|/{4,}|\+{4,}|`{3,}|\|={3,})[ \t]*\S*$")


def outline_rst(text: str) -> Outline:
    """Sections by their underlined titles; each new kind of adornment is one level deeper, as docutils has it."""
    entries = Entries(text)
    nest_sections(entries, _titles(entries), len(entries.rows))
    return entries.outline(_paragraphs(entries.rows))


def _titles(entries: Entries) -> Iterator[Heading]:
    rows = [row.rstrip() for row in entries.rows]
    styles: list[tuple[str, bool]] = []
    under = 1  # the first line that may be an underline; what a title has used is not looked at again
    for at in range(1, len(rows)):
        row, words = rows[at], rows[at - 1]
        if at < under or not row or not words or not _RULE.match(row) or _RULE.match(words):
            continue
        over = (
            at >= 2
            and _RULE.match(rows[at - 2]) is not None
            and rows[at - 2][0] == row[0]
            and at - 2 >= under - 1
        )
        if (words[0].isspace() and not over) or len(row) < min(len(words.strip()), 4):
            continue
        if not over and at >= 2 and rows[at - 2]:
            continue  # the last line of a paragraph, or a table
        style = (row[0], over)
        if style not in styles:
            styles.append(style)
        yield Heading(at - 1 if over else at, at, styles.index(style) + 1, words.strip().replace("`", ""))
        under = at + 2


def outline_asciidoc(text: str) -> Outline:
    """Sections by ``==`` titles outside of delimited blocks."""
    entries = Entries(text)
    nest_sections(entries, _asciidoc_titles(entries.rows), len(entries.rows))
    return entries.outline(_paragraphs(entries.rows))


def _asciidoc_titles(rows: list[str]) -> Iterator[Heading]:
    delimiter = ""
    for number, row in enumerate(rows, 1):
        line = row.rstrip()
        block = _BLOCK.match(line)
        if delimiter:
            delimiter = "" if line == delimiter else delimiter
        elif block:
            delimiter = block[1]
        elif found := _ASCIIDOC.match(line):
            yield Heading(number, number, len(found[1]), found[2].strip())


def _paragraphs(rows: list[str]) -> Iterator[int]:
    """First lines of paragraphs that are not indented: good places to cut."""
    blank = True
    for number, row in enumerate(rows, 1):
        solid = bool(row.strip())
        if solid and blank and not row[0].isspace():
            yield number
        blank = not solid
