"""The requests: one named tuple for each thing that can be asked, with its defaults. operations.py tells the rest of them.

They are named tuples: as frozen as a dataclass, and all of them together cost less to create at start-up than one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from trigpoint.errors import UsageError
from trigpoint.model import Filters


class SearchRequest(NamedTuple):
    """Find the code that answers a question."""

    query: str = ""
    limit: int | None = None
    tokens: int | None = None
    tier: str | None = None
    pipeline: str | None = None
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    not_paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    complexity: tuple[str, ...] = ()
    update: bool = True

    @property
    def filters(self) -> Filters:
        """The filters of the request as the engine takes them."""
        return Filters(
            languages=self.languages,
            kinds=self.kinds,
            paths=self.paths,
            not_paths=self.not_paths,
            names=self.names,
            complexity=self.complexity,
        )


class ContextRequest(NamedTuple):
    """Gather what a task needs in one answer: verified source, who calls it, what is missing, what to do next."""

    query: str = ""
    symbols: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    diff: str | None = None
    tier: str | None = None
    tokens: int | None = None
    seconds: int | None = None
    update: bool = True


class McpRequest(NamedTuple):
    """Serve agents over the Model Context Protocol, on standard input and output."""

    roots: tuple[str, ...] = ()
    http: str | None = None


class InstallRequest(NamedTuple):
    """Give agents this tool: our entry and the protocol into the configuration of their clients."""

    clients: tuple[str, ...] = ()
    project: bool = False
    user: bool = False
    hooks: bool = False
    dry_run: bool = False


class UninstallRequest(NamedTuple):
    """Take out of the configuration of clients what install put in, byte for byte."""

    clients: tuple[str, ...] = ()
    project: bool = False
    user: bool = False
    dry_run: bool = False


class IndexRequest(NamedTuple):
    """Bring the index up to date with the files."""

    full: bool = False
    verify: bool = False


class WatchRequest(NamedTuple):
    """Keep the index fresh while files change, until it is stopped."""

    poll: bool = False
    quiet: int = 200


class TreeRequest(NamedTuple):
    """Write the tree of digests as JSON, or compare two such files, or one with the tree as it is now."""

    what: str = "export"
    first: str = ""
    second: str = ""
    update: bool = True


class ExportRequest(NamedTuple):
    """Write the index into one file that can be checked and imported elsewhere."""

    file: str = ""
    update: bool = True


class ImportRequest(NamedTuple):
    """Take the index from a file that was made of the same tree, then bring in what differs."""

    file: str = ""
    exact: bool = False
    force: bool = False


class SymbolRequest(NamedTuple):
    """Find where a name is defined."""

    name: str = ""
    limit: int = 50
    update: bool = True


class OutlineRequest(NamedTuple):
    """List the definitions of a file."""

    path: str = ""
    update: bool = True


class EdgesRequest(NamedTuple):
    """Dump the edges between definitions: calls, imports, inheritance, references."""

    kinds: tuple[str, ...] = ()
    least: int = 0


class CallersRequest(NamedTuple):
    """Show every place that calls a function, a method or a class."""

    name: str = ""
    guesses: bool = False
    limit: int | None = None
    tokens: int | None = None
    update: bool = True


class CalleesRequest(NamedTuple):
    """Show what a function, a method or a class calls."""

    name: str = ""
    guesses: bool = False
    limit: int | None = None
    tokens: int | None = None
    update: bool = True


class DepsRequest(NamedTuple):
    """Show what a symbol or a file depends on, hop by hop."""

    name: str = ""
    depth: int | None = None
    guesses: bool = False
    limit: int | None = None
    tokens: int | None = None
    update: bool = True


class ImpactRequest(NamedTuple):
    """Show what may break when a symbol, a file or a diff changes."""

    name: str = ""
    diff: str | None = None
    depth: int | None = None
    guesses: bool = False
    limit: int | None = None
    tokens: int | None = None
    update: bool = True


class PathRequest(NamedTuple):
    """Show a shortest way from one symbol to another."""

    first: str = ""
    last: str = ""
    guesses: bool = False
    tokens: int | None = None
    update: bool = True


class MapRequest(NamedTuple):
    """Map the project: its most central files and definitions."""

    tokens: int | None = None
    paths: tuple[str, ...] = ()
    update: bool = True


class GraphRequest(NamedTuple):
    """Write the graph as GraphML, DOT, JSON, Mermaid or an HTML picture."""

    form: str = "json"
    level: str = "symbol"
    limit: int | None = None
    paths: tuple[str, ...] = ()
    guesses: bool = False
    update: bool = True


class ReadRequest(NamedTuple):
    """Show lines of a file."""

    place: str = ""

    @property
    def lines(self) -> tuple[str, int, int | None]:
        """Path, first and last line; None is the end of the file.

        Raises UsageError when the range counts from 0 or runs backwards.
        """
        match = _PLACE.match(self.place)
        if not match:
            return self.place, 1, None
        start = int(match["start"])
        end = int(match["end"] or start)
        if start < 1 or end < start:
            raise UsageError(
                f"{start}-{end} is no range of lines",
                "lines count from 1, and the last is not before the first",
            )
        return match["path"], start, end


_PLACE = re.compile(r"(?P<path>.+):(?P<start>\d{1,9})(?:-(?P<end>\d{1,9}))?\Z", re.DOTALL)


class StatusRequest(NamedTuple):
    """Say what is indexed, what is not, and why."""

    files: bool = False


class StatsRequest(NamedTuple):
    """Say how many answers were given, day by day, and what they spared to read."""


class DoctorRequest(NamedTuple):
    """Check the index for damage."""

    repair: bool = False


class ConfigRequest(NamedTuple):
    """Show each setting and where it came from."""


class LanguagesRequest(NamedTuple):
    """Show what is understood of each language."""

    check: str = ""


class BenchRequest(NamedTuple):
    """Measure answers on a labelled set, or mine such a set from this project."""

    file: str = ""
    qrels: str | None = None
    depth: int = 10
    tier: str | None = None
    pipeline: str | None = None
    compare: str | None = None
    commits: int = 500
    no_docs: bool = False
    update: bool = True


class CleanRequest(NamedTuple):
    """Remove the index of this project."""

    everything: bool = False


Request = (
    SearchRequest
    | ContextRequest
    | McpRequest
    | InstallRequest
    | UninstallRequest
    | WatchRequest
    | TreeRequest
    | ExportRequest
    | ImportRequest
    | IndexRequest
    | SymbolRequest
    | OutlineRequest
    | EdgesRequest
    | CallersRequest
    | CalleesRequest
    | DepsRequest
    | ImpactRequest
    | PathRequest
    | MapRequest
    | GraphRequest
    | ReadRequest
    | StatusRequest
    | StatsRequest
    | DoctorRequest
    | ConfigRequest
    | LanguagesRequest
    | BenchRequest
    | CleanRequest
)
