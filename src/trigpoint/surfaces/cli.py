"""`trig`: a command line in, a rendered answer and an exit status out.

Standard output holds answers only. Exit status: 0 found, 1 nothing found, 2 could not answer, 130 interrupted.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from trigpoint import config
from trigpoint.errors import NotFoundError, TrigpointError, UsageError
from trigpoint.render import json, text
from trigpoint.render.style import Look, visible
from trigpoint.surfaces.parser import Parsed, overview, parse

if TYPE_CHECKING:
    from trigpoint.engine import Engine
    from trigpoint.model import IndexReport, Pack

FOUND, NOTHING, FAILED, INTERRUPTED = 0, 1, 2, 130


OBJECTS_BETWEEN_COLLECTIONS = 100_000
"""The default of 700 spends 15 ms of a search on looking through the stat data of 10,000 files, which hold no cycles."""


def run() -> NoReturn:
    """The process `trig`: main(), without the 10 ms that taking everything apart at the end costs."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    os.environ.setdefault(
        "OPENBLAS_NUM_THREADS", "1"
    )  # one question has too little arithmetic for more: 0.1 s of spinning
    status = main()
    with suppress(OSError, ValueError):  # closed or broken: main() has said what there is to say
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (None: that of the process) and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        _use_utf8()
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except TrigpointError as error:
        _complain(error)
        return FAILED
    except KeyboardInterrupt:
        kept = "; what was done is kept, the next run goes on from there" * (arguments[:1] == ["index"])
        say(f"interrupted{kept}")
        return INTERRUPTED
    except SystemExit as stop:  # argparse has shown its help
        return int(stop.code or 0)
    except Exception:  # status 1 would say "nothing found"
        import traceback

        traceback.print_exc()
        say("this is a fault of trig itself; nothing was lost. Please report the lines above")
        return FAILED


def _use_utf8() -> None:
    """Answers are UTF-8 whatever the locale says, as the files they come from."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def say(words: str) -> None:
    """One line beside the answer."""
    sys.stderr.write(f"trig: {visible(words)}\n")


def _complain(error: TrigpointError) -> None:
    say(error.message)
    if error.hint:
        sys.stderr.write(f"  {visible(error.hint)}\n")


def _run(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(overview())
        return FOUND if arguments else FAILED
    if arguments[0] in ("-V", "--version", "version"):
        from trigpoint import __version__

        sys.stdout.write(f"trig {__version__}\n")
        return FOUND
    asked = Asked.of(parse(arguments))
    name = asked.parsed.operation.name
    status = COMMANDS[name](asked)
    if status == NOTHING and asked.look.terminal and name in _LOOKING:
        say("nothing found")  # a person sees no status
    return status


_LOOKING = frozenset(
    ["search", "context", "symbol", "outline", "callers", "callees", "deps", "impact", "path", "map"]
)


class Asked(NamedTuple):
    """A command line with the project and the settings it is about."""

    parsed: Parsed
    request: Any
    settings: config.Settings
    look: Look

    @classmethod
    def of(cls, parsed: Parsed) -> Asked:
        """Find the project and load its settings.

        Raises NotFoundError when there is no such folder, ConfigError for bad settings.
        """
        root = config.find_root(Path()) if parsed.root is None else Path(parsed.root)
        if not root.is_dir():
            quote = "; a question of several words is written in quotes" * (parsed.operation.name == "search")
            raise NotFoundError(f"{parsed.root} is not a folder", "give the folder of the project" + quote)
        settings = config.load(root, parsed.settings)
        terminal = sys.stdout.isatty()
        color = settings.color == "always" or (settings.color == "auto" and terminal)
        return cls(parsed, parsed.request, settings, Look(color=color, terminal=terminal))

    def engine(self) -> Engine:
        """The engine of the project."""
        from trigpoint.engine import Engine

        return Engine(self.settings.root, self.settings, self._update_behind)

    def _update_behind(self) -> bool:
        """Have a large change brought in behind the answer, where that is wanted."""
        if not self.settings.search_background:
            return False
        from trigpoint.surfaces.behind import update_behind

        return update_behind(self.settings.root, self.settings.index_dir, self.parsed.settings)

    def show(self, as_text: Callable[[], str], as_json: Callable[[], json.Object]) -> None:
        """Write the answer in the format that was asked for."""
        shown = as_text() if self.parsed.format == "text" else json.line(as_json())
        sys.stdout.write(shown)


def _index(asked: Asked) -> int:
    report = _indexed(asked, asked.engine(), full=asked.request.full, verify=asked.request.verify)
    asked.show(lambda: text.report(report, asked.look), lambda: json.report(report))
    if report.interrupted:
        raise KeyboardInterrupt
    return FOUND if report.files else NOTHING


def _indexed(asked: Asked, engine: Engine, *, full: bool, verify: bool = False) -> IndexReport:
    """Index with a progress line when a person is watching."""
    if not sys.stderr.isatty():
        return engine.index(full=full, verify=verify)
    from trigpoint.surfaces.progress import Bar

    bar = Bar(sys.stderr)
    try:
        return engine.index(full=full, verify=verify, progress=bar)
    finally:
        bar.close()


def _search(asked: Asked) -> int:
    if asked.parsed.queries is not None:
        return _batch(asked)
    if not asked.request.query.strip():
        raise UsageError("the query is empty", 'ask something: trig search "where is the config read"')
    engine = ready(asked)
    pack = engine.search(asked.request.query, **_search_options(asked))
    _show_pack(asked, pack)
    for note in text.notes(pack) if asked.parsed.format == "text" else ():
        say(note)
    return FOUND if pack.hits else NOTHING


def ready(asked: Asked) -> Engine:
    """The engine, with a first index made before the eyes of whoever is watching."""
    engine = asked.engine()
    if asked.request.update and not asked.settings.index_dir.exists():
        report = _indexed(asked, engine, full=False)
        if report.interrupted:
            raise KeyboardInterrupt
        say(f"indexed {report.files:,} files in {report.seconds:.1f} s")
    return engine


def _search_options(asked: Asked) -> dict[str, Any]:
    return {
        "limit": asked.request.limit,
        "tokens": asked.request.tokens,
        "tier": asked.request.tier,
        "pipeline": asked.request.pipeline,
        "filters": asked.request.filters,
        "update": asked.request.update,
    }


def _show_pack(asked: Asked, pack: Pack) -> None:
    explain = asked.parsed.explain
    writers: dict[str, Callable[[Pack], str]] = {
        "text": lambda shown: text.search(shown, asked.look, explain=explain),
        "json": lambda shown: json.line(json.search(shown, explain=explain)),
        "jsonl": lambda shown: json.lines(json.search_lines(shown, explain=explain)),
    }
    write = writers[asked.parsed.format]
    if asked.look.terminal or explain:  # for a person; the budget is that of a model
        sys.stdout.write(write(pack))
        return
    from trigpoint.render.fit import fit
    from trigpoint.text.tokens import counter

    count = counter(pack.tokenizer)
    sys.stdout.write(fit(pack, write, lambda text: count((text,))[0]))


def _batch(asked: Asked) -> int:
    """Answer every question of a file in one process, one line each, as soon as it is known."""
    from trigpoint.surfaces.batch import read_questions

    if asked.request.query:
        raise UsageError("a query and --queries cannot be given together", "leave one out")
    questions = read_questions(asked.parsed.queries or "-")
    asked_of_engine = [(str(position), question.query) for position, question in enumerate(questions)]
    found = False
    for position, pack in ready(asked).search_many(asked_of_engine, **_search_options(asked)):
        found = found or bool(pack.hits)
        sys.stdout.write(json.line(json.batch(questions[int(position)].id, pack)))
        sys.stdout.flush()
    return FOUND if found else NOTHING


def _symbol(asked: Asked) -> int:
    request = asked.request
    found = ready(asked).symbol(request.name, limit=request.limit, update=request.update)
    if asked.parsed.format == "jsonl":
        sys.stdout.write(json.lines(map(json.symbol, found)))
    else:
        asked.show(lambda: text.symbols(found, asked.look), lambda: json.definitions(found))
    for note in text.said((), found.freshness) if asked.parsed.format == "text" else ():
        say(note)
    return FOUND if found else NOTHING


def _outline(asked: Asked) -> int:
    engine, update = ready(asked), asked.request.update
    found = _near(asked.request.path, asked.settings.root, lambda near: engine.outline(near, update=update))
    if asked.parsed.format == "jsonl":
        sys.stdout.write(json.lines(map(json.symbol, found)))
    else:
        asked.show(lambda: text.outline(found, asked.look), lambda: json.definitions(found))
    for note in text.said((), found.freshness) if asked.parsed.format == "text" else ():
        say(note)
    return FOUND if found else NOTHING


def _edges(asked: Asked) -> int:
    """Written as they are read: there may be a million."""
    found = asked.engine().edges(asked.request.kinds, asked.request.least / 100)
    if asked.parsed.format == "json":
        rows = [json.edge(one) for one in found]
        sys.stdout.write(json.line({"edges": rows}))
        return FOUND if rows else NOTHING
    status = NOTHING
    for one in found:
        status = FOUND
        sys.stdout.write(
            text.edge(one, asked.look) if asked.parsed.format == "text" else json.line(json.edge(one))
        )
    return status


def _structure(asked: Asked) -> int:
    """The questions that walk the graph have a file of their own, read only for them."""
    from trigpoint.surfaces.structure import COMMANDS

    return COMMANDS[asked.parsed.operation.name](asked)


def _upkeep(asked: Asked) -> int:
    """Likewise those that keep an index."""
    from trigpoint.surfaces.upkeep import COMMANDS

    return COMMANDS[asked.parsed.operation.name](asked)


def _context(asked: Asked) -> int:
    from trigpoint.surfaces.context import context

    return context(asked)


def _mcp(asked: Asked) -> int:
    from trigpoint.surfaces.mcp.command import mcp

    return mcp(asked)


def _install(asked: Asked) -> int:
    from trigpoint.surfaces.install import command

    return (command.install if asked.parsed.operation.name == "install" else command.uninstall)(asked)


def _stats(asked: Asked) -> int:
    from trigpoint.surfaces.stats import stats

    return stats(asked)


def _read(asked: Asked) -> int:
    path, start, end = asked.request.lines
    engine = asked.engine()
    shown = _near(path, asked.settings.root, lambda near: engine.read(near, start, end))
    asked.show(lambda: text.window(shown, asked.look), lambda: json.window(shown))
    return FOUND


def _near(path: str, root: Path, ask: Callable[[str], Any]) -> Any:
    """Ask for a path as answers write it, from the root; if that is unknown, as seen from the current folder."""
    try:
        return ask(path)
    except NotFoundError:
        here = Path.cwd()
        if here == root or not here.is_relative_to(root):
            raise
        return ask(f"{here.relative_to(root).as_posix()}/{path}")


def _status(asked: Asked) -> int:
    found = asked.engine().status(files=asked.request.files)
    asked.show(lambda: text.status(found, asked.look), lambda: json.status(found))
    return FOUND if found.files else NOTHING


def _config(asked: Asked) -> int:
    rows = config.show(asked.settings)
    asked.show(lambda: text.settings(rows, asked.look), lambda: json.settings(rows))
    return FOUND


def _languages(asked: Asked) -> int:
    from trigpoint.surfaces.languages import show

    return show(asked)


def _clean(asked: Asked) -> int:
    removed = asked.engine().clean(everything=asked.request.everything)
    asked.show(lambda: text.sentences(removed, asked.look), lambda: json.removed(removed))
    return FOUND if removed else NOTHING


def _bench(asked: Asked) -> int:
    from trigpoint.surfaces.bench import COMMANDS

    return COMMANDS[asked.parsed.operation.name](asked)


COMMANDS: dict[str, Callable[[Asked], int]] = {
    "index": _index,
    "search": _search,
    "context": _context,
    "symbol": _symbol,
    "outline": _outline,
    "edges": _edges,
    **dict.fromkeys(("callers", "callees", "deps", "impact", "path", "map", "graph"), _structure),
    "read": _read,
    "status": _status,
    **dict.fromkeys(("watch", "tree", "export", "import", "doctor"), _upkeep),
    "mcp": _mcp,
    **dict.fromkeys(("install", "uninstall"), _install),
    "stats": _stats,
    "bench": _bench,
    "config": _config,
    "languages": _languages,
    "clean": _clean,
}
"""One function an operation; a test compares the keys with operations.OPERATIONS."""
