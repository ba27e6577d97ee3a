"""References, imports and symbols of many files become edges. Pure: what is read comes from a reader of facts.

Which languages can be linked, and how, is told by languages/linking.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from trigpoint.indexing.linking.affected import MOST_OF_A_NAME, affected
from trigpoint.indexing.linking.edges import edges_of
from trigpoint.indexing.linking.resolver import Finder, Loader, Resolver
from trigpoint.indexing.versions import EDGES as VERSION
from trigpoint.languages.expressions import forget
from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import family, linking
from trigpoint.model import Edge, Outline
from trigpoint.ports import Snapshot

Fault = Callable[[str, Exception], None]
"""Told of a file whose edges could not be found; it costs its own edges only."""

MANY = 1_000
"""Files of one family that are held at once, up to 90 kB each: beyond, all are let go, and read again when they are needed.
Of a family of more than 8 times as many a larger part is held, since its rules are made anew each time.
"""

__all__ = ["VERSION", "Fault", "edges_after", "link"]


def edges_after(
    before: Snapshot, after: Snapshot, changed: Collection[str] | None, fault: Fault | None = None
) -> Iterator[tuple[str, list[Edge]]]:
    """The edges of the files that must be linked again when ``changed`` ones were written or deleted; None links all.

    Each path that comes has new edges, perhaps none; the edges of all others are as they were.
    """
    languages: dict[str, str] = {}
    marks: dict[str, frozenset[str]] = {}
    for path, language, marked in after.languages():
        languages[path], marks[path] = language, marked
    wanted = None
    if changed is not None:
        gone = {
            path: row.language for path in changed if not languages.get(path) and (row := before.file(path))
        }
        wanted = affected(before, after, changed, {**languages, **gone})

    def load(path: str) -> tuple[str, frozenset[str], Outline] | None:
        outline = after.outline_of(path)
        return (languages[path], marks[path], outline) if outline is not None else None

    def find(name: str) -> list[tuple[str, int, str]]:
        return [
            (one.path, one.index, one.symbol.kind) for one in after.symbols_named(name, limit=MOST_OF_A_NAME)
        ]

    yield from link(languages, load, after.text, wanted, find, fault)


def link(
    files: Mapping[str, str],
    load: Loader,
    text: Callable[[str], str],
    wanted: Iterable[str] | None = None,
    find: Finder | None = None,
    fault: Fault | None = None,
    many: int = MANY,
) -> Iterator[tuple[str, list[Edge]]]:
    """The edges that leave each of the ``wanted`` files (all when None), file by file, sorted within a family.

    ``files`` gives the language of every file of the tree, also of those that are not wanted: they may be reached.
    ``find`` names the symbols of a name, for when few are wanted. Without ``fault`` a fault of the rules is raised.
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
            project = Resolver(linking(folder), paths, load, text, find if chosen is not None else None)
            project.sparing, since = len(paths) > most, 0
            for number, path in enumerate(todo):
                if project.holds > most and number - since > most // 2:
                    project, since = project.renewed(), number
                    forget()
                facts = project.facts(path)
                if facts is not None:
                    yield path, _edges(project, facts, fault)
                    facts.forget_uses()
            project.close()
            forget()


def _edges(project: Resolver, facts: Facts, fault: Fault | None) -> list[Edge]:
    try:
        return edges_of(project, facts)
    except Exception as error:  # whatever rules do wrong with one odd file, the others are linked
        if fault is None:
            raise
        fault(facts.path, error)
        return []
