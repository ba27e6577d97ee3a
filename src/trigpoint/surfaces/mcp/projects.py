"""The projects that a server answers about: found, told apart, kept fresh, each with engines for calls side by side."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Lock
from typing import Any, NamedTuple

from trigpoint import config
from trigpoint.engine import Engine
from trigpoint.errors import NotFoundError, StoreError, TrigpointError, UsageError
from trigpoint.surfaces.mcp.indexer import Indexing, Run

CHECK_SECONDS = 2.0
"""A tree that was found unchanged so lately is not listed again: that is the most of an answer from 10,000 files."""
INLINE_FILES = 40
"""Changed files that are brought in before an answer; of more, the indexing process takes care."""
ENGINES = 4
"""Calls that are answered side by side about one project."""
POLL_SECONDS = 0.05
LOOKED_AT = 2_000
"""Folders that are looked at for projects below one that is none."""
NAMED = 12


class Checked(NamedTuple):
    """How the index stood to the files when they were last looked at."""

    state: str = "unknown"  # fresh, updated, stale, unknown
    note: str = ""
    stale: int = 0  # files that have changed and are not in the index yet


class Project:
    """One root, with its engines and the state of its index."""

    def __init__(self, name: str, root: Path, settings: Mapping[str, Any]) -> None:
        self.name = name
        self.root = root
        self._given = dict(settings)
        loaded = config.load(root, self._given)
        self.settings = loaded._replace(
            search_update_max_files=min(loaded.search_update_max_files, INLINE_FILES)
        )
        self._idle: list[Engine] = []
        self._made = 0
        self._most = ENGINES
        self._freed = Condition()
        self._updating = Lock()
        self._checked = -CHECK_SECONDS
        self.run: Run | None = None
        self.checked = Checked()

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        """An engine that nobody else uses meanwhile."""
        with self._freed:
            while not self._idle and self._made >= self._most:
                self._freed.wait()
            if not self._idle:
                self._made += 1
                self._idle.append(Engine(self.root, self.settings))
            engine = self._idle.pop()
        try:
            yield engine
        finally:
            with self._freed:
                self._idle.append(engine)
                self._freed.notify()

    @contextmanager
    def warming(self) -> Iterator[Engine]:
        """The engine that others wait for: a second one would load everything once more."""
        with self._freed:
            self._most = 1
        try:
            with self.engine() as engine:
                yield engine
        finally:
            with self._freed:
                self._most = ENGINES
                self._freed.notify_all()

    @property
    def indexing(self) -> Indexing | None:
        """How far the indexing process is, while there is one."""
        return self.run.state if self.run is not None and not self.run.state.ended else None

    def has_index(self) -> bool:
        """Whether anything was ever published."""
        with self.engine() as engine:
            return engine.generation() > 0

    def start(self) -> None:
        """Index in the background, unless that is going on."""
        with self._updating:
            if self.indexing is None:
                self.run = Run(self.root, self._given)

    def refresh(self) -> None:
        """Bring few changed files in at once, many in the background; not more often than every CHECK_SECONDS."""
        if self.indexing is not None or not self._updating.acquire(timeout=1.0):
            return
        try:
            if time.monotonic() - self._checked < CHECK_SECONDS:
                if self.checked.state == "updated":
                    self.checked = Checked("fresh")
                return
            with self.engine() as engine:
                found = engine.refresh()
            self._checked = time.monotonic()
            self.checked = Checked(found.state, found.note, found.stale)
            if found.state == "stale" and self.indexing is None:
                self.run = Run(self.root, self._given)
        except StoreError as error:
            self.checked = Checked("unknown", error.message)
        finally:
            self._updating.release()

    def wait(self, ends: float, stopped: Callable[[], bool], tell: Callable[[Indexing], None]) -> bool:
        """Whether there is an index, after waiting for a first one until ``ends``.

        Raises StoreError when indexing has failed.
        """
        if self.has_index():
            return True
        self.start()
        told: Indexing | None = None
        while not self.has_index():
            run = self.run
            if run is not None and run.state.ended:
                if self.has_index():
                    break
                raise StoreError(
                    f"{self.name} could not be indexed: {run.state.error or 'nothing was found'}",
                    "`trig index` says more",
                )
            if run is not None and run.state != told:
                told = run.state
                tell(told)
            if stopped() or time.monotonic() >= ends:
                return False
            time.sleep(POLL_SECONDS)
        return True

    def close(self) -> None:
        """Stop indexing."""
        if self.run is not None:
            self.run.stop()


class Projects:
    """All roots of a server by name, in their order."""

    def __init__(self, roots: Sequence[Path], settings: Mapping[str, Any], *, fixed: bool) -> None:
        self.fixed = fixed  # given on the command line: what a client says of its folders does not count
        self._settings = settings
        self._lock = Lock()
        self._known: dict[Path, Project] = {}
        self._below: dict[str, Path] = {}
        self._above: Path | None = None
        self.replace(roots)

    def replace(self, roots: Sequence[Path]) -> None:
        """Answer about these folders from now on."""
        with self._lock:
            self._roots = list(dict.fromkeys(Path(os.path.realpath(root)) for root in roots))
            self._above, self._below = None, {}
            if len(self._roots) == 1 and is_too_high(self._roots[0], self._settings):
                self._above = self._roots[0]
                self._below = named(projects_below(self._above))
                self._roots = list(self._below.values()) if len(self._below) == 1 else []

    @property
    def names(self) -> dict[str, Path]:
        """The roots by the names that tell them apart."""
        return named(self._roots) or self._below

    def open(self, name: str = "") -> Project:
        """The project of this name; without one the first. Raises UsageError or NotFoundError when there is none."""
        with self._lock:
            names = named(self._roots)
            if not names and not (name and name in self._below):
                raise self._too_high()
            known = names or self._below
            if name and name not in known:
                raise UsageError(f"no project is called {name[:80]!r}", f"open are: {', '.join(known)}")
            chosen = name or next(iter(known))
            root = known[chosen]
            if root not in self._known:
                self._known[root] = self._alone(Project(chosen, root, self._settings))
            return self._known[root]

    def _alone(self, project: Project) -> Project:
        """The project, if no other keeps its index in the same folder: index.dir is meant for one."""
        for other in self._known.values():
            if other.settings.index_dir == project.settings.index_dir:
                raise UsageError(
                    f"{project.name} and {other.name} would share one index folder",
                    "leave index.dir out, or set cache.dir",
                )
        return project

    def _too_high(self) -> TrigpointError:
        where = self._above.name or "/" if self._above is not None else "nothing"
        if self._below:
            some = ", ".join(list(self._below)[:NAMED]) + ", …" * (len(self._below) > NAMED)
            return UsageError(
                f"{where} is no project itself: it holds {len(self._below)}: {some}",
                f"give root, for example {next(iter(self._below))!r}; or start `trig mcp --root FOLDER`",
            )
        return NotFoundError(
            f"{where} is no project: too large a folder to index unasked, and no repository lies below it",
            "start `trig mcp --root FOLDER` with the folder of a project",
        )

    @property
    def opened(self) -> tuple[Project, ...]:
        """Those that were asked about."""
        return tuple(self._known.values())

    def first(self) -> Project | None:
        """The first project, if there is one."""
        try:
            return self.open()
        except TrigpointError:
            return None

    def close(self) -> None:
        """Stop all indexing."""
        for project in self._known.values():
            project.close()


def named(roots: Sequence[Path]) -> dict[str, Path]:
    """Names for folders: the last part, and as many before it as tell them apart."""
    found: dict[str, Path] = {}
    for root in roots:
        for parts in range(1, len(root.parts) + 1):
            name = "/".join(root.parts[-parts:]).replace("//", "/")
            others = [
                other
                for other in roots
                if other != root and "/".join(other.parts[-parts:]).replace("//", "/") == name
            ]
            if not others:
                break
        found[name] = root
    return found


def is_too_high(root: Path, settings: Mapping[str, Any]) -> bool:
    """Whether a folder is none that somebody means as a project: the root, a home, or one that only holds projects."""
    if any((root / marker).exists() for marker in ("trigpoint.toml", ".git", ".trigpoint")):
        return False
    if root == Path(root.anchor) or root == Path.home():
        return True
    if config.load(root, settings).index_dir.exists():
        return False
    return bool(projects_below(root, most=1))


def projects_below(root: Path, most: int = 100) -> list[Path]:
    """Repositories up to two folders down, sorted."""
    found: list[Path] = []
    looked = 0
    level = [root]
    for _ in range(2):
        deeper: list[Path] = []
        for folder in level:
            for child in _folders(folder):
                looked += 1
                if looked > LOOKED_AT or len(found) >= most:
                    return sorted(found)
                (found if (child / ".git").exists() else deeper).append(child)
        level = deeper
    return sorted(found)


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                Path(entry.path)
                for entry in entries
                if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
            )
    except OSError:
        return []
