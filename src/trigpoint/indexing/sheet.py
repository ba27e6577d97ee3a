"""A file's lines, found and weighed once, so that any run of them can be cut out or weighed in constant time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines of a text, 1-based; they end at LF only, and a final LF starts no further line.

    ``lengths`` and ``weights`` are running sums with a leading 0: of characters without the LF, and of what is not
    white space. Weight counts UTF-8 bytes: a CJK character is about one token, as three ASCII characters are.
    """

    text: str
    count: int
    lengths: Sequence[int]
    weights: Sequence[int]

    def weight(self, start: int, end: int) -> int:
        """What the lines weigh, both ends included."""
        return self.weights[end] - self.weights[start - 1]

    def lines(self, start: int, end: int) -> str:
        """The lines as they stand in the file, with their ends: what ``text.lines.slice_lines`` gives."""
        return self.text[self.lengths[start - 1] + start - 1 : self.lengths[end] + end]

    def indent(self, line: int) -> int:
        """Characters of leading white space."""
        row = self.lines(line, line)
        return len(row) - len(row.lstrip())

    def blank(self, line: int) -> bool:
        """Whether nothing but white space stands there."""
        return self.weights[line] == self.weights[line - 1]

    def reach(self, start: int, weight: float) -> int:
        """The last line up to which the lines from ``start`` weigh no more than that; at least ``start``."""
        return max(start, min(self.count, bisect_right(self.weights, self.weights[start - 1] + weight) - 1))


def measure(text: str) -> Sheet:
    """Find and weigh the lines of a text that is not empty."""
    rows = text.split("\n")
    count = len(rows) - (rows[-1] == "")
    dense = text.replace(" ", "").replace("\t", "").replace("\r", "")
    sizes: Sequence[int]
    if dense.isascii():
        sizes = list(map(len, dense.split("\n")))
    else:
        sizes = list(map(len, dense.encode("utf-8", "surrogatepass").split(b"\n")))
    return Sheet(
        text=text,
        count=count,
        lengths=list(accumulate(map(len, rows), initial=0)),
        weights=list(accumulate(sizes, initial=0)),
    )
