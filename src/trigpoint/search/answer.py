"""A ranking becomes a Pack: windows within the budget, what the answer lacks, and what to read next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from trigpoint.model import FAIR, HIGH, Freshness, Hit, Pack, PackedHit, Span, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.search.confidence import confidence
from trigpoint.search.fallback import fallbacks, recommended_reads
from trigpoint.search.pack import MODES, Room, covered, pack
from trigpoint.search.plan import Plan
from trigpoint.search.run import Ranking
from trigpoint.text.tokens import counter

READS = 5
LANGUAGES = 8
"""Names shown to who asked for a language that is not there."""


def answer(ranking: Ranking, plan: Plan, snapshot: Snapshot, freshness: Freshness, tokenizer: str) -> Pack:
    """The whole answer to a ranked question, its budget counted by a name that ``tokens.counter`` knows."""
    intent = ranking.intent
    mode = MODES[intent.packing]
    budget = plan.budget(intent)
    outlines = {**_outlines(ranking.hits, snapshot), **ranking.outlines} if mode.outline else {}
    sure = None if ranking.seen is None else confidence(ranking.seen)
    hits = pack(ranking.query, ranking.hits, Room(budget, mode, counter(tokenizer), outlines))
    return Pack(
        query=ranking.query,
        intent=intent.name,
        plan=ranking.plan or plan.name(intent),
        rationale=ranking.why or intent.asks,
        hits=hits,
        total=ranking.total,
        budget=budget,
        tokenizer=tokenizer,
        freshness=freshness,
        stages=ranking.stages,
        notes=tuple(_notes(ranking, hits, freshness, snapshot)),
        reads=tuple(_reads(hits)),
        confidence=sure,
        fallbacks=fallbacks(ranking.query, ranking.hits, snapshot)
        if sure is not None and sure < FAIR
        else (),
        recommended_reads=recommended_reads(ranking.hits) if sure is not None and sure < HIGH else (),
    )


def _outlines(hits: tuple[Hit, ...], snapshot: Snapshot) -> dict[str, tuple[StoredSymbol, ...]]:
    return {path: tuple(snapshot.symbols_of(path)) for path in dict.fromkeys(hit.chunk.path for hit in hits)}


def _notes(
    ranking: Ranking, hits: tuple[PackedHit, ...], freshness: Freshness, snapshot: Snapshot
) -> Iterator[str]:
    query = ranking.query
    if query.cut:
        yield "the question was long: only its distinct lines and words were used"
    if not (query.words or query.identifiers or query.paths or query.filters):
        yield "the question has no words to look for"
    if not hits and query.filters.paths and not _any_file(query.filters.paths, snapshot):
        yield f"no indexed file lies under {', '.join(query.filters.paths)}"
    if not hits and (asked := query.filters.languages):
        there = Counter(language for _, language, _ in snapshot.languages())
        if there.keys().isdisjoint(one.lower() for one in asked):
            most = ", ".join(name for name, _ in there.most_common(LANGUAGES))
            yield f"no indexed file is in {' or '.join(asked)}; most are in: {most}"
    shown = [one.window for one in hits if one.window is not None]
    listed = sum(1 for one in hits if one.window is None and not covered(one.hit, shown))
    if listed:
        yield f"{listed} of {len(hits)} results are listed without their text: the budget is used"
    for view, reason in snapshot.failures().items():
        yield f"answered without {_VIEWS[view]}: {reason}"
    yield from ranking.lacks
    if freshness.state == "stale":
        yield freshness.note or f"{freshness.stale} files have changed since they were indexed"


_VIEWS = {"lexical": "the word index", "symbols": "some symbols", "edges": "some edges"}


def _any_file(paths: tuple[str, ...], snapshot: Snapshot) -> bool:
    wanted = [path.replace("\\", "/").strip("/") for path in paths]
    return any(
        row.path == one or row.path.startswith(one + "/") for row in snapshot.files() for one in wanted
    )


def _reads(hits: tuple[PackedHit, ...]) -> Iterator[Span]:
    """Ranges worth opening next: of the best hits, what the answer does not hold whole."""
    for one in hits[:READS]:
        if one.window is None or one.window.span != one.hit.chunk.span:
            yield one.hit.chunk.span
