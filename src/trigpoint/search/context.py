"""The nouns of the composed answer: what an agent needs to begin, in one piece. Pure, as all of search/."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from trigpoint.graph.around import Neighbour
from trigpoint.model import FAIR, HIGH, Freshness, Span, Stage

VERIFIED, CHANGED = "verified", "changed"
"""Whether a window's file is byte for byte what was indexed, or was read anew because it has changed since."""


class Piece(NamedTuple):
    """A passage that may be shown, as it was indexed."""

    span: Span
    symbol: str  # qualified name, "" at module level
    kind: str
    line: int  # the line to open
    why: str  # named, changed, or the strongest reasons of the ranking
    text: str
    digest: str  # of its whole file when it was indexed
    copies: int = 0


class Now(NamedTuple):
    """A file as it is at the time of the answer. ``problem`` says why there is no text."""

    lines: tuple[str, ...] = ()
    digest: str = ""
    size: int = 0  # bytes
    problem: str = ""


class Held(NamedTuple):
    """Lines that a session has received before, unchanged since."""

    span: Span
    pointer: str  # "answer 3"


class Excerpt(NamedTuple):
    """A window of source as the file has it now. ``sent`` says what of its passage the session has already: without a
    text all of it, else the lines before or after.
    """

    rank: int
    span: Span
    symbol: str
    kind: str
    why: str
    state: str  # VERIFIED or CHANGED
    text: str
    whole: bool  # all of the passage is shown
    sent: str = ""


class Listed(NamedTuple):
    """A result without its text. ``reason`` says why, when it is not the budget."""

    span: Span
    symbol: str
    reason: str = ""


class NextStep(NamedTuple):
    """A call worth making next: the same operation on every surface."""

    why: str
    operation: str
    arguments: Mapping[str, str]


class Context(NamedTuple):
    """The whole composed answer."""

    query: str
    intent: str
    plan: str
    rationale: str
    stages: tuple[Stage, ...]
    excerpts: tuple[Excerpt, ...]
    relations: tuple[Neighbour, ...]
    totals: tuple[tuple[str, str, int], ...]  # of each subject and relation, before the cut
    listed: tuple[Listed, ...]
    left_out: tuple[Listed, ...]  # results whose text could not be verified
    missing: tuple[str, ...]
    steps: tuple[NextStep, ...]
    budget: int
    tokenizer: str
    freshness: Freshness
    files_tokens: int = 0  # of the whole files that the windows came from, at 4 bytes a token
    given: int = 0  # of this answer, once it is written
    confidence: float | None = None  # that the first result is right; None where that cannot be told

    @property
    def band(self) -> str:
        """The confidence in a word: high, fair, low; "" where there is none."""
        if self.confidence is None:
            return ""
        return "high" if self.confidence >= HIGH else "fair" if self.confidence >= FAIR else "low"


def current(piece: Piece, now: Now) -> tuple[Span, str] | str:
    """Where the passage stands now and whether its file has changed; else the reason why it is left out.

    In a changed file it is looked for by its text, then by its first line; the nearest place counts.
    """
    if now.problem:
        return now.problem
    if now.digest == piece.digest:
        return piece.span, VERIFIED
    wanted = piece.text.removesuffix("\n").split("\n")
    for length in (len(wanted), 1):
        at = _find(wanted[:length], now.lines, piece.span.start - 1)
        if at is not None:
            last = min(at + piece.span.end - piece.span.start + 1, len(now.lines))
            return Span(piece.span.path, at + 1, last), CHANGED
    return "changed since it was indexed, and these lines are gone"


def _find(wanted: Sequence[str], lines: Sequence[str], near: int) -> int | None:
    """The index of the nearest run of lines that are the wanted ones."""
    if not wanted or not any(line.strip() for line in wanted):
        return None
    size = len(wanted)
    places = [
        at
        for at, line in enumerate(lines)
        if line == wanted[0] and list(lines[at : at + size]) == list(wanted)
    ]
    return min(places, key=lambda at: abs(at - near), default=None)
