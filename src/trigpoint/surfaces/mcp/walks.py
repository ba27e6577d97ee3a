"""The answers that walk the graph: symbol, impact, map."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from trigpoint.errors import UsageError
from trigpoint.model import StoredSymbol
from trigpoint.render import json as form
from trigpoint.render.map import project_map as as_map
from trigpoint.render.style import cut
from trigpoint.surfaces.mcp import texts
from trigpoint.surfaces.mcp.replies import NOTE, Asking, Object, Reply, fitted, fresh, parsed, written

if TYPE_CHECKING:
    from trigpoint.graph.relation import Relation


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
            "freshness": form.state(fresh(asking, one.callers.freshness)),
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
        fitted(card, card.rows, text, (budget, asking.ruler)),
        parsed(fitted(card, card.rows, structure, (budget, asking.ruler))),
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
        asked=cut(one.asked, NOTE),
        targets=one.targets[:_TARGETS],
        notes=(*(cut(note, NOTE) for note in one.notes), *asking.unfinished()),
        freshness=fresh(asking, one.freshness),
    )


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
    line = fitted(
        found,
        len(found.rows),
        lambda one: written(form.relation(one, budget, asking.ruler.name)),
        (budget, asking.ruler),
    )
    return Reply(fitted(found, len(found.rows), texts.relation, (budget, asking.ruler)), parsed(line))


def project_map(asking: Asking) -> Reply:
    """The most central files and definitions."""
    budget = asking.budget
    found = asking.engine.map(asking.values["paths"], update=False)
    found = found._replace(freshness=fresh(asking, found.freshness))
    many = len(found.landmarks)
    line = fitted(
        found,
        many,
        lambda one: written(as_map(one, budget, asking.ruler.name)),
        (budget, asking.ruler),
    )
    return Reply(fitted(found, many, texts.project_map, (budget, asking.ruler)), parsed(line))
