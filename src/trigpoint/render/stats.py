"""The tally of answers as a table and as an object. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trigpoint.render.json import Object
from trigpoint.render.style import visible_path

Row = Mapping[str, Any]
HEAD = ("day", "searches", "contexts", "tokens given", "tokens of their files", "share")
MEANING = (
    "Estimates at four bytes a token. The files are those that the windows came from, whole, once for each answer; "
    "nobody has to read a whole file, so the difference is an upper bound of what was spared.\n"
)


def text(rows: Sequence[Row], file: str, *, counting: bool) -> str:
    """One line a day and one for all; ``rows`` ends with the total."""
    off = "" if counting else "nothing is counted: the setting stats is off\n"
    if not rows:
        return off or f"no answer was counted yet ({visible_path(file)})\n"
    cells = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEAD))]
    lines = [
        "  ".join(cell.ljust(width) if not number else cell.rjust(width) for number, (cell, width) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    ]  # fmt: skip
    return "\n".join(lines) + f"\n{MEANING}{off}"


def _cells(row: Row) -> tuple[str, ...]:
    given, files = row["given_tokens"], row["files_tokens"]
    share = f"{100 * given / files:.0f} %" if files else ""
    return (
        row["day"],
        *(f"{row[key]:,}" for key in ("searches", "contexts")),
        f"{given:,}",
        f"{files:,}",
        share,
    )


def as_object(rows: Sequence[Row], file: str, *, counting: bool) -> Object:
    """All of it; ``total`` has no day."""
    total = {key: value for key, value in rows[-1].items() if key != "day"} if rows else {}
    return {
        "counting": counting,
        "file": visible_path(file),
        "days": [dict(row) for row in rows[:-1]],
        "total": total,
    }
