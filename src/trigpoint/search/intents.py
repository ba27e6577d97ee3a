"""THE TABLE: which question gets which legs, budgets and packing. Adding an intent is adding a row.

Rows are tried in order; the first that matches is taken, and the last matches everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from trigpoint.model import Query

Matcher = Callable[[Query], bool]


class Way(NamedTuple):
    """The graph column: along which edges, which way, how far, and past how many neighbours a hub is cut."""

    kinds: tuple[str, ...]
    direction: str  # forward, backward, both; rank is no walk but the PageRank of everything
    hops: int = 1
    fan: int = 50
    sites: bool = False  # hits are the places of use, not the definitions around them


class Intent(NamedTuple):
    """One kind of question."""

    name: str
    asks: str
    matches: Matcher
    legs: tuple[tuple[str, float], ...]  # in order, with the weight of their votes
    symbols: int  # hits at most
    tokens: int  # budget when none is given
    packing: str  # a mode of pack.MODES
    repeat: float  # share of its score that each further hit in a file keeps: low spreads over files, high digs in one
    examples: tuple[str, ...]
    walk: Way | None = None  # along which edges the graph leg goes from the subject
    subject: tuple[str, ...] = ()  # forms of subjects.py: the question is of this kind only if they give a name

    def about(self, query: Query) -> str:
        """The name that the question is about, by the forms of the row; "" when there is none."""
        return subject(query.text, self.subject)


def _bare(query: Query) -> str:
    return query.text.strip().strip("`'\"")


_NAME = re.compile(r"[@$A-Za-z_][\w$]*(?:(?:\.|::|->|#)[~A-Za-z_$][\w$]*)*[!?]?(?:\(\))?\Z")
_GLOB = re.compile(r"[*?\[]")


def is_symbol(query: Query) -> bool:
    """One name and nothing else, or "definition of NAME"."""
    bare = _bare(query)
    if _NAME.match(bare):
        return True
    lead = re.match(
        r"(?:(?:where is|find|show|go to)\s+)?(?:the\s+)?(?:definition|class|function|method|def)\s+(?:of\s+)?",
        bare,
        re.I,
    )
    return bool(lead and _NAME.match(bare[lead.end() :].removesuffix("?").removesuffix(" defined")))


def is_path(query: Query) -> bool:
    """A file, folder or glob and nothing else."""
    bare = _bare(query)
    return bool(query.paths) and len(bare.split()) == 1 and not query.frames


REPORT_WORDS = 40
"""A question as long as this is a report: it tells what happened, and its answer lies in few files."""


def is_failure(query: Query) -> bool:
    """A traceback, an error message or a long report."""
    bare = len(_bare(query).split()) == 1
    return bool(query.frames) or (bool(query.errors) and not bare) or len(query.text.split()) >= REPORT_WORDS


def is_tests(query: Query) -> bool:
    """Asks for tests of something."""
    return bool(
        re.search(
            r"\b(?:tests?|specs?)\s+(?:for|of|that|cover\w*|checks?)\b|\bwhich tests?\b|\btested\b",
            query.text,
            re.I,
        )
    )


def is_overview(query: Query) -> bool:
    """Asks how the whole is built or where to begin."""
    return bool(
        re.search(
            r"\b(?:overview|entry points?|where (?:do|should) i start|project structure|high.level (?:design|structure))\b"
            r"|\barchitecture of (?:this|the) (?:project|repo|code)",
            query.text,
            re.I,
        )
    )


def is_anything(query: Query) -> bool:
    """Every question."""
    return True


INTENTS: tuple[Intent, ...] = (
    Intent(
        "failure", "a traceback, error text or bug report", is_failure,
        (("path", 1.0), ("lexical", 1.0), ("symbol", 0.8)), 24, 4000, "depth first", 0.8,
        ('File "app/core.py", line 3, in run\nValueError: bad mode', "TypeError: unsupported operand", "panic: nil map"),
    ),
    Intent(
        "path", "a file or folder", is_path,
        (("path", 2.0), ("symbol", 0.5), ("lexical", 0.5)), 12, 2000, "outline", 0.3,
        ("src/app/core.py", "core.py", "lib/http/*.js"),
    ),
    Intent(
        "symbol", "a name", is_symbol,
        (("symbol", 2.0), ("path", 0.5), ("lexical", 1.0)), 8, 2000, "definition first", 0.3,
        ("parseConfig", "Session.open", "run()", "definition of parse_config"),
    ),
    Intent(
        "tests", "tests for something", is_tests,
        (("symbol", 1.0), ("path", 1.0), ("lexical", 1.0)), 20, 3000, "depth first", 0.5,
        ("tests for the config parser", "which test covers Session.open", "where is retry tested"),
    ),
    Intent(
        "overview", "architecture, structure, where to start", is_overview,
        (("path", 1.0), ("lexical", 1.0)), 60, 4000, "outline", 0.2,
        ("give me an overview", "what are the entry points", "architecture of this project"),
    ),
    Intent(
        "concept", "how, where, explain: everything else", is_anything,
        (("lexical", 1.0), ("symbol", 0.15), ("path", 0.4)), 20, 2000, "depth first", 0.3,
        ("how are retries scheduled", "where is the rate limit enforced", "cookie parsing and storage"),
    ),
)  # fmt: skip
"""The rows, most particular first."""


def intent_of(query: Query) -> Intent:
    """The first row that matches."""
    return next(row for row in INTENTS if row.matches(query))
