"""Answers counted by day: the lines that stats.py appends, read. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Day(NamedTuple):
    """The answers of one day. Tokens are estimates, at four bytes each."""

    day: str  # 2026-11-30, by the clock of this machine
    searches: int = 0
    contexts: int = 0
    given_tokens: int = 0
    files_tokens: int = 0  # of the whole files that the windows came from, once for each answer


class Stats(NamedTuple):
    """What was counted."""

    counting: bool
    file: str
    days: tuple[Day, ...]  # oldest first

    @property
    def total(self) -> Day:
        """All days as one."""
        return Day("total", *(sum(column) for column in list(zip(*self.days, strict=True))[1:]))


def days(lines: Iterable[str]) -> Iterator[Day]:
    """Lines by day; one that was cut off by a full disk is passed over."""
    found: dict[str, Day] = {}
    for line in lines:
        words = line.split(" ")
        if len(words) != 4 or words[1] not in ("search", "context") or not "".join(words[2:]).isdecimal():
            continue
        name, kind, given, files = words[0], words[1], int(words[2]), int(words[3])
        day = found.get(name, Day(name))
        found[name] = Day(
            name,
            day.searches + (kind == "search"),
            day.contexts + (kind == "context"),
            day.given_tokens + given,
            day.files_tokens + files,
        )
    yield from (found[name] for name in sorted(found))
