"""The commands that walk the graph: callers, callees, deps, impact, path, map, graph."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from trigpoint.errors import UsageError
from trigpoint.operations import GRAPH_TOKENS
from trigpoint.render import json, text
from trigpoint.render.fit import fit_rows
from trigpoint.render.map import project_map

if TYPE_CHECKING:
    from trigpoint.graph.drawing import Drawing
    from trigpoint.graph.relation import Relation
    from trigpoint.model import Freshness
    from trigpoint.surfaces.cli import Asked

FOUND, NOTHING = 0, 1


def _related(asked: Asked) -> int:
    """callers, callees, deps and impact of a name."""
    if asked.parsed.queries is not None:
        return _batch(asked)
    if not asked.request.name.strip():
        raise UsageError("no name was given", f"for example: {asked.parsed.operation.example}")
    ask = getattr(_engine(asked), asked.parsed.operation.name)
    return _show(asked, ask(asked.request.name, **_wishes(asked)))


def _engine(asked: Asked) -> Any:
    from trigpoint.surfaces.cli import ready

    return ready(asked)


def _wishes(asked: Asked) -> dict[str, Any]:
    request = asked.request
    wished = ("depth", "guesses", "limit", "update")
    return {name: getattr(request, name) for name in wished if hasattr(request, name)}


def _show(asked: Asked, answer: Relation) -> int:
    budget, tokenizer = _budget(asked)
    writers: dict[str, Callable[[Relation], str]] = {
        "text": lambda shown: text.changes(shown, asked.look) + text.relation(shown, asked.look),
        "json": lambda shown: json.line(json.relation(shown, budget, tokenizer)),
        "jsonl": lambda shown: json.lines(json.relation_lines(shown, budget, tokenizer)),
    }
    shown = _fitted(asked, answer, len(answer.rows), writers[asked.parsed.format])
    sys.stdout.write(shown)
    if asked.parsed.format == "text":
        rows = shown.count("\n") - len(answer.changes) if not asked.look.terminal else len(answer.rows)
        _say_beside([*filter(None, [answer.sums()]), *answer.first(rows).lacks()], answer.freshness)
    return FOUND if answer.rows or answer.changes else NOTHING


def _budget(asked: Asked) -> tuple[int, str]:
    """The token budget, and what counts it: exactly only when somebody has set it."""
    from trigpoint.text.tokens import ESTIMATE, TOKENIZER

    given = asked.request.tokens
    return (GRAPH_TOKENS, ESTIMATE) if given is None else (given, TOKENIZER)


def _fitted(asked: Asked, answer: Any, rows: int, write: Callable[[Any], str]) -> str:
    """The written answer; for a person it is whole, the budget is that of a model."""
    if asked.look.terminal and asked.request.tokens is None:
        return write(answer)
    return _budgeted(answer, rows, write, *_budget(asked))


def _budgeted(answer: Any, rows: int, write: Callable[[Any], str], budget: int, tokenizer: str) -> str:
    from trigpoint.text.tokens import counter

    count = counter(tokenizer)
    return fit_rows(
        answer, rows, write, lambda shown: len(shown.encode()) <= budget or count((shown,))[0] <= budget
    )


def _say_beside(lines: Iterable[str], fresh: Freshness) -> None:
    from trigpoint.surfaces.cli import say

    for line in text.said(lines, fresh):
        say(line)


def _batch(asked: Asked) -> int:
    """Answer every question of a file in one process, one line each, as soon as it is known."""
    from trigpoint.surfaces.batch import read_questions

    if asked.request.name:
        raise UsageError("a name and --queries cannot be given together", "leave one out")
    questions = read_questions(asked.parsed.queries or "-")
    names = [(str(position), question.query) for position, question in enumerate(questions)]
    budget, tokenizer = _budget(asked)
    found = False
    answers = _engine(asked).walk_many(asked.parsed.operation.name, names, **_wishes(asked))
    for position, answer in answers:
        found = found or bool(answer.rows)
        name = {"id": questions[int(position)].id}
        write = _with_id(name, budget, tokenizer)
        sys.stdout.write(_fitted(asked, answer, len(answer.rows), write))
        sys.stdout.flush()
    return FOUND if found else NOTHING


def _with_id(name: dict[str, Any], budget: int, tokenizer: str) -> Callable[[Relation], str]:
    return lambda shown: json.line({**name, **json.relation(shown, budget, tokenizer)})


def _impact(asked: Asked) -> int:
    """Of a name or a file, or with --diff of what has changed."""
    base, name = asked.request.diff, asked.request.name
    if base is None:
        return _related(asked)
    if name or asked.parsed.queries is not None:
        raise UsageError("--diff asks about what has changed, not about a name", "leave one out")
    return _show(asked, _engine(asked).impact_of_diff(base, **_wishes(asked)))


def _path(asked: Asked) -> int:
    request = asked.request
    return _show(asked, _engine(asked).path(request.first, request.last, **_wishes(asked)))


def _map(asked: Asked) -> int:
    found = _engine(asked).map(asked.request.paths, update=asked.request.update)
    budget, tokenizer = _budget(asked)
    writers: dict[str, Callable[[Any], str]] = {
        "text": lambda shown: text.project_map(shown, asked.look),
        "json": lambda shown: json.line(project_map(shown, budget, tokenizer)),
    }
    write = writers.get(asked.parsed.format, writers["json"])
    written = _budgeted(found, len(found.landmarks), write, budget, tokenizer)
    sys.stdout.write(written)
    if asked.parsed.format == "text":
        _say_beside((), found.freshness)
    return FOUND if found.landmarks else NOTHING


LIMITS = {"html": 2_500, "mermaid": 60}
"""Most nodes where none are given: what a browser draws smoothly, and what a chart in a page can show."""


def _graph(asked: Asked) -> int:
    from trigpoint.graph.drawing import Wanted

    request = asked.request
    limit = LIMITS.get(request.form) if request.limit is None else request.limit
    wanted = Wanted(request.level, limit, request.paths or None, request.guesses)
    found = _engine(asked).graph(wanted, update=request.update)
    sys.stdout.write(FORMS[request.form](asked, found))
    if len(found.nodes) < found.total:
        _say_beside(
            [f"{found.total - len(found.nodes):,} of {found.total:,} nodes are left out: --limit"],
            found.freshness,
        )
    return FOUND if found.nodes else NOTHING


def _picture(asked: Asked, found: Drawing) -> str:
    from importlib.resources import files

    from trigpoint.graph.layout import layout
    from trigpoint.render.picture import picture

    template = files("trigpoint.render").joinpath("picture.html").read_text(encoding="utf-8")
    return picture(found, layout(found), asked.settings.root.name, template)


def _drawn(name: str) -> Callable[[Asked, Drawing], str]:
    def write(asked: Asked, found: Drawing) -> str:
        from trigpoint.render import drawing

        made = getattr(drawing, name)(found)
        return made if isinstance(made, str) else json.line(made)

    return write


FORMS: dict[str, Callable[[Asked, Drawing], str]] = {
    "json": _drawn("as_json"),
    "graphml": _drawn("graphml"),
    "dot": _drawn("dot"),
    "mermaid": _drawn("mermaid"),
    "html": _picture,
}

COMMANDS: dict[str, Callable[[Asked], int]] = {
    "callers": _related,
    "callees": _related,
    "deps": _related,
    "impact": _impact,
    "path": _path,
    "map": _map,
    "graph": _graph,
}
"""One function a command."""
