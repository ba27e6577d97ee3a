"""The progress line of an index run: phase, bar, rate and time left, drawn over itself on a terminal.

Our own forty lines: rich would cost 50 ms of CPU a start, a tenth of what a check of 10,000 unchanged files may cost.
"""

from __future__ import annotations

from time import monotonic
from typing import TextIO

from trigpoint.model import Progress
from trigpoint.render.style import cut, visible_path

_WIDTH = 79  # columns; the narrowest terminal in use
_BAR = 20
_EVERY = 0.1  # seconds between drawings


class Bar:
    """Draws progress events on a stream; ``close`` wipes the line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._phase = ""
        self._began = self._drawn = 0.0

    def __call__(self, event: Progress) -> None:
        """Draw an event, but not more often than an eye can follow."""
        now = monotonic()
        if event.phase != self._phase:
            self._phase, self._began, self._drawn = event.phase, now, 0.0
        if now - self._drawn < _EVERY and event.done < event.total:
            return
        self._drawn = now
        self._stream.write("\r\x1b[2K" + line(event, now - self._began))
        self._stream.flush()

    def close(self) -> None:
        """Wipe the line, if one was drawn."""
        if self._phase:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()


def line(event: Progress, seconds: float) -> str:
    """One event as a line of at most 79 columns; ``seconds`` since its phase began."""
    if event.total <= 0:
        return cut(f"{event.phase:<8} {event.done:,} {visible_path(event.path)}".rstrip(), _WIDTH)
    done = min(event.done, event.total)
    filled = _BAR * done // event.total
    rate = done / seconds if seconds > 0 else 0.0
    left = f", {_clock((event.total - done) / rate)} left" if rate and done < event.total else ""
    bar = "#" * filled + "." * (_BAR - filled)
    counts = f"{event.phase:<8} {bar} {done:,}/{event.total:,} {rate:,.0f}/s{left}"
    return cut(f"{counts}  {visible_path(event.path)}".rstrip(), _WIDTH)


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
