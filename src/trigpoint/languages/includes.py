"""Which files an include means, and which others a file sees through its includes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from trigpoint.languages.facts import Facts

_HEADERS = (".h", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp", ".cuh", ".inc", ".def")
_MOST = 400
"""Files that are looked at for what one file includes."""


class Files:
    """The files of a tree; ``facts`` gives one with its includes."""

    def __init__(self, paths: Sequence[str], facts: Callable[[str], Facts | None]) -> None:
        self._facts = facts
        self._all = frozenset(paths)
        self._named: dict[str, list[str]] = {}
        for path in paths:
            self._named.setdefault(path.rpartition("/")[2], []).append(path)
        self._found: dict[tuple[str, str], str] = {}
        self._seen: dict[str, dict[str, int]] = {}

    def included(self, path: str, written: str) -> str:
        """The file of an include; "" when it is not in the tree or could be several."""
        folder = path.rpartition("/")[0]
        key = (folder, written)
        if key not in self._found:
            self._found[key] = self._search(folder, written)
        return self._found[key]

    def _search(self, folder: str, written: str) -> str:
        beside = _joined(folder, written)
        if beside in self._all:
            return beside
        tail = written.lstrip("./")
        found = [
            one
            for one in self._named.get(tail.rpartition("/")[2], ())
            if one == tail or one.endswith("/" + tail)
        ]
        if len(found) > 1:
            found.sort(key=lambda one: (-_shared(one, folder), len(one), one))
            if _shared(found[0], folder) == _shared(found[1], folder) and len(found[0]) == len(found[1]):
                return ""
        return found[0] if found else ""

    def seen(self, path: str) -> dict[str, int]:
        """The files that a file sees through its includes, with how many steps away; itself is 0."""
        if path not in self._seen:
            found = {path: 0}
            todo = [path]
            for one in todo:
                facts = self._facts(one)
                for item in facts.outline.imports if facts is not None else ():
                    target = self.included(one, item.module) if item.kind == "include" else ""
                    if target and target not in found:
                        found[target] = found[one] + 1
                        todo.append(target)
                if len(todo) > _MOST:
                    break
            self._seen[path] = found
        return self._seen[path]

    def paired(self, path: str, sources: Collection[str]) -> list[str]:
        """Of some files those that share the name with a header that a file sees; of several those that lie beside it."""
        seen = self.seen(path)
        folders: dict[str, list[str]] = {}
        for one in seen:
            folders.setdefault(stem(one), []).append(one.rpartition("/")[0])
        found = sorted(one for one in sources if stem(one) in folders)
        beside = [one for one in found if one.rpartition("/")[0] in folders[stem(one)]]
        return beside or found


def is_header(path: str) -> bool:
    """Whether a file is there to be included."""
    return path.endswith(_HEADERS)


def stem(path: str) -> str:
    """The file's name without its ending: a header and its source have the same."""
    return path.rpartition("/")[2].partition(".")[0]


def _shared(path: str, folder: str) -> int:
    count = 0
    for one, other in zip(path.split("/"), folder.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count


def distance(path: str, other: str) -> int:
    """How much of their folders two paths share."""
    return _shared(path, other.rpartition("/")[0])


def _joined(folder: str, written: str) -> str:
    found = folder.split("/") if folder else []
    for part in written.split("/"):
        if part == "..":
            if not found:
                return ""
            found.pop()
        elif part not in (".", ""):
            found.append(part)
    return "/".join(found)
