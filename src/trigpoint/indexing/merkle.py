"""A tree of digests: a folder's digest is made of its children's, so equal roots mean equal trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

from trigpoint.model import FileRow, SourceEntry, Stat


class Folder(NamedTuple):
    """A folder of a tree of digests: what is directly inside, by name, and the digest made of it."""

    digest: str  # hex; "" for a tree without files
    folders: Mapping[str, Folder] = {}
    files: Mapping[str, str] = {}  # name -> digest of the content


EMPTY = Folder("")


def tree_of(digests: Mapping[str, str]) -> Folder:
    """The tree that these files (path -> digest of the content) make."""
    nested: Nested = {}
    for path, digest in digests.items():
        *folders, name = path.split("/")
        node = nested
        for folder in folders:
            below = node.setdefault(folder + "/", {})
            assert isinstance(below, dict)
            node = below
        node[name] = digest
    return _folder(nested) if nested else EMPTY


def root_of(digests: Mapping[str, str]) -> str:
    """The digest of the tree that these files make, hex; "" for no files. A third of the time that tree_of() takes."""
    return folder_digests(digests).get("", EMPTY.digest)


def folder_digests(digests: Mapping[str, str]) -> dict[str, str]:
    """The digest of each folder, by its path with a slash at the end; that of the root by "". None for no files."""
    lines: dict[str, list[str]] = {}
    for path, digest in digests.items():
        at = path.rfind("/") + 1
        lines.setdefault(path[:at], []).append(f"{path[at:]}\0{digest}\0")
    levels: dict[int, set[str]] = {}
    for folder in lines:
        levels.setdefault(folder.count("/"), set()).add(folder)
    made: dict[str, str] = {}
    for level in range(max(levels, default=0), 0, -1):
        for folder in levels[level]:
            made[folder] = digest = _digest(lines[folder])
            above = _above(folder)
            lines.setdefault(above, []).append(f"{folder[len(above) :]}\0{digest}\0")
            levels.setdefault(level - 1, set()).add(above)
    if lines:
        made[""] = _digest(lines[""])
    return made


def folders_after(
    before: Mapping[str, str], changed: Iterable[str], inside: Callable[[str], Mapping[str, str]]
) -> dict[str, str]:
    """folder_digests() after some files came, went or changed; only the folders above them are looked into.

    ``inside`` tells the files directly in a folder as they are now: name and digest.
    """
    made = dict(before)
    below: dict[str, set[str]] = {}
    for folder in made:
        if folder:
            below.setdefault(_above(folder), set()).add(folder)
    todo = {path[: path.rfind("/") + 1] for path in changed}
    for folder in tuple(todo):
        while folder:
            todo.add(folder := _above(folder))
    for folder in sorted(todo, key=lambda one: -one.count("/")):
        lines = [f"{name}\0{digest}\0" for name, digest in inside(folder).items()]
        lines += [f"{one[len(folder) :]}\0{made[one]}\0" for one in below.get(folder, ()) if one in made]
        if lines:
            made[folder] = _digest(lines)
            if folder:
                below.setdefault(_above(folder), set()).add(folder)
        else:
            made.pop(folder, None)
    return made


def _above(folder: str) -> str:
    return folder[: folder.rfind("/", 0, -1) + 1]


def _digest(lines: list[str]) -> str:
    """The digest of a folder with these names and digests; a line sorts as its name does."""
    return sha256("".join(sorted(lines)).encode("utf-8", "surrogateescape")).hexdigest()


Nested = dict[str, "Nested | str"]


def _folder(node: Nested) -> Folder:
    total = sha256()
    folders: dict[str, Folder] = {}
    files: dict[str, str] = {}
    for name in sorted(node):
        below = node[name]
        if isinstance(below, str):
            files[name] = value = below
        else:
            folders[name[:-1]] = made = _folder(below)
            value = made.digest
        total.update(f"{name}\0{value}\0".encode("utf-8", "surrogateescape"))
    return Folder(total.hexdigest(), folders, files)


def folders_of(tree: Folder, path: str = "") -> Iterator[tuple[str, str]]:
    """Path and digest of every folder, the root ("") first, sorted."""
    yield path, tree.digest
    for name in sorted(tree.folders):
        yield from folders_of(tree.folders[name], f"{path}/{name}" if path else name)


class Difference(NamedTuple):
    """What differs between two trees, sorted by path. A renamed file has the same digest elsewhere."""

    added: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()  # (from, to)
    unchanged: int = 0

    def __bool__(self) -> bool:
        return bool(self.added or self.modified or self.deleted or self.renamed)


def differences(before: Folder, after: Folder) -> Difference:
    """What happened between two trees; folders of one digest are not looked into."""
    gone: dict[str, str] = {}
    new: dict[str, str] = {}
    modified: list[str] = []
    _descend(before, after, "", (gone, new, modified))
    renamed = renames(gone, new)
    moved_from, moved_to = {old for old, _ in renamed}, {path for _, path in renamed}
    return Difference(
        tuple(sorted(new.keys() - moved_to)),
        tuple(sorted(modified)),
        tuple(sorted(gone.keys() - moved_from)),
        tuple(renamed),
        _count(after) - len(new) - len(modified),
    )


_Found = tuple[dict[str, str], dict[str, str], list[str]]


def _descend(before: Folder, after: Folder, path: str, found: _Found) -> None:
    if before.digest == after.digest:
        return
    gone, new, modified = found
    for name in before.files.keys() | after.files.keys():
        old, now = before.files.get(name), after.files.get(name)
        if now is None and old is not None:
            gone[path + name] = old
        elif old is None and now is not None:
            new[path + name] = now
        elif old != now:
            modified.append(path + name)
    for name in before.folders.keys() | after.folders.keys():
        below = before.folders.get(name, EMPTY), after.folders.get(name, EMPTY)
        _descend(*below, f"{path}{name}/", found)


def renames(gone: Mapping[str, str], new: Mapping[str, str]) -> list[tuple[str, str]]:
    """Pairs of a path that went and one that came with the same digest; of several, those of one name first."""
    pairs: dict[str, str] = {}
    for named in (True, False):
        free: dict[tuple[str, str], list[str]] = {}
        for path in sorted(new.keys() - pairs.values(), reverse=True):
            free.setdefault(_likeness(path, new[path], named=named), []).append(path)
        for path in sorted(gone.keys() - pairs.keys()):
            fit = free.get(_likeness(path, gone[path], named=named))
            if fit and gone[path]:
                pairs[path] = fit.pop()
    return sorted(pairs.items())


def _likeness(path: str, digest: str, *, named: bool) -> tuple[str, str]:
    return digest, path.rsplit("/", 1)[-1] if named else ""


def _count(tree: Folder) -> int:
    return len(tree.files) + sum(map(_count, tree.folders.values()))


class Changes(NamedTuple):
    """What differs between a tree and what is indexed. ``look`` must be read: it is new, or its bytes may differ."""

    look: tuple[SourceEntry, ...] = ()
    deleted: tuple[str, ...] = ()
    unchanged: int = 0
    touched: Mapping[str, Stat] = {}  # unchanged files with other stat data
    stamp: str = ""  # of the listing; "" when a file is so young that equal stamps would prove nothing
    rows: Mapping[str, FileRow] = {}  # of the index, those of ``look`` among them
    news: bool = False  # nothing has changed, but the next check is cheaper once this one is written down

    @property
    def files(self) -> int:
        """How many files have changed."""
        return len(self.look) + len(self.deleted)

    def __bool__(self) -> bool:
        return bool(self.look or self.deleted)


FINE_GRAIN_NS = 20_000_000
"""Two writes closer than this can have the same time where a file system keeps parts of seconds: it takes the time of
the kernel's last tick, which comes every 1 to 10 ms.
"""
COARSE_GRAIN_NS = 2_000_000_000
"""The same where it keeps whole seconds (ext3, HFS+) or even ones (FAT)."""
_SECOND = 1_000_000_000


def is_young(stat: Stat, began_ns: int) -> bool:
    """Whether a file was last changed so shortly before ``began_ns`` that a later change may leave the same stat data.

    Both times are new after a change, so that the older one decides.
    """
    fine = stat.mtime_ns % _SECOND or stat.ctime_ns % _SECOND
    grain = FINE_GRAIN_NS if fine else COARSE_GRAIN_NS
    return min(stat.mtime_ns, stat.ctime_ns) >= began_ns - grain


def compare(entries: Iterable[SourceEntry], known: Mapping[str, FileRow], indexed_at_ns: int) -> Changes:
    """What must be looked at. ``indexed_at_ns`` is when the run that made the known rows began, by the clock of their
    file system.
    """
    look: list[SourceEntry] = []
    seen = 0
    left = set(known)
    for entry in entries:
        left.discard(entry.path)
        if _same(entry, known.get(entry.path), indexed_at_ns):
            seen += 1
        else:
            look.append(entry)
    return Changes(tuple(look), tuple(sorted(left)), seen)


def _same(entry: SourceEntry, row: FileRow | None, indexed_at_ns: int) -> bool:
    if row is None:
        return False
    if entry.refused is not None:
        return row.outcome == entry.refused and (entry.stat is None or entry.stat.size == row.size)
    return row.stat is not None and row.stat == entry.stat and not is_young(row.stat, indexed_at_ns)
