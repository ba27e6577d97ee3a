"""What can be asked. Every surface (command line, MCP, HTTP) and docs/cli.md follow from these requests; a test compares them.

A value out of its limits is a UsageError, never silently another value. The requests are named tuples: as frozen as a
dataclass, and all of them together cost less to create at start-up than one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from trigpoint.errors import UsageError
from trigpoint.model import EDGE_KINDS
from trigpoint.requests import (
    BenchRequest,
    CalleesRequest,
    CallersRequest,
    CleanRequest,
    ConfigRequest,
    ContextRequest,
    DepsRequest,
    DoctorRequest,
    EdgesRequest,
    ExportRequest,
    GraphRequest,
    ImpactRequest,
    ImportRequest,
    IndexRequest,
    InstallRequest,
    LanguagesRequest,
    MapRequest,
    McpRequest,
    OutlineRequest,
    PathRequest,
    ReadRequest,
    Request,
    SearchRequest,
    StatsRequest,
    StatusRequest,
    SymbolRequest,
    TreeRequest,
    UninstallRequest,
    WatchRequest,
)

MAX_LIMIT = 1_000
"""Most results of one answer: past that a reader wants a filter, not a list."""

MAX_TOKENS = 200_000
"""Largest token budget: the context of the largest models in common use."""

MIN_TOKENS = 256
"""Smallest token budget: an answer without any result takes up to 200 as JSON."""

TIERS = ("fast", "balanced", "thorough")
PIPELINES = (
    "auto", "bm25", "embedding", "hybrid", "graph", "graph-ppr", "graph-rerank", "dense-graph", "dense-graph-fused",
    "rerank-dense", "rerank-sparse", "rerank-weighted", "rerank-rrf", "planned",
)  # fmt: skip
"""``auto`` is the intent table; the others are the rows of search/pipelines/named.py, which a test compares with this."""


class Argument(NamedTuple):
    """What the surfaces say about one field of a request."""

    words: str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    positional: bool = False  # on the command line, written without a flag
    flag: str = ""  # on the command line, when it is not the name of the field
    setting: str = ""  # the setting that stands in when the request leaves it None


class Field(NamedTuple):
    """One field of a request: its name, its default, its type as written, and its words."""

    name: str
    default: Any
    type: str
    argument: Argument


class Operation(NamedTuple):
    """One thing that can be asked, under the name that every surface gives it."""

    name: str
    request: type[Request]
    example: str  # a command line that shows its use
    arguments: Mapping[str, Argument] = {}

    @property
    def summary(self) -> str:
        """What it does, in one sentence."""
        return (self.request.__doc__ or "").strip()

    def fields(self) -> Iterator[Field]:
        """The fields of its request in the order in which surfaces show them."""
        for name, default in self.request._field_defaults.items():
            written = self.request.__annotations__[name]  # NamedTuple wraps what is written in a ForwardRef
            yield Field(
                name, default, str(getattr(written, "__forward_arg__", written)), self.arguments[name]
            )

    def ask(self, **values: Any) -> Request:
        """The request with these values, checked: the one way in from every surface.

        Raises UsageError when a value is outside its limits, none of its choices, or of no field.
        """
        for name, value in values.items():
            if name not in self.arguments:
                raise UsageError(
                    f"{self.name} has no {name}", f"it takes: {', '.join(self.arguments) or 'nothing'}"
                )
            if value is not None:
                _check(self.arguments[name].flag or name, value, self.arguments[name])
        return self.request(**values)


def _check(name: str, value: object, argument: Argument) -> None:
    for one in value if isinstance(value, tuple) else (value,):
        if argument.choices and one not in argument.choices:
            raise UsageError(f"{name} cannot be {one!r}", f"it is one of: {', '.join(argument.choices)}")
    low, high = argument.minimum, argument.maximum
    if isinstance(value, int) and low is not None and high is not None and not low <= value <= high:
        raise UsageError(f"{name} cannot be {value}", f"it is a number from {low:,} to {high:,}")


def _many(words: str, metavar: str, flag: str = "") -> Argument:
    return Argument(f"{words}; may be repeated", metavar=metavar, flag=flag)


_LIMIT = Argument("most results", metavar="N", minimum=1, maximum=MAX_LIMIT)

_SEARCH = {
    "query": Argument(
        "a question, words, a name, a path or an error message", metavar="QUERY", positional=True
    ),
    "limit": _LIMIT._replace(setting="search.limit"),
    "tokens": Argument(
        "most tokens of the whole answer",
        metavar="N",
        minimum=MIN_TOKENS,
        maximum=MAX_TOKENS,
        setting="search.tokens",
    ),
    "tier": Argument("how much work an answer is worth", choices=TIERS, setting="search.tier"),
    "pipeline": Argument("how code is found", choices=PIPELINES, setting="search.pipeline"),
    "languages": _many("only this language", "NAME", "lang"),
    "kinds": _many("only this kind: function, method, class, …", "KIND", "kind"),
    "paths": _many("only this file, folder or glob", "PATH", "path"),
    "not_paths": _many("not this file, folder or glob", "PATH", "not-path"),
    "names": _many("only symbols of this name", "NAME", "name"),
    "complexity": _many("only of this cyclomatic complexity: '>10', '<=3', '5'", "TEST"),
    "update": Argument("bring in changed files before the answer", flag="no-update"),
}
_STORED_KINDS = tuple(kind for kind in EDGE_KINDS if kind != "contains")
_NAME = Argument("a name, plain or qualified: parse, Parser.parse", metavar="NAME", positional=True)
_FILE = Argument("the file, as answers write it", metavar="FILE", positional=True)
_PLACES = Argument(
    "PATH, PATH:LINE or PATH:FIRST-LAST, as answers write it", metavar="PATH:A-B", positional=True
)

GRAPH_TOKENS = 4_000
"""Token budget of an answer about structure when none is given."""

CONTEXT_TOKENS = 4_000
"""Token budget of a composed answer when none is given."""

MAX_SECONDS = 600
"""Longest deadline of one call."""

GRAPH_FORMS = ("json", "graphml", "dot", "mermaid", "html")
GRAPH_LEVELS = ("symbol", "file")

MAX_DEPTH = 20
"""Most hops of a walk: past that all that hangs together is reached."""

_MEANT = Argument(
    "a name (parse, Parser.parse, pkg.module.parse), PATH:LINE, or PATH#NAME", metavar="NAME", positional=True
)
_WALKED = {
    "guesses": Argument("show candidates too: edges less sure than .8, marked as such"),
    "limit": _LIMIT._replace(words="most rows"),
    "tokens": Argument(
        f"most tokens of the whole answer ({GRAPH_TOKENS:,})",
        metavar="N",
        minimum=MIN_TOKENS,
        maximum=MAX_TOKENS,
    ),
    "update": _SEARCH["update"],
}


_CONTEXT = {
    "query": Argument("a question, a task or a bug report, in words", metavar="QUESTION", positional=True),
    "symbols": _many("a name whose definition comes first", "NAME", "symbol"),
    "paths": _SEARCH["paths"],
    "diff": Argument("what differs from this revision (HEAD) comes first", metavar="BASE"),
    "tier": _SEARCH["tier"],
    "tokens": Argument(
        f"most tokens of the whole answer ({CONTEXT_TOKENS:,}; never over setting context.max_tokens)",
        metavar="N",
        minimum=MIN_TOKENS,
        maximum=MAX_TOKENS,
    ),
    "seconds": Argument(
        "answer within so many seconds, with what there is by then",
        metavar="N",
        minimum=1,
        maximum=MAX_SECONDS,
    ),
    "update": _SEARCH["update"],
}


CLIENTS = (
    "claude-code", "claude-desktop", "codex", "cursor", "vscode", "zed", "gemini", "opencode", "windsurf",
)  # fmt: skip
"""The rows of surfaces/install/clients.py, which a test compares with this."""

_INSTALL = {
    "clients": _many("a client; all that are found when left out", "NAME", "client")._replace(
        choices=CLIENTS
    ),
    "project": Argument("in the files of this project, which others may share"),
    "user": Argument("in the files of the user, for all projects (so when neither is given)"),
    "hooks": Argument(
        "also a hook that puts a short map of the project before the agent when a session starts (Claude Code)"
    ),
    "dry_run": Argument("write nothing, show the differences"),
}


def _depth(hops: int) -> Argument:
    return Argument(f"most hops ({hops})", metavar="N", minimum=1, maximum=MAX_DEPTH)


_NAMED_OR_FILE = _MEANT._replace(words=_MEANT.words + ", or a file")

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            "index",
            IndexRequest,
            "trig index",
            {
                "full": Argument("read every file again, changed or not"),
                "verify": Argument("compare every file by its digest, whatever its times say"),
            },
        ),
        Operation("search", SearchRequest, 'trig search "who retries a failed upload"', _SEARCH),
        Operation("context", ContextRequest, 'trig context "a failed upload is never retried"', _CONTEXT),
        Operation(
            "symbol",
            SymbolRequest,
            "trig symbol Parser.parse",
            {"name": _NAME, "limit": _LIMIT, "update": _SEARCH["update"]},
        ),
        Operation(
            "outline",
            OutlineRequest,
            "trig outline src/parser.py",
            {"path": _FILE, "update": _SEARCH["update"]},
        ),
        Operation(
            "edges",
            EdgesRequest,
            "trig edges --kind calls --jsonl",
            {
                "kinds": _many("only this kind: " + ", ".join(_STORED_KINDS), "KIND", "kind"),
                "least": Argument("least confidence, in hundredths", metavar="N", minimum=0, maximum=100),
            },
        ),
        Operation("callers", CallersRequest, "trig callers Parser.parse", {"name": _MEANT, **_WALKED}),
        Operation("callees", CalleesRequest, "trig callees Parser.parse", {"name": _MEANT, **_WALKED}),
        Operation(
            "deps",
            DepsRequest,
            "trig deps src/parser.py",
            {"name": _NAMED_OR_FILE, "depth": _depth(2), **_WALKED},
        ),
        Operation(
            "impact",
            ImpactRequest,
            "trig impact --diff main",
            {
                "name": _NAMED_OR_FILE,
                "diff": Argument(
                    "start from the symbols that differ from this revision (HEAD), or in a range A..B",
                    metavar="BASE",
                ),
                "depth": _depth(3),
                **_WALKED,
            },
        ),
        Operation(
            "path",
            PathRequest,
            "trig path main Parser.parse",
            {
                "first": _NAMED_OR_FILE._replace(metavar="FROM"),
                "last": _NAMED_OR_FILE._replace(metavar="TO"),
                "guesses": _WALKED["guesses"],
                "tokens": _WALKED["tokens"],
                "update": _WALKED["update"],
            },
        ),
        Operation(
            "map",
            MapRequest,
            "trig map --tokens 2000",
            {
                "tokens": _WALKED["tokens"]._replace(
                    words=f"most tokens of the whole map ({GRAPH_TOKENS:,})"
                ),
                "paths": _SEARCH["paths"],
                "update": _WALKED["update"],
            },
        ),
        Operation(
            "graph",
            GraphRequest,
            "trig graph --format html > graph.html",
            {
                "form": Argument("what is written", choices=GRAPH_FORMS, flag="format"),
                "level": Argument("what a node is", choices=GRAPH_LEVELS),
                "limit": Argument(
                    "most nodes, the most central ones", metavar="N", minimum=1, maximum=1_000_000
                ),
                "paths": _SEARCH["paths"],
                "guesses": _WALKED["guesses"],
                "update": _WALKED["update"],
            },
        ),
        Operation("read", ReadRequest, "trig read src/parser.py:41-78", {"place": _PLACES}),
        Operation(
            "status",
            StatusRequest,
            "trig status --files",
            {"files": Argument("list each file that is not fully indexed, with the reason")},
        ),
        Operation(
            "watch",
            WatchRequest,
            "trig watch",
            {
                "poll": Argument("list the tree again and again, as on a network mount"),
                "quiet": Argument(
                    "milliseconds without a change after which a burst of them is over",
                    metavar="MS",
                    minimum=10,
                    maximum=60_000,
                ),
            },
        ),
        Operation(
            "tree",
            TreeRequest,
            "trig tree export > before.json",
            {
                "what": Argument("export or diff", metavar="WHAT", positional=True),
                "first": Argument("diff: a file that export wrote", metavar="A", positional=True),
                "second": Argument(
                    "diff: another one; when left out, the tree as it is", metavar="B", positional=True
                ),
                "update": _SEARCH["update"],
            },
        ),
        Operation(
            "export",
            ExportRequest,
            "trig export index.trig",
            {
                "file": Argument("where to write it", metavar="FILE", positional=True),
                "update": _SEARCH["update"],
            },
        ),
        Operation(
            "import",
            ImportRequest,
            "trig import index.trig",
            {
                "file": Argument("what export wrote", metavar="FILE", positional=True),
                "exact": Argument("only if every file is the same here"),
                "force": Argument("also if most files differ here, or the settings do"),
            },
        ),
        Operation(
            "doctor", DoctorRequest, "trig doctor --repair", {"repair": Argument("mend what is found")}
        ),
        Operation(
            "mcp",
            McpRequest,
            "trig mcp --root src/app --root src/lib",
            {
                "roots": _many("a project to answer about; without one, those of the client", "DIR", "root"),
                "http": Argument(
                    "serve streamable HTTP on this port of the loopback interface instead (8765)",
                    metavar="PORT",
                ),
            },
        ),
        Operation("install", InstallRequest, "trig install --client codex --dry-run", _INSTALL),
        Operation(
            "uninstall",
            UninstallRequest,
            "trig uninstall --client codex",
            {name: words for name, words in _INSTALL.items() if name != "hooks"},
        ),
        Operation("stats", StatsRequest, "trig stats"),
        Operation(
            "bench",
            BenchRequest,
            "trig bench questions.jsonl --pipeline bm25",
            {
                "file": Argument(
                    "questions with their answers (JSON, JSON Lines, TREC topics), or the word mine: write a set "
                    "from the history and the docstrings of this project",
                    metavar="FILE",
                    positional=True,
                ),
                "qrels": Argument("TREC judgements for topics in FILE", metavar="QRELS"),
                "depth": Argument("the k of NDCG@k", metavar="K", minimum=1, maximum=100),
                "tier": _SEARCH["tier"]._replace(setting=""),
                "pipeline": _SEARCH["pipeline"]._replace(setting=""),
                "compare": Argument(
                    "a run that `bench --json` wrote: show the paired difference", metavar="RUN"
                ),
                "commits": Argument(
                    "mine: commits that are looked at; 0 for none", metavar="N", minimum=0, maximum=100_000
                ),
                "no_docs": Argument("mine: leave the docstrings out"),
                "update": _SEARCH["update"],
            },
        ),
        Operation("config", ConfigRequest, "trig config"),
        Operation(
            "languages",
            LanguagesRequest,
            "trig languages",
            {"check": Argument("compare a language folder of yours with its sample", metavar="DIR")},
        ),
        Operation(
            "clean",
            CleanRequest,
            "trig clean",
            {"everything": Argument("remove the indexes of all projects", flag="all")},
        ),
    )
}
"""Every operation by name, in the order in which they are shown."""
