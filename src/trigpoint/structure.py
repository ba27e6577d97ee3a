"""The questions of the Engine that walk the graph: who calls, what depends, what breaks, the map, the picture."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trigpoint.config import Settings
    from trigpoint.graph.relation import Relation
    from trigpoint.model import Freshness
    from trigpoint.ports import Snapshot


class Structure:
    """The part of the Engine that walks. Answers come whole; surfaces fit them to a token budget."""

    settings: Settings

    def _current(self, *, update: bool) -> AbstractContextManager[tuple[Snapshot, Freshness]]:
        """One frozen state of the index, brought up to date first with ``update``, and how it stands to the files."""
        raise NotImplementedError

    def callers(self, name: str, *, guesses: bool = False, limit: int | None = None, update: bool = True) -> Relation:
        """Every place that calls what a name means, by file and line; calls of a class are those that make one.

        ``guesses`` shows candidates below a confidence of .8 too. Raises NotFoundError when nothing is indexed.
        """
        return self._asked("callers", name, None, guesses, limit, update)

    def callees(self, name: str, *, guesses: bool = False, limit: int | None = None, update: bool = True) -> Relation:
        """The definitions that a name's definition calls. Raises NotFoundError when nothing is indexed."""
        return self._asked("callees", name, None, guesses, limit, update)
