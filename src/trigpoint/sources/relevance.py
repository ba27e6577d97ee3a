"""Whether a change at a path can matter to the index: the rules of a listing, asked about one path.

It may say yes too often (the listing decides), never no for a path that is listed. It keeps a watch quiet while a build
writes into ignored folders.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from trigpoint.sources.git_head import repository_above
from trigpoint.sources.gitignore import Layers, ignores, with_layer
from trigpoint.sources.listing import CACHES, DEPENDENCIES, OWN_IGNORE
from trigpoint.sources.opening import read_lines
from trigpoint.sources.tools import VERSION_CONTROL

_OF_GIT = frozenset({"HEAD", "index", "config", "info/exclude"})
"""What decides, inside a ``.git``, which files count and what is checked out."""
_RULES = frozenset({".gitignore", OWN_IGNORE, "CACHEDIR.TAG", "pyvenv.cfg"})


class Relevance:
    """The rules as they are now; made anew after each update. ``known`` are the paths that are listed."""

    def __init__(self, root: str, known: Iterable[str]) -> None:
        self._root = root.rstrip("/") + "/"
        self._walked = not repository_above(root)
        self._known = set(known)
        self._folders = {folder for path in self._known for folder in _folders_of(path)}
        self._inside: dict[str, Layers | None] = {}

    def any(self, paths: Collection[str]) -> bool:
        """Whether one of these can matter. Paths are relative to the root."""
        return any(map(self._concerns, paths))

    def _concerns(self, path: str) -> bool:
        if path in self._known or path in self._folders or path == ".":
            return True
        parts = path.split("/")
        for at, part in enumerate(parts):
            if part in VERSION_CONTROL:
                inside = "/".join(parts[at + 1 :])
                return not inside or inside in _OF_GIT
        folder = path[: path.rfind("/") + 1]
        layers = self._layers(folder)
        if layers is None:
            return False
        return parts[-1] in _RULES or not (ignores(layers, path) or ignores(layers, path + "/"))

    def _layers(self, folder: str) -> Layers | None:
        """The ignore files that apply inside a folder ("" or ending in "/"); None when it is left out itself."""
        if folder not in self._inside:
            self._inside[folder] = self._found_layers(folder)
        return self._inside[folder]

    def _found_layers(self, folder: str) -> Layers | None:
        outer: Layers | None = ()
        if folder:
            parent = folder[: folder.rfind("/", 0, -1) + 1]
            outer = self._layers(parent)
            name = folder[len(parent) : -1]
            if outer is None or ignores(outer, folder) or (self._walked and name in CACHES | DEPENDENCIES):
                return None
        assert outer is not None
        for name in (".gitignore", OWN_IGNORE):
            outer = with_layer(outer, read_lines(self._root + folder + name), folder)
        return outer


def _folders_of(path: str) -> Iterable[str]:
    parts = path.split("/")
    return ("/".join(parts[:count]) for count in range(1, len(parts)))
