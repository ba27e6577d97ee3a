"""Where JavaScript imports lead: from what is written to a file of the tree, without running anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from trigpoint.languages.javascript import settings
from trigpoint.languages.javascript.settings import Options, Package, joined

_SUFFIXES = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts")
_SCRIPTS = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts")
"""The order for files that are JavaScript themselves."""
_BUILT = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx", ".ts"),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""What a file with such a name is built from."""
_OUTPUTS = frozenset(
    [
        "dist",
        "build",
        "lib",
        "out",
        "output",
        "es",
        "esm",
        "cjs",
        "umd",
        "mjs",
        "types",
        "typings",
        "node",
        "browser",
    ]
)
"""Names of folders of built files, as they stand in package.json."""
_CONFIGS = ("tsconfig.json", "jsconfig.json")
_DEEPEST = 8
"""Configurations that extend each other; more of them are a cycle."""
_HOME_MARKS = ("@/", "~/")
"""What bundlers take for the source folder of the package, told in a configuration that is code."""


class Modules:
    """The modules of a tree: files. ``text`` reads a configuration file, "" when there is none."""

    def __init__(self, paths: Sequence[str], text: Callable[[str], str]) -> None:
        self._files = frozenset(paths)
        self._text = text
        self._folders: set[str] = {""}
        for path in paths:
            folder = path.rpartition("/")[0]
            while folder not in self._folders:
                self._folders.add(folder)
                folder = folder.rpartition("/")[0]
        self._found: dict[tuple[str, str], str] = {}
        self._options: dict[str, Options] = {}
        self._packages: dict[str, Package | None] = {}
        self._named: dict[str, list[Package]] | None = None
        self._members: dict[str, bool] = {}

    def imported(self, path: str, written: str) -> str:
        """The file that an import in a file names; "" when it lies outside the tree."""
        folder, _, file = path.rpartition("/")
        key = (
            (folder, written)
            if not file.endswith((".js", ".jsx", ".mjs", ".cjs"))
            else (folder + "/", written)
        )
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._search(folder, written.partition("?")[0], key[0] is not folder)
        return found

    def _search(self, folder: str, written: str, script: bool) -> str:
        if not written or written.startswith(("node:", "http:", "https:", "data:")):
            return ""
        suffixes = _SCRIPTS if script else _SUFFIXES
        if written.startswith(("./", "../")) or written in (".", ".."):
            return self._at(joined(folder, written), suffixes)
        for place in self._places(folder, written):
            found = self._at(place, suffixes)
            if found:
                return found
        return ""

    # files

    def _at(self, base: str, suffixes: Sequence[str] = _SUFFIXES) -> str:
        """The module at a path as written: a file, one built to it, one with a suffix, or the index of a folder."""
        return self._file(base, suffixes) or self._folder(base, suffixes)

    def _file(self, base: str, suffixes: Sequence[str]) -> str:
        files = self._files
        if base in files:
            return base
        stem, dot, suffix = base.rpartition(".")
        for other in _BUILT.get(dot + suffix, ()):
            if stem + other in files:
                return stem + other
        for suffix in suffixes:
            if base + suffix in files:
                return base + suffix
        return ""

    def _folder(self, base: str, suffixes: Sequence[str]) -> str:
        if base not in self._folders:
            return ""
        package = self._package(base)
        if package is not None and package.entries:
            found = self._first(self._sources(package, entry) for entry in package.entries)
            if found:
                return found
        return self._file(joined(base, "index"), suffixes)

    def _first(self, places: Iterable[Iterable[str]]) -> str:
        """The first of several places that is a module, declarations last."""
        declared = ""
        for one in places:
            for place in one:
                found = self._file(place, _SUFFIXES) or self._file(place + "/index", _SUFFIXES)
                if found and not found.endswith((".d.ts", ".d.mts", ".d.cts")):
                    return found
                declared = declared or found
        return declared

    def _sources(self, package: Package, entry: str) -> Iterator[str]:
        """Where a file that a package names may lie: itself, or what it is built from."""
        entry = joined("", entry)
        place = joined(package.folder, entry)
        yield place
        told = self._told(package.folder)
        if told.out and place.startswith(told.out + "/"):
            yield joined(told.root or joined(package.folder, "src"), place[len(told.out) + 1 :])
        parts = entry.split("/")
        while len(parts) > 1 and parts[0] in _OUTPUTS:
            parts = parts[1:]
            for source in ("src", "source", "lib", ""):
                yield joined(package.folder, "/".join([source, *parts]))
        if len(parts) == 1 and parts[0].partition(".")[0] in (
            "index",
            "main",
            package.name.rpartition("/")[2],
        ):
            yield joined(package.folder, "src/index")

    # names that are no paths

    def _places(self, folder: str, written: str) -> Iterator[str]:
        """Where a name that is no relative path may lead, the likeliest first."""
        told = self._told(folder)
        for entry, star in settings.matched(told.paths, written):
            for target in entry:
                yield joined(told.paths_base, target.replace("*", star))
        if written[0] == "#":
            yield from self._inner(folder, written)
            return
        if told.base is not None and written[0] != "/":
            yield joined(told.base, written)
        yield from self._of_packages(folder, written)
        home = self._home(folder)
        if written.startswith(_HOME_MARKS):
            yield joined(home, "src/" + written[2:])
            yield joined(home, written[2:])
        elif written[0] == "/":
            yield joined(home, written[1:])
            yield written[1:]

    def _inner(self, folder: str, written: str) -> Iterator[str]:
        """``#name``: the imports of the package around."""
        package = self._package(self._home(folder))
        if package is None:
            return
        for entry, star in settings.matched(package.imports, written):
            for target in settings.targets(entry, star):
                if target.startswith("."):
                    yield from self._sources(package, target)
                elif target:
                    yield from self._of_packages(folder, target)

    def _of_packages(self, folder: str, written: str) -> Iterator[str]:
        parts = written.split("/")
        count = 2 if written.startswith("@") else 1
        name, inside = "/".join(parts[:count]), "/".join(parts[count:])
        for package in self._by_name().get(name, ()):
            if self._is_seen(folder, package):
                yield from self._entry(package, inside)

    def _entry(self, package: Package, inside: str) -> Iterator[str]:
        """What a package gives under a path in it; "" is the package itself."""
        exports = package.exports
        if exports is not None:
            told = (
                exports
                if isinstance(exports, dict) and any(key[:1] == "." for key in exports)
                else {".": exports}
            )
            for entry, star in settings.matched(told, "./" + inside if inside else "."):
                found = self._first(
                    self._sources(package, target) for target in settings.targets(entry, star)
                )
                if found:
                    yield found
        if inside:
            yield from self._sources(package, inside)
            yield joined(package.folder, "src/" + inside)
            return
        found = self._first(self._sources(package, entry) for entry in package.entries)
        if found:
            yield found
        yield package.folder
        yield joined(package.folder, "src")

    # packages

    def _package(self, folder: str) -> Package | None:
        """The package.json of exactly this folder."""
        if folder not in self._packages:
            text = self._text(joined(folder, "package.json"))
            self._packages[folder] = settings.package(text, folder) if text else None
        return self._packages[folder]

    def _home(self, folder: str) -> str:
        """The folder of the package around a folder; the top of the tree when there is none."""
        while folder and self._package(folder) is None:
            folder = folder.rpartition("/")[0]
        return folder

    def _by_name(self) -> dict[str, list[Package]]:
        if self._named is None:
            self._named = {}
            for folder in sorted(self._folders):
                package = self._package(folder)
                if package is not None and package.name:
                    self._named.setdefault(package.name, []).append(package)
        return self._named

    def _is_seen(self, folder: str, package: Package) -> bool:
        """Whether a file in a folder gets a package of the tree by its name and not one from a registry."""
        place = package.folder
        if not place or folder == place or folder.startswith(place + "/"):
            return True
        home = self._package(self._home(folder))
        if home is not None and package.name in home.local:
            return True
        return self._is_member(place)

    def _is_member(self, place: str) -> bool:
        """Whether a package belongs to a workspace of a folder around it."""
        if place not in self._members:
            around = place
            found = False
            while around and not found:
                around = around.rpartition("/")[0]
                inner = place[len(around) + 1 :] if around else place
                found = self._holds(around, inner)
            self._members[place] = found
        return self._members[place]

    def _holds(self, root: str, inner: str) -> bool:
        package = self._package(root)
        patterns = list(package.workspaces) if package is not None else []
        patterns += settings.pnpm_workspaces(self._text(joined(root, "pnpm-workspace.yaml")))
        lerna = settings.relaxed(self._text(joined(root, "lerna.json")))
        if lerna and not patterns:
            patterns = [one for one in lerna.get("packages") or ["packages/*"] if isinstance(one, str)]
        if any(one[0] == "!" and settings.glob(one[1:]).fullmatch(inner) for one in patterns if one):
            return False
        if any(settings.glob(one).fullmatch(inner) for one in patterns if one and one[0] != "!"):
            return True
        return bool(self._text(joined(root, "rush.json")))

    # configurations

    def _told(self, folder: str) -> Options:
        """What the nearest tsconfig or jsconfig says, with all that it extends."""
        found = self._options.get(folder)
        if found is None:
            found = Options()
            for name in _CONFIGS:
                path = joined(folder, name)
                if self._text(path):
                    found = self._referred(path)
                    break
            else:
                if folder:
                    found = self._told(folder.rpartition("/")[0])
            self._options[folder] = found
        return found

    def _referred(self, path: str) -> Options:
        """A configuration; one that only refers to others has what those say."""
        found = self._extended(path, 0)
        if found.paths or found.base is not None:
            return found
        for reference in found.references:
            other = joined(path.rpartition("/")[0], reference)
            other = other if other.endswith(".json") else other + "/tsconfig.json"
            inner = (
                self._extended(other, 0) if other.rpartition("/")[0] == path.rpartition("/")[0] else Options()
            )
            if inner.paths or inner.base is not None:
                return inner
        return found

    def _extended(self, path: str, depth: int) -> Options:
        text = self._text(path)
        if not text or depth > _DEEPEST:
            return Options()
        folder = path.rpartition("/")[0]
        found = settings.options(text, folder)
        for written in reversed(found.extends):
            lower = next((one for one in self._bases(folder, written) if self._text(one)), "")
            if lower:
                found = settings.over(found, self._extended(lower, depth + 1))
        return found

    def _bases(self, folder: str, written: str) -> Iterator[str]:
        """The files that ``extends`` may mean."""
        if written.startswith("."):
            place = joined(folder, written)
        else:
            parts = written.split("/")
            count = 2 if written.startswith("@") else 1
            package = next(iter(self._by_name().get("/".join(parts[:count]), ())), None)
            if package is None:
                return
            place = joined(package.folder, "/".join(parts[count:]) or "tsconfig.json")
        yield place
        yield place + ".json"
        yield joined(place, "tsconfig.json")
