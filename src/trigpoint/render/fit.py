"""The promise of a token budget holds for the whole answer as it is written, not only for the code in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol, Self, TypeVar

from trigpoint.model import Pack, PackedHit, Span, Window

SHARES = (0.5, 0.25)
"""What texts are cut to before any is left out: some lines of three files tell more than one of them whole."""
LEAST_LINES = 3
"""No text is cut below this: less tells nothing."""
KEPT = 3
"""The first results keep their text for as long as others are listed at all."""


class _Cut(NamedTuple):
    """How much of an answer is left."""

    share: float  # of the lines of each text
    texts: int
    reads: bool
    results: int


def fit(pack: Pack, write: Callable[[Pack], str], count: Callable[[str], int]) -> str:
    """The answer as ``write`` gives it, with at most ``pack.budget`` tokens by ``count``.

    What does not fit goes in this order: the ends of all texts, the texts of the last results, the further reads,
    the last results, the first ones. The notes say what went. Ten results need at most eight countings.
    """
    whole = write(pack)
    if len(whole.encode()) <= pack.budget or count(whole) <= pack.budget:  # a token is at least one byte
        return whole
    cuts = list(_cuts(sum(packed.window is not None for packed in pack.hits), len(pack.hits)))
    low, high = 0, len(cuts) - 1  # the first cut that fits; the last one is taken even if it does not
    while low < high:
        middle = (low + high) // 2
        if count(write(_after(pack, cuts[middle]))) <= pack.budget:
            high = middle
        else:
            low = middle + 1
    return write(_after(pack, cuts[low]))


def _cuts(texts: int, results: int) -> Iterator[_Cut]:
    """From the least loss to the largest; each leaves no more than the one before."""
    least, last_texts, last_results = SHARES[-1], min(KEPT, texts), min(KEPT, results)
    yield from (_Cut(share, texts, True, results) for share in SHARES)
    yield from (_Cut(least, kept, True, results) for kept in range(texts - 1, KEPT - 1, -1))
    yield from (_Cut(least, last_texts, False, kept) for kept in range(results, last_results - 1, -1))
    yield from (_Cut(least, kept, False, last_results) for kept in range(last_texts - 1, -1, -1))
    yield from (_Cut(least, 0, False, kept) for kept in range(last_results - 1, -1, -1))


def _after(pack: Pack, cut: _Cut) -> Pack:
    hits: list[PackedHit] = []
    left, shorter = cut.texts, False
    for packed in pack.hits[: cut.results]:
        window = _shortened(packed.window, packed.hit.line, cut.share) if packed.window and left > 0 else None
        left -= window is not None
        shorter = shorter or (window is not None and window is not packed.window)
        hits.append(packed._replace(window=window))
    bare = sum(packed.window is None for packed in hits)
    said = ["texts are cut"] * shorter + [f"{bare} results have no text"] * bool(bare)
    said += [f"{len(pack.hits) - len(hits)} are left out"] * (len(hits) < len(pack.hits))
    note = f"to keep to {pack.budget:,} tokens: {', '.join(said)}"
    kept = pack._replace(hits=tuple(hits), notes=(*pack.notes, note))
    return kept if cut.reads else kept._replace(reads=(), recommended_reads=(), fallbacks=())


def _shortened(window: Window, line: int, share: float) -> Window:
    """The part of a window that holds the line, mostly what follows it; the first lines of one that is no run of lines."""
    lines = window.text.removesuffix("\n").split("\n")
    size = max(LEAST_LINES, int(len(lines) * share))
    if size >= len(lines):
        return window
    start, end = window.span.start, window.span.end
    if window.elided:
        return _shorter_skeleton(window, lines[:size])
    if window.outline or len(lines) != end - start + 1:  # what stands for its span
        return window._replace(text="\n".join(lines[:size]))
    first = max(0, min(line - start - size // 4, len(lines) - size))
    span = Span(window.span.path, start + first, start + first + size - 1)
    return Window(span, "\n".join(lines[first : first + size]), verified=window.verified)


def _shorter_skeleton(window: Window, lines: Sequence[str]) -> Window:
    """The first lines of a skeleton; what follows is one more range that is left out."""
    gaps = iter(window.elided)
    told: list[Span] = []
    number = window.span.start
    gap = next(gaps, None)
    for _ in lines:
        if gap is not None and gap.start == number:
            told.append(gap)
            number, gap = gap.end + 1, next(gaps, None)
        else:
            number += 1
    if number <= window.span.end:
        told.append(Span(window.span.path, number, window.span.end))
    return window._replace(text="\n".join(lines), elided=tuple(told))


class Shortening(Protocol):
    """An answer of rows that can be had with the first of them only."""

    def first(self, count: int, /) -> Self:
        """The answer with the first ``count`` rows; its notes say that some are left out."""
        ...


Rows = TypeVar("Rows", bound=Shortening)


def fit_rows(answer: Rows, rows: int, write: Callable[[Rows], str], fits: Callable[[str], bool]) -> str:
    """The answer with as many of its first rows as ``fits`` allows when they are written; without any it is taken anyhow."""
    whole = write(answer)
    if fits(whole):
        return whole
    low, high = 0, max(rows - 1, 0)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(write(answer.first(middle))):
            low = middle
        else:
            high = middle - 1
    return write(answer.first(low))
