"""The flow: question -> intent -> legs -> fusion -> signals -> saturation -> hits. It reads as its diagram."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from trigpoint.errors import StoreDamagedError
from trigpoint.graph.names import meant
from trigpoint.model import Evidence, Filters, Hit, Query, Scored, Stage, StoredChunk, StoredSymbol
from trigpoint.ports import Snapshot
from trigpoint.search.arrange import ORDERS
from trigpoint.search.confidence import Seen, seen_of
from trigpoint.search.fuse import FUSIONS
from trigpoint.search.intents import Intent, rows_for
from trigpoint.search.legs import alias, graph, lexical, listing, path, symbol, vector
from trigpoint.search.pack import MODES
from trigpoint.search.plan import Plan
from trigpoint.search.ranking import Candidates, Vote
from trigpoint.search.rerank import Rerank, rerank
from trigpoint.search.saturate import saturate
from trigpoint.search.signals import SIGNALS, Facts, Signal, apply, weighed
from trigpoint.search.words import Words, held, words_of

Clock = Callable[[], float]
"""Seconds; handed in, so that the flow itself has no clock."""


class Ranking(NamedTuple):
    """The ranked hits, and how they were found."""

    query: Query
    intent: Intent
    hits: tuple[Hit, ...]
    total: int
    stages: tuple[Stage, ...]
    lacks: tuple[str, ...] = ()  # what the walk left out or could not resolve
    outlines: Mapping[str, tuple[StoredSymbol, ...]] = {}  # what a map shows of each file
    plan: str = ""  # of a pipeline that was asked for by name: what ran,
    why: str = ""  # and why
    seen: Seen | None = (
        None  # what the ranking shows of itself; None where no first result can be right or wrong
    )


class _Legs:
    """What the legs found, by leg."""

    def __init__(self, intent: Intent, subject: str, seeds: tuple[StoredSymbol, ...]) -> None:
        self.intent = intent
        self.subject = subject
        self.seeds = seeds  # definitions of the subject
        self.walked = graph.Found()
        self.lexical: tuple[Scored, ...] = ()
        self.definitions: list[symbol.Match] = []
        self.files: list[path.PathMatch] = []
        self.defines: dict[int, float] = {}
        self.means: dict[int, float] = {}  # by the alias leg, where nothing is defined under the name itself
        self.named: dict[int, StoredSymbol] = {}
        self.known: dict[int, StoredChunk] = {}  # without their texts
        self.damaged: list[str] = []

    def chunks(self, ids: Sequence[int], snapshot: Snapshot) -> list[StoredChunk]:
        """Chunks by id, in the order asked, each read once."""
        new = [one for one in ids if one not in self.known]
        self.known.update((one.id, one) for one in snapshot.chunks(new, text=False))
        return [self.known[one] for one in ids if one in self.known]


class _Timer:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.stages: list[Stage] = []

    @contextmanager
    def stage(self, name: str) -> Iterator[list[str]]:
        began = self.clock()
        detail: list[str] = []
        yield detail
        self.stages.append(Stage(name, ", ".join(detail), (self.clock() - began) * 1000.0))


def search(
    query: Query, snapshot: Snapshot, plan: Plan, clock: Clock, signals: Sequence[Signal] = SIGNALS
) -> Ranking:
    """The hits of one snapshot, best first, as many as the plan allows."""
    timer = _Timer(clock)
    intent, found = _chosen(query, snapshot)
    with timer.stage("legs") as detail:
        listed = listing.is_listing(query)
        legs = (("listing", 1.0),) if listed else intent.legs
        votes = [_vote(leg, weight, query, snapshot, found, plan) for leg, weight in legs if plan.runs(leg)]
        detail += [f"{vote.leg} {len(vote.ranking)}" for vote in votes]
    with timer.stage("fuse") as detail:
        evidence = FUSIONS[intent.fusion](votes, plan.rrf_k)
        known = found.chunks(list(evidence), snapshot)
        chunks = {one.id: one for one in known if not one.marks & query.refuses}
        state = Candidates(query, chunks, {one: evidence[one] for one in chunks})
        detail.append(f"{len(state.evidence)} chunks")
    with timer.stage("signals"):
        words = words_of(query, snapshot)
        facts = Facts(
            query=query,
            lexical={one.chunk: one.score for one in found.lexical},
            files={one.path: one.score for one in found.files},
            defines=found.defines,
            words=words,
            near=_near(intent, state, plan),
            means=found.means,
            boosts=_boosts(plan, state, snapshot),
            held=_held(intent, state, words, snapshot),
        )
        apply(state, facts, weighed(signals, dict(intent.signals)))
    lacks = _reread(state, snapshot, plan.rereading(intent), timer)
    with timer.stage("order"):
        order, copies = saturate(state, len(state.evidence), intent.repeat)
        fitted = not (listed or intent.walk or plan.rereading(intent))
        seen = seen_of(state, order, intent.name, facts.near, facts.words.unknown) if fitted else None
        order = ORDERS[MODES[intent.packing].order](order, found.walked.hops, state.chunks)
        order = order[: plan.hits(intent)]
        if intent.subject and found.walked.ranking:
            order = order[: len(found.walked.hops) + BESIDE]
        hits = tuple(
            Hit(
                stored,
                _evidence(state, stored.id),
                found.walked.lines.get(stored.id, stored.chunk.start),
                copies.get(stored.id, ()),
                found.walked.symbols.get(stored.id) or found.named.get(stored.id),
            )
            for stored in snapshot.chunks(order)
        )
    walked = found.walked
    return Ranking(
        query,
        intent,
        hits,
        len(state.evidence),
        tuple(timer.stages),
        (*found.damaged, *walked.lacks, *plan.unseen(intent), *lacks),
        walked.outlines,
        f"filters/{plan.tier}: listing" if listed else plan.name(intent),
        "what passes the filters, by path" if listed else "",
        seen,
    )


def _reread(state: Candidates, snapshot: Snapshot, plan: Rerank | None, timer: _Timer) -> tuple[str, ...]:
    """The stage of the model that reads the best results again; says why it has not."""
    if plan is None:
        return ()
    with timer.stage("rerank") as detail:
        why = rerank(state, plan, snapshot, timer.clock)
        detail.append(why or f"{plan.model.name} over {min(plan.top, len(state.evidence))}")
    return (why,) if why else ()


def _chosen(query: Query, snapshot: Snapshot) -> tuple[Intent, _Legs]:
    """The first row that matches; one about a subject only where that is defined here."""
    for row in rows_for(query):
        if not row.subject:
            return row, _Legs(row, "", ())
        name = row.about(query)
        seeds = [one for one in meant(name, snapshot).symbols if one.symbol.kind not in PROSE]
        if seeds:
            return row, _Legs(row, name, tuple(seeds[:SEEDS]))
    raise LookupError("the last row matches every question")


PROSE = frozenset({"section", "key", "heading", "element", "table"})
"""Kinds that nothing calls or uses: a question about them is one about their words."""
BESIDE = 5
"""Hits that no walk has led to, after those that one has, where a question is about the edges of a name."""
SEEDS = 20
"""Definitions of a subject that are walked from."""
SEED_SCORE = 0.45
"""How well a definition must be named to be walked from, where the question has no subject of its own."""


def _vote(leg: str, weight: float, query: Query, snapshot: Snapshot, found: _Legs, plan: Plan) -> Vote:
    """What a leg says; one whose part of the index is damaged says nothing, and the others go on."""
    try:
        return Vote(leg, weight, *LEGS[leg](query, snapshot, found, plan))
    except StoreDamagedError as error:
        found.damaged.append(f"answered without the {leg} leg: {error.message}; `trig doctor --repair`")
        return Vote(leg, weight, (), {})


_Answer = tuple[tuple[Scored, ...], dict[int, str]]


def _lexical(query: Query, snapshot: Snapshot, found: _Legs, plan: Plan) -> _Answer:
    if not found.lexical:
        found.lexical = lexical.rank(query, snapshot, plan.work.depth)
    return found.lexical, {}


def _symbol(query: Query, snapshot: Snapshot, found: _Legs, plan: Plan) -> _Answer:
    found.definitions = symbol.matches(query, snapshot, coverage=plan.work.coverage)[: plan.work.depth]
    ranking, notes, found.named = symbol.rank(found.definitions, snapshot)
    ranking, notes = _passing(ranking, notes, query, snapshot)
    found.defines = {one.chunk: one.score for one in ranking}
    if kinds := query.filters.kinds:  # what is not of the kind asked for is not what the hit is there for
        found.named = {chunk: one for chunk, one in found.named.items() if one.symbol.kind in kinds}
    return ranking, notes


def _path(query: Query, snapshot: Snapshot, found: _Legs, plan: Plan) -> _Answer:
    """Each file votes with its best chunk by BM25, or with its first."""
    found.files = path.matches(query, snapshot)
    hits = _lexical(query, snapshot, found, plan)[0]
    best: dict[str, int] = {}
    for stored in found.chunks([one.chunk for one in hits], snapshot):  # in the order of the hits
        best.setdefault(stored.path, stored.id)
    files = found.files[: plan.work.path_files]
    best |= snapshot.first_chunks([match.path for match in files if match.path not in best])
    ranking = tuple(Scored(best[match.path], match.score) for match in files if match.path in best)
    notes = {best[match.path]: match.note for match in files if match.path in best}
    return _passing(ranking, notes, query, snapshot)


def _passing(ranking: tuple[Scored, ...], notes: dict[int, str], query: Query, snapshot: Snapshot) -> _Answer:
    if not query.filters:
        return ranking, notes
    kept = snapshot.passing([one.chunk for one in ranking], query.filters)
    return tuple(one for one in ranking if one.chunk in kept), notes


def _alias(query: Query, snapshot: Snapshot, found: _Legs, plan: Plan) -> _Answer:
    ranking, notes = alias.rank(query, snapshot, (found.subject,) if found.subject else ())
    if found.intent.walk is None and max(found.defines.values(), default=0.0) < 1.0:
        found.means = {one.chunk: one.score for one in ranking if one.score == alias.MEANT}
    return _passing(ranking, notes, query, snapshot)


def _graph(query: Query, snapshot: Snapshot, found: _Legs, plan: Plan) -> _Answer:
    """Along the way of the row, from its subject, else from the definitions that the symbol leg has found."""
    way = plan.way(found.intent)
    if way is None:
        return (), {}
    seeds = found.seeds or tuple(_named_code(found.definitions, snapshot))
    most = max(plan.hits(found.intent), found.intent.symbols)
    found.walked = graph.rank(seeds, way, snapshot, most, plan.ranks)
    return _passing(found.walked.ranking, dict(found.walked.notes), query, snapshot)


def _named_code(definitions: Sequence[symbol.Match], snapshot: Snapshot) -> Iterator[StoredSymbol]:
    """The well-named definitions that are no tests: what a question about tests is about."""
    for one in definitions[:SEEDS]:
        row = snapshot.file(one.symbol.path)
        if one.score >= SEED_SCORE and row is not None and "test" not in row.marks:
            yield one.symbol


def _near(intent: Intent, state: Candidates, plan: Plan) -> Mapping[int, float]:
    """How near in meaning each candidate is, where the row asks the vectors."""
    asks = any(leg == "vector" for leg, _ in intent.legs)
    return vector.near(state.query, plan.seeing, list(state.evidence)) if asks else {}


def _held(
    intent: Intent, state: Candidates, words: Words, snapshot: Snapshot
) -> Mapping[int, frozenset[str]]:
    """Which words stand in the text of each candidate, where the row weighs that: reading 200 texts takes 4 ms."""
    if not dict(intent.signals).get("covered"):
        return {}
    return held({one.id: one.chunk.text for one in snapshot.chunks(list(state.evidence))}, words)


def _listing(query: Query, snapshot: Snapshot, found: _Legs, plan: Plan) -> _Answer:
    ranking, found.named = listing.rank(query, snapshot)
    return ranking, {}


def _boosts(plan: Plan, state: Candidates, snapshot: Snapshot) -> Mapping[int, tuple[float, str]]:
    """What the settings add to candidates by their path, the last pattern that fits; and which one that is."""
    found: dict[int, tuple[float, str]] = {}
    for pattern, value in plan.boosts:
        only = Filters(paths=(pattern,))
        found.update(
            (one, (value, pattern)) for one in state.evidence if snapshot.passes(state.chunks[one], only)
        )
    return found


def _vector(query: Query, snapshot: Snapshot, found: _Legs, plan: Plan) -> _Answer:
    near = vector.rank(query, snapshot, plan.seeing, plan.work.nearest)
    return tuple(one for one in near if one.score >= plan.similarity), {}


LEGS: dict[str, Callable[[Query, Snapshot, _Legs, Plan], _Answer]] = {
    "lexical": _lexical,
    "listing": _listing,
    "symbol": _symbol,
    "path": _path,
    "alias": _alias,
    "graph": _graph,
    "vector": _vector,
}
"""The legs by their name in the intent table."""


def _evidence(state: Candidates, chunk: int) -> tuple[Evidence, ...]:
    return tuple(sorted(state.evidence[chunk], key=lambda one: -abs(one.value)))
