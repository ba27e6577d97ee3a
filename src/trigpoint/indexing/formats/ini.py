"""INI, properties and .env files: sections and keys."""

from __future__ import annotations

import re

from trigpoint.indexing.formats.entries import Entries
from trigpoint.model import MODULE, Outline

_SECTION = re.compile(r"\s{0,3}\[([^\[\]]+)\]")
_KEY = re.compile(r"(?:export[ \t]+)?([\w.\-/@$]+)[ \t]*[=:]")


def outline_ini(text: str) -> Outline:
    """Sections, and in each its keys with the indented lines that continue them."""
    entries = Entries(text)
    section = key = MODULE
    for number, row in enumerate(entries.rows, 1):
        if entries.full:
            break
        if found := _SECTION.match(row):
            entries.change(section, end=number - 1)
            section = key = entries.add(found[1].strip(), "section", (number, len(entries.rows)))
        elif found := _KEY.match(row):
            key = entries.add(found[1], "key", (number, number), section)
        elif key != section and row[:1].isspace() and row.strip():
            entries.change(key, end=number)
    return entries.outline()
