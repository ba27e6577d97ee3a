"""Go's packages: where an import leads, and what the files of one folder offer together."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from trigpoint.languages.facts import Facts
from trigpoint.model import MODULE

_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.M)
_TEST = "_test.go"

Place = tuple[str, int]
"""A path and the index of a symbol in it."""


class Package(NamedTuple):
    """The files of one folder that have one package clause."""

    folder: str
    name: str
    files: tuple[str, ...]
    names: dict[str, list[Place]]  # what stands at the top of its files, but methods
    methods: dict[str, dict[str, list[Place]]]  # by the name of the receiver's type


class Packages:
    """The packages of a tree. ``text`` reads a go.mod, "" when there is none; ``facts`` a source file."""

    def __init__(
        self, paths: Sequence[str], text: Callable[[str], str], facts: Callable[[str], Facts | None]
    ) -> None:
        self._facts = facts
        self._files: dict[str, list[str]] = {}
        for path in paths:
            self._files.setdefault(path.rpartition("/")[0], []).append(path)
        self._modules = self._read(text)
        self._folders: dict[str, str | None] = {}
        self._packages: dict[str, dict[str, Package]] = {}

    def _read(self, text: Callable[[str], str]) -> dict[str, str]:
        """Module path -> its folder."""
        around = {""}
        for folder in self._files:
            while folder not in around:
                around.add(folder)
                folder = folder.rpartition("/")[0]
        found: dict[str, str] = {}
        for folder in sorted(around):
            match = _MODULE.search(text(f"{folder}/go.mod" if folder else "go.mod"))
            if match is not None:
                found.setdefault(match[1], folder)
        return found

    def imported(self, path: str) -> str | None:
        """The folder of an import path; None when it lies outside the tree."""
        if path not in self._folders:
            self._folders[path] = self._search(path)
        return self._folders[path]

    def _search(self, path: str) -> str | None:
        head, tail = path, ""
        while head:
            if head in self._modules:
                folder = "/".join(part for part in (self._modules[head], tail) if part)
                return folder if folder in self._files else None
            head, _, last = head.rpartition("/")
            tail = f"{last}/{tail}" if tail else last
        places = (f"vendor/{path}", f"src/{path}") if "." in path.partition("/")[0] else (f"src/{path}",)
        return next((folder for folder in places if folder in self._files), None)

    def of(self, facts: Facts) -> Package:
        """The package of a file."""
        folder = facts.path.rpartition("/")[0]
        return self._in(folder)[facts.outline.package]

    def offered(self, folder: str) -> Package | None:
        """The package that others import from a folder: not its tests from outside."""
        found = [one for one in self._in(folder).values() if not one.name.endswith("_test")]
        return max(found, key=lambda one: (one.name != "main", len(one.files)), default=None)

    def _in(self, folder: str) -> dict[str, Package]:
        if folder not in self._packages:
            groups: dict[str, list[Facts]] = {}
            for path in self._files.get(folder, ()):
                facts = self._facts(path)
                if facts is not None:
                    groups.setdefault(facts.outline.package, []).append(facts)
            self._packages[folder] = {name: _package(folder, name, files) for name, files in groups.items()}
        return self._packages[folder]

    def visible(self, places: Sequence[Place], path: str) -> Sequence[Place]:
        """What a file sees: tests see all, others no tests."""
        if path.endswith(_TEST):
            return places
        return [one for one in places if not one[0].endswith(_TEST)]


def _package(folder: str, name: str, files: Sequence[Facts]) -> Package:
    names: dict[str, list[Place]] = {}
    methods: dict[str, dict[str, list[Place]]] = {}
    for facts in files:
        for index, symbol in enumerate(facts.symbols):
            if symbol.container != MODULE:
                continue
            table = methods.setdefault(symbol.receiver, {}) if symbol.receiver else names
            table.setdefault(symbol.name, []).append((facts.path, index))
    return Package(folder, name, tuple(facts.path for facts in files), names, methods)


def first_file(package: Package) -> str:
    """The file that stands for a package: the one with its name, else the first that is no test."""
    files = [path for path in package.files if not path.endswith(_TEST)] or list(package.files)
    named = f"{package.folder.rpartition('/')[2]}.go"
    return next((path for path in files if path.rpartition("/")[2] in (named, "doc.go")), files[0])
