"""What a walk answers: rows with their distance, their sites and how sure they are, and what is not known."""

from __future__ import annotations

from typing import NamedTuple

from trigpoint.model import Freshness, Span, StoredSymbol

CERTAIN = 0.8
"""Edges at least this sure are facts: below stand sole definitions of a name and one of several."""

UNKNOWN = Freshness("unknown", 0, 0)


class Site(NamedTuple):
    """Where one end of an edge names the other; columns are bytes from 0."""

    path: str
    line: int
    column: int
    text: str = ""  # the line, without the white space around it


class Row(NamedTuple):
    """One symbol that was reached. The top of a file is a symbol of kind "file"."""

    symbol: StoredSymbol
    hop: int  # edges from what was asked about; 0 for what was changed itself
    kind: str  # of the edge that reached it
    near: StoredSymbol  # the other end of that edge, one hop nearer to what was asked about
    sites: tuple[Site, ...]
    confidence: float  # the least along the way
    resolved_by: str
    line: int  # the line to open: of a caller the call, else that of the name
    test: bool = False  # it lies in a test file
    origin: StoredSymbol | None = None  # of what was asked about, the symbol where its way begins

    @property
    def certain(self) -> bool:
        """Whether it is a fact; otherwise it is a candidate."""
        return self.confidence >= CERTAIN

    @property
    def name(self) -> str:
        """The qualified name; the top of a file is its path."""
        return self.symbol.symbol.qualified


class Unresolved(NamedTuple):
    """Uses of a name that lead to no definition known here: perhaps uses of this one, perhaps of something outside."""

    name: str = ""
    uses: int = 0
    whole: bool = True  # every file that uses the name was looked at
    sites: tuple[Site, ...] = ()  # the first of them

    def __str__(self) -> str:
        least = "" if self.whole else "at least "
        uses = "use" if self.uses == 1 else "uses"
        return f"{least}{self.uses:,} {uses} of this name could not be resolved"


class Change(NamedTuple):
    """One changed symbol. ``symbol`` is None when it is gone."""

    path: str
    name: str  # qualified; "" is the top of the file
    kind: str
    how: str  # added, modified, deleted
    span: Span  # of the definition, new if there is one, else old
    symbol: StoredSymbol | None = None


class Affected(NamedTuple):
    """How far a change goes, before any cut."""

    symbols: int = 0
    files: int = 0
    tests: tuple[str, ...] = ()  # the test files among them, sorted


class Relation(NamedTuple):
    """The answer to callers, callees, deps, impact and path."""

    asked: str
    relation: str
    targets: tuple[StoredSymbol, ...]  # the definitions that were meant
    rows: tuple[Row, ...]
    total: int  # rows before the cut
    unresolved: Unresolved = Unresolved()
    hidden: int = 0  # candidates that were left out for being guesses
    changes: tuple[Change, ...] = ()
    affected: Affected | None = None  # of impact
    notes: tuple[str, ...] = ()
    freshness: Freshness = UNKNOWN

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the rows, in order, each once."""
        return tuple(dict.fromkeys(row.symbol.path for row in self.rows))

    def first(self, count: int) -> Relation:
        """The answer with the first rows only."""
        return self._replace(rows=self.rows[:count])

    def sums(self) -> str:
        """How far a change goes, in one sentence; "" where that was not asked."""
        if self.affected is None:
            return ""
        symbols, files, tests = self.affected
        changed = f"{len(self.changes):,} changed symbols; " * bool(self.changes)
        return f"{changed}{symbols:,} affected symbols in {files:,} files, {len(tests):,} of them tests"

    def lacks(self) -> tuple[str, ...]:
        """What the answer does not hold, one sentence each."""
        found = list(self.notes)
        if self.unresolved.uses:
            places = ", ".join(f"{site.path}:{site.line}" for site in self.unresolved.sites)
            found.append(f"{self.unresolved}: {places}")
        if self.hidden:
            some = "candidate is" if self.hidden == 1 else "candidates are"
            found.append(f"{self.hidden:,} less certain {some} left out: --guesses shows them")
        if len(self.rows) < self.total:
            found.append(
                f"{self.total - len(self.rows):,} of {self.total:,} rows are left out: a larger --limit or --tokens shows them"
            )
        return tuple(found)
