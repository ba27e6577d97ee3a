"""Commit subjects of labelled repositories as questions: which files did the commit change? Ours beside BM25 over windows.

    commits.py --data SEMBLE_DIR --mirror GIT_DIRS --work DIR [--most 20] [--history 1500] [--out SET.jsonl]

The questions are those of `trig bench mine`: subjects of commits up to the pinned revision that change one to three code files which
are still there, without those that name a file or a definition that they change. At most --most a repository, the newest.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from corpora import Corpus, git_dir, semble_corpora
from corpora import Question as Asked
from corpora import Target as Wanted
from systems import Bm25

import trigpoint
from trigpoint.errors import SourceError
from trigpoint.evaluation.measure import Record, Run, compare, means
from trigpoint.evaluation.metrics import Answered, Place, scores
from trigpoint.evaluation.mine import Commit, from_commits
from trigpoint.evaluation.questions import Question
from trigpoint.render.bench import question_lines, run_text
from trigpoint.sources.git_history import history


def mined(
    corpus: Corpus, engine: trigpoint.Engine, place: tuple[Path, str, str], most: int, count: int
) -> list[Question]:
    """The questions that one repository gives; stderr says what was refused."""
    git, revision, under = place
    with engine._snapshot() as snapshot:
        marks = {row.path: row.marks for row in snapshot.files() if row.outcome.level != "skipped"}
        try:
            past = [Commit(*one) for one in history(str(git.resolve()), count, revision, under)]
        except SourceError as error:  # a snapshot without all of its objects
            print(f"left out: {corpus.key}: {error.message}", file=sys.stderr)
            return []
        found = from_commits(past, marks.get, snapshot.symbols_of)
    print(f"{corpus.key}: {len(found.questions)} questions, refused {dict(found.refused)}", file=sys.stderr)
    return [
        one._replace(repository=corpus.repository, category=corpus.language) for one in found.questions[:most]
    ]


def by_windows(corpus: Corpus, questions: list[Question]) -> list[Record]:
    """The records of BM25 over windows of 40 lines."""
    system = Bm25("bm25")
    asked = tuple(
        Asked(one.id, one.text, one.category, tuple(Wanted(t.path) for t in one.relevant))
        for one in questions
    )
    system.index(corpus)
    answers = system.answer(Corpus(corpus.repository, corpus.key, corpus.language, corpus.root, asked), 50)
    return [
        Record(one.id, one.repository, one.category, scores(one, Answered(tuple(Place(r.path, r.start or 0, r.end or 0) for r in answers[one.id]))), 0, 0)
        for one in questions
    ]  # fmt: skip


def main() -> None:
    """Mine, ask, compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("data", "mirror", "work", "out"):
        parser.add_argument(f"--{name}", type=Path)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--history", type=int, default=1500)
    args = parser.parse_args()
    repos = {row["name"]: row for row in json.loads((args.data / "repos.json").read_text())}
    ours: list[Record] = []
    theirs: list[Record] = []
    asked: list[Question] = []
    for corpus in semble_corpora(args.data, args.mirror, args.work, set()):
        row = repos[corpus.key]
        place = (git_dir(args.mirror, row["url"]), row["revision"], row.get("benchmark_root") or "")
        with trigpoint.open(corpus.root) as engine:
            if not engine.status().generation:
                engine.index()
            questions = mined(corpus, engine, place, args.most, args.history)
            ours += engine.bench(questions, update=False).records
        theirs += by_windows(corpus, questions) if questions else []
        asked += questions
    if args.out:
        args.out.write_text("".join(question_lines(asked)))
    first, second = Run("trig", tuple(ours)), Run("bm25 over windows", tuple(theirs))
    print(run_text(first, list(means(first)), list(compare(first, second))))
    print(run_text(second, list(means(second))))
    print(Counter(one.category for one in ours).most_common())
    languages: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for mine, other in zip(ours, theirs, strict=True):
        languages[mine.category].append((mine.scores["acc@5"], other.scores["acc@5"]))
    for name, pairs in sorted(languages.items()):
        print(
            f"| {name} | {len(pairs)} | {sum(a for a, _ in pairs) / len(pairs):.3f} | {sum(b for _, b in pairs) / len(pairs):.3f} |"
        )


if __name__ == "__main__":
    main()
