"""Where the paths in build files lead: the edges from a manifest to the files and to the other manifests that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from posixpath import normpath

from trigpoint.languages.facts import Facts
from trigpoint.languages.linking import OUTSIDE, Found, Rules, module
from trigpoint.model import MODULE, Import

_FOLDERS = (
    (("package.json",), ("package.json",)),
    (("tsconfig*.json", "jsconfig*.json"), ("tsconfig.json", "tsconfig.base.json", "jsconfig.json")),
    (("Cargo.toml",), ("Cargo.toml",)),
    (("pyproject.toml", "setup.cfg", "*requirements*.txt", "constraints.txt"), ("pyproject.toml", "setup.py")),
    (("go.mod", "go.work"), ("go.mod",)),
    (("pom.xml",), ("pom.xml",)),
    (("*.gradle",), ("build.gradle", "build.gradle.kts")),
    (("CMakeLists.txt", "*.cmake"), ("CMakeLists.txt",)),
    (("Makefile", "makefile", "GNUmakefile", "*.mk", "*.mak"), ("Makefile",)),
    (("*.tf", "*.tfvars", "*.hcl"), ("main.tf",)),
    (("composer.json", "*.csproj", "*.fsproj", "*.vbproj", "*.vcxproj", "*.props", "*.targets"), ()),
)  # fmt: skip
"""Names of build files, and the file that a path to a folder means there."""

_SUFFIXES = ("", ".json", ".js", ".ts", ".cmake")


class Linking(Rules):
    """Build files: paths, and the names of targets within one file."""

    callables = frozenset({"target", "function", "macro"})
    explicit = True
    reads_heads = reads_calls = False
    leads_anywhere = frozenset(name for names, _ in _FOLDERS for name in names)

    def bound(self, item: Import) -> str:
        """Nothing is bound by a build file."""
        return ""

    def imported(self, facts: Facts, item: Import) -> Found:
        """The file at the end of a path."""
        found = next((path for path in self._candidates(facts.path, item) if self._is_there(path)), "")
        return module(found) if found else OUTSIDE

    def targets(self, facts: Facts, item: Import) -> Iterable[tuple[str, str, int]]:
        """The file that is named; a build file names no symbols of others."""
        found = self.imported(facts, item)
        if found.value is not None and found.value.role == "module":
            yield found.how, found.value.path, MODULE

    def _is_there(self, path: str) -> bool:
        return bool(self.project.text(path))

    def _candidates(self, path: str, item: Import) -> Iterator[str]:
        folder, _, name = path.rpartition("/")
        known = next((told for names, told in _FOLDERS if any(fnmatchcase(name, one) for one in names)), None)
        if known is None or item.kind not in ("include", "entry") or "*" in item.module:
            return
        if item.kind == "entry":  # a module of Python
            written = item.module.replace(".", "/")
            for root in ("src/", ""):
                yield from _within(folder, (f"{root}{written}.py", f"{root}{written}/__init__.py"))
            return
        yield from _within(folder, [item.module + suffix for suffix in _SUFFIXES])
        yield from _within(folder, [f"{item.module}/{inside}" for inside in known])


def _within(folder: str, written: Iterable[str]) -> Iterator[str]:
    """Paths of the tree that relative ones mean; those that leave it are none."""
    for one in written:
        path = normpath(f"{folder}/{one}" if folder else one)
        if not path.startswith(("..", "/")) and path != ".":
            yield path
