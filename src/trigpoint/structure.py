"""The questions of the Engine that walk the graph: who calls, what depends, what breaks, the map, the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypedDict, Unpack

if TYPE_CHECKING:
    from pathlib import Path

    from trigpoint.graph.ask import Wish
    from trigpoint.graph.drawing import Drawing, Wanted
    from trigpoint.graph.map import ProjectMap, Ranks
    from trigpoint.graph.relation import Change, Relation
    from trigpoint.model import Freshness
    from trigpoint.ports import Snapshot
    from trigpoint.sources.git_diff import FileDiff


class Wishes(TypedDict, total=False):
    """How an answer about structure is wanted; each may be left out."""

    depth: int | None  # most hops; None is that of the question
    guesses: bool  # show candidates below a confidence of .8 too, marked
    limit: int | None  # most rows; None is all of them
    update: bool  # bring changed files in first; on when left out


class Structure:
    """The part of the Engine that walks. Answers come whole; surfaces fit them to a token budget.

    Every method raises NotFoundError when nothing is indexed and ``update`` is off.
    """

    root: Path
    _ranked: tuple[int, Ranks] | None = None

    @property
    def _place(self) -> Path:
        """The folder of the index."""
        raise NotImplementedError

    def _current(self, *, update: bool) -> AbstractContextManager[tuple[Snapshot, Freshness]]:
        """One frozen state of the index, with ``update`` brought up to date first, and how it stands to the files."""
        raise NotImplementedError

    def callers(self, name: str, **wishes: Unpack[Wishes]) -> Relation:
        """Every place that calls what a name means, by file and line; a class is called by who makes one."""
        return self._walked("callers", name, wishes)

    def callees(self, name: str, **wishes: Unpack[Wishes]) -> Relation:
        """The definitions that are called by what a name means."""
        return self._walked("callees", name, wishes)

    def deps(self, name: str, **wishes: Unpack[Wishes]) -> Relation:
        """What a symbol or a file calls, inherits from, refers to and imports, two hops deep."""
        return self._walked("deps", name, wishes)

    def impact(self, name: str, **wishes: Unpack[Wishes]) -> Relation:
        """What uses a symbol or a file, three hops back: one row of each affected file before a second of any."""
        return self._walked("impact", name, wishes)

    def impact_of_diff(self, base: str = "HEAD", **wishes: Unpack[Wishes]) -> Relation:
        """The symbols that differ between a revision and the working tree, or in a range ``A..B``, and what they may break.

        Raises UsageError when ``base`` is no revision, SourceError when git cannot be asked.
        """
        from trigpoint.graph.ask import impact_of
        from trigpoint.sources.git_diff import difference

        def answer(snapshot: Snapshot, wish: Wish) -> Relation:
            found = difference(str(self.root), base)
            changes = [change for file in found.files for change in changes_in(file, snapshot)]
            made = impact_of(changes, f"--diff {base}", snapshot, wish)
            note = "the edges are those of the working tree, not of the end of the range"
            return made if found.tree else made._replace(notes=(note, *made.notes))

        return self._answered(answer, wishes)

    def path(self, first: str, last: str, **wishes: Unpack[Wishes]) -> Relation:
        """A shortest way from one symbol to another; the way back, and a note, when there is none."""
        from trigpoint.graph.ask import path

        return self._answered(lambda snapshot, wish: path(first, last, snapshot, wish), wishes)

    def map(self, paths: Sequence[str] = (), *, update: bool = True) -> ProjectMap:
        """The most central files and definitions; ``first(n)`` of it is a smaller map."""
        from trigpoint.graph.map import project_map

        with self._current(update=update) as (snapshot, freshness):
            chosen = _files_under(paths, snapshot) if paths else ()
            return project_map(snapshot, chosen, self._ranks(snapshot))._replace(freshness=freshness)

    def graph(self, wanted: Wanted | None = None, *, update: bool = True) -> Drawing:
        """Nodes, links, communities, hubs and bridges of the whole project, or of the files of ``wanted``."""
        from trigpoint.graph.drawing import Wanted, drawing

        asked = wanted or Wanted()
        with self._current(update=update) as (snapshot, freshness):
            if asked.paths is not None:
                asked = asked._replace(paths=_files_under(asked.paths, snapshot))
            return drawing(snapshot, asked, self._ranks(snapshot))._replace(freshness=freshness)

    def _ranks(self, snapshot: Snapshot) -> Ranks:
        """PageRank of the whole graph, kept for as long as nothing new is published: also for processes to come."""
        if self._ranked is None or self._ranked[0] != snapshot.generation:
            self._ranked = snapshot.generation, self._ranks_kept(snapshot)
        return self._ranked[1]

    def _ranks_kept(self, snapshot: Snapshot) -> Ranks:
        from trigpoint.graph.kept import as_bytes, from_bytes
        from trigpoint.graph.map import ranked
        from trigpoint.indexing.freshness import ROOT
        from trigpoint.stores.local import derived

        folder, state = self._place, f"{snapshot.generation} {snapshot.meta(ROOT)}"
        known = from_bytes(derived.load(folder, derived.RANKS, state))
        if known is None:
            known = ranked(snapshot)
            derived.save(folder, derived.RANKS, state, as_bytes(known))
        return known

    def walk_many(
        self, relation: str, names: Iterable[tuple[str, str]], **wishes: Unpack[Wishes]
    ) -> Iterator[tuple[str, Relation]]:
        """Answers to (id, name) pairs, one by one, all from one state of the index; ``relation`` is a key of RELATIONS."""
        from trigpoint.graph.ask import ask

        wish = _wish(wishes)
        with self._current(update=wishes.get("update", True)) as (snapshot, freshness):
            for known, name in names:
                yield known, ask(relation, name, snapshot, wish)._replace(freshness=freshness)

    def _walked(self, relation: str, name: str, wishes: Wishes) -> Relation:
        from trigpoint.graph.ask import ask

        return self._answered(lambda snapshot, wish: ask(relation, name, snapshot, wish), wishes)

    def _answered(self, answer: Callable[[Snapshot, Wish], Relation], wishes: Wishes) -> Relation:
        with self._current(update=wishes.get("update", True)) as (snapshot, freshness):
            return answer(snapshot, _wish(wishes))._replace(freshness=freshness)


def _files_under(paths: Iterable[str], snapshot: Snapshot) -> frozenset[str]:
    """The indexed files that are meant by files, folders and globs. Raises NotFoundError when there are none."""
    from trigpoint.errors import NotFoundError
    from trigpoint.stores.filters import matching_paths

    known = [row.path for row in snapshot.files()]
    found = frozenset(path for pattern in paths for path in matching_paths(pattern, known))
    if not found:
        raise NotFoundError(
            f"no indexed file lies under {', '.join(paths)}", "`trig status --files` says what is indexed"
        )
    return found


def changes_in(file: FileDiff, snapshot: Snapshot) -> Iterator[Change]:
    """The changed symbols of one file, those that are in the index as such."""
    from trigpoint.graph.changes import Side, touched
    from trigpoint.graph.relation import Change
    from trigpoint.indexing.record import outline_of
    from trigpoint.model import MODULE, Span

    before = (
        outline_of(file.before.text, file.before.language, file.before.path).symbols if file.before else ()
    )
    stored = snapshot.symbols_of(file.new) if file.new else ()
    after = (
        outline_of(file.after.text, file.after.language, file.after.path).symbols
        if file.after
        else [one.symbol for one in stored]
    )
    row = snapshot.file(file.new) if file.new else None
    untracked = not file.old and not file.added and file.after is None and row is not None
    lines = range(1, row.lines + 1) if untracked and row else file.added
    known = {(one.symbol.qualified, one.symbol.kind): one for one in reversed(stored)}
    for one in touched(Side(before, file.removed, bool(file.old)), Side(after, lines, bool(file.new))):
        path = file.new if one.place is not None else file.old
        symbol = known.get((one.name, one.kind)) if one.place is not None else None
        if one.place == MODULE and row is not None:
            symbol = next(iter(snapshot.nodes([snapshot.node(file.new, MODULE)])), None)
        elif one.place is not None and file.after is None:
            symbol = stored[one.place]
        yield Change(path, one.name, one.kind, one.how, Span(path, one.start, one.end), symbol)


def _wish(wishes: Wishes) -> Wish:
    from trigpoint.graph.ask import Wish

    return Wish(wishes.get("depth"), wishes.get("guesses", False), wishes.get("limit"))
