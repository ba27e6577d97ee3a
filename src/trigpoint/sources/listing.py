"""One listing of a tree: by git where git knows the tree, by walking elsewhere, `.trigignore` on top in both."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from operator import itemgetter
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import TYPE_CHECKING

from trigpoint.model import SourceEntry
from trigpoint.sources.git_head import common_folder, git_folder, kind_of_nested, repository_above
from trigpoint.sources.git_listing import GitUnusableError, ignored_as_a_whole, list_with_git, submodules_of
from trigpoint.sources.gitignore import Layers, ignores, layer_of, with_layer, without_ignored
from trigpoint.sources.opening import read_lines
from trigpoint.sources.stamp import stamp_of
from trigpoint.sources.tools import VERSION_CONTROL, without_version_control

if TYPE_CHECKING:
    from trigpoint.sources.entries import EntryMaker

OWN_IGNORE = ".trigignore"

DEPENDENCIES = frozenset(["node_modules", "bower_components", "jspm_packages", ".venv", ".tox", ".nox"])
"""Folders of installed packages, by name; any folder with a ``pyvenv.cfg`` is one too."""

_CACHES_TEXT = """
    __pycache__ .mypy_cache .pytest_cache .ruff_cache .hypothesis .eggs .gradle .terraform .next .nuxt
    .svelte-kit .parcel-cache .turbo .nyc_output
"""
CACHES = frozenset(_CACHES_TEXT.split())
"""Cache folders, by name; any folder with a ``CACHEDIR.TAG`` is one too. They are left out without a word."""


class Listing:
    """Lists one tree once: ports.Listing. ``notes`` say how that went.

    Entries are made when they are asked for: that costs as much as listing, and an unchanged tree needs none.
    """

    def __init__(self, root: str, max_bytes: int, honour_git: bool, extra_ignore: Sequence[str]) -> None:
        self.notes: list[str] = []
        self._files: list[tuple[str, os.stat_result]] = []
        self._refused: list[SourceEntry] = []
        self._root = root.rstrip(os.sep) + os.sep
        self._max_bytes = max_bytes
        self._honour_git = honour_git
        self._own = with_layer((), extra_ignore, "")
        self._repository = repository_above(root) if honour_git else ""
        self._git_failed = False
        self._listed_repositories: set[str] = set()

    def run(self) -> None:
        """Looks at the tree."""
        if not (self._repository and self._by_git("", self._own)):
            self._walk()
        self._files.sort(key=itemgetter(0))
        self._refused.sort(key=lambda entry: entry.path)

    @cached_property
    def _maker(self) -> EntryMaker:
        from trigpoint.sources.entries import EntryMaker  # what it refuses by name is not needed for a stamp

        return EntryMaker(self._root, self._max_bytes)

    @property
    def stamp(self) -> str:
        """A digest of all that entries() tells."""
        links = [path for path, status in self._files if S_ISLNK(status.st_mode)]
        told = [str(self._max_bytes)]
        told += [f"{path}\0{self._maker.link(path).detail}" for path in links]
        told += [f"{entry.path}\0{entry.refused}" for entry in self._refused]
        return stamp_of(self._files, told)

    def entries(self) -> Iterator[SourceEntry]:
        """Every file and every refused folder, sorted by path."""
        make = self._maker.entry
        found = [make(path, status) for path, status in self._files]
        if self._refused:
            found += self._refused
            found.sort(key=lambda entry: entry.path)
        return iter(found)

    def paths(self) -> Set[str]:
        """The paths of all entries."""
        return {path for path, _ in self._files} | {entry.path for entry in self._refused}

    def differing(self, known: Mapping[str, str], before_ns: int) -> Sequence[SourceEntry]:
        """The entries but those of files whose stat data are the known ones and older than ``before_ns``. Links are
        among them always: where they lead may have changed.
        """
        from trigpoint.sources.entries import CHANGED

        found = list(self._refused)
        for path, status in self._files:
            made, changed = status.st_mtime_ns, getattr(status, CHANGED)
            if (
                known.get(path)
                != f"{status.st_size} {made} {changed} {status.st_ino}"  # Stat.text(), 10,000 times
                or made >= before_ns <= changed
                or not S_ISREG(status.st_mode)
            ):
                found.append(self._maker.entry(path, status))
        return sorted(found, key=lambda entry: entry.path)

    # by git

    def _by_git(self, prefix: str, own: Layers) -> bool:
        """Lists the folder by git; False, with a note, when it has to be walked."""
        folder = self._root + prefix
        try:
            listing = list_with_git(folder)
            if not listing.paths and not listing.nested and not prefix and ignored_as_a_whole(folder):
                self.notes.append("the repository around this folder ignores it, so it was walked instead")
                self._repository = ""
                return False
            self._add_paths(prefix, [prefix + path for path in listing.paths], own)
        except GitUnusableError as error:
            self.notes.append(f"{error}, so {prefix.rstrip('/') or 'the folder'} was walked instead")
            self._git_failed = self._git_failed or not prefix
            return False
        for name in listing.nested:
            path = prefix + name
            if not ignores(own, path + "/"):
                self._refused.append(self._maker.refused(path, kind_of_nested(self._root + path)))
        self._refused.extend(self._maker.refused(prefix + name, "unreadable") for name in listing.unopened)
        return True

    def _add_paths(self, prefix: str, paths: list[str], own: Layers) -> None:
        paths = self._without_own_ignored(prefix, without_version_control(paths), own)
        root, lstat, found = self._root, os.lstat, self._files
        real_folders: dict[str, bool] = {"": True, prefix: True}
        folders: list[str] = []
        last, real = prefix, True
        for path in paths:
            folder = path[: path.rfind("/") + 1]
            if folder != last:
                last, real = folder, self._is_real(folder, real_folders)
            if not real:
                continue
            try:
                status = lstat(root + path)
            except (FileNotFoundError, NotADirectoryError):
                continue  # tracked, but deleted in the working tree
            except OSError as error:
                self._refused.append(self._maker.refused(path, "unreadable", error.strerror or ""))
                continue
            if S_ISDIR(status.st_mode):
                folders.append(path)
            else:
                found.append((path, status))
        if folders:
            modules = submodules_of(root + prefix)
            self._refused.extend(
                self._maker.refused(path, "submodule") for path in folders if path[len(prefix) :] in modules
            )

    def _is_real(self, folder: str, known: dict[str, bool]) -> bool:
        """Whether a folder is reached without a link: git takes what is tracked behind one for deleted."""
        real = known.get(folder)
        if real is None:
            real = self._is_real(folder[: folder.rfind("/", 0, -1) + 1], known)
            if real:
                try:
                    real = S_ISDIR(os.lstat(self._root + folder[:-1]).st_mode)
                except OSError:
                    real = False
            known[folder] = real
        return real

    def _without_own_ignored(self, prefix: str, paths: list[str], own: Layers) -> list[str]:
        marker = "/" + OWN_IGNORE
        folders = [path[: -len(OWN_IGNORE)] for path in paths if path.endswith(marker)]
        if prefix not in folders and os.path.lexists(self._root + prefix + OWN_IGNORE):
            folders.append(prefix)  # also when git itself ignores the file
        if not folders and not own:
            return paths
        return without_ignored(paths, own, folders, self._own_lines)

    def _own_lines(self, folder: str) -> list[str]:
        return read_lines(self._root + folder + OWN_IGNORE)

    # by walking

    def _walk(self) -> None:
        if self._repository:
            self._listed_repositories.add(common_folder(git_folder(self._repository)))
        waiting: list[tuple[str, Layers, Layers]] = [("", self._git_layers_above(), self._own)]
        while waiting:
            folder, git, own = waiting.pop()
            try:
                with os.scandir(self._root + folder) as scan:
                    inside = list(scan)
            except OSError as error:
                self._refused.append(self._maker.refused(folder[:-1], "unreadable", error.strerror or ""))
                continue
            names = {item.name for item in inside}
            if folder and self._is_settled(folder, names, own):
                continue
            if self._honour_git and ".gitignore" in names:
                git = with_layer(git, read_lines(self._root + folder + ".gitignore"), folder)
            if OWN_IGNORE in names:
                own = with_layer(own, self._own_lines(folder), folder)
            waiting.extend(self._take(inside, folder, git, own))

    def _take(
        self, inside: list[os.DirEntry[str]], folder: str, git: Layers, own: Layers
    ) -> list[tuple[str, Layers, Layers]]:
        """Keeps the files of a folder that was scanned and returns the folders to look into next."""
        deeper: list[tuple[str, Layers, Layers]] = []
        for item in inside:
            if item.name in VERSION_CONTROL:
                continue
            path = folder + item.name
            is_folder = item.is_dir(follow_symlinks=False)
            asked = path + "/" if is_folder else path
            if (git and ignores(git, asked)) or (own and ignores(own, asked)):
                continue
            if is_folder:
                deeper.append((asked, git, own))
                continue
            try:
                self._files.append((path, item.stat(follow_symlinks=False)))
            except FileNotFoundError:
                continue
            except OSError as error:
                self._refused.append(self._maker.refused(path, "unreadable", error.strerror or ""))
        return deeper

    def _is_settled(self, folder: str, names: set[str], own: Layers) -> bool:
        """Whether a folder below the root needs no walk: a cache, installed packages, or another repository."""
        name = folder[folder.rfind("/", 0, -1) + 1 : -1]
        if name in CACHES or "CACHEDIR.TAG" in names:
            return True
        if name in DEPENDENCIES or "pyvenv.cfg" in names:
            self._refused.append(self._maker.refused(folder[:-1], "dependencies"))
            return True
        return ".git" in names and self._is_settled_repository(folder, own)

    def _is_settled_repository(self, folder: str, own: Layers) -> bool:
        """A copy is refused; a repository inside a repository too; one in a plain folder is listed by its own git."""
        repository = self._root + folder[:-1]
        kind = kind_of_nested(repository)
        common = common_folder(git_folder(repository))
        if kind == "worktree" and self._is_copy(common):
            self._refused.append(self._maker.refused(folder[:-1], "worktree"))
            return True
        if kind == "submodule" or self._git_failed:
            self._refused.append(self._maker.refused(folder[:-1], kind))
            return True
        self._listed_repositories.add(common)
        return self._honour_git and self._by_git(folder, own)

    def _is_copy(self, common: str) -> bool:
        """Whether the tree also holds the main working tree of that repository, or another one came first."""
        return common in self._listed_repositories or common.startswith(self._root)

    def _git_layers_above(self) -> Layers:
        """The ignore files between the repository and the root, for when git itself could not be asked."""
        if not self._repository:
            return ()
        above = os.path.relpath(self._root, self._repository).replace(os.sep, "/") + "/"
        above = "" if above == "./" else above
        exclude = os.path.join(common_folder(git_folder(self._repository)), "info", "exclude")
        found = [layer_of(read_lines(exclude), "", above)]
        folder = ""
        for segment in above.split("/")[:-1]:
            lines = read_lines(os.path.join(self._repository, folder, ".gitignore"))
            found.append(layer_of(lines, folder, above))
            folder += segment + "/"
        return tuple(layer for layer in found if layer)
