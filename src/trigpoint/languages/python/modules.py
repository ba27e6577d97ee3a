"""Where Python imports lead: from module names to files, without running anything.

A root is a folder that is no package itself: a script's own folder, one that holds a top package (``src``), the tree's top.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

_SUFFIXES = (".py", ".pyi", ".pyw")
_PLAIN_ROOTS = frozenset({"", "src", "lib", "python"})
"""Folders from which single modules are imported by files that lie elsewhere."""


class Modules:
    """The modules of a tree. A module is named by its file, or by its folder with "/" when that has no __init__."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._files = {path for path in paths if path.endswith(_SUFFIXES)}
        self._folders: set[str] = {""}
        self._packages: dict[str, str] = {}
        self._holders: dict[str, list[str]] = {}
        for path in sorted(self._files):
            self._add(path)
        self._found: dict[tuple[str, str], str] = {}

    def _add(self, path: str) -> None:
        folder, _, file = path.rpartition("/")
        stem = file.rpartition(".")[0]
        if stem == "__init__":
            self._packages.setdefault(folder, path)
        else:
            self._hold(stem, folder)
        while folder not in self._folders:
            self._folders.add(folder)
            parent, _, name = folder.rpartition("/")
            self._hold(name, parent)
            folder = parent

    def _hold(self, name: str, folder: str) -> None:
        holders = self._holders.setdefault(name, [])
        if not holders or holders[-1] != folder:
            holders.append(folder)

    def inside(self, folder: str, name: str) -> str:
        """The module of this name in a folder; "" when there is none."""
        path = f"{folder}/{name}" if folder else name
        if path in self._packages:
            return self._packages[path]
        for suffix in _SUFFIXES:
            if path + suffix in self._files:
                return path + suffix
        return path + "/" if path in self._folders else ""

    def below(self, module: str, name: str) -> str:
        """A module inside a package; "" when the package has none of this name."""
        folder = folder_of(module)
        return self.inside(folder, name) if folder is not None else ""

    def imported(self, path: str, written: str) -> str:
        """The module that an import in a file names; "" when it lies outside the tree."""
        folder = path.rpartition("/")[0]
        key = (folder, written)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._search(folder, written)
        return found

    def _search(self, folder: str, written: str) -> str:
        name = written.lstrip(".")
        if len(name) < len(written):
            for _ in range(len(written) - len(name) - 1):
                folder = folder.rpartition("/")[0]
            return self._down(folder, name.split(".") if name else [])
        parts = name.split(".")
        for root in self._roots(folder, parts[0]):
            found = self._down(root, parts)
            if found and (len(parts) == 1 or not found.endswith("/")):
                return found
        return ""

    def _down(self, folder: str, parts: Sequence[str]) -> str:
        if not parts:
            return self._packages.get(folder, folder + "/" if folder in self._folders else "")
        module = self.inside(folder, parts[0])
        for part in parts[1:]:
            module = self.below(module, part) if module else ""
        return module

    def _roots(self, folder: str, name: str) -> Iterator[str]:
        """Folders that hold a top module of this name, the likeliest first: those around the importing file, then others."""
        holders = [one for one in self._holders.get(name, ()) if one not in self._packages or not one]
        around = [one for one in holders if not one or one == folder or folder.startswith(one + "/")]
        if around:
            yield from sorted(around, key=len, reverse=True)
        if name in sys.stdlib_module_names:
            return
        others = [one for one in holders if one not in around and self._is_root(one, name)]
        yield from sorted(others, key=lambda one: (-_shared(one, folder), len(one), one))

    def _is_root(self, folder: str, name: str) -> bool:
        package = f"{folder}/{name}" if folder else name
        return package in self._packages or folder.rpartition("/")[2] in _PLAIN_ROOTS


def folder_of(module: str) -> str | None:
    """The folder in which the modules below a package lie; None for a plain module."""
    if module.endswith("/"):
        return module[:-1]
    folder, _, file = module.rpartition("/")
    return folder if file.startswith("__init__.") else None


def _shared(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one.split("/"), other.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count
