"""A ranking becomes a composed answer: passages, who stands around them, what is missing, what to do next. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trigpoint.graph.around import Around
from trigpoint.graph.relation import Change
from trigpoint.graph.unresolved import unresolved
from trigpoint.model import Fallback, Freshness, Hit, Level, Span, StoredChunk, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.search.context import Context, Excerpt, Held, NextStep, Now, Piece
from trigpoint.search.pack import MODES, asked_of, best_line
from trigpoint.search.plan import Plan
from trigpoint.search.run import Ranking
from trigpoint.search.windows import Cost, Room, Windows, windows

HITS = 30
"""Results that are looked at; those past the budget are named."""
DEEP, BROAD = 3, 8
"""So many first results keep their order; behind them the best passage of each file comes before a second of any, until so many
files have one. Of 206 bug reports the file is then in 4,000 tokens for .87 instead of .81, the function for .59 as before (.60):
benchmarks/context.
"""
SUBJECTS = 4
"""Definitions whose surroundings are told."""
EACH = 4
"""Neighbours of one kind that are named."""
STEPS = 4
WINDOW_SHARE = 0.68
"""Of the budget for source; relations, names of further results and what is missing take the rest."""
BARE_TOKENS = 230
"""Of an answer without windows and relations, as JSON."""
LEAST_TOLD = 4
"""Neighbours that are told however small the budget is."""
END_TOKENS = 26
"""Of one neighbour, as JSON."""
BYTES_PER_TOKEN = 4
"""By this the tokens of whole files are estimated, as others do."""

PROSE = frozenset({"section", "key", "heading", "element", "table", "file"})


class Asked(NamedTuple):
    """What the answer is about, besides the question: definitions by name, and what a diff has changed."""

    named: tuple[StoredSymbol, ...] = ()
    unknown: tuple[str, ...] = ()  # names that nothing has
    changes: tuple[Change, ...] = ()
    diff: str = ""


class Limits(NamedTuple):
    """What the whole answer keeps to."""

    budget: int
    tokenizer: str
    cost: Cost
    held: Callable[[str, Sequence[str]], Sequence[Held]] = lambda path, lines: ()


def pieces(asked: Asked, ranking: Ranking, snapshot: Snapshot) -> tuple[Piece, ...]:
    """The passages in the order of their worth, each place once: what was named, what was changed, what was found."""
    found: dict[Span, Piece] = {}
    digests: dict[str, str] = {}

    def add(span: Span, piece: Piece) -> None:
        if span.path not in digests:
            row = snapshot.file(span.path)
            digests[span.path] = row.digest if row is not None else ""
        found.setdefault(span, piece._replace(digest=digests[span.path]))

    changed = [one.symbol for one in asked.changes if one.symbol is not None]
    for why, symbols in (("named", asked.named), (f"changed since {asked.diff}", changed)):
        for one, piece in _of_symbols(symbols, why, snapshot):
            add(one, piece)
    for hit in ranking.hits:
        piece = _of_hit(hit)
        add(piece.span, piece)
    return tuple(found.values())


def _of_symbols(
    symbols: Sequence[StoredSymbol], why: str, snapshot: Snapshot
) -> Iterator[tuple[Span, Piece]]:
    for one in symbols:
        it = one.symbol
        lines = snapshot.text(one.path).split("\n")[it.start - 1 : it.end]
        text = "\n".join(lines)
        yield one.span, Piece(one.span, it.qualified, it.kind, it.name_line, why, text, "")


def _of_hit(hit: Hit) -> Piece:
    stored = hit.chunk
    best = sorted(hit.evidence, key=lambda one: -one.value)[:2]
    why = ", ".join(one.name.partition(":")[2] or one.name for one in best)
    return Piece(stored.span, hit.name, hit.kind, hit.line, why, _text(stored), "", copies=len(hit.copies))


def _text(stored: StoredChunk) -> str:
    """The lines of a chunk; a skeleton has only some of them, so its first line has to do."""
    return stored.chunk.text.split("\n", 1)[0] if stored.chunk.derived else stored.chunk.text


def subjects(asked: Asked, ranking: Ranking, snapshot: Snapshot) -> tuple[StoredSymbol, ...]:
    """The definitions whose surroundings are worth telling: the named ones, else those of the best results.

    Of a passage with several definitions both the one around its best line and the one that the question names.
    """
    changed = [one.symbol for one in asked.changes if one.symbol is not None]
    chosen = {one.id: one for one in (*asked.named, *changed) if one.symbol.kind not in PROSE}
    for hit in ranking.hits:
        if len(chosen) >= SUBJECTS:
            break
        for one in (_around_line(hit, snapshot), hit.symbol):
            if one is not None and one.symbol.kind not in PROSE:
                chosen.setdefault(one.id, one)
    return tuple(chosen.values())[:SUBJECTS]


def focused(ranking: Ranking, most: int) -> Ranking:
    """The ranking in the order in which it is shown, whose first hits know the line to open; walks and lists keep their own."""
    asked = asked_of(ranking.query)
    at_use = MODES[ranking.intent.packing].at_use
    hits: list[Hit] = []
    for number, hit in enumerate(ranking.hits if ranking.seen is None else _spread(ranking.hits)):
        if number < most:
            hit = hit if at_use else hit._replace(line=best_line(hit, asked))
        hits.append(hit)
    return ranking._replace(hits=tuple(hits))


def _spread(hits: Sequence[Hit]) -> Sequence[Hit]:
    """After the first few, the best passage of some more files, then all others."""
    first, later = list(hits[:DEEP]), list[Hit]()
    seen = {hit.chunk.path for hit in first}
    for hit in hits[DEEP:]:
        if hit.chunk.path in seen or len(seen) >= BROAD:
            later.append(hit)
        else:
            first.append(hit)
            seen.add(hit.chunk.path)
    return first + later


def _around_line(hit: Hit, snapshot: Snapshot) -> StoredSymbol | None:
    """The innermost definition of the chunk around its line, else its first."""
    chunk = hit.chunk.chunk
    places = chunk.symbols if not chunk.derived and chunk.symbols else (chunk.symbol,)
    nodes = [snapshot.node(hit.chunk.path, place) for place in places if place >= 0]
    found = snapshot.nodes([node for node in nodes if node])
    inside = [one for one in found if one.symbol.start <= hit.line <= one.symbol.end]
    return min(inside, key=lambda one: one.symbol.end - one.symbol.start, default=next(iter(found), None))


def uncovered(paths: Iterable[str], asked: Asked, snapshot: Snapshot) -> Iterator[str]:
    """What the index itself lacks of an answer: damaged parts, files that it holds in part, uses that lead nowhere."""
    for view, reason in snapshot.failures().items():
        yield f"answered without {view}: {reason}"
    for path in paths:
        row = snapshot.file(path)
        if row is not None and row.outcome.level is Level.PARTIAL:
            yield f"{path} is indexed in part: {row.outcome.detail or row.outcome.reason}"
    if asked.named:
        left = unresolved(asked.named[0].symbol.name, asked.named, snapshot)
        if left.uses:
            places = ", ".join(f"{site.path}:{site.line}" for site in left.sites)
            yield f"{left} ({left.name}): {places}"


class Found(NamedTuple):
    """All that an answer is put together from."""

    asked: Asked
    ranking: Ranking
    pieces: tuple[Piece, ...]
    files: Mapping[str, Now]
    subjects: tuple[StoredSymbol, ...] = ()
    around: Around = Around()
    lacks: tuple[str, ...] = ()  # what was not done, and why
    confidence: float | None = None  # that the first result is right
    fallbacks: tuple[Fallback, ...] = ()


def compose(found: Found, plan: Plan, limits: Limits, freshness: Freshness) -> Context:
    """The answer, with windows for about as many tokens as its budget has; a surface fits it exactly."""
    ranking, asked = found.ranking, found.asked
    told = found.around.neighbours[: max(LEAST_TOLD, limits.budget // 5 // END_TOKENS)]
    room = _room(found, limits, END_TOKENS * len(told))
    shown = windows(found.pieces, room)
    missing = tuple(_missing(found, shown, freshness))
    name = ranking.plan or plan.name(ranking.intent)
    used = "named symbols + " * bool(asked.named) + f"diff {asked.diff} + " * bool(asked.diff)
    return Context(
        query=ranking.query.text,
        intent=ranking.intent.name,
        plan=name,
        rationale=f"{used}{ranking.intent.asks}",
        stages=ranking.stages,
        excerpts=shown.excerpts,
        relations=told,
        totals=found.around.totals,
        listed=shown.listed,
        left_out=shown.left_out,
        missing=missing,
        steps=tuple(_steps(found, shown))[:STEPS],
        budget=limits.budget,
        tokenizer=limits.tokenizer,
        freshness=freshness,
        files_tokens=_files_tokens(found, shown),
        confidence=found.confidence,
    )


def _room(found: Found, limits: Limits, told: int) -> Room:
    budget = limits.budget - BARE_TOKENS - min(told, limits.budget // 5)
    budget = min(budget, int(limits.budget * WINDOW_SHARE) + max(0, limits.budget // 5 - told))
    return Room(max(0, budget), limits.cost, found.files, limits.held)


def _files_tokens(found: Found, shown: Windows) -> int:
    paths = {one.span.path for one in shown.excerpts if one.text}
    return sum(found.files[path].size for path in paths) // BYTES_PER_TOKEN


def _missing(found: Found, shown: Windows, freshness: Freshness) -> Iterator[str]:
    query = found.ranking.query
    if query.cut:
        yield "the question was long: only its distinct lines and words were used"
    if found.asked.unknown:
        yield f"nothing is called {', '.join(found.asked.unknown)} here"
    if freshness.state == "stale":
        yield freshness.note or f"{freshness.stale} files have changed since they were indexed"
    changed = sum(1 for one in shown.excerpts if one.state == "changed")
    if changed:
        yield f"{changed} windows are of files that changed since they were indexed: read anew, their ranks may be off"
    if shown.left_out:
        yield f"{len(shown.left_out)} results are left out: their lines could not be verified"
    if shown.listed:
        yield f"{len(shown.listed)} further results are named without their text: the budget is used"
    if not found.pieces:
        yield "nothing was found: other words, or a name as the code writes it, may do better"
    yield from found.ranking.lacks
    yield from found.lacks


def _steps(found: Found, shown: Windows) -> Iterator[NextStep]:
    """Calls worth making, the most telling first."""
    cut = [one for one in shown.excerpts if not one.whole and one.text and not one.sent]
    for one in cut[:2]:
        piece = found.pieces[one.rank - 1]
        yield NextStep("the rest of it", "read", {"place": str(_place_of(one, piece))})
    for listed in shown.listed[:1]:
        yield NextStep("next best result", "read", {"place": str(listed.span)})
    for other in (one for one in found.fallbacks if one.kind == "question"):
        yield NextStep(f"other words: {other.note}".rstrip(": "), "search", {"query": other.text})
        break
    if found.asked.diff:
        yield NextStep("what the diff may break", "impact", {"diff": found.asked.diff})
    subject = next(iter(found.subjects), None)
    if subject is not None:
        place = f"{subject.path}:{subject.symbol.name_line}"
        yield NextStep(f"who is affected when {subject.symbol.name} changes", "impact", {"name": place})
    if not found.pieces:
        yield NextStep("what there is", "map", {})


def _place_of(one: Excerpt, piece: Piece) -> Span:
    """The whole passage of a window, where it stands now; a window that begins earlier shows more than the passage."""
    length = piece.span.end - piece.span.start
    start = piece.span.start if one.state == "verified" else one.span.start
    return Span(one.span.path, start, start + length)


def late(reason: str, what: str) -> str:
    """What an answer says of a part that there was no time for."""
    return f"{what} missing: {reason}"
