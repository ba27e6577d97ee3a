"""Retrieval quality of several systems on questions with known answers, in one run and one table.

    run.py --data SEMBLE_DIR --mirror GIT_DIRS --work DIR --systems trig,bm25,ripgrep --out results.json
    run.py --reports swebench_lite.jsonl --work DIR --systems trig,trig:fast,bm25
    run.py ... --systems trig,semble --command 'semble=PYTHON semble_batch.py {dir} {queries} {limit}'
    run.py --compare new.json:trig old.json:trig

Scores are between 0 and 1. Intervals draw whole repositories again. See benchmarks/README.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import shutil
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from corpora import Corpus, localisation_corpora, semble_corpora
from metrics import Result, score, without_noise
from report import Record, Run, compare, report
from systems import Answers, Cost, System, chosen, measured


def measure(system: System, kind: str, corpora: Iterable[Corpus], limit: int) -> Run:
    """Index and question every corpus; the records hold one question each."""
    index, search, records = Cost(), Cost(), []
    for corpus in corpora:
        with measured(index):
            system.index(corpus)
        with measured(search):
            answers = system.answer(corpus, limit)
        records += records_of(corpus, answers, kind)
        print(f"{system.name}: {corpus.key}", file=sys.stderr)
    costs = {"index": asdict(index), "search": asdict(search)}
    return {"system": system.name, "kind": kind, "limit": limit, **costs, "records": records}


def records_of(corpus: Corpus, answers: Answers, kind: str) -> list[Record]:
    """The scored answers of one corpus; bug reports are scored without tests, examples and documentation."""
    records = []
    for question in corpus.questions:
        results: list[Result] = answers.get(question.id, [])
        kept = without_noise(results) if kind == "localisation" else results
        records.append(
            {
                "id": question.id,
                "repository": corpus.repository,
                "language": corpus.language,
                "category": question.category,
                "failed": question.id not in answers,
                "returned": len(results),
                "scores": score(question, kept),
                "top": list(dict.fromkeys(result.path for result in kept))[:10],
            }
        )
    return records


def read_runs(place: str) -> list[Run]:
    """The runs of `FILE` or `FILE:SYSTEM`; without a name, those of the file's first system."""
    file, _, system = place.partition(":")
    runs: list[Run] = json.loads(Path(file).read_text())["runs"]
    name = system or runs[0]["system"]
    return [run for run in runs if run["system"] == name]


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with repos.json and annotations/")
    parser.add_argument("--reports", type=Path, help="JSON Lines file of bug reports")
    parser.add_argument("--mirror", type=Path, help="folder of git directories, owner+name/repo")
    parser.add_argument(
        "--work", type=Path, help="where --data's trees are laid out, and systems keep indexes"
    )
    parser.add_argument(
        "--reports-work", type=Path, help="where --reports' trees are laid out (default: --work)"
    )
    parser.add_argument("--only", default="", help="these repositories only, comma-separated")
    parser.add_argument(
        "--systems",
        default="trig,bm25,ripgrep",
        help="trig, trig:TIER, trig:PIPELINE, bm25, bm25-files, ripgrep, or a --command",
    )
    parser.add_argument("--trig", default="trig", help="the trig program (default: %(default)s)")
    parser.add_argument(
        "--command", action="append", default=[], metavar="NAME=CMD", help="a batch command to measure too"
    )
    parser.add_argument(
        "--limit", type=int, default=10, help="results asked for a short question (default: %(default)s)"
    )
    parser.add_argument(
        "--reports-limit", type=int, default=50, help="the same for a bug report (default: %(default)s)"
    )
    parser.add_argument("--keep-index", action="store_true", help="do not empty trig's index cache first")
    parser.add_argument("--out", type=Path, help="write results here, as JSON")
    parser.add_argument(
        "--compare", nargs=2, metavar=("A", "B"), help="two result files, each FILE or FILE:SYSTEM"
    )
    args = parser.parse_args()
    if not args.compare and (args.work is None or not (args.data or args.reports)):
        parser.error("give --work and one of --data and --reports, or --compare")
    return args


def main() -> None:
    """Measure and print, or compare two files."""
    args = parsed()
    if args.compare:
        first, second = map(read_runs, args.compare)
        print("\n".join(compare(first, second)))
        return
    args.work = args.work.resolve()
    args.work.mkdir(parents=True, exist_ok=True)
    if not args.keep_index:
        shutil.rmtree(args.work / "trigpoint-cache", ignore_errors=True)
    only = {name.lower() for name in args.only.split(",") if name}
    loads: list[tuple[str, list[Corpus], int]] = []
    if args.data:
        loads.append(("semble", list(semble_corpora(args.data, args.mirror, args.work, only)), args.limit))
    if args.reports:
        place = (args.reports_work or args.work).resolve()
        loads.append(
            (
                "localisation",
                list(localisation_corpora(args.reports, args.mirror, place, only)),
                args.reports_limit,
            )
        )
    commands = dict(text.split("=", 1) for text in args.command)
    systems = chosen(args.systems.split(","), args.trig, commands, args.work)
    runs = [
        measure(system, kind, corpora, limit)
        for (kind, corpora, limit), system in itertools.product(loads, systems)
        if corpora
    ]
    if args.out:
        args.out.write_text(json.dumps({"runs": runs}))
    print("\n".join(report(runs)))


if __name__ == "__main__":
    main()
