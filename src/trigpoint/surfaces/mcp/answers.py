"""One function a tool: the answer as text and as structure, each within the token budget, the same that other surfaces give."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar

from trigpoint.context import Watch
from trigpoint.errors import UsageError
from trigpoint.model import PackedHit, Span, Status, StoredSymbol, Window
from trigpoint.operations import CONTEXT_TOKENS, GRAPH_TOKENS
from trigpoint.render import json as form
from trigpoint.render.context import as_call, as_json, as_text, plain
from trigpoint.render.context import fit as fit_context
from trigpoint.render.fit import Shortening, fit, fit_rows
from trigpoint.render.style import cut, escaped_json, visible
from trigpoint.requests import ReadRequest, SearchRequest
from trigpoint.surfaces.mcp import texts
from trigpoint.text.tokens import Ruler, ruler

if TYPE_CHECKING:
    from trigpoint.engine import Engine
    from trigpoint.graph.relation import Relation
    from trigpoint.model import Pack
    from trigpoint.search.context import Context
    from trigpoint.surfaces.mcp.ledger import Ledger
    from trigpoint.surfaces.mcp.projects import Checked

Object = dict[str, Any]


class Reply(NamedTuple):
    """What a tool answers. ``windows`` is the text that the session now has."""

    text: str
    structured: Object
    error: bool = False
    windows: tuple[tuple[Span, str], ...] = ()


BUDGETS: Mapping[str, int] = {
    "context": CONTEXT_TOKENS,
    "symbol": GRAPH_TOKENS,
    "impact": GRAPH_TOKENS,
    "map": GRAPH_TOKENS,
}
"""Tokens of an answer when none are given, by tool. A search takes those of its kind of question, the others what they need."""

_NOTE = 300
"""Characters of a note: some hold the name that was asked for, however long it was."""


class Asking(NamedTuple):
    """A checked call with all that an answer needs."""

    tool: str
    engine: Engine
    values: Mapping[str, Any]
    watch: Watch
    ledger: Ledger
    root: str
    number: int  # of the answer in its session
    facts: Object  # what the server knows beside the index: open roots, indexing
    ruler: Ruler  # what its tokens are counted with
    checked: Checked  # how the index stands to the files

    @property
    def budget(self) -> int:
        """The tokens asked for, or the default of the tool; never above the setting."""
        return min(self.values.get("tokens") or BUDGETS.get(self.tool, self.most), self.most)

    @property
    def most(self) -> int:
        """The longest answer to any call."""
        return self.engine.settings.context_max_tokens

    def forgotten(self) -> tuple[str, ...]:
        """What is to be said when the ledger was full."""
        many = self.ledger.forgotten
        return (
            (f"the session's ledger has forgotten {many:,} windows: they may be sent again",) if many else ()
        )

    def unfinished(self) -> tuple[str, ...]:
        """What is to be said while an index is being made."""
        running = self.facts.get("indexing")
        return (f"indexing runs ({running['note']}): edges and meaning may be missing",) if running else ()

    def held(self, path: str, lines: Sequence[str]) -> Any:
        """What the session has of a file; nothing when text is to be sent again."""
        return () if self.values.get("resend") else self.ledger.held(self.root)(path, lines)


def clean(found: Any) -> Any:
    """A structure in which every text can be seen: what cannot is written as an escape."""
    if isinstance(found, str):
        return plain(found)
    if isinstance(found, Mapping):
        return {key: clean(value) for key, value in found.items()}
    if isinstance(found, (list, tuple)):
        return [clean(value) for value in found]
    return found


def written(found: Object) -> str:
    """A structure as the client receives it."""
    return escaped_json(
        json.dumps(
            {"schema": form.SCHEMA, **clean(found)}, ensure_ascii=False, separators=(",", ":"), default=str
        )
    )


def parsed(line: str) -> Object:
    """The structure of a written one."""
    made: Object = json.loads(line)
    return made


def bounded(reply: Reply, budget: int, count: Callable[[str], int]) -> Reply:
    """The last word on the budget: what is still too long loses its end, or says so instead."""
    text, structured = reply.text, reply.structured
    if count(text) > budget:
        text = _shorter(text, budget, count)
    if count(written(structured)) > budget:
        note = f"{budget:,} tokens are too few for this answer: give more, or ask about less"
        structured = {"notes": [note]}
    return reply._replace(text=text, structured=structured)


def _shorter(text: str, budget: int, count: Callable[[str], int]) -> str:
    lines = text.split("\n")
    low, high = 0, len(lines)
    end = f"- cut: the budget of {budget:,} tokens is used\n"
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if count("\n".join([*lines[:middle], end])) <= budget else (low, middle - 1)
        )
    return "\n".join([*lines[:low], end])


# context


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
        freshness=_fresh(asking, found.freshness),
        missing=(*found.missing, *asking.unfinished(), *asking.forgotten()),
    )
    shown = fit_context(found, [lambda one: written(as_json(one)), _context_text], asking.ruler.count)
    windows = tuple((one.span, one.text) for one in shown.excerpts if one.text)
    return Reply(_context_text(shown), parsed(written(as_json(shown))), windows=windows)


def _context_text(found: Context) -> str:
    return as_text(found, as_call)


def _fresh(asking: Asking, fresh: Any) -> Any:
    """The server has checked the tree before the call; this is what it found."""
    if asking.facts.get("indexing"):
        return fresh._replace(state="stale", note=f"indexing runs: {asking.facts['indexing']['note']}")
    return fresh._replace(state=asking.checked.state, note=asking.checked.note)


# search


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
    pack = pack._replace(budget=budget, tokenizer=asking.ruler.name, freshness=_fresh(asking, pack.freshness))
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
        not window.elided
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


# structure


class _Card(NamedTuple):
    """A name: its definitions, who calls them, what they call."""

    symbols: tuple[StoredSymbol, ...]
    callers: Relation
    callees: Relation
    total: int

    @property
    def rows(self) -> int:
        """All there is to show."""
        return len(self.symbols) + len(self.callers.rows) + len(self.callees.rows)

    def first(self, count: int, /) -> Self:
        """Definitions, callers and callees in turn, ``count`` of them."""
        parts = [len(self.symbols), len(self.callers.rows), len(self.callees.rows)]
        kept = [0, 0, 0]
        while sum(kept) < min(count, sum(parts)):
            for at in range(3):
                if kept[at] < parts[at] and sum(kept) < count:
                    kept[at] += 1
        return self._replace(
            symbols=self.symbols[: kept[0]],
            callers=self.callers.first(kept[1]),
            callees=self.callees.first(kept[2]),
        )


def symbol(asking: Asking) -> Reply:
    """A name, its callers and its callees."""
    values, engine = asking.values, asking.engine
    budget, limit = asking.budget, values["limit"]
    found = engine.symbol(values["name"], limit=limit, update=False)
    if reason := asking.watch.over():
        raise UsageError(reason, "give more seconds")
    callers, callees = (
        _brief(
            getattr(engine, which)(values["name"], guesses=values["guesses"], limit=limit, update=False),
            asking,
        )
        for which in ("callers", "callees")
    )
    card = _Card(found, callers, callees, len(found))

    def structure(one: _Card) -> str:
        made = {
            **form.symbols(one.symbols),
            "callers": _part(one.callers, budget, asking),
            "callees": _part(one.callees, budget, asking),
            "notes": _left(one),
            "tokens": budget,
            "tokenizer": asking.ruler.name,
            "freshness": _state(asking, one.callers),
        }
        return written(made)

    def text(one: _Card) -> str:
        return (
            texts.symbols(one.symbols)
            + texts.relation(one.callers)
            + texts.relation(one.callees)
            + "".join(f"- {note}\n" for note in _left(one))
        )

    return Reply(
        _rows(card, card.rows, text, (budget, asking.ruler)),
        parsed(_rows(card, card.rows, structure, (budget, asking.ruler))),
    )


def _left(card: _Card) -> list[str]:
    notes = [] if card.symbols or card.total else ["nothing is called so here"]
    return notes + [f"{card.total - len(card.symbols)} definitions are left out"] * (
        card.total > len(card.symbols)
    )


def _part(one: Relation, budget: int, asking: Asking) -> Object:
    made = form.relation(one, budget, asking.ruler.name)
    return {key: made[key] for key in ("targets", "results", "total", "unresolved", "hidden", "notes")}


_TARGETS = 5


def _brief(one: Relation, asking: Asking) -> Relation:
    """Its notes and targets short, and how the index stands as the server knows it."""
    return one._replace(
        asked=cut(one.asked, _NOTE),
        targets=one.targets[:_TARGETS],
        notes=(*(cut(note, _NOTE) for note in one.notes), *asking.unfinished()),
        freshness=_fresh(asking, one.freshness),
    )


def _state(asking: Asking, one: Any) -> Object:
    fresh = _fresh(asking, one.freshness)
    return {"state": fresh.state, "generation": fresh.generation, "note": fresh.note}


Rows = TypeVar("Rows", bound=Shortening)


def _rows(answer: Rows, rows: int, write: Callable[[Rows], str], limit: tuple[int, Ruler]) -> str:
    """The rows that fit so many tokens."""
    budget, ruler = limit
    return fit_rows(answer, rows, write, lambda shown: ruler.count(shown) <= budget)


def impact(asking: Asking) -> Reply:
    """What a change may break."""
    values, budget = asking.values, asking.budget
    wishes = {name: values[name] for name in ("depth", "guesses", "limit")} | {"update": False}
    if bool(values["name"].strip()) == (values["diff"] is not None):
        raise UsageError(
            "impact needs a name or a diff, and not both",
            'for example {"name": "Parser.parse"} or {"diff": "HEAD"}',
        )
    if values["diff"] is not None:
        found = asking.engine.impact_of_diff(values["diff"] or "HEAD", **wishes)
    else:
        found = asking.engine.impact(values["name"], **wishes)
    found = _brief(found, asking)
    line = _rows(
        found,
        len(found.rows),
        lambda one: written(form.relation(one, budget, asking.ruler.name)),
        (budget, asking.ruler),
    )
    return Reply(_rows(found, len(found.rows), texts.relation, (budget, asking.ruler)), parsed(line))


def project_map(asking: Asking) -> Reply:
    """The most central files and definitions."""
    budget = asking.budget
    found = asking.engine.map(asking.values["paths"], update=False)
    found = found._replace(freshness=_fresh(asking, found.freshness))
    many = len(found.landmarks)
    line = _rows(
        found,
        many,
        lambda one: written(form.project_map(one, budget, asking.ruler.name)),
        (budget, asking.ruler),
    )
    return Reply(_rows(found, many, texts.project_map, (budget, asking.ruler)), parsed(line))


# files


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


def read(asking: Asking) -> Reply:
    """Lines of a file as it is now."""
    path, start, end = ReadRequest(asking.values["place"]).lines
    window = asking.engine.read(path, start, end)
    state = asking.engine.state_of(window.span.path)
    held = asking.ledger.holding(
        asking.root, window.span.path, window.span, [""] * (start - 1) + window.text.split("\n")
    )
    sent = (
        next((f"already sent: {one.span}, {one.pointer}" for one in held), "")
        if not asking.values["resend"]
        else ""
    )
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
        _rows(lines, rows, structure, (budget, asking.ruler)),
        _rows(lines, rows, text, (budget, asking.ruler)),
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
    text = _rows(
        found, rows, lambda one: texts.status(one.status, [*facts, *notes(one)]), (budget, asking.ruler)
    )
    return Reply(text, parsed(_rows(found, rows, structure, (budget, asking.ruler))))


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


_SAID = 70
"""Tokens, by the cautious estimate, of each half of a refusal: both fit the smallest budget, twice."""


def said(words: str, hint: str = "", *, error: bool = True) -> Reply:
    """A reply in words: why there is no answer, and what to do."""
    lines = [_terse(visible(one)) for one in (words, hint) if one]
    return Reply("\n".join(lines) + "\n", {"notes": lines}, error)


def _terse(text: str) -> str:
    """What was given may be quoted in it, however long and odd it was."""
    measure, kept = ruler(exact=False), len(text)
    while kept > 1 and measure.count(cut(text, kept)) > _SAID:
        kept = kept * 2 // 3
    return cut(text, kept)
