"""Markdown by section: ATX and setext headings, never those inside fences, comments or front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trigpoint.indexing.formats.entries import Entries
from trigpoint.indexing.formats.sections import Heading, nest_sections
from trigpoint.model import Outline

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$")
_NO_TITLE = re.compile(r" {0,3}(?:[-*+][ \t]|[>|]|\d{1,9}[.)][ \t]|#{1,6}(?:[ \t]|$)| \t|    )")
_LINK = re.compile(r"!?\[([^\]\[]*)\](?:\([^()]*\)|\[[^\]\[]*\])")
_CLOSING = re.compile(r"(?:^|[ \t]+)#+[ \t]*$|[ \t]*\{[#.][^{}]*\}[ \t]*$")


def outline_markdown(text: str) -> Outline:
    """Sections named by their headings, nested as they are; places to cut are the blocks outside fences."""
    entries = Entries(text)
    nest_sections(entries, _headings(entries), len(entries.rows))
    return entries.outline()


def _headings(entries: Entries) -> Iterator[Heading]:
    above = ""  # the paragraph line before, if it can be a setext title
    blank = True
    for number, row in _open_lines(entries.rows):
        if row is None:
            above, blank = "", False
            continue
        if blank and row.strip():
            entries.splits.add(number)
        atx = _ATX.match(row)
        if atx:
            yield Heading(number, number, len(atx[1]), title(atx[2] or ""))
        elif above and (setext := _SETEXT.match(row)):
            yield Heading(number - 1, number - 1, 1 if setext[1][0] == "=" else 2, title(above))
        blank = not row.strip()
        above = "" if blank or atx or _NO_TITLE.match(row) or _SETEXT.match(row) else row


def title(words: str) -> str:
    """A heading's words without closing hashes, attributes, links and code marks."""
    bare = _CLOSING.sub("", _CLOSING.sub("", words.strip()))
    return _LINK.sub(r"\1", bare).replace("`", "").strip("*_ \t")


def _open_lines(rows: list[str]) -> Iterator[tuple[int, str | None]]:
    """The lines with their numbers; None for those inside a fence, a comment or front matter.

    The line that opens a fence is open itself, so that a block may be cut before it.
    """
    closing = _front_matter(rows)
    for number, row in enumerate(rows, 1):
        line = row.rstrip("\r")
        if closing is not None and number == 1:
            yield number, None
            continue
        if closing is not None:
            if closing.search(line):
                closing = None
            yield number, None
            continue
        closing = _closing(line)
        yield number, line


def _front_matter(rows: list[str]) -> re.Pattern[str] | None:
    """What ends the front matter that the first line opens; None when there is none."""
    mark = rows[0].rstrip() if rows else ""
    if mark in ("---", "+++") and any(row.rstrip() in (mark, "...") for row in rows[1:]):
        return re.compile(rf"^(?:{re.escape(mark)}|\.\.\.)[ \t]*$")
    return None


def _closing(line: str) -> re.Pattern[str] | None:
    """What ends the block that this line opens; None when it opens none."""
    fence = _FENCE.match(line)
    if fence and not (fence[1][0] == "`" and "`" in fence[2]):
        return re.compile(rf"^[ \t>]*{fence[1][0]}{{{len(fence[1])},}}[ \t]*$")
    comment = line.rfind("<!--")
    if comment >= 0 and "-->" not in line[comment:] and line[:comment].count("`") % 2 == 0:
        return re.compile("-->")
    return None
