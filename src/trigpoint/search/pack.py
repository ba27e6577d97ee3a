"""Hits to a Pack within a token budget: what does not fit is listed, nothing is sent twice. Pure.

A surface's own words around a window are counted by FRAME; render.fit() holds the final text to the budget exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trigpoint.model import Hit, PackedHit, Query, Span, StoredSymbol, Window
from trigpoint.search.skeleton import Cut, line_matches, skeleton
from trigpoint.text.identifiers import split
from trigpoint.text.stems import stem
from trigpoint.text.tokens import Count

FRAME = 40
"""Tokens set aside for what a surface prints about a hit: path, lines, symbol, reasons."""
LEAST_LINES = 3
"""A window shorter than this tells nothing."""


class Mode(NamedTuple):
    """How a packing mode shares the budget."""

    share: float  # of the budget that one hit may take at first
    first: float  # of the budget that the first hit may take
    outline: bool = False  # signatures in place of code
    order: str = "score"  # one of arrange.ORDERS
    at_use: bool = False  # the line to open is that of the use, not the one with most words of the question


MODES: Mapping[str, Mode] = {
    "definition first": Mode(share=0.25, first=0.6),
    "depth first": Mode(share=0.18, first=0.3),
    "outline": Mode(share=0.5, first=0.7, outline=True),
    "breadth first": Mode(share=0.1, first=0.2, order="files"),
    "layered": Mode(share=0.12, first=0.25, order="layers"),
    "call sites": Mode(share=0.06, first=0.12, order="walk", at_use=True),
    "map": Mode(share=0.12, first=0.2, outline=True, order="walk"),
}
"""The packing modes of the intent table."""


class Room(NamedTuple):
    """What the packing works with."""

    budget: int
    mode: Mode
    counts: Count
    outlines: Mapping[str, Sequence[StoredSymbol]]  # by path, for modes that show signatures
    asked: frozenset[str] = (
        frozenset()
    )  # stems of the question: a chunk that is cut keeps the lines that hold them


def pack(query: Query, hits: Sequence[Hit], room: Room) -> tuple[PackedHit, ...]:
    """The hits in order, each with the window that the budget leaves it; the others are only listed."""
    asked = asked_of(query)
    room = room._replace(asked=asked)
    left = room.budget
    shown: list[Window] = []
    packed: list[PackedHit] = []
    for rank, hit in enumerate(hits, start=1):
        line = hit.line if room.mode.at_use else best_line(hit, asked)
        placed = hit._replace(line=line)
        left -= FRAME
        share = room.mode.first if rank == 1 else room.mode.share
        allowed = min(left, int(room.budget * share))
        if left < 0 or covered(hit, shown):
            packed.append(PackedHit(rank, placed, None))
            continue
        window, size = _window(placed, allowed, room)
        if window is not None:
            left -= size
            shown.append(window)
        packed.append(PackedHit(rank, placed, window))
    return tuple(packed)


def asked_of(query: Query) -> frozenset[str]:
    """The stems of the words and names of a question."""
    return frozenset(stem(word) for word in query.words) | frozenset(
        stem(part) for name in query.identifiers for part in split(name)
    )


def best_line(hit: Hit, asked: frozenset[str]) -> int:
    """The line to open: the one of the chunk with most of the question's words, the first of several. ``asked`` are stems."""
    chunk = hit.chunk.chunk
    if chunk.derived:
        return chunk.start
    found = line_matches(chunk.text, asked)
    return chunk.start + found.index(max(found)) if found else chunk.start


def _outline_rows(hit: Hit, room: Room) -> list[str]:
    """The signatures of its file when these are shown in place of code."""
    symbols = room.outlines.get(hit.chunk.path, ()) if room.mode.outline else ()
    return [_signature_line(one) for one in symbols if one.symbol.kind not in _DETAILS]


_DETAILS = frozenset({"variable", "field", "parameter"})


def _signature_line(stored: StoredSymbol) -> str:
    symbol = stored.symbol
    depth = symbol.qualified.count(".")
    return f"{symbol.name_line:>5}  {'  ' * depth}{symbol.signature or symbol.kind + ' ' + symbol.name}"


def _window(hit: Hit, allowed: int, room: Room) -> tuple[Window | None, int]:
    """What of a hit fits into so many tokens, and how many it takes."""
    chunk, rows = hit.chunk.chunk, _outline_rows(hit, room)
    text = "\n".join(rows) or chunk.text
    if allowed <= 0:
        return None, 0
    size = room.counts((text,))[0]
    if size <= allowed:
        return Window(hit.chunk.span, text, outline=bool(rows)), size
    derived = chunk.derived or bool(rows)
    lines = text.removesuffix("\n").split("\n")
    at = 0 if derived else hit.line - chunk.start
    first, last = _grow(lines, at, allowed, room.counts)
    if not derived and room.asked:
        matches = line_matches(text, room.asked)
        if sum(matches) > sum(matches[first : last + 1]):  # lines that answer lie outside of the run
            made = skeleton(Cut(hit.chunk.path, lines, chunk.start, matches), allowed, room.counts)
            if made is not None and (size := room.counts((made.text,))[0]) <= allowed:
                return made, size
    if last - first + 1 < min(LEAST_LINES, len(lines)):
        return None, 0
    cut = "\n".join(lines[first : last + 1])
    start = chunk.start + first
    span = hit.chunk.span if derived else Span(hit.chunk.path, start, chunk.start + last)
    return Window(span, cut, outline=bool(rows)), room.counts((cut,))[0]


def _grow(lines: Sequence[str], at: int, allowed: int, count: Count) -> tuple[int, int]:
    """The largest run of lines around ``at`` within ``allowed`` tokens, growing down before up."""
    sizes = [size + 1 for size in count(lines)]
    first = last = min(max(at, 0), len(lines) - 1)
    total = sizes[first]
    if total > allowed:
        return 0, -1
    while True:
        down = last + 1 < len(lines) and total + sizes[last + 1] <= allowed
        if down:
            last += 1
            total += sizes[last]
        up = (
            first > 0 and total + sizes[first - 1] <= allowed and (not down or (last - at) > 2 * (at - first))
        )
        if up:
            first -= 1
            total += sizes[first]
        if not down and not up:
            return first, last


def covered(hit: Hit, shown: Sequence[Window]) -> bool:
    """Whether the lines of a hit, or the outline of its file, were sent with a better one."""
    span = hit.chunk.span
    return any(
        one.span.path == span.path
        and (one.outline or (one.span.start <= span.start and span.end <= one.span.end))
        for one in shown
    )
