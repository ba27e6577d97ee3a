"""The commands that keep an index: watch it, compare its tree, carry it to another machine."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from trigpoint.render import json
from trigpoint.render import upkeep as render
from trigpoint.surfaces.cli import FOUND, NOTHING

if TYPE_CHECKING:
    from trigpoint.surfaces.cli import Asked


def _watch(asked: Asked) -> int:
    """One line an event, until a signal: to be stopped is its normal end."""
    request = asked.request
    with _stoppable():
        try:
            for event in asked.engine().watch(poll=request.poll, quiet_seconds=request.quiet / 1000):
                as_text = asked.parsed.format == "text"
                sys.stdout.write(render.watched(event) if as_text else json.line(render.watched_row(event)))
                sys.stdout.flush()
        except KeyboardInterrupt:
            return FOUND
    return FOUND


@contextmanager
def _stoppable() -> Iterator[None]:
    """SIGTERM as Ctrl-C: an update at work is ended where nothing is cut in half.

    A shell lets what it starts in the background ignore Ctrl-C; a watch is stopped by it there too.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        signal.raise_signal(signal.SIGINT)

    former = signal.signal(signal.SIGTERM, stop), signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, former[0])
        signal.signal(signal.SIGINT, former[1])


def _tree(asked: Asked) -> int:
    from trigpoint.surfaces.tree import tree

    return tree(asked)


def _export(asked: Asked) -> int:
    from trigpoint import __version__

    request = asked.request
    done = asked.engine().export_index(Path(request.file), update=request.update, made_by=__version__)
    asked.show(lambda: render.exported(done), lambda: done._asdict())
    return FOUND


def _import(asked: Asked) -> int:
    request = asked.request
    done = asked.engine().import_index(Path(request.file), exact=request.exact, force=request.force)
    asked.show(lambda: render.imported(done), lambda: render.imported_row(done))
    return FOUND


def _doctor(asked: Asked) -> int:
    """Nothing found is good news here: status 0 is a sound index, or one that was mended; 1 one with something wrong."""
    engine = asked.engine()
    found = engine.checkup(repair=asked.request.repair)
    asked.show(
        lambda: render.checkup(found, there=bool(found.findings) or engine.generation() > 0),
        lambda: render.checkup_row(found),
    )
    wrong = found.left if asked.request.repair else found.findings
    return NOTHING if wrong else FOUND


COMMANDS: dict[str, Callable[[Asked], int]] = {
    "watch": _watch,
    "tree": _tree,
    "doctor": _doctor,
    "export": _export,
    "import": _import,
}
"""One function a command."""
