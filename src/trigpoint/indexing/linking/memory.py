"""Answers remembered for one run, so that what was asked first makes no difference.

An answer that was found while a question it depends on was still open (a cycle of imports, of bases, of bindings) is
right only as part of the outer answer: it is handed on but not remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final

_DEEPEST = 60
"""Questions open at once; a chain longer than this is no chain that a reader would follow."""


class Memory:
    """Questions with their answers; None is an answer."""

    __slots__ = ("_known", "_lowest", "open", "ready")

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self.ready: Mapping[Hashable, Any] = self._known
        """Answers that may be taken without asking: two of three times there is one, and asking costs a function."""
        self.open: dict[Hashable, int] = {}
        """Questions that are being worked out: what is found meanwhile may depend on their not being answered."""
        self._lowest: int = _NEVER

    def ask(self, key: Hashable, answer: Callable[[], Any]) -> Any:
        """The answer to ``key``, worked out once; None when it is asked for while it is being worked out."""
        known = self._known.get(key, self)
        if known is not self:
            return known
        level = len(self.open)
        if key in self.open or level >= _DEEPEST:
            self._lowest = min(self._lowest, self.open.get(key, -1))
            return None
        self.open[key] = level
        before, self._lowest = self._lowest, _NEVER
        try:
            found = answer()
        finally:
            del self.open[key]
        if self._lowest >= level:
            self._known[key] = found
            self._lowest = before
        else:
            self._lowest = min(before, self._lowest)
        return found


_NEVER: Final = 1 << 30
