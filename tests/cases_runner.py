"""Plays the shared hard inputs through the front door: builds the tree of a case, asks, and compares.

The cases lie beside the repository in ``../shared/cases`` (``TRIGPOINT_CASES`` names another folder); their README
defines the words used here. What a case demands in sentences is checked by hand in ``cases_says.py``.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from watching import Watch

CASES = Path(os.environ.get("TRIGPOINT_CASES") or Path(__file__).parents[2] / "shared" / "cases")

LATER: Mapping[str, str] = {
    "chat": "answers with citations",
}
"""What a step asks that cannot be asked yet, and the issue that brings it. Take a row out to play such steps."""

ENDS_THE_CASE: frozenset[str] = frozenset()
"""What the later steps of a case build upon: without it they cannot be played either."""


class Hit(NamedTuple):
    """One row of an answer: ``line`` is that of the name, or the one to open."""

    path: str
    symbol: str
    start: int
    end: int
    line: int
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class Step:
    """One step of a case, counted from 1."""

    case: str
    number: int
    raw: Mapping[str, Any]

    @property
    def action(self) -> str:
        return self.raw["action"]

    @property
    def queries(self) -> list[str]:
        asked = self.raw.get("query", "")
        return asked if isinstance(asked, list) else [asked]

    @property
    def later(self) -> str:
        """What has to come first: a key of LATER, or nothing."""
        return next((word for word in (self.action, *self.raw) if word in LATER), "")


@dataclass(frozen=True)
class Case:
    """A folder of the shared cases."""

    folder: Path
    raw: Mapping[str, Any]

    @classmethod
    def of(cls, name: str) -> Case:
        """The case of this name."""
        folder = CASES / name
        return cls(folder, tomllib.loads((folder / "case.toml").read_text("utf-8")))

    @property
    def id(self) -> str:
        return self.raw["id"]

    @property
    def kind(self) -> str:
        return self.raw["kind"]

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(Step(self.id, number, raw) for number, raw in enumerate(self.raw["step"], 1))

    def playable(self) -> Iterator[Step]:
        """The steps that can be played now."""
        for step in self.steps:
            if step.later in ENDS_THE_CASE:
                return
            if not step.later:
                yield step

    def waiting(self) -> Iterator[tuple[Step, str]]:
        """The steps that cannot, each with the issue that it waits for."""
        over = ""
        for step in self.steps:
            over = over or (step.later if step.later in ENDS_THE_CASE else "")
            if over or step.later:
                yield step, LATER[over or step.later]

    def build(self, root: Path) -> None:
        """The input of the case in a folder that does not exist yet."""
        if self.raw["build"] == "tree":
            shutil.copytree(self.folder / "tree", root)
            subprocess.run(["chmod", "-R", "u+w", root], check=True)
            return
        make = ["sh", str(self.folder / "make.sh"), str(root)]
        env = os.environ | {"GIT_CONFIG_NOSYSTEM": "1", "HOME": str(root.parent)}
        subprocess.run(make, check=True, env=env, stdout=subprocess.DEVNULL)


def cases() -> list[Case]:
    """All shared cases in order of their names; none where the folder is absent."""
    return [Case.of(path.parent.name) for path in sorted(CASES.glob("*/case.toml"))]


class Ran(NamedTuple):
    """What one command line gave: exit status, standard output and standard error, which must be UTF-8."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        assert self.out, self
        return json.loads(self.out)


class Trig:
    """The command on one project. ``ask`` runs it in this process, ``spawn`` in one of its own."""

    def __init__(self, root: Path, through: tuple[str, ...] = ()) -> None:
        self.root = root
        self.through = through  # a command that runs the command: setpriv …
        self.always: tuple[str, ...] = ()  # flags of every command line
        self.watching: Watch | None = None
        self.provider: Path | None = (
            None  # what the provider of the present step was asked, one line of JSON each
        )

    def ask(self, command: str, *words: str, literal: tuple[str, ...] = ()) -> Ran:
        """``literal`` are words that are never flags."""
        from trigpoint.surfaces.cli import main

        if self.through:
            return self.spawn(command, *words, literal=literal)

        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        kept = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = out, err
        try:
            status = main(self._words(command, *words, literal=literal))
        finally:
            sys.stdout, sys.stderr = kept
        return Ran(status, _written(out), _written(err))

    def spawn(self, command: str, *words: str, literal: tuple[str, ...] = (), **options: Any) -> Ran:
        done = subprocess.run(
            self.line(command, *words, literal=literal),
            capture_output=True,
            check=False,
            timeout=120,
            **options,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    def line(self, command: str, *words: str, literal: tuple[str, ...] = ()) -> list[str]:
        """The command line that ``spawn`` runs."""
        return [
            *self.through,
            sys.executable,
            "-m",
            "trigpoint",
            *self._words(command, *words, literal=literal),
        ]

    def _words(self, command: str, *words: str, literal: tuple[str, ...]) -> list[str]:
        marked = ("--", *literal) if literal else ()
        return [command, "--root", str(self.root), *self.always, *words, *marked]


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


def path_of(row: Mapping[str, Any]) -> str:
    """The exact path of a row of an answer, odd bytes and all."""
    from base64 import b64decode

    return os.fsdecode(b64decode(row["path_bytes"])) if "path_bytes" in row else row["path"]


def hits_of(found: Mapping[str, Any]) -> list[Hit]:
    """The rows of any answer, in their order."""
    rows = found.get("results", found.get("symbols", ()))
    return [
        Hit(path_of(row), row["symbol"], row["start_line"], row["end_line"], row["line"], row) for row in rows
    ]


@dataclass
class Answer:
    """What a step brought: for each query of it what ran, and the rows."""

    ran: list[Ran] = field(default_factory=list)
    hits: list[list[Hit]] = field(default_factory=list)

    @property
    def first(self) -> list[Hit]:
        """The rows of the first query."""
        return self.hits[0]


def ask_each(step: Step, ask: Callable[[str], Ran]) -> Answer:
    """One run for each query of a step."""
    answer = Answer()
    for query in step.queries:
        ran = ask(query)
        answer.ran.append(ran)
        answer.hits.append(hits_of(ran.json) if ran.out else [])
    return answer


def search(trig: Trig, step: Step) -> Answer:
    raw = step.raw
    words = ["--limit", str(raw["limit"])] if raw.get("limit") else []
    words += ["--tokens", str(raw["budget"])] if "budget" in raw else []
    words += ["--path", raw["path"]] if "path" in raw else []
    return ask_each(step, lambda query: trig.ask("search", "--json", *words, literal=(query,)))


def define(trig: Trig, step: Step) -> Answer:
    return ask_each(step, lambda query: trig.ask("symbol", "--json", literal=(query,)))


def symbols(trig: Trig, step: Step) -> Answer:
    return ask_each(step, lambda query: trig.ask("outline", "--json", literal=(query,)))


def index(trig: Trig, step: Step) -> Answer:
    return Answer([trig.ask("index", "--json")], [[]])


def shell(trig: Trig, step: Step) -> Answer:
    subprocess.run(["sh", "-euc", step.raw["run"]], cwd=trig.root, check=True, stdout=subprocess.DEVNULL)
    if trig.watching is not None:
        trig.watching.settled()
    return Answer()


def watch(trig: Trig, step: Step) -> Answer:
    """Start a watch that follows the later steps."""
    from watching import Watch

    trig.watching = Watch(trig)
    trig.watching.event("ready")
    return Answer()


def status(trig: Trig, step: Step) -> Answer:
    return Answer([trig.ask("status", "--files", "--json")], [[]])


def read(trig: Trig, step: Step) -> Answer:
    answer = Answer()
    answer.ran += [trig.ask("read", literal=(query,)) for query in step.queries]
    return answer


def related(trig: Trig, step: Step) -> Answer:
    """callers, callees and impact. What stands in brackets after a name tells which one is meant."""
    words = ["--depth", str(step.raw["depth"])] if "depth" in step.raw else []
    words += ["--tokens", str(step.raw["budget"])] if "budget" in step.raw else []
    command = step.action
    return ask_each(step, lambda query: trig.ask(command, "--json", *words, literal=(meant(query),)))


def meant(query: str) -> str:
    """``stream.walk (the module-level one, line 5)`` as the command takes it: the line decides."""
    name, _, rest = query.partition(" (")
    line = rest.rpartition(" line ")[2].rstrip(")") if " line " in rest else ""
    return f"{name.partition('.')[0]}.py:{line}" if line else name


def by_hand(trig: Trig, step: Step) -> Answer:
    """Done and judged in cases_says.py."""
    return Answer()


ACTIONS: Mapping[str, Callable[[Trig, Step], Answer]] = {
    "index": index,
    "update": index,
    "symbols": symbols,
    "define": define,
    "search": search,
    "callers": related,
    "callees": related,
    "impact": related,
    "list": status,
    "status": status,
    "read": read,
    "shell": shell,
    "watch": watch,
    "do": by_hand,
    "mcp": by_hand,
    "compare": by_hand,
}
"""How each action is played. Those of LATER have no row before their issue is done.

For callers, callees and impact a row gives a Hit a line: ``path`` and ``line`` of the site (``start`` and ``end`` too), and in
``symbol`` the function around it; the comparison with the expected rows is then the same as for all others.
"""

SUCCESS: Mapping[str, frozenset[int]] = {
    "index": frozenset({0}),
    "update": frozenset({0}),
    "symbols": frozenset({0}),
    "define": frozenset({0, 1}),
    "search": frozenset({0, 1}),
    "callers": frozenset({0, 1}),
    "callees": frozenset({0, 1}),
    "impact": frozenset({0, 1}),
    "list": frozenset({0}),
    "status": frozenset({0}),
}
"""Exit statuses that are no failure; where an action has no row, the hand-written check judges."""


def failures(step: Step, answer: Answer) -> Iterator[str]:
    """Commands that failed, and tracebacks."""
    for ran in answer.ran:
        if ran.status not in SUCCESS.get(step.action, {ran.status}):
            yield f"exit status {ran.status}: {ran.err.strip()}"
        if "Traceback" in ran.err:
            yield ran.err


def missed(trig: Trig, step: Step, answer: Answer) -> Iterator[str]:
    """Expected rows that are not in the answer, for each query."""
    expected = step.raw.get("found")
    if expected is None:
        return
    for query, hits in zip(step.queries, answer.hits, strict=True):
        if not expected and "absent" not in step.raw and hits:
            yield f"{query!r}: nothing was expected, not {_brief(hits)}"
        for one in expected:
            if not any(fits(one, hit) and not reach(trig, one, hit) for hit in hits):
                near = [hit for hit in hits if hit.path == one["path"]] or hits
                reached = [words for hit in hits if fits(one, hit) for words in reach(trig, one, hit)]
                yield f"{query!r}: no {dict(one)}; {reached or _brief(near)}"


def _brief(hits: list[Hit]) -> list[str]:
    return [f"{hit.path}:{hit.start}-{hit.end}@{hit.line} {hit.symbol}" for hit in hits[:8]]


def fits(one: Mapping[str, Any], hit: Hit) -> bool:
    """Whether a row is the expected one, by path, name and lines."""
    folder = hit.path.split("/")[-2:-1]  # a package of Go
    own = (hit.symbol, ".".join([*folder, hit.symbol]))
    if hit.path != one["path"] or not any(same_name(one.get("symbol", name), name) for name in own):
        return False
    if "name_line" in one:
        return hit.start <= one["name_line"] == hit.line and hit.end >= one["end_line"]
    if "sites" in hit.raw:
        return hit.line == one["line"]
    return hit.start <= one["line"] <= hit.end


def parts(name: str) -> list[str]:
    """A qualified name by its levels, in whichever language."""
    return name.replace("::", ".").split(".")


def same_name(expected: str, got: str) -> bool:
    """The last parts agree; a container that is expected must be there. The top level of a file may have no name; a cell of a
    notebook has the brackets of no name here.
    """
    if expected.startswith("<cell "):
        expected = expected.strip("<>")
    wanted, own = parts(expected), parts(got)
    if expected == "<module>" and got == "":
        return True
    common = min(len(wanted), len(own))
    return common >= min(2, len(wanted)) and wanted[-common:] == own[-common:]


def reach(trig: Trig, one: Mapping[str, Any], hit: Hit) -> list[str]:
    """Whether the range of a definition reaches into another symbol: apart or nested, never across."""
    if "name_line" not in one:
        return []
    others = hits_of(trig.ask("outline", "--json", literal=(hit.path,)).json)
    found = [f"reaches into {other.symbol}" for other in others if one["end_line"] < other.line <= hit.end]
    for other in others:
        first, second = sorted(((hit.start, hit.end), (other.start, other.end)))
        if first[0] < second[0] <= first[1] < second[1] and first[1] != second[0]:
            found.append(f"{hit.start}-{hit.end} crosses {other.symbol} {other.start}-{other.end}")
    return found


def unwanted(step: Step, answer: Answer) -> Iterator[str]:
    """Rows that must not be in the answer. A macro under its own name, at its own line, is no row of this kind."""
    for one in step.raw.get("absent", ()):
        for hit in (hit for hits in answer.hits for hit in hits if hit.raw.get("kind") != "macro"):
            named = "symbol" not in one or parts(hit.symbol)[-len(parts(one["symbol"])) :] == parts(
                one["symbol"]
            )
            there = "sites" not in hit.raw or one.get("line", hit.line) == hit.line
            if named and there and one.get("path", hit.path) == hit.path:
                yield f"{dict(one)} is in the answer"


def files(trig: Trig, step: Step) -> Iterator[str]:
    """Files that are not in the index and should be, or are and should not."""
    for path in step.raw.get("present", ()):
        if not is_indexed(trig, path):
            yield f"{path} is not indexed"
    for path in step.raw.get("missing", ()):
        if is_indexed(trig, path):
            yield f"{path} is indexed"


def is_indexed(trig: Trig, path: str) -> bool:
    """Whether the content of a file is in the index: the ledger knows it and has not skipped it."""
    if trig.ask("outline", literal=(path,)).status == 2:
        return False
    ledger = trig.ask("status", "--files", "--json").json.get("files_detail", ())
    return not any(path_of(row) == path and row["level"] == "skipped" for row in ledger)
