"""The part of the engine that keeps an index: watches its tree, writes it to a file and takes it from one, examines it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from trigpoint.errors import SourceError, StoreError, StoreLockedError, UsageError
from trigpoint.model import Checkup, Exported, Finding, Imported, IndexReport, Progress, Watched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from trigpoint.config import Settings
    from trigpoint.indexing.freshness import Wanted
    from trigpoint.indexing.merkle import Changes
    from trigpoint.indexing.tree import TreeDifference, TreeState
    from trigpoint.model import Freshness
    from trigpoint.ports import Snapshot
    from trigpoint.sources.directory import DirectorySource
    from trigpoint.views import Views

NAMED = 5
"""Most paths that an update names."""
RETRY_SECONDS = (2.0, 30.0)
"""Pauses before an update that failed is tried again: of the first, and the longest; each is twice the one before."""


class Upkeep:
    """What the Engine is asked about the index itself."""

    settings: Settings

    @property
    def _source(self) -> DirectorySource:
        raise NotImplementedError

    def _wanted(self, *, full: bool = False, verify: bool = False) -> Wanted:
        raise NotImplementedError

    def _pending(self, snapshot: Snapshot) -> Changes:
        raise NotImplementedError

    def _views(self, snapshot: Snapshot, changed: int) -> Views:
        raise NotImplementedError

    def close(self) -> None:
        """Let all resources go."""
        raise NotImplementedError

    def _current(self, *, update: bool) -> AbstractContextManager[tuple[Snapshot, Freshness]]:
        raise NotImplementedError

    def _snapshot(self) -> AbstractContextManager[Snapshot]:
        raise NotImplementedError

    def index(
        self, *, full: bool = False, verify: bool = False, progress: Callable[[Progress], None] | None = None
    ) -> IndexReport:
        """Bring the index up to date with the files."""
        raise NotImplementedError

    def watch(self, *, poll: bool = False, quiet_seconds: float = 0.2) -> Iterator[Watched]:
        """Keep the index fresh until the caller has enough: one event an update that changed something.

        The first update is made before the event "ready". ``poll`` lists the tree again and again instead of waiting for
        notices of the system, which is also done where there are none. Raises StoreError when the index cannot be written.
        """
        from trigpoint.sources.watching import Watcher, Wish

        updates = _Updates(self)
        watcher = Watcher(
            self._source.name,
            Wish(quiet_seconds, poll),
            lambda: self._source.listing().stamp,
            updates.concern,
        )
        for stir in watcher.stirs():
            event = Watched(stir.kind, note=stir.note)
            if stir.kind in ("ready", "changed"):
                event = updates.after(stir.kind)
                if updates.pause:
                    watcher.again_in(updates.pause)
            if event.kind != "nothing":
                yield event

    def tree(self, *, update: bool = True) -> TreeState:
        """The state of the tree, with ``update`` as it is now, else as it was indexed.

        Raises NotFoundError when nothing is indexed and ``update`` is off.
        """
        from trigpoint.indexing.tree import state_of

        with self._current(update=update) as (snapshot, freshness):
            return state_of(snapshot, freshness.head, freshness.branch)

    def tree_difference(
        self, before: TreeState, after: TreeState | None = None, *, update: bool = True
    ) -> TreeDifference:
        """How two states of the tree differ; without ``after`` it is the state now."""
        from trigpoint.indexing.tree import compare_states

        return compare_states(before, after if after is not None else self.tree(update=update))

    def export_index(self, file: Path, *, update: bool = True, made_by: str = "") -> Exported:
        """Write the index into one file, with ``update`` after the changes of the tree were brought in. ``made_by`` is
        the version that the file names.

        Raises NotFoundError when nothing is indexed, UsageError when another file stands there, StoreError.
        """
        from trigpoint.indexing.freshness import ROOT, SETTINGS
        from trigpoint.stores.local.database import FORMAT
        from trigpoint.stores.local.portable import Manifest, export

        if update:
            self.index()
        with self._current(update=False) as (snapshot, freshness):
            files = snapshot.counts()["files"]
            about = Manifest(
                made_by=made_by,
                schema=FORMAT,
                generation=snapshot.generation,
                files=files,
                settings=snapshot.meta(SETTINGS),
                root=snapshot.meta(ROOT),
                head=freshness.head,
                branch=freshness.branch,
            )
        digest = export(self.settings.index_dir, file, about)
        size = file.stat().st_size
        return Exported(str(file), size, digest, files, about.generation, about.root, about.head)

    def import_index(self, file: Path, *, exact: bool = False, force: bool = False) -> Imported:
        """Take the index from a file that export_index() wrote, then bring in the files that differ here.

        At least half of the files must be the same as there, and the settings; with ``exact`` all of them, with ``force``
        neither. Raises UsageError when they are not, StoreError when the file is damaged; the former index is then intact.
        """
        from trigpoint.stores.local import LocalStore
        from trigpoint.stores.local.portable import install, unpack, workplace

        index = self.settings.index_dir
        with workplace(index) as fresh:
            about = unpack(file, fresh)
            store = LocalStore(fresh, self.settings.lexical)
            snapshot = store.snapshot()
            try:
                changes = self._pending(snapshot)
            finally:
                snapshot.close()
                store.close()
            refusal = _refusal(changes, about.settings == self._wanted().settings, exact=exact)
            if refusal and not force:
                raise UsageError(
                    f"{file} does not fit: {refusal}",
                    "the index here is as it was; --force imports it all the same",
                )
            self.close()
            install(fresh, index, self.settings.lexical)
        report = self.index()
        return Imported(str(file), about.files, changes.unchanged, about.head, report)

    def doctor(self, *, repair: bool = False) -> tuple[str, ...]:
        """What is wrong with the index, () when it is sound; with ``repair`` what was mended. See checkup()."""
        found = self.checkup(repair=repair)
        told = found.mended if repair else tuple(map(str, found.findings))
        return (*told, *(f"still wrong: {one}" for one in found.left))

    def checkup(self, *, repair: bool = False) -> Checkup:
        """What is wrong with the index; with ``repair`` it is mended from what is sound.

        Nothing is removed before what takes its place is there, and nothing at all of an index that is locked, that may not
        be written, or that another program or a newer version made. Raises StoreLockedError, StoreError, SourceError.
        """
        findings = self._findings()
        if not repair or not findings:
            return Checkup(findings)
        mended = self._mended({one.mends for one in findings})
        return Checkup(findings, tuple(mended), self._findings())

    def _findings(self) -> tuple[Finding, ...]:
        from trigpoint.stores.local.checks import EDGES, MEANING, ROWS, examine

        found = examine(self.settings.index_dir, self.settings.lexical)
        if any(one.part in (ROWS, "access") for one in found):
            return tuple(found)
        from trigpoint.stores.local import LocalStore

        snapshot = LocalStore(self.settings.index_dir, self.settings.lexical).rows_only()
        try:
            views = self._views(snapshot, 0)
        finally:
            snapshot.close()
        parts = {one.part for one in found}
        for view, part in (("edges", EDGES), ("vectors", MEANING)):
            state, reason = views.get(view, ("fresh", ""))
            if state not in ("fresh", "building") and part not in parts:
                found.append(Finding(part, f"the {view} are {state}: {reason}", "they are made anew", part))
        return tuple(found)

    def _mended(self, parts: set[str]) -> Iterator[str]:
        """Each part from what is sound: the rows from the files, all else from the rows."""
        from trigpoint.stores.local import checks, repairs

        index = self.settings.index_dir
        self.close()
        if checks.ROWS in parts:
            with repairs.set_aside(index):
                report = self.index()
            yield f"the index was built anew from {report.files:,} files"
        elif checks.POSTINGS in parts:
            yield from self._rebuild_postings()
        if checks.MEANING in parts and checks.ROWS not in parts:
            repairs.forget_vectors(index)
        if checks.EDGES in parts and checks.ROWS not in parts:
            repairs.forget_edges(index)
        if parts & {checks.MEANING, checks.EDGES} and checks.ROWS not in parts:
            self.close()
            self.index()
            yield f"made anew: {', '.join(sorted(parts & {checks.MEANING, checks.EDGES}))}"
        if checks.ORPHANS in parts:
            yield from repairs.clear(index)
        self.close()

    def _rebuild_postings(self) -> Sequence[str]:
        from trigpoint.stores.local import LocalStore
        from trigpoint.stores.local.repairs import WAIT_SECONDS

        return LocalStore(self.settings.index_dir, self.settings.lexical).rebuild_postings(WAIT_SECONDS)

    def _known_paths(self) -> list[str]:
        with self._snapshot() as snapshot:
            return [row.path for row in snapshot.files()]


def _refusal(changes: Changes, fits: bool, *, exact: bool) -> str:
    """Why an index made elsewhere is not taken: little of it would be left after the update that follows."""
    total = changes.unchanged + changes.files
    if not fits:
        return "it was made with other settings or another version, so every file would be read again"
    if exact and changes.files:
        return f"{changes.files:,} of {total:,} files are not the same here"
    if 2 * changes.unchanged < total:
        return f"only {changes.unchanged:,} of {total:,} files are the same here"
    return ""


class _Updates:
    """The updates of one watch."""

    def __init__(self, engine: Upkeep) -> None:
        self._engine = engine
        self._first = True
        self._said = ""
        self.pause = 0.0  # seconds to the next try after a failure; 0 when there was none
        self._relevant: Callable[[Collection[str]], bool] | None = None

    def concern(self, paths: Collection[str]) -> bool:
        """Whether changes at these paths can matter, by the rules as they are after the last update."""
        from trigpoint.sources.relevance import Relevance

        if not paths:
            return False
        if self._relevant is None:
            self._relevant = Relevance(self._engine._source.name, self._engine._known_paths()).any
        return self._relevant(paths)

    def after(self, kind: str) -> Watched:
        """Update, and say what changed. What keeps an update from being made is said once and tried again."""
        paths: list[str] = []

        def note(event: Progress) -> None:
            if event.phase == "read" and event.path and len(paths) < NAMED:
                paths.append(event.path)

        try:
            report = self._engine.index(progress=note)
        except SourceError:  # the folder went just now: the next stir says so
            return Watched("nothing")
        except StoreError as error:
            if self._first and not isinstance(error, StoreLockedError):
                raise
            return self._failed(error)
        if report.interrupted:
            raise KeyboardInterrupt
        self._first, self._said, self.pause, self._relevant = False, "", 0.0, None
        changed = report.added + report.modified + report.deleted + report.renamed
        if kind == "changed" and not changed:
            return Watched("nothing")
        return Watched("update" if kind == "changed" else kind, report, tuple(paths), report.note)

    def _failed(self, error: StoreError) -> Watched:
        first, longest = RETRY_SECONDS
        self.pause = min(longest, 2 * self.pause) if self.pause else first
        if error.message == self._said:
            return Watched("nothing")
        self._said = error.message
        return Watched("failed", note=error.message)
