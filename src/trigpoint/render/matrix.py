"""The capability matrix of the languages, as rows that text, JSON and the docs show alike."""

from __future__ import annotations

from collections.abc import Sequence

from trigpoint.languages import CAPABILITIES, Capability

Row = dict[str, object]


def rows(capabilities: Sequence[Capability]) -> list[Row]:
    """One row a language: its name, level, the extra that brings its grammar, file names, and whether each capability is there."""
    return [
        {
            "language": item.language.name,
            "level": "outline only" if item.language.level == "outline" else item.language.level,
            "extra": item.language.tables.get("extra", ""),
            "files": [*item.language.extensions, *item.language.filenames],
            **{name: name in item.has for name in CAPABILITIES},
        }
        for item in capabilities
    ]
