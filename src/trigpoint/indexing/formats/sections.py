"""Documents by section: headings of any markup become nested symbols."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import MODULE


class Heading(NamedTuple):
    """A heading: its lines, how deep it is (1 is the outermost), its words."""

    start: int
    line: int
    level: int
    title: str


def nest_sections(entries: Entries, headings: Iterable[Heading], last: int) -> None:
    """Add a section for each heading, reaching to the next one that is no deeper, or to line ``last``."""
    around: list[tuple[int, int]] = []  # level, index
    for heading in headings:
        if entries.full:
            break
        while around and around[-1][0] >= heading.level:
            entries.change(around.pop()[1], end=heading.start - 1)
        container = around[-1][1] if around else MODULE
        index = entries.add(heading.title, "section", (heading.start, last), container, heading.line)
        if index != MODULE:
            around.append((heading.level, index))
