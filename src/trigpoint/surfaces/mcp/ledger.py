"""What a session has already received, so that it is named instead of sent again. Bounded; what is forgotten is counted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import NamedTuple

from trigpoint.model import Span
from trigpoint.search.context import Held

MOST_WINDOWS = 400
MOST_CHARACTERS = 600_000
"""About 150,000 tokens: more than the context of the agents that use it holds beside everything else."""


class _Sent(NamedTuple):
    span: Span
    lines: tuple[str, ...]
    answer: int


class Ledger:
    """The windows of one session, the oldest forgotten first. Safe to use from several threads."""

    def __init__(self, windows: int = MOST_WINDOWS, characters: int = MOST_CHARACTERS) -> None:
        self._most = windows, characters
        self._sent: OrderedDict[tuple[str, Span], _Sent] = OrderedDict()
        self._size = 0
        self._answers = 0
        self._lock = Lock()
        self.forgotten = 0

    def begin(self) -> int:
        """The number of the next answer."""
        with self._lock:
            self._answers += 1
            return self._answers

    def record(self, root: str, span: Span, text: str, answer: int) -> None:
        """Remember lines of a file that an answer has sent."""
        lines = tuple(
            text.split("\n")[: span.end - span.start + 1]
        )  # a last line end may or may not be there
        with self._lock:
            former = self._sent.pop((root, span), None)
            self._sent[root, span] = sent = _Sent(span, lines, answer)
            self._size += _size(sent) - (_size(former) if former else 0)
            while len(self._sent) > self._most[0] or self._size > self._most[1]:
                _, gone = self._sent.popitem(last=False)
                self._size -= _size(gone)
                self.forgotten += 1

    def held(self, root: str) -> Callable[[str, Sequence[str]], Sequence[Held]]:
        """What the session has of a file that now has these lines: only what has not changed since."""

        def of_file(path: str, lines: Sequence[str]) -> Sequence[Held]:
            with self._lock:
                sent = [
                    one for (where, span), one in self._sent.items() if where == root and span.path == path
                ]
            return [
                Held(one.span, f"answer {one.answer}")
                for one in sent
                if tuple(lines[one.span.start - 1 : one.span.end]) == one.lines
            ]

        return of_file

    def holding(self, root: str, path: str, span: Span, lines: Sequence[str]) -> Sequence[Held]:
        """What the session has that holds all of these lines. ``lines`` are those of the file from 1 to the end of the span."""
        with self._lock:
            sent = [one for (where, known), one in self._sent.items() if where == root and known.path == path]
        wanted = tuple(lines[span.start - 1 : span.end])
        return [
            Held(one.span, f"answer {one.answer}")
            for one in sent
            if one.span.start <= span.start
            and span.end <= one.span.end
            and one.lines[span.start - one.span.start : span.end - one.span.start + 1] == wanted
        ]


def _size(sent: _Sent) -> int:
    return sum(map(len, sent.lines)) + len(sent.lines) - 1
