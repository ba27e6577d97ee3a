"""What an answer is made with and kept to: the call, the budget, text in which everything can be seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from trigpoint.context import Watch
from trigpoint.model import Span
from trigpoint.operations import CONTEXT_TOKENS, GRAPH_TOKENS
from trigpoint.render import json as form
from trigpoint.render.context import plain
from trigpoint.render.fit import Shortening, fit_rows
from trigpoint.render.style import cut, escaped_json, visible
from trigpoint.text.tokens import Ruler, ruler

if TYPE_CHECKING:
    from trigpoint.engine import Engine
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

NOTE = 300
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
        text = shortened(text, budget, count)
    if count(written(structured)) > budget:
        note = f"{budget:,} tokens are too few for this answer: give more, or ask about less"
        structured = {"notes": [note]}
    return reply._replace(text=text, structured=structured)


def shortened(text: str, budget: int, count: Callable[[str], int]) -> str:
    """The first lines of a text, as many as the budget holds, and a last one that says so."""
    lines = text.split("\n")
    low, high = 0, len(lines)
    end = f"- cut: the budget of {budget:,} tokens is used\n"
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if count("\n".join([*lines[:middle], end])) <= budget else (low, middle - 1)
        )
    return "\n".join([*lines[:low], end])


def fresh(asking: Asking, fresh: Any) -> Any:
    """The server has checked the tree before the call; this is what it found."""
    if asking.facts.get("indexing"):
        note = f"indexing runs: {asking.facts['indexing']['note']}"
        return fresh._replace(state="stale", stale=asking.checked.stale, note=note)
    return fresh._replace(state=asking.checked.state, stale=asking.checked.stale, note=asking.checked.note)


Rows = TypeVar("Rows", bound=Shortening)


def fitted(answer: Rows, rows: int, write: Callable[[Rows], str], limit: tuple[int, Ruler]) -> str:
    """The rows that fit so many tokens."""
    budget, ruler = limit
    return fit_rows(answer, rows, write, lambda shown: ruler.count(shown) <= budget)


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
