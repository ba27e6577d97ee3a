"""A folder on disk as a source."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from trigpoint.errors import SourceError
from trigpoint.model import SourceEntry, SourceFile
from trigpoint.sources.git_head import Head, head_of
from trigpoint.sources.listing import Listing
from trigpoint.sources.opening import NotAFileError, read_regular

_CAUSES = {
    errno.ENOENT: ("unreadable", "gone since it was listed"),
    errno.ENOTDIR: ("unreadable", "gone since it was listed"),
    errno.EACCES: ("unreadable", "no permission to read it"),
    errno.EPERM: ("unreadable", "no permission to read it"),
    errno.ELOOP: ("symlink", "became a link since it was listed"),
}


class DirectorySource:
    """The files of a folder: git's own list inside a git working tree, a walk by the same rules elsewhere.

    ``max_bytes`` is the size above which a file is refused. Without ``honour_git`` neither git nor ``.gitignore``
    is asked. ``extra_ignore`` are lines as in a ``.trigignore`` at the root, which comes after them.
    """

    def __init__(
        self,
        root: Path,
        *,
        max_bytes: int = 1_000_000,
        honour_git: bool = True,
        extra_ignore: Sequence[str] = (),
    ) -> None:
        self._root = os.path.realpath(root)
        self._max_bytes = max_bytes
        self._honour_git = honour_git
        self._extra_ignore = tuple(extra_ignore)
        self._notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The folder's real path."""
        return self._root

    @property
    def notes(self) -> tuple[str, ...]:
        """What the last listing has to say of itself, one sentence each: why git was not used."""
        return self._notes

    def entries(self) -> Iterator[SourceEntry]:
        """Every file, sorted by path, and every refused folder. Raises SourceError when the root is no folder."""
        return self.listing().entries()

    def listing(self) -> Listing:
        """The tree as it is now. Raises SourceError when the root is no folder."""
        try:
            with os.scandir(self._root):
                pass
        except NotADirectoryError:
            raise SourceError(
                "this is a file, not a folder", "give the folder that holds the project"
            ) from None
        except FileNotFoundError:
            raise SourceError("there is no such folder", "check the path") from None
        except OSError as error:
            raise SourceError(
                f"the folder cannot be listed: {error.strerror}", "check its permissions"
            ) from None
        listing = Listing(self._root, self._max_bytes, self._honour_git, self._extra_ignore)
        listing.run()
        self._notes = tuple(listing.notes)
        return listing

    def read(self, entry: SourceEntry) -> SourceFile:
        """The file as it is now, decoded. Never raises for the file: the outcome says what is wrong with it."""
        from trigpoint.sources.reading import file_of, unread  # decides languages: not needed to list
        from trigpoint.sources.reasons import because
        from trigpoint.sources.refusals import too_large

        if entry.refused:
            return unread(entry.path, entry.refused, entry.stat.size if entry.stat else 0)
        try:
            data = read_regular(os.path.join(self._root, entry.path), self._max_bytes + 1)
        except NotAFileError:
            return unread(entry.path, because("special-file"))
        except (OSError, ValueError) as error:
            number = getattr(error, "errno", None) or 0
            reason, detail = _CAUSES.get(number, ("unreadable", os.strerror(number) if number else ""))
            return unread(entry.path, because(reason, detail))
        if len(data) > self._max_bytes:
            return unread(entry.path, too_large(len(data), self._max_bytes), len(data))
        return file_of(entry.path, data)

    def digest(self, entry: SourceEntry) -> str:
        """The digest that read() would give; "" when the file cannot be read now, or is too large."""
        from hashlib import sha256

        try:
            data = read_regular(os.path.join(self._root, entry.path), self._max_bytes + 1)
        except (OSError, ValueError):
            return ""
        return sha256(data).hexdigest() if len(data) <= self._max_bytes else ""

    def head(self) -> Head:
        """The commit and branch checked out here, without running git."""
        return head_of(self._root)

    def resolve(self, path: str) -> Path:
        """The real path of a file of the tree. Raises OutsideRootError or NotFoundError."""
        from trigpoint.sources.confine import resolve_inside

        return resolve_inside(self._root, path)
