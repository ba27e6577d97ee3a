"""Answers remembered for one run, so that what was asked first makes no difference.

An answer that was found while a question it depends on was still open (a cycle of imports, of bases, of bindings) took
that question for unanswered. It is a guess: good for as long as that question stays open, and right when that ends
without an answer indeed. Without guesses twelve lines of ``x = x.step()`` would be tried in every order there is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final

_DEEPEST = 60
"""Questions open at once; a chain longer than this is no chain that a reader would follow."""
_TOO_DEEP: Final = -1


class Memory:
    """Questions with their answers; None is an answer."""

    __slots__ = ("_assumed", "_guessed", "_known", "_lowest", "open")

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self.open: dict[Hashable, int] = {}
        """Questions that are being worked out: what is found meanwhile may depend on their not being answered."""
        self._lowest: int = _NEVER
        self._guessed: dict[
            Hashable, tuple[Any, int]
        ] = {}  # with the lowest open question that it depends on
        self._assumed: set[int] = set()  # open questions that were taken for unanswered

    def ask(self, key: Hashable, answer: Callable[[], Any]) -> Any:
        """The answer to ``key``, worked out once; None when it is asked for while it is being worked out."""
        known = self._known.get(key, self)
        if known is not self:
            return known
        guess = self._guessed.get(key)
        if guess is not None:
            self._lowest = min(self._lowest, guess[1])
            return guess[0]
        level = len(self.open)
        if key in self.open or level >= _DEEPEST:
            at = self.open.get(key, _TOO_DEEP)
            self._assumed.add(at)
            self._lowest = min(self._lowest, at)
            return None
        self.open[key] = level
        before, self._lowest, guesses = self._lowest, _NEVER, len(self._guessed)
        try:
            found = answer()
        finally:
            del self.open[key]
        self._close(key, found, level, guesses)
        self._lowest = before if self._lowest >= level else min(before, self._lowest)
        return found

    def _close(self, key: Hashable, found: Any, level: int, guesses: int) -> None:
        """Keep what was found, and of the guesses made meanwhile, those after the first ``guesses``, what holds."""
        lowest, assumed = self._lowest, level in self._assumed
        self._assumed.discard(level)
        made = list(self._guessed)[guesses:] if len(self._guessed) > guesses else ()
        wrong = assumed and found is not None
        for one in made:
            guess, depends = self._guessed[one]
            if wrong or lowest >= level:
                del self._guessed[one]
                if not wrong:
                    self._known[one] = guess
            elif depends > lowest:
                self._guessed[one] = guess, lowest
        if lowest >= level:
            self._known[key] = found
        else:
            self._guessed[key] = found, lowest
        if not level:
            self._guessed.clear()
            self._assumed.clear()


_NEVER: Final = 1 << 30
