"""A file and its outline become chunks: what is searched, shown and embedded as one.

Chunks that are not derived tile the file: every line is in exactly one. The unit is a function, method, type or
section that fits; tiny neighbours are joined, what is too big is taken apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType

from trigpoint.indexing.cut import WINDOW, Knife
from trigpoint.indexing.layout import Layout, Run
from trigpoint.indexing.nesting import Node, nest
from trigpoint.indexing.sheet import Sheet, measure
from trigpoint.indexing.skeleton import skeleton
from trigpoint.model import MODULE, Chunk, Outline, SourceFile, Symbol

TYPES = frozenset(
    {
        "class",
        "interface",
        "struct",
        "enum",
        "trait",
        "impl",
        "record",
        "object",
        "protocol",
        "extension",
        "union",
        "module",
        "suite",
    }
    | {"message", "service"}
)
"""Kinds that get a skeleton when they are too big for one chunk."""

NAMES = 8
"""Most names in the header of a chunk that joins several definitions."""

HEADER = 240
"""Most characters of a signature in a header."""

WEIGHT_PER_TOKEN: Mapping[str, float] = MappingProxyType(
    {
        "python": 2.8, "javascript": 2.55, "typescript": 2.9, "go": 2.9, "java": 3.1, "rust": 2.8, "c": 2.8,
        "cpp": 2.8, "csharp": 3.4, "ruby": 3.1, "php": 3.05, "kotlin": 3.4, "swift": 3.2, "scala": 3.2,
        "lua": 3.1, "bash": 2.75, "markdown": 3.3, "rst": 2.85, "html": 2.7, "css": 2.85, "json": 2.65,
        "yaml": 2.4, "toml": 3.2, "ipynb": 2.6, "sql": 2.6,
    }
)  # fmt: skip
"""Characters that are not white space per o200k token, measured over up to 150 files of each language."""

DEFAULT_WEIGHT_PER_TOKEN = 2.8


@dataclass(frozen=True, slots=True)
class ChunkLimits:
    """How big a chunk may be, in estimated tokens.

    Below ``min_tokens`` neighbours in one container are joined until they reach it; above ``max_tokens`` a unit is
    taken apart.
    """

    max_tokens: int = 800
    min_tokens: int = 100


def chunk(file: SourceFile, outline: Outline, limits: ChunkLimits) -> tuple[Chunk, ...]:
    """The chunks of a file in order of their lines, then its skeletons; () for an empty text.

    A long run of blank lines is a chunk of the kind ``blank`` with 0 tokens. The text of a chunk that is not derived is its lines as they stand, ends included; together they are the file.
    Its digest is the BLAKE2b of that text, 16 bytes in hex.
    """
    if not file.text:
        return ()
    rate = WEIGHT_PER_TOKEN.get(file.language, DEFAULT_WEIGHT_PER_TOKEN)
    sheet = measure(file.text)
    plain = not outline.symbols and not outline.imports and not outline.references
    knife = Knife(sheet, max(1.0, limits.max_tokens * rate), outline.splits, WINDOW if plain else 0)
    layout = Layout(sheet, outline.symbols, knife, limits.min_tokens * rate)
    layout.lay(nest(outline.symbols, sheet.count))
    writer = _Writer(file.path, outline.symbols, sheet, rate)
    return (
        *writer.tiles(layout.runs, "window" if plain else "module"),
        *writer.skeletons(layout.apart, knife.limit),
    )


class _Writer:
    """Writes the chunks of one file."""

    def __init__(self, path: str, symbols: Sequence[Symbol], sheet: Sheet, rate: float) -> None:
        self._path = path
        self._symbols = symbols
        self._sheet = sheet
        self._rate = rate

    def tiles(self, runs: Sequence[Run], loose: str) -> Iterator[Chunk]:
        """One chunk a run; ``loose`` is the kind of what belongs to no symbol."""
        held = self._held(runs)
        subjects = [self._subject(run, names, loose) for run, names in zip(runs, held, strict=True)]
        parts = Counter(symbol for symbol, _ in subjects if symbol != MODULE)
        seen: Counter[int] = Counter()
        for run, names, (symbol, kind) in zip(runs, held, subjects, strict=True):
            seen[symbol] += 1
            many = symbol != MODULE and parts[symbol] > 1
            text = self._sheet.lines(run.start, run.end)
            yield Chunk(
                start=run.start,
                end=run.end,
                kind=kind,
                symbol=symbol,
                symbols=names,
                header=self._header(run, symbol),
                text=text,
                tokens=self._tokens(run.weight),
                digest=_digest(text),
                part=seen[symbol] if many else 0,
                parts=parts[symbol] if many else 0,
            )

    def skeletons(self, apart: Sequence[Node], room: float) -> Iterator[Chunk]:
        """One derived chunk for each type with members that was taken apart."""
        for node in apart:
            symbol = self._symbols[node.symbol]
            if symbol.kind not in TYPES or not node.children:
                continue
            text = skeleton(self._sheet, self._symbols, node, room)
            yield Chunk(
                start=node.start,
                end=node.end,
                kind="skeleton",
                symbol=node.symbol,
                symbols=(node.symbol,),
                header=f"{self._path} > {self._title(symbol)}",
                text=text,
                tokens=self._tokens(len("".join(text.split()))),
                digest=_digest(text),
                derived=True,
            )

    def _held(self, runs: Sequence[Run]) -> list[tuple[int, ...]]:
        """For each run the symbols whose name line it holds."""
        lines = [symbol.name_line for symbol in self._symbols]
        order = sorted(range(len(lines)), key=lines.__getitem__)
        held, place = [], 0
        for run in runs:
            first = place
            final = run.end == self._sheet.count
            while place < len(order) and (final or lines[order[place]] <= run.end):
                place += 1
            held.append(tuple(sorted(order[first:place])))
        return held

    def _subject(self, run: Run, names: tuple[int, ...], loose: str) -> tuple[int, str]:
        """The symbol a run is about, and the kind of its chunk."""
        if run.weight == 0:
            return MODULE, "blank"
        owner = run.owner
        kind = loose if owner == MODULE else self._symbols[owner].kind
        if not run.units or (owner != MODULE and owner in names):
            return owner, kind
        if len(run.units) == 1:
            return run.units[0], self._symbols[run.units[0]].kind
        kinds = {self._symbols[unit].kind for unit in run.units}
        return owner, kinds.pop() if len(kinds) == 1 else kind

    def _header(self, run: Run, symbol: int) -> str:
        header = self._path
        if symbol != MODULE:
            subject = self._symbols[symbol]
            header = f"{header} > {self._title(subject)}"
        members = [self._symbols[unit].name for unit in run.units if unit != symbol]
        if members:
            header = f"{header} > {', '.join(members[:NAMES])}{', …' if len(members) > NAMES else ''}"
        return header

    def _title(self, symbol: Symbol) -> str:
        """``Outer.Inner > signature``, or the signature alone at the top level."""
        signature = symbol.signature[:HEADER] or symbol.name
        outer = symbol.qualified[: -len(symbol.name) - 1]
        if outer and symbol.qualified.endswith(f".{symbol.name}"):
            return f"{outer} > {signature}"
        return signature

    def _tokens(self, weight: int) -> int:
        return int(weight / self._rate + 0.999)


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
