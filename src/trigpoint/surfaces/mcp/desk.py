"""Where calls are answered: checked, in time, cancellable, several side by side. Knows no transport."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock, Timer
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from trigpoint.context import Watch
from trigpoint.errors import TrigpointError
from trigpoint.surfaces.mcp import tools
from trigpoint.surfaces.mcp.answers import ANSWERS
from trigpoint.surfaces.mcp.indexer import Indexing
from trigpoint.surfaces.mcp.ledger import Ledger
from trigpoint.surfaces.mcp.projects import Project, Projects
from trigpoint.surfaces.mcp.replies import Asking, Reply, bounded, said
from trigpoint.surfaces.mcp.tools import DEADLINE_SECONDS, TOOLS
from trigpoint.text.tokens import ruler

THREADS = 8
"""Calls that are worked on at once; more wait."""
FIRST_WAIT_SECONDS = 8.0
"""How long a call waits for a first index before it says how far that is."""
MARGIN_SECONDS = 0.5
"""Before its deadline a call stops adding to its answer; after it, it is told that there is none."""
WARM = "words of a question that is asked first"
"""Asked before anybody asks: loads the model, the vocabulary and the postings."""
VOCABULARY_AFTER_SECONDS = 1.0
"""The vocabulary of the tokenizer takes as long to load as all the rest: a call that comes at once is not kept waiting for it."""
ROOTS_WAIT_SECONDS = 1.0
"""How long a first call waits for a client that was asked for its folders."""

Done = Callable[[Reply], None]
Tell = Callable[[Indexing], None]


class Session:
    """One client: what it has received, and whether its folders are still awaited."""

    def __init__(self) -> None:
        self.ledger = Ledger()
        self.settled = Event()
        self.settled.set()


class Call:
    """One tool call on its way: answered once, or cancelled and never."""

    def __init__(self, done: Done, tell: Tell) -> None:
        self._done = done
        self.tell = tell
        self._lock = Lock()
        self._over = False
        self.cancelled = Event()

    def finish(self, reply: Reply) -> bool:
        """Hand the reply over, unless that was done or nobody wants it; whether it was handed over."""
        with self._lock:
            if self._over:
                return False
            self._over = True
        self._done(reply)
        return True

    def cancel(self) -> None:
        """Nobody wants the reply any more."""
        with self._lock:
            self._over = True
        self.cancelled.set()


class _Order(NamedTuple):
    """A checked call of a session, and when it has to end."""

    session: Session
    name: str
    values: dict[str, Any]
    call: Call
    watch: Watch


class Desk:
    """Answers the calls of all sessions."""

    def __init__(self, projects: Projects) -> None:
        self.projects = projects
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="call")

    def submit(self, session: Session, name: str, given: object, call: Call) -> None:
        """Answer a call through ``call`` from another thread, in time, whatever happens.

        Raises KeyError for a tool that is none.
        """
        tool = TOOLS[name]
        try:
            values = tools.checked(tool, given)
        except TrigpointError as error:
            call.finish(_refused(error))
            return
        seconds = float(values.pop("seconds") or DEADLINE_SECONDS)
        ends = time.monotonic() + seconds
        timer = Timer(seconds, lambda: call.finish(_late(seconds)))
        timer.daemon = True
        timer.start()

        watch = Watch(ends - MARGIN_SECONDS, seconds, call.cancelled.is_set)

        def work() -> None:
            try:
                reply = self._answer(_Order(session, name, values, call, watch))
            finally:
                timer.cancel()
            call.finish(reply)

        self._pool.submit(work)

    def _answer(self, order: _Order) -> Reply:
        if order.call.cancelled.is_set():
            return said("cancelled")
        try:
            order.session.settled.wait(ROOTS_WAIT_SECONDS)
            return self._from_project(self.projects.open(order.values.pop("root")), order)
        except TrigpointError as error:
            return _refused(error)
        except Exception as error:
            traceback.print_exc()  # to standard error
            return said(
                f"this is a fault of trig itself ({type(error).__name__}); nothing was lost",
                "see its standard error",
            )

    def _from_project(self, project: Project, order: _Order) -> Reply:
        name, values, watch, ledger = order.name, order.values, order.watch, order.session.ledger
        now = time.monotonic()
        ends = now if name == "status" else min(now + FIRST_WAIT_SECONDS, watch.ends or now)
        if not project.wait(ends, watch.stopped, order.call.tell) and name not in ("status", "read"):
            return _indexing(project)
        project.refresh()
        number = ledger.begin()
        with project.engine() as engine:
            facts, measure = self._facts(project), ruler(exact=values.get("tokens") is not None)
            checked = project.checked
            asking = Asking(
                name, engine, values, watch, ledger, project.name, number, facts, measure, checked
            )
            reply = bounded(ANSWERS[name](asking), asking.budget, asking.ruler.count)
        if not order.call.cancelled.is_set():
            for span, text in reply.windows:
                ledger.record(project.name, span, text, number)
        return reply

    def _facts(self, project: Project) -> dict[str, Any]:
        facts: dict[str, Any] = {"roots": [_root(name, root) for name, root in self.projects.names.items()]}
        running = project.indexing
        if running is not None:
            facts["indexing"] = {
                "phase": running.phase,
                "done": running.done,
                "total": running.total,
                "note": str(running),
            }
        return facts

    def begin(self) -> None:
        """Bring the first project's index up to date and load what the first answer needs, in the background."""
        self._pool.submit(self._warm)

    def _warm(self) -> None:
        try:
            project = self.projects.first()
            if project is None:
                return
            if not project.has_index():
                project.start()
                return
            project.refresh()
            with project.warming() as engine:
                engine.context(WARM, update=False, watch=Watch(counted=False))
            time.sleep(VOCABULARY_AFTER_SECONDS)
            ruler(exact=True).count(WARM)
        except Exception:  # the first call will say what is wrong
            traceback.print_exc()

    def close(self) -> None:
        """Stop indexing; calls on their way are not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.projects.close()


def _root(name: str, root: Path) -> dict[str, Any]:
    from trigpoint.sources.git_head import head_of

    head, branch = head_of(str(root))
    return {"name": name, "path": str(root), "branch": branch, "head": head[:12]}


def _refused(error: TrigpointError) -> Reply:
    return said(error.message, error.hint)


def _late(seconds: float) -> Reply:
    return said(
        f"no answer within {seconds:g} s: the deadline has passed, and the work was given up",
        "give more seconds, or ask about less; `status` says whether indexing runs",
    )


def _indexing(project: Project) -> Reply:
    """There is nothing yet to answer from: say so, with how far it is."""
    state = project.indexing or Indexing()
    reply = said(
        f"there is no answer yet: {project.name} is indexed for the first time, {state}",
        "ask again in some seconds; `status` says how far it is, and `read` works meanwhile",
        error=False,
    )
    told = {"phase": state.phase, "done": state.done, "total": state.total, "note": str(state)}
    return reply._replace(structured={**reply.structured, "indexing": told})


def folders_of(roots: object) -> list[Path]:
    """The folders that a client's answer to roots/list names; what is no folder here is left out."""
    found: list[Path] = []
    if not isinstance(roots, Mapping):
        return found
    for one in roots.get("roots") or ():
        uri = one.get("uri") if isinstance(one, Mapping) else None
        parts = urlsplit(uri) if isinstance(uri, str) else None
        if parts is not None and parts.scheme == "file":
            path = Path(unquote(parts.path))
            if path.is_dir():
                found.append(path)
    return found
