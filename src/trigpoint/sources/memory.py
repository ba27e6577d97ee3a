"""A tree held in memory: for tests and for embedding, and the second implementer of the seam."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from hashlib import sha256
from typing import NamedTuple

from trigpoint.model import SourceEntry, SourceFile
from trigpoint.sources.marks import folder_marks
from trigpoint.sources.reading import file_of, unread
from trigpoint.sources.reasons import because
from trigpoint.sources.refusals import refused_by_name, too_large

_VENDORED = frozenset({"vendored"})


class MemorySource:
    """Files given as a mapping from path to text or bytes. Entries have no stat: only the digest tells a change."""

    def __init__(
        self, files: Mapping[str, str | bytes], *, name: str = "memory", max_bytes: int = 1_000_000
    ) -> None:
        self._files = {
            path: text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
            for path, text in files.items()
        }
        self._name = name
        self._max_bytes = max_bytes

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    def entries(self) -> Iterator[SourceEntry]:
        """Every file, sorted by path."""
        for path in sorted(self._files):
            size = len(self._files[path])
            refused = refused_by_name(path) or (
                too_large(size, self._max_bytes) if size > self._max_bytes else None
            )
            yield SourceEntry(path, None, refused, folder_marks(path) & _VENDORED)

    def listing(self) -> _Listing:
        """The files as they are now."""
        told = [f"{path}\0{sha256(data).hexdigest()}" for path, data in sorted(self._files.items())]
        stamp = sha256(
            "\0".join([str(self._max_bytes), *told]).encode("utf-8", "surrogateescape")
        ).hexdigest()
        return _Listing(stamp, tuple(self.entries()))

    def digest(self, entry: SourceEntry) -> str:
        """The digest that read() would give."""
        data = self._files.get(entry.path)
        return "" if data is None else sha256(data).hexdigest()

    def read(self, entry: SourceEntry) -> SourceFile:
        """The file, decoded; one that is not there any more comes back as unreadable."""
        if entry.refused:
            return unread(entry.path, entry.refused)
        data = self._files.get(entry.path)
        if data is None:
            return unread(entry.path, because("unreadable", "gone since it was listed"))
        return file_of(entry.path, data)


class _Listing(NamedTuple):
    """ports.Listing."""

    stamp: str
    found: tuple[SourceEntry, ...]

    def entries(self) -> Iterator[SourceEntry]:
        """Every file, sorted by path."""
        return iter(self.found)

    def paths(self) -> Set[str]:
        """The paths of all files."""
        return {entry.path for entry in self.found}

    def differing(self, known: Mapping[str, str], before_ns: int) -> Sequence[SourceEntry]:
        """All of them: without stat data nothing can be left out."""
        return self.found
