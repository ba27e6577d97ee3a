"""Which lines go together: a file's symbols and weights become runs of lines that tile it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from trigpoint.indexing.cut import Knife
from trigpoint.indexing.nesting import Node
from trigpoint.indexing.sheet import Sheet
from trigpoint.model import MODULE, Symbol

MINOR = frozenset({"variable", "constant", "field", "property", "member", "value", "parameter", "element"})
"""Kinds that make no run of their own while they are tiny: they stay in the code around them."""

CALLABLE = frozenset({"function", "method", "constructor", "getter", "setter", "macro", "test"})
"""Kinds whose tiny inner definitions stay in their body."""

DEPTH = 40
"""Containers inside containers that are taken apart; what lies deeper is cut by lines."""

CLOSER = 8
"""A run of this weight or less without a letter or digit closes what stands before it ("})") and stays with it."""

CRUMB = 0.25
"""Code between members that weighs less than this share of the lower limit stays with the member before it; at the
top of a file, with the one after it.
"""

APART = frozenset({"cell"})
"""Kinds that are never joined with their like, however tiny."""

BLANKS = 12
"""More blank lines than any style has (a notebook's outputs) are a run of their own; fewer stay with their neighbour."""


class Run(NamedTuple):
    """Lines that become one chunk: lines of ``owner`` itself and whole ``units`` inside it."""

    start: int
    end: int
    weight: int
    owner: int
    units: tuple[int, ...]
    whole: bool  # False for a piece of something bigger, which joins nothing


class Layout:
    """Takes a file apart. ``most`` and ``least`` are the limits of a run, as weights of the sheet."""

    def __init__(self, sheet: Sheet, symbols: Sequence[Symbol], knife: Knife, least: float) -> None:
        self._sheet = sheet
        self._symbols = symbols
        self._knife = knife
        self._most = knife.limit
        self._least = least
        self.runs: list[Run] = []
        self.apart: list[Node] = []  # what did not fit and was taken apart, outermost first

    def lay(self, nodes: Sequence[Node]) -> None:
        """Lay out the whole file; ``runs`` and ``apart`` hold the result."""
        self._inside(Node(MODULE, 1, self._sheet.count, list(nodes)), 0)

    def _inside(self, node: Node, depth: int) -> None:
        line = node.start
        for child in node.children if depth < DEPTH else ():
            weight = self._sheet.weight(child.start, child.end)
            if weight < self._least and self._stays(node.symbol, child.symbol):
                continue
            if line < child.start:
                self._own(node.symbol, line, child.start - 1)
            if weight <= self._most:
                self._add(Run(child.start, child.end, weight, node.symbol, (child.symbol,), True))
            else:
                self.apart.append(child)
                self._inside(child, depth + 1)
            line = child.end + 1
        if line <= node.end:
            self._own(node.symbol, line, node.end)

    def _stays(self, owner: int, child: int) -> bool:
        """Whether a tiny definition is left in the code around it."""
        return self._symbols[child].kind in MINOR or (
            owner != MODULE and self._symbols[owner].kind in CALLABLE
        )

    def _own(self, owner: int, start: int, end: int) -> None:
        """Lines of the container itself, between its members."""
        pieces = self._knife.pieces(start, end)
        for first, last in pieces:
            weight = self._sheet.weight(first, last)
            self._add(Run(first, last, weight, owner, (), len(pieces) == 1))

    def _add(self, run: Run) -> None:
        last = self.runs[-1] if self.runs else None
        if last is None:
            self.runs.append(run)
        elif last.weight == 0 and last.end - last.start < BLANKS:
            self.runs[-1] = run._replace(start=last.start)
        elif (run.weight == 0 and run.end - run.start < BLANKS) or self._closes(run):
            self.runs[-1] = last._replace(end=run.end, weight=last.weight + run.weight)
        elif self._joins(last, run):
            weight = last.weight + run.weight
            self.runs[-1] = Run(last.start, run.end, weight, last.owner, last.units + run.units, True)
        else:
            self.runs.append(run)

    def _closes(self, run: Run) -> bool:
        if run.units or not 0 < run.weight <= CLOSER:
            return False
        return not any(map(str.isalnum, self._sheet.lines(run.start, run.end)))

    def _joins(self, last: Run, run: Run) -> bool:
        weight = last.weight + run.weight
        whole = last.whole and run.whole and last.weight and run.weight
        if last.owner != run.owner or not whole or weight > self._most:
            return False
        if last.units and run.units and self._symbols[run.units[0]].kind in APART:
            return False
        title = last.owner == MODULE and self._crumb(last)
        return title or self._crumb(run) or max(last.weight, run.weight) < self._least

    def _crumb(self, run: Run) -> bool:
        return not run.units and run.weight < self._least * CRUMB
