"""One function a tool: the answer as text and as structure, each within the token budget, the same that other surfaces give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from trigpoint.errors import UsageError
from trigpoint.model import PackedHit, Window
from trigpoint.render import json as form
from trigpoint.render.context import as_call, as_json, as_text
from trigpoint.render.context import fit as fit_context
from trigpoint.render.fit import fit
from trigpoint.requests import SearchRequest
from trigpoint.surfaces.mcp import texts
from trigpoint.surfaces.mcp.files import read, status
from trigpoint.surfaces.mcp.replies import Asking, Reply, fresh, parsed, written
from trigpoint.surfaces.mcp.walks import impact, project_map, symbol

if TYPE_CHECKING:
    from trigpoint.model import Pack
    from trigpoint.search.context import Context


def context(asking: Asking) -> Reply:
    """The composed answer."""
    values = asking.values
    watch = asking.watch._replace(held=asking.held)
    found = asking.engine.context(
        values["query"],
        watch=watch,
        symbols=values["symbols"],
        paths=values["paths"],
        diff=values["diff"],
        tier=values["tier"],
        tokens=values["tokens"],
        update=False,
    )
    found = found._replace(
        freshness=fresh(asking, found.freshness),
        missing=(*found.missing, *asking.unfinished(), *asking.forgotten()),
    )
    shown = fit_context(found, [lambda one: written(as_json(one)), _context_text], asking.ruler.count)
    windows = tuple((one.span, one.text) for one in shown.excerpts if one.text)
    return Reply(_context_text(shown), parsed(written(as_json(shown))), windows=windows)


def _context_text(found: Context) -> str:
    return as_text(found, as_call)


def search(asking: Asking) -> Reply:
    """Ranked passages."""
    values = asking.values
    if not values["query"].strip():
        raise UsageError("the question is empty", "ask something")
    wanted = SearchRequest(**{name: values[name] for name in SearchRequest._fields if name in values})
    pack = asking.engine.search(
        wanted.query,
        limit=wanted.limit,
        tokens=wanted.tokens,
        tier=wanted.tier,
        pipeline=wanted.pipeline,
        filters=wanted.filters,
        update=False,
    )
    budget = min(pack.budget, asking.most)
    pack = pack._replace(budget=budget, tokenizer=asking.ruler.name, freshness=fresh(asking, pack.freshness))
    sent = {packed.rank: pointer for packed in pack.hits if (pointer := _pointer(packed, asking))}
    hits = tuple(packed._replace(window=None) if packed.rank in sent else packed for packed in pack.hits)
    pack = pack._replace(hits=hits, notes=(*pack.notes, *asking.unfinished(), *asking.forgotten()))
    shown: list[Pack] = []

    def write(one: Pack) -> str:
        shown.append(one)
        found = form.search(one)
        for result in found["results"]:
            if result["rank"] in sent:
                result["sent"] = sent[result["rank"]]
        return written(found)

    line = fit(pack, write, asking.ruler.count)
    text = fit(pack, lambda one: texts.search(one, sent), asking.ruler.count)
    windows = tuple(
        (one.window.span, one.window.text) for one in shown[-1].hits if one.window and _is_run(one.window)
    )
    return Reply(text, parsed(line), windows=windows)


def _is_run(window: Window) -> bool:
    """Whether a window holds whole lines of its file, one after the other."""
    return (
        not (window.elided or window.outline)
        and window.text.removesuffix("\n").count("\n") == window.span.end - window.span.start
    )


def _pointer(packed: PackedHit, asking: Asking) -> str:
    """Where the session has the text of a hit, "" when it has not."""
    window = packed.window
    if window is None or not _is_run(window):
        return ""
    path, span = window.span.path, window.span
    lines = [""] * (span.start - 1) + window.text.removesuffix("\n").split("\n")
    for one in asking.ledger.holding(asking.root, path, span, lines) if not asking.values["resend"] else ():
        return f"already sent: {one.span}, {one.pointer}"
    return ""


ANSWERS: Mapping[str, Callable[[Asking], Reply]] = {
    "context": context,
    "search": search,
    "symbol": symbol,
    "impact": impact,
    "read": read,
    "map": project_map,
    "status": status,
}
"""One function a tool; a test compares the keys with tools.TOOLS."""
