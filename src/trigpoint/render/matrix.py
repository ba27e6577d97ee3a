"""The capability matrix of the languages, as rows that JSON and the docs show; a terminal is too narrow for it."""

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


def brief(capabilities: Sequence[Capability]) -> list[Row]:
    """The same in the width of a terminal: what is understood as words, the file names last."""
    return [
        {
            "language": row["language"],
            "level": row["level"],
            "understood": _understood(item.has),
            "extra": row["extra"],
            "files": row["files"],
        }
        for row, item in zip(rows(capabilities), capabilities, strict=True)
    ]


def _understood(has: Sequence[str]) -> str:
    missing = [name for name in CAPABILITIES if name not in has]
    if len(missing) > len(has):
        return " ".join(has) or "-"
    return f"all but {' '.join(missing)}" if missing else "all"
