"""Symbols as a tree of line ranges that lie side by side or inside each other, whatever the parser reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trigpoint.model import Symbol


class Node(NamedTuple):
    """The lines of one symbol and the symbols inside them, in order."""

    symbol: int
    start: int
    end: int
    children: list[Node]


def nest(symbols: Sequence[Symbol], lines: int) -> list[Node]:
    """The outermost symbols by line; lines are clamped to 1..``lines``.

    A symbol that begins inside another and ends after it begins after it; of several on the same lines the first
    reported holds the rest; one that is left without a line is left out.
    """
    roots: list[Node] = []
    around: list[Node] = []
    for index in sorted(range(len(symbols)), key=lambda at: (symbols[at].start, -symbols[at].end)):
        start = min(max(symbols[index].start, 1), lines)
        end = min(max(symbols[index].end, start), lines)
        while around and around[-1].end < end:
            start = max(start, around.pop().end + 1)
        if around:
            start = max(start, around[-1].start)
        if start <= end:
            node = Node(index, start, end, [])
            (around[-1].children if around else roots).append(node)
            around.append(node)
    return roots
