"""What indexing and searching cost: CPU seconds of all processes, wall seconds, peak memory.

    run.py TREE --work DIR [--trig 'trig'] [--python PYTHON] [--semble PYTHON --semble-model DIR]

TREE is made by corpus.py. Everything is measured in one run, side by side, and printed as Markdown tables.
Memory is that of the largest process, and never less than this script's own (about 20 MB). One file of TREE
is changed for one measurement and put back.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
QUERIES = HERE / "queries.toml"
CHANGED = "def probe_{stamp}(value):\n    return value\n"
WORDS_FOR_GREP = 40


@dataclass(frozen=True, slots=True)
class Used:
    """What one process and its children took; memory in MB."""

    cpu: float
    wall: float
    peak: float


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    step: str
    system: str
    used: Used


@dataclass(slots=True)
class Tool:
    """How one system is started; `index` is None where the first search indexes, or nothing does."""

    name: str
    search: Callable[[str], list[str]]
    index: list[str] | None = None
    variants: dict[str, list[str]] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    cache: Path | None = None
    inside: list[str] | None = None


def run(command: Sequence[str], environment: dict[str, str], cwd: Path) -> tuple[Used, bytes]:
    """Run to the end; exit status 1 without a word on stderr is a search that found nothing."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, env={**os.environ, **environment}, cwd=cwd, stdout=out, stderr=err
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        said = err.read().decode("utf-8", "replace")
        if process.returncode > 1 or process.returncode < 0 or (process.returncode == 1 and said):
            raise SystemExit(f"{shlex.join(command)}: exit {process.returncode}\n{said[-1000:]}")
        return Used(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024), out.read()


def middle(uses: Sequence[Used]) -> Used:
    """The median of each figure."""
    return Used(
        *(statistics.median(values) for values in zip(*((u.cpu, u.wall, u.peak) for u in uses), strict=True))
    )


@contextmanager
def changed(file: Path) -> Iterator[None]:
    """One more function in a file, until the end of the block."""
    before = file.read_bytes()
    file.write_bytes(before + b"\n\n" + CHANGED.format(stamp=time.time_ns()).encode())
    try:
        yield
    finally:
        file.write_bytes(before)


def tools(args: argparse.Namespace) -> list[Tool]:
    """The systems that are here."""
    tree, work, program = str(args.tree), args.work, shlex.split(args.trig)
    inside = [str(HERE / "inprocess.py"), "NAME", tree, str(QUERIES), str(args.rounds)]

    def named(name: str) -> list[str]:
        return [name if word == "NAME" else word for word in inside]

    found = [
        Tool(
            "trig",
            lambda query: [*program, "search", query, "--root", tree, "--limit", "10", "--jsonl"],
            index=[*program, "index", tree],
            variants={", `--tier fast`": ["--tier", "fast"]},
            environment={"TRIGPOINT_CACHE_DIR": str(work / "trig")},
            cache=work / "trig",
            inside=[args.python, *named("trig")],
        )
    ]
    if args.semble:
        model = {"SEMBLE_MODEL_NAME": args.semble_model} if args.semble_model else {}
        base = [str(Path(args.semble).with_name("semble")), "search", "-k", "10", "--max-snippet-lines", "0"]
        found.append(
            Tool(
                "semble",
                lambda query: [*base, query, tree],
                environment={"HF_HUB_OFFLINE": "1", "SEMBLE_CACHE_LOCATION": str(work / "semble"), **model},
                cache=work / "semble",
                inside=[args.semble, *named("semble")],
            )
        )
    if shutil.which("rg"):
        found.append(Tool("ripgrep", lambda query: ["rg", "-niF", "--no-config", *patterns(query), tree]))
    return found


def patterns(query: str) -> list[str]:
    """The query's longer words as patterns for a grep."""
    words = [word for word in dict.fromkeys(re.findall(r"\w+", query.lower())) if len(word) > 3]
    return [arg for word in words[:WORDS_FOR_GREP] for arg in ("-e", word)]


def indexing(tool: Tool, args: argparse.Namespace, queries: dict[str, Any]) -> Iterator[Row]:
    """Full, unchanged, one file changed; a system without an index command is asked a question instead."""
    if tool.cache is None:
        return
    shutil.rmtree(tool.cache, ignore_errors=True)
    command = tool.index or tool.search(queries["short"][0])
    note = "" if tool.index else " (with one search)"
    yield Row("full index" + note, tool.name, run(command, tool.environment, args.work)[0])
    again = [run(command, tool.environment, args.work)[0] for _ in range(args.rounds)]
    yield Row("unchanged index" + note, tool.name, middle(again))
    after = []
    for _ in range(args.rounds):
        with changed(args.tree / args.changed):
            after.append(run(command, tool.environment, args.work)[0])
        run(command, tool.environment, args.work)
    yield Row("one file changed" + note, tool.name, middle(after))


def searching(tool: Tool, args: argparse.Namespace, queries: dict[str, Any]) -> Iterator[Row]:
    """A fresh process a question on a warm index: short ones, then a bug report of 200 words."""
    for step, asked in (
        ("search", queries["short"][: args.processes]),
        ("search, bug report", [queries["report"]] * 5),
    ):
        for variant, extra in {"": [], **tool.variants}.items():
            uses = [run([*tool.search(query), *extra], tool.environment, args.work)[0] for query in asked]
            yield Row(step + variant, tool.name, middle(uses))


def inside(tool: Tool, args: argparse.Namespace) -> list[str]:
    """The cells of one row: searches inside an open process."""
    assert tool.inside is not None
    _, out = run(tool.inside, tool.environment, args.work)
    times = json.loads(out.splitlines()[-1])
    cells = [
        times["first"],
        *(times[kind][key] for kind in ("short", "report") for key in ("p50", "p95", "cpu")),
    ]
    return [tool.name, *(f"{cell:.1f}" for cell in cells)]


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, numbers to the right."""
    lines = ["| " + " | ".join(row) + " |" for row in [head, *rows]]
    lines.insert(1, "| --- |" + " ---: |" * (len(head) - 1))
    return "\n".join(lines)


def processes_table(rows: Sequence[Row]) -> str:
    """Steps of every system, one line each, the same steps together."""
    order = list(dict.fromkeys(row.step for row in rows))
    cells = [
        [f"{row.step} | {row.system}", f"{row.used.cpu:.2f}", f"{row.used.wall:.2f}", f"{row.used.peak:.0f}"]
        for row in sorted(rows, key=lambda row: order.index(row.step))
    ]
    return table(["step | system", "CPU s", "wall s", "peak MB"], cells).replace(
        "| --- |", "| --- | --- |", 1
    )


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tree", type=Path)
    parser.add_argument(
        "--work", type=Path, required=True, help="where indexes go; its trig/ and semble/ are emptied"
    )
    parser.add_argument("--trig", default="trig", help="the trig program (default: %(default)s)")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that can import trigpoint")
    parser.add_argument("--semble", help="an interpreter of an environment with semble")
    parser.add_argument("--semble-model", help="folder of a model2vec model for semble")
    parser.add_argument(
        "--only", default="trig,semble,ripgrep", help="systems, comma-separated (default: %(default)s)"
    )
    parser.add_argument(
        "--changed", default="django/django/db/models/query.py", help="the file that is changed"
    )
    parser.add_argument(
        "--rounds", type=int, default=3, help="repeats of an index step (default: %(default)s)"
    )
    parser.add_argument(
        "--processes", type=int, default=10, help="short searches by process (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, help="write the tables here too")
    args = parser.parse_args()
    args.tree, args.work = args.tree.resolve(), args.work.resolve()
    args.work.mkdir(parents=True, exist_ok=True)
    return args


def main() -> None:
    """Measure all systems and print."""
    args = parsed()
    queries = tomllib.loads(QUERIES.read_text())
    here = [tool for tool in tools(args) if tool.name in args.only.split(",")]
    rows: list[Row] = []
    for tool in here:
        for row in itertools.chain(indexing(tool, args, queries), searching(tool, args, queries)):
            print(f"{row.system}: {row.step}: {row.used.cpu:.2f} s CPU", file=sys.stderr)
            rows.append(row)
    head = ["system", "first, ms", "p50", "p95", "CPU", "report p50", "report p95", "report CPU"]
    opened = [inside(tool, args) for tool in here if tool.inside]
    text = (
        f"{processes_table(rows)}\n\nSearches inside an open process, milliseconds\n\n{table(head, opened)}"
    )
    print(text)
    if args.out:
        args.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
