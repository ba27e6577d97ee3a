"""Definitions by name: exactly, in another spelling, and by how well the words of the question cover the name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trigpoint.model import Query, Scored, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.search.lookup import parts_of
from trigpoint.text.identifiers import fold, split
from trigpoint.text.stems import stem

EXACT, FOLDED, COVERED = 1.0, 0.8, 0.6
"""Scores: the name as written; without case and underscores; all its parts are words of the question."""
NAMES = 40
"""Distinct names taken from the index by the words of the question."""
PER_NAME = 12
"""Definitions of one name that may be candidates."""
LEAST = 0.5
"""Share of a name's parts that the question must cover."""


class Match(NamedTuple):
    """A definition and how well its name answers."""

    symbol: StoredSymbol
    score: float
    note: str


def matches(query: Query, snapshot: Snapshot, *, coverage: bool = True) -> list[Match]:
    """Definitions that the question names, best first, each once; with ``coverage`` also by its words."""
    found: dict[int, Match] = {}
    covered = _covered(query, snapshot) if coverage else ()
    for match in (*_named(query, snapshot), *covered):
        if match.symbol.id not in found or match.score > found[match.symbol.id].score:
            found[match.symbol.id] = match
    return sorted(found.values(), key=lambda one: (-one.score, one.symbol.path, one.symbol.symbol.start))


class Definitions(NamedTuple):
    """The answer of the leg: chunks that hold the definitions, why, and which definition each is there for."""

    ranking: tuple[Scored, ...]
    notes: dict[int, str]
    symbols: dict[int, StoredSymbol]


def rank(found: Iterable[Match], snapshot: Snapshot) -> Definitions:
    """The chunks that hold the definitions, best first."""
    ranking: list[Scored] = []
    notes: dict[int, str] = {}
    symbols: dict[int, StoredSymbol] = {}
    matches = list(found)
    chunks = snapshot.defining([match.symbol.id for match in matches])
    for match in matches:
        chunk = chunks.get(match.symbol.id)
        if chunk is not None and chunk not in notes:
            ranking.append(Scored(chunk, match.score))
            notes[chunk] = match.note
            symbols[chunk] = match.symbol
    return Definitions(tuple(ranking), notes, symbols)


def _named(query: Query, snapshot: Snapshot) -> Iterator[Match]:
    names = [*query.identifiers, *(frame.function for frame in query.frames if frame.function)]
    for written in dict.fromkeys(names):
        parts = parts_of(written)
        if not parts:
            continue
        name = parts[-1]
        exact = [one for one in snapshot.symbols_named(name, limit=200) if ends_with(one, parts)]
        for symbol in exact[:PER_NAME]:
            yield Match(symbol, EXACT, f"defines {symbol.symbol.qualified}")
        if not exact:
            folded = snapshot.symbols_named(name, fold=True, limit=200)
            for symbol in [one for one in folded if ends_with(one, parts)][:PER_NAME]:
                yield Match(symbol, FOLDED, f"defines {symbol.symbol.qualified}")


def ends_with(stored: StoredSymbol, parts: list[str]) -> bool:
    """Whether the qualified name ends with these parts, compared without case and underscores.

    Owners written as variables (``app.render`` for ``Application.render``) are allowed when nothing is qualified so.
    """
    own = [fold(part) for part in stored.symbol.qualified.split(".")]
    asked = [fold(part) for part in parts]
    return own[-len(asked) :] == asked or (len(asked) > 1 and own[-1] == asked[-1] and len(own) == 1)


def _covered(query: Query, snapshot: Snapshot) -> Iterator[Match]:
    if not query.words:
        return
    asked = {stem(word) for word in query.words}
    spellings = list(dict.fromkeys([*query.words, *asked]))
    found: dict[str, tuple[float, str]] = {}
    for name, _ in snapshot.symbols_with(spellings, NAMES * 4):
        parts = split(name)
        covered = {stem(part) for part in parts} & asked
        share = len(covered) / len(parts) if parts else 0.0
        reach = len(covered) / len(asked)
        if share < LEAST or (len(covered) == 1 and len(asked) > 1 and share < 1.0):
            continue
        found[name] = (COVERED * share * (0.4 + 0.6 * reach), f"{name} holds {', '.join(sorted(covered))}")
    for symbol in snapshot.definitions(list(found), PER_NAME):
        yield Match(symbol, *found[symbol.symbol.name])
