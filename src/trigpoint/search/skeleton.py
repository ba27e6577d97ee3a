"""A chunk that does not fit, in few lines: its signature, the lines that answer the question, and what was left out between them.

Each gap is one line, ``… 45-56``, and a span of the window: nothing is elided without being named. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from trigpoint.model import Span, Window
from trigpoint.text.identifiers import split, words_and_breaks
from trigpoint.text.stems import stem
from trigpoint.text.tokens import Count

AROUND = 2
"""Lines shown before and after one that answers."""
SIGNATURE_LINES = 6
"""Most lines of a signature: longer ones are cut there."""
GAP_LINES = 3
"""A gap of fewer lines costs more to name than to show."""
GAP_TOKENS = 10
"""What the line of a gap costs, at most."""


class Cut(NamedTuple):
    """What is to be cut: the lines of a chunk, the number of the first, how many of the question's words each holds."""

    path: str
    lines: Sequence[str]
    start: int
    matches: Sequence[int]


def matches_by_line(text: str, asked: frozenset[str]) -> Iterator[int]:
    """How many of the stems each line holds, itself taken apart into the parts of its names.

    A stem begins as its word does, so only words with such a beginning are taken apart.
    """
    beginnings = {one[:2] for one in asked}
    telling: dict[str, frozenset[str]] = {}
    held: set[str] = set()
    for word in (*words_and_breaks(text), "\n"):
        if word == "\n":
            yield len(held)
            held = set()
            continue
        stems = telling.get(word)
        if stems is None:
            parts = [part for part in split(word) if part[:2] in beginnings]
            stems = telling[word] = frozenset(map(stem, parts)) & asked
        held |= stems


@lru_cache(maxsize=32)
def line_matches(text: str, asked: frozenset[str]) -> tuple[int, ...]:
    """The same, kept for a moment: the line to open and the lines to keep of a chunk are both found by it."""
    return tuple(matches_by_line(text, asked))


def skeleton(cut: Cut, allowed: int, count: Count) -> Window | None:
    """The signature and the best lines within ``allowed`` tokens; None where one run of lines shows as much."""
    sizes = [size + 1 for size in count(cut.lines)]
    kept = set(range(_signature(cut.lines)))
    if _cost(kept, sizes) > allowed:
        return None
    order = sorted(
        (at for at, found in enumerate(cut.matches) if found), key=lambda at: (-cut.matches[at], at)
    )
    for at in order:
        around = range(max(0, at - AROUND), min(len(cut.lines), at + AROUND + 1))
        wider = _closed(kept.union(around))
        if _cost(wider, sizes) > allowed:
            break
        kept = wider
    kept = _grown(kept, sizes, allowed)
    gaps = _gaps(kept, len(cut.lines))
    return _window(cut, kept, gaps) if len(gaps) > 1 or (gaps and gaps[0][1] < len(cut.lines) - 1) else None


def _signature(lines: Sequence[str]) -> int:
    """How many of the first lines make up the signature."""
    for at, line in enumerate(lines[:SIGNATURE_LINES]):
        if line.rstrip().endswith((":", "{", "do", "=", "where", "then")):
            return at + 1
    return 1


def _cost(kept: set[int], sizes: Sequence[int]) -> int:
    return sum(sizes[at] for at in kept) + GAP_TOKENS * len(_gaps(kept, len(sizes)))


def _gaps(kept: set[int], count: int) -> list[tuple[int, int]]:
    """The runs of lines that are not kept, first and last."""
    gaps: list[tuple[int, int]] = []
    before = -1
    for at in (*sorted(kept), count):
        if at > before + 1:
            gaps.append((before + 1, at - 1))
        before = at
    return gaps


def _closed(kept: set[int]) -> set[int]:
    """With the small gaps between kept lines filled."""
    ordered = sorted(kept)
    small = [range(low + 1, high) for low, high in pairwise(ordered) if high - low - 1 < GAP_LINES]
    return kept.union(*small)


def _grown(kept: set[int], sizes: Sequence[int], allowed: int) -> set[int]:
    """With further lines below what is kept, from the top, for as long as there is room."""
    left = allowed - _cost(kept, sizes)
    grown = set(kept)
    for at in sorted(kept):
        below = at + 1
        while below < len(sizes) and below not in grown and sizes[below] <= left:
            grown.add(below)
            left -= sizes[below]
            below += 1
        if below < len(sizes) and below not in grown:
            break
    closed = _closed(grown)
    return closed if _cost(closed, sizes) <= allowed else grown


def _window(cut: Cut, kept: set[int], gaps: Sequence[tuple[int, int]]) -> Window:
    ends = {first: (first, last) for first, last in gaps}
    shown: list[str] = []
    at = 0
    while at < len(cut.lines):
        if at in kept:
            shown.append(cut.lines[at])
            at += 1
            continue
        first, last = ends[at]
        near = cut.lines[last + 1] if last + 1 < len(cut.lines) else cut.lines[first - 1]
        indent = near[: len(near) - len(near.lstrip())]
        shown.append(f"{indent}… {cut.start + first}-{cut.start + last}")
        at = last + 1
    spans = tuple(Span(cut.path, cut.start + first, cut.start + last) for first, last in gaps)
    whole = Span(cut.path, cut.start, cut.start + len(cut.lines) - 1)
    return Window(whole, "\n".join(shown), spans)
