"""Where to cut a run of lines that is too much for one chunk."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from trigpoint.indexing.sheet import Sheet

WINDOW = 60
"""Most lines of a window over plain text; cut at blank lines they come out at 40 to 60 lines each."""

UNEVEN = 0.15
"""Share of the limit from which an uneven cut between statements is better than an even one inside a statement."""


@dataclass(frozen=True, slots=True)
class Knife:
    """Cuts runs of lines into pieces of about equal weight, none above ``limit`` but for a single line.

    ``splits`` are the sorted lines a piece may well begin at (statements); where none fits a line after a blank one
    is taken, and else any. ``height`` is the most lines of a piece, 0 for no such limit.
    """

    sheet: Sheet
    limit: float
    splits: Sequence[int] = ()
    height: int = 0

    def pieces(self, start: int, end: int) -> list[tuple[int, int]]:
        """First and last line of each piece, in order; they tile the run."""
        found = []
        while start < end:
            parts = ceil(self.sheet.weight(start, end) / self.limit)
            if self.height:
                parts = max(parts, ceil((end - start + 1) / self.height))
            if parts <= 1:
                break
            follower = self._follower(start, end, parts)
            found.append((start, follower - 1))
            start = follower
        found.append((start, end))
        return found

    def _follower(self, start: int, end: int, parts: int) -> int:
        """The first line of the next piece: the shallowest good line, then the one nearest to an even share."""
        sheet = self.sheet
        last = sheet.reach(start, self.limit)
        ideal = sheet.reach(start, sheet.weight(start, end) / parts)
        if self.height:
            last = min(last, start + self.height - 1)
            ideal = min(ideal, start + (end - start + 1) // parts)
        ideal = min(ideal, last)
        first, final = start + 1 + (ideal - start) // 2, min(last + 1, end)
        fitting = bisect_right(self.splits, final)
        good: Iterable[int] = self.splits[bisect_left(self.splits, first) : fitting]
        if not good:
            early = self.splits[fitting - 1] if fitting else 0
            if early > start and sheet.weight(start, early - 1) > self.limit * UNEVEN:
                return early
            good = [at for at in range(first, final + 1) if sheet.blank(at - 1) and not sheet.blank(at)]
        return min(good, key=lambda at: (sheet.indent(at), abs(at - ideal - 1)), default=min(ideal + 1, end))
