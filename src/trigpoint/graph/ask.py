"""The questions about structure: a name in, a Relation out. One row of RELATIONS says what each of them walks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from trigpoint.graph.names import Meant, meant
from trigpoint.graph.outlined import unread
from trigpoint.graph.relation import CERTAIN, Affected, Change, Relation, Row, Site
from trigpoint.graph.unresolved import unresolved
from trigpoint.graph.walk import Reach, Step, Walk, shortest, walk, within
from trigpoint.model import StoredEdge, StoredSymbol
from trigpoint.ports import Snapshot

MOST_TARGETS = 50
"""Definitions of one bare name that are walked from; of more, the question must be made closer."""

LINE_LIMIT = 160
"""Characters of a line that are shown beside its place."""

MORE_SITES = 3
"""Sites that are shown with the text of their line where a row has several."""


class Kind(NamedTuple):
    """What one question walks, and how its rows are made."""

    kinds: tuple[str, ...]
    backward: bool
    hops: int  # when no depth is given
    each_site: bool = False  # a row for each place of use, else one for each symbol
    breadth: bool = False  # one row of each file before a second of any
    uses: bool = False  # say how many uses of the name lead nowhere


RELATIONS: Mapping[str, Kind] = {
    "callers": Kind(("calls",), backward=True, hops=1, each_site=True, uses=True),
    "callees": Kind(("calls",), backward=False, hops=1),
    "deps": Kind(("calls", "inherits", "implements", "references", "imports"), backward=False, hops=2),
    "impact": Kind(
        ("calls", "inherits", "implements", "tests", "references", "imports"),
        backward=True, hops=3, breadth=True, uses=True,
    ),
}  # fmt: skip
"""The questions by name."""

PATH_KINDS = ("calls", "inherits", "implements", "references", "imports")


class Wish(NamedTuple):
    """How an answer is wanted."""

    depth: int | None = None
    guesses: bool = False
    limit: int | None = None

    @property
    def least(self) -> float:
        """The least confidence that is shown."""
        return 0.0 if self.guesses else CERTAIN


def ask(relation: str, name: str, snapshot: Snapshot, wish: Wish) -> Relation:
    """The answer to one of RELATIONS about a name or a file."""
    kind = RELATIONS[relation]
    found = meant(name, snapshot)
    chosen, notes = _chosen(found)
    if not chosen:
        empty = Relation(name, relation, (), (), 0, notes=(f"nothing is called {name.strip()!r} here",))
        return empty._replace(unresolved=unresolved(name, (), snapshot)) if kind.uses else empty
    reach = Reach(kind.kinds, kind.backward, wish.depth or kind.hops, wish.least, loops=kind.hops == 1)
    around = relation in ("deps", "impact") or not kind.backward
    seeds = within(snapshot, chosen) if around else _made_by(snapshot, chosen)
    went = walk(snapshot, seeds, reach)
    rows = rows_of(went, kind, snapshot)
    answer = Relation(
        asked=name,
        relation=relation,
        targets=chosen,
        rows=with_text(rows[: wish.limit], snapshot),
        total=len(rows),
        hidden=0 if wish.guesses else hidden(snapshot, seeds, reach),
        notes=(*notes, *unread(chosen, snapshot), *said_of(went, reach)),
    )
    if kind.breadth:
        answer = answer._replace(affected=affected(rows))
    return (
        answer._replace(unresolved=unresolved(name, chosen, snapshot))
        if kind.uses and not found.file
        else answer
    )


def impact_of(changes: Sequence[Change], asked: str, snapshot: Snapshot, wish: Wish) -> Relation:
    """What the changed symbols may break; the changed symbols themselves are no rows."""
    kind = RELATIONS["impact"]
    seeds = [one.symbol.id for one in changes if one.symbol is not None and one.how != "added"]
    fresh = [one.symbol.id for one in changes if one.symbol is not None and one.how == "added"]
    reach = Reach(kind.kinds, kind.backward, wish.depth or kind.hops, wish.least)
    went = walk(snapshot, [*seeds, *fresh], reach)
    rows = rows_of(went, kind, snapshot)
    answer = Relation(
        asked, "impact", (), with_text(rows[: wish.limit], snapshot), len(rows), changes=tuple(changes)
    )
    return answer._replace(
        hidden=0 if wish.guesses else hidden(snapshot, seeds, reach),
        affected=affected(rows),
        notes=(*_still_named(changes, snapshot), *said_of(went, reach)),
    )


def affected(rows: Sequence[Row]) -> Affected:
    """How many symbols and files the rows are about, and which tests."""
    return Affected(
        symbols=len({row.symbol.id for row in rows}),
        files=len({row.symbol.path for row in rows}),
        tests=tuple(sorted({row.symbol.path for row in rows if row.test})),
    )


def _still_named(changes: Sequence[Change], snapshot: Snapshot) -> Iterator[str]:
    """Deleted names that are still called somewhere."""
    gone = [one for one in changes if one.how == "deleted" and one.name][:DELETED_LOOKED_AT]
    for one in gone:
        name = one.name.rpartition(".")[2]
        left = unresolved(name, (), snapshot)
        if left.uses:
            places = ", ".join(f"{site.path}:{site.line}" for site in left.sites)
            yield f"{one.name} is deleted, and a call of {name} leads nowhere now: {places}"


DELETED_LOOKED_AT = 20
"""Deleted symbols whose names are looked for."""


def _chosen(found: Meant) -> tuple[tuple[StoredSymbol, ...], list[str]]:
    notes = [found.note] if found.note else []
    count = len(found.symbols)
    if count > 1:
        notes.append(
            f"{count:,} definitions are meant: qualify the name, or write PATH#NAME or PATH:LINE, for one of them"
        )
    if count > MOST_TARGETS:
        notes.append(f"only the first {MOST_TARGETS} of them were followed")
    return found.symbols[:MOST_TARGETS], notes


CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor", "__construct", "initialize", "init"})


def _made_by(snapshot: Snapshot, chosen: Sequence[StoredSymbol]) -> list[int]:
    """The symbols, and of a type its constructors: who calls either makes one."""
    seeds = dict.fromkeys(one.id for one in chosen)
    types = [one.id for one in chosen if one.symbol.kind in ("class", "struct", "record", "enum")]
    inside = (
        snapshot.nodes([edge.target for edge in snapshot.edges_from(types, ("contains",))]) if types else ()
    )
    owners = {one.id: one.symbol.name for one in chosen}
    for one in inside:
        if (
            one.symbol.name in CONSTRUCTORS
            or one.symbol.kind == "constructor"
            or one.symbol.name in owners.values()
        ):
            seeds[one.id] = None
    return list(seeds)


def hidden(snapshot: Snapshot, seeds: Sequence[int], reach: Reach) -> int:
    """Neighbours that only edges below the least confidence reach."""
    read = snapshot.edges_to if reach.backward else snapshot.edges_from
    ends = [
        (edge.source if reach.backward else edge.target, edge.confidence) for edge in read(seeds, reach.kinds)
    ]
    sure = {end for end, confidence in ends if confidence >= reach.least}
    return len({end for end, _ in ends} - sure - set(seeds))


def said_of(went: Walk, reach: Reach) -> Iterator[str]:
    """What a walk left out."""
    if went.more and reach.hops > 1:
        yield f"cut at depth {reach.hops}: there is more beyond"
    for hub in went.hubs:
        yield f"{hub.symbol.qualified} has more than {reach.fan} neighbours: only the first {reach.fan} were followed"


# rows


def rows_of(went: Walk, kind: Kind, snapshot: Snapshot) -> list[Row]:
    """The rows of a walk in the order in which they are shown, without the text of their lines."""
    near = {one.id: one for one in snapshot.nodes(sorted({step.near for step in went.steps}))}
    tests = _Tests(snapshot)
    origins: dict[int, StoredSymbol] = {}
    rows: list[Row] = []
    for step in went.steps:
        origins[step.symbol.id] = origin = origins.get(step.near, near[step.near])
        made = _rows(step, near[step.near], kind, test=tests.holds(step.symbol.path))
        rows += (row._replace(origin=origin) for row in made)
    if kind.each_site:
        return sorted(rows, key=_by_site)
    rows.sort(key=_standing)
    return breadth_first(rows) if kind.breadth else rows


def _by_site(row: Row) -> tuple[int, bool, bool, str, int, int]:
    """Nearest first; within a hop real uses before imports, code before tests, then as the code stands."""
    return row.hop, row.kind == "imports", row.test, row.symbol.path, row.line, row.sites[0].column


def _standing(row: Row) -> tuple[int, bool, bool, float, str, int]:
    """Nearest first; within a hop real uses before imports, code before tests, the surest first."""
    return (
        row.hop,
        row.kind == "imports",
        row.test,
        -row.confidence,
        row.symbol.path,
        row.symbol.symbol.name_line,
    )


def breadth_first(rows: Iterable[Row]) -> list[Row]:
    """One row of each file before a second of any; otherwise in the order given."""
    seen: dict[str, int] = {}
    numbered = []
    for row in rows:
        seen[row.symbol.path] = number = seen.get(row.symbol.path, 0) + 1
        numbered.append((number > 1, row))
    return [row for _, row in sorted(numbered, key=lambda item: item[0])]


def _rows(step: Step, near: StoredSymbol, kind: Kind, *, test: bool) -> Iterator[Row]:
    source = step.symbol if kind.backward else near
    edges = step.edges if kind.each_site else [edge for edge in step.edges if edge.kind == step.edge.kind]
    if kind.each_site:
        for edge in edges:
            sure = min(step.sure, edge.confidence) if step.hop > 1 else edge.confidence
            yield Row(
                step.symbol,
                step.hop,
                edge.kind,
                near,
                (_site(source, edge),),
                sure,
                edge.resolved_by,
                edge.line,
                test,
            )
        return
    sites = tuple(_site(source, edge) for edge in sorted(edges, key=lambda one: (one.line, one.column)))
    line = _line(step.symbol, sites)
    yield Row(
        step.symbol, step.hop, step.edge.kind, near, sites, step.sure, step.edge.resolved_by, line, test
    )


def _line(symbol: StoredSymbol, sites: Sequence[Site]) -> int:
    """The line of the name; of the top of a file that of the use in it."""
    used = symbol.symbol.kind == "file" and sites[0].path == symbol.path
    return sites[0].line if used else symbol.symbol.name_line


def _site(source: StoredSymbol, edge: StoredEdge) -> Site:
    return Site(source.path, edge.line, edge.column)


class _Tests:
    """Which files are tests, asked once each."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[str, bool] = {}

    def holds(self, path: str) -> bool:
        if path not in self._known:
            row = self._snapshot.file(path)
            self._known[path] = row is not None and "test" in row.marks
        return self._known[path]


def with_text(rows: Iterable[Row], snapshot: Snapshot) -> tuple[Row, ...]:
    """The rows with the text of their first sites' lines."""
    lines: dict[str, list[str]] = {}

    def text_of(site: Site) -> str:
        if site.path not in lines:
            lines[site.path] = snapshot.text(site.path).split("\n")
        own = lines[site.path]
        return own[site.line - 1].strip()[:LINE_LIMIT] if 0 < site.line <= len(own) else ""

    return tuple(
        row._replace(
            sites=tuple(site._replace(text=text_of(site)) for site in row.sites[:MORE_SITES])
            + row.sites[MORE_SITES:]
        )
        for row in rows
    )


# ways


def path(first: str, last: str, snapshot: Snapshot, wish: Wish) -> Relation:
    """A shortest way from one symbol to another along calls, inheritance, references and imports; else the way back."""
    asked = f"{first} -> {last}"
    ends = [_chosen(meant(name, snapshot)) for name in (first, last)]
    for name, (chosen, _) in zip((first, last), ends, strict=True):
        if not chosen:
            return Relation(asked, "path", (), (), 0, notes=(f"nothing is called {name.strip()!r} here",))
    targets = ends[0][0] + ends[1][0]
    starts, goals = (within(snapshot, chosen) for chosen, _ in ends)
    reach = Reach(PATH_KINDS, least=wish.least)
    notes = [*ends[0][1], *ends[1][1]]
    way = shortest(snapshot, starts, goals, reach)
    if way is None:
        way = shortest(snapshot, goals, starts, reach)
        notes.append("there is no way in this direction" + (": this is the way back" * (way is not None)))
    rows = _way_rows(way or (), snapshot)
    return Relation(asked, "path", targets, with_text(rows, snapshot), len(rows), notes=tuple(notes))


def _way_rows(way: Sequence[StoredEdge], snapshot: Snapshot) -> list[Row]:
    known = {
        one.id: one
        for one in snapshot.nodes(list({node for edge in way for node in (edge.source, edge.target)}))
    }
    tests = _Tests(snapshot)
    rows: list[Row] = []
    sure = 1.0
    for hop, edge in enumerate(way, 1):
        source, target = known[edge.source], known[edge.target]
        sure = min(sure, edge.confidence)
        site = (_site(source, edge),)
        line, test = target.symbol.name_line, tests.holds(target.path)
        rows.append(Row(target, hop, edge.kind, source, site, sure, edge.resolved_by, line, test))
    return rows
