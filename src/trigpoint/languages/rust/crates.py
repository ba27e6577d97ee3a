"""Rust's crates and modules as files: where a module's children and its parent are, and which crate a name means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from trigpoint.languages.facts import Facts
from trigpoint.model import MODULE

_ROOTS = frozenset({"lib.rs", "main.rs", "build.rs"})
_OWN = frozenset({"lib.rs", "main.rs", "mod.rs", "build.rs"})
"""Files whose children stand beside them, not in a folder of their name."""
_TARGETS = frozenset({"tests", "examples", "benches", "bin"})
"""Folders in which every file is a crate."""
_SECTION = re.compile(r"^\s*\[(package|lib)\][^\[]*?^\s*name\s*=\s*\"([^\"]+)\"", re.M | re.S)
_PATH = re.compile(r"^\[lib\][^\[]*?^\s*path\s*=\s*\"([^\"]+)\"", re.M | re.S)
_WRITTEN = re.compile(r"path\s*=\s*\"([^\"]+)\"")


class Crates:
    """The crates of a tree. ``text`` reads a Cargo.toml, "" when there is none; ``facts`` a source file."""

    def __init__(
        self, paths: Sequence[str], text: Callable[[str], str], facts: Callable[[str], Facts | None]
    ) -> None:
        self._files = frozenset(paths)
        self._facts = facts
        self._text = text
        self._packages: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        self._moved: dict[str, str] = {}  # files that a #[path] leads to, with where it stands
        self.names: dict[str, str] = {}
        """Name of a crate -> its root file."""
        for folder in sorted({self.package(path) for path in paths}, key=len, reverse=True):
            self._name(folder)

    def _name(self, folder: str) -> None:
        told = self._text(_join(folder, "Cargo.toml"))
        names = dict(_SECTION.findall(told))
        where = _PATH.search(told)
        root = _join(folder, where[1] if where else "src/lib.rs")
        if root in self._files:
            name = names.get("lib") or names.get("package") or folder.rpartition("/")[2]
            self.names[name.replace("-", "_")] = root

    def package(self, path: str) -> str:
        """The folder of the package that a file belongs to: with a Cargo.toml, else the one that holds ``src``."""
        folder = path.rpartition("/")[0]
        todo = []
        while folder not in self._packages:
            todo.append(folder)
            if not folder or self._text(_join(folder, "Cargo.toml")):
                self._packages[folder] = folder
                break
            folder = folder.rpartition("/")[0]
        found = self._packages[folder]
        if not found and not self._text("Cargo.toml"):
            parts = path.split("/")[:-1]
            return "/".join(parts[: parts.index("src")]) if "src" in parts else ""
        for one in todo:
            self._packages[one] = found
        return found

    def child(self, path: str, names: Sequence[str], written: str = "") -> str:
        """The file of ``mod name;`` in a file; ``names`` with the modules inside it that it stands in; "" when there is none."""
        folder, _, file = path.rpartition("/")
        if written:
            found = _normal(_join(folder, *names[:-1], written))
            if found in self._files:
                self._moved.setdefault(found, path)
            return found if found in self._files else ""
        base = folder if file in _OWN or self.is_root(path) else _join(folder, file.removesuffix(".rs"))
        stem = _join(base, *names)
        return next((one for one in (f"{stem}.rs", f"{stem}/mod.rs") if one in self._files), "")

    def is_root(self, path: str) -> bool:
        """Whether a file is the root of a crate."""
        if path.rpartition("/")[2] in _ROOTS:
            return True
        package = self.package(path)
        inside = path.removeprefix(package + "/") if package else path
        parts = inside.split("/")
        return (len(parts) == 2 and parts[0] in _TARGETS) or (len(parts) == 3 and parts[:2] == ["src", "bin"])

    def parent(self, path: str) -> str:
        """The file whose module holds that of a file; "" for the root of a crate."""
        if path not in self._parents:
            self._parents[path] = "" if self.is_root(path) else self._parent(path)
        return self._parents[path]

    def _parent(self, path: str) -> str:
        folder, _, file = path.rpartition("/")
        name = file.removesuffix(".rs")
        if file == "mod.rs":
            folder, _, name = folder.rpartition("/")
        if path in self._moved:
            return self._moved[path]
        while folder:
            around = [_join(folder, one) for one in ("mod.rs", "lib.rs", "main.rs")] + [f"{folder}.rs"]
            found = [one for one in around if one in self._files and one != path]
            declaring = [one for one in found if self._declares(one, name)]
            if found:
                return (declaring or found)[0]
            folder, _, name = folder.rpartition("/")  # a module inside a file may have a folder of its own
        return ""

    def inline(self, path: str) -> list[str]:
        """The modules written inside the parent's file that a file stands in, from the outside."""
        above = self.parent(path)
        base, _, file = above.rpartition("/")
        if file not in _OWN:
            base = above.removesuffix(".rs")
        folder = path.rpartition("/")[0]
        folder = folder.rpartition("/")[0] if path.endswith("/mod.rs") else folder
        return (
            folder.removeprefix(base).strip("/").split("/") if above and folder.startswith(base + "/") else []
        )

    def _declares(self, path: str, name: str) -> bool:
        facts = self._facts(path)
        slot = facts.slot(MODULE, name) if facts is not None else None
        return slot is not None and any(facts.symbols[one].kind == "module" for one in slot.symbols if facts)

    def root(self, path: str) -> str:
        """The root of the crate that a file belongs to."""
        for _ in range(40):
            above = self.parent(path)
            if not above:
                break
            path = above
        return path


def written_path(facts: Facts, index: int) -> str:
    """What ``#[path = "…"]`` says of a module; "" when it has none."""
    found = (_WRITTEN.match(one) for one in facts.symbols[index].decorators)
    return next((match[1] for match in found if match is not None), "")


def around(facts: Facts, scope: int) -> Iterator[int]:
    """The modules of a file that a scope stands in, from the inside."""
    while scope != MODULE:
        if facts.symbols[scope].kind == "module":
            yield scope
        scope = facts.symbols[scope].container


def _join(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _normal(path: str) -> str:
    found: list[str] = []
    for part in path.split("/"):
        if part == ".." and found:
            found.pop()
        elif part not in (".", ""):
            found.append(part)
    return "/".join(found)
