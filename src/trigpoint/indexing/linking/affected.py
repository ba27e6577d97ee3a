"""Which files must be linked again after some have changed.

A use can come to mean something else only if a name on the way to its definition changed. So: the names that the changed
files offer differently; then, again and again, the names elsewhere that are worth something by way of those; and of all
files that use one of them, those that can reach a changed file along imports, where the language has no other way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache

from trigpoint.indexing.linking.offers import Offers, changed_methods, changed_names, offers
from trigpoint.indexing.linking.types import MOST_CANDIDATES
from trigpoint.indexing.linking.watch import Watch
from trigpoint.languages.facts import METHOD
from trigpoint.languages.linking import LinkingClass, Rules, family, linking
from trigpoint.model import MODULE, Outline
from trigpoint.ports import Snapshot

MOST_SHARE = 0.3
"""When more of the files than this are concerned, all are linked: finding out which costs more than it saves."""

_WORD = re.compile(r"[^\W\d]\w*")
NO_CODE = frozenset(["", "builds"])
"""The families of all files that a ``configured_by`` names."""

MOST_NAMES = 2_000
MOST_OF_A_NAME = 100_000


def affected(
    before: Snapshot, after: Snapshot, changed: Collection[str], languages: Mapping[str, str]
) -> frozenset[str] | None:
    """Paths of the files whose edges may differ between two states, of those that can be linked; None for all.

    ``languages`` is path -> language of every file of both states.
    """
    linked = {path for path in changed if family(languages.get(path, ""))}
    if _configuration(changed, languages) or too_many(changed, languages):
        return None
    work = _Affected(before, after, changed, languages)
    found = set(work.leading_anywhere()) if any(map(work.is_moved, changed)) else set()
    for folder in sorted({family(languages[path]) for path in linked}):
        mine = {path for path in linked if family(languages[path]) == folder}
        concerned = work.concerned(folder, mine)
        if concerned is None:
            return None
        found |= concerned
    return frozenset(found)


def too_many(changed: Collection[str], languages: Mapping[str, str]) -> bool:
    """Whether so many files changed that it is not worth asking what they concern."""
    most = MOST_SHARE * len(languages) + 20
    return len(changed) > most and sum(bool(family(languages.get(path, ""))) for path in changed) > most


def _configuration(changed: Collection[str], languages: Mapping[str, str]) -> bool:
    """Whether a file changed that says where imports lead. Code says no such thing, so that most changes load no rules."""
    told = [path for path in changed if family(languages.get(path, "")) in NO_CODE]
    if not told:
        return False
    names = {path.rpartition("/")[2] for path in told}
    folders = {family(language) for language in set(languages.values())} - {""}
    patterns = {one for folder in folders for one in linking(folder).configured_by}
    return any(fnmatchcase(name, pattern) for pattern in patterns for name in names)


Reach = Callable[[], set[str] | None]
"""The files from which imports lead to a changed one, worked out once asked; None where that says nothing."""


class _Affected:
    def __init__(
        self, before: Snapshot, after: Snapshot, changed: Collection[str], languages: Mapping[str, str]
    ) -> None:
        self.before = before
        self.after = after
        self.changed = changed
        self.languages = languages
        self.offered: dict[str, Offers] = {}

    def concerned(self, folder: str, changed: set[str]) -> set[str] | None:
        """The changed files of a family and the files to which the change comes through."""
        if any(self.is_moved(path) and linking(folder).moves(path, self.after.text) for path in changed):
            return None
        names = set(self.renamed(changed))
        rules = linking(folder)
        wide = False
        differing: dict[str, set[str]] = {}
        methods: set[str] = set()
        including: set[str] = set()
        alike = rules.asks_by_name and not names
        for path in changed:
            old, new = self.before.outline_of(path), self.after.outline_of(path)
            differing[path] = changed_names(old, new, rules) | self.changed_by_text(path, old, new, rules)
            methods |= changed_methods(old, new)
            names |= differing[path]
            wide = wide or _stars(old) != _stars(new)
            including |= {path} if _stars(old, "include") != _stars(new, "include") else set()
            alike = alike and old is not None and new is not None and _frame(old) == _frame(new)
        if not names and not wide and not including:
            return set(changed)
        guessing = {path for name in methods for path in self.guessing(folder, name)}
        wide = wide or not names.isdisjoint(rules.wide_names)
        reach = cache(lambda: self.reach(changed, rules) if rules.explicit else None)
        found = set(changed) | guessing
        if including:  # what is included by others decides what those see
            found |= self.reach(including, rules)
        if wide:
            found |= self.all_of(reach())
        watch = self.watch(folder, differing) if alike and not wide else None
        try:
            return self.spread(folder, names, found, reach, watch)
        finally:
            if watch is not None:
                watch.close()

    def changed_by_text(
        self, path: str, old: Outline | None, new: Outline | None, rules: LinkingClass
    ) -> set[str]:
        """All names of a file when the rules read something else in its text as a whole."""
        if old is None or new is None or rules.read is Rules.read:
            return set()
        texts = self.before.text(path), self.after.text(path)
        if rules.read(texts[0], old.symbols) == rules.read(texts[1], new.symbols):
            return set()
        return {offer.name for offer in (*offers(old, rules).values(), *offers(new, rules).values())}

    def leading_anywhere(self) -> Iterator[str]:
        """The files whose imports may lead to files of every language."""
        folders = {folder for language in set(self.languages.values()) if (folder := family(language))}
        patterns = {folder: linking(folder).leads_anywhere for folder in folders}
        for path, language in self.languages.items():
            name = path.rpartition("/")[2]
            if any(fnmatchcase(name, one) for one in patterns.get(family(language), ())):
                yield path

    def watch(self, folder: str, differing: Mapping[str, Collection[str]]) -> Watch:
        """What tells whether a use depends on what differs, where nothing else does."""
        paths = sorted(path for path, language in self.languages.items() if family(language) == folder)
        return Watch(linking(folder), paths, self.load, self.after.text, differing)

    def load(self, path: str) -> tuple[str, frozenset[str], Outline] | None:
        """A file of the later state without its marks, which linking asks for only of tests."""
        outline = self.after.outline_of(path)
        return (self.languages[path], frozenset(), outline) if outline is not None else None

    def spread(
        self,
        folder: str,
        names: set[str],
        found: set[str],
        reach: Reach,
        watch: Watch | None,
    ) -> set[str] | None:
        """Add the files that use one of the names, and go on with the names that depend on it there."""
        most = MOST_SHARE * len(self.languages) + 20
        todo = sorted(names)
        while todo:
            name = todo.pop()
            if name in linking(folder).wide_names:
                found |= self.all_of(reach())
            for path in self.users(folder, name, reach):
                if watch is not None and not watch.meets(path, name):
                    continue
                found.add(path)
                for other in self.depending(path, name):
                    if other not in names:
                        names.add(other)
                        todo.append(other)
            if len(names) > MOST_NAMES and len(self.all_of(reach()) | found) <= most:
                return self.all_of(reach()) | found  # whatever the names: nothing else can come by the change
            if len(found) > most or len(names) > MOST_NAMES:
                return None
        return found

    def all_of(self, reach: set[str] | None) -> set[str]:
        """The files that can come by a change; every one where the language has other ways than imports."""
        return reach if reach is not None else set(self.languages)

    def users(self, folder: str, name: str, reach: Reach) -> Iterator[str]:
        """Files of a family that use a name and can come by it."""
        for path in self.after.files_referring(name):
            if family(self.languages.get(path, "")) == folder and (
                path in self.changed or (within := reach()) is None or path in within
            ):
                yield path

    def guessing(self, folder: str, name: str) -> Iterator[str]:
        """Files in which a call may be guessed to mean a method of this name that came or went."""
        foreign = linking(folder).foreign_methods
        if foreign and name not in foreign:
            fewest = min(self.methods(folder, state, name) for state in (self.before, self.after))
            if fewest <= 2 * MOST_CANDIDATES:  # declarations are no methods of their own
                yield from self.users(folder, name, lambda: None)

    def methods(self, folder: str, state: Snapshot, name: str) -> int:
        """How many methods of a name a family has."""
        found = state.symbols_named(name, limit=MOST_OF_A_NAME)
        return sum(one.symbol.kind == METHOD and family(one.language) == folder for one in found)

    def depending(self, path: str, name: str) -> Iterator[str]:
        """Names of a file that are worth something by way of this name."""
        if path not in self.offered:
            outline = self.after.outline_of(path)
            rules = linking(family(self.languages[path]))
            self.offered[path] = offers(outline, rules) if outline is not None else {}
        for offer in self.offered[path].values():
            if offer.name != name and name in offer.words():
                yield offer.name

    def is_moved(self, path: str) -> bool:
        """Whether a file came or went."""
        return _is_read(self.before, path) != _is_read(self.after, path)

    def renamed(self, changed: set[str]) -> Iterator[str]:
        """Words that lead to files that came or went, and to what lies beside a package mark that did."""
        for path in changed:
            if not self.is_moved(path):
                continue
            *folders, file = path.split("/")
            stem = file.partition(".")[0]
            yield from {stem, *_WORD.findall(stem)}
            yield from folders
            if stem in ("__init__", "index", "mod", "lib", "main"):
                around = path.rpartition("/")[0]
                yield from (
                    other.rpartition("/")[2].partition(".")[0]
                    for other in self.languages
                    if other.rpartition("/")[0] == around
                )

    def reach(self, changed: set[str], rules: LinkingClass) -> set[str]:
        """Files from which imports lead to a changed file, directly or not, in either state."""
        found = set(changed)
        for path in changed:
            folder, _, file = path.rpartition("/")
            stem = file.partition(".")[0]
            word = folder.rpartition("/")[2] if stem in ("__init__", "index") else stem
            for one in {word, *_WORD.findall(word)}:  # of a name like run-it each word is found
                found.update(self.after.files_referring(one))
            if stem == "__init__":
                found.update(other for other in self.languages if other.startswith(folder + "/"))
        todo = list(found)
        while todo:
            todo += [holder for path in todo for holder in rules.offering(path) if holder in self.languages]
            found.update(todo)
            tops = [node for path in todo if (node := self.before.node(path, MODULE))]
            reached = self.before.edges_to(tops, ("imports",))
            importing = set(self.before.paths_of({edge.source for edge in reached}))
            todo = sorted(importing - found)
            found |= importing
        return found


def _is_read(state: Snapshot, path: str) -> bool:
    """Whether a file is there as code: a link or a pipe in its place is as good as none."""
    row = state.file(path)
    return row is not None and bool(row.language)


def _frame(outline: Outline) -> tuple[object, ...]:
    """What a file says of itself as a whole."""
    return outline.package, outline.exports


def _stars(outline: Outline | None, kind: str = "") -> Iterable[str]:
    """What is imported or exported whole without being named; with ``kind`` "include" which files are included."""
    if outline is None:
        return []
    whole = [
        item.module
        for item in outline.imports
        if item.name == "*" and (item.kind == "include") == (kind == "include")
    ]
    return whole if kind else whole + [one for one in outline.exports if one.endswith(".*")]
