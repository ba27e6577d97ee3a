"""Passages become windows within a token budget: each line once, nothing that the session has already. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trigpoint.model import Span
from trigpoint.search.context import Excerpt, Held, Listed, Now, Piece, current

FRAME = 44
"""Tokens of a window's own words as JSON, beside its path, symbol and lines."""
LEAST_LINES = 3
"""A window shorter than this tells nothing, unless its passage is no longer."""
FIRST, SHARE = 0.3, 0.1
"""Of the budget, what the first window and each other one may take before the rest is handed out."""
LISTED = 24
"""Tokens of a result that is only named."""

Cost = Callable[[Sequence[str]], list[int]]
"""Tokens of lines as an answer writes them."""


class Room(NamedTuple):
    """What the windows are made with."""

    budget: int
    cost: Cost
    files: Mapping[str, Now]
    held: Callable[[str, Sequence[str]], Sequence[Held]]  # what a session has of a file with these lines


class Windows(NamedTuple):
    """What is shown, what is only named, and what could not be verified."""

    excerpts: tuple[Excerpt, ...]
    listed: tuple[Listed, ...]
    left_out: tuple[Listed, ...]


class _Window:
    """A window that can still grow inside its passage."""

    def __init__(self, rank: int, piece: Piece, place: Span, state: str) -> None:
        self.rank = rank
        self.piece = piece
        self.place = place  # where the passage stands now
        self.state = state
        shift = place.start - piece.span.start
        self.line = min(max(piece.line + shift, place.start), place.end)
        self.first = self.last = self.line  # nothing is shown yet: see ``shown``
        self.shown = False


class _Packing:
    def __init__(self, room: Room) -> None:
        self.room = room
        self.left = room.budget
        self.taken: dict[str, set[int]] = {}  # lines that some window shows or the session has
        self.costs: dict[str, dict[int, int]] = {}
        self.windows: list[_Window] = []
        self.sent: dict[int, Held] = {}  # by rank, passages that the session has whole
        self.partly: dict[int, Held] = {}  # by rank, those that it has in part

    def size(self, window: _Window) -> list[int]:
        """Tokens of each line of the passage."""
        span = window.place
        known = self.costs.setdefault(span.path, {})
        lines = self.room.files[span.path].lines
        new = [number for number in range(span.start, span.end + 1) if number not in known]
        known.update(zip(new, self.room.cost([lines[number - 1] for number in new]), strict=True))
        return [known[number] for number in range(span.start, span.end + 1)]

    def grow(self, window: _Window, allowed: int) -> None:
        """Take more lines of the passage, downwards before upwards, for at most so many tokens."""
        sizes = self.size(window)
        taken = self.taken.setdefault(window.place.path, set())
        start, end = window.place.start, window.place.end
        if not window.shown:
            window.line = _first_free(window, taken)
            if not window.line or sizes[window.line - start] > allowed:
                return
            allowed = self.take(window, window.line, sizes[window.line - start], allowed)
        growing = True
        while growing:
            growing = False
            below, above = window.last + 1, window.first - 1
            if below <= end and below not in taken and sizes[below - start] <= allowed:
                allowed, growing = self.take(window, below, sizes[below - start], allowed), True
            wants_up = not growing or window.last - window.line > 2 * (window.line - window.first)
            if wants_up and above >= start and above not in taken and sizes[above - start] <= allowed:
                allowed, growing = self.take(window, above, sizes[above - start], allowed), True

    def take(self, window: _Window, line: int, size: int, allowed: int) -> int:
        window.first, window.last = (
            (min(window.first, line), max(window.last, line)) if window.shown else (line, line)
        )
        window.shown = True
        self.taken[window.place.path].add(line)
        self.left -= size
        return allowed - size

    def drop(self, window: _Window) -> None:
        """Give a window's lines back."""
        sizes = self.size(window)
        for number in range(window.first, window.last + 1):
            self.taken[window.place.path].discard(number)
            self.left += sizes[number - window.place.start]
        window.shown = False


def _first_free(window: _Window, taken: set[int]) -> int:
    """The line to begin with: the one to open, or what is next to it and shown nowhere; 0 when there is none."""
    span, line = window.place, window.line
    order = (*range(line, span.end + 1), *range(line - 1, span.start - 1, -1))
    return next((number for number in order if number not in taken), 0)


def windows(pieces: Sequence[Piece], room: Room) -> Windows:
    """The pieces in their order as windows, as many and as long as the budget allows; the rest is named."""
    packing = _Packing(room)
    left_out: list[Listed] = []
    placed: list[_Window] = []
    unread: list[Listed] = []
    for rank, piece in enumerate(pieces, start=1):
        if piece.span.path not in room.files:
            packing.left -= LISTED
            unread.append(Listed(piece.span, piece.symbol))
            continue
        found = current(piece, room.files[piece.span.path])
        if isinstance(found, str):
            left_out.append(Listed(piece.span, piece.symbol, found))
        else:
            placed.append(_Window(rank, piece, *found))
    pointed = list(_already_sent(packing, placed))
    listed: list[_Window] = []
    for window in placed:
        if window.rank in packing.sent:
            continue
        _open(packing, window, listed)
    for window in packing.windows:
        packing.grow(window, packing.left)
    _join(packing.windows)
    excerpts = [_excerpt(window, packing) for window in packing.windows if window.shown]
    excerpts = sorted([*excerpts, *pointed], key=lambda one: one.rank)
    return Windows(tuple(excerpts), (*_named(listed, excerpts), *unread), tuple(left_out))


def _open(packing: _Packing, window: _Window, listed: list[_Window]) -> None:
    """Show the first lines of a window, if there is room for enough of them."""
    frame = FRAME + sum(packing.room.cost([window.place.path, window.piece.symbol, window.piece.why]))
    share = SHARE if packing.windows else FIRST
    allowed = min(packing.left - frame, int(packing.room.budget * share))
    if allowed <= 0:
        packing.left -= LISTED
        listed.append(window)
        return
    packing.grow(window, allowed)
    length = window.last - window.first + 1
    if window.shown and length < min(LEAST_LINES, window.place.end - window.place.start + 1):
        packing.drop(window)
    if window.shown:
        packing.left -= frame
        packing.windows.append(window)
    else:
        packing.left -= LISTED
        listed.append(window)


def _already_sent(packing: _Packing, placed: Sequence[_Window]) -> Iterator[Excerpt]:
    """Passages that the session has whole become pointers; lines it has of others are not sent again."""
    for path in dict.fromkeys(window.place.path for window in placed):
        held = packing.room.held(path, packing.room.files[path].lines)
        taken = packing.taken.setdefault(path, set())
        for one in held:
            taken.update(range(one.span.start, one.span.end + 1))
        for window in (one for one in placed if one.place.path == path):
            if not taken.issuperset(range(window.place.start, window.place.end + 1)):
                met = [one for one in held if _meets(one.span, window.place)]
                packing.partly |= {window.rank: met[0]} if met else {}
                continue
            known = next(one for one in held if one.span.start <= window.line <= one.span.end)
            packing.sent[window.rank] = known
            packing.left -= FRAME
            yield _pointer(window, window.place, known)


def _pointer(window: _Window, span: Span, known: Held) -> Excerpt:
    words = f"already sent: {known.span}, {known.pointer}"
    piece = window.piece
    return Excerpt(window.rank, span, piece.symbol, piece.kind, piece.why, window.state, "", True, words)


def _meets(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _join(made: Sequence[_Window]) -> None:
    """Windows of one file that touch become one: the better one takes the lines of the other."""
    for at, window in enumerate(made):
        if not window.shown:
            continue
        touched = True
        while touched:
            touched = False
            for other in made[at + 1 :]:
                same = other.shown and other.place.path == window.place.path
                if same and other.first <= window.last + 1 and window.first <= other.last + 1:
                    window.first = min(window.first, other.first)
                    window.last = max(window.last, other.last)
                    other.shown, touched = False, True


def _excerpt(window: _Window, packing: _Packing) -> Excerpt:
    piece, span = window.piece, Span(window.place.path, window.first, window.last)
    text = "\n".join(packing.room.files[span.path].lines[span.start - 1 : span.end])
    known = packing.partly.get(window.rank)
    sent = f"already sent: {known.span}, {known.pointer}" if known is not None else ""
    whole = span.start <= window.place.start and span.end >= window.place.end
    return Excerpt(window.rank, span, piece.symbol, piece.kind, piece.why, window.state, text, whole, sent)


def _named(listed: Sequence[_Window], excerpts: Sequence[Excerpt]) -> Iterator[Listed]:
    """What is not shown, each place once."""
    for window in listed:
        if not any(one.span.path == window.place.path and _holds(one.span, window.place) for one in excerpts):
            yield Listed(window.place, window.piece.symbol)
