"""References, imports and symbols of many files become edges. Pure: what is read comes from a reader of facts.

Which languages can be linked, and how, is told by languages/linking.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from trigpoint.indexing.linking.edges import edges_of
from trigpoint.indexing.linking.resolver import Loader, Resolver
from trigpoint.languages.linking import family, linking
from trigpoint.model import Edge


def link(
    files: Mapping[str, str], load: Loader, text: Callable[[str], str], wanted: Iterable[str] | None = None
) -> Iterator[tuple[str, list[Edge]]]:
    """The edges that leave each of the ``wanted`` files (all when None), file by file, sorted within a family.

    ``files`` gives the language of every file of the tree, also of those that are not wanted: they may be reached.
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
            project = Resolver(linking(folder), paths, load, text)
            for path in todo:
                facts = project.facts(path)
                if facts is not None:
                    yield path, edges_of(project, facts)
