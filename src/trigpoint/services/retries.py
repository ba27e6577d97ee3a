"""Asking again: what may pass is tried again after a pause, as often and as long as allowed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple, TypeVar

from trigpoint.errors import ProviderError

Answer = TypeVar("Answer")

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
"""Statuses of HTTP that may be gone in a moment."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 20.0
"""Seconds; each pause is twice the one before, up to a quarter of it taken off by chance."""
LONGEST_WAIT = 120.0
"""Seconds that a service may ask to be left alone; more is a refusal."""


class Passing(Exception):
    """A failure that may be gone in a moment; ``wait`` are the seconds that the service asked for, if it did."""

    def __init__(self, error: ProviderError, wait: float | None = None) -> None:
        super().__init__(error.message)
        self.error = error
        self.wait = wait


class Patience(NamedTuple):
    """How often a service is asked, how long each answer may take, and the seconds left in all."""

    tries: int = 6
    seconds: float = 60.0
    left: Callable[[], float] = lambda: float("inf")

    @property
    def limit(self) -> float:
        """Seconds that the next answer may take."""
        return min(self.seconds, self.left())


def retried(ask: Callable[[], Answer], patience: Patience) -> Answer:
    """The first answer that is no passing failure.

    Raises the ProviderError of the last try when there are no more, or when the pause would not fit.
    """
    pause = FIRST_PAUSE
    for attempt in range(1, patience.tries + 1):
        try:
            return ask()
        except Passing as failed:
            wait = failed.wait if failed.wait is not None else pause * random.uniform(0.75, 1.0)
            if attempt == patience.tries or wait > min(LONGEST_WAIT, patience.left()):
                tried = f"after {attempt} tries" if attempt > 1 else "at the first try"
                raise ProviderError(f"{failed.error.message}, {tried}", failed.error.hint) from None
            time.sleep(wait)
            pause = min(LONGEST_PAUSE, pause * 2)
    raise AssertionError("a try ends in an answer or an error")


def waiting_time(header: str | None) -> float | None:
    """The seconds of a Retry-After header, given as a number or a date; None for none that can be read."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
