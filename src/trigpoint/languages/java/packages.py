"""Java's packages: which files hold the types of one, found by their folders and told by their package clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from trigpoint.languages.facts import Facts
from trigpoint.languages.fullnames import Place
from trigpoint.model import MODULE


class Packages:
    """The packages of a tree; a package may have several folders, in several source roots."""

    def __init__(self, paths: Sequence[str], facts: Callable[[str], Facts | None]) -> None:
        self._facts = facts
        self._files: dict[str, list[str]] = {}
        for path in paths:
            self._files.setdefault(path.rpartition("/")[0], []).append(path)
        self._folders: dict[str, list[str]] = {}
        for folder in self._files:
            self._folders.setdefault(folder.rpartition("/")[2], []).append(folder)
        self._known: dict[str, bool] = {}
        self._types: dict[str, dict[str, list[Place]]] = {}

    def types(self, package: str) -> dict[str, list[Place]]:
        """The top-level types of a package by name."""
        found = self._types.get(package)
        if found is None:
            found = self._types[package] = {}
            for path in self._paths(package):
                facts = self._facts(path)
                if facts is not None and facts.outline.package == package:
                    _gather(facts, found)
        return found

    def _paths(self, package: str) -> Iterator[str]:
        tail = package.replace(".", "/")
        for folder in self._folders.get(tail.rpartition("/")[2], ()):
            if folder == tail or folder.endswith("/" + tail) or not tail:
                yield from self._files[folder]

    def known(self, package: str) -> bool:
        """Whether a package has types, or packages inside it."""
        if package not in self._known:
            inside = f"/{package.replace('.', '/')}/"
            self._known[package] = any(inside in f"/{folder}/" for folder in self._files)
        return self._known[package]


def _gather(facts: Facts, found: dict[str, list[Place]]) -> None:
    for index, symbol in enumerate(facts.symbols):
        if symbol.container == MODULE and symbol.kind in facts.rules.classes:
            found.setdefault(symbol.name, []).append((facts.path, index))
