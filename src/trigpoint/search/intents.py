"""THE TABLE: which question gets which legs, budgets and packing. Adding an intent is adding a row.

Rows are tried in order; the first that matches is taken, and the last matches everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from trigpoint.model import Query
from trigpoint.search.matchers import (
    is_anything,
    is_data_flow,
    is_dependencies,
    is_failure,
    is_impact,
    is_overview,
    is_path,
    is_symbol,
    is_task,
    is_tests,
    is_usages,
)
from trigpoint.search.subjects import DATA_FLOW, DEPENDENCIES, IMPACT, USAGES, subject

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
    subject: tuple[
        str, ...
    ] = ()  # forms of subjects.py: the question is of this kind only if they give a name
    rerank: bool = False  # whether a model, where one is set, reads the best results again
    fusion: str = "rrf"  # a key of fuse.FUSIONS
    signals: tuple[tuple[str, float], ...] = ()  # those that weigh otherwise here than in signals.SIGNALS

    def about(self, query: Query) -> str:
        """The name that the question is about, by the forms of the row; "" when there is none."""
        return subject(query.text, self.subject)


INTENTS: tuple[Intent, ...] = (
    Intent(
        "failure", "a traceback, error text or bug report", is_failure,
        (("path", 0.5), ("lexical", 1.0), ("vector", 1.0), ("symbol", 0.8)), 24, 4000, "depth first", 0.95,
        ('File "app/core.py", line 3, in run\nValueError: bad mode', "TypeError: unsupported operand", "panic: nil map",
         "    at Session.open (/srv/app/session.js:10:5)", "at org.mill.Grain.grind(Grain.java:42)\nCaused by: nothing",
         "#0 /srv/Grain.php(14): Mill\\Grain->grind()\n#1 {main}", "lib/grain.rb:9:in `grind': stuck (RuntimeError)",
         "I get a KeyError: 'mode' as soon as I open the second valve", "error: could not compile `mill`",
         "bug: the pump runs on after the valve is shut", "the export hangs when the disk is full",
         "System.NullReferenceException: Object reference not set", "Segmentation fault while closing a session"),
        rerank=True,
    ),
    Intent(
        "path", "a file or folder", is_path,
        (("path", 2.0), ("symbol", 0.5), ("lexical", 0.5)), 12, 2000, "outline", 0.3,
        ("src/app/core.py", "core.py", "lib/http/*.js", "docs/guide/", "*.toml", "Gemfile", "open app/core.py",
         "where is core.py", "show me src/app/core.py:12", "what is in lib/http/", "find session.rb",
         "list the files under lib/http/", "app\\core.cs"),
    ),
    Intent(
        "symbol", "a name", is_symbol,
        (("symbol", 2.0), ("alias", 1.5), ("path", 0.5), ("lexical", 1.0)), 8, 2000, "definition first", 0.3,
        ("parseConfig", "Session.open", "run()", "definition of parse_config", "where is `open_valve` defined", "class Session",
         "show me the Session class", "struct GrainMill", "find the function open_valve", "ns::Session::open",
         "what is MAX_SIZE", "source code of Session#open", "go to parseConfig", "trait Grindable"),
    ),
    Intent(
        "task", "a change to be made", is_task,
        (("path", 0.5), ("lexical", 1.0), ("vector", 1.0), ("symbol", 0.5)), 24, 4000, "depth first", 0.95,
        ("fix the race when the mill is stopped twice", "add support for a second valve", "don't crash on an empty hopper",
         "allow the miller to skip a batch", "rename the grain setting to coarseness", "make sure that a valve is closed only once",
         "fix(valve): keep the pressure when reopening", "Hopper reader: handle broken sacks", "we need to replace the old scales",
         "refactor the weighing so that it can be reused", "please remove the deprecated sieve options",
         "avoid grinding the same batch again", "stop logging the weight of every sack", "improve the message for a blocked chute"),
        rerank=True,
        signals=(("bm25", 1.2), ("file-name", 0.3), ("covered", 2.0), ("header", 0.0)),
    ),
    Intent(
        "impact", "what breaks when a name changes", is_impact,
        (("graph", 3.0), ("symbol", 0.5), ("alias", 0.5)), 80, 4000, "breadth first", 0.9,
        ("what breaks if I change parse_config", "what breaks if Session.open changes", "impact of renaming Config",
         "what depends on url_for", "what would break if we remove retry()", "blast radius of Parser.parse",
         "is it safe to delete old_helper", "what is affected by changing MAX_SIZE", "who depends on src/app/core.py",
         "which files depend on Session", "what will fail if someone renames the Config class",
         "can I safely remove parse_config", "dependents of Session", "effects of changing open_valve"),
        Way(("calls", "inherits", "implements", "tests", "references", "imports"), "backward", 1, fan=200), tuple(IMPACT),
    ),
    Intent(
        "tests", "tests for something", is_tests,
        (("symbol", 1.0), ("alias", 0.5), ("path", 1.0), ("lexical", 1.0), ("graph", 1.5)), 20, 3000, "depth first", 0.5,
        ("tests for the config parser", "which test covers Session.open", "where is retry tested", "tests for parse_config",
         "specs for the router", "which tests check Session.open", "show the tests of Parser", "unit tests for url_for",
         "tests that cover retries", "which tests exercise the scheduler", "is Session.close tested",
         "test for open_valve", "where is upload tested"),
        Way(("tests", "calls"), "backward", 1, fan=50),
    ),
    Intent(
        "usages", "who calls or uses a name", is_usages,
        (("graph", 3.0), ("symbol", 0.5), ("alias", 0.5), ("lexical", 0.3)), 60, 4000, "call sites", 0.9,
        ("who calls parse_config", "callers of Session.open", "where is url_for used", "find usages of Parser.parse",
         "what uses the Config class", "which functions call retry()", "references to `MAX_SIZE`", "who imports utils",
         "show me all call sites of send", "where do we call make_response", "usages of src/app/core.py",
         "is parse_config used anywhere", "which files import Session", "subclasses of Handler", "where is Session instantiated"),
        Way(("calls", "references", "inherits", "implements", "imports"), "backward", 1, fan=200, sites=True), tuple(USAGES),
    ),
    Intent(
        "dependencies", "what a name depends on", is_dependencies,
        (("graph", 3.0), ("symbol", 1.0), ("alias", 0.5)), 40, 4000, "layered", 0.9,
        ("what does parse_config depend on", "what does Session.open call", "dependencies of Parser", "callees of retry()",
         "which functions does make_response call", "what is called by wsgi_app", "functions called by Session.open",
         "what does src/app/core.py import", "what are the dependencies of Config", "imports of src/app/core.py",
         "what does the Handler class inherit from", "everything used by parse_config", "parse_config depends on what",
         "what does open_valve need"),
        Way(("imports", "calls", "inherits", "implements", "references"), "forward", 2, fan=50), tuple(DEPENDENCIES),
    ),
    Intent(
        "data_flow", "where a value is set, read and passed on", is_data_flow,
        (("graph", 2.0), ("symbol", 1.0), ("lexical", 0.5)), 40, 4000, "layered", 0.9,
        ("where is MAX_SIZE set", "where is secret_key read", "who sets debug_mode", "trace the flow of session_id",
         "where does user_id come from", "what modifies self.state", "how is request_ctx passed around",
         "data flow of auth_token", "where is `timeout` assigned", "which functions write _cache", "where is app.config updated",
         "follow the value of retry_count", "where is current_user set or read"),
        Way(("references", "calls"), "both", 2, fan=50), tuple(DATA_FLOW), rerank=True,
    ),
    Intent(
        "overview", "architecture, structure, where to start", is_overview,
        (("graph", 2.0), ("path", 1.0), ("lexical", 1.0)), 60, 4000, "map", 0.2,
        ("give me an overview", "what are the entry points", "architecture of this project", "project structure",
         "overview of the code base", "where do I start", "where should I start reading", "high-level design",
         "high level structure of this repo", "what is the architecture of this repo", "entry points of the app",
         "architecture of the code", "give an overview of the modules"),
        Way((), "rank"),
    ),
    Intent(
        "concept", "how, where, explain: everything else", is_anything,
        (("lexical", 1.0), ("vector", 3.0), ("symbol", 0.15), ("path", 0.4)), 20, 2000, "depth first", 0.3,
        ("how are retries scheduled", "where is the rate limit enforced", "cookie parsing and storage",
         "what happens when a session expires", "how does Session decide to reopen a valve", "explain the caching of templates",
         "convert grams to ounces", "why is the answer sent twice", "error handling strategy", "which code draws the chart",
         "impact of wind on the mill", "architecture of the plugin system", "how are tests discovered"),
        rerank=True,
    ),
)  # fmt: skip
"""The rows, most particular first."""


def rows_for(query: Query) -> Iterator[Intent]:
    """The rows that match, in order; the last of the table always does."""
    return (row for row in INTENTS if row.matches(query))


def intent_of(query: Query) -> Intent:
    """The first row that matches."""
    return next(rows_for(query))
