"""The part of the engine that counts answers: one line each beside the index, with no word of what was asked or found."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from trigpoint.model import ANSWERS

if TYPE_CHECKING:
    from trigpoint.config import Settings
    from trigpoint.model import Pack
    from trigpoint.ports import Snapshot
    from trigpoint.search.context import Context
    from trigpoint.tally import Stats

BYTES_PER_TOKEN = 4
"""By this both sides are estimated alike: what was given and the files it came from."""
NAMING_BYTES = 40
"""Of naming a result or a relation, beside its path."""


class Counted:
    """Answers are counted, unless the setting ``stats`` is off."""

    root: Path
    settings: Settings

    def stats(self) -> Stats:
        """How many answers were given each day, and the tokens of the files they came from. Never writes."""
        from trigpoint.tally import Stats, days

        file = self._answers_file
        return Stats(self.settings.stats, str(file), tuple(days(_lines(file))))

    @property
    def _answers_file(self) -> Path:
        """In the index's folder; where that lies inside the project, in the cache all the same."""
        folder = self.settings.index_dir
        if folder.is_relative_to(self.root):
            from trigpoint.config import index_folder

            cache = self.settings.cache_dir
            folder = cache / "stats" / index_folder(cache, self.root).name
        return folder / ANSWERS

    def _count_pack(self, pack: Pack, snapshot: Snapshot) -> Pack:
        """The answer, counted. All of its windows count as given, also where a surface prints one line of each."""
        if self.settings.stats:
            shown = [one.window for one in pack.hits if one.window is not None]
            size = sum(len(one.text) for one in shown)
            size += sum(NAMING_BYTES + len(one.hit.chunk.path) for one in pack.hits)
            rows = map(snapshot.file, {one.span.path for one in shown})
            _append(self._answers_file, "search", size, sum(row.size for row in rows if row is not None))
        return pack

    def _count_context(self, found: Context) -> Context:
        """The answer, counted."""
        if self.settings.stats:
            named = (*found.excerpts, *found.relations, *found.listed, *found.steps)
            size = sum(len(one.text) for one in found.excerpts) + 2 * NAMING_BYTES * len(named)
            _append(self._answers_file, "context", size, found.files_tokens * BYTES_PER_TOKEN)
        return found


def _append(file: Path, kind: str, given: int, files: int) -> None:
    """One short line, which the system appends in one piece however many processes write. A folder that cannot be written
    costs the line, never the answer.
    """
    line = f"{time.strftime('%Y-%m-%d')} {kind} {given // BYTES_PER_TOKEN} {files // BYTES_PER_TOKEN}\n"
    with suppress(OSError):
        try:
            handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        except FileNotFoundError:
            if file.parent.parent.name != "stats":  # no index, no folder
                raise
            file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(handle, line.encode())
        finally:
            os.close(handle)


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return []
