"""Lines and columns. Lines are 1-based and end at LF only; columns are 0-based bytes inside, 1-based characters outside."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, count
from operator import add


def line_starts(text: str) -> list[int]:
    """Offsets of the first character of each line, and one more: the end of the text.

    "a\\nb" and "a\\nb\\n" both have two lines; an empty text has none.
    """
    return _starts(map(len, text.split("\n")), len(text))


def byte_line_starts(data: bytes) -> list[int]:
    """The same for bytes: offsets of line starts, then the length."""
    return _starts(map(len, data.split(b"\n")), len(data))


def count_lines(text: str) -> int:
    """Number of lines: LF ends, and an unended last line."""
    return text.count("\n") + (1 if text and not text.endswith("\n") else 0)


def position(starts: Sequence[int], offset: int) -> tuple[int, int]:
    """(1-based line, 0-based column) of an offset, in the unit of ``starts``; the end belongs to the last line."""
    last = max(len(starts) - 1, 1)
    line = min(bisect_right(starts, offset), last)
    return line, offset - starts[line - 1]


def slice_lines(text: str, starts: Sequence[int], start: int, end: int) -> str:
    """The text of lines ``start`` to ``end`` with their ends; lines outside the text are empty."""
    last = len(starts) - 1
    first = min(max(start - 1, 0), last)
    return text[starts[first] : starts[min(max(end, first), last)]]


def character_column(line: str, byte_column: int) -> int:
    """The 1-based character column of a 0-based UTF-8 byte column; a byte inside a character counts as its start."""
    if line.isascii():
        return min(byte_column, len(line)) + 1
    head = line.encode("utf-8", "surrogateescape")[:byte_column]
    return len(head.decode("utf-8", "ignore")) + 1


def byte_column(line: str, character: int) -> int:
    """The 0-based UTF-8 byte column of a 1-based character column."""
    return len(line[: max(character - 1, 0)].encode("utf-8", "surrogateescape"))


def _starts(lengths: Iterable[int], total: int) -> list[int]:
    """Sums of line lengths, plus one for each LF before; what follows the last LF is a line unless empty."""
    starts = list(map(add, accumulate(lengths, initial=0), count()))
    starts.pop()
    if starts[-1] != total:
        starts.append(total)
    return starts
