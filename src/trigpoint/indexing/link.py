"""References, imports and symbols of many files become edges. Pure: what is read comes from a reader of facts.

Which languages can be linked, and how, is told by languages/linking.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from trigpoint.indexing.linking.affected import MOST_OF_A_NAME, NO_CODE, affected, too_many
from trigpoint.indexing.linking.edges import edges_of
from trigpoint.indexing.linking.kept import Kept, kept
from trigpoint.indexing.linking.resolver import Finder, Loader, Names, Resolver
from trigpoint.indexing.versions import EDGES as VERSION
from trigpoint.languages.expressions import forget
from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import family, linking
from trigpoint.model import Edge, Outline
from trigpoint.ports import Link, Snapshot

Fault = Callable[[str, Exception], None]
"""Told of a file whose edges could not be found; it costs its own edges only."""

MANY = 1_000
"""Files of one family that are held at once, up to 90 kB each: beyond, all are let go, and read again when they are needed.
Of a family of more than 8 times as many a larger part is held, since its rules are made anew each time.
"""

__all__ = ["VERSION", "Fault", "Linked", "Relinking", "link"]


class Linked(NamedTuple):
    """The edges that leave a file: those made anew, and those that it had before."""

    path: str
    edges: Sequence[Edge]
    kept: Sequence[Link] = ()


class Relinking:
    """What must be linked again when ``changed`` files were written or deleted; None links all.

    The edges of files that it does not name are as they were.
    """

    def __init__(
        self,
        before: Snapshot,
        after: Snapshot,
        changed: Collection[str] | None,
        unlinked: Collection[str] = (),
    ) -> None:
        """``unlinked`` are files whose edges could not be found last time."""
        self._after = after
        self._languages: dict[str, str] = {}
        self._marks: dict[str, frozenset[str]] = {}
        for path, language, marked in after.languages():
            self._languages[path], self._marks[path] = language, marked
        self._wanted: frozenset[str] | None = None
        self._parts: dict[str, tuple[frozenset[int], Sequence[Link]]] = {}
        self.whole: list[Linked] = []
        """Changed files all of whose edges hold: nothing of them is linked again."""
        if changed is not None:
            self._plan(before, changed, unlinked)

    @property
    def files(self) -> int:
        """How many files are linked again, at most."""
        return len(self._languages) if self._wanted is None else len(self._wanted)

    def _plan(self, before: Snapshot, changed: Collection[str], unlinked: Collection[str]) -> None:
        gone = [path for path in changed if not self._languages.get(path)]
        languages = self._languages | {path: row.language for path in gone if (row := before.file(path))}
        if too_many(changed, languages):
            return
        holding = self._holding(before, [path for path in changed if path not in unlinked])
        wanted = affected(before, self._after, set(changed) - holding.keys(), languages)
        if wanted is None:
            return
        parts = {path: one for path, one in holding.items() if path not in wanted}
        self._wanted = wanted
        for path, one in parts.items():
            links = one.moved(before.links_of(path))
            if links is None:
                self._wanted |= {path}
            elif one.again:
                self._parts[path] = one.again, links
            else:
                self.whole.append(Linked(path, (), links))
        self._wanted |= self._parts.keys()

    def _holding(self, before: Snapshot, changed: Iterable[str]) -> dict[str, Kept]:
        """The changed files of whose edges some hold, unless those of others do not."""
        after = self._after
        found: dict[str, Kept] = {}
        for path in changed:
            folder = family(self._languages.get(path, ""))
            old = before.said(path) if folder not in NO_CODE else None
            new = after.said(path) if old is not None else None
            if old is not None and new is not None:
                texts = partial(_both, before, after, path)
                if (one := kept(old, new, texts, linking(folder))) is not None:
                    found[path] = one
        return found

    def edges(self, fault: Fault | None = None) -> Iterator[Linked]:
        """The edges of each file that is linked again, perhaps none."""
        after, failed = self._after, set()

        def load(path: str) -> tuple[str, frozenset[str], Outline] | None:
            outline = after.outline_of(path)
            return (self._languages[path], self._marks[path], outline) if outline is not None else None

        def find(name: str) -> Sequence[tuple[str, int, str]]:
            return after.places(name, MOST_OF_A_NAME)

        def tell(path: str, error: Exception) -> None:
            failed.add(path)
            if fault is None:
                raise error
            fault(path, error)

        scopes = {path: again for path, (again, _) in self._parts.items()}
        made = link(
            self._languages,
            load,
            after.text,
            self._wanted,
            find,
            tell,
            scopes=scopes,
            names=after.names_in,
        )
        for path, edges in made:
            links = self._parts[path][1] if path in self._parts and path not in failed else ()
            yield Linked(path, edges, links)


def _both(before: Snapshot, after: Snapshot, path: str) -> tuple[str, str]:
    return before.text(path), after.text(path)


def link(
    files: Mapping[str, str],
    load: Loader,
    text: Callable[[str], str],
    wanted: Iterable[str] | None = None,
    find: Finder | None = None,
    fault: Fault | None = None,
    many: int = MANY,
    scopes: Mapping[str, Collection[int]] | None = None,
    names: Names | None = None,
) -> Iterator[tuple[str, list[Edge]]]:
    """The edges that leave each of the ``wanted`` files (all when None), file by file, sorted within a family.

    ``files`` gives the language of every file of the tree, also of those that are not wanted: they may be reached.
    ``find`` names the symbols of a name, for when few are wanted. Without ``fault`` a fault of the rules is raised.
    Of a file in ``scopes`` only the edges that leave these are made. ``names`` tells the names of a file's symbols.
    """
    families: dict[str, list[str]] = {}
    for path, language in files.items():
        if folder := family(language):
            families.setdefault(folder, []).append(path)
    chosen = set(wanted) if wanted is not None else None
    for folder in sorted(families):
        paths = sorted(families[folder])
        todo = paths if chosen is None else [path for path in paths if path in chosen]
        if todo:
            most = max(many, len(paths) // 8)
            project = Resolver(
                linking(folder), paths, load, text, find if chosen is not None else None, names
            )
            since = 0
            for number, path in enumerate(todo):
                if project.holds > most and number - since > most // 2:
                    project, since = project.renewed(), number
                    forget()
                facts = project.facts(path)
                if facts is not None:
                    yield path, _edges(project, facts, fault, (scopes or {}).get(path))
                    facts.forget_uses()
            project.close()
            forget()


def _edges(
    project: Resolver, facts: Facts, fault: Fault | None, scopes: Collection[int] | None
) -> list[Edge]:
    try:
        return edges_of(project, facts, scopes)
    except Exception as error:  # whatever rules do wrong with one odd file, the others are linked
        if fault is None:
            raise
        fault(facts.path, error)
        return []
