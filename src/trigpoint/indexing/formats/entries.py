"""Collects what a text format defines: the symbols of its outline, with a cap and with ends that hold text."""

from __future__ import annotations

from collections.abc import Iterable

from trigpoint.model import MODULE, Import, Outline, Reference, Symbol

LIMIT = 500
"""Most symbols of one file in a text format; a data file has no more names worth knowing."""

SIGNATURE = 160
"""Most characters of a line that is kept as a signature."""


class Entries:
    """The definitions of one text, in the order they are added. Nothing is added beyond LIMIT."""

    def __init__(self, text: str) -> None:
        self.rows = text.split("\n")
        if self.rows[-1] == "":
            self.rows.pop()
        self.symbols: list[Symbol] = []
        self.imports: list[Import] = []
        self.references: list[Reference] = []
        self.splits: set[int] = set()

    @property
    def full(self) -> bool:
        """Whether nothing more will be added."""
        return len(self.symbols) >= LIMIT

    def add(self, name: str, kind: str, lines: tuple[int, int], container: int = MODULE, at: int = 0) -> int:
        """Add a definition on these lines, named on line ``at`` (the first when 0); its index, or MODULE when full.

        The line it is named on becomes its signature.
        """
        if self.full or not name:
            return MODULE
        line = at or lines[0]
        row = self.rows[line - 1] if 0 < line <= len(self.rows) else ""
        column = max(row.find(name), 0)
        if not row.isascii():
            column = len(row[:column].encode("utf-8", "surrogatepass"))
        outer = f"{self.symbols[container].qualified}." if container != MODULE else ""
        signature = row.strip()[:SIGNATURE]
        self.symbols.append(
            Symbol(name, outer + name, kind, lines[0], lines[1], line, column, container, signature)
        )
        return len(self.symbols) - 1

    def change(self, index: int, **fields: object) -> None:
        """Give the definition other values; nothing when the index is MODULE."""
        if index != MODULE:
            self.symbols[index] = self.symbols[index]._replace(**fields)  # type: ignore[arg-type]

    def refer(self, name: str, line: int, scope: int = MODULE, kind: str = "value") -> None:
        """Add a use of a name; not counted against the cap of definitions, but capped at ten times that."""
        if len(self.references) < 10 * LIMIT:
            column = max(self.rows[line - 1].find(name), 0) if 0 < line <= len(self.rows) else 0
            self.references.append(Reference(name, "", kind, line, column, scope))

    def outline(self, splits: Iterable[int] = ()) -> Outline:
        """The outline. Each symbol ends with its last line that holds text."""
        solid = [0]
        for number, row in enumerate(self.rows, 1):
            solid.append(number if row.strip() else solid[-1])
        symbols = []
        for symbol in self.symbols:
            end = max(symbol.start, symbol.name_line, solid[min(max(symbol.end, 0), len(self.rows))])
            symbols.append(symbol._replace(end=end) if end != symbol.end else symbol)
        return Outline(
            symbols=tuple(symbols),
            imports=tuple(self.imports),
            references=tuple(self.references),
            splits=tuple(sorted(self.splits.union(splits))),
        )
