"""The answers about files: read and status."""

from __future__ import annotations

from typing import NamedTuple, Self

from trigpoint.model import Span, Status, Window
from trigpoint.render import json as form
from trigpoint.requests import ReadRequest
from trigpoint.surfaces.mcp import texts
from trigpoint.surfaces.mcp.replies import Asking, Reply, fitted, parsed, written


class _Lines(NamedTuple):
    """A window that can be had with its first lines only."""

    window: Window
    state: str
    sent: str = ""

    def first(self, count: int, /) -> Self:
        """The first ``count`` lines, at least one."""
        lines = self.window.text.split("\n")[: max(1, count)]
        span = self.window.span
        cut = Span(span.path, span.start, span.start + len(lines) - 1)
        return self._replace(window=Window(cut, "\n".join(lines)))


def _pointer(window: Window, asking: Asking) -> str:
    """Where the session has these lines, "" when it has not."""
    span = window.span
    lines = [""] * (span.start - 1) + window.text.split("\n")
    held = asking.ledger.holding(asking.root, span.path, span, lines)
    return next((f"already sent: {one.span}, {one.pointer}" for one in held), "")


def read(asking: Asking) -> Reply:
    """Lines of a file as it is now."""
    path, start, end = ReadRequest(asking.values["place"]).lines
    window = asking.engine.read(path, start, end)
    state = asking.engine.state_of(window.span.path)
    sent = "" if asking.values["resend"] else _pointer(window, asking)
    lines, budget = _Lines(window._replace(text="") if sent else window, state, sent), asking.most
    rows = window.text.count("\n") + 1

    def notes(one: _Lines) -> list[str]:
        last = one.window.span.end
        cut = f"cut at line {last}: the rest is {path}:{last + 1}-{window.span.end}"
        again = [f"{sent}; resend: true sends it again"] if sent else []
        return [*again, *([cut] * (not sent and last < window.span.end)), *asking.forgotten()]

    def structure(one: _Lines) -> str:
        made = {
            **form.window(one.window),
            "state": one.state,
            "notes": notes(one),
            "tokens": budget,
            "tokenizer": asking.ruler.name,
        }
        del made["elided"], made["verified"]
        return written(made | ({"sent": sent} if sent else {}))

    shown: list[_Lines] = []

    def text(one: _Lines) -> str:
        shown.append(one)
        return texts.window(one.window, one.state, notes(one))

    line, said = (
        fitted(lines, rows, structure, (budget, asking.ruler)),
        fitted(lines, rows, text, (budget, asking.ruler)),
    )
    windows = () if sent else ((shown[-1].window.span, shown[-1].window.text),)
    return Reply(said, parsed(line), windows=windows)


class _Told(NamedTuple):
    """A status that can be had with fewer files in detail."""

    status: Status

    def first(self, count: int, /) -> Self:
        """The first ``count`` files."""
        return self._replace(status=self.status._replace(files_detail=self.status.files_detail[:count]))


def status(asking: Asking) -> Reply:
    """What is indexed, and how fresh."""
    found, budget = _Told(asking.engine.status(files=asking.values["files"])), asking.most
    rows = len(found.status.files_detail)

    def notes(one: _Told) -> list[str]:
        left = rows - len(one.status.files_detail)
        return [f"{left:,} files are left out of the list: the budget is used"] * bool(left)

    def structure(one: _Told) -> str:
        return written(
            {
                **form.status(one.status),
                **asking.facts,
                "notes": notes(one),
                "tokens": budget,
                "tokenizer": asking.ruler.name,
            }
        )

    roots = "; ".join(
        f"{root['name']} ({root['path']}, {root['branch'] or 'no branch'})" for root in asking.facts["roots"]
    )
    running = f"indexing: {asking.facts['indexing']['note']}" if asking.facts.get("indexing") else ""
    facts = [f"projects: {roots}", running]
    text = fitted(
        found, rows, lambda one: texts.status(one.status, [*facts, *notes(one)]), (budget, asking.ruler)
    )
    return Reply(text, parsed(fitted(found, rows, structure, (budget, asking.ruler))))
