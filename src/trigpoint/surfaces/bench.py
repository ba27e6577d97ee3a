"""`trig bench`: a labelled set asked of this project, or one mined from it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from trigpoint.errors import UsageError
from trigpoint.evaluation.measure import compare, means
from trigpoint.evaluation.questions import read_questions
from trigpoint.render import bench as render

if TYPE_CHECKING:
    from trigpoint.surfaces.cli import Asked

FOUND, NOTHING = 0, 1
MINE = "mine"
"""The word in place of a file that mines a labelled set."""


def _bench(asked: Asked) -> int:
    if not asked.request.file:
        raise UsageError("no labelled set was given", f"for example: {asked.parsed.operation.example}")
    return _mine(asked) if asked.request.file == MINE else _measure(asked)


def _measure(asked: Asked) -> int:
    from trigpoint.surfaces.cli import ready

    request = asked.request
    qrels = _content(request.qrels) if request.qrels else ""
    questions = read_questions(_content(request.file), request.file, qrels)
    other = render.read_run(_content(request.compare), request.compare) if request.compare else None
    run = ready(asked).bench(
        questions, tier=request.tier, pipeline=request.pipeline, depth=request.depth, update=request.update
    )
    values = list(means(run))
    differences = list(compare(run, other)) if other else []
    asked.show(
        lambda: render.run_text(run, values, differences), lambda: render.run_object(run, values, differences)
    )
    return FOUND


def _mine(asked: Asked) -> int:
    """The questions on standard output, what was refused beside it."""
    from trigpoint.surfaces.cli import ready, say

    request = asked.request
    found = ready(asked).mine(commits=request.commits, docs=not request.no_docs, update=request.update)
    for line in render.question_lines(found.questions):
        sys.stdout.write(line)
    say(f"{len(found.questions):,} questions; refused: {render.refused(found.refused) or 'none'}")
    return FOUND if found.questions else NOTHING


def _content(name: str) -> str:
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise UsageError(
            f"cannot read {name}: {error.strerror}", "give a file, or - to pipe it in"
        ) from error
    return content.decode("utf-8", "replace")


COMMANDS: dict[str, Callable[[Asked], int]] = {"bench": _bench}
"""One function an operation."""
