"""The share of bug reports whose gold files and functions one `context` answer holds, beside ripgrep with reads and plain search.

    run.py --reports REPORTS.jsonl --work DIR [--rg PATH] [--budgets 2000,4000,8000] [--only NAME,…] [--out RUN.json]

Trees are laid out at DIR/corpora as quality/run.py does; indexes are where `trig` keeps them. A file is held when lines of it
are shown; a function when half of its lines are, or twenty of them. Every gold file of a report must be held, every gold function.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "quality"))

from corpora import Corpus, Question, localisation_corpora
from ripgrep import KIND, PLAIN, Read, Way, listing, matches, reads

import trigpoint
from trigpoint.render import json as form
from trigpoint.render.context import as_command, as_text
from trigpoint.render.context import fit as fit_context
from trigpoint.render.fit import fit
from trigpoint.text.tokens import TOKENIZER, counter, ruler

ENOUGH = 20


def covered(question: Question, shown: Iterable[Read]) -> tuple[bool, bool | None]:
    """Whether all gold files are shown, and all gold functions (None: the report has none)."""
    lines: dict[str, set[int]] = defaultdict(set)
    for one in shown:
        lines[one.path].update(range(one.start, one.end + 1))
    files = all(lines.get(target.path) for target in question.primary)
    wanted = [set(range(one.start or 0, (one.end or 0) + 1)) for one in question.functions]
    kept = [
        len(span & lines.get(one.path, set())) for one, span in zip(question.functions, wanted, strict=True)
    ]
    enough = [many >= min(ENOUGH, len(span) / 2) for many, span in zip(kept, wanted, strict=True)]
    return files, all(enough) if enough else None


def by_context(engine: trigpoint.Engine, question: Question, budget: int) -> list[Read]:
    """The windows of one composed answer, as the command line writes it."""
    found = engine.context(question.text, tokens=budget, update=False)
    count = ruler(exact=True).count
    shown = fit_context(found, [lambda one: as_text(one, as_command)], count)
    assert count(as_text(shown, as_command)) <= budget
    return [Read(*one.span) for one in shown.excerpts if one.text]


def by_search(engine: trigpoint.Engine, question: Question, budget: int) -> list[Read]:
    """The windows of plain search at the same budget, as JSON, which has their text."""
    pack = engine.search(question.text, tokens=budget, update=False)
    shown = []

    def write(one: object) -> str:
        shown.append(one)
        return form.line(form.search(one))  # type: ignore[arg-type]

    fit(pack, write, lambda line: counter(TOKENIZER)((line,))[0])
    return [Read(*one.window.span) for one in shown[-1].hits if one.window is not None]


Found = dict[str, dict[int, set[str]]]


class Reader:
    """Reads windows of a tree's files until a budget is used; the last one is cut to what is left."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._files: dict[str, tuple[list[str], list[int]]] = {}

    def _file(self, path: str) -> tuple[list[str], list[int]]:
        """Its lines as a reader shows them, and their tokens."""
        if path not in self._files:
            raw = (self.root / path).read_text(encoding="utf-8", errors="replace").split("\n")
            shown = [f"{number}\t{line}\n" for number, line in enumerate(raw, start=1)]
            self._files[path] = shown, counter(TOKENIZER)(shown)
        return self._files[path]

    def read(self, found: Found, way: Way, budget: int) -> list[Read]:
        """What is read."""
        left, kept = budget - counter(TOKENIZER)((listing(found, way),))[0], list[Read]()
        for one in reads(found, way):
            lines, sizes = self._file(one.path)
            left -= counter(TOKENIZER)((one.path + "\n",))[0]
            end = one.start - 1
            while end < min(one.end, len(lines)) and sizes[end] <= left:
                left -= sizes[end]
                end += 1
            if end >= one.start:
                kept.append(Read(one.path, one.start, end))
            if end < min(one.end, len(lines)):
                break
        return kept


def asked(corpus: Corpus, budgets: list[int], rg: str) -> Iterator[dict[str, object]]:
    """One row a question, system and budget."""
    with trigpoint.open(corpus.root, stats=False) as engine:
        if not engine.status().generation:
            engine.index()
        reader = Reader(corpus.root)
        for question in corpus.questions:
            shown: dict[tuple[str, int], list[Read]] = {}
            for budget in budgets:
                shown["context", budget] = by_context(engine, question, budget)
                shown["search", budget] = by_search(engine, question, budget)
            found = matches(question.text, corpus.root, rg)
            ways = {**PLAIN, **{f"kind {way.around}x{way.windows}": way for way in KIND}}
            for system, way in ways.items():
                for budget in budgets:
                    shown[system, budget] = reader.read(found, way, budget)
            for (system, budget), kept in shown.items():
                file, function = covered(question, kept)
                yield {
                    "id": question.id, "corpus": corpus.key, "system": system, "budget": budget, "file": file,
                    "function": function, "mention": question.category, "files": len({one.path for one in kept}),
                }  # fmt: skip


def table(rows: list[dict[str, object]], budgets: list[int]) -> str:
    """Shares by system; of ripgrep's ways the best in each column."""
    shares: dict[tuple[str, int, str], float] = {}
    for system in dict.fromkeys(str(row["system"]) for row in rows):
        for budget in budgets:
            for measure in ("file", "function"):
                values = [row[measure] for row in rows if row["system"] == system and row["budget"] == budget]
                known = [bool(value) for value in values if value is not None]
                shares[system, budget, measure] = sum(known) / max(1, len(known))
    columns = [(budget, measure) for measure in ("file", "function") for budget in budgets]
    lines = {name: [shares[name, *column] for column in columns] for name in ("context", "search", *PLAIN)}
    kind = {system for system, _, _ in shares if system.startswith("kind ")}
    lines["ripgrep, the kindest of nine"] = [max(shares[way, *column] for way in kind) for column in columns]
    for other in list(lines)[2:]:
        pairs = zip(lines["context"], lines[other], strict=True)
        lines[f"context / {other}"] = [one / max(two, 1e-9) for one, two in pairs]
    head = "| | " + " | ".join(f"{measure}, {budget:,}" for budget, measure in columns) + " |\n"
    head += "| --- |" + " ---: |" * len(columns) + "\n"
    return head + "".join(
        f"| {name} | {' | '.join(f'{one:.3f}' for one in line)} |\n" for name, line in lines.items()
    )


def main() -> None:
    """Ask every report, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rg", default="rg")
    parser.add_argument("--budgets", default="2000,4000,8000")
    parser.add_argument("--only", default="")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    budgets = [int(one) for one in args.budgets.split(",")]
    only = {name.lower() for name in args.only.split(",") if name}
    rows: list[dict[str, object]] = []
    for corpus in localisation_corpora(args.reports, None, args.work, only):
        rows += asked(corpus, budgets, args.rg)
        print(corpus.key, len(corpus.questions), file=sys.stderr)
    if args.out:
        args.out.write_text("".join(json.dumps(row) + "\n" for row in rows))
    print(f"{len({row['id'] for row in rows})} reports\n\n{table(rows, budgets)}", end="")


if __name__ == "__main__":
    main()
