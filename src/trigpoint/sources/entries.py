"""From a path and what lstat says of it to an entry: what will be read, and what is refused unread."""

from __future__ import annotations

import os
from stat import S_IFLNK, S_IFMT, S_IFREG

from trigpoint.model import Outcome, SourceEntry, Stat
from trigpoint.sources.marks import folder_marks
from trigpoint.sources.reasons import because
from trigpoint.sources.refusals import refused_by_name, too_large

CHANGED = "st_mtime_ns" if os.name == "nt" else "st_ctime_ns"
"""When a file was last changed in any way. On Windows st_ctime is when it was made, which tells nothing."""

_VENDORED = frozenset({"vendored"})
_UNMARKED: frozenset[str] = frozenset()
_SPECIAL = because("special-file")


def stat_of(status: os.stat_result) -> Stat:
    """What of lstat is kept."""
    return Stat(status.st_size, status.st_mtime_ns, getattr(status, CHANGED), status.st_ino)


class EntryMaker:
    """Makes the entries of one tree. ``root`` is its real path and ends in a separator."""

    def __init__(self, root: str, max_bytes: int) -> None:
        self.root = root
        self._max_bytes = max_bytes

    def entry(self, path: str, status: os.stat_result) -> SourceEntry:
        """The entry of anything but a folder."""
        size = status.st_size
        kind = S_IFMT(status.st_mode)
        refused: Outcome | None
        if kind == S_IFREG:
            refused = refused_by_name(path)
            if refused is None and size > self._max_bytes:
                refused = too_large(size, self._max_bytes)
        else:
            refused = self.link(path) if kind == S_IFLNK else _SPECIAL
        stat = stat_of(status)
        marks = _VENDORED if "vendored" in folder_marks(path) else _UNMARKED
        return SourceEntry(path, stat, refused, marks)

    def refused(self, path: str, reason: str, detail: str = "") -> SourceEntry:
        """The entry of a folder that is not looked into, or of a file that lstat fails on."""
        return SourceEntry(path, None, because(reason, detail))

    def link(self, path: str) -> Outcome:
        """Links are never followed: what they point to inside the tree is listed under its own path."""
        full = self.root + path
        try:
            status = os.stat(full)
        except FileNotFoundError:
            return because("symlink", "a link that points to nothing")
        except OSError:
            return because("symlink", "a link that leads back to itself or cannot be followed")
        target = os.path.realpath(full)
        if not (target + os.sep).startswith(self.root):
            return because("symlink", "a link that points outside the project")
        inside = target[len(self.root) :].replace(os.sep, "/") or "."
        if S_IFMT(status.st_mode) == S_IFREG:
            return because("symlink", f"a link to {inside}, which is listed under its own path")
        return because("symlink", f"a link to {inside}, which is not followed")
